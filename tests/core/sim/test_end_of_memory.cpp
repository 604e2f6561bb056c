// SPDX-License-Identifier: Apache-2.0
// Memory ends during a run: whichever allocation fails, the kernels throw std::bad_alloc or end the
// run as failed, unless it doesn't matter. The allocation functions of this program are the ones
// below.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <new>
#include <string>

#include "actors/fed_pne/protocol.hpp"
#include "core/sim/simulation.hpp"
#include "tests/support/chatter.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/random_network.hpp"

namespace posse::test_end_of_memory {
namespace {

constexpr long kNever = 1L << 60;
std::atomic<long> g_left{-1};  // so many allocations until one fails; below 0: none will

void* allocate(std::size_t size) {
  if (g_left.load(std::memory_order_relaxed) >= 0 && g_left.fetch_sub(1) == 0)
    throw std::bad_alloc();
  if (void* memory = std::malloc(std::max<std::size_t>(size, 1))) return memory;
  throw std::bad_alloc();
}

/// How many allocations `run` makes, or made until one failed.
template <class Run>
long allocations(long before_one_fails, const Run& run) {
  g_left = before_one_fails;
  run();
  return before_one_fails - g_left.exchange(-1);
}

/// Each allocation of a run fails, or every `step`-th.
template <class Run>
void fail_each(long step, const Run& run) {
  const auto fingerprint = run().outcome.fingerprint;
  bool harmed = false;
  std::string end;
  const auto guarded = [&] {
    try {
      const auto out = run().outcome;
      // The buffer of a stable sort, for example, may be missing.
      harmed = out.status != RunStatus::failed && out.fingerprint != fingerprint;
      end = fmt::format("{}: {}", to_string(out.status), out.report);
    } catch (const std::bad_alloc&) {
    }
  };
  const long all = allocations(kNever, run);
  REQUIRE(all > 100);
  for (long n = 0; n < all; n += step) {
    INFO("allocation " << n << " of " << all);
    allocations(n, guarded);
    INFO(end);
    REQUIRE_FALSE(harmed);
  }
}

}  // namespace

TEST_CASE("a failing allocation ends the run of a federation, whichever it is") {
  const auto problem = test::make_problem("garland", 3, 60, Seed{1}, 0.05);
  const auto& algorithm = fed_pne_algorithm();
  test::Run run(algorithm, default_parameters(algorithm.parameters), 3, Seed{1}, &problem);
  run.spec.network.links = {{.latency = ConstantDuration{Duration::seconds(0.05)}}};
  run.spec.trace_messages = true;
  fail_each(1, [&] { return run_serial(run.spec); });
  fail_each(1, [&] { return run_windows(run.spec, 1); });
}

TEST_CASE("a failing allocation ends runs of random messages without harm, whichever it is") {
  for (std::uint64_t number = 0; number < 6; ++number) {
    for (const auto topology : {Topology::full_mesh, Topology::star}) {
      const auto algorithm = test::chatter_spec(topology);
      const test::Chatter protocol(12, topology, Seed{number});
      SimulationSpec spec;
      spec.algorithm = &algorithm;
      spec.protocol = &protocol;
      spec.network = test::random_network(Seed{number});
      spec.limits.events = 400;
      fail_each(11, [&] { return run_serial(spec); });
      for (const std::size_t threads : {1, 3})
        fail_each(11, [&] { return run_windows(spec, threads); });
    }
  }
}

}  // namespace posse::test_end_of_memory

// All of one family, so that what one allocates the others may free.
void* operator new(std::size_t size) { return posse::test_end_of_memory::allocate(size); }
void* operator new[](std::size_t size) { return operator new(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  try {
    return operator new(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void* operator new[](std::size_t size, const std::nothrow_t& none) noexcept {
  return operator new(size, none);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
