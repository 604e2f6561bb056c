// SPDX-License-Identifier: Apache-2.0
// Fed-PNE with means in fewer bytes.
#include <catch2/catch.hpp>
#include <cmath>

#include "actors/common/coded_means.hpp"
#include "actors/fed_pne/messages.hpp"
#include "actors/fed_pne/private_protocol.hpp"
#include "actors/fed_pne/protocol.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/federations.hpp"

namespace posse::test_fed_pne_coded {
namespace {

using namespace test;

const std::vector<std::string> kExact{
    "messages", "values up", "values down", "payload up", "payload down"};

/// The means of phase `phase` by client, decoded by hand, from the range [0, 1].
std::vector<std::vector<double>> uploads(const RoleDriver& driver, std::uint32_t phase) {
  std::vector<std::vector<double>> all;
  for (const auto& sent : driver.sent()) {
    if (sent.to != NodeId{0} || sent.message.round != Round{phase}) continue;
    auto& means = all.emplace_back();
    if (const auto* exact = sent.message.get<LocalMeans>()) means = exact->means;
    if (const auto* f32 = sent.message.get<CodedMeans<float>>())
      means.assign(f32->means.begin(), f32->means.end());
    if (const auto* u16 = sent.message.get<CodedMeans<std::uint16_t>>())
      for (const auto code : u16->means) means.push_back(code / 65535.0);
    if (const auto* u8 = sent.message.get<CodedMeans<std::uint8_t>>())
      for (const auto code : u8->means) means.push_back(code / 255.0);
  }
  return all;
}

struct Form {
  std::string name;
  double bytes, most_error;
};
const std::vector<Form> kForms{{"f32", 4, 0x1p-25}, {"u16", 2, 1 / 65535.0}, {"u8", 1, 1 / 255.0}};

const Measurement& measurement(const std::vector<Measurement>& all, const std::string& name) {
  const auto it =
      std::find_if(all.begin(), all.end(), [&](const auto& m) { return m.name == name; });
  REQUIRE(it != all.end());
  return *it;
}

}  // namespace

TEST_CASE("clients send rounded means, and the server decides by their averages") {
  const auto problem =
      make_problem({garland(-0.03), garland(-0.01), garland(0.02), garland(0.04)}, 2000);
  const auto plain_protocol = make_protocol(fed_pne_algorithm(), &problem, 4, {});
  RoleDriver plain(*plain_protocol);
  plain.run();
  const auto exact = uploads(plain, 1);
  for (const Form& form : kForms) {
    INFO(form.name);
    const auto protocol = make_protocol(fed_pne_algorithm(), &problem, 4, {{"means", form.name}});
    RoleDriver driver(*protocol);
    driver.run();
    REQUIRE(driver.all_finished());
    const auto coded = uploads(driver, 1);
    REQUIRE(coded.size() == exact.size());
    bool differs = false;
    for (std::size_t m = 0; m < coded.size(); ++m) {
      REQUIRE(coded[m].size() == exact[m].size());
      for (std::size_t i = 0; i < coded[m].size(); ++i) {
        CHECK(std::abs(coded[m][i] - exact[m][i]) <= form.most_error);
        differs = differs || coded[m][i] != exact[m][i];
      }
    }
    CHECK(differs);
    const auto rounds = driver.all<RoundEnded>(0);
    for (const auto& ended : rounds) {
      const auto by_client = uploads(driver, ended.round.value);
      REQUIRE(by_client.size() == 4);
      for (std::size_t i = 0; i < ended.cells.size(); ++i) {
        double sum = 0;
        for (const auto& means : by_client) sum += means[i];
        CHECK(std::abs(ended.cells[i].mean - sum / 4) < 1e-15);
      }
    }
  }
}

TEST_CASE("Fed-PNE's uploads have b bytes a mean, in whatever order messages arrive") {
  std::mt19937 random(17);
  for (int trial = 0; trial < 60; ++trial) {
    const auto s = random_federation(random);
    const Form& form = kForms[static_cast<std::size_t>(trial % 3)];
    INFO("trial " << trial << ": M " << s.clients << ", T " << s.budget << ", " << form.name);
    const auto problem = s.problem();
    auto changes = s.changes();
    changes["means"] = form.name;
    changes["compact_plan"] = trial % 2 == 0;
    const auto protocol = make_protocol(fed_pne_algorithm(), &problem, s.clients, changes);
    RoleDriver driver(*protocol);
    driver.run();
    RoleDriver shuffled(
        *protocol,
        {.shuffled = true, .duplicates = 0.3, .seed = static_cast<std::uint32_t>(trial)});
    shuffled.run();
    REQUIRE(driver.all_finished());
    REQUIRE(rounds_table(shuffled) == rounds_table(driver));
    const auto outcome = driver.outcome(&problem);
    REQUIRE(exact_counts(*protocol, outcome) == kExact);
    REQUIRE(within_forecast(*protocol, outcome));
    double bytes = 0;
    for (const auto& phase : outcome.rounds)
      bytes += s.clients * (8 + form.bytes * static_cast<double>(phase.active_cells));
    const std::string type = "Means" + std::to_string(static_cast<int>(8 * form.bytes));
    REQUIRE(static_cast<double>(outcome.total(&TypeAccount::bytes, type)) == bytes);
    REQUIRE(outcome.total(&TypeAccount::sent, "LocalMeans") == 0);
  }
}

TEST_CASE("the regret bound does not cover rounding to 16 or 8 bits, and says so") {
  const auto problem = make_problem({bowl(0.3, 0.5), bowl(0.4, 0.5)}, 400, true);
  const auto note = [&](const std::string& means) {
    const auto protocol = make_protocol(
        fed_pne_algorithm(), &problem, 2, {{"means", means}, {"c", 2.0}, {"c1", 2.0}});
    RoleDriver driver(*protocol);
    driver.run();
    return measurement(protocol->measurements(driver.outcome(&problem)), "cumulative regret")
        .bound->note;
  };
  CHECK(note("f32") == note("f64"));
  CHECK(note("u16").find("means are rounded to 16 bits") != std::string::npos);
  CHECK(note("u8").find("means are rounded to 8 bits") != std::string::npos);
}

TEST_CASE("means with privacy noise leave the range, and results count what was clipped") {
  const auto problem = make_problem({garland(-0.03), garland(0.04)}, 600);
  const auto clipped = [&](const Changes& changes) {
    const auto protocol = make_protocol(dp_fed_pne_algorithm(), &problem, 2, changes);
    RoleDriver driver(*protocol);
    driver.run();
    REQUIRE(driver.all_finished());
    return measurement(protocol->measurements(driver.outcome(&problem)),
                       "clipped means, most of one node")
        .measured;
  };
  const Changes noisy{{"means", std::string("u8")}, {"epsilon", 0.05}};
  auto wide = noisy;
  wide["means_low"] = -1e6;
  wide["means_high"] = 1e6;
  CHECK(clipped(noisy) > 0);
  CHECK(clipped(wide) == 0);
}

TEST_CASE("a range that does nothing or is empty is refused") {
  const auto problem = make_problem({bowl(0.3, 0.5)}, 400);
  const auto errors = [&](const Changes& changes) {
    auto parameters = default_parameters(fed_pne_algorithm().parameters);
    for (const auto& [name, value] : changes) parameters.set(name, value);
    ProtocolContext context;
    context.clients = 1;
    context.problem = &problem;
    return fed_pne_algorithm().validate(parameters, context);
  };
  CHECK(errors({}).empty());
  CHECK(errors({{"means", std::string("u8")}, {"means_low", -1.0}}).empty());
  CHECK(errors({{"means", std::string("f32")}, {"means_low", -1.0}}) ==
        std::vector<std::string>{"fed-pne: means_low and means_high do nothing with means = "
                                 "\"f32\", which has no grid; use \"u16\" or \"u8\""});
  CHECK(errors({{"means", std::string("u8")}, {"means_low", 1.0}}) ==
        std::vector<std::string>{
            "fed-pne: means_high must be at least means_low + 0.001, given 1 and 1"});
}

}  // namespace posse::test_fed_pne_coded
