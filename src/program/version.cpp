#include "program/version.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>
#include <zlib.h>

#include <CLI/Version.hpp>
#include <boost/version.hpp>
#include <nlohmann/json.hpp>

#ifndef POSSE_VERSION
#define POSSE_VERSION "0.1.0"
#endif
#ifndef POSSE_COMMIT
#define POSSE_COMMIT "unknown"
#endif
#ifndef POSSE_CAF_VERSION
#define POSSE_CAF_VERSION "unknown"
#endif

namespace posse {

std::string version() { return POSSE_VERSION; }
std::string commit() { return POSSE_COMMIT; }
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

}  // namespace posse
