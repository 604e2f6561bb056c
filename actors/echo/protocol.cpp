#include "actors/echo/protocol.hpp"

#include <memory>
#include <utility>

#include "actors/common/star.hpp"
#include "core/exchange/gather.hpp"
#include "core/role/outcome.hpp"

namespace posse {
namespace {

constexpr double kSmallestMessage = 4;  // a filler's count
constexpr double kLargestMessage = 1 << 30;

Filler filler_of(std::int64_t message_bytes) {
  return {static_cast<std::uint32_t>(message_bytes) - 4};
}

/// What all nodes share.
struct Shared {
  std::uint32_t clients = 1;
  std::uint32_t rounds = 1;
  Duration work{};
  Policy policy;
  Payload request;
  Payload reply;
};

class EchoServer final : public Role {
 public:
  explicit EchoServer(const Shared& shared)
      : shared_(&shared), gather_(kFirstClient, shared.clients, shared.policy) {}

  void on_start(Reaction& reaction) override { ask(reaction); }

  void on_message(const Message& message, Reaction& reaction) override {
    if (message.get<EchoReply>() == nullptr) return;
    if (gather_.take(message, reaction) == Answer::used) close_if_ready(reaction);
  }

  void on_timer(TimerId timer, Reaction& reaction) override {
    if (gather_.on_timer(timer)) close_if_ready(reaction);
  }

  std::optional<Waiting> waiting() const override {
    if (!gather_.is_open()) return std::nullopt;
    return Waiting{fmt::format("EchoReply of round {}", gather_.round().value),
                   EchoReply::kName,
                   gather_.round(),
                   gather_.missing()};
  }

 private:
  void ask(Reaction& reaction) {
    const Round round{gather_.round().value + 1};
    reaction.observe(RoundBegan{round});
    reaction.send_payload(kFirstClient, shared_->clients, round, shared_->request);
    gather_.open(round, reaction);
  }

  void close_if_ready(Reaction& reaction) {
    if (!gather_.ready()) return;
    RoundEnded ended;
    ended.round = gather_.round();
    gather_.close(reaction, ended);
    reaction.observe(std::move(ended));
    if (gather_.round().value < shared_->rounds)
      ask(reaction);
    else
      reaction.finish();
  }

  const Shared* shared_;
  Gather gather_;
};

class EchoClient final : public Role {
 public:
  explicit EchoClient(const Shared& shared) : shared_(&shared) {}

  void on_message(const Message& message, Reaction& reaction) override {
    if (message.get<EchoRequest>() == nullptr) return;
    const Sight sight = seen_.see(message.round);
    if (sight == Sight::overtaken) reaction.observe(StaleObserved{message.round, message.from});
    if (sight != Sight::newest) return;
    if (shared_->work > Duration{}) reaction.work(shared_->work);
    reaction.send_payload(kServer, 1, message.round, shared_->reply);
    if (message.round.value == shared_->rounds) reaction.finish();
  }

  std::optional<Waiting> waiting() const override {
    if (shared_->policy.kind != PolicyKind::all || seen_.newest().value >= shared_->rounds)
      return std::nullopt;
    const Round next{seen_.newest().value + 1};
    return Waiting{
        fmt::format("EchoRequest of round {}", next.value), EchoRequest::kName, next, {kServer}};
  }

 private:
  const Shared* shared_;
  RoundsSeen seen_;
};

class Echo final : public Protocol {
 public:
  Echo(const Parameters& parameters, const ProtocolContext& context) {
    shared_.clients = context.clients;
    shared_.rounds = static_cast<std::uint32_t>(parameters.integer("rounds"));
    shared_.work = parameters.duration("work");
    shared_.policy = context.policy;
    shared_.request = Payload::make(EchoRequest{filler_of(parameters.integer("request_bytes"))});
    shared_.reply = Payload::make(EchoReply{filler_of(parameters.integer("reply_bytes"))});
  }

  std::vector<NodeGroup> groups() const override {
    return {{"server", 1, false}, {"client", shared_.clients, true}};
  }

  std::unique_ptr<Role> make_role(NodeId node) const override {
    if (node == kServer) return std::make_unique<EchoServer>(shared_);
    return std::make_unique<EchoClient>(shared_);
  }

  std::vector<Measurement> measurements(const RunOutcome& outcome) const override {
    // What is sent follows from the rounds alone, so the ceilings hold on any network.
    const Forecast ceiling = forecast();
    const auto messages = outcome.total(&TypeAccount::sent, EchoRequest::kName) +
                          outcome.total(&TypeAccount::sent, EchoReply::kName);
    const auto bytes = outcome.total(&TypeAccount::bytes, EchoRequest::kName) +
                       outcome.total(&TypeAccount::bytes, EchoReply::kName) -
                       outcome.header_bytes * messages;
    const auto always = [](double value, std::string note) {
      return Bound{value, BoundKind::exact, BoundStrength::always, false, std::move(note)};
    };
    return {
        {"rounds",
         "",
         static_cast<double>(outcome.rounds.size()),
         always(ceiling.rounds, "the rounds asked for")},
        {"messages",
         "",
         static_cast<double>(messages),
         always(ceiling.messages, "2 M rounds; equal when nothing is lost")},
        {"payload",
         "bytes",
         static_cast<double>(bytes),
         always(ceiling.bytes, "M rounds (request + reply); equal when nothing is lost")},
    };
  }

  Forecast forecast() const override {
    const double exchanges = double{1} * shared_.clients * shared_.rounds;
    Forecast forecast;
    forecast.rounds = shared_.rounds;
    forecast.messages = 2 * exchanges;
    forecast.bytes =
        exchanges * static_cast<double>(shared_.request.size_bytes() + shared_.reply.size_bytes());
    return forecast;
  }

 private:
  Shared shared_;
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
      .summary = "a server asks, every client answers: measures the network and the simulator",
      .source = "Posse's own; no paper",
      .parameters = {{.name = "rounds",
                      .type = ParameterType::integer,
                      .default_value = std::int64_t{10},
                      .help = "requests to every client, one after the other",
                      .min = 1,
                      .max = 10'000'000},
                     message_bytes("request_bytes", "payload of a request"),
                     message_bytes("reply_bytes", "payload of a reply"),
                     {.name = "work",
                      .type = ParameterType::duration,
                      .default_value = Duration{},
                      .help = "time a client works before it answers",
                      .unit = "s",
                      .min = 0}},
      .topology = Topology::star,
      .needs_problem = false,
      .uses_policy = true,
      .messages = {&kMessageType<EchoRequest>, &kMessageType<EchoReply>},
      .make = [](const Parameters& parameters, const ProtocolContext& context)
          -> std::unique_ptr<Protocol> { return std::make_unique<Echo>(parameters, context); },
      .validate = nullptr};
  return spec;
}

}  // namespace posse
