// SPDX-License-Identifier: Apache-2.0
#include "core/arm/curve_arms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <sstream>

#include "core/base/csv.hpp"
#include "core/base/shown_text.hpp"
#include "core/optimizer/optimizer.hpp"

namespace posse {
namespace {

class RecordedCurve final : public Optimizer {
 public:
  RecordedCurve(std::shared_ptr<const LearningCurves> curves,
                const std::vector<double>& losses,
                double scale)
      : Optimizer(Vector()), curves_(std::move(curves)), losses_(&losses), scale_(scale) {}

 private:
  void advance() override {
    value_ = (*losses_)[std::min<std::size_t>(steps(), losses_->size()) - 1];
    bound_ = heuristic_bound(scale_, steps());
  }

  std::shared_ptr<const LearningCurves> curves_;  // owns the losses
  const std::vector<double>* losses_;
  double scale_;
};

struct CurveOptions {
  double factor = 2;
  bool common = false;
  bool cycle = false;
  bool hold = false;
  std::vector<std::string> ranking;  // names, best first; or empty
};

class CurveArms final : public ArmFamily {
 public:
  CurveArms(LearningCurves curves, const CurveOptions& options)
      : curves_(std::make_shared<const LearningCurves>(std::move(curves))), options_(options) {
    if (options_.ranking.empty()) return;
    for (const auto& arm : curves_->arms)
      if (!rank_of(arm))
        throw InputError(fmt::format("arm {} is missing", shortened(arm)), "ranking");
  }

  std::uint32_t size() const override { return static_cast<std::uint32_t>(curves_->arms.size()); }

  std::shared_ptr<const ArmSet> arms(const Repetition& repetition,
                                     std::uint64_t budget) const override {
    const auto& run = run_of(repetition);
    if (!options_.hold) check_length(run, budget);
    double largest = 0;
    for (const auto& losses : run.losses) largest = std::max(largest, losses.front());
    auto set = std::make_shared<ArmSet>();
    set->budget = budget;
    for (std::size_t i = 0; i < curves_->arms.size(); ++i) {
      const auto& losses = run.losses[i];
      const double scale = options_.factor * (options_.common ? largest : losses.front());
      set->arms.push_back(
          {curves_->arms[i],
           *std::min_element(losses.begin(), losses.end()),
           [curves = curves_, &losses, scale](std::uint32_t) -> std::unique_ptr<Optimizer> {
             return std::make_unique<RecordedCurve>(curves, losses, scale);
           },
           Certificate::guess,
           rank_of(curves_->arms[i])});
    }
    return set;
  }

 private:
  std::optional<double> rank_of(const std::string& arm) const {
    const auto it = std::find(options_.ranking.begin(), options_.ranking.end(), arm);
    if (it == options_.ranking.end()) return std::nullopt;
    return static_cast<double>(it - options_.ranking.begin() + 1);
  }

  const LearningCurves::Run& run_of(const Repetition& repetition) const {
    const auto& runs = curves_->runs;
    if (runs.size() == 1 && runs.front().name.empty()) return runs.front();
    if (options_.cycle) return runs[repetition.number % runs.size()];
    const std::string name = fmt::format("{}", repetition.number);
    const auto it = std::find_if(
        runs.begin(), runs.end(), [&](const LearningCurves::Run& run) { return run.name == name; });
    if (it == runs.end())
      throw InputError(fmt::format("no run {}: the file has {} runs, from {} to {}. A "
                                   "repetition uses the run whose name is its seed; with "
                                   "runs = \"cycle\" it uses its seed modulo the number of runs",
                                   name,
                                   runs.size(),
                                   shortened(runs.front().name),
                                   shortened(runs.back().name)),
                       "file");
    return *it;
  }

  void check_length(const LearningCurves::Run& run, std::uint64_t budget) const {
    const std::uint64_t others = curves_->arms.size() - 1;
    const std::uint64_t most = budget > others ? budget - others : 1;
    for (std::size_t i = 0; i < run.losses.size(); ++i) {
      const std::size_t recorded = run.losses[i].size();
      if (recorded >= most) continue;
      throw InputError(
          fmt::format(
              "arm {} has {} recorded pulls{}, but {} pulls of {} arms can include {} of it; "
              "allowed: at most {} pulls, or past_end = \"hold\", which repeats the last loss",
              shortened(curves_->arms[i]),
              recorded,
              run.name.empty() ? "" : " in run " + shortened(run.name),
              budget,
              run.losses.size(),
              most,
              recorded + others),
          "file");
    }
  }

  std::shared_ptr<const LearningCurves> curves_;
  CurveOptions options_;
};

std::size_t loss_column(const CsvReader& csv, std::string_view loss) {
  if (!loss.empty()) return csv.column(loss);
  return csv.column(!csv.find_column("loss") && csv.find_column("val_loss") ? "val_loss" : "loss");
}

/// Reads the rows into runs and arms; remembers each curve's last k.
class CurveReader {
 public:
  CurveReader(std::string_view text, std::string_view loss)
      : csv_(text),
        arm_(csv_.column("arm")),
        loss_(loss_column(csv_, loss)),
        run_(csv_.find_column("run")),
        k_(csv_.find_column("k")) {}

  LearningCurves read() {
    while (csv_.next()) add_row();
    if (curves_.runs.empty()) throw InputError("the file has no rows");
    for (const auto& run : curves_.runs)
      for (std::size_t i = 0; i < run.losses.size(); ++i)
        if (!run.losses[i].empty() && !(run.losses[i].front() > 0))
          throw InputError(
              fmt::format("arm {} begins with the loss {}; g = factor · f(x_1)/sqrt k needs first "
                          "losses above 0",
                          curves_.arms[i],
                          run.losses[i].front()));
    for (const auto& run : curves_.runs)
      for (std::size_t i = 0; i < curves_.arms.size(); ++i)
        if (run.losses.size() <= i || run.losses[i].empty())
          throw InputError(fmt::format(
              "run {} has no pull of arm {}", shortened(run.name), shortened(curves_.arms[i])));
    return std::move(curves_);
  }

 private:
  void add_row() {
    const auto r = position(run_positions_, run_ ? csv_.cell(*run_) : std::string());
    if (r == curves_.runs.size()) {
      curves_.runs.push_back({run_ ? csv_.cell(*run_) : std::string(), {}});
      last_k_.emplace_back();
    }
    const auto i = position(arm_positions_, csv_.cell(arm_));
    if (i == curves_.arms.size()) {
      if (r > 0)
        throw InputError(
            fmt::format("line {}: arm {} is not in the first run", csv_.line(), csv_.shown(arm_)));
      curves_.arms.push_back(csv_.cell(arm_));
    }
    auto& losses = curves_.runs[r].losses;
    if (losses.size() <= i) losses.resize(i + 1);
    if (last_k_[r].size() <= i) last_k_[r].resize(i + 1);
    if (k_) check_k(r, i, !losses[i].empty());
    losses[i].push_back(finite_number(csv_, loss_));
  }

  void check_k(std::size_t r, std::size_t i, bool later) {
    const double k = finite_number(csv_, *k_);
    if (later && k != last_k_[r][i] + 1)
      throw InputError(
          fmt::format("line {}: k is {} after {} in arm {}: k must grow by 1 from row to row",
                      csv_.line(),
                      k,
                      last_k_[r][i],
                      shortened(curves_.arms[i])));
    last_k_[r][i] = k;
  }

  using Positions = std::map<std::string, std::size_t>;
  /// That of a new name is the number of the names before it.
  static std::size_t position(Positions& positions, const std::string& name) {
    return positions.try_emplace(name, positions.size()).first->second;
  }

  CsvReader csv_;
  std::size_t arm_, loss_;
  std::optional<std::size_t> run_, k_;
  Positions arm_positions_, run_positions_;
  std::vector<std::vector<double>> last_k_;
  LearningCurves curves_;
};

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

std::shared_ptr<const ArmFamily> make_curves(const Parameters& p) {
  CurveOptions options;
  options.factor = p.real("factor");
  options.common = p.text("scale") == "common";
  options.cycle = p.text("runs") == "cycle";
  options.hold = p.text("past_end") == "hold";
  if (!p.is_auto("ranking")) options.ranking = words(p.text("ranking"));
  try {
    return std::make_shared<CurveArms>(
        parse_learning_curves(p.file("file"),
                              p.is_auto("loss") ? std::string_view() : p.text("loss")),
        options);
  } catch (const InputError& error) {
    throw InputError(error.what(), error.parameter().empty() ? "file" : error.parameter());
  }
}

}  // namespace

double heuristic_bound(double scale, std::uint64_t k) {
  return scale / std::sqrt(static_cast<double>(k));
}

std::vector<ParameterSpec> heuristic_parameters() {
  return {
      {.name = "factor",
       .default_value = 2.0,
       .help = "of g(k) = factor · f(x_1)/sqrt k",
       .min = 0},
      {.name = "scale",
       .type = ParameterType::text,
       .default_value = std::string("per-arm"),
       .help =
           "f(x_1) in g; per-arm: the arm's own first loss, as in Dorn et al. 2025; common: "
           "the largest first loss of all arms, so that fast learners do not get a smaller bonus",
       .choices = {"per-arm", "common"}}};
}

LearningCurves parse_learning_curves(std::string_view text, std::string_view loss) {
  return CurveReader(text, loss).read();
}

ArmFamilySpec curve_arms_spec() {
  std::vector<ParameterSpec> parameters{
      {.name = "file",
       .type = ParameterType::file,
       .default_value = std::monostate{},
       .help =
           "CSV with the columns arm and loss and optionally run and k; one row per pull, in order",
       .required = true},
      {.name = "loss",
       .type = ParameterType::text,
       .default_value = std::monostate{},
       .help = "the column of losses; auto: loss, or val_loss"}};
  for (auto& spec : heuristic_parameters()) parameters.push_back(std::move(spec));
  parameters.push_back(
      {.name = "runs",
       .type = ParameterType::text,
       .default_value = std::string("seed"),
       .help = "run of the file that a repetition uses; seed: the run whose name is its "
               "seed (seed = 0 in the scenario starts at run 0); cycle: its "
               "seed modulo the number of runs",
       .choices = {"seed", "cycle"}});
  parameters.push_back(
      {.name = "past_end",
       .type = ParameterType::text,
       .default_value = std::string("refuse"),
       .help = "if the budget allows pulls past the end of a curve; refuse: reject the scenario; "
               "hold: repeat the last loss",
       .choices = {"refuse", "hold"}});
  parameters.push_back({.name = "ranking",
                        .type = ParameterType::text,
                        .default_value = std::monostate{},
                        .help =
                            "the arms' names, best first, separated by blanks, by which the answer "
                            "is ranked; auto: by smallest recorded loss"});
  return {.kind = "curves",
          .summary = "recorded learning curves: a pull reads the arm's next loss",
          .source = "Dorn, Katrutsa, Latypov & Soboleva 2025, section 5.4 and Appendix C",
          .parameters = std::move(parameters),
          .make = make_curves};
}

}  // namespace posse
