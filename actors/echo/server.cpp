#include "actors/echo/server.hpp"

#include <fmt/format.h>

#include <utility>

#include "actors/common/star.hpp"
#include "actors/echo/messages.hpp"

namespace posse {

EchoServer::EchoServer(const EchoSetup& setup)
    : setup_(&setup), gather_(kFirstClient, setup.clients, setup.policy) {}

void EchoServer::on_message(const Message& message, Reaction& reaction) {
  if (message.get<EchoReply>() == nullptr) return;
  if (gather_.take(message, reaction) == Answer::used) close_if_ready(reaction);
}

void EchoServer::on_timer(TimerId timer, Reaction& reaction) {
  if (gather_.on_timer(timer)) close_if_ready(reaction);
}

std::optional<Waiting> EchoServer::waiting() const {
  if (!gather_.is_open()) return std::nullopt;
  return Waiting{fmt::format("EchoReply of round {}", gather_.round().value),
                 EchoReply::kName,
                 gather_.round(),
                 gather_.missing()};
}

void EchoServer::ask(Reaction& reaction) {
  const Round round{gather_.round().value + 1};
  reaction.observe(RoundBegan{round});
  reaction.send_payload(kFirstClient, setup_->clients, round, setup_->request);
  gather_.open(round, reaction);
}

void EchoServer::close_if_ready(Reaction& reaction) {
  if (!gather_.ready()) return;
  RoundEnded ended;
  ended.round = gather_.round();
  gather_.close(reaction, ended);
  reaction.observe(std::move(ended));
  if (gather_.round().value < setup_->rounds)
    ask(reaction);
  else
    reaction.finish();
}

}  // namespace posse
