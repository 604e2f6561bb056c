// SPDX-License-Identifier: Apache-2.0
// Fuzz targets: each takes any bytes as the input of one part of the program and checks what must
// hold for all of them. Bad input may only be refused, by the error that the part documents.
//
// `tools/fuzz` runs a target in libFuzzer (libfuzzer.cpp). The test suite runs all of them on the
// inputs of corpus/ and on mutations of these (test_corpus.cpp).
#pragma once

#include <stdexcept>
#include <string_view>

namespace posse::fuzz {

/// A property that an input breaks.
class Broken : public std::logic_error {
  using std::logic_error::logic_error;
};

inline void require(bool holds, const char* property) {
  if (!holds) throw Broken(property);
}

void fuzz_scenario(std::string_view input);
void fuzz_sweep(std::string_view input);
void fuzz_claims(std::string_view input);
void fuzz_tables(std::string_view input);
void fuzz_expression(std::string_view input);
void fuzz_words(std::string_view input);
void fuzz_answer(std::string_view input);
void fuzz_run_folder(std::string_view input);
void fuzz_actions(std::string_view input);
void fuzz_store(std::string_view input);
void fuzz_http(std::string_view input);
void fuzz_messages(std::string_view input);
void fuzz_control(std::string_view input);
void fuzz_processes(std::string_view input);
void fuzz_front(std::string_view input);

}  // namespace posse::fuzz
