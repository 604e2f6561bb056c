#include "program/reproduce/figures.hpp"

#include <algorithm>

namespace posse {
namespace {

constexpr std::string_view kParallelPaper =
    "Chen, Liu, Zhang, Li, \"A parallel algorithm for X-armed bandits\"";
constexpr std::string_view kFederatedPaper =
    "Li, Song, Honorio, Lin, \"Federated X-armed bandit\" (AAAI 2024)";

constexpr std::string_view kGlobal = "cumulative_regret_global";
constexpr std::string_view kSimple = "simple_regret_global";

constexpr std::string_view kSpeedUp =
    "the algorithm has an obvious speed-up related to the number of players";
constexpr std::string_view kFourBeatsOne = "4 players outperform 1 player by a large margin";
constexpr std::string_view kSixteenBeatsFour = "16 players also outperform 4";
constexpr std::string_view kFewRounds =
    "the number of communication rounds is rather small: O(log(m n)), so that the cost of "
    "communication can be ignored";

constexpr std::string_view kParallelUnstated =
    "The paper states neither nu1, rho and delta nor the bounds of its truncated noise. Here "
    "(nu1, rho) are constants for which the theory holds, delta = 1/n, and N(0, 1) is cut "
    "symmetrically, so that rewards stay in [0, 1] without a bias.";
constexpr std::string_view kGridLuck =
    "On one fixed objective the loss at the end is that of a grid of cell centres: which grid lies "
    "luckier says more than the number of players, and repetitions, which share the objective, "
    "can't average that out. The speed-up proper is in the evaluations that a round needs.";
constexpr std::string_view kSpeedUpCeiling =
    "m players speed a level up m times only while it takes each of them more than one look per "
    "cell; \"more than m times\" in the paper's discussion can't be.";

std::vector<Claim> parallel_claims(double four_times) {
  return {{kFourBeatsOne, LowerCurve{kSimple, "parallel-4", "parallel-1"}},
          {kFourBeatsOne, Below{kSimple, "parallel-4", "parallel-1"}},
          {kSixteenBeatsFour, LowerCurve{kSimple, "parallel-16", "parallel-4"}},
          {kSixteenBeatsFour, Below{kSimple, "parallel-16", "parallel-4"}},
          {kSpeedUp, FewerEvaluations{"parallel-4", "parallel-1", four_times}},
          {kSpeedUp, FewerEvaluations{"parallel-16", "parallel-4", 1}},
          {kFewRounds, WithinBound{"rounds", "parallel-16"}}};
}

constexpr std::string_view kFedPneBest = "Fed-PNE has the smallest cumulative regret";
constexpr std::string_view kSublinear =
    "Fed-PNE's cumulative regret is sublinear in the evaluation budget";
constexpr std::string_view kLogRounds =
    "it requires only logarithmic communications between server and clients";

constexpr std::string_view kFederatedUnstated =
    "The paper states neither the number of clients, nor the horizon, nor the size of the clients' "
    "random perturbations, nor the noise. Here: 10 clients, 10000 evaluations each, shifts of "
    "standard deviation 0.05 of the range, uniform noise of half-width 0.1; nu1 = 1, rho = 0.5, "
    "c = 0.1 as its authors' later paper says they used.";
constexpr std::string_view kInvalidConstants =
    "nu1 = 1, rho = 0.5 isn't a valid smoothness of this objective: the theory's guarantee doesn't "
    "cover this run, and a cell with the maximum can be lost.";

std::vector<PaperFigure> make_figures() {
  return {
      {.name = "p0-fig2a-sine",
       .paper = kParallelPaper,
       .number = "Figure 2, left",
       .summary = "loss of 1, 4 and 16 players on the sine function",
       .scenario = "papers/parallel_sine.toml",
       .plots = {{"simple-regret"}, {"communication"}},
       .claims = parallel_claims(3),
       .notes = {kParallelUnstated, kGridLuck, kSpeedUpCeiling}},
      {.name = "p0-fig2b-garland",
       .paper = kParallelPaper,
       .number = "Figure 2, right",
       .summary = "loss of 1, 4 and 16 players on Garland",
       .scenario = "papers/parallel_garland.toml",
       .set = {"objective.heterogeneity={ kind = \"none\" }"},
       .plots = {{"simple-regret"}, {"communication"}},
       .claims = parallel_claims(3),
       .notes = {kParallelUnstated, kGridLuck, kSpeedUpCeiling}},
      {.name = "p0-fig2b-garland-shifted",
       .paper = kParallelPaper,
       .number = "Figure 2, right",
       .summary = "the same, shifted anew in every repetition: without the luck of one grid",
       .scenario = "papers/parallel_garland.toml",
       .set = {"repeat=50"},
       .plots = {{"simple-regret"}, {"communication"}},
       .claims = parallel_claims(3),
       .notes =
           {kParallelUnstated,
            "Every repetition shifts the objective, the same for all players, so that the mean "
            "over repetitions is over the luck of the grid.",
            kSpeedUpCeiling}},
      {.name = "p1-fig2a-garland",
       .paper = kFederatedPaper,
       .number = "Figure 2(a)",
       .summary = "cumulative regret of Fed-PNE and its competitors on Garland",
       .scenario = "papers/p1_fig2a_garland.toml",
       .plots = {{"regret"}, {"pareto"}, {"communication"}},
       .claims = {{kFedPneBest, Smallest{kGlobal, "fed-pne"}},
                  {kSublinear, Sublinear{kGlobal, "fed-pne"}},
                  {kLogRounds, WithinBound{"rounds", "fed-pne"}}},
       .notes = {kFederatedUnstated, kInvalidConstants}},
      {.name = "p1-fig2b-doublesine",
       .paper = kFederatedPaper,
       .number = "Figure 2(b)",
       .summary = "cumulative regret of Fed-PNE and its competitors on DoubleSine",
       .scenario = "papers/p1_fig2b_doublesine.toml",
       .plots = {{"regret"}, {"pareto"}, {"communication"}},
       .claims = {{kFedPneBest, Smallest{kGlobal, "fed-pne"}},
                  {kSublinear, Sublinear{kGlobal, "fed-pne"}},
                  {kLogRounds, WithinBound{"rounds", "fed-pne"}}},
       .notes = {kFederatedUnstated, kInvalidConstants}},
  };
}

}  // namespace

const std::vector<PaperFigure>& paper_figures() {
  static const std::vector<PaperFigure> all = make_figures();
  return all;
}

const PaperFigure* find_figure(std::string_view name) {
  const auto& all = paper_figures();
  const auto it =
      std::find_if(all.begin(), all.end(), [&](const PaperFigure& f) { return f.name == name; });
  return it == all.end() ? nullptr : &*it;
}

}  // namespace posse
