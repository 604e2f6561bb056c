// SPDX-License-Identifier: Apache-2.0
#include "program/reproduce/more_figures.hpp"

namespace posse {
namespace {

constexpr std::string_view kCeiling =
    "A ceiling that follows from the algorithm's own schedule holds in every run and shows "
    "nothing: "
    "the verdict is that of a parabola fitted in ln(m n), which a power of m n with exponent above "
    "0.1 bends too much.";

}  // namespace

std::vector<PaperFigure> growth_figures() {
  return {
      {.name = "parallel-rounds",
       .paper = kParallelPaper,
       .number = "Theorem 2",
       .summary = "rounds of 1 to 256 players over budgets from 1000 to a million",
       .scenario = "papers/parallel_rounds.toml",
       .quick = {"sweep.budget.evaluations_per_client=[1000, 10000, 100000]"},
       .sweep = true,
       .claims = {{"the number of communication rounds is O(log(m n))", Logarithmic{"parallel"}}},
       .notes = {kCeiling,
                 "The rounds do bend upwards in this range: while no cell is eliminated, a level "
                 "costs twice as much as the one before, and rounds grow by 1/ln 4 per unit of "
                 "ln(m n); the more cells are eliminated, the closer they come to the ceiling's "
                 "1/ln 2, which they can't exceed for long. A fit alone can't tell them from the "
                 "power 0.125 of m n."}},
      {.name = "fed-pne-rounds",
       .paper = kFederatedPaper,
       .number = "Theorem 1, Remark 6",
       .summary = "rounds of 2 to 128 clients over budgets from 1000 to a million",
       .scenario = "papers/fed_pne_rounds.toml",
       .quick = {"sweep.budget.evaluations_per_client=[1000, 10000, 100000]"},
       .sweep = true,
       .claims = {{"it requires only logarithmic communications between server and clients",
                   Logarithmic{"fed-pne", true}}},
       .notes = {kCeiling,
                 "The rounds follow the evaluations per client; the number of clients hardly "
                 "changes them."}},
      {.name = "poo-rate",
       .paper = kPooPaper,
       .number = "Corollary 3 and the bound of POO(HCT)",
       .summary = "simple regret of POO over HCT, which does not know the smoothness",
       .scenario = "papers/poo_rate.toml",
       .quick = {"sweep.budget.evaluations_per_client=[300, 1000, 3000, 10000]"},
       .sweep = true,
       .claims = {{"POO(HCT) has a simple regret of O(sqrt((ln n)^2 / n)) where d = 0",
                   PowerLaw{"simple_regret", "poo", "budget.evaluations_per_client", -0.38}},
                  {"HCT with the right smoothness has one of O(sqrt(ln n / n))",
                   PowerLaw{"simple_regret", "hct-valid", "budget.evaluations_per_client", -0.44}}},
       .notes =
           {"ln n / sqrt n falls with exponent -0.38 over this range, sqrt(ln n / n) with -0.44.",
            "The theorem is asymptotic: POO shares its budget among up to 30 instances here, "
            "most of them with useless constants, and its output is a point drawn among all "
            "that the best instance evaluated."}},
  };
}

}  // namespace posse
