// SPDX-License-Identifier: Apache-2.0
// What strangers and members send over a line. The first byte selects the listener's or the
// member's side of the handshake, a reader of frames, or the content of a frame; the second one how
// it is cut, or the kind of the content; of a handshake, the third one what right beginning comes
// before. Whoever doesn't know the token is not let in.
#include <string>
#include <vector>

#include "actors/host/line/handshake.hpp"
#include "actors/host/process_messages.hpp"
#include "core/base/hash.hpp"
#include "tests/fuzz/targets.hpp"

namespace posse::fuzz {
namespace {

constexpr std::size_t kLongest = 1000;  // of a frame
constexpr std::size_t kMostAnswered = 1000;

/// Quick, and nobody guesses it by chance.
Digest mac(std::string_view key, std::string_view text) {
  Digest digest{};
  std::uint64_t hash = hash_combine(hash_name(key), hash_name(text));
  for (std::size_t i = 0; i < digest.size(); ++i) {
    hash = hash_combine(hash, i);
    digest[i] = static_cast<unsigned char>(hash);
  }
  return digest;
}

Secret secret(char nonce) {
  Secret made{mac, "a secret", {}, ""};
  made.nonce.fill(nonce);
  return made;
}

/// Both sides of a handshake that succeeds.
struct Right {
  Right() {
    const auto listener = listener_handshake(secret('l'));
    const auto member = member_handshake(secret('m'));
    hello = member->begin();
    listener->take(hello, challenge);
    member->take(challenge, proof);
    listener->take(proof, verdict);
  }
  std::string hello, challenge, proof, verdict;
};

void fuzz_handshake(std::string_view input, bool listens) {
  if (input.size() < 2) return;
  static const Right right;
  const std::size_t step = static_cast<unsigned char>(input[0]) + std::size_t{1};
  const int begins = static_cast<unsigned char>(input[1]) % 3;
  input.remove_prefix(2);
  const auto handshake = listens ? listener_handshake(secret('l')) : member_handshake(secret('m'));
  std::string out;
  auto state = Handshake::State::going_on;
  const auto take = [&](std::string_view bytes) {
    const auto said = out.size();
    const auto before = state;
    state = handshake->take(bytes, out);
    require(before == Handshake::State::going_on || (state == before && out.size() == said),
            "nothing follows the end of a handshake");
  };
  if (begins >= 1) take(listens ? right.hello : right.challenge);
  if (begins == 2) take(listens ? right.proof : right.verdict);
  require((state == Handshake::State::done) == (begins == 2), "the right beginning leads on");
  const std::string whole(input);
  for (; !input.empty(); input.remove_prefix(std::min(step, input.size())))
    take(input.substr(0, step));
  require(out.size() <= kMostAnswered, "little is answered");
  if (state == Handshake::State::done && begins != 2)
    require(whole.find(listens ? right.proof : right.verdict) != std::string::npos,
            "who is let in knows the token");
  require(handshake->reason().size() <= 200, "reasons are short");
}

void fuzz_frames(std::string_view input) {
  if (input.empty()) return;
  const std::size_t step = static_cast<unsigned char>(input[0]) + std::size_t{1};
  input.remove_prefix(1);
  FrameReader frames(kLongest);
  std::string again;
  for (auto rest = input; !rest.empty(); rest.remove_prefix(std::min(step, rest.size()))) {
    frames.add(rest.substr(0, step));
    while (const auto read = frames.next()) {
      require(read->content.size() <= kLongest, "a frame has a limit");
      again += frame(read->kind, read->content);
    }
  }
  require(input.starts_with(again), "frames are what came");
  require(frames.broken() || input.size() - again.size() < kLongest + kFrameHeader,
          "a complete frame is read");
}

template <class Content>
void fuzz_content(std::string_view input) {
  const auto read = decode_frame<Content>(input);
  if (!read) return;
  const auto again = encode_frame(*read);
  require(std::string_view(again.data(), again.size()) == input,
          "what can be read is written as the same bytes");
}

void fuzz_contents(std::string_view input) {
  if (input.empty()) return;
  const auto kind = static_cast<unsigned char>(input[0]) % 12;
  input.remove_prefix(1);
  constexpr void (*kContents[])(std::string_view) = {fuzz_content<JoinFrame>,
                                                     fuzz_content<WelcomeFrame>,
                                                     fuzz_content<PrepareFrame>,
                                                     fuzz_content<ReadyFrame>,
                                                     fuzz_content<PingFrame>,
                                                     fuzz_content<PongFrame>,
                                                     fuzz_content<BeginFrame>,
                                                     fuzz_content<MovedFrame>,
                                                     fuzz_content<MessageFrame>,
                                                     fuzz_content<ReportFrame>,
                                                     fuzz_content<RunFrame>,
                                                     fuzz_content<ByeFrame>};
  kContents[kind](input);
}

}  // namespace

void fuzz_front(std::string_view input) {
  if (input.empty()) return;
  const auto part = static_cast<unsigned char>(input.front()) % 4;
  input.remove_prefix(1);
  if (part <= 1) return fuzz_handshake(input, part == 0);
  part == 2 ? fuzz_frames(input) : fuzz_contents(input);
}

}  // namespace posse::fuzz
