// SPDX-License-Identifier: Apache-2.0
#include "actors/host/line/entrance.hpp"

#include <boost/asio/write.hpp>
#include <exception>
#include <utility>

namespace posse {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

}  // namespace

Entrance::Entrance(tcp::socket socket, const EntranceOptions& options)
    : socket_(std::move(socket)), timer_(socket_.get_executor()), options_(options) {}

void Entrance::start(Ended ended) {
  ended_ = std::move(ended);
  Error ignored;
  socket_.set_option(tcp::no_delay(true), ignored);
  timer_.expires_after(options_.time);
  timer_.async_wait([self = shared_from_this()](const Error& error) {
    if (!error) self->close("it took too long");
  });
  try {
    if (options_.tls != nullptr) tls_ = options_.tls->session(options_.listens);
    take("");
  } catch (const std::exception& problem) {
    return close(problem.what());
  }
  if (!closed_ && end_ == End::none) read();
}

unsigned Entrance::progress() const {
  return (tls_ && handshake_ ? 2 : 0) + (handshake_ ? handshake_->progress() : 0);
}

void Entrance::read() {
  socket_.async_read_some(asio::buffer(buffer_),
                          [self = shared_from_this()](const Error& error, std::size_t size) {
                            if (self->closed_) return;
                            self->bytes_ += size;
                            try {
                              self->take({self->buffer_.data(), size});
                            } catch (const std::exception& problem) {
                              return self->close(problem.what());
                            }
                            if (self->closed_ || self->end_ != End::none) return;
                            if (error) return self->close();
                            if (self->bytes_ > self->options_.bytes)
                              return self->close("it sent too much");
                            self->read();
                          });
}

void Entrance::take(std::string_view came) {
  if (!tls_) {
    shake_hands(came);
    return write();
  }
  std::string plain;
  const auto state = tls_->take(came, plain);
  if (state == TlsSession::State::open) shake_hands(plain);
  out_ += tls_->out();
  if (state == TlsSession::State::ended) {
    end_ = End::refused;
    problem_ = tls_->problem();
  }
  write();
}

void Entrance::shake_hands(std::string_view plain) {
  std::string out;
  if (!handshake_) {
    Secret secret{options_.mac, options_.token, random_nonce(), tls_ ? tls_->binding() : ""};
    handshake_ = options_.listens ? listener_handshake(std::move(secret))
                                  : member_handshake(std::move(secret));
    out = handshake_->begin();
  }
  const auto state = handshake_->take(plain, out);
  if (tls_)
    tls_->put(out);
  else
    out_ += out;
  if (state == Handshake::State::done) end_ = End::done;
  if (state == Handshake::State::refused) {
    end_ = End::refused;
    problem_ = handshake_->reason();
  }
}

void Entrance::write() {
  if (writes_ || closed_) return;
  if (out_.empty()) {
    if (end_ == End::done) return finish();
    if (end_ == End::refused) close(problem_);
    return;
  }
  writes_ = true;
  writing_ = std::exchange(out_, {});
  asio::async_write(socket_,
                    asio::buffer(writing_),
                    [self = shared_from_this()](const Error& error, std::size_t) {
                      self->writes_ = false;
                      if (self->closed_) return;
                      error ? self->close(self->problem_) : self->write();
                    });
}

void Entrance::finish() {
  closed_ = true;
  timer_.cancel();
  Admission admission;
  admission.line = std::make_unique<OpenedLine>();
  OpenedLine& line = *admission.line;
  Error error;
  line.v6 = socket_.local_endpoint(error).address().is_v6();
  line.descriptor = socket_.release(error);
  line.tls = std::move(tls_);
  line.frames = std::move(handshake_->frames());
  std::exchange(ended_, {})(std::move(admission));
}

void Entrance::close(const std::string& problem) {
  if (closed_) return;
  closed_ = true;
  timer_.cancel();
  Error ignored;
  socket_.shutdown(tcp::socket::shutdown_both, ignored);
  socket_.close(ignored);
  if (ended_) std::exchange(ended_, {})({nullptr, problem});
}

}  // namespace posse
