// SPDX-License-Identifier: Apache-2.0
// A run as a process that serves its metrics, and begins when a test wants it to.
#pragma once

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

#include "tests/support/child_process.hpp"
#include "tests/support/executable.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/http_client.hpp"

namespace posse::test {

/// A run that waits for `begin`, so that its metrics can be scraped before its first message, and
/// serves them for a while after its end.
class PausedRun {
 public:
  PausedRun(const Folder& folder,
            const std::string& name,
            const std::string& scenario,
            const std::string& pace)
      : process_({posse_executable(),
                  "run",
                  folder.write(name + ".toml", scenario).string(),
                  "--metrics=127.0.0.1:0",
                  "--serve=127.0.0.1:0",
                  "--paused",
                  "--pace",
                  pace,
                  "--linger",
                  "60s"},
                 folder.path(),
                 name) {}
  /// "127.0.0.1:41234"
  std::string address() {
    const auto url = process_.line_after("metrics: http://");
    CHECK(url.ends_with("/metrics"));
    return url.substr(0, url.find('/'));
  }
  /// All of its runs go on.
  void begin() {
    const auto page = process_.line_after("page: http://127.0.0.1:");
    const auto port = static_cast<std::uint16_t>(std::stoi(page));
    const auto token = page.substr(page.find("token=") + 6);
    HttpClient client(port);
    client.send(http_request(port,
                             "/api/control",
                             "Authorization: Bearer " + token + "\r\n",
                             "POST",
                             R"({"action":"resume"})"));
    CHECK(client.answer().status == 204);
  }

 private:
  ChildProcess process_;
};

}  // namespace posse::test
