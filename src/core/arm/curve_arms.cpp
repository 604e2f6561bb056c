// SPDX-License-Identifier: Apache-2.0
#include "core/arm/curve_arms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
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
  bool maximize = false;
  std::optional<double> limit;  // the user's
  bool common = false;
  bool cycle = false;
  bool hold = false;
  std::vector<std::string> ranking;  // names, best first; or empty
};

class CurveArms final : public ArmFamily {
 public:
  CurveArms(LearningCurves curves, const CurveOptions& options)
      : curves_(std::make_shared<const LearningCurves>(std::move(curves))), options_(options) {
    if (options_.limit)
      limit_ = options_.maximize ? -*options_.limit : *options_.limit;
    else if (!options_.maximize)
      limit_ = 0;
    if (options_.ranking.empty()) return;
    for (const auto& arm : curves_->arms)
      if (!rank_of(arm))
        throw InputError(fmt::format("arm {} is missing", shortened(arm)), "ranking");
  }

  std::vector<std::string> warnings() const override {
    std::size_t curves = 0, risen = 0;
    for (const auto& run : curves_->runs)
      for (const auto& losses : run.losses) {
        ++curves;
        risen += losses.back() > losses.front();
      }
    if (2 * risen <= curves) return {};
    return {
        fmt::format("{} of {} recorded curves end {} than they begin, though direction = \"{}\"",
                    risen,
                    curves,
                    options_.maximize ? "lower" : "higher",
                    options_.maximize ? "maximize" : "minimize")};
  }

  std::uint32_t size() const override { return static_cast<std::uint32_t>(curves_->arms.size()); }

  std::shared_ptr<const ArmSet> arms(const Repetition& repetition,
                                     std::uint64_t budget) const override {
    const auto& run = run_of(repetition);
    if (!options_.hold) check_length(run, budget);
    const auto gap = [&](const std::vector<double>& losses) {
      return losses.front() - limit_.value_or(-std::numeric_limits<double>::infinity());
    };
    double largest = 0;
    for (const auto& losses : run.losses) largest = std::max(largest, gap(losses));
    auto set = std::make_shared<ArmSet>();
    set->budget = budget;
    set->maximized = options_.maximize;
    for (std::size_t i = 0; i < curves_->arms.size(); ++i) {
      const auto& losses = run.losses[i];
      auto why = why_no_bound(losses);
      const double scale = !why.empty()
                               ? std::numeric_limits<double>::infinity()
                               : options_.factor * (options_.common ? largest : gap(losses));
      set->arms.push_back({.name = curves_->arms[i],
                           .minimum = *std::min_element(losses.begin(), losses.end()),
                           .start = [curves = curves_, &losses, scale](
                                        std::uint32_t) -> std::unique_ptr<Optimizer> {
                             return std::make_unique<RecordedCurve>(curves, losses, scale);
                           },
                           .certificate = Certificate::guess,
                           .no_bound = std::move(why),
                           .rank = rank_of(curves_->arms[i]),
                           .smallest_within =
                               [curves = curves_, &losses](std::uint64_t pulls) {
                                 const auto end = std::min<std::uint64_t>(pulls, losses.size());
                                 return *std::min_element(
                                     losses.begin(),
                                     losses.begin() + static_cast<std::ptrdiff_t>(end));
                               }});
    }
    return set;
  }

 private:
  /// Why g = factor · |f(x_1) - limit|/sqrt k is no bound of this curve; empty: it may be one.
  std::string why_no_bound(const std::vector<double>& losses) const {
    if (!limit_)
      return "direction = \"maximize\" needs limit, which no value exceeds (1 or 100 for an "
             "accuracy), for g = factor · |f(x_1) - limit|/sqrt k";
    const auto users = [&](double f) { return options_.maximize ? 0.0 - f : f; };
    if (!(losses.front() > *limit_))
      return fmt::format(
          "begins with {}, which is not {} limit = {}: g = factor · |f(x_1) - "
          "limit|/sqrt k is no bound",
          users(losses.front()),
          options_.maximize ? "below" : "above",
          users(*limit_));
    const auto beyond = std::ranges::find_if(losses, [&](double f) { return f < *limit_; });
    if (beyond == losses.end()) return "";
    return fmt::format("has the value {} in pull {}, beyond limit = {}",
                       users(*beyond),
                       beyond - losses.begin() + 1,
                       users(*limit_));
  }

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
  std::optional<double> limit_;  // of f; what it can't be below
};

/// The words of a column's name: "val_accuracy", "valAccuracy" and "val-accuracy" have two.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  bool lower_before = false;
  for (const char c : name) {
    const bool upper = c >= 'A' && c <= 'Z';
    const char lower = upper ? static_cast<char>(c - 'A' + 'a') : c;
    const bool in_word = (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9');
    if (!in_word || (upper && lower_before)) words.emplace_back();
    if (in_word) words.back() += lower;
    lower_before = in_word && !upper;
  }
  return words;
}

/// Whether larger values of such a column are usually better.
bool sounds_like_a_reward(std::string_view name) {
  static constexpr std::array kRewards{
      "acc", "accuracy", "accuracies", "auc", "f1", "score", "scores", "reward", "rewards"};
  return std::ranges::any_of(words_of(name), [](const std::string& word) {
    return std::ranges::find(kRewards, word) != kRewards.end();
  });
}

std::size_t loss_column(const CsvReader& csv, std::string_view loss, std::optional<bool> maximize) {
  if (loss.empty())
    return csv.column(!csv.find_column("loss") && csv.find_column("val_loss") ? "val_loss"
                                                                              : "loss");
  const auto column = csv.column(loss);
  if (!maximize && sounds_like_a_reward(loss))
    throw InputError(fmt::format("the column {} sounds as if larger values are better; allowed: "
                                 "\"maximize\", or \"minimize\" if smaller ones are",
                                 shortened(std::string(loss))),
                     "direction");
  return column;
}

/// Reads the rows into runs and arms; remembers each curve's last k.
class CurveReader {
 public:
  CurveReader(std::string_view text, std::string_view loss, std::optional<bool> maximize)
      : csv_(text),
        arm_(csv_.column("arm")),
        loss_(loss_column(csv_, loss, maximize)),
        maximize_(maximize.value_or(false)),
        run_(csv_.find_column("run")),
        k_(csv_.find_column("k")) {}

  LearningCurves read() {
    while (csv_.next()) add_row();
    if (curves_.runs.empty()) throw InputError("the file has no rows");
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
    const double value = finite_number(csv_, loss_);
    losses[i].push_back(maximize_ ? 0.0 - value : value);
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
  /// The position of a name; that of a new one is the number of the names before it.
  static std::size_t position(Positions& positions, const std::string& name) {
    return positions.try_emplace(name, positions.size()).first->second;
  }

  CsvReader csv_;
  std::size_t arm_, loss_;
  bool maximize_;
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
  std::optional<bool> maximize;
  if (!p.is_auto("direction")) maximize = p.text("direction") == "maximize";
  options.maximize = maximize.value_or(false);
  if (!p.is_auto("limit")) options.limit = p.real("limit");
  try {
    return std::make_shared<CurveArms>(
        parse_learning_curves(
            p.file("file"), p.is_auto("loss") ? std::string_view() : p.text("loss"), maximize),
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

LearningCurves parse_learning_curves(std::string_view text,
                                     std::string_view loss,
                                     std::optional<bool> maximize) {
  return CurveReader(text, loss, maximize).read();
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
       .help = "the column of values; auto: loss, or val_loss"},
      {.name = "direction",
       .type = ParameterType::text,
       .default_value = std::monostate{},
       .help = "whether smaller or larger values are better; auto: minimize, but a column that is "
               "called an accuracy, score or reward is refused without it",
       .choices = {"minimize", "maximize"}},
      {.name = "limit",
       .default_value = std::monostate{},
       .help = "a value that can't be beaten, for the bound g of f-lcb and epsilon-greedy; auto: 0 "
               "to minimize, none to maximize"}};
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
