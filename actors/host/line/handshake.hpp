// SPDX-License-Identifier: Apache-2.0
// How two processes of a run find out that they have the same token, without sending it.
//
//   member → listener   hello       "posse-node", protocol, nonce of the member
//   listener → member   challenge   protocol, nonce of the listener
//   member → listener   proof       MAC(token, "member", both nonces, binding)
//   listener → member   verdict     1, MAC(token, "listener", both nonces, binding); or 0 and why
//
// MAC is HMAC-SHA256, nonces are 32 random bytes, and the binding is that of the TLS session, if
// the line is encrypted: a proof is good for one line only. State machines without sockets: what
// came goes in, what is to be sent comes out.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "actors/host/line/frames.hpp"
#include "actors/host/line/tls_module.hpp"

namespace posse {

/// Rises whenever the frames between processes, or their contents, change, unless kResultsVersion
/// does: programs whose versions of results differ refuse each other as well.
inline constexpr std::uint32_t kProcessProtocol = 3;
/// Of a frame of the handshake.
inline constexpr std::size_t kLongestHandshakeFrame = 256;

using Nonce = std::array<char, 32>;
Nonce random_nonce();

using Mac = Digest (*)(std::string_view key, std::string_view text);

/// What a process proves with.
struct Secret {
  Mac mac = nullptr;
  std::string token;
  Nonce nonce{};  // of this line
  std::string binding;
};

class Handshake {
 public:
  enum class State { going_on, done, refused };

  virtual ~Handshake() = default;
  /// What is to be sent first.
  virtual std::string begin() = 0;
  /// Takes what came; appends what is to be sent to `out`.
  State take(std::string_view came, std::string& out);
  /// Why it was refused. Empty: the other end doesn't speak this protocol.
  const std::string& reason() const { return reason_; }
  /// How many frames of the other end were right.
  unsigned progress() const { return progress_; }
  /// What came after the handshake is in it.
  FrameReader& frames() { return frames_; }

 protected:
  explicit Handshake(Secret secret) : secret_(std::move(secret)) {}
  virtual State handle(const Frame& frame, std::string& out) = 0;
  State refuse(std::string reason);
  Digest proof_of(std::string_view who) const;
  bool proves(std::string_view content, std::string_view who) const;

  Secret secret_;
  Nonce member_{}, listener_{};

 private:
  FrameReader frames_{kLongestHandshakeFrame};
  State state_ = State::going_on;
  std::string reason_;
  unsigned progress_ = 0;
};

std::unique_ptr<Handshake> listener_handshake(Secret secret);
std::unique_ptr<Handshake> member_handshake(Secret secret);

}  // namespace posse
