// SPDX-License-Identifier: Apache-2.0
#include "program/base/version.hpp"

#include <fmt/format.h>
#include <gnu/libc-version.h>
#include <toml++/toml.h>
#include <zlib.h>

#include <CLI/Version.hpp>
#include <boost/version.hpp>
#include <nlohmann/json.hpp>

#ifndef POSSE_CAF_VERSION
#define POSSE_CAF_VERSION "unknown"
#endif

namespace posse {

std::string version() { return POSSE_VERSION; }
std::string compiler() { return fmt::format("g++ {}", __VERSION__); }

std::vector<std::string> libraries() {
  return {
      fmt::format("CAF {}", POSSE_CAF_VERSION),
      fmt::format("Boost {}.{}.{}",
                  BOOST_VERSION / 100000,
                  BOOST_VERSION / 100 % 1000,
                  BOOST_VERSION % 100),
      fmt::format("fmt {}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100),
      fmt::format("toml++ {}.{}.{}", TOML_LIB_MAJOR, TOML_LIB_MINOR, TOML_LIB_PATCH),
      fmt::format("CLI11 {}", CLI11_VERSION),
      fmt::format("nlohmann-json {}.{}.{}",
                  NLOHMANN_JSON_VERSION_MAJOR,
                  NLOHMANN_JSON_VERSION_MINOR,
                  NLOHMANN_JSON_VERSION_PATCH),
      fmt::format("zlib {}", ZLIB_VERSION)};
}

std::string machine_mathematics() {
#if defined(__x86_64__)
  std::string text = "x86-64";
  if (__builtin_cpu_supports("avx2")) text += ", AVX2";
  if (__builtin_cpu_supports("fma")) text += ", FMA";
  if (__builtin_cpu_supports("avx512f")) text += ", AVX-512";
#elif defined(__aarch64__)
  std::string text = "arm64";
#else
  std::string text = "another processor";
#endif
  return fmt::format("{}; glibc {}", text, gnu_get_libc_version());
}

}  // namespace posse
