// SPDX-License-Identifier: Apache-2.0
// What the network does to messages has the distributions that scenarios ask for, measured in whole
// runs: in their message logs and tables of faults. The laws are written out here.
//
// Each test case is wrong with probability 1e-6 at most over seeds, shared equally by its tests
// (Bonferroni); the seeds are fixed.
#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "program/base/gzip_lines.hpp"
#include "tests/support/program_folder.hpp"

namespace posse::test_injected_faults {
namespace {

constexpr double kError = 1e-6;

// --- tests of distributions --------------------------------------------------------------------

/// Whether `hits` of `n` is what probability p gives, by the normal approximation.
void check_share(std::size_t hits, std::size_t n, double p, double error) {
  REQUIRE(static_cast<double>(n) * p * (1 - p) > 100);
  const double z = (static_cast<double>(hits) - static_cast<double>(n) * p) /
                   std::sqrt(static_cast<double>(n) * p * (1 - p));
  INFO(hits << " of " << n << ", expected " << p);
  CHECK(std::abs(z) <
        boost::math::quantile(boost::math::complement(boost::math::normal(), error / 2)));
}

void check_chi_square(double statistic, int degrees, double error) {
  INFO("chi-square " << statistic << " with " << degrees << " degrees of freedom");
  CHECK(statistic <
        boost::math::quantile(boost::math::complement(boost::math::chi_squared(degrees), error)));
}

/// Kolmogorov–Smirnov with the asymptotic critical value.
void check_law(std::vector<double> x, const std::function<double(double)>& cdf, double error) {
  REQUIRE(x.size() > 400);
  std::sort(x.begin(), x.end());
  const auto n = static_cast<double>(x.size());
  double distance = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double f = cdf(x[i]);
    distance =
        std::max({distance, f - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - f});
  }
  INFO("distance " << distance << " of " << x.size() << " values");
  CHECK(distance * std::sqrt(n) < std::sqrt(-std::log(error / 2) / 2));
}

/// Lengths 1, 2, …, each of which is the last with probability `stop`.
void check_geometric(const std::vector<int>& lengths, double stop, double error) {
  REQUIRE(lengths.size() > 400);
  const auto n = static_cast<double>(lengths.size());
  double statistic = 0, rest = 1;  // the probability of this length and longer ones
  int bins = 0;
  for (int length = 1;; ++length) {
    const bool last = n * rest * (1 - stop) < 5;
    const double expected = n * (last ? rest : rest * stop);
    const auto seen = static_cast<double>(std::count_if(
        lengths.begin(), lengths.end(), [&](int l) { return last ? l >= length : l == length; }));
    statistic += (seen - expected) * (seen - expected) / expected;
    ++bins;
    if (last) break;
    rest *= 1 - stop;
  }
  check_chi_square(statistic, bins - 1, error);
}

void check_uncorrelated(const std::vector<std::pair<double, double>>& pairs, double error) {
  REQUIRE(pairs.size() > 400);
  const auto n = static_cast<double>(pairs.size());
  double x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  for (const auto& [a, b] : pairs) {
    x += a / n;
    y += b / n;
  }
  for (const auto& [a, b] : pairs) {
    xx += (a - x) * (a - x);
    yy += (b - y) * (b - y);
    xy += (a - x) * (b - y);
  }
  const double correlation = xy / std::sqrt(xx * yy);
  INFO("correlation " << correlation << " of " << pairs.size() << " pairs");
  CHECK(std::abs(correlation) * std::sqrt(n) <
        boost::math::quantile(boost::math::complement(boost::math::normal(), error / 2)));
}

// --- runs --------------------------------------------------------------------------------------

struct Copy {
  std::string type;
  double sent_s = 0, latency_s = 0;
  bool lost = false;
};

using Links = std::map<std::pair<std::string, std::string>, std::vector<Copy>>;

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> row;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) row.push_back(cell);
  return row;
}

/// A server that sends 24 clients a request in each round; who has lost one does not answer.
std::string echo(int rounds, const std::string& network, const std::string& more = "") {
  return fmt::format(
      R"(name = "echo"
seed = 20
[[algorithm]]
kind = "echo"
rounds = {}
[population]
clients = 24
[server]
policy = "deadline"
deadline = "100 ms"
[network]
{}
{}
)",
      rounds,
      network,
      more);
}

/// The copies of a run by link, in the order of sending.
Links copies_of(const std::string& scenario) {
  const ProgramFolder folder;
  folder.write("echo.toml", scenario);
  const auto outcome = folder.posse("run echo.toml --quiet --trace messages");
  INFO(outcome.err);
  REQUIRE(outcome.code == 0);
  Links links;
  GzipLines lines(folder / "runs/echo/latest/messages.csv.gz");
  std::string line;
  REQUIRE(lines.next(line));
  while (lines.next(line)) {
    const auto c = cells(line);
    Copy copy{c[3], std::stod(c[8]), 0, c[11] == "loss"};
    if (c[10] == "in_flight") continue;
    if (!copy.lost) copy.latency_s = std::stod(c[9]) - copy.sent_s;
    links[{c[5], c[6]}].push_back(copy);
  }
  REQUIRE(links.size() == 48);
  return links;
}

/// A gamma distribution's CDF: the series of the incomplete gamma function.
double gamma_cdf(double shape, double x) {
  if (x <= 0) return 0;
  double term = 1 / shape, sum = term;
  for (int k = 1; term > sum * 1e-15; ++k) {
    term *= x / (shape + k);
    sum += term;
  }
  return sum * std::exp(shape * std::log(x) - x - std::lgamma(shape));
}

double normal_cdf(double z) { return std::erfc(-z / std::sqrt(2)) / 2; }

}  // namespace

TEST_CASE("messages are lost with the stated probability, independently", "[statistical]") {
  const auto links = copies_of(echo(700, "latency = \"5 ms\"\nloss = 0.2"));
  std::size_t lost = 0, n = 0;
  std::size_t after[2][2] = {};  // [lost before][lost]
  double by_link = 0;
  for (const auto& [link, copies] : links) {
    std::size_t here = 0;
    for (std::size_t i = 0; i < copies.size(); ++i) {
      here += copies[i].lost;
      if (i > 0) ++after[copies[i - 1].lost][copies[i].lost];
    }
    const double mean = static_cast<double>(copies.size()) * 0.2;
    by_link +=
        (static_cast<double>(here) - mean) * (static_cast<double>(here) - mean) / (mean * 0.8);
    lost += here;
    n += copies.size();
  }
  REQUIRE(n > 25000);
  check_share(lost, n, 0.2, kError / 4);
  check_chi_square(by_link, static_cast<int>(links.size()), kError / 4);
  for (const auto& [kept, dropped] : after) check_share(dropped, kept + dropped, 0.2, kError / 4);
}

TEST_CASE("losses by type have the probabilities of their types", "[statistical]") {
  const auto links = copies_of(echo(700,
                                    "latency = \"5 ms\"\nloss = { kind = \"by-type\", p = { "
                                    "EchoRequest = 0.1, EchoReply = 0.3 } }"));
  std::map<std::string, std::pair<std::size_t, std::size_t>> types;
  for (const auto& [link, copies] : links)
    for (const auto& copy : copies) {
      types[copy.type].first += copy.lost;
      ++types[copy.type].second;
    }
  REQUIRE(types.size() == 2);
  check_share(types["EchoRequest"].first, types["EchoRequest"].second, 0.1, kError / 2);
  check_share(types["EchoReply"].first, types["EchoReply"].second, 0.3, kError / 2);
}

TEST_CASE("bursts of losses and the gaps between them have geometric lengths", "[statistical]") {
  const auto links = copies_of(
      echo(1000, "latency = \"5 ms\"\nloss = { kind = \"gilbert-elliott\", p = 0.08, r = 0.3 }"));
  std::vector<int> bursts, gaps;
  for (const auto& [link, copies] : links) {
    // The first and the last of a link may be cut off.
    std::vector<std::pair<bool, int>> stretches;
    for (const auto& copy : copies) {
      if (stretches.empty() || stretches.back().first != copy.lost)
        stretches.emplace_back(copy.lost, 0);
      ++stretches.back().second;
    }
    for (std::size_t i = 1; i + 1 < stretches.size(); ++i)
      (stretches[i].first ? bursts : gaps).push_back(stretches[i].second);
  }
  check_geometric(bursts, 0.3, kError / 2);
  check_geometric(gaps, 0.08, kError / 2);
}

TEST_CASE("a burst loses its share of the messages, and the good state its own", "[statistical]") {
  // The states are hidden. Of the losses x_i, stationary with mean m, E x_i x_{i+1} follows from
  // the chain: sum over both states of its share, its loss and the mean loss one step later.
  const double p = 0.1, r = 0.3, good = 0.05, bad = 0.7;
  const auto links = copies_of(
      echo(1000,
           fmt::format("latency = \"5 ms\"\nloss = {{ kind = \"gilbert-elliott\", p = {}, r = {}, "
                       "loss_good = {}, loss_bad = {} }}",
                       p,
                       r,
                       good,
                       bad)));
  const double in_bad = p / (p + r);
  const double mean = (1 - in_bad) * good + in_bad * bad;
  const double both =
      (1 - in_bad) * good * ((1 - p) * good + p * bad) + in_bad * bad * (r * good + (1 - r) * bad);
  std::size_t n = 0, pairs = 0, lost = 0, twice = 0;
  for (const auto& [link, copies] : links)
    for (std::size_t i = 0; i < copies.size(); ++i) {
      ++n;
      lost += copies[i].lost;
      if (i == 0) continue;
      ++pairs;
      twice += copies[i].lost && copies[i - 1].lost;
    }
  // Correlations fall by 1 - p - r = 0.6 a step: the variance of a mean is at most
  // (1 + 0.6) / (1 - 0.6) = 4 times that of independent draws, of pairs 5 times. 4.9 sds: 1e-6.
  const auto far = [](std::size_t hits, std::size_t of, double expected, double factor) {
    const auto count = static_cast<double>(of);
    return std::abs(static_cast<double>(hits) / count - expected) /
           std::sqrt(factor * expected * (1 - expected) / count);
  };
  REQUIRE(n > 40000);
  CHECK(far(lost, n, mean, 4) < 5);
  CHECK(far(twice, pairs, both, 5) < 5);
}

TEST_CASE("latencies have the law of their distribution, each on its own", "[statistical]") {
  struct Law {
    std::string latency;
    std::function<double(double)> cdf;  // in seconds, before the cut at the floor
    double floor_s = 0;
  };
  const std::vector<Law> laws{
      {R"({ kind = "uniform", min = "5 ms", max = "25 ms" })",
       [](double x) { return std::clamp((x - 0.005) / 0.02, 0.0, 1.0); }},
      {R"({ kind = "normal", mean = "20 ms", sd = "4 ms", floor = "18 ms" })",
       [](double x) { return normal_cdf((x - 0.02) / 0.004); },
       0.018},
      {R"({ kind = "lognormal", median = "10 ms", sigma = 0.6, floor = "6 ms" })",
       [](double x) { return normal_cdf(std::log(x / 0.01) / 0.6); },
       0.006},
      {R"({ kind = "lognormal", mean = "10 ms", sigma = 0.6 })",
       [](double x) { return normal_cdf((std::log(x / 0.01) + 0.18) / 0.6); }},
      {R"({ kind = "exponential", mean = "10 ms", floor = "2 ms" })",
       [](double x) { return 1 - std::exp(-(x - 0.002) / 0.01); }},
      {R"({ kind = "pareto", scale = "4 ms", shape = 2.5 })",
       [](double x) { return 1 - std::pow(0.004 / x, 2.5); }},
      {R"({ kind = "gamma", mean = "10 ms", shape = 2.5, floor = "5 ms" })",
       [](double x) { return gamma_cdf(2.5, x * 2.5 / 0.01); },
       0.005},
      {R"({ kind = "gamma", mean = "10 ms", shape = 0.6 })",
       [](double x) { return gamma_cdf(0.6, x * 0.6 / 0.01); }}};
  const double error = kError / (3 * static_cast<double>(laws.size()));
  for (const auto& law : laws) {
    INFO(law.latency);
    const auto links = copies_of(echo(170, "latency = " + law.latency));
    std::vector<double> above;
    std::vector<std::pair<double, double>> neighbours;
    std::size_t n = 0;
    for (const auto& [link, copies] : links)
      for (std::size_t i = 0; i < copies.size(); ++i) {
        ++n;
        // Ranks have no heavy tails, which would spoil the correlation.
        if (i > 0)
          neighbours.emplace_back(law.cdf(copies[i - 1].latency_s), law.cdf(copies[i].latency_s));
        // Times are nanoseconds.
        if (copies[i].latency_s > law.floor_s + 0.5e-9) above.push_back(copies[i].latency_s);
      }
    REQUIRE(n > 7000);
    const double cut = law.floor_s > 0 ? law.cdf(law.floor_s) : 0;
    if (cut > 0) check_share(n - above.size(), n, cut, error);
    check_law(
        above, [&](double x) { return (law.cdf(x) - cut) / (1 - cut); }, error);
    check_uncorrelated(neighbours, error);
  }
}

TEST_CASE("an empirical latency takes its samples equally often", "[statistical]") {
  const auto links =
      copies_of(echo(170,
                     "latency = { kind = \"empirical\", file = \"samples.csv\" }",
                     "[inputs]\n\"samples.csv\" = \"\"\"\nlatency_ms\n3\n1\n2\n10\n7\n"
                     "\"\"\""));
  std::map<long, double> counts;
  double n = 0;
  for (const auto& [link, copies] : links)
    for (const auto& copy : copies) {
      ++counts[std::lround(copy.latency_s * 1e9)];
      ++n;
    }
  REQUIRE(counts.size() == 5);
  double statistic = 0;
  for (const auto ms : {1, 2, 3, 7, 10}) {
    REQUIRE(counts.count(ms * 1'000'000L) == 1);
    const double difference = counts[ms * 1'000'000L] - n / 5;
    statistic += difference * difference / (n / 5);
  }
  check_chi_square(statistic, 4, kError);
}

TEST_CASE("duplicates have the stated probability, and latencies of their own", "[statistical]") {
  const auto links = copies_of(
      echo(500, "duplication = 0.15\nlatency = { kind = \"exponential\", mean = \"10 ms\" }"));
  const auto cdf = [](double x) { return 1 - std::exp(-x / 0.01); };
  std::vector<double> latencies;
  std::vector<std::pair<double, double>> pairs;
  std::size_t messages = 0;
  for (const auto& [link, copies] : links)
    for (std::size_t i = 0; i < copies.size(); ++i) {
      if (i == 0 || copies[i].sent_s != copies[i - 1].sent_s) {
        ++messages;
        continue;
      }
      // No message has two duplicates.
      REQUIRE((i < 2 || copies[i].sent_s != copies[i - 2].sent_s));
      latencies.push_back(copies[i].latency_s);
      pairs.emplace_back(cdf(copies[i - 1].latency_s), cdf(copies[i].latency_s));
    }
  check_share(latencies.size(), messages, 0.15, kError / 3);
  check_law(latencies, cdf, kError / 3);
  check_uncorrelated(pairs, kError / 3);
}

TEST_CASE("random faults last and pause for exponential times of the stated means",
          "[statistical]") {
  struct Random {
    std::string kind;
    double between_s = 0, for_s = 0;
  };
  // By their numbers in faults.csv: those of links, then those of nodes; a storm has five.
  const std::vector<Random> faults{{"partition", 0.3, 0.1},
                                   {"clog", 0.4, 0.15},
                                   {"partition", 0.6, 0.12},
                                   {"partition", 0.6, 0.12},
                                   {"clog", 0.6, 0.12},
                                   {"pause", 0.5, 0.08},
                                   {"crash", 0.35, 0.06},
                                   {"pause", 0.6, 0.12},
                                   {"crash", 0.6, 0.12}};
  const auto times = [](double between_s, double for_s) {
    return fmt::format("mean_between = \"{} ms\"\nmean_for = \"{} ms\"\nuntil = \"1 h\"\n",
                       between_s * 1e3,
                       for_s * 1e3);
  };
  const std::string groups = "groups = [[\"server\"], [\"client-0..3\"]]\n";
  const ProgramFolder folder;
  folder.write("echo.toml",
               echo(4000,
                    "latency = \"5 ms\"\ntransport = \"reliable\"",
                    R"([[fault]]
kind = "partition"
)" + groups + times(0.3, 0.1) +
                        R"([[fault]]
kind = "clog"
)" + groups + times(0.4, 0.15) +
                        R"([[fault]]
kind = "pause"
nodes = ["client"]
)" + times(0.5, 0.08) +
                        R"([[fault]]
kind = "crash"
nodes = ["client"]
)" + times(0.35, 0.06) +
                        R"([[fault]]
kind = "storm"
nodes = "client"
)" + times(0.6, 0.12)));
  const auto outcome = folder.posse("run echo.toml --quiet");
  INFO(outcome.err);
  REQUIRE(outcome.code == 0);

  struct Times {
    std::vector<double> gaps, lengths;
    std::map<std::string, double> last;  // by node: when it ended, from 0 on
    std::map<std::string, double> began;
  };
  std::vector<Times> seen(faults.size());
  std::istringstream table(folder.content("runs/echo/latest/faults.csv"));
  std::string line;
  REQUIRE(std::getline(table, line));
  while (std::getline(table, line)) {
    const auto c = cells(line);  // run, virtual_s, fault, kind, state, event, nodes
    const auto number = std::stoul(c[2]);
    REQUIRE(number < faults.size());
    REQUIRE(c[3] == faults[number].kind);
    auto& of = seen[number];
    const double at = std::stod(c[1]);
    if (c[5] == "begins") {
      of.gaps.push_back(at - of.last[c[6]]);
      of.began[c[6]] = at;
    } else {
      of.lengths.push_back(at - of.began[c[6]]);
      of.last[c[6]] = at;
    }
  }
  const auto exponential = [](double mean) {
    return [mean](double x) { return 1 - std::exp(-x / mean); };
  };
  const double error = kError / (2 * static_cast<double>(faults.size()));
  for (std::size_t i = 0; i < faults.size(); ++i) {
    INFO("fault " << i << ", a " << faults[i].kind);
    // Each node has times of its own.
    CHECK(seen[i].began.size() == (i < 5 ? 1U : 24U));
    check_law(seen[i].gaps, exponential(faults[i].between_s), error);
    check_law(seen[i].lengths, exponential(faults[i].for_s), error);
  }
}

TEST_CASE("a share of nodes is as many as stated, each node equally often", "[statistical]") {
  const ProgramFolder folder;
  folder.write("echo.toml",
               "repeat = 400\n" +
                   echo(1,
                        "latency = \"5 ms\"",
                        "[[fault]]\nkind = \"crash\"\nnodes = [\"25% of client\"]\nat = \"1 ms\"\n"
                        "for = \"1 ms\""));
  REQUIRE(folder.posse("run echo.toml --quiet").code == 0);
  std::map<std::string, double> by_node;
  std::map<std::string, int> by_run;
  std::istringstream table(folder.content("runs/echo/latest/faults.csv"));
  std::string line;
  REQUIRE(std::getline(table, line));
  while (std::getline(table, line)) {
    const auto c = cells(line);
    if (c[5] != "begins") continue;
    ++by_node[c[6]];
    ++by_run[c[0]];
  }
  REQUIRE(by_run.size() == 400);
  for (const auto& [run, nodes] : by_run) REQUIRE(nodes == 6);
  REQUIRE(by_node.size() == 24);
  // Six of 24: a node's count has variance 400 · 1/4 · 3/4; 23/24 makes the sum chi-square with 23.
  double statistic = 0;
  for (const auto& [node, n] : by_node) statistic += (n - 100) * (n - 100) / 75 * 23 / 24;
  check_chi_square(statistic, 23, kError);
}

}  // namespace posse::test_injected_faults
