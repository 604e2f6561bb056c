// SPDX-License-Identifier: Apache-2.0
#include "tools/bench_scenarios.hpp"

#include <fmt/format.h>

namespace posse {

std::string echo_scenario(std::uint64_t clients, std::uint64_t rounds, std::string_view network) {
  return fmt::format(
      "[[algorithm]]\nkind = \"echo\"\nrounds = {}\nrequest_bytes = \"256 B\"\nreply_bytes = "
      "\"128 B\"\n[population]\nclients = {}\n{}",
      rounds,
      clients,
      network);
}

std::string with_objective(std::string_view kind,
                           std::uint64_t clients,
                           std::uint64_t budget,
                           std::string_view more) {
  const bool exact = kind == "soo" || kind == "doo" || kind == "sequool";
  return fmt::format(
      "[[algorithm]]\nkind = \"{}\"\n{}[population]\nclients = {}\n[objective]\nkind = "
      "\"garland\"\n{}[budget]\nevaluations_per_client = {}\n{}",
      kind,
      more,
      clients,
      exact ? "" : "noise = { kind = \"uniform\", half_width = 0.1 }\n",
      budget,
      kConstantNetwork);
}

std::string with_arms(std::string_view kind, std::uint64_t arms, std::uint64_t pulls) {
  std::string minima;
  for (std::uint64_t i = 0; i < arms; ++i)
    minima += fmt::format("{:.6f},",
                          0.5 + static_cast<double>(i * 7919 % arms) / static_cast<double>(arms));
  const bool rewards = kind.starts_with("sgd-ucb") || kind == "rucb-median";
  const auto arm = rewards ? fmt::format("kind = \"rewards\"\nmeans = [{}]", minima)
                           : fmt::format("kind = \"noisy\"\ndimension = 2\nminima = [{}]", minima);
  return fmt::format("[[algorithm]]\nkind = \"{}\"\n[[arm]]\n{}\n[budget]\npulls = {}\n{}",
                     kind,
                     arm,
                     pulls,
                     kConstantNetwork);
}

}  // namespace posse
