// SPDX-License-Identifier: Apache-2.0
// The module that links OpenSSL: TLS as a state machine without sockets, and HMAC-SHA256.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace posse {

/// Files in PEM format. All three, or none.
struct TlsFiles {
  std::string certificate, key, authority;
  bool any() const { return !certificate.empty(); }
};

/// One end of an encrypted line. Used by one thread at a time.
class TlsSession {
 public:
  enum class State { handshake, open, ended };

  virtual ~TlsSession() = default;
  /// Takes what came over the line (nothing, to begin) and appends what it says to `plain`.
  virtual State take(std::string_view came, std::string& plain) = 0;
  /// Encrypts. Only while the session is open.
  virtual void put(std::string_view plain) = 0;
  /// What is to be sent over the line.
  virtual std::string out() = 0;
  /// Bytes that both ends of this session share, and no other session has.
  virtual std::string binding() const = 0;
  /// Why it has ended. Empty if the other end closed it.
  virtual const std::string& problem() const = 0;
};

/// What the sessions of a process have in common. Peers must show a certificate of the authority.
class TlsContext {
 public:
  virtual ~TlsContext() = default;
  virtual std::unique_ptr<TlsSession> session(bool listens) const = 0;
};

using Digest = std::array<unsigned char, 32>;

struct TlsModule {
  static constexpr const char* kModule = "tls";

  /// Null if the files can't be used: `problem` says why.
  std::unique_ptr<TlsContext> (*context)(const TlsFiles& files, std::string& problem);
  /// HMAC-SHA256.
  Digest (*mac)(std::string_view key, std::string_view text);
};

}  // namespace posse
