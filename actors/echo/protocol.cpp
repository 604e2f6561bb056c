// SPDX-License-Identifier: Apache-2.0
#include "actors/echo/protocol.hpp"

#include <memory>
#include <utility>

#include "actors/common/bound_conditions.hpp"
#include "actors/common/common_measurements.hpp"
#include "actors/common/star.hpp"
#include "actors/echo/client.hpp"
#include "actors/echo/messages.hpp"
#include "actors/echo/server.hpp"
#include "core/role/outcome.hpp"

namespace posse {
namespace {

constexpr double kSmallestMessage = 4;  // the 4-byte count of a filler
constexpr double kLargestMessage = 1 << 30;

Filler filler_of(std::int64_t message_bytes) {
  return {static_cast<std::uint32_t>(message_bytes) - 4};
}

class Echo final : public Protocol {
 public:
  Echo(const Parameters& parameters, const ProtocolContext& context) {
    setup_.clients = context.clients;
    setup_.rounds = static_cast<std::uint32_t>(parameters.integer("rounds"));
    setup_.work = parameters.duration("work");
    setup_.policy = context.policy;
    setup_.request = Payload::make(EchoRequest{filler_of(parameters.integer("request_bytes"))});
    setup_.reply = Payload::make(EchoReply{filler_of(parameters.integer("reply_bytes"))});
  }

  std::vector<NodeGroup> groups() const override {
    return {{"server", 1, false}, {"client", setup_.clients, true}};
  }

  std::unique_ptr<Role> make_role(NodeId node) const override {
    if (node == kServer) return std::make_unique<EchoServer>(setup_);
    return std::make_unique<EchoClient>(setup_);
  }
  bool can_lose_state(NodeId node) const override { return node != kServer; }
  std::unique_ptr<Role> make_role_anew(NodeId node, std::uint64_t) const override {
    return make_role(node);
  }

  std::string_view why_order_matters(NodeId node) const override {
    return node == kServer ? posse::why_order_matters(setup_.policy) : std::string_view{};
  }
  bool waits_for_all() const override { return setup_.policy.kind == PolicyKind::all; }

  std::vector<Measurement> measurements(const RunOutcome& outcome) const override {
    // The number of rounds alone decides what is sent, so the ceilings hold on any network.
    const Forecast ceiling = forecast();
    const auto messages = outcome.total(&TypeAccount::sent, EchoRequest::kName) +
                          outcome.total(&TypeAccount::sent, EchoReply::kName);
    const auto bytes =
        payload_bytes(outcome, EchoRequest::kName) + payload_bytes(outcome, EchoReply::kName);
    const auto always = [&](double value, std::string note) {
      Bound bound{value, BoundKind::exact, BoundStrength::always, false, std::move(note)};
      if (may_answer_twice(outcome))
        does_not_apply(bound, "a client that lost its state answers a copy of a request again");
      return bound;
    };
    return {
        rounds_within(outcome, always(ceiling.rounds, "the parameter `rounds`")),
        {"messages",
         "",
         static_cast<double>(messages),
         always(ceiling.messages, "2 M rounds; equality if nothing is lost")},
        {"payload",
         "bytes",
         static_cast<double>(bytes),
         always(ceiling.bytes, "M rounds (request + reply); equality if nothing is lost")},
    };
  }

  Forecast forecast() const override {
    const double exchanges = double{1} * setup_.clients * setup_.rounds;
    Forecast forecast;
    forecast.rounds = setup_.rounds;
    forecast.messages = 2 * exchanges;
    forecast.bytes =
        exchanges * static_cast<double>(setup_.request.size_bytes() + setup_.reply.size_bytes());
    return forecast;
  }

 private:
  EchoSetup setup_;
};

ParameterSpec message_bytes(std::string_view name, std::string_view help) {
  return {.name = name,
          .type = ParameterType::size_bytes,
          .default_value = std::int64_t{128},
          .help = help,
          .unit = "bytes",
          .min = kSmallestMessage,
          .max = kLargestMessage};
}

}  // namespace

const AlgorithmSpec& echo_algorithm() {
  static const AlgorithmSpec spec{
      .kind = "echo",
      .summary =
          "a server sends requests, every client replies: measures the network and the simulator",
      .source = "Posse's own; no paper",
      .parameters = {{.name = "rounds",
                      .type = ParameterType::integer,
                      .default_value = std::int64_t{10},
                      .help = "number of rounds: one request to every client, then one reply",
                      .min = 1,
                      .max = 10'000'000},
                     message_bytes("request_bytes", "payload of a request"),
                     message_bytes("reply_bytes", "payload of a reply"),
                     {.name = "work",
                      .type = ParameterType::duration,
                      .default_value = Duration{},
                      .help = "time that a client works before it replies",
                      .unit = "s",
                      .min = 0}},
      .topology = Topology::star,
      .needs_problem = false,
      .uses_policy = true,
      .state_loss = "a client that lost its state answers the next request",
      .messages = {&kMessageType<EchoRequest>, &kMessageType<EchoReply>},
      .make = [](const Parameters& parameters, const ProtocolContext& context)
          -> std::unique_ptr<Protocol> { return std::make_unique<Echo>(parameters, context); }};
  return spec;
}

}  // namespace posse
