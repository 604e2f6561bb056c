// SPDX-License-Identifier: Apache-2.0
#include "actors/host/line/front.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <map>
#include <utility>

#include "core/base/outside_failure.hpp"

namespace posse {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using namespace std::chrono_literals;

constexpr auto kPauseAfterFailure = 100ms;  // before accepting again, when out of descriptors
constexpr auto kTellingPeriod = 60s;
constexpr std::size_t kMostTold = 5;  // in a period

}  // namespace

Front::Front(FrontOptions options, Opened opened)
    : options_(std::move(options)),
      opened_(std::move(opened)),
      acceptor_(thread_.io()),
      pause_(thread_.io()) {
  try {
    listen();
  } catch (const boost::system::system_error& problem) {
    throw OutsideFailure(fmt::format(
        "can't listen at {}:{}: {}", options_.host, options_.port, problem.code().message()));
  }
  asio::post(thread_.io(), [this] { accept(); });
}

Front::~Front() { thread_.stop(); }

void Front::listen() {
  const tcp::endpoint endpoint(asio::ip::make_address(options_.host), options_.port);
  acceptor_.open(endpoint.protocol());
  fcntl(acceptor_.native_handle(), F_SETFD, FD_CLOEXEC);
  acceptor_.set_option(tcp::acceptor::reuse_address(true));
  acceptor_.bind(endpoint);
  acceptor_.listen(tcp::acceptor::max_listen_connections);
  port_ = acceptor_.local_endpoint().port();
}

void Front::accept() {
  acceptor_.async_accept([this](const Error& error, tcp::socket socket) {
    if (!error) {
      accept();
      return meet(std::move(socket));
    }
    // Most likely the process has too many open descriptors.
    make_room();
    pause_.expires_after(kPauseAfterFailure);
    pause_.async_wait([this](const Error& cancelled) {
      if (!cancelled) accept();
    });
  });
}

void Front::meet(tcp::socket socket) {
  fcntl(socket.native_handle(), F_SETFD, FD_CLOEXEC);
  Error error;
  const auto address = socket.remote_endpoint(error).address();
  if (error) return;  // it has gone
  if (strangers_.size() >= options_.strangers) make_room();
  auto entrance = std::make_shared<Entrance>(std::move(socket), options_.entrance);
  const auto self = strangers_.insert(strangers_.end(), {entrance, address});
  entrance->start([this, self](Admission admission) {
    strangers_.erase(self);
    if (admission.line)
      opened_(std::move(admission.line));
    else if (!admission.problem.empty())
      tell_of(admission.problem);
  });
}

void Front::make_room() {
  std::map<asio::ip::address, std::size_t> by_address;
  for (const Stranger& stranger : strangers_) ++by_address[stranger.address];
  const auto rank = [&](const Stranger& stranger) {
    return std::pair(stranger.entrance->progress(), ~by_address[stranger.address]);
  };
  const auto least = std::min_element(
      strangers_.begin(), strangers_.end(), [&](const Stranger& a, const Stranger& b) {
        return rank(a) < rank(b);
      });
  if (least == strangers_.end()) return;
  const auto entrance = least->entrance;  // leaves the list
  entrance->close();
}

void Front::tell_of(const std::string& refusal) {
  const auto now = Clock::now();
  if (now - told_since_ >= kTellingPeriod) {
    if (untold_ > 0) options_.tell(fmt::format("refused: {} more", untold_));
    told_since_ = now;
    told_ = untold_ = 0;
  }
  if (++told_ > kMostTold)
    ++untold_;
  else
    options_.tell("refused: " + refusal);
}

}  // namespace posse
