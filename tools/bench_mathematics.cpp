// SPDX-License-Identifier: Apache-2.0
// What mathematics with the same bits on every processor costs, beside the C library's.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/math.hpp"
#include "tools/bench_clocks.hpp"
#include "tools/bench_sections.hpp"

namespace posse {
namespace {

constexpr std::size_t kArguments = 1 << 16;
constexpr int kPasses = 40;

/// Nanoseconds a call, the least of five measurements.
template <class Function>
double cost_of(const std::vector<double>& arguments, Function function) {
  double least = 1e300;
  for (int repeat = 0; repeat < 5; ++repeat) {
    const double start = cpu_seconds();
    double sum = 0;
    for (int pass = 0; pass < kPasses; ++pass)
      for (const double x : arguments) sum += function(x);
    const double spent = cpu_seconds() - start;
    if (std::isnan(sum)) fmt::print("a result is not a number\n");  // and so the sum is needed
    least = std::min(least, spent);
  }
  return least / (kPasses * static_cast<double>(kArguments)) * 1e9;
}

template <class Ours, class Theirs>
void row(std::string_view name, double low, double high, Ours ours, Theirs theirs) {
  std::vector<double> arguments(kArguments);
  std::uint64_t state = 1;
  for (auto& x : arguments) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    x = low + (high - low) * static_cast<double>(state >> 11) * 0x1.0p-53;
  }
  const double here = cost_of(arguments, ours), there = cost_of(arguments, theirs);
  fmt::print("  {:<8} {:>10.1f} {:>12.1f} {:>8.2f}\n", name, here, there, here / there);
}

}  // namespace

void mathematics_bench() {
  fmt::print(
      "mathematics: nanoseconds a call, in random order of arguments\n"
      "  function   portable    C library    ratio\n");
  row(
      "exp", -20, 20, [](double x) { return math::exp(x); }, [](double x) { return std::exp(x); });
  row(
      "log",
      1e-3,
      1e3,
      [](double x) { return math::log(x); },
      [](double x) { return std::log(x); });
  row(
      "sin", -20, 20, [](double x) { return math::sin(x); }, [](double x) { return std::sin(x); });
  row(
      "pow 1.7",
      1e-3,
      1e3,
      [](double x) { return math::pow(x, 1.7); },
      [](double x) { return std::pow(x, 1.7); });
  row(
      "erfc", -3, 5, [](double x) { return math::erfc(x); }, [](double x) { return std::erfc(x); });
  fmt::print("\n");
}

}  // namespace posse
