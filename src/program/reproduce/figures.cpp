#include "program/reproduce/figures.hpp"

#include <algorithm>

namespace posse {
namespace {

constexpr std::string_view kParallelPaper =
    "Chen, Liu, Zhang, Li, \"A parallel algorithm for X-armed bandits\"";
constexpr std::string_view kFederatedPaper =
    "Li, Song, Honorio, Lin, \"Federated X-armed bandit\" (AAAI 2024)";
constexpr std::string_view kPersonalizedPaper =
    "Li, Song, Honorio, \"Personalized federated X-armed bandit\" (AISTATS 2024)";

constexpr std::string_view kGlobal = "cumulative_regret_global";
constexpr std::string_view kLocal = "cumulative_regret_local";
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

// --- Fed-PNE ---

constexpr std::string_view kFedPneBest = "Fed-PNE has the smallest cumulative regret";
constexpr std::string_view kBeatsFederated =
    "it has an advantage over prior federated multi-armed bandits";
constexpr std::string_view kSublinear =
    "Fed-PNE's cumulative regret is sublinear in the evaluation budget";
constexpr std::string_view kLogRounds =
    "it requires only logarithmic communications between server and clients";

constexpr std::string_view kFederatedUnstated =
    "The paper states neither the number of clients, nor the horizon, nor the size of the clients' "
    "random perturbations, nor the noise. Here: 10 clients, 10000 evaluations each, shifts of "
    "standard deviation 0.05 of the range, uniform noise of half-width 0.1; nu1 = 1, rho = 0.5, "
    "c = 0.1 as its authors' later paper says they used.";
constexpr std::string_view kFederatedRealUnstated =
    "The paper states neither the number of clients nor the horizon: 10 clients, 10000 evaluations "
    "each here; nu1 = 1, rho = 0.5, c = 0.1 as its authors' later paper says they used.";
constexpr std::string_view kInvalidConstants =
    "nu1 = 1, rho = 0.5 isn't a valid smoothness of this objective: the theory's guarantee doesn't "
    "cover this run, and a cell with the maximum can be lost.";
constexpr std::string_view kCentralHct =
    "HCT at the server (hct-central) asks all clients about one point at every step and learns "
    "from "
    "the mean of their rewards, as the paper's Remark 10 has it: as many rounds as evaluations and "
    "hundreds of times Fed-PNE's bytes. That is what its regret costs; the paper plots it above "
    "Fed-PNE's without saying how its rewards were averaged.";
constexpr std::string_view kArmsLuck =
    "GP-TS, Fed1-UCB and FN-UCB play random arms, drawn anew in every repetition: their spread is "
    "the luck of the best arm drawn. The arms of GP-TS aren't stated in the paper; here they are "
    "Fed1-UCB's. FN-UCB synchronises when its criterion exceeds 5, not at every step as the "
    "published code does (which costs hundreds of times the bytes).";

std::vector<Claim> federated_claims() {
  return {{kFedPneBest, Smallest{kGlobal, "fed-pne"}},
          {kBeatsFederated, Below{kGlobal, "fed-pne", "fed1-ucb"}},
          {kBeatsFederated, Below{kGlobal, "fed-pne", "fn-ucb"}},
          {kSublinear, Sublinear{kGlobal, "fed-pne"}},
          {kLogRounds, WithinBound{"rounds", "fed-pne"}}};
}

PaperFigure federated(std::string_view name,
                      std::string_view number,
                      std::string_view summary,
                      std::string_view scenario,
                      std::vector<std::string_view> notes) {
  notes.insert(notes.end(), {kCentralHct, kArmsLuck});
  return {.name = name,
          .paper = kFederatedPaper,
          .number = number,
          .summary = summary,
          .scenario = scenario,
          .quick = {"budget.evaluations_per_client=1000"},
          .plots = {{"regret"}, {"pareto"}, {"communication"}},
          .claims = federated_claims(),
          .notes = std::move(notes)};
}

// --- PF-PNE ---

constexpr std::string_view kPfPneBest = "PF-PNE has the smallest averaged cumulative regret";
constexpr std::string_view kFedPneFar =
    "Fed-PNE, made for the global objective, is far from satisfactory, although better than "
    "Fed1-UCB and FN-UCB";
constexpr std::string_view kSlightlyBetter =
    "PF-PNE performs slightly better than HCT and much better than Fed-PNE";
constexpr std::string_view kSimilar = "PF-PNE performs similarly as HCT and Fed-PNE";
constexpr std::string_view kPlateau =
    "the communication cost of PF-PNE stops to increase after a certain point";
constexpr std::string_view kGrowth = "the communication cost of Fed-PNE keeps increasing";
constexpr std::string_view kBestAtLength =
    "PF-PNE has a smaller averaged cumulative regret than Fed-PNE (the claim of Figures 1 and 2, "
    "here over ten times the evaluations)";

constexpr std::string_view kPersonalizedUnstated =
    "The paper states neither the number of clients, nor the horizon, nor the size of the shifts, "
    "nor the noise. Here: 10 clients, 10000 evaluations each, shifts of standard deviation 0.05 of "
    "the range, uniform noise of half-width 0.1; nu1 = 1, rho = 0.5, c = 0.1, c1 = 1, Delta = 0.01 "
    "as it says.";
constexpr std::string_view kPaysTwice =
    "Run as published, PF-PNE pays for every shallow cell again in its second stage, each client "
    "alone and with the full number of looks: at 10000 evaluations that outweighs what the first "
    "stage saved. Fed-PNE's regret grows by a constant at every step (a client's maximum less what "
    "the common one is worth to it), so that PF-PNE comes out ahead in the long run; the larger "
    "the clients' difference, the sooner. HCT run by each client alone doesn't pay that.";
constexpr std::string_view kTrueDelta =
    "Delta = 0.01 is no bound on the difference of the clients' maxima here (see `true Delta` in "
    "results.json): the theorems don't cover these runs, and a client can lose its optimum's cell.";
constexpr std::string_view kNetworkBandit =
    "Fed1-UCB and FN-UCB play random arms, 20 per dimension or 1000 in all, drawn anew in every "
    "repetition. Fed1-UCB's first phase alone pulls each arm 10 ln T times: with 400 or 1000 arms "
    "it never ends. FN-UCB synchronises when its criterion exceeds 5.";

PaperFigure personalized(std::string_view name,
                         std::string_view number,
                         std::string_view summary,
                         std::string_view scenario,
                         std::vector<Claim> claims) {
  return {.name = name,
          .paper = kPersonalizedPaper,
          .number = number,
          .summary = summary,
          .scenario = scenario,
          .quick = {"budget.evaluations_per_client=1000"},
          .plots = {{"regret", Scope::local}, {"pareto", Scope::local}, {"communication"}},
          .claims = std::move(claims),
          .notes = {kPersonalizedUnstated, kPaysTwice, kTrueDelta, kNetworkBandit}};
}

/// Figure 3 over ten times the evaluations of Figures 1 and 2, so that what stops has stopped.
PaperFigure communication(std::string_view name,
                          std::string_view number,
                          std::string_view summary,
                          std::string_view scenario) {
  return {.name = name,
          .paper = kPersonalizedPaper,
          .number = number,
          .summary = summary,
          .scenario = scenario,
          .set = {"budget.evaluations_per_client=100000"},
          .only = {"pf-pne", "fed-pne", "hct-local"},
          .quick = {"budget.evaluations_per_client=10000"},
          .plots = {{"communication"}, {"communication-values"}, {"regret", Scope::local}},
          .claims = {{kGrowth, SendsLate{"fed-pne", true, 0.1}},
                     {kPlateau, SendsLate{"pf-pne", false, 0.1}},
                     {kBestAtLength, Below{kLocal, "pf-pne", "fed-pne"}}},
          .notes = {kPersonalizedUnstated,
                    "Here 100000 evaluations: PF-PNE's first stage, the only one that sends "
                    "anything, ends after some 2000, while a phase of Fed-PNE ends less and less "
                    "often, but ever again.",
                    kPaysTwice,
                    kTrueDelta}};
}

std::vector<PaperFigure> make_figures() {
  const Claim best{kPfPneBest, Smallest{kLocal, "pf-pne"}};
  const Claim below_fed_pne{kFedPneFar, Below{kLocal, "pf-pne", "fed-pne"}};
  const Claim above_fed1{kFedPneFar, Below{kLocal, "fed-pne", "fed1-ucb"}};
  const Claim above_fn{kFedPneFar, Below{kLocal, "fed-pne", "fn-ucb"}};
  std::vector<PaperFigure> figures{
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
      federated("p1-fig2a-garland",
                "Figure 2(a)",
                "cumulative regret of Fed-PNE and its competitors on Garland",
                "papers/p1_fig2a_garland.toml",
                {kFederatedUnstated, kInvalidConstants}),
      federated("p1-fig2b-doublesine",
                "Figure 2(b)",
                "cumulative regret of Fed-PNE and its competitors on DoubleSine",
                "papers/p1_fig2b_doublesine.toml",
                {kFederatedUnstated, kInvalidConstants}),
      federated(
          "p1-fig2c-landmine",
          "Figure 2(c)",
          "cumulative regret of Fed-PNE and its competitors, tuning support vector machines",
          "papers/p1_fig2c_landmine.toml",
          {kFederatedRealUnstated,
           "Rewards are the exact AUC of the decision function; the published scripts rank by "
           "Platt-scaled probabilities, which are random and can be reversed."}),
      federated("p1-fig2d-doses",
                "Figure 2(d)",
                "cumulative regret of Fed-PNE and its competitors, fractional vaccine doses",
                "papers/p1_fig2d_doses.toml",
                {kFederatedRealUnstated,
                 "The paper gives neither its epidemic model nor its countries; ours is documented "
                 "(`posse describe doses`) and smoother than its mention of intensive-care units "
                 "suggests."}),
      personalized("p3-fig1a-garland",
                   "Figure 1(a)",
                   "local regret of PF-PNE and its competitors on Garland",
                   "papers/p3_fig1a_garland.toml",
                   {best, below_fed_pne, above_fed1, above_fn}),
      personalized("p3-fig1b-himmelblau",
                   "Figure 1(b)",
                   "local regret of PF-PNE and its competitors on Himmelblau",
                   "papers/p3_fig1b_himmelblau.toml",
                   {best}),
      personalized("p3-fig1c-rastrigin",
                   "Figure 1(c)",
                   "local regret of PF-PNE and its competitors on Rastrigin in ten dimensions",
                   "papers/p3_fig1c_rastrigin.toml",
                   {best, below_fed_pne, above_fed1, above_fn}),
      personalized("p3-fig1d-landmine",
                   "Figure 1(d)",
                   "local regret of PF-PNE and its competitors, tuning support vector machines",
                   "papers/p3_fig1d_landmine.toml",
                   {best}),
      personalized("p3-fig2a-doublesine",
                   "Figure 2(a)",
                   "local regret of PF-PNE and its competitors on DoubleSine",
                   "papers/p3_fig2a_doublesine.toml",
                   {{kSlightlyBetter, Below{kLocal, "pf-pne", "hct-local"}},
                    {kSlightlyBetter, Below{kLocal, "pf-pne", "fed-pne"}}}),
      personalized("p3-fig2b-ackley",
                   "Figure 2(b)",
                   "local regret of PF-PNE and its competitors on Ackley",
                   "papers/p3_fig2b_ackley.toml",
                   {{kSimilar, Similar{kLocal, "pf-pne", "hct-local", 0.2}},
                    {kSimilar, Similar{kLocal, "pf-pne", "fed-pne", 0.2}}}),
      communication("p3-fig3a-garland",
                    "Figure 3(a)",
                    "communication of Fed-PNE and PF-PNE on Garland",
                    "papers/p3_fig1a_garland.toml"),
      communication("p3-fig3b-himmelblau",
                    "Figure 3(b)",
                    "communication of Fed-PNE and PF-PNE on Himmelblau",
                    "papers/p3_fig1b_himmelblau.toml"),
      communication("p3-fig3c-rastrigin",
                    "Figure 3(c)",
                    "communication of Fed-PNE and PF-PNE on Rastrigin in ten dimensions",
                    "papers/p3_fig1c_rastrigin.toml"),
      communication("p3-fig3d-ackley",
                    "Figure 3(d)",
                    "communication of Fed-PNE and PF-PNE on Ackley",
                    "papers/p3_fig2b_ackley.toml"),
  };
  for (auto& figure : figures)
    if (figure.name.ends_with("landmine")) figure.data = "landmine.csv";
  return figures;
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
