// SPDX-License-Identifier: Apache-2.0
#include "program/reproduce/more_figures.hpp"

namespace posse {
namespace {

constexpr std::string_view kRegret = "cumulative_regret";

constexpr std::string_view kStops = "the regret stops to increase";
constexpr std::string_view kFindsBest = "the function with the smallest minimum is found";
constexpr std::string_view kOnlyBest = "F-LCB minimizes only that function";
constexpr std::string_view kMoreOnBest =
    "F-LCB pays more attention to the best function than to the others";
constexpr std::string_view kReachesMinimum = "the smallest minimum, 0.5, is achieved";
constexpr std::string_view kComparable =
    "the functional version has a regret comparable to that of SGD-UCB-SMoM";
constexpr std::string_view kBestRanks =
    "F-LCB finds better models than SuccessiveHalving and Hyperband with a small budget";

constexpr std::string_view kNewFunctions =
    "The paper shows one instance. Here every repetition draws new functions.";
constexpr std::string_view kLowerRates =
    "Rates are bounds: growing more slowly than claimed agrees with them. The fit covers 1000 to "
    "100000 pulls.";
constexpr std::string_view kLongStart =
    "The bounds of stochastic optimizers are above the differences of the arms (0.5) for a long "
    "time, with ln(1/delta) near 30: until then F-LCB pulls wrong arms too, and the regret grows "
    "almost linearly. The rate begins beyond 100000 pulls.";

/// A row of Table 1 or 2: `arm` as TOML.
PaperFigure rate(std::string_view name,
                 std::string_view number,
                 std::string_view summary,
                 std::string_view arm,
                 std::string_view claim,
                 double exponent,
                 std::vector<std::string_view> notes) {
  notes.insert(notes.begin(), kLowerRates);
  return {.name = name,
          .paper = kFunctionalPaper,
          .number = number,
          .summary = summary,
          .scenario = "papers/flcb_rates.toml",
          .set = {arm},
          .quick = {"sweep.budget.pulls=[300, 1000, 3000]"},
          .sweep = true,
          .claims = {{claim, PowerLaw{kRegret, "f-lcb", "budget.pulls", exponent}}},
          .notes = std::move(notes)};
}

PaperFigure table_4(std::string_view name, std::string_view pulls, std::string_view eta) {
  return {
      .name = name,
      .paper = kFunctionalPaper,
      .number = "Table 4",
      .summary = "mean rank of the chosen network, replayed from recorded learning curves",
      .scenario = "papers/flcb_curves.toml",
      .set = {pulls, eta},
      .data = {"cifar100_ucb2.csv", "arm.0.file", "curves"},
      .plots = {{"simple-regret"}},
      .claims = {{kBestRanks, LowerRank{"f-lcb", "successive-halving"}},
                 {kBestRanks, LowerRank{"f-lcb", "hyperband"}}},
      .notes = {"The record is that of F-LCB's own runs. What other allocations would have seen "
                "of arms that it dropped early isn't in it: their last recorded loss is held. "
                "So the ranks of the others can't be reproduced, only F-LCB's.",
                "Uniform allocation, which the paper doesn't have, does as well as F-LCB from "
                "100 pulls on."}};
}

}  // namespace

std::vector<PaperFigure> functional_figures() {
  return {
      rate("flcb-table1-lipschitz",
           "Table 1, row 1",
           "regret over the budget for maxima of planes, with projected subgradients",
           "arm.0={ kind = \"piecewise-linear\", optimizer = \"pgd\" }",
           "convex Lipschitz functions: regret O(sqrt T)",
           0.5,
           {}),
      rate("flcb-table1-smooth",
           "Table 1, row 2",
           "regret over the budget for smooth functions, with accelerated gradient descent",
           "arm.0={ kind = \"smooth\" }",
           "convex smooth functions: regret O(1)",
           0,
           {}),
      rate("flcb-table1-strong-lipschitz",
           "Table 1, row 3",
           "regret over the budget for strongly convex Lipschitz functions, with projected "
           "subgradients",
           "arm.0={ kind = \"functions\", file = \"../tuning/measurements.csv\", functions = "
           "\"huber\", optimizers = \"pgd-strong\", l2 = [0.5, 1.0, 2.0], set = \"box\" }",
           "strongly convex Lipschitz functions: regret O(log T)",
           0.11,
           {"ln T grows with exponent 0.11 over this range. The functions are mean Huber losses "
            "of a regression with three weights of |x|^2/2; the data are the same in every "
            "repetition."}),
      rate("flcb-table1-strong-smooth",
           "Table 1, row 4",
           "regret over the budget for strongly convex smooth functions, with accelerated gradient "
           "descent",
           "arm.0={ kind = \"functions\", file = \"../tuning/measurements.csv\", functions = "
           "\"least-squares\", optimizers = \"agd-strong\", l2 = [0.5, 1.0, 2.0] }",
           "strongly convex smooth functions: regret O(1)",
           0,
           {"Least squares with three weights of |x|^2/2; the data are the same in every "
            "repetition."}),
      rate("flcb-table2-smooth",
           "Table 2, row 1",
           "regret over the budget for smooth functions with noisy gradients, with clipped-SSTM",
           "arm.0={ kind = \"noisy\", optimizer = \"clipped-sstm-practical\" }",
           "convex smooth functions with noise of two moments: regret O(sqrt T log T)",
           0.6,
           {"sqrt T ln T grows with exponent 0.6 over this range.",
            "clipped-SSTM has practical constants: with those of the theory nothing happens within "
            "a million pulls.",
            kLongStart}),
      rate("flcb-table2-strong-smooth",
           "Table 2, row 2",
           "regret over the budget for strongly convex functions with noisy gradients, with "
           "R-clipped-SSTM",
           "arm.0={ kind = \"noisy\", mu = 0.1, optimizer = \"r-clipped-sstm-practical\" }",
           "strongly convex smooth functions with noise of two moments: regret O(log T)",
           0.11,
           {"ln T grows with exponent 0.11 over this range.",
            "R-clipped-SSTM has practical constants."}),
      rate("flcb-table2-strong",
           "Table 2, row 3",
           "regret over the budget for strongly convex functions with noisy gradients, with AC-SA",
           "arm.0={ kind = \"noisy\", mu = 0.1, optimizer = \"ac-sa-strong\" }",
           "strongly convex functions with noise: regret O(sqrt T log T)",
           0.6,
           {"sqrt T ln T grows with exponent 0.6 over this range.", kLongStart}),
      {.name = "flcb-fig1-smooth",
       .paper = kFunctionalPaper,
       .number = "Figure 1",
       .summary = "cumulative regret and values of three smooth functions",
       .scenario = "papers/flcb_smooth.toml",
       .plots = {{"regret"}, {"arm-pulls"}, {"arm-intervals"}},
       .claims = {{kStops, Plateau{kRegret, "f-lcb", 0.5, 0.05}},
                  {kOnlyBest, MostPulled{"f-lcb", "f1", 0.8}},
                  {kFindsBest, Answers{"f-lcb", "f1"}},
                  {kReachesMinimum, Reaches{"f-lcb", 0.51}}},
       .notes = {kNewFunctions,
                 "Uniform allocation and epsilon-greedy, which the paper doesn't have, are in the "
                 "scenario too."}},
      {.name = "flcb-fig2-piecewise-linear",
       .paper = kFunctionalPaper,
       .number = "Figure 2",
       .summary = "cumulative regret and values of three maxima of planes",
       .scenario = "papers/flcb_piecewise_linear.toml",
       .plots = {{"regret"}, {"arm-pulls"}, {"arm-intervals"}},
       .claims = {{kFindsBest, Answers{"f-lcb", "f1"}},
                  {kMoreOnBest, MostPulled{"f-lcb", "f1"}},
                  {kReachesMinimum, Reaches{"f-lcb", 0.55}}},
       .notes = {kNewFunctions,
                 "Subgradients with triple averaging follow their published form, with a valid "
                 "bound. The authors' code multiplies the sum of subgradients by t + 2 once more "
                 "(--set 'arm.0.optimizer=\"triple-averaging-coded\"')."}},
      {.name = "flcb-fig3-noisy",
       .paper = kFunctionalPaper,
       .number = "Figure 3",
       .summary = "cumulative regret and values of three smooth functions with noisy gradients",
       .scenario = "papers/flcb_noisy.toml",
       .set = {"budget.pulls=1500"},
       .plots = {{"regret"}, {"arm-pulls"}, {"arm-intervals"}},
       .claims = {{kFindsBest, Answers{"f-lcb", "f1"}},
                  {kMoreOnBest, MostPulled{"f-lcb", "f1"}},
                  {kMoreOnBest, Below{kRegret, "f-lcb", "uniform"}}},
       .notes = {kNewFunctions,
                 "The paper's constants are those of its code, whose g is not a bound; here they "
                 "are Lan's (--set 'arm.0.optimizer=\"ac-sa-coded\"' takes the code's)."}},
      table_4("flcb-table4-100", "budget.pulls=100", "algorithm.2.eta=2.9"),
      table_4("flcb-table4-50", "budget.pulls=50", "algorithm.2.eta=2"),
      {.name = "flcb-fig5-heavy-tails",
       .paper = kFunctionalPaper,
       .number = "Figure 5",
       .summary = "cumulative regret of ten arms with Cauchy noise, as a functional bandit",
       .scenario = "papers/flcb_heavy_tails.toml",
       .quick = {"budget.pulls=3000"},
       .plots = {{"regret"}},
       .claims = {{kComparable, Similar{kRegret, "sgd-ucb-smom-f", "sgd-ucb-smom", 0.5}},
                  {"both are better than RUCB-Median",
                   Below{kRegret, "sgd-ucb-smom-f", "rucb-median"}},
                  {"both are better than RUCB-Median",
                   Below{kRegret, "sgd-ucb-smom", "rucb-median"}}},
       .notes =
           {"Regrets have a standard deviation as large as their mean: bad starts cause most of "
            "them. The paper doesn't say by how much comparable regrets may differ; here: by "
            "half of the larger one."}},
  };
}

}  // namespace posse
