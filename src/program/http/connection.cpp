// SPDX-License-Identifier: Apache-2.0
#include "program/http/connection.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/read.hpp>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <variant>

#include "program/http/admission.hpp"
#include "program/http/answer.hpp"

namespace posse {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using namespace std::chrono_literals;

constexpr std::size_t kWriteAtOnce = 1 << 16;  // bytes; progress is seen in steps of these
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
constexpr auto kLinger = 1s;
constexpr std::size_t kDiscarded = 1 << 20;  // bytes; then the connection is closed

std::string text_of_field(boost::beast::string_view text) { return {text.data(), text.size()}; }

HttpHead head_of(const http::request<http::string_body>& request) {
  HttpHead head;
  head.method = text_of_field(request.method_string());
  head.target = text_of_field(request.target());
  head.http_1_0 = request.version() < 11;
  for (const auto& field : request)
    head.fields.emplace_back(text_of_field(field.name_string()), text_of_field(field.value()));
  return head;
}

/// True for errors in the request, which get an answer, unlike errors of the connection.
bool is_bad_request(const boost::system::error_code& error) {
  return error.category() == make_error_code(http::error::bad_method).category() &&
         error != http::error::end_of_stream && error != http::error::partial_message;
}

HttpResponse reading_error(const boost::system::error_code& error) {
  if (error == http::error::header_limit)
    return plain_answer(431, "The request's header is too long.\n");
  if (error == http::error::body_limit || error == http::error::buffer_overflow)
    return plain_answer(413, "The request's body is too long.\n");
  if (error == http::error::bad_version)
    return plain_answer(505, "Only HTTP/1.0 and HTTP/1.1 are supported.\n");
  return plain_answer(400, "This is not an HTTP request.\n");
}

}  // namespace

void HttpShared::add(std::shared_ptr<HttpConnection> connection) {
  connections.insert(std::move(connection));
  open = connections.size();
}

void HttpShared::remove(const std::shared_ptr<HttpConnection>& connection) {
  connections.erase(connection);
  open = connections.size();
  if (stopping && connections.empty()) shutdown_timer.cancel();
}

void HttpShared::limit_streams() const {
  std::size_t streams = 0;
  std::shared_ptr<HttpConnection> oldest;
  for (const auto& connection : connections) {
    if (!connection->streams()) continue;
    ++streams;
    if (!oldest || connection->waits_since() < oldest->waits_since()) oldest = connection;
  }
  if (streams > limits.streams) oldest->close();
}

HttpConnection::HttpConnection(asio::ip::tcp::socket socket, HttpShared& shared)
    : socket_(std::move(socket)),
      timer_(socket_.get_executor()),
      shared_(shared),
      input_(shared.limits.header_bytes) {}

// Reading.

void HttpConnection::read_request() {
  phase_ = Phase::reading;
  waits_since_ = Clock::now();
  parser_.emplace();
  parser_->header_limit(static_cast<std::uint32_t>(shared_.limits.header_bytes));
  parser_->body_limit(shared_.limits.body_bytes);
  set_timer(shared_.limits.request_time);
  http::async_read_header(
      socket_, input_, *parser_, [self = shared_from_this()](Error error, std::size_t) {
        self->on_header(error);
      });
}

void HttpConnection::on_header(Error error) {
  if (phase_ == Phase::closed) return;
  if (error || timed_out_) return fail_reading(error);
  const auto head = head_of(parser_->get());
  auto admitted = admit(head, shared_.address);
  if (auto* refusal = std::get_if<HttpResponse>(&admitted))
    return answer(std::move(*refusal), true);
  request_ = std::move(std::get<HttpRequest>(admitted));
  const bool asks = !head.http_1_0 && !head.values("Expect").empty() && !parser_->is_done();
  if (!asks) return read_body();
  asio::async_write(socket_,
                    asio::buffer(kContinue.data(), kContinue.size()),
                    [self = shared_from_this()](Error failure, std::size_t) {
                      if (self->phase_ == Phase::closed) return;
                      if (failure || self->timed_out_) return self->fail_reading(failure);
                      self->read_body();
                    });
}

void HttpConnection::read_body() {
  http::async_read(
      socket_, input_, *parser_, [self = shared_from_this()](Error error, std::size_t) {
        self->on_body(error);
      });
}

void HttpConnection::on_body(Error error) {
  if (phase_ == Phase::closed) return;
  if (error || timed_out_) return fail_reading(error);
  request_.body = std::move(parser_->get().body());
  answer(handled(), !parser_->keep_alive());
}

void HttpConnection::fail_reading(Error error) {
  if (timed_out_ && !idle()) return answer(plain_answer(408, "The request took too long.\n"), true);
  if (!timed_out_ && is_bad_request(error)) return answer(reading_error(error), true);
  close();
}

// Answering.

HttpResponse HttpConnection::handled() {
  try {
    return shared_.handler(request_);
  } catch (...) {
    return plain_answer(500, "Internal error.\n");
  }
}

void HttpConnection::answer(HttpResponse response, bool last) {
  last_ = last || shared_.stopping;
  std::string head;
  try {
    head = answer_head(response, last_);
  } catch (const std::invalid_argument&) {
    response = plain_answer(500, "Internal error.\n");
    head = answer_head(response, last_);
  }
  const bool head_only = parser_->get().method() == http::verb::head;
  if (response.feed) {
    last_ = true;
    response.body.clear();
    if (!head_only) feed_ = std::move(response.feed);
  }
  if (head_only || !has_body(response.status)) response.body.clear();
  phase_ = feed_ ? Phase::streaming : Phase::answering;
  waits_since_ = Clock::now();
  if (feed_) {
    shared_.limit_streams();
    notice_leaving();
  }
  write(std::move(head), std::move(response.body));
}

void HttpConnection::write(std::string head, std::string body) {
  head_ = std::move(head);
  body_ = std::move(body);
  writing_ = true;
  const std::array<asio::const_buffer, 2> output{asio::buffer(head_), asio::buffer(body_)};
  // Called before every step: the number of bytes to write, 0 at the end.
  const auto on_progress = [this](const Error& error, std::size_t) -> std::size_t {
    if (error || phase_ == Phase::closed) return 0;
    set_timer(shared_.limits.write_time);
    return kWriteAtOnce;
  };
  asio::async_write(
      socket_, output, on_progress, [self = shared_from_this()](Error error, std::size_t) {
        self->on_written(error);
      });
}

void HttpConnection::on_written(Error error) {
  writing_ = false;
  head_ = {};
  body_ = {};
  if (phase_ == Phase::closed) return;
  if (error) return close();
  if (phase_ == Phase::streaming) {
    if (final_events_) return close();
    set_timer(shared_.limits.heartbeat);
    return ask_feed();
  }
  if (last_ || shared_.stopping) return linger();
  read_request();
}

// Streaming.

void HttpConnection::ask_feed() {
  final_events_ = shared_.stopping;
  std::string events;
  try {
    events = feed_->next();
  } catch (...) {
    return close();
  }
  if (!events.empty())
    write({}, std::move(events));
  else if (final_events_)
    close();
}

void HttpConnection::wake() {
  if (phase_ == Phase::streaming && !writing_) ask_feed();
}

/// Clients of a stream send nothing: any input means that they leave.
void HttpConnection::notice_leaving() {
  socket_.async_read_some(asio::buffer(unwanted_),
                          [self = shared_from_this()](Error, std::size_t) { self->close(); });
}

// Ending.

bool HttpConnection::idle() const {
  return phase_ == Phase::lingering ||
         (phase_ == Phase::reading && input_.size() == 0 && !parser_->got_some());
}

void HttpConnection::finish() {
  if (phase_ == Phase::reading || phase_ == Phase::lingering) return close();
  wake();  // requests the last events; if it is writing, it does so afterwards
}

void HttpConnection::linger() {
  if (shared_.stopping) return close();
  phase_ = Phase::lingering;
  waits_since_ = Clock::now();
  Error ignored;
  socket_.shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  set_timer(kLinger);
  discard();
}

void HttpConnection::discard() {
  socket_.async_read_some(asio::buffer(unwanted_),
                          [self = shared_from_this()](Error error, std::size_t count) {
                            if (self->phase_ == Phase::closed) return;
                            self->discarded_ += count;
                            if (error || self->discarded_ > kDiscarded) return self->close();
                            self->discard();
                          });
}

void HttpConnection::close() {
  if (phase_ == Phase::closed) return;
  phase_ = Phase::closed;
  Error ignored;
  socket_.close(ignored);
  timer_.cancel();
  feed_.reset();
  shared_.remove(shared_from_this());
}

// Time.

void HttpConnection::set_timer(std::chrono::milliseconds time) {
  timer_.expires_after(time);
  timer_.async_wait([self = shared_from_this()](Error error) {
    // The timer may have been restarted after this handler was queued.
    if (error || self->timer_.expiry() > Clock::now()) return;
    self->on_timer();
  });
}

void HttpConnection::on_timer() {
  switch (phase_) {
    case Phase::reading:
      timed_out_ = true;
      socket_.cancel();
      return;
    case Phase::streaming:
      if (!writing_) return write({}, ": heartbeat\n\n");
      [[fallthrough]];
    case Phase::answering:
    case Phase::lingering:
      return close();
    case Phase::closed:
      return;
  }
}

}  // namespace posse
