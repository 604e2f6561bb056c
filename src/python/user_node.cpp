// SPDX-License-Identifier: Apache-2.0
#include "python/user_node.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <cmath>
#include <mutex>
#include <set>

#include "actors/common/star.hpp"
#include "core/random/distributions.hpp"

namespace posse::python {
namespace py = pybind11;
namespace {

constexpr double kLongestSeconds = 1e9;
constexpr std::uint32_t kMostRounds = 1'000'000;  // there is a row for each

/// Names of quantities live for good.
std::string_view kept_name(const std::string& name) {
  static std::mutex mutex;
  static auto* const names = new std::set<std::string>;
  const std::lock_guard lock(mutex);
  return *names->insert(name).first;
}

Duration duration_of(double seconds, const char* what) {
  if (!(seconds >= 0) || seconds > kLongestSeconds)
    throw py::value_error(fmt::format("{} is {} s, allowed: 0 to 1e9", what, seconds));
  return Duration::seconds(seconds);
}

Round round_of(std::uint32_t round) {
  if (round < 1 || round > kMostRounds)
    throw py::value_error(fmt::format("round is {}, allowed: 1 to {}", round, kMostRounds));
  return Round{round};
}

std::optional<std::uint32_t> client_of(const UserSetup& setup, NodeId id) {
  if (setup.topology == Topology::full_mesh) return id.value;
  if (id == kServer) return std::nullopt;
  return id.value - kFirstClient.value;
}

std::string stream_name(const UserSetup& setup, NodeId id, std::uint64_t made) {
  const auto client = client_of(setup, id);
  const auto name = client ? evaluator_name(*client, "") : std::string("server");
  return made == 0 ? name : fmt::format("{}/after-{}", name, made);
}

}  // namespace

py::dict dict_of(const Parameters& parameters) {
  py::dict dict;
  for (const auto& [name, value] : parameters.all())
    dict[py::str(name)] = std::visit(
        []<class T>(const T& x) -> py::object {
          if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::int64_t> ||
                        std::is_same_v<T, double> || std::is_same_v<T, std::string> ||
                        std::is_same_v<T, std::vector<double>>)
            return py::cast(x);
          else
            return py::none();
        },
        value);
  return dict;
}

UserNode::UserNode(const UserSetup& setup, NodeId id, std::uint64_t made)
    : setup_(&setup),
      id_(id),
      client_(client_of(setup, id)),
      clients_(setup.clients),
      budget_(setup.problem->budget()),
      domain_(setup.problem->domain()),
      parameters_(setup.parameters),
      uniforms_(stream_key(setup.seed, "uniform", stream_name(setup, id, made))),
      normals_(stream_key(setup.seed, "normal", stream_name(setup, id, made))) {
  if (!client_) {
    name_ = "server";
    return;
  }
  name_ = fmt::format("{}-{}", setup.topology == Topology::star ? "client" : "player", *client_);
  rewards_.emplace(*setup.problem, *client_);
  rewards_->go_on_after(made);
}

Reaction& UserNode::reaction() const {
  if (reaction_ == nullptr || thread_ != std::this_thread::get_id())
    throw std::runtime_error(
        name_ + " can act only while one of its methods is called by the run, in that thread");
  return *reaction_;
}

Reaction& UserNode::working() const {
  Reaction& now = reaction();
  if (finished_) throw std::runtime_error(name_ + " has finished: it works and sends no more");
  return now;
}

py::dict UserNode::parameters() const { return dict_of(parameters_); }

std::uint64_t UserNode::left() const {
  reaction();
  return rewards_ ? budget_ - rewards_->pulls() : 0;
}

void UserNode::send(std::uint32_t to, py::handle message, std::uint32_t round) {
  Reaction& now = working();
  const bool linked = to < setup().nodes() && to != id_.value &&
                      (setup().topology == Topology::full_mesh || to == 0 || id_ == kServer);
  if (!linked) throw py::value_error(fmt::format("{} has no link to node {}", name_, to));
  now.send_payload(NodeId{to}, 1, round_of(round), setup().messages->payload_of(message));
}

void UserNode::broadcast(py::handle message, std::uint32_t round) {
  working();
  broadcast_payload(setup().messages->payload_of(message), round_of(round));
}

void UserNode::broadcast_payload(Payload payload, Round round) {
  Reaction& now = working();
  if (setup().topology == Topology::star && id_ != kServer) {
    now.send_payload(kServer, 1, round, std::move(payload));
    return;
  }
  const std::uint32_t after = id_.value + 1;
  if (id_.value > 0) now.send_payload(NodeId{0}, id_.value, round, payload);
  if (after < setup().nodes())
    now.send_payload(NodeId{after}, setup().nodes() - after, round, std::move(payload));
}

void UserNode::check_point(const std::vector<double>& point) const {
  bool inside = point.size() == domain_.dimension();
  for (std::size_t j = 0; inside && j < point.size(); ++j)
    inside = point[j] >= domain_.low[j] && point[j] <= domain_.high[j];
  if (!inside)
    throw py::value_error(
        fmt::format("({}) is not in the domain, a box of {} dimensions from ({}) to ({})",
                    fmt::join(point, ", "),
                    domain_.dimension(),
                    fmt::join(domain_.low, ", "),
                    fmt::join(domain_.high, ", ")));
}

std::vector<double> UserNode::pull(const std::vector<std::vector<double>>& points,
                                   std::uint64_t count) {
  Reaction& now = working();
  if (!rewards_) throw py::type_error("the server evaluates nothing; clients do");
  for (const auto& point : points) check_point(point);
  const std::uint64_t budget_left = left();
  if (count == 0 || points.empty()) return std::vector<double>(points.size(), 0.0);
  if (count > budget_left / points.size())
    throw py::value_error(fmt::format("{} makes {} evaluations of {} points with {} left of {}",
                                      name_,
                                      count,
                                      points.size(),
                                      budget_left,
                                      budget_));
  std::vector<double> sums;
  {
    // The objective may be one of Python, and other threads may work meanwhile.
    const py::gil_scoped_release others;
    try {
      if (points.size() > 1 && setup().problem->batched(*client_))
        setup().problem->prepare(*client_, points);
      for (const auto& point : points) sums.push_back(rewards_->pull(point, count));
    } catch (...) {
      failure_ = std::current_exception();
      throw;
    }
  }
  for (const auto& point : points) now.observe(PullsObserved{*client_, point, count});
  return sums;
}

void UserNode::recommend(std::vector<double> point, bool own) {
  check_point(point);
  if (own && !client_) throw py::type_error("the server has no objective of its own");
  reaction().observe(RecommendationObserved{std::move(point), own ? client_ : std::nullopt});
}

void UserNode::begin_round(std::uint32_t round) { reaction().observe(RoundBegan{round_of(round)}); }

void UserNode::end_round(std::uint32_t round,
                         std::uint64_t steps,
                         std::uint32_t arrived,
                         std::uint32_t expected) {
  if (steps > budget_)
    throw py::value_error(fmt::format("steps is {}, the budget is {}", steps, budget_));
  if (arrived > expected)
    throw py::value_error(fmt::format("arrived is {}, expected {}", arrived, expected));
  RoundEnded ended;
  ended.round = round_of(round);
  ended.steps = steps;
  ended.arrived = arrived;
  ended.expected = expected;
  reaction().observe(std::move(ended));
}

void UserNode::set_timer(std::uint32_t timer, double after_s, bool from_now) {
  const Duration after = duration_of(after_s, "a timer");
  if (from_now)
    reaction().set_timer_from_now(TimerId{timer}, after);
  else
    reaction().set_timer_after_work(TimerId{timer}, after);
}

void UserNode::resume_timers() { reaction().resume_timers(); }

void UserNode::cancel_timer(std::uint32_t timer) { reaction().cancel_timer(TimerId{timer}); }

void UserNode::work(double seconds) { working().work(duration_of(seconds, "work")); }

void UserNode::count(const std::string& quantity, std::uint64_t value) {
  reaction().observe(CountObserved{kept_name(quantity), value});
}

void UserNode::estimate(const std::string& quantity, double value) {
  reaction().observe(EstimateObserved{kept_name(quantity), value});
}

void UserNode::finish() {
  Reaction& now = reaction();
  if (finished_) return;
  finished_ = true;
  now.finish();
}

double UserNode::uniform() {
  reaction();
  return uniforms_.at(drawn_uniforms_++);
}

double UserNode::normal() {
  reaction();
  DrawEngine draws(normals_, drawn_normals_++);
  return draw_normal(draws);
}

}  // namespace posse::python
