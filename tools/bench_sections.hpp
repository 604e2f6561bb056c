// SPDX-License-Identifier: Apache-2.0
// The sections of the benchmarks, described in bench.cpp: each prints its measurements beside its
// reference.
#pragma once

#include <cstdint>
#include <string>

namespace posse {

// bench_kernel.cpp
void kernel_bench(int repeats);
void threads_bench();
void memory_bench();
/// One run of echo in a separate process, whose peak memory is measured.
void memory_of(const std::string& kernel, std::uint32_t clients);

// bench_algorithms.cpp
void pulls_bench();
void learners_bench();

/// bench_beside.cpp; `other`: a program that takes the same scenarios.
void beside_bench(const std::string& other);

// bench_functional.cpp
void functional_bench();

// bench_growth.cpp
void growth_bench();

/// bench_library.cpp
void library_bench(const std::string& scenario_file);

// bench_mathematics.cpp
void mathematics_bench();

// bench_repeats.cpp
void repeats_bench(const std::string& scenario_file);

// bench_sweep.cpp
void sweep_bench(const std::string& scenario_file);

/// bench_watching.cpp; `scenarios`: the folder of shipped scenarios.
void watching_bench(const std::string& scenarios);

}  // namespace posse
