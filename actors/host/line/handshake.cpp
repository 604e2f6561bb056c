// SPDX-License-Identifier: Apache-2.0
#include "actors/host/line/handshake.hpp"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/outside_failure.hpp"

namespace posse {
namespace {

constexpr std::string_view kMagic = "posse-node";
constexpr std::string_view kMember = "member", kListener = "listener";
constexpr std::size_t kProtocolBytes = 4;
constexpr std::size_t kLongestReason = 200;

std::string protocol_bytes() {
  std::string bytes;
  for (std::size_t i = 0; i < kProtocolBytes; ++i)
    bytes += static_cast<char>(kProcessProtocol >> 8 * (kProtocolBytes - 1 - i) & 255u);
  return bytes;
}

std::uint32_t protocol_in(std::string_view bytes) {
  std::uint32_t protocol = 0;
  for (std::size_t i = 0; i < kProtocolBytes; ++i)
    protocol = protocol << 8 | static_cast<unsigned char>(bytes[i]);
  return protocol;
}

std::string_view view(const Nonce& nonce) { return {nonce.data(), nonce.size()}; }
std::string_view view(const Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

/// Constant-time comparison.
bool same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned differ = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    differ |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  return differ == 0;
}

std::string other_protocol(std::uint32_t theirs) {
  return fmt::format("posse with node protocol {} is there, not {}", theirs, kProcessProtocol);
}

std::string verdict_against(std::string_view reason) {
  return frame(FrameKind::verdict, '\0' + std::string(reason));
}

class ListenerHandshake final : public Handshake {
 public:
  explicit ListenerHandshake(Secret secret) : Handshake(std::move(secret)) {
    listener_ = secret_.nonce;
  }
  std::string begin() override { return ""; }

 private:
  State handle(const Frame& came, std::string& out) override {
    if (progress() == 0) return hears_hello(came, out);
    if (came.kind != FrameKind::proof || came.content.size() != Digest{}.size()) return refuse("");
    if (!proves(came.content, kMember)) {
      constexpr auto kWhy = "the token is not the one of this run";
      out += verdict_against(kWhy);
      return refuse(kWhy);
    }
    out += frame(FrameKind::verdict, '\1' + std::string(view(proof_of(kListener))));
    return State::done;
  }

  State hears_hello(const Frame& came, std::string& out) {
    const std::string_view content = came.content;
    if (came.kind != FrameKind::hello || !content.starts_with(kMagic) ||
        content.size() < kMagic.size() + kProtocolBytes)
      return refuse("");
    const auto protocol = protocol_in(content.substr(kMagic.size()));
    if (protocol != kProcessProtocol) {
      out += verdict_against(fmt::format(
          "posse with node protocol {} listens here, not {}", kProcessProtocol, protocol));
      return refuse(other_protocol(protocol));
    }
    const auto nonce = content.substr(kMagic.size() + kProtocolBytes);
    if (nonce.size() != member_.size()) return refuse("");
    std::copy(nonce.begin(), nonce.end(), member_.begin());
    out += frame(FrameKind::challenge, protocol_bytes() + std::string(view(listener_)));
    return State::going_on;
  }
};

class MemberHandshake final : public Handshake {
 public:
  explicit MemberHandshake(Secret secret) : Handshake(std::move(secret)) {
    member_ = secret_.nonce;
  }
  std::string begin() override {
    return frame(FrameKind::hello,
                 std::string(kMagic) + protocol_bytes() + std::string(view(member_)));
  }

 private:
  State handle(const Frame& came, std::string& out) override {
    if (came.kind == FrameKind::verdict) return hears_verdict(came.content);
    const std::string_view content = came.content;
    if (progress() != 0 || came.kind != FrameKind::challenge || content.size() < kProtocolBytes)
      return refuse("");
    const auto protocol = protocol_in(content);
    if (protocol != kProcessProtocol) return refuse(other_protocol(protocol));
    const auto nonce = content.substr(kProtocolBytes);
    if (nonce.size() != listener_.size()) return refuse("");
    std::copy(nonce.begin(), nonce.end(), listener_.begin());
    out += frame(FrameKind::proof, view(proof_of(kMember)));
    return State::going_on;
  }

  State hears_verdict(std::string_view content) {
    if (content.empty()) return refuse("");
    const auto rest = content.substr(1);
    if (content.front() == 0) return refuse(std::string(rest.substr(0, kLongestReason)));
    if (content.front() != 1 || progress() != 1 || rest.size() != Digest{}.size())
      return refuse("");
    return proves(rest, kListener) ? State::done
                                   : refuse("whoever listens there doesn't know the token");
  }
};

}  // namespace

Nonce random_nonce() {
  Nonce nonce{};
  if (getrandom(nonce.data(), nonce.size(), 0) != static_cast<ssize_t>(nonce.size()))
    throw OutsideFailure("the system gives no random numbers");
  return nonce;
}

Handshake::State Handshake::take(std::string_view came, std::string& out) {
  frames_.add(came);
  while (state_ == State::going_on) {
    const auto frame = frames_.next();
    if (!frame) {
      if (frames_.broken()) state_ = refuse("");
      break;
    }
    state_ = handle(*frame, out);
    if (state_ != State::refused) ++progress_;
  }
  return state_;
}

Handshake::State Handshake::refuse(std::string reason) {
  reason_ = std::move(reason);
  return State::refused;
}

Digest Handshake::proof_of(std::string_view who) const {
  std::string text(who);
  text += '\0';
  text += view(member_);
  text += view(listener_);
  text += secret_.binding;
  return secret_.mac(secret_.token, text);
}

bool Handshake::proves(std::string_view content, std::string_view who) const {
  return same(content, view(proof_of(who)));
}

std::unique_ptr<Handshake> listener_handshake(Secret secret) {
  return std::make_unique<ListenerHandshake>(std::move(secret));
}
std::unique_ptr<Handshake> member_handshake(Secret secret) {
  return std::make_unique<MemberHandshake>(std::move(secret));
}

}  // namespace posse
