// SPDX-License-Identifier: Apache-2.0
// Verdicts on run data put together by hand, where the answer is plain.
#include <catch2/catch.hpp>
#include <cmath>

#include "program/reproduce/checks.hpp"
#include "program/reproduce/growth_chart.hpp"
#include "program/reproduce/judging.hpp"

namespace test_claims {

using namespace posse;

namespace {

constexpr auto kRegret = "cumulative_regret";

AlgorithmData with_finals(const std::string& label,
                          const std::vector<double>& values,
                          const std::string& quantity = std::string(kRegret)) {
  AlgorithmData data;
  data.label = label;
  data.clients = 2;
  for (std::size_t i = 0; i < values.size(); ++i) {
    RepetitionData r;
    r.repetition = static_cast<std::uint32_t>(i);
    r.evaluations_per_client = 1000;
    r.finals["payload_bytes"] = 500;
    r.finals[quantity] = values[i];
    data.repetitions.push_back(std::move(r));
  }
  return data;
}

std::vector<RunData> run_of(std::vector<AlgorithmData> algorithms) {
  RunData run;
  run.algorithms = std::move(algorithms);
  return {run};
}

/// A check with its usual parameters, but for those given.
Check check(std::string_view kind, const std::map<std::string_view, ParameterValue>& given) {
  const CheckSpec* spec = find_check_spec(kind);
  REQUIRE(spec != nullptr);
  auto parameters = default_parameters(spec->parameters);
  for (const auto& [name, value] : given) parameters.set(name, value);
  return {spec, parameters};
}
Check of_two(std::string_view kind, const std::string& first, const std::string& second) {
  return check(kind, {{"measure", std::string(kRegret)}, {"first", first}, {"second", second}});
}
Check of_one(std::string_view kind, const std::string& algorithm) {
  return check(kind, {{"measure", std::string(kRegret)}, {"algorithm", algorithm}});
}
Check within(const std::string& measurement, const std::string& algorithm) {
  return check("within-bound", {{"measurement", measurement}, {"algorithm", algorithm}});
}
Check with(Check check, std::string_view name, ParameterValue value) {
  check.parameters.set(name, std::move(value));
  return check;
}

auto says(const std::string& part) { return Catch::Matchers::Contains(part); }

}  // namespace

TEST_CASE("below: the sign of the paired interval decides") {
  const auto verdict = [](std::vector<double> a, std::vector<double> b) {
    return judge(of_two("below", "a", "b"), run_of({with_finals("a", a), with_finals("b", b)}))
        .verdict;
  };
  CHECK(verdict({1, 101, 51}, {3, 104, 52.5}) == Verdict::reproduced);
  CHECK(verdict({3, 104, 52.5}, {1, 101, 51}) == Verdict::not_reproduced);
  CHECK(verdict({1, 9, 5}, {9, 1, 6}) == Verdict::undecided);
  CHECK(verdict({1}, {2}) == Verdict::undecided);  // one repetition says nothing
  CHECK(verdict({4, 4, 4}, {4, 4, 4}) == Verdict::not_reproduced);
  CHECK(verdict({4, 4}, {5, 5}) == Verdict::reproduced);
  CHECK(verdict({}, {1, 2}) == Verdict::undecided);
  // Differences 2, 3, 1.5: mean 2.1667, sd 0.76376, t(0.975; 2) = 4.30265, half 1.8973.
  const auto judgement =
      judge(of_two("below", "a", "b"),
            run_of({with_finals("a", {1, 101, 51}), with_finals("b", {3, 104, 52.5})}));
  CHECK_THAT(judgement.measured, says("above by 2.2 (95 % interval 0.3 to 4.1)"));
}

TEST_CASE("smallest: all others must be above, one surely below contradicts") {
  const auto verdict = [](std::vector<double> a, std::vector<double> b, std::vector<double> c) {
    return judge(of_one("smallest", "a"),
                 run_of({with_finals("b", b), with_finals("a", a), with_finals("c", c)}))
        .verdict;
  };
  CHECK(verdict({1, 2, 3}, {11, 12, 13.5}, {21, 22, 23.5}) == Verdict::reproduced);
  CHECK(verdict({1, 2, 3}, {11, 12, 13.5}, {0, 4, 3}) == Verdict::undecided);
  CHECK(verdict({10, 11, 12}, {0, 1, 2.5}, {9, 12, 12}) == Verdict::not_reproduced);
  CHECK(verdict({10, 11, 12}, {9, 12, 12}, {0, 1, 2.5}) == Verdict::not_reproduced);
  // An algorithm that never finished has no say; without any other nothing can be judged.
  CHECK(verdict({1, 2, 3}, {11, 12, 13.5}, {}) == Verdict::reproduced);
  CHECK(verdict({1, 2, 3}, {}, {}) == Verdict::undecided);
}

TEST_CASE("similar: the interval lies within, or beyond, a share of the larger mean") {
  const auto verdict = [](std::vector<double> a, std::vector<double> b) {
    return judge(of_two("similar", "a", "b"), run_of({with_finals("a", a), with_finals("b", b)}))
        .verdict;
  };
  CHECK(verdict({100, 101, 99}, {101, 102.5, 99.5}) == Verdict::reproduced);
  CHECK(verdict({100, 101, 99}, {150, 152, 149}) == Verdict::not_reproduced);
  CHECK(verdict({100, 120, 80}, {110, 100, 99}) == Verdict::undecided);
}

TEST_CASE("sublinear: a power law's exponent is found again") {
  const auto power_law = [](double exponent) {
    auto data = with_finals("a", {0, 0, 0});
    for (auto& r : data.repetitions)
      for (double t = 1; t <= 10000; t *= 1.25)
        r.curves[std::string(kRegret)].push_back(
            {t, 0, 0, 0, (1 + r.repetition) * std::pow(t, exponent)});
    return judge(of_one("sublinear", "a"), run_of({std::move(data)}));
  };
  CHECK(power_law(0.5).verdict == Verdict::reproduced);
  CHECK_THAT(power_law(0.5).measured, says("exponent 0.5"));
  CHECK(power_law(1.2).verdict == Verdict::not_reproduced);
  CHECK(judge(of_one("sublinear", "a"), run_of({with_finals("a", {1, 2})})).verdict ==
        Verdict::undecided);
}

TEST_CASE("lower curve: the geometric mean over logarithmic time, by hand") {
  // From 1 to 100: first has 1/4 of the second's regret up to 10, the same after: half of it.
  auto first = with_finals("first", {0, 0}), second = with_finals("second", {0, 0});
  for (std::size_t i = 0; i < 2; ++i) {
    first.repetitions[i].curves["simple_regret"] = {
        {0, 0, 0, 0, 0.2}, {10, 0, 0, 0, 0.4}, {100, 0, 0, 0, 0.4}};
    second.repetitions[i].curves["simple_regret"] = {
        {0, 0, 0, 0, 0.8}, {10, 0, 0, 0, 0.4}, {100, 0, 0, 0, 0.4}};
  }
  const auto judgement =
      judge(with(of_two("lower-curve", "first", "second"), "measure", "simple_regret"),
            run_of({std::move(first), std::move(second)}));
  CHECK(judgement.verdict == Verdict::reproduced);
  CHECK_THAT(judgement.measured, says("0.5 times"));
}

TEST_CASE("fewer evaluations: at the deepest round that both end in every repetition") {
  auto fast = with_finals("fast", {0, 0}), slow = with_finals("slow", {0, 0});
  fast.repetitions[0].rounds = {{1, 10, 0, 0}, {2, 50, 0, 0}, {3, 60, 0, 0}};
  fast.repetitions[1].rounds = {{1, 10, 0, 0}, {2, 50, 0, 0}};
  slow.repetitions[0].rounds = {{1, 40, 0, 0}, {2, 200, 0, 0}, {3, 900, 0, 0}};
  slow.repetitions[1].rounds = {{1, 40, 0, 0}, {2, 200, 0, 0}};
  const auto run = run_of({fast, slow, with_finals("roundless", {0, 0})});
  CHECK(judge(with(of_two("fewer-evaluations", "fast", "slow"), "factor", 4.0), run).verdict ==
        Verdict::reproduced);
  CHECK(judge(with(of_two("fewer-evaluations", "fast", "slow"), "factor", 4.5), run).verdict ==
        Verdict::not_reproduced);
  CHECK(judge(with(of_two("fewer-evaluations", "slow", "fast"), "factor", 1.0), run).verdict ==
        Verdict::not_reproduced);
  CHECK(judge(with(of_two("fewer-evaluations", "fast", "roundless"), "factor", 1.0), run).verdict ==
        Verdict::undecided);
  CHECK_THAT(judge(with(of_two("fewer-evaluations", "fast", "slow"), "factor", 1.0), run).measured,
             says("round 2 ends after 50 evaluations per client with fast, 200 with slow"));
}

TEST_CASE("sending late: the check counts what rounds send after a share of the budget") {
  auto growing = with_finals("growing", {0, 0}), silent = with_finals("silent", {0, 0});
  for (std::size_t i = 0; i < 2; ++i) {
    growing.repetitions[i].rounds = {{1, 100, 200, 0}, {2, 800, 500, 0}};
    silent.repetitions[i].rounds = {{1, 100, 500, 0}};
  }
  const auto run = run_of({growing, silent});
  CHECK(judge(of_one("keeps-sending", "growing"), run).verdict == Verdict::reproduced);
  CHECK(judge(of_one("stops-sending", "growing"), run).verdict == Verdict::not_reproduced);
  CHECK(judge(of_one("stops-sending", "silent"), run).verdict == Verdict::reproduced);
  CHECK(judge(of_one("keeps-sending", "silent"), run).verdict == Verdict::not_reproduced);
  CHECK_THAT(judge(of_one("keeps-sending", "growing"), run).measured,
             says("sends 300 B of its 500 B"));
  growing.repetitions[0].rounds.pop_back();
  CHECK(judge(of_one("keeps-sending", "growing"), run_of({growing})).verdict == Verdict::undecided);
}

TEST_CASE("within its bound: in every repetition") {
  auto data = with_finals("a", {0, 0});
  data.repetitions[0].bounds = {{"rounds", "exact", "always", false, 9, 5}};
  data.repetitions[1].bounds = {{"rounds", "exact", "always", false, 9, 9}};
  CHECK(judge(within("rounds", "a"), run_of({data})).verdict == Verdict::reproduced);
  data.repetitions[1].bounds[0].measured = 10;
  CHECK(judge(within("rounds", "a"), run_of({data})).verdict == Verdict::not_reproduced);
  data.repetitions[1].bounds[0] = {"rounds", "exact", "always", false, 9, 8, true};
  CHECK(judge(within("rounds", "a"), run_of({data})).verdict == Verdict::undecided);
  CHECK_THAT(judge(within("rounds", "a"), run_of({data})).measured,
             says("kept in 1 of 2 repetitions, vacuous in 1"));
  CHECK(judge(within("other", "a"), run_of({data})).verdict == Verdict::undecided);
}

TEST_CASE("algorithms that aren't there leave every check undecided") {
  const auto run = run_of({with_finals("a", {1, 2})});
  for (const Check& check : {of_two("below", "x", "y"),
                             of_one("smallest", "x"),
                             of_two("similar", "x", "a"),
                             of_two("lower-curve", "a", "x"),
                             of_one("sublinear", "x"),
                             of_two("fewer-evaluations", "x", "a"),
                             of_one("keeps-sending", "x"),
                             within("rounds", "x")}) {
    const auto judgement = judge(check, run);
    CHECK(judgement.verdict == Verdict::undecided);
    CHECK_FALSE(judgement.measured.empty());
  }
}

namespace {

/// A run for each number of evaluations: 4 clients, rounds or regrets as given.
std::vector<RunData> settings_of(const std::vector<double>& evaluations,
                                 const std::vector<double>& values,
                                 const std::string& quantity) {
  std::vector<RunData> settings;
  for (std::size_t i = 0; i < evaluations.size(); ++i) {
    auto data = with_finals("a", {values[i], values[i], values[i]}, quantity);
    data.clients = 4;
    for (auto& repetition : data.repetitions) repetition.evaluations_per_client = evaluations[i];
    settings.push_back(run_of({data}).front());
    settings.back().keys = {{"budget.pulls", fmt::format("{}", evaluations[i])}};
  }
  return settings;
}

/// Evaluations from 100 to 1e7, and a function of them.
template <class Function>
std::vector<RunData> growing_as(const Function& f, const std::string& quantity) {
  std::vector<double> x, y;
  for (int i = 4; i <= 14; ++i) {
    x.push_back(std::pow(10.0, i / 2.0));
    y.push_back(f(x.back()));
  }
  return settings_of(x, y, quantity);
}

AlgorithmData with_arms(const std::vector<std::pair<double, double>>& pulls_of_two) {
  AlgorithmData data = with_finals("a", std::vector<double>(pulls_of_two.size(), 1.0));
  for (std::size_t i = 0; i < pulls_of_two.size(); ++i) {
    data.repetitions[i].arms = {{"f1", {{1, 1, 5, 5}, {pulls_of_two[i].first, 9, 2, 1}}},
                                {"f2", {{pulls_of_two[i].second, 9, 3, 1}}}};
    data.repetitions[i].answer = "f1";
  }
  return data;
}

}  // namespace

TEST_CASE(
    "logarithmic: a line in ln(mn) is, a power or another slope isn't, few settings are none") {
  const auto check = [](double slope) {
    return with(of_one("logarithmic-rounds", "a"), "slope", slope);
  };
  const auto verdict = [&](const auto& f) {
    return judge(check(1.5), growing_as(f, "rounds")).verdict;
  };
  CHECK(verdict([](double n) { return 3 + 1.4 * std::log(n); }) == Verdict::reproduced);
  CHECK(verdict([](double n) { return 3 + 1.6 * std::log(n); }) == Verdict::not_reproduced);
  CHECK(verdict([](double n) { return std::floor(3 + 1.2 * std::log(n)); }) == Verdict::reproduced);
  CHECK(verdict([](double n) { return std::sqrt(n); }) == Verdict::not_reproduced);
  CHECK(verdict([](double n) { return std::floor(2 * std::pow(n, 0.25)); }) ==
        Verdict::not_reproduced);
  CHECK(verdict([](double) { return 7.0; }) == Verdict::not_reproduced);
  CHECK(judge(check(1.5), settings_of({10, 100, 1000, 10000}, {1, 2, 3, 4}, "rounds")).verdict ==
        Verdict::undecided);
  // 4 clients: m n instead of n moves the line, not its slope.
  const auto line = growing_as([](double n) { return 1.4 * std::log(n); }, "rounds");
  CHECK_THAT(judge(check(1.5), line).measured, says("m n from 400 to 40000000: 1.4 "));
  CHECK_THAT(judge(with(check(1.5), "per_client", true), line).measured,
             says("evaluations per client from 100 to 10000000: 1.4 "));
  CHECK(judge(with(check(1.5), "algorithm", "b"), settings_of({10}, {1}, "rounds")).verdict ==
        Verdict::undecided);
}

TEST_CASE("logarithmic: of a key rounds may fall, at most as fast as claimed") {
  const auto verdict = [](double per_unit) {
    const auto check = with(
        with(of_one("logarithmic-rounds", "a"), "slope", -1.5), "key", std::string("budget.pulls"));
    return judge(check, growing_as([&](double n) { return 40 + per_unit * std::log(n); }, "rounds"))
        .verdict;
  };
  CHECK(verdict(-1.4) == Verdict::reproduced);
  CHECK(verdict(-1.6) == Verdict::not_reproduced);
  CHECK(verdict(0) == Verdict::not_reproduced);
  CHECK(verdict(1) == Verdict::not_reproduced);
}

TEST_CASE("a list stands on an axis at its length") {
  RunData run;
  run.keys = {{"one", "7.5"}, {"list", "[0.5, 0.5, 1]"}, {"single", "[2]"}, {"text", "a"}};
  CHECK(place_of(run, "one") == 7.5);
  CHECK(place_of(run, "list") == 3.0);
  CHECK(place_of(run, "single") == 1.0);
  CHECK_FALSE(place_of(run, "text"));
  CHECK_FALSE(place_of(run, "none"));
}

TEST_CASE("the picture of a growth has a line as steep as claimed from the first mean on") {
  const auto power = with(
      with(with(of_one("power-law", "a"), "key", std::string("budget.pulls")), "exponent", 0.5),
      "measure",
      std::string(kRegret));
  const auto settings =
      growing_as([](double n) { return 3 * std::pow(n, 0.4); }, std::string(kRegret));
  const auto with_lower = with(power, "lower", 0.25);
  REQUIRE(growth_chart({&with_lower}, settings)->series.size() == 3);
  const auto lower = growth_chart({&with_lower}, settings)->series[2].points;
  CHECK(lower.back().y / lower.front().y == Approx(std::pow(1e5, 0.25)));
  const auto chart = growth_chart({&power}, settings);
  REQUIRE(chart);
  REQUIRE(chart->series.size() == 2);
  const auto &measured = chart->series[0].points, &claimed = chart->series[1].points;
  REQUIRE(measured.size() == settings.size());
  CHECK(measured.back().y == Approx(3 * std::pow(1e7, 0.4)));
  CHECK(claimed.front().y == measured.front().y);
  CHECK(claimed.back().y / claimed.front().y == Approx(std::pow(1e5, 0.5)));
  CHECK(chart->x.scale == Scale::log);
  CHECK(chart->y.scale == Scale::log);
}

TEST_CASE("power law: the exponent over the settings decides, on both sides") {
  const auto verdict = [](double exponent, double claimed, double least) {
    const auto check = with(with(of_one("power-law", "a"), "key", "budget.pulls"), "least", least);
    return judge(with(check, "exponent", claimed),
                 growing_as([&](double n) { return 7 * std::pow(n, exponent); },
                            std::string(kRegret)))
        .verdict;
  };
  CHECK(verdict(0.5, 0.5, 0.2) == Verdict::reproduced);
  CHECK(verdict(0.55, 0.5, 0.2) == Verdict::reproduced);  // a tolerance of 0.1
  CHECK(verdict(0.7, 0.5, 0.2) == Verdict::not_reproduced);
  CHECK(verdict(0.3, 0.5, 0.2) == Verdict::reproduced);
  CHECK(verdict(0.1, 0.5, 0.2) == Verdict::not_reproduced);
  CHECK(verdict(-0.4, -0.38, -0.6) == Verdict::reproduced);
  CHECK(verdict(-0.2, -0.38, -0.6) == Verdict::not_reproduced);
  CHECK(verdict(0, 0, -0.1) == Verdict::reproduced);
}

TEST_CASE("rises: the ratio of a measure at the ends of a key decides") {
  const auto verdict = [](double factor, double power) {
    auto check =
        with(with(of_one("rises", "a"), "key", std::string("budget.pulls")), "factor", factor);
    return judge(
        check, growing_as([&](double n) { return 3 * std::pow(n, power); }, std::string(kRegret)));
  };
  CHECK(verdict(2, 0.1).verdict == Verdict::reproduced);  // 1e5^0.1 = 3.16
  CHECK(verdict(4, 0.1).verdict == Verdict::not_reproduced);
  CHECK(verdict(1, -0.1).verdict == Verdict::not_reproduced);
  CHECK_THAT(verdict(2, 0.1).measured,
             says("from 100 to 10000000 it grows by a factor of 3.162 in every"));
}

TEST_CASE("an undecided claim says how many repetitions would decide it") {
  const auto needed = [](const std::vector<double>& differences) {
    std::vector<double> zeros(differences.size());
    const auto judgement = judge(of_two("below", "a", "b"),
                                 run_of({with_finals("a", zeros), with_finals("b", differences)}));
    CHECK((judgement.verdict == Verdict::undecided) == judgement.repetitions_needed.has_value());
    return judgement.repetitions_needed.value_or(0);
  };
  // Mean 1, sd 2, t(0.975; 3) = 3.1824: half width 3.1824; 4 x 3.1824^2 = 40.5.
  const double d = std::sqrt(3.0);
  CHECK(needed({1 - d, 1 - d, 1 + d, 1 + d}) == 42);
  CHECK(needed({7, 7.1, 7, 7.1}) == 0);
  CHECK(needed({1}) == 3);
}

TEST_CASE("arms: the pulls at the end, the answers and their values and ranks") {
  const auto run = run_of({with_arms({{80, 20}, {85, 15}, {90, 10}})});
  const auto pulled = [&](const std::string& arm, double share) {
    return judge(with(with(of_one("most-pulled", "a"), "arm", arm), "share", share), run).verdict;
  };
  CHECK(pulled("f1", 0.7) == Verdict::reproduced);
  CHECK(pulled("f1", 0.85) == Verdict::undecided);
  CHECK(pulled("f1", 0.99) == Verdict::not_reproduced);
  CHECK(pulled("f2", 0.5) == Verdict::not_reproduced);
  CHECK(judge(with(of_one("answers", "a"), "arm", "f1"), run).verdict == Verdict::reproduced);
  auto other = run;
  other.front().algorithms.front().repetitions[1].answer = "f2";
  CHECK(judge(with(of_one("answers", "a"), "arm", "f1"), other).verdict == Verdict::not_reproduced);
  CHECK_THAT(judge(with(of_one("answers", "a"), "arm", "f1"), other).measured,
             says("f1 in 2 of 3 repetitions"));

  const auto values = run_of({with_finals("a", {0.50, 0.51, 0.52}, "answer_value")});
  CHECK(judge(with(of_one("reaches", "a"), "value", 0.6), values).verdict == Verdict::reproduced);
  CHECK(judge(with(of_one("reaches", "a"), "value", 0.51), values).verdict == Verdict::undecided);
  CHECK(judge(with(with(of_one("reaches", "a"), "value", 0.6), "least", 0.55), values).verdict ==
        Verdict::not_reproduced);
  CHECK(judge(with(of_one("reaches", "a"), "value", 0.4), values).verdict ==
        Verdict::not_reproduced);

  auto ranked = run_of({with_finals("a", {1, 1, 1}), with_finals("b", {1, 1, 1})});
  for (std::size_t i = 0; i < 3; ++i) {
    ranked.front().algorithms[0].repetitions[i].answer_rank = 1.0 + static_cast<double>(i % 2);
    ranked.front().algorithms[1].repetitions[i].answer_rank = 5.0 + static_cast<double>(i);
  }
  CHECK(judge(of_two("lower-rank", "a", "b"), ranked).verdict == Verdict::reproduced);
  CHECK(judge(of_two("lower-rank", "b", "a"), ranked).verdict == Verdict::not_reproduced);
}

TEST_CASE("plateau: the share of the regret that comes after a share of the pulls") {
  auto data = with_finals("a", {100, 100, 100});
  for (auto& repetition : data.repetitions)
    repetition.curves[std::string(kRegret)] = {
        {10, 0, 0, 0, 50}, {50, 0, 0, 0, 97}, {100, 0, 0, 0, 100}};
  CHECK(judge(with(with(of_one("plateau", "a"), "after", 0.5), "share", 0.05), run_of({data}))
            .verdict == Verdict::reproduced);
  CHECK(judge(with(with(of_one("plateau", "a"), "after", 0.4), "share", 0.05), run_of({data}))
            .verdict == Verdict::not_reproduced);
}

}  // namespace test_claims
