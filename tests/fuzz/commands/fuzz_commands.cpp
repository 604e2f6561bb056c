// SPDX-License-Identifier: Apache-2.0
// posse_fuzz_commands keys|verbs [EVERY [JOBS]]: tries every EVERYth of the inputs (default: all)
// and prints how many there were and what was found. Ends with 1 if something was.
#include <fmt/format.h>

#include <atomic>
#include <cstdio>
#include <mutex>
#include <string_view>
#include <thread>
#include <vector>

#include "core/base/csv.hpp"
#include "program/base/output.hpp"
#include "tests/fuzz/commands/inputs.hpp"
#include "tests/fuzz/sandbox.hpp"

namespace posse::fuzz {
namespace {

constexpr Limits kLimits{std::chrono::milliseconds(1000), std::size_t{4} << 30};

template <class Inputs, class Try>
int fuzz(const char* what, const Inputs& inputs, std::size_t every, std::size_t jobs, Try attempt) {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  Tally all;
  std::vector<std::thread> threads;
  for (std::size_t job = 0; job < jobs; ++job)
    threads.emplace_back([&] {
      const Sandbox own;
      for (std::size_t i; (i = next.fetch_add(every)) < inputs.size();) {
        Tally tally;
        attempt(inputs[i], own.path(), kLimits, tally);
        const std::lock_guard lock(mutex);
        for (const auto& finding : tally.findings) print_out("{}\n", finding);
        flush_out();
        all.add(tally);
      }
    });
  for (auto& thread : threads) thread.join();
  print_out("{}: {} of {} inputs tried, {} accepted, {} commands killed by time, {} findings\n",
            what,
            all.tried,
            inputs.size(),
            all.accepted,
            all.out_of_time,
            all.findings.size());
  return all.findings.empty() ? 0 : 1;
}

int run(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  const auto every = argc > 2 ? parse_number<std::size_t>(argv[2]) : 1;
  const auto jobs = argc > 3 ? parse_number<std::size_t>(argv[3])
                             : std::max(1U, std::thread::hardware_concurrency());
  if ((what != "keys" && what != "verbs") || !every || *every == 0 || !jobs || *jobs == 0) {
    print_err("posse_fuzz_commands keys|verbs [EVERY [JOBS]]\n");
    return 2;
  }
  const Sandbox scenarios;
  if (what == "keys") return fuzz("keys", key_inputs(scenarios.path()), *every, *jobs, try_key);
  return fuzz("verbs", verb_inputs(scenarios.path()), *every, *jobs, try_verb);
}

}  // namespace
}  // namespace posse::fuzz

int main(int argc, char** argv) { return posse::fuzz::run(argc, argv); }
