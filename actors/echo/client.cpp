// SPDX-License-Identifier: Apache-2.0
#include "actors/echo/client.hpp"

#include <fmt/format.h>

#include "actors/common/star.hpp"
#include "actors/echo/messages.hpp"

namespace posse {

void EchoClient::on_message(const Message& message, Reaction& reaction) {
  if (message.get<EchoRequest>() == nullptr) return;
  const Sight sight = seen_.see(message.round);
  if (sight == Sight::overtaken) reaction.observe(StaleObserved{message.round, message.from});
  if (sight != Sight::newest) return;
  if (setup_->work > Duration{}) reaction.work(setup_->work);
  reaction.send_payload(kServer, 1, message.round, setup_->reply);
  if (message.round.value == setup_->rounds) reaction.finish();
}

std::optional<Waiting> EchoClient::waiting() const {
  if (setup_->policy.kind != PolicyKind::all || seen_.newest().value >= setup_->rounds)
    return std::nullopt;
  const Round next{seen_.newest().value + 1};
  return Waiting{
      fmt::format("EchoRequest of round {}", next.value), EchoRequest::kName, next, {kServer}};
}

}  // namespace posse
