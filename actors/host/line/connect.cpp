// SPDX-License-Identifier: Apache-2.0
#include "actors/host/line/connect.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <boost/asio/io_context.hpp>
#include <optional>
#include <utility>

namespace posse {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using namespace std::chrono_literals;

constexpr auto kLooksUp = 50ms;

}  // namespace

std::unique_ptr<OpenedLine> connect_to(const std::string& host,
                                       std::uint16_t port,
                                       const EntranceOptions& options,
                                       const std::function<bool()>& stopped) {
  asio::io_context io(1);
  const auto cannot = [&](const std::string& why) {
    return NotReached(fmt::format("can't connect to {}:{}: {}", host, port, why));
  };
  boost::system::error_code error;
  const auto address = asio::ip::make_address(host, error);
  if (error) throw cannot(error.message());
  const auto give_up = std::chrono::steady_clock::now() + options.time;
  /// False if it is to stop.
  const auto wait_until = [&](auto&& there) {
    while (!there()) {
      if (stopped()) return false;
      io.restart();
      io.run_one_for(kLooksUp);
    }
    return true;
  };

  tcp::socket socket(io);
  std::optional<boost::system::error_code> connected;
  socket.async_connect({address, port}, [&](const auto& result) { connected = result; });
  const bool goes_on = wait_until(
      [&] { return connected.has_value() || std::chrono::steady_clock::now() >= give_up; });
  if (!goes_on) return nullptr;
  if (!connected) throw cannot("it doesn't answer");
  if (*connected) throw cannot(connected->message());
  fcntl(socket.native_handle(), F_SETFD, FD_CLOEXEC);

  std::optional<Admission> admission;
  const auto entrance = std::make_shared<Entrance>(std::move(socket), options);
  entrance->start([&](Admission made) { admission = std::move(made); });
  if (!wait_until([&] { return admission.has_value(); })) {
    entrance->close();
    return nullptr;
  }
  if (admission->line) return std::move(admission->line);
  if (!admission->problem.empty() && entrance->progress() > (options.tls != nullptr ? 2 : 0))
    throw OutsideFailure("refused: " + admission->problem);
  throw cannot(fmt::format(
      "whoever listens there {}: both must be Posse with the same version, with TLS on both sides "
      "or "
      "on neither, and with certificates of the same authority",
      admission->problem.empty() ? "hung up"
                                 : fmt::format("can't be trusted ({})", admission->problem)));
}

}  // namespace posse
