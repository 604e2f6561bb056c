// SPDX-License-Identifier: Apache-2.0
// A real Prometheus server for a test: loopback, a temporary folder, asked over its HTTP API.
#pragma once

#include <catch2/catch.hpp>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/child_process.hpp"
#include "tests/support/plain_http.hpp"

namespace posse::test {

class PrometheusServer {
 public:
  struct Series {
    std::map<std::string, std::string> labels;
    std::vector<std::pair<double, double>> points;  // time in seconds, value
  };

  /// Keeps its data in `folder`/data, where blocks may lie already; `config` is a file.
  PrometheusServer(const std::string& program,
                   const std::filesystem::path& folder,
                   const std::filesystem::path& config)
      : port_(free_port()),
        process_({program,
                  "--config.file=" + config.string(),
                  "--storage.tsdb.path=" + (folder / "data").string(),
                  "--storage.tsdb.retention.time=100y",  // runs begin in 1970
                  "--web.listen-address=127.0.0.1:" + std::to_string(port_)},
                 folder,
                 "prometheus") {
    const bool ready = comes_true([&] { return ask("/-/ready").status == 200; });
    INFO(process_.err());
    REQUIRE(ready);
  }

  HttpAnswer ask(const std::string& target) const { return ask_http(port_, target); }

  /// What /api/v1/query answers, at `time_s` of Unix time or now; fails the test if it refuses.
  std::vector<Series> query(const std::string& expression,
                            std::optional<double> time_s = {}) const {
    auto target = "/api/v1/query?query=" + url_encoded(expression);
    if (time_s) target += "&time=" + nlohmann::json(*time_s).dump();
    const auto answer = ask(target);
    INFO(expression << "\n" << answer.body);
    REQUIRE(answer.status == 200);
    const auto data = nlohmann::json::parse(answer.body)["data"];
    if (data["resultType"] == "scalar") return {{{}, {point(data["result"])}}};
    std::vector<Series> found;
    for (const auto& result : data["result"]) {
      Series series{result["metric"], {}};
      if (result.contains("value")) series.points.push_back(point(result["value"]));
      if (result.contains("values"))
        for (const auto& value : result["values"]) series.points.push_back(point(value));
      found.push_back(std::move(series));
    }
    return found;
  }

  std::string log() const { return process_.err(); }

 private:
  static std::pair<double, double> point(const nlohmann::json& pair) {
    return {pair[0].get<double>(), std::strtod(pair[1].get<std::string>().c_str(), nullptr)};
  }

  std::uint16_t port_;
  ChildProcess process_;
};

}  // namespace posse::test
