// SPDX-License-Identifier: Apache-2.0
// All fuzz targets on the inputs of their corpus, and on mutations of these with fixed seeds. Built
// by the ordinary compiler, so that every run of the tests includes it, with the address sanitizer
// too.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <filesystem>
#include <iostream>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "program/base/files.hpp"
#include "tests/fuzz/targets.hpp"

extern "C" [[gnu::weak]] void __sanitizer_set_death_callback(void (*)());

namespace posse::fuzz {
namespace {

namespace fs = std::filesystem;

struct Target {
  const char* name;
  void (*run)(std::string_view);
  std::size_t mutations;  // about a second's worth under the address sanitizer
};
constexpr std::array<Target, 15> kTargets{{{"scenario", fuzz_scenario, 300},
                                           {"sweep", fuzz_sweep, 300},
                                           {"claims", fuzz_claims, 3000},
                                           {"tables", fuzz_tables, 5000},
                                           {"expression", fuzz_expression, 500},
                                           {"words", fuzz_words, 5000},
                                           {"answer", fuzz_answer, 5000},
                                           {"run_folder", fuzz_run_folder, 150},
                                           {"actions", fuzz_actions, 300},
                                           {"store", fuzz_store, 50},
                                           {"http", fuzz_http, 1000},
                                           {"messages", fuzz_messages, 5000},
                                           {"control", fuzz_control, 200},
                                           {"processes", fuzz_processes, 5000},
                                           {"front", fuzz_front, 5000}}};

std::vector<std::string> corpus_of(const std::string& target) {
  const fs::path folder = fs::path(POSSE_SOURCE_DIR) / "tests/fuzz/corpus" / target;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<std::string> inputs;
  for (const auto& file : files) inputs.push_back(read_file(file));
  return inputs;
}

/// The standard's distributions aren't the same everywhere.
std::size_t below(std::mt19937_64& random, std::size_t n) {
  return static_cast<std::size_t>(random() % n);
}

std::string mutated(std::string text, const std::string& other, std::mt19937_64& random) {
  static const std::array<std::string, 12> kTokens{"0",
                                                   "-1",
                                                   "1e999",
                                                   "nan",
                                                   "4294967296",
                                                   "\"",
                                                   "\n",
                                                   ",",
                                                   "=",
                                                   "[",
                                                   "}",
                                                   std::string(1, '\0')};
  for (std::size_t left = 1 + below(random, 4); left > 0; --left) {
    const std::size_t at = below(random, text.size() + 1);
    switch (below(random, 6)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(below(random, 256));
        break;
      case 1:
        text.erase(at, 1 + below(random, 12));
        break;
      case 2:
        text.insert(at, kTokens[below(random, kTokens.size())]);
        break;
      case 3:  // a part twice
        text.insert(at, text.substr(below(random, text.size() + 1), below(random, 60)));
        break;
      case 4:  // a part of another input
        text.insert(at, other.substr(below(random, other.size() + 1), below(random, 60)));
        break;
      default:
        if (below(random, 4) == 0) text.resize(at);
    }
  }
  return text;
}

std::string_view current;  // the input that runs

/// Says which input broke what, also where a sanitizer ends the program.
void run(const Target& target, const std::string& input) {
  current = input;
  try {
    target.run(input);
  } catch (const std::exception& problem) {
    FAIL_CHECK(target.name << ": " << problem.what() << "\ninput:\n" << input);
  }
}

void show_input_at_death() {
  if (__sanitizer_set_death_callback != nullptr)
    __sanitizer_set_death_callback([] {
      std::cerr << "input:\n" << current << "\nend of the input\n";
    });
}

}  // namespace

TEST_CASE("every property holds for the corpus of each fuzz target") {
  show_input_at_death();
  for (const auto& target : kTargets) {
    const auto inputs = corpus_of(target.name);
    CHECK(inputs.size() >= 5);
    for (const auto& input : inputs) run(target, input);
    run(target, "");
  }
}

TEST_CASE("every property holds for mutations of the corpus") {
  show_input_at_death();
  for (const auto& target : kTargets) {
    std::mt19937_64 random(1);
    const auto inputs = corpus_of(target.name);
    REQUIRE(!inputs.empty());
    for (std::size_t i = 0; i < target.mutations; ++i)
      run(target,
          mutated(
              inputs[below(random, inputs.size())], inputs[below(random, inputs.size())], random));
  }
}

}  // namespace posse::fuzz
