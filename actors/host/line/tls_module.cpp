// SPDX-License-Identifier: Apache-2.0
#include "actors/host/line/tls_module.hpp"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/hmac.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>

#include <algorithm>
#include <new>
#include <utility>

#include "core/base/module.hpp"

namespace posse {
namespace {

/// The first error of this thread. None is left: OpenSSL would blame the next session for it.
std::string take_error() {
  std::string text;
  while (const unsigned long code = ERR_get_error()) {
    const char* reason = ERR_reason_error_string(code);
    if (text.empty()) text = reason != nullptr ? reason : "an unknown error";
  }
  return text;
}

class Session final : public TlsSession {
 public:
  Session(SSL_CTX* context, bool listens) : ssl_(SSL_new(context)) {
    in_ = BIO_new(BIO_s_mem());
    out_ = BIO_new(BIO_s_mem());
    if (ssl_ == nullptr || in_ == nullptr || out_ == nullptr) {
      BIO_free(in_);
      BIO_free(out_);
      SSL_free(ssl_);
      throw std::bad_alloc();
    }
    SSL_set_bio(ssl_, in_, out_);
    listens ? SSL_set_accept_state(ssl_) : SSL_set_connect_state(ssl_);
  }
  ~Session() override { SSL_free(ssl_); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  State take(std::string_view came, std::string& plain) override {
    if (state_ == State::ended) return state_;
    ERR_clear_error();
    if (!came.empty() &&
        BIO_write(in_, came.data(), static_cast<int>(came.size())) != static_cast<int>(came.size()))
      return end("out of memory");
    if (state_ == State::handshake) {
      const int result = SSL_do_handshake(ssl_);
      if (result != 1) return SSL_get_error(ssl_, result) == SSL_ERROR_WANT_READ ? state_ : fail();
      state_ = State::open;
    }
    for (;;) {
      std::array<char, 1 << 14> buffer;
      const int size = SSL_read(ssl_, buffer.data(), static_cast<int>(buffer.size()));
      if (size > 0) {
        plain.append(buffer.data(), static_cast<std::size_t>(size));
        continue;
      }
      const int error = SSL_get_error(ssl_, size);
      if (error == SSL_ERROR_WANT_READ) return state_;
      if (error == SSL_ERROR_ZERO_RETURN) return end("");
      return fail();
    }
  }

  void put(std::string_view plain) override {
    ERR_clear_error();
    while (!plain.empty() && state_ == State::open) {
      const auto size = std::min<std::size_t>(plain.size(), 1 << 20);
      const int written = SSL_write(ssl_, plain.data(), static_cast<int>(size));
      if (written <= 0) {
        fail();
        return;
      }
      plain.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  std::string out() override {
    std::string bytes(BIO_ctrl_pending(out_), '\0');
    if (!bytes.empty()) BIO_read(out_, bytes.data(), static_cast<int>(bytes.size()));
    return bytes;
  }

  std::string binding() const override {
    constexpr std::string_view kLabel = "EXPORTER-posse-node";
    std::string bytes(32, '\0');
    if (SSL_export_keying_material(ssl_,
                                   reinterpret_cast<unsigned char*>(bytes.data()),
                                   bytes.size(),
                                   kLabel.data(),
                                   kLabel.size(),
                                   nullptr,
                                   0,
                                   0) != 1) {
      ERR_clear_error();
      throw std::bad_alloc();
    }
    return bytes;
  }

  const std::string& problem() const override { return problem_; }

 private:
  State end(std::string problem) {
    problem_ = std::move(problem);
    return state_ = State::ended;
  }
  State fail() {
    const long verified = SSL_get_verify_result(ssl_);
    auto text = take_error();
    if (verified != X509_V_OK) text = X509_verify_cert_error_string(verified);
    return end(text.empty() ? "the session is broken" : text);
  }

  SSL* ssl_;
  BIO *in_, *out_;  // of the session
  State state_ = State::handshake;
  std::string problem_;
};

class Context final : public TlsContext {
 public:
  Context() : context_(SSL_CTX_new(TLS_method())) {
    if (context_ == nullptr) throw std::bad_alloc();
    SSL_CTX_set_min_proto_version(context_, TLS1_3_VERSION);
    SSL_CTX_set_options(context_, SSL_OP_NO_TICKET | SSL_OP_NO_COMPRESSION);
    SSL_CTX_set_session_cache_mode(context_, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_num_tickets(context_, 0);
    SSL_CTX_set_verify(context_, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
    // Nobody is asked for a passphrase.
    SSL_CTX_set_default_passwd_cb(context_, [](char*, int, int, void*) { return 0; });
  }
  ~Context() override { SSL_CTX_free(context_); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  /// Returns what is wrong with the files.
  std::string load(const TlsFiles& files) {
    ERR_clear_error();
    const auto wrong = [&](const std::string& file, const std::string& what) {
      const auto reason = take_error();
      return file + " is no " + what + (reason.empty() ? "" : ": " + reason);
    };
    if (SSL_CTX_use_certificate_chain_file(context_, files.certificate.c_str()) != 1)
      return wrong(files.certificate, "certificate that can be used");
    if (SSL_CTX_use_PrivateKey_file(context_, files.key.c_str(), SSL_FILETYPE_PEM) != 1 ||
        SSL_CTX_check_private_key(context_) != 1)
      return wrong(files.key, "key of the certificate without a passphrase");
    if (SSL_CTX_load_verify_locations(context_, files.authority.c_str(), nullptr) != 1)
      return wrong(files.authority, "certificate of an authority");
    ERR_clear_error();
    return "";
  }
  std::unique_ptr<TlsSession> session(bool listens) const override {
    return std::make_unique<Session>(context_, listens);
  }

 private:
  SSL_CTX* context_;
};

std::unique_ptr<TlsContext> context(const TlsFiles& files, std::string& problem) {
  auto made = std::make_unique<Context>();
  problem = made->load(files);
  return problem.empty() ? std::move(made) : nullptr;
}

Digest mac(std::string_view key, std::string_view text) {
  Digest digest{};
  unsigned size = 0;
  if (HMAC(EVP_sha256(),
           key.data(),
           static_cast<int>(key.size()),
           reinterpret_cast<const unsigned char*>(text.data()),
           text.size(),
           digest.data(),
           &size) == nullptr)
    throw std::bad_alloc();
  return digest;
}

}  // namespace
}  // namespace posse

POSSE_MODULE(posse::TlsModule){posse::context, posse::mac};
