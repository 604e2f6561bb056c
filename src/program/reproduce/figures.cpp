// SPDX-License-Identifier: Apache-2.0
#include "program/reproduce/figures.hpp"

#include <algorithm>
#include <array>

#include "program/reproduce/more_figures.hpp"

namespace posse {
namespace {

constexpr std::string_view kGlobal = "cumulative_regret";
constexpr std::string_view kLocal = "local_cumulative_regret";
constexpr std::string_view kSimple = "simple_regret";

constexpr std::string_view kSpeedUp =
    "the algorithm has an obvious speed-up related to the number of players";
constexpr std::string_view kFourBeatsOne = "4 players outperform 1 player by a large margin";
constexpr std::string_view kSixteenBeatsFour = "16 players also outperform 4";
constexpr std::string_view kParallelUnstated =
    "The paper states neither nu1, rho and delta nor the bounds of its truncated noise. Here (nu1, "
    "rho) are constants for which the theory holds, delta = 1/n, and N(0, 1) is truncated "
    "symmetrically, so that rewards stay in [0, 1] without bias.";
constexpr std::string_view kGridLuck =
    "On one fixed objective the final loss is that of a grid of cell centres. It depends on how "
    "close the grid is to the maximum more than on the number of players, and repetitions do not "
    "average this out, because they have the same objective. The speed-up shows in the evaluations "
    "per round.";
constexpr std::string_view kSameLevel =
    "With these constants 4 and 16 players both complete five levels in 1600 steps, 16 players "
    "slightly earlier: they end on the same grid, with the same loss.";
constexpr std::string_view kSpeedUpCeiling =
    "m players complete a level m times faster only while each of them evaluates every cell more "
    "than once; the \"more than m times\" of the paper's discussion is impossible (see PAPERS.md, "
    "parallel-4).";

std::vector<Claim> parallel_claims(double four_times) {
  return {{kFourBeatsOne, LowerCurve{kSimple, "parallel-4", "parallel-1"}},
          {kFourBeatsOne, Below{kSimple, "parallel-4", "parallel-1"}},
          {kSixteenBeatsFour, LowerCurve{kSimple, "parallel-16", "parallel-4"}},
          {kSixteenBeatsFour, Below{kSimple, "parallel-16", "parallel-4"}},
          {kSpeedUp, FewerEvaluations{"parallel-4", "parallel-1", four_times}},
          {kSpeedUp, FewerEvaluations{"parallel-16", "parallel-4", 1}}};
}

// --- Fed-PNE ---

constexpr std::string_view kFedPneBest = "Fed-PNE has the smallest cumulative regret";
constexpr std::string_view kFastest = "Fed-PNE achieves the fastest convergence";
constexpr std::string_view kBeatsCentral = "it has an advantage over centralized algorithms";
constexpr std::string_view kBeatsFederated =
    "it has an advantage over prior federated multi-armed bandits";
constexpr std::string_view kSublinear =
    "Fed-PNE's cumulative regret is sublinear in the evaluation budget";
constexpr std::string_view kFederatedUnstated =
    "The paper states neither the number of clients, nor the horizon, nor the size of the clients' "
    "random perturbations, nor the noise. Here: 10 clients, 10000 evaluations each, shifts with a "
    "standard deviation of 0.05 of the range, uniform noise of half-width 0.1; nu1 = 1, rho = 0.5, "
    "c = 0.1 as in the later paper by its authors.";
constexpr std::string_view kFederatedRealUnstated =
    "The paper states neither the number of clients nor the horizon. Here: 10 clients, 10000 "
    "evaluations each; nu1 = 1, rho = 0.5, c = 0.1 as in the later paper by its authors.";
constexpr std::string_view kInvalidConstants =
    "nu1 = 1, rho = 0.5 are not valid smoothness constants of this objective: the theory's "
    "guarantee does not cover this run, and a cell with the maximum can be eliminated. The "
    "scenario also has fed-pne-valid with valid constants, which explores more and has a larger "
    "regret.";
constexpr std::string_view kCentralHct =
    "HCT at the server (hct-central) evaluates one point at all clients in every step and learns "
    "from the mean reward, as in the paper's Remark 10. It takes a round per evaluation and at "
    "least a hundred times the bytes of Fed-PNE. In the paper its regret is above Fed-PNE's; the "
    "paper does not state how its rewards were averaged.";
constexpr std::string_view kArmsLuck =
    "GP-TS, Fed1-UCB and FN-UCB play random arms, drawn anew in every repetition: their spread is "
    "that of the best arm drawn. The paper does not state the arms of GP-TS; here they are those "
    "of Fed1-UCB. FN-UCB synchronises when its criterion exceeds 5, not at every step as the "
    "published code does, which would cost about sixty times the bytes.";
constexpr std::string_view kLinearScale =
    "On the linear scale of the published scripts the good points, gamma < 0.05, are 0.4 percent "
    "of the domain: after 10000 evaluations the outermost cell centres of Fed-PNE still have gamma "
    "> 0.6. Regrets grow almost linearly and depend on the random arms: FN-UCB comes close to its "
    "best arm. With --set 'objective.scale=\"log\"' regrets are smaller, and HCT stays ahead of "
    "Fed-PNE and PF-PNE.";
constexpr std::string_view kExactAuc =
    "Rewards are the exact AUC of the decision function; the published scripts rank by "
    "Platt-scaled probabilities, which are random and can reverse the order.";

PaperFigure federated(std::string_view name,
                      std::string_view number,
                      std::string_view summary,
                      std::string_view scenario,
                      std::string_view claim,
                      std::vector<std::string_view> notes) {
  notes.insert(notes.end(), {kCentralHct, kArmsLuck});
  return {.name = name,
          .paper = kFederatedPaper,
          .number = number,
          .summary = summary,
          .scenario = scenario,
          .only = {"fed-pne", "hct-central", "gp-ts", "fed1-ucb", "fn-ucb"},
          .quick = {"budget.evaluations_per_client=1000"},
          .plots = {{"regret"}, {"pareto"}, {"communication"}},
          .claims = {{claim, Smallest{kGlobal, "fed-pne"}},
                     {kBeatsCentral, Below{kGlobal, "fed-pne", "hct-central"}},
                     {kBeatsCentral, Below{kGlobal, "fed-pne", "gp-ts"}},
                     {kBeatsFederated, Below{kGlobal, "fed-pne", "fed1-ucb"}},
                     {kBeatsFederated, Below{kGlobal, "fed-pne", "fn-ucb"}},
                     {kSublinear, Sublinear{kGlobal, "fed-pne"}}},
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
    "PF-PNE has a smaller averaged cumulative regret than Fed-PNE and HCT (the claim of Figures 1 "
    "and 2, here over ten times the evaluations)";

constexpr std::string_view kPersonalizedUnstated =
    "The paper states neither the number of clients, nor the horizon, nor the size of the shifts, "
    "nor the noise. Here: 10 clients, 10000 evaluations each (100000 for Figure 3, so that the "
    "communication of PF-PNE has ended), shifts with a standard deviation of 0.05 of the range, "
    "uniform noise of half-width 0.1; nu1 = 1, rho = 0.5, c = 0.1, c1 = 1, Delta = 0.01 as stated.";
constexpr std::string_view kPaysTwice =
    "As published, PF-PNE evaluates every shallow cell again in its second stage, each client "
    "alone and with the full number of pulls: at 10000 evaluations this outweighs the savings of "
    "the first stage. The local regret of Fed-PNE grows by a constant at every step (a client's "
    "maximum minus its value at the common maximiser), so that PF-PNE is better in the long run; "
    "the larger the difference of the clients, the sooner. HCT run by each client alone does not "
    "have this cost.";
constexpr std::string_view kNearlyEqual =
    "Four broad maxima make the clients' maxima nearly equal (true Delta 0.012): one point is good "
    "for all clients, Fed-PNE loses little by using it, and the second stage of PF-PNE gains "
    "nothing for its cost.";
constexpr std::string_view kTenDimensions =
    "In ten dimensions no algorithm gets far: with binary cuts, as in the paper's software, ten "
    "levels halve each dimension once. The first stage of PF-PNE eliminates none of its 127 cells, "
    "and its second stage does not complete a level even in 100000 evaluations; simple regrets "
    "stay near half the range. The best of 1000 random points is better: FN-UCB leads.";
constexpr std::string_view kTrueDelta =
    "Delta = 0.01 is not a bound on the difference of the clients' maxima here (see `true Delta` "
    "in results.json): the theorems do not cover these runs, and a client can lose the cell of its "
    "maximiser.";
constexpr std::string_view kNetworkBandit =
    "Fed1-UCB and FN-UCB play random arms, 20 per dimension or 1000 in total, drawn anew in every "
    "repetition. The first phase of Fed1-UCB pulls each arm 10 ln T times and never ends with 400 "
    "or 1000 arms. FN-UCB synchronises when its criterion exceeds 5.";

PaperFigure personalized(std::string_view name,
                         std::string_view number,
                         std::string_view summary,
                         std::string_view scenario,
                         std::vector<Claim> claims,
                         std::vector<std::string_view> why) {
  std::vector<std::string_view> notes{kPersonalizedUnstated};
  notes.insert(notes.end(), why.begin(), why.end());
  notes.insert(notes.end(), {kTrueDelta, kNetworkBandit});
  return {.name = name,
          .paper = kPersonalizedPaper,
          .number = number,
          .summary = summary,
          .scenario = scenario,
          .quick = {"budget.evaluations_per_client=1000"},
          .plots = {{"regret", Scope::local}, {"pareto", Scope::local}, {"communication"}},
          .claims = std::move(claims),
          .notes = std::move(notes)};
}

/// Figure 3, over ten times the evaluations of Figures 1 and 2, so that PF-PNE's communication has
/// ended.
PaperFigure communication(std::string_view name,
                          std::string_view number,
                          std::string_view summary,
                          std::string_view scenario,
                          std::string_view why) {
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
                     {kBestAtLength, Below{kLocal, "pf-pne", "fed-pne"}},
                     {kBestAtLength, Below{kLocal, "pf-pne", "hct-local"}}},
          .notes = {kPersonalizedUnstated,
                    "The first stage of PF-PNE, the only one that sends messages, ends after 600 "
                    "to 4200 evaluations, depending on the objective. Fed-PNE continues to send: "
                    "its phases become longer, but do not end.",
                    why,
                    kTrueDelta}};
}

std::size_t position_of_paper(std::string_view paper) {
  constexpr std::array kPapers{
      kParallelPaper, kFederatedPaper, kPooPaper, kPersonalizedPaper, kFunctionalPaper};
  return static_cast<std::size_t>(std::find(kPapers.begin(), kPapers.end(), paper) -
                                  kPapers.begin());
}

std::vector<PaperFigure> make_figures() {
  const Claim best{kPfPneBest, Smallest{kLocal, "pf-pne"}};
  const Claim below_fed_pne{kFedPneFar, Below{kLocal, "pf-pne", "fed-pne"}};
  const Claim above_fed1{kFedPneFar, Below{kLocal, "fed-pne", "fed1-ucb"}};
  const Claim above_fn{kFedPneFar, Below{kLocal, "fed-pne", "fn-ucb"}};
  std::vector<PaperFigure> figures{
      {.name = "parallel-fig2a-sine",
       .paper = kParallelPaper,
       .number = "Figure 2, left",
       .summary = "simple regret of 1, 4 and 16 players on the sine function",
       .scenario = "papers/parallel_sine.toml",
       .plots = {{"simple-regret"}, {"communication"}},
       .claims = parallel_claims(3),
       .notes = {kParallelUnstated, kSameLevel, kGridLuck, kSpeedUpCeiling}},
      {.name = "parallel-fig2b-garland",
       .paper = kParallelPaper,
       .number = "Figure 2, right",
       .summary = "simple regret of 1, 4 and 16 players on Garland",
       .scenario = "papers/parallel_garland.toml",
       .set = {"objective.heterogeneity={ kind = \"none\" }"},
       .plots = {{"simple-regret"}, {"communication"}},
       .claims = parallel_claims(3),
       .notes = {kParallelUnstated, kGridLuck, kSpeedUpCeiling}},
      {.name = "parallel-fig2b-garland-shifted",
       .paper = kParallelPaper,
       .number = "Figure 2, right",
       .summary = "the same with a new shift in every repetition, which averages over grids",
       .scenario = "papers/parallel_garland.toml",
       .set = {"repeat=50"},
       .plots = {{"simple-regret"}, {"communication"}},
       .claims = parallel_claims(3),
       .notes = {kParallelUnstated,
                 "Every repetition shifts the objective by the same amount for all players, so "
                 "that the mean "
                 "over repetitions averages over the position of the grid.",
                 kSpeedUpCeiling}},
      federated("fed-pne-fig2a-garland",
                "Figure 2(a)",
                "cumulative regret of Fed-PNE and its competitors on Garland",
                "papers/fed_pne_garland.toml",
                kFedPneBest,
                {kFederatedUnstated, kInvalidConstants}),
      federated("fed-pne-fig2b-doublesine",
                "Figure 2(b)",
                "cumulative regret of Fed-PNE and its competitors on DoubleSine",
                "papers/fed_pne_doublesine.toml",
                kFedPneBest,
                {kFederatedUnstated, kInvalidConstants}),
      federated("fed-pne-fig2c-landmine",
                "Figure 2(c)",
                "cumulative regret of Fed-PNE and its competitors, tuning support vector machines",
                "papers/fed_pne_landmine.toml",
                kFedPneBest,
                {kFederatedRealUnstated, kLinearScale, kExactAuc}),
      federated(
          "fed-pne-fig2d-doses",
          "Figure 2(d)",
          "cumulative regret of Fed-PNE and its competitors, fractional vaccine doses",
          "papers/fed_pne_doses.toml",
          kFastest,
          {kFederatedRealUnstated,
           "The mean over the regions is smooth and without noise: learners at the server that "
           "observe it at every step converge sooner than Fed-PNE, whose schedule allows for "
           "noise.",
           "The paper states neither its epidemic model nor its countries. Posse's model is "
           "documented "
           "(`posse describe doses`); it is probably smoother, since the paper mentions "
           "intensive-care units."}),
      personalized("pf-pne-fig1a-garland",
                   "Figure 1(a)",
                   "local cumulative regret of PF-PNE and its competitors on Garland",
                   "papers/pf_pne_garland.toml",
                   {best, below_fed_pne, above_fed1, above_fn},
                   {kPaysTwice}),
      personalized("pf-pne-fig1b-himmelblau",
                   "Figure 1(b)",
                   "local cumulative regret of PF-PNE and its competitors on Himmelblau",
                   "papers/pf_pne_himmelblau.toml",
                   {best},
                   {kPaysTwice, kNearlyEqual}),
      personalized(
          "pf-pne-fig1c-rastrigin",
          "Figure 1(c)",
          "local cumulative regret of PF-PNE and its competitors on Rastrigin in ten dimensions",
          "papers/pf_pne_rastrigin.toml",
          {best, below_fed_pne, above_fed1, above_fn},
          {kTenDimensions}),
      personalized(
          "pf-pne-fig1d-landmine",
          "Figure 1(d)",
          "local cumulative regret of PF-PNE and its competitors, tuning support vector machines",
          "papers/pf_pne_landmine.toml",
          {best},
          {kPaysTwice, kLinearScale, kExactAuc}),
      personalized("pf-pne-fig2a-doublesine",
                   "Figure 2(a)",
                   "local cumulative regret of PF-PNE and its competitors on DoubleSine",
                   "papers/pf_pne_doublesine.toml",
                   {{kSlightlyBetter, Below{kLocal, "pf-pne", "hct-local"}},
                    {kSlightlyBetter, Below{kLocal, "pf-pne", "fed-pne"}}},
                   {kPaysTwice}),
      personalized("pf-pne-fig2b-ackley",
                   "Figure 2(b)",
                   "local cumulative regret of PF-PNE and its competitors on Ackley",
                   "papers/pf_pne_ackley.toml",
                   {{kSimilar, Similar{kLocal, "pf-pne", "hct-local", 0.2}},
                    {kSimilar, Similar{kLocal, "pf-pne", "fed-pne", 0.2}}},
                   {kPaysTwice}),
      communication("pf-pne-fig3a-garland",
                    "Figure 3(a)",
                    "communication of Fed-PNE and PF-PNE on Garland",
                    "papers/pf_pne_garland.toml",
                    kPaysTwice),
      communication("pf-pne-fig3b-himmelblau",
                    "Figure 3(b)",
                    "communication of Fed-PNE and PF-PNE on Himmelblau",
                    "papers/pf_pne_himmelblau.toml",
                    kNearlyEqual),
      communication("pf-pne-fig3c-rastrigin",
                    "Figure 3(c)",
                    "communication of Fed-PNE and PF-PNE on Rastrigin in ten dimensions",
                    "papers/pf_pne_rastrigin.toml",
                    kTenDimensions),
      communication("pf-pne-fig3d-ackley",
                    "Figure 3(d)",
                    "communication of Fed-PNE and PF-PNE on Ackley",
                    "papers/pf_pne_ackley.toml",
                    kPaysTwice),
  };
  for (auto& figure : figures)
    if (figure.name.ends_with("landmine"))
      figure.data = {"landmine.csv", "objective.file", "landmine"};
  for (auto* more : {&functional_figures, &growth_figures})
    for (auto& figure : (*more)()) figures.push_back(std::move(figure));
  std::stable_sort(figures.begin(), figures.end(), [](const auto& a, const auto& b) {
    return position_of_paper(a.paper) < position_of_paper(b.paper);
  });
  return figures;
}

}  // namespace

const std::vector<LeftOut>& left_out() {
  static const std::vector<LeftOut> all{
      {kParallelPaper, "Figure 1", "plots of the two test functions: nothing is measured"},
      {kFederatedPaper, "Table 1", "bounds of theorems; each run prints those of its algorithm"},
      {kFederatedPaper,
       "the supplement's figures",
       "not available; its private form is the algorithm dp-fed-pne"},
      {kPooPaper, "no figure", "the paper has no experiment; its theorem is a row"},
      {kPersonalizedPaper, "Table 1", "bounds of theorems; each run prints those of its algorithm"},
      {kFunctionalPaper,
       "Figure 4",
       "needs a GPU: ResNet18 and four more networks, trained on CIFAR-10; Posse replays such "
       "records (arms of the kind curves) and trains small networks on the CPU (digits)"},
      {kFunctionalPaper, "Tables 3, 5 and 6", "sizes of networks: nothing that an algorithm does"}};
  return all;
}

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
