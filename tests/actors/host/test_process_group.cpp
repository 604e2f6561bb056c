// SPDX-License-Identifier: Apache-2.0
// Runs that are spread over processes. Here each "process" is a thread with an actor system of its
// own, which talks to the others over TCP all the same.
#if !defined(__SANITIZE_THREAD__)
#include <atomic>
#include <catch2/catch.hpp>
#include <thread>

#include "actors/echo/protocol.hpp"
#include "actors/fed_pne/protocol.hpp"
#include "actors/host/group_member.hpp"
#include "actors/host/process_group.hpp"
#include "actors/host/wall_clock.hpp"
#include "actors/parallel/protocol.hpp"
#include "tests/support/problems.hpp"

namespace posse::test_process_group {
namespace {

using namespace std::chrono_literals;

test::Run echo(std::uint32_t clients, std::int64_t rounds) {
  auto parameters = default_parameters(echo_algorithm().parameters);
  parameters.set("rounds", rounds);
  return test::Run(echo_algorithm(), parameters, clients, Seed{1});
}

class SameRun final : public MemberRun {
 public:
  explicit SameRun(const SimulationSpec& spec) : spec_(spec) {}
  const SimulationSpec& spec() const override { return spec_; }

 private:
  const SimulationSpec& spec_;
};

/// Members that take part in a run until they are sent home.
class Members {
 public:
  Members(std::size_t count, std::uint16_t port, const SimulationSpec& spec) {
    for (std::size_t i = 0; i < count; ++i)
      threads_.emplace_back([this, port, &spec] {
        MemberOptions options;
        options.address.port = port;
        options.credentials = {"1", "secret", 0, {}};
        const auto end =
            take_part(options, [&](const std::string&) { return std::make_unique<SameRun>(spec); });
        if (end == MemberEnd::sent_home) ++home;
      });
  }
  void join() { threads_.clear(); }
  std::atomic<int> home{0};

 private:
  std::vector<std::jthread> threads_;
};

SimulationResult run_together(const SimulationSpec& spec, std::size_t members) {
  GroupOptions options;
  options.credentials = {"1", "secret", 7, {}};
  options.members = members;
  WallLimit limit(20);
  auto group = std::make_unique<ProcessGroup>(options);
  Members others(members, group->port(), spec);
  auto result = group->run(spec, "", limit, nullptr);
  group.reset();
  others.join();
  CHECK(others.home == static_cast<int>(members));
  return result;
}

void check_same_accounts(const RunOutcome& real, const RunOutcome& simulated) {
  REQUIRE(real.accounts.size() == simulated.accounts.size());
  for (std::size_t i = 0; i < real.accounts.size(); ++i) {
    const auto &a = real.accounts[i], &b = simulated.accounts[i];
    INFO(a.type);
    CHECK(a.type == b.type);
    CHECK(a.sent == b.sent);
    CHECK(a.delivered == b.delivered);
    CHECK(a.bytes == b.bytes);
    CHECK(a.values == b.values);
  }
}

}  // namespace

TEST_CASE("a run over several processes sends what the simulation sends") {
  auto run = echo(10, 6);
  for (const auto transport : {Transport::datagram, Transport::reliable}) {
    run.spec.network.transport = transport;
    const auto simulated = run_serial(run.spec);
    const auto real = run_together(run.spec, 3);
    INFO(real.outcome.report);
    REQUIRE(real.outcome.status == RunStatus::finished);
    CHECK(real.outcome.complete_rounds == 6);
    check_same_accounts(real.outcome, simulated.outcome);
  }
}

}  // namespace posse::test_process_group
#endif
