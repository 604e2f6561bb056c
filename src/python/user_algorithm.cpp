// SPDX-License-Identifier: Apache-2.0
#include "python/user_algorithm.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "actors/common/common_measurements.hpp"
#include "actors/common/gathering_server.hpp"
#include "actors/common/star.hpp"
#include "core/base/interruption.hpp"
#include "core/base/named.hpp"
#include "core/base/outside_failure.hpp"
#include "core/role/dynamic_message.hpp"
#include "core/role/outcome.hpp"
#include "core/role/protocol.hpp"
#include "program/base/quantities.hpp"
#include "program/scenario/catalog.hpp"
#include "python/held.hpp"
#include "python/messages.hpp"
#include "python/user_node.hpp"
#include "python/values.hpp"

namespace posse::python {
namespace py = pybind11;
namespace {

/// Which class of C++ hosts a role: one that leaves everything to Python, or the server and the
/// clients of rounds.
enum class Host { role, server, client };

struct RoleClass {
  py::object python;
  Host host = Host::role;
};

/// An algorithm as Python defines it. Lives for good: scenarios point to its specification.
struct Definition {
  std::deque<std::string> texts;  // what the specification's views point to
  AlgorithmSpec spec;
  std::unique_ptr<MessageClasses> messages;
  RoleClass server, client;  // client: also the players of a full mesh
  py::object forecast, measurements;
  const DynamicMessageType* answer = nullptr;  // if the server is one of rounds
  bool clients_can_lose_state = false;
  std::string why_timers_decide_early;
  bool order_matters = true;

  std::string_view keep(std::string text) { return texts.emplace_back(std::move(text)); }
};

/// Calls Python; what it raises fails the run. `what`: "its on_request".
template <class Call>
void call_python(const std::string& what, Call call) {
  const py::gil_scoped_acquire lock;
  try {
    call();
  } catch (const py::error_already_set& problem) {
    throw OutsideFailure(fmt::format("{} raised {}", what, problem.what()));
  } catch (const py::cast_error& problem) {
    throw OutsideFailure(fmt::format("{} returned something else: {}", what, problem.what()));
  } catch (const py::builtin_exception& problem) {
    throw OutsideFailure(fmt::format("{}: {}", what, problem.what()));
  }
}

/// A role in Python with its node.
class UserRole {
 public:
  UserRole(const py::object& role_class, std::shared_ptr<UserNode> node)
      : node_(std::move(node)), role_(role_class.attr("__new__")(role_class)) {
    role_->attr("_node") = node_;
    role_->attr("__init__")();
    says_what_it_waits_for_ =
        py::hasattr(role_class, "_waits") && py::cast<bool>(role_class.attr("_waits")());
  }

  UserNode& node() { return *node_; }

  template <class Call>
  void react(Reaction& reaction, const char* method, Call call) {
    check_interruption();
    try {
      call_python(fmt::format("its {}", method), [&] {
        const UserNode::Turn turn(*node_, reaction);
        call(role_->attr(method));
      });
    } catch (...) {
      if (node_->failure()) std::rethrow_exception(node_->failure());
      throw;
    }
    if (node_->failure()) std::rethrow_exception(node_->failure());
  }
  /// What its `waiting` returns. What that raises is the answer, too: the run is over.
  std::optional<Waiting> waiting(const UserSetup& setup) const {
    if (!says_what_it_waits_for_) return std::nullopt;
    using Given = std::tuple<std::string, py::object, std::uint32_t, std::vector<std::uint32_t>>;
    std::optional<Waiting> waiting;
    try {
      call_python("its waiting", [&] {
        const py::object given = role_->attr("_waiting")();
        if (given.is_none()) return;
        auto [text, message, round, nodes] = py::cast<Given>(given);
        waiting.emplace(Waiting{std::move(text), {}, Round{round}, {}});
        if (!message.is_none())
          if (const auto* type = setup.messages->type_of(message))
            waiting->message_type = type->name;
        for (const std::uint32_t node : nodes) {
          if (node >= setup.nodes())
            throw py::value_error(fmt::format("there is no node {}", node));
          waiting->from.push_back(NodeId{node});
        }
      });
    } catch (const OutsideFailure& failure) {
      waiting.emplace(Waiting{fmt::format("something, but {}", failure.what()), {}, {}, {}});
    }
    return waiting;
  }
  template <class... Arguments>
  void react_to(Reaction& reaction, const char* method, const Arguments&... arguments) {
    react(reaction, method, [&](const py::object& call) { call(arguments...); });
  }

 private:
  std::shared_ptr<UserNode> node_;
  Held role_;
  bool says_what_it_waits_for_ = false;
};

class FreeRole final : public Role {
 public:
  FreeRole(const UserSetup& setup, UserRole user) : setup_(&setup), user_(std::move(user)) {}

  void on_start(Reaction& reaction) override { user_.react_to(reaction, "on_start"); }
  void on_message(const Message& message, Reaction& reaction) override {
    user_.react(reaction, "on_message", [&](const py::object& call) {
      call(setup_->messages->message_of(message.payload), message.from.value, message.round.value);
    });
  }
  void on_timer(TimerId timer, Reaction& reaction) override {
    user_.react_to(reaction, "on_timer", timer.value);
  }
  void on_restart(Reaction& reaction) override { user_.react_to(reaction, "on_restart"); }
  std::optional<Waiting> waiting() const override { return user_.waiting(*setup_); }

 private:
  const UserSetup* setup_;
  UserRole user_;
};

class RoundsServer;

/// The node of a server that works in rounds.
class ServerNode final : public UserNode {
 public:
  using UserNode::UserNode;
  void serve(RoundsServer& server) { server_ = &server; }
  void ask(py::handle request, std::uint64_t pulls);
  void finish() override;
  using UserNode::broadcast_payload;
  using UserNode::reaction;
  using UserNode::setup;
  using UserNode::working;

 private:
  RoundsServer* server_ = nullptr;
};

class RoundsServer final : public GatheringServer<DynamicMessage> {
 public:
  RoundsServer(const UserSetup& setup,
               const DynamicMessageType& answer,
               ServerNode& node,
               UserRole user)
      : GatheringServer(setup.clients, setup.policy, "round", answer),
        setup_(&setup),
        user_(std::move(user)) {
    node.serve(*this);
  }

  void on_start(Reaction& reaction) override { user_.react_to(reaction, "on_start"); }

  void ask(ServerNode& node, Payload request, std::uint64_t pulls) {
    if (state_ == State::asked)
      throw std::runtime_error("the server has asked already: on_answers comes first");
    Reaction& reaction = node.working();
    if (pulls > node.budget())
      throw py::value_error(fmt::format("pulls is {}, the budget is {}", pulls, node.budget()));
    end_round(reaction);
    const Round asked = next_round();
    reaction.observe(RoundBegan{asked});
    node.broadcast_payload(std::move(request), asked);
    pulls_ = pulls;
    steps_ += pulls;
    open(asked, reaction);
    state_ = State::asked;
  }
  /// The round of the answers that Python has got, if it isn't ended yet.
  void end_round(Reaction& reaction) {
    if (state_ != State::answered) return;
    state_ = State::idle;
    RoundEnded ended;
    ended.pulls_per_cell = pulls_;
    ended.steps = steps_;
    close(std::move(ended), reaction);
  }

 private:
  enum class State { idle, asked, answered };

  void on_uploads(Reaction& reaction) override {
    state_ = State::answered;
    user_.react(reaction, "on_answers", [&](const py::object& call) {
      py::dict answers;
      for (std::size_t client = 0; client < uploads().size(); ++client) {
        if (!uploads()[client]) continue;
        answers[py::int_(client)] = setup_->messages->message_of(uploads()[client]);
        uploads()[client] = {};
      }
      call(answers);
      end_round(reaction);
    });
  }

  const UserSetup* setup_;
  UserRole user_;
  State state_ = State::idle;
  std::uint64_t pulls_ = 0, steps_ = 0;
};

void ServerNode::ask(py::handle request, std::uint64_t pulls) {
  working();
  server_->ask(*this, setup().messages->payload_of(request), pulls);
}

void ServerNode::finish() {
  server_->end_round(reaction());
  UserNode::finish();
}

class RoundsClient final : public Role {
 public:
  RoundsClient(const UserSetup& setup, UserRole user) : setup_(&setup), user_(std::move(user)) {}

  void on_start(Reaction& reaction) override { user_.react_to(reaction, "on_start"); }
  void on_restart(Reaction& reaction) override { user_.react_to(reaction, "on_restart"); }
  void on_message(const Message& message, Reaction& reaction) override {
    const Sight sight = seen_.see(message.round);
    if (sight == Sight::overtaken) reaction.observe(StaleObserved{message.round, message.from});
    UserNode& node = user_.node();
    if (sight != Sight::newest || node.finished()) return;
    user_.react(reaction, "on_request", [&](const py::object& call) {
      const py::object answer = call(setup_->messages->message_of(message.payload));
      if (!answer.is_none() &&
          setup_->messages->type_of(py::type::handle_of(answer)) != setup_->answer)
        throw py::type_error(fmt::format(
            "{} is returned, but the server's answer is {}", shown(answer), setup_->answer->name));
      if (!answer.is_none()) node.send(kServer.value, answer, message.round.value);
      if (node.left() == 0) node.finish();
    });
  }

 private:
  const UserSetup* setup_;
  UserRole user_;
  RoundsSeen seen_;
};

class UserProtocol final : public Protocol {
 public:
  UserProtocol(const Definition& definition, UserSetup setup)
      : definition_(&definition), setup_(std::move(setup)) {}

  std::vector<NodeGroup> groups() const override {
    if (setup_.topology == Topology::full_mesh) return {{"player", setup_.clients, true}};
    return {{"server", 1, false}, {"client", setup_.clients, true}};
  }
  std::unique_ptr<Role> make_role(NodeId node) const override { return make(node, 0); }
  bool can_lose_state(NodeId node) const override {
    return definition_->clients_can_lose_state &&
           (setup_.topology != Topology::star || node != kServer);
  }
  std::unique_ptr<Role> make_role_anew(NodeId node, std::uint64_t evaluations) const override {
    return make(node, evaluations);
  }
  std::string_view why_order_matters(NodeId node) const override {
    if (!definition_->order_matters) return {};
    return definition_->server.host != Host::server ? "its roles do not say that it does not"
           : node == kServer                        ? posse::why_order_matters(setup_.policy)
                                                    : std::string_view{};
  }
  std::string_view why_timers_decide_early() const override {
    return definition_->why_timers_decide_early;
  }
  std::vector<Measurement> measurements(const RunOutcome& outcome) const override {
    std::vector<Measurement> all;
    all.push_back({"rounds", "", static_cast<double>(outcome.complete_rounds), {}});
    all.push_back({"messages", "", static_cast<double>(messages_of(outcome)), {}});
    add_regrets(*setup_.problem, outcome, std::nullopt, all);
    add_own_measurements(outcome, all);
    return all;
  }
  Forecast forecast() const override {
    constexpr double kUnknown = std::numeric_limits<double>::infinity();
    const auto budget = static_cast<double>(setup_.problem->budget());
    Forecast forecast{.evaluations = budget * setup_.clients,
                      .rounds = kUnknown,
                      .messages = kUnknown,
                      .bytes = kUnknown};
    if (definition_->forecast.is_none()) return forecast;
    call_python("forecast", [&] {
      const auto given = py::cast<std::array<double, 4>>(definition_->forecast(
          dict_of(setup_.parameters), setup_.clients, setup_.problem->budget()));
      forecast = {given[0], given[1], given[2], given[3]};
    });
    return forecast;
  }

 private:
  std::unique_ptr<Role> make(NodeId id, std::uint64_t made) const {
    const bool serves = setup_.topology == Topology::star && id == kServer;
    const RoleClass& role = serves ? definition_->server : definition_->client;
    std::unique_ptr<Role> made_role;
    call_python(fmt::format("the constructor of {}", serves ? "the server" : "a client"), [&] {
      if (role.host == Host::server) {
        auto node = std::make_shared<ServerNode>(setup_, id, made);
        made_role = std::make_unique<RoundsServer>(
            setup_, *definition_->answer, *node, UserRole(role.python, node));
        return;
      }
      UserRole user(role.python, std::make_shared<UserNode>(setup_, id, made));
      if (role.host == Host::client)
        made_role = std::make_unique<RoundsClient>(setup_, std::move(user));
      else
        made_role = std::make_unique<FreeRole>(setup_, std::move(user));
    });
    return made_role;
  }

  static std::uint64_t messages_of(const RunOutcome& outcome) {
    return outcome.total(&TypeAccount::sent) - outcome.total(&TypeAccount::sent, kAcknowledgement);
  }

  /// Results have a column of each name.
  static void check_new_name(const std::string& name, const std::vector<Measurement>& all) {
    if (is_name_in_results(name) || std::ranges::find(all, name, &Measurement::name) != all.end())
      throw py::value_error(fmt::format("results have a measurement named '{}' already", name));
  }

  void add_own_measurements(const RunOutcome& outcome, std::vector<Measurement>& all) const {
    if (definition_->measurements.is_none()) return;
    call_python("measurements", [&] {
      using namespace py::literals;
      const py::dict seen("status"_a = std::string(to_string(outcome.status)),
                          "rounds"_a = outcome.complete_rounds,
                          "messages"_a = messages_of(outcome),
                          "values"_a = outcome.total(&TypeAccount::values),
                          "bytes"_a = outcome.total(&TypeAccount::bytes),
                          "evaluations"_a = outcome.regret.evaluations,
                          "cumulative_regret"_a = outcome.regret.cumulative,
                          "simple_regret"_a = outcome.regret.simple,
                          "recommendation"_a = outcome.regret.recommendation,
                          "counts"_a = py::cast(std::map<std::string, std::uint64_t>(
                              outcome.counts.begin(), outcome.counts.end())),
                          "estimates"_a = py::cast(std::map<std::string, double>(
                              outcome.estimates.begin(), outcome.estimates.end())),
                          "virtual_s"_a = outcome.finished_at.to_seconds(),
                          "lossless"_a = outcome.lossless);
      const py::object own =
          definition_->measurements(seen, dict_of(setup_.parameters), setup_.clients);
      // Checked in Python: name, unit, value, bound or None, always, is_lower, note.
      using Given = std::
          tuple<std::string, std::string, double, std::optional<double>, bool, bool, std::string>;
      for (const auto& [name, unit, value, bound, always, is_lower, note] :
           py::cast<std::vector<Given>>(own)) {
        check_new_name(name, all);
        Measurement measurement{name, unit, value, {}};
        if (bound)
          measurement.bound =
              Bound{.value = *bound,
                    .kind = BoundKind::derived,
                    .strength = always ? BoundStrength::always : BoundStrength::with_probability,
                    .is_lower = is_lower,
                    .note = note};
        all.push_back(std::move(measurement));
      }
    });
  }

  const Definition* definition_;
  const UserSetup setup_;
};

ParameterSpec parameter_of(Definition& definition, const py::dict& given) {
  const auto text = [&](const char* key) { return definition.keep(text_of(given[key], key)); };
  ParameterSpec spec{.name = text("name"), .help = text("help"), .unit = text("unit")};
  const auto value = given["default"];
  if (py::isinstance<py::bool_>(value)) {
    spec.type = ParameterType::boolean;
    spec.default_value = py::cast<bool>(value);
  } else if (py::isinstance<py::int_>(value)) {
    spec.type = ParameterType::integer;
    spec.default_value = py::cast<std::int64_t>(value);
  } else if (py::isinstance<py::float_>(value)) {
    spec.default_value = py::cast<double>(value);
  } else if (py::isinstance<py::str>(value)) {
    spec.type = ParameterType::text;
    spec.default_value = text_of(value, "the default");
  } else {
    spec.type = ParameterType::numbers;
    spec.default_value = py::cast<std::vector<double>>(value);
  }
  if (!given["min"].is_none()) spec.min = py::cast<double>(given["min"]);
  if (!given["max"].is_none()) spec.max = py::cast<double>(given["max"]);
  for (const auto choice : given["choices"])
    spec.choices.push_back(definition.keep(text_of(choice, "a choice")));
  return spec;
}

/// Checked in Python: name, unit, meaning, better.
OwnMeasure measure_of(Definition& definition, const py::handle& given) {
  const auto [name, unit, meaning, better] =
      py::cast<std::tuple<std::string, std::string, std::string, std::string>>(given);
  constexpr std::array kAll{Better::less, Better::more, Better::neither};
  return {.name = definition.keep(name),
          .unit = definition.keep(unit),
          .meaning = definition.keep(meaning),
          .better = named(kAll, better).value_or(Better::neither)};
}

RoleClass role_of(const py::dict& given, const char* key) {
  const auto host = py::cast<std::string>(given[fmt::format("{}_host", key).c_str()]);
  return {given[key],
          host == "server" ? Host::server : (host == "client" ? Host::client : Host::role)};
}

/// The latest algorithm of each kind, for good: scenarios that were read point to specifications.
std::map<std::string, const AlgorithmSpec*, std::less<>>& algorithms_in_python() {
  static auto* const all = new std::map<std::string, const AlgorithmSpec*, std::less<>>;
  return *all;
}

/// Adds an algorithm to the catalogue, or puts it in the place of an earlier one of Python with its
/// name. Raises ValueError if its name or that of a message is taken.
void add(const py::dict& given) {
  auto& latest = algorithms_in_python();
  auto definition = std::make_unique<Definition>();
  Definition& d = *definition;
  const auto kind = text_of(given["kind"], "kind");
  d.spec.kind = d.keep(kind);
  d.spec.summary = d.keep(text_of(given["summary"], "summary"));
  d.spec.source = d.keep(text_of(given["source"], "source"));
  for (const auto parameter : given["parameters"])
    d.spec.parameters.push_back(parameter_of(d, py::reinterpret_borrow<py::dict>(parameter)));
  std::vector<std::pair<const DynamicMessageType*, py::object>> messages;
  for (const auto message : given["messages"])
    messages.emplace_back(&py::cast<const DynamicMessageType&>(message.attr("_type")),
                          py::reinterpret_borrow<py::object>(message));
  d.messages = std::make_unique<MessageClasses>(std::move(messages));
  d.spec.messages = d.messages->types();
  d.client = role_of(given, "client");
  d.server = role_of(given, "server");
  d.spec.topology = d.server.python.is_none() ? Topology::full_mesh : Topology::star;
  if (d.server.host == Host::server) {
    d.spec.uses_policy = true;
    d.answer = d.messages->type_of(d.server.python.attr("answer"));
    if (d.answer == nullptr)
      throw py::value_error("the server's `answer` is not one of the algorithm's `messages`");
  }
  d.clients_can_lose_state = py::cast<bool>(given["clients_can_lose_state"]);
  if (d.clients_can_lose_state)
    d.spec.state_loss = "a client that lost its state begins anew with on_restart";
  d.why_timers_decide_early = text_of(given["why_timers_decide_early"], "why_timers_decide_early");
  d.order_matters = py::cast<bool>(given["order_matters"]);
  d.forecast = given["forecast"];
  d.measurements = given["measurements"];
  for (const auto measure : given["measures"]) d.spec.measures.push_back(measure_of(d, measure));
  d.spec.make = [&d](const Parameters& parameters, const ProtocolContext& context) {
    return std::make_unique<UserProtocol>(d,
                                          UserSetup{.messages = d.messages.get(),
                                                    .problem = context.problem,
                                                    .parameters = parameters,
                                                    .topology = d.spec.topology,
                                                    .answer = d.answer,
                                                    .clients = context.clients,
                                                    .policy = context.policy,
                                                    .seed = context.seed});
  };
  const auto earlier = latest.find(kind);
  add_algorithm(d.spec, earlier == latest.end() ? nullptr : earlier->second);
  latest[kind] = &definition.release()->spec;
}

}  // namespace

bool made_in_python(const SweepPlan& plan) {
  const Scenario scenario = plan.scenario(0);  // what is swept has a name, and no function has one
  if (scenario.problem && scenario.problem->objective.kind == "python") return true;
  return std::any_of(scenario.algorithms.begin(), scenario.algorithms.end(), [](const auto& entry) {
    return algorithms_in_python().contains(entry.spec->kind);
  });
}

void bind_algorithms(py::module_& m) {
  py::class_<DynamicMessageType, std::unique_ptr<DynamicMessageType, py::nodelete>>(m,
                                                                                    "MessageType")
      .def(py::init([](const Text& name,
                       const std::vector<std::pair<std::string, std::string>>& fields) {
             return std::unique_ptr<DynamicMessageType, py::nodelete>(
                 const_cast<DynamicMessageType*>(&message_type(name, fields)));
           }),
           py::arg("name"),
           py::arg("fields"));
  py::class_<UserNode, std::shared_ptr<UserNode>>(m, "Node")
      .def_property_readonly("number", [](const UserNode& node) { return node.id().value; })
      .def_property_readonly("name", &UserNode::name)
      .def_property_readonly("client", &UserNode::client)
      .def_property_readonly("clients", &UserNode::clients)
      .def_property_readonly("budget", &UserNode::budget)
      .def_property_readonly("domain", [](const UserNode& node) { return list_of(node.domain()); })
      .def_property_readonly("parameters", &UserNode::parameters)
      .def_property_readonly("now", &UserNode::now)
      .def_property_readonly("left", &UserNode::left)
      .def("send", &UserNode::send, py::arg("to"), py::arg("message"), py::arg("round"))
      .def("broadcast", &UserNode::broadcast, py::arg("message"), py::arg("round"))
      .def("pull", &UserNode::pull, py::arg("points"), py::arg("count"))
      .def("recommend", &UserNode::recommend, py::arg("point"), py::arg("own"))
      .def("begin_round", &UserNode::begin_round, py::arg("round"))
      .def("end_round",
           &UserNode::end_round,
           py::arg("round"),
           py::arg("steps"),
           py::arg("arrived"),
           py::arg("expected"))
      .def("set_timer",
           &UserNode::set_timer,
           py::arg("timer"),
           py::arg("after_s"),
           py::arg("from_now"))
      .def("resume_timers", &UserNode::resume_timers)
      .def("cancel_timer", &UserNode::cancel_timer, py::arg("timer"))
      .def("work", &UserNode::work, py::arg("seconds"))
      .def("count", &UserNode::count, py::arg("quantity"), py::arg("value"))
      .def("estimate", &UserNode::estimate, py::arg("quantity"), py::arg("value"))
      .def("finish", &UserNode::finish)
      .def("uniform", &UserNode::uniform)
      .def("normal", &UserNode::normal);
  py::class_<ServerNode, UserNode, std::shared_ptr<ServerNode>>(m, "ServerNode")
      .def("ask", &ServerNode::ask, py::arg("request"), py::arg("pulls"));
  m.def("add_algorithm", &add, py::arg("definition"));
}

}  // namespace posse::python
