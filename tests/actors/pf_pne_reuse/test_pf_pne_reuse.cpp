// SPDX-License-Identifier: Apache-2.0
// PF-PNE with reuse: its rules, beside a simulation of its own, and what holds on the good event.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <set>

#include "actors/fed_pne/messages.hpp"
#include "actors/pf_pne_reuse/messages.hpp"
#include "actors/pf_pne_reuse/protocol.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/federations.hpp"

namespace posse::test_pf_pne_reuse {
namespace {

using namespace test;

const std::vector<std::string> kExact{
    "messages", "values up", "values down", "payload up", "payload down"};

struct Constants {
  double nu1 = 1, rho = 0.5, c = 0.1;
  bool level = true;  // confidence by level, not by horizon
  double c1 = 1, delta = 1;
  bool together = true;
};

/// The algorithm in one place, with all that clients know in maps.
class Simulation {
 public:
  using Pull = std::pair<std::vector<double>, std::uint64_t>;
  struct Client {
    std::vector<Pull> pulls;             // of the same point in a row: one entry
    std::vector<double> recommended;     // at the end
    std::optional<std::uint32_t> depth;  // of the deepest cell that its own search split
    std::vector<Cell> kept;
  };

  Simulation(const Problem& problem, const Partition& partition, const Constants& c)
      : clients(problem.clients()),
        problem_(problem),
        partition_(partition),
        c_(c),
        known_(problem.clients()) {
    for (std::size_t m = 0; m < clients.size(); ++m) {
      sources_.emplace_back(problem, m);
      clients[m].recommended = partition.point({0, 1});
    }
    if (c.together && clients.size() > 1) {
      search_together();
    } else {
      part(0, {1});
    }
  }

  std::vector<std::vector<std::uint64_t>> table;  // depth, cells, pulls, kept, steps, best
  std::optional<double> spread;                   // the last estimate
  std::vector<Client> clients;
  bool parted = false;
  bool parted_late = false;  // T ran out
  bool played = false;
  int refuted = 0;

 private:
  struct Samples {
    double sum = 0;
    std::uint64_t count = 0;
    double upper = std::numeric_limits<double>::infinity();  // of a leaf
  };
  struct Shared {
    double mean = 0;
    double variance = 0;
  };

  double width(std::uint32_t h) const { return c_.nu1 * std::pow(c_.rho, h); }
  double log_term(double evaluations, std::uint32_t h) const {
    if (!c_.level) return std::log(c_.c1 * static_cast<double>(problem_.budget()) / c_.delta);
    return std::max(1.0, std::log(evaluations * width(h) * width(h)));
  }
  double horizon() const { return static_cast<double>(problem_.budget()); }
  double all_evaluations() const { return horizon() * static_cast<double>(clients.size()); }
  double looks(double evaluations, std::uint32_t h) const {
    return std::max(1.0, std::ceil(c_.c * c_.c * log_term(evaluations, h) / (width(h) * width(h))));
  }
  double radius(double evaluations, std::uint32_t h, double n) const {
    return c_.c * std::sqrt(log_term(evaluations, h) / n);
  }
  std::uint64_t left(std::size_t m) const { return problem_.budget() - sources_[m].pulls(); }

  double pull(std::size_t m, Cell cell, std::uint64_t count) {
    const auto x = partition_.point(cell);
    auto& pulls = clients[m].pulls;
    if (!pulls.empty() && pulls.back().first == x)
      pulls.back().second += count;
    else
      pulls.emplace_back(x, count);
    return sources_[m].pull(x, count);
  }

  std::vector<std::uint64_t> children(const std::vector<std::uint64_t>& cells) const {
    std::vector<std::uint64_t> all;
    for (const auto i : cells)
      for (std::uint32_t j = 1; j <= partition_.children_per_cell(); ++j)
        all.push_back((i - 1) * partition_.children_per_cell() + j);
    return all;
  }

  void search_together() {
    const auto m_clients = clients.size();
    std::vector<std::uint64_t> cells{1};
    std::uint32_t h = 0;
    std::uint64_t steps = 0;
    double floor = -std::numeric_limits<double>::infinity();
    Cell best{};
    double noise = 0;
    double comparisons = 0;
    std::uint32_t kept_depth = 0;
    std::vector<std::uint64_t> kept = cells;
    for (;;) {  // levels
      do {
        cells = children(cells);
        ++h;
        if (cells.size() > problem_.budget() - steps) break;
      } while (h < partition_.max_depth() &&
               looks(all_evaluations(), h) * static_cast<double>(cells.size()) <=
                   static_cast<double>(m_clients));
      std::map<std::uint64_t, Shared> shared;
      for (const auto i : cells) shared[i];
      const auto enough = std::ceil(looks(all_evaluations(), h) / static_cast<double>(m_clients));
      double n = 0;
      while (n < enough && (n == 0 || shared.size() > 1)) {  // rounds
        const double p = std::min(enough - n, std::max(1.0, n));
        if (p * static_cast<double>(shared.size()) >
            static_cast<double>(problem_.budget() - steps)) {
          if (table.empty() || (spread && *spread > 0)) {
            parted_late = !table.empty();
            if (n == 0) return part(kept_depth, kept);
            kept.clear();
            for (const auto& [i, cell] : shared) kept.push_back(i);
            return part(h, kept);
          }
          return play(best);
        }
        std::map<std::uint64_t, std::vector<double>> means;
        for (std::size_t m = 0; m < m_clients; ++m) {
          double squares = 0;
          for (auto& [i, cell] : shared) {
            auto& own = known_[m][{h, i}];
            const auto half = static_cast<std::uint64_t>(p) / 2;
            const auto rest = static_cast<std::uint64_t>(p) - half;
            const double first = half > 0 ? pull(m, {h, i}, half) : 0;
            const double second = pull(m, {h, i}, rest);
            const auto compare = [&](double sum, std::uint64_t count) {
              const double d =
                  sum / static_cast<double>(count) - second / static_cast<double>(rest);
              squares +=
                  d * d / (1.0 / static_cast<double>(count) + 1.0 / static_cast<double>(rest));
              ++comparisons;
            };
            if (half > 0)
              compare(first, half);
            else if (own.count > 0)
              compare(own.sum, own.count);
            own.sum += first + second;
            own.count += half + rest;
            means[i].push_back((first + second) / p);
          }
          noise += squares;
        }
        std::uint64_t top = 0;
        for (auto& [i, cell] : shared) {
          double mean = 0;
          for (const double x : means[i]) mean += x;
          mean /= static_cast<double>(m_clients);
          cell.variance = 0;
          for (const double x : means[i])
            cell.variance += (x - mean) * (x - mean) / static_cast<double>(m_clients - 1);
          cell.mean = (cell.mean * n + mean * p) / (n + p);
          if (top == 0 || cell.mean > shared[top].mean) top = i;
        }
        n += p;
        const std::size_t asked = shared.size();
        steps += static_cast<std::uint64_t>(p) * asked;
        const double r = radius(all_evaluations(), h, static_cast<double>(m_clients) * n);
        for (const auto& [i, cell] : shared)
          if (cell.mean - r > floor) {
            floor = cell.mean - r;
            best = {h, i};
          }
        std::erase_if(shared,
                      [&](const auto& cell) { return cell.second.mean + (r + width(h)) < floor; });
        table.push_back({h, asked, static_cast<std::uint64_t>(p), shared.size(), steps, top});
        last_ = p;
        if (steps == problem_.budget()) {
          for (std::size_t m = 0; m < m_clients; ++m) settle_recommendation(m, h);
          return;
        }
        if (shared.empty()) return play(best);
      }
      cells.clear();
      double variance = 0;
      for (const auto& [i, cell] : shared) {
        cells.push_back(i);
        variance += cell.variance;
      }
      variance /= static_cast<double>(cells.size());
      kept_depth = h;
      kept = cells;
      if (comparisons > 0) {
        const double pairs = static_cast<double>((m_clients - 1) * cells.size());
        const double least =
            variance * (1 - 2 * std::sqrt(2 / pairs)) - noise / comparisons / last_;
        spread = std::sqrt(std::max(0.0, least));
        if (*spread > width(h + 1)) return part(h, cells);
      }
      if (h == partition_.max_depth()) return play(best);
    }
  }

  /// The budget ended with a round: a client recommends by the levels before.
  void settle_recommendation(std::size_t m, std::uint32_t depth) {
    double floor = -std::numeric_limits<double>::infinity();
    for (const auto& [cell, own] : known_[m]) {
      if (cell.depth == depth) continue;
      const double lower = lower_of(cell, own);
      if (!(lower > floor)) continue;
      floor = lower;
      clients[m].recommended = partition_.point(cell);
    }
  }
  double lower_of(Cell cell, const Samples& own) const {
    const auto n = static_cast<double>(own.count);
    return own.sum / n - radius(horizon(), cell.depth, n);
  }

  void play(Cell cell) {
    played = true;
    for (std::size_t m = 0; m < clients.size(); ++m) {
      if (left(m) > 0) pull(m, cell, left(m));
      clients[m].recommended = partition_.point(cell);
    }
  }

  void part(std::uint32_t depth, const std::vector<std::uint64_t>& cells) {
    parted = true;
    for (std::size_t m = 0; m < clients.size(); ++m) search_alone(m, depth, cells);
  }

  void search_alone(std::size_t m, std::uint32_t depth, const std::vector<std::uint64_t>& kept) {
    // All sampled cells bound f_m* from below. Leaves: those without a sampled descendant, but for
    // the kept ones, whose children are leaves in their place.
    std::map<Cell, Samples> leaves;
    double floor = -std::numeric_limits<double>::infinity();
    Cell best{};
    const auto note = [&](Cell cell, const Samples& own) {
      if (own.count == 0 || !(lower_of(cell, own) > floor)) return;
      floor = lower_of(cell, own);
      best = cell;
    };
    std::set<Cell> inner;
    const auto add_ancestors = [&](Cell cell) {
      while (cell.depth > 0) inner.insert(cell = partition_.parent(cell));
    };
    for (const auto& [cell, own] : known_[m]) add_ancestors(cell);
    for (const auto i : kept) {
      inner.insert({depth, i});
      add_ancestors({depth, i});
    }
    for (const bool last : {false, true})  // the kept ones of the last level before its others
      for (const auto& [cell, own] : known_[m]) {
        if (last != (cell.depth == depth && inner.count(cell) == 0)) continue;
        note(cell, own);
        if (inner.count(cell) == 0) leaves[cell] = own;
      }
    const std::uint64_t k = partition_.children_per_cell();
    const bool at_limit = depth == partition_.max_depth();
    std::uint64_t room = left(m);
    std::uint32_t deepest = 0;  // of those that were split
    const auto split = [&](Cell cell) {
      for (const auto i : children({cell.index})) leaves[{cell.depth + 1, i}] = {};
      deepest = std::max(deepest, cell.depth);
    };
    for (const auto i : kept) {
      if (at_limit || room < k) {
        leaves[{depth, i}] = known_[m].count({depth, i}) ? known_[m][{depth, i}] : Samples{};
        continue;
      }
      split({depth, i});
      room -= k;
    }

    const auto bound = [&](Cell cell, Samples& own) {
      if (own.count == 0) return;
      const auto n = static_cast<double>(own.count);
      own.upper = own.sum / n + radius(horizon(), cell.depth, n) + width(cell.depth);
    };
    for (auto& [cell, own] : leaves) bound(cell, own);
    const auto drop = [&] {
      std::erase_if(leaves, [&](const auto& leaf) { return leaf.second.upper < floor; });
    };
    while (left(m) > 0) {
      drop();
      if (leaves.empty()) {
        ++refuted;
        pull(m, best, left(m));
        break;
      }
      const auto at = std::max_element(  // ascending: the first of equals
          leaves.begin(),
          leaves.end(),
          [](const auto& a, const auto& b) { return a.second.upper < b.second.upper; });
      const Cell top = at->first;
      Samples& own = at->second;
      const auto pull_more = [&](std::uint64_t more) {
        own.sum += pull(m, top, more);
        own.count += more;
        note(top, own);
        bound(top, own);
      };
      const auto enough = looks(horizon(), top.depth);
      if (static_cast<double>(own.count) < enough && (leaves.size() > 1 || own.count == 0)) {
        pull_more(static_cast<std::uint64_t>(
            std::min({std::max(1.0, std::floor(static_cast<double>(own.count) / 4)),
                      enough - static_cast<double>(own.count),
                      static_cast<double>(left(m))})));
      } else if (top.depth == partition_.max_depth() || left(m) < k) {
        pull_more(left(m));
      } else {
        leaves.erase(at);
        split(top);
      }
    }
    drop();
    clients[m].recommended = partition_.point(best);
    clients[m].depth = deepest;
    for (const auto& leaf : leaves) clients[m].kept.push_back(leaf.first);
    if (leaves.empty()) clients[m].kept = {best};
  }

  const Problem& problem_;
  const Partition& partition_;
  Constants c_;
  std::vector<RewardSource> sources_;
  std::vector<std::map<Cell, Samples>> known_;  // by client
  double last_ = 1;                             // pulls of the last round
};

/// A client's pulls; of the same point in a row: one entry.
std::vector<Simulation::Pull> pulls_of(const RoleDriver& driver, std::uint32_t client) {
  std::vector<Simulation::Pull> pulls;
  for (const auto& p : driver.all<PullsObserved>(client + 1)) {
    if (!pulls.empty() && pulls.back().first == p.point)
      pulls.back().second += p.count;
    else
      pulls.emplace_back(p.point, p.count);
  }
  return pulls;
}

/// top - 2 |x - a|: (A) holds with nu1 = 1 and rho = 1/2, without slack at corners of cells.
std::shared_ptr<const Objective> tent(double top, double a) {
  return std::make_shared<FunctionObjective>(
      Box::cube(1, 0, 1),
      [top, a](std::span<const double> x) { return top - 2 * std::abs(x[0] - a); },
      top,
      std::vector<double>{a});
}

TEST_CASE("PF-PNE with reuse does what a plain simulation does, decision by decision", "[long]") {
  std::mt19937 random(51);
  const auto unit = [&] { return static_cast<double>(random() % 10000) / 10000; };
  int parted = 0;
  int parted_late = 0;
  int played = 0;
  int refuted = 0;
  int repeated_levels = 0;
  int deep = 0;
  for (int trial = 0; trial < 200; ++trial) {
    auto s = random_federation(random);
    if (trial % 4 == 0)  // the same for all: they never part for long
      for (auto& local : s.locals) local = s.locals.front();
    s.c = 0.02 + 0.3 * unit();
    s.budget = 2 + s.budget / 2;
    s.nu1 *= trial % 5 == 0 ? 0.2 : 1;  // too small: (A) fails
    const Constants constants{.nu1 = s.nu1,
                              .rho = s.rho,
                              .c = s.c,
                              .level = trial % 3 != 0,
                              .c1 = 1 + unit(),
                              .delta = s.delta,
                              .together = trial % 7 != 0};
    const auto problem = s.problem(static_cast<std::uint64_t>(trial));
    const Partition partition(problem.domain(), PartitionKind::cyclic, s.arity);
    const Simulation expected(problem, partition, constants);
    auto changes = s.changes();
    changes["c1"] = constants.c1;
    changes["confidence"] = std::string(constants.level ? "level" : "horizon");
    changes["together"] = constants.together;
    const auto protocol = make_protocol(pf_pne_reuse_algorithm(), &problem, s.clients, changes);
    RoleDriver driver(*protocol,
                      {.shuffled = trial % 2 == 0,
                       .duplicates = trial % 2 == 0 ? 0.3 : 0.0,
                       .seed = static_cast<std::uint32_t>(trial)});
    driver.run();
    INFO("trial " << trial << ": M " << s.clients << ", T " << s.budget << ", k " << s.arity
                  << ", c " << s.c << ", nu1 " << s.nu1 << ", rho " << s.rho << ", level "
                  << constants.level << ", noisy " << s.noisy);
    REQUIRE(driver.all_finished());
    REQUIRE(driver.pulls(s.clients) == std::vector<std::uint64_t>(s.clients, s.budget));
    REQUIRE(driver.evaluations_declared() == s.clients * s.budget);
    REQUIRE(rounds_table(driver) == expected.table);
    const auto outcome = driver.outcome(&problem);
    REQUIRE(outcome.estimates.size() == (expected.spread ? 1 : 0));
    if (expected.spread)
      REQUIRE(outcome.estimates.begin()->second == Approx(*expected.spread).margin(1e-9));
    for (std::uint32_t m = 0; m < s.clients; ++m) {
      INFO("client " << m);
      const auto& own = expected.clients[m];
      const auto pulls = pulls_of(driver, m);
      const auto [mine, theirs] =
          std::mismatch(pulls.begin(), pulls.end(), own.pulls.begin(), own.pulls.end());
      INFO("first difference at entry " << mine - pulls.begin() << " of " << pulls.size() << ", "
                                        << own.pulls.size());
      if (mine != pulls.end() && theirs != own.pulls.end())
        UNSCOPED_INFO(mine->first[0] << " x " << mine->second << ", expected " << theirs->first[0]
                                     << " x " << theirs->second);
      REQUIRE((mine == pulls.end() && theirs == own.pulls.end()));
      REQUIRE(driver.all<RecommendationObserved>(m + 1).back().point == own.recommended);
      const auto searches = driver.all<OwnSearchObserved>(m + 1);
      REQUIRE(searches.size() == (own.depth ? 1 : 0));
      if (!own.depth) continue;
      REQUIRE(searches[0].search.depth == *own.depth);
      REQUIRE((searches[0].search.kept == own.kept));
      deep += *own.depth > 5 ? 1 : 0;
    }
    REQUIRE(exact_counts(*protocol, outcome) == kExact);
    REQUIRE(broken_measurements(*protocol, outcome).empty());
    REQUIRE(within_forecast(*protocol, outcome));
    parted += expected.parted && !expected.table.empty() ? 1 : 0;
    parted_late += expected.parted_late ? 1 : 0;
    played += expected.played ? 1 : 0;
    refuted += expected.refuted;
    for (std::size_t i = 1; i < expected.table.size(); ++i)
      repeated_levels += expected.table[i][0] == expected.table[i - 1][0] ? 1 : 0;
  }
  CHECK(parted > 20);
  CHECK(parted_late > 5);
  CHECK(played > 10);
  CHECK(refuted > 10);
  CHECK(repeated_levels > 50);
  CHECK(deep > 50);
}

TEST_CASE("without noise every client keeps its own optimum's cell, whatever the others want") {
  int parted = 0;
  int below = 0;  // clients whose maximum is below the mean's: PF-PNE needs `safe` for them
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    std::mt19937 random(seed);
    const auto unit = [&] { return static_cast<double>(random() % 10000) / 10000; };
    std::vector<std::shared_ptr<const Objective>> locals;
    const double apart = seed % 3 == 0 ? 0.02 : 0.5;
    locals.push_back(tent(0.5, seed % 2 == 0 ? 0.25 : 0.5));  // at a corner of cells
    for (int m = 0; m < 5; ++m) locals.push_back(tent(0.55 + 0.3 * unit(), 0.25 + apart * unit()));
    const auto problem = make_problem(locals, 3000);
    const Partition partition(problem.domain(), PartitionKind::cyclic, 2);
    const auto protocol =
        make_protocol(pf_pne_reuse_algorithm(), &problem, 6, {{"c", 0.01 + 0.1 * unit()}});
    RoleDriver driver(*protocol);
    driver.run();
    REQUIRE(driver.all_finished());
    const auto searches = driver.all<OwnSearchObserved>();
    if (searches.empty()) continue;
    ++parted;
    REQUIRE(searches.size() == 6);
    for (const auto& own : searches) {
      const double a = locals[own.client]->maximisers()[0][0];
      bool kept = false;
      for (const auto& cell : own.search.kept) {
        const auto box = partition.bounds(cell);
        // A corner belongs to the cells on both sides of it: closed cells.
        kept = kept || (box.low[0] <= a && a <= box.high[0]);
      }
      INFO("seed " << seed << ", client " << own.client);
      REQUIRE(kept);
      below += *locals[own.client]->maximum() < problem.mean_maximum().value ? 1 : 0;
    }
  }
  CHECK(parted > 20);
  CHECK(below > 0);
}

TEST_CASE("clients that are alike never part, and search deeper together than one of them could") {
  std::uint32_t deepest_together = 0;
  std::uint32_t deepest_alone = 0;
  double together_regret = 0;
  double alone_regret = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto problem = make_problem(bowl(0.3, 0.8), 30, 3000, true, seed);
    const auto protocol = make_protocol(pf_pne_reuse_algorithm(), &problem, 30, {{"c", 0.5}});
    RoleDriver driver(*protocol);
    driver.run();
    CHECK(driver.all<OwnSearchObserved>().empty());
    deepest_together = std::max(deepest_together, driver.all<RoundEnded>(0).back().best->depth);
    const auto alone =
        make_protocol(pf_pne_reuse_algorithm(), &problem, 30, {{"c", 0.5}, {"together", false}});
    RoleDriver other(*alone);
    other.run();
    CHECK(other.all<RoundEnded>(0).empty());
    CHECK(other.sent().size() == 30);  // the one plan
    for (const auto& own : other.all<OwnSearchObserved>())
      deepest_alone = std::max(deepest_alone, own.search.depth);
    together_regret += driver.outcome(&problem).regret.local_cumulative;
    alone_regret += other.outcome(&problem).regret.local_cumulative;
  }
  CHECK(together_regret < alone_regret);
  CHECK(deepest_together > deepest_alone);
}

TEST_CASE("the estimate of how clients differ is near the truth, and 0 for those that don't") {
  // f_m(x) = a_m + something of x: the spread is the standard deviation of the a_m.
  const auto raised = [](double a) {
    return std::make_shared<FunctionObjective>(
        Box::cube(1, 0, 1),
        [a](std::span<const double> x) { return 0.4 + a - std::abs(x[0] - 0.37) / 4; },
        0.4 + a,
        std::vector<double>{0.37});
  };
  const auto& uniform = *find_noise("uniform");
  for (const double spread : {0.0, 0.1}) {
    std::vector<std::shared_ptr<const Objective>> locals;
    for (int m = 0; m < 40; ++m) locals.push_back(raised(m % 2 == 0 ? spread : -spread));
    const Problem problem(
        locals, uniform.make(default_parameters(uniform.parameters)), 20'000, Seed{1});
    const auto protocol = make_protocol(pf_pne_reuse_algorithm(), &problem, 40);
    RoleDriver driver(*protocol);
    driver.run();
    const double estimate = driver.outcome(&problem).estimates.at("estimated Delta");
    INFO("spread " << spread << ", estimate " << estimate);
    // The sample variance of 40 of them is 40 / 39 of the spread's square; what is taken off for
    // confidence is at most 2 sqrt(2 / 39) of it and the noise's.
    CHECK(estimate <= spread * std::sqrt(40.0 / 39) * 1.05);
    CHECK(estimate >= spread * 0.6);
    CHECK(driver.all<OwnSearchObserved>().empty() == (spread == 0));
  }
}

TEST_CASE("messages: a phase plan and spread means, 16 bytes and 8 a cell each") {
  const auto problem = make_problem({garland(-0.03), garland(0.02), garland(0.04)}, 2000, true);
  const auto protocol = make_protocol(pf_pne_reuse_algorithm(), &problem, 3);
  RoleDriver driver(*protocol);
  driver.run();
  std::uint64_t plans = 0;
  std::uint64_t uploads = 0;
  std::optional<PhasePlan> last;
  for (const auto& sent : driver.sent()) {
    const auto& payload = sent.message.payload;
    if (const auto* plan = sent.message.get<PhasePlan>()) {
      CHECK(payload.size_bytes() == 16 + 8 * plan->index.size());
      CHECK(payload.values() == 2 * plan->index.size());
      last = *plan;
      ++plans;
    } else {
      const auto* means = sent.message.get<SpreadMeans>();
      REQUIRE(means != nullptr);
      CHECK(payload.size_bytes() == 16 + 8 * means->means.size());
      CHECK(payload.values() == 1 + means->means.size());
      CHECK(sent.to == NodeId{0});
      ++uploads;
    }
  }
  const auto rounds = driver.all<RoundEnded>(0).size();
  CHECK(uploads == 3 * rounds);
  CHECK(plans == 3 * (rounds + 1));
  REQUIRE(last);
  CHECK((last->pulls == 0 || last->pulls == std::numeric_limits<std::uint32_t>::max()));
}

TEST_CASE(
    "PF-PNE with reuse breaks no bound with tiny budgets, extreme parameters or at the depth "
    "limit") {
  for (std::uint64_t budget = 1; budget <= 80; ++budget)
    for (const std::uint32_t clients : {1, 4}) {
      const auto problem = make_problem(garland(), clients, budget, true);
      const auto protocol = make_protocol(pf_pne_reuse_algorithm(), &problem, clients);
      RoleDriver driver(*protocol);
      driver.run();
      REQUIRE(driver.all_finished());
      REQUIRE(driver.pulls(clients) == std::vector<std::uint64_t>(clients, budget));
      REQUIRE(exact_counts(*protocol, driver.outcome(&problem)) == kExact);
      REQUIRE(broken_measurements(*protocol, driver.outcome(&problem)).empty());
      REQUIRE(within_forecast(*protocol, driver.outcome(&problem)));
    }
  const auto steep = make_problem(cliff(), 2, 5000);
  for (const bool together : {false, true}) {
    const auto protocol = make_protocol(
        pf_pne_reuse_algorithm(), &steep, 2, {{"nu1", 30.0}, {"rho", 0.9}, {"together", together}});
    RoleDriver driver(*protocol);
    driver.run();
    REQUIRE(driver.all_finished());
    CHECK(driver.pulls(2) == std::vector<std::uint64_t>{5000, 5000});
    const Partition intervals(Box::cube(1, 0, 1), PartitionKind::cyclic, 2);
    CHECK(driver.all<PullsObserved>(1).back().point == intervals.point({62, 1}));
    CHECK(broken_measurements(*protocol, driver.outcome()).empty());
  }
  const auto problem = make_problem({garland(), garland(0.05), garland(-0.1)}, 60, true);
  for (const double nu1 : {1e-100, 1e-3, 1.0, 1e100})
    for (const double rho : {1e-6, 0.5, 1 - 1e-9})
      for (const double c : {1e-100, 0.1, 1e100})
        for (const auto* confidence : {"level", "horizon"}) {
          const auto protocol = make_protocol(
              pf_pne_reuse_algorithm(),
              &problem,
              3,
              {{"nu1", nu1}, {"rho", rho}, {"c", c}, {"confidence", std::string(confidence)}});
          RoleDriver driver(*protocol);
          driver.run();
          INFO("nu1 " << nu1 << ", rho " << rho << ", c " << c << ", " << confidence);
          REQUIRE(driver.all_finished());
          REQUIRE(driver.pulls(3) == std::vector<std::uint64_t>{60, 60, 60});
          REQUIRE(broken_measurements(*protocol, driver.outcome(&problem)).empty());
          REQUIRE(within_forecast(*protocol, driver.outcome(&problem)));
        }
}

TEST_CASE("children that the budget can't reach aren't made", "[long]") {
  // 2^16 children of the root: more than there are pulls; their children wouldn't fit into memory.
  const auto f = std::make_shared<FunctionObjective>(
      Box::cube(16, 0, 1),
      [](std::span<const double> x) { return 1 - (x[0] - 0.3) * (x[0] - 0.3); },
      1.0,
      std::vector<double>(16, 0.3));
  for (const std::uint64_t budget : {1000, 70'000})
    for (const bool together : {false, true}) {
      const auto problem = make_problem(f, 2, budget);
      const auto protocol = make_protocol(
          pf_pne_reuse_algorithm(),
          &problem,
          2,
          {{"partition", std::string("dimwise")}, {"nu1", 10.0}, {"together", together}});
      RoleDriver driver(*protocol);
      driver.run();
      REQUIRE(driver.all_finished());
      CHECK(driver.pulls(2) == std::vector<std::uint64_t>{budget, budget});
      CHECK(broken_measurements(*protocol, driver.outcome()).empty());
    }
}

TEST_CASE("PF-PNE with reuse refuses what its formulas can't carry") {
  const auto& spec = pf_pne_reuse_algorithm();
  auto parameters = default_parameters(spec.parameters);
  const auto problem = make_problem(garland(), 2, 10);
  const ProtocolContext context{2, Seed{1}, {}, &problem};
  CHECK(spec.validate(parameters, context).empty());
  parameters.set("c1", 0.01);
  CHECK(spec.validate(parameters, context).empty());  // not used
  parameters.set("confidence", std::string("horizon"));
  CHECK(spec.validate(parameters, context).size() == 1);
  const auto endless = make_problem(garland(), 2, std::uint64_t{1} << 32);
  CHECK(spec.validate(default_parameters(spec.parameters), {2, Seed{1}, {}, &endless}).size() == 1);
}

TEST_CASE("a stalled round of PF-PNE with reuse names who is missing") {
  const auto problem = make_problem(garland(), 4, 500, true);
  const auto protocol = make_protocol(pf_pne_reuse_algorithm(), &problem, 4);
  check_report_of_lost_answer(*protocol, "SpreadMeans of round 1", "PhasePlan of round 1");
}

TEST_CASE("the decisions of PF-PNE with reuse don't depend on the network") {
  const auto& algorithm = pf_pne_reuse_algorithm();
  for (std::uint64_t number = 0; number < 60; ++number) {
    const auto clients = static_cast<std::uint32_t>(1 + number % 5);
    const auto problem = make_problem("garland", clients, 300, Seed{number}, 0.05);
    Run run(algorithm, default_parameters(algorithm.parameters), clients, Seed{number}, &problem);
    const auto faulty = check_faults_change_no_decision(run, number);
    CHECK(broken_measurements(*run.protocol, faulty).empty());
  }
}

}  // namespace
}  // namespace posse::test_pf_pne_reuse
