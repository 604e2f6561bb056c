// SPDX-License-Identifier: Apache-2.0
// `posse serve DIR`: the page for the finished runs below a directory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "program/base/exit_codes.hpp"
#include "program/http/server.hpp"

namespace posse {

class RunIndex;   // page/run_index.hpp
class SweepPage;  // page/sweep_page.hpp

/// Default port of the page.
inline constexpr std::uint16_t kPagePort = 8470;

/// "/", "/api/runs", "/api/document?run=ID"; `index` must outlive it.
HttpHandler run_index_handler(RunIndex& index);

/// Warns on standard error that others can connect, unless the address is the loopback interface's.
void warn_if_public(const HttpAddress& address);

/// A page for the finished runs below a directory, or for a store that was collected.
class FinishedPage {
 public:
  /// Serves when this returns. Throws FileError if there is no such directory; std::system_error if
  /// the address can't be bound.
  FinishedPage(const std::string& folder, const HttpAddress& address);
  ~FinishedPage();
  FinishedPage(const FinishedPage&) = delete;
  FinishedPage& operator=(const FinishedPage&) = delete;
  std::string url() const { return server_->url() + "/"; }

 private:
  std::unique_ptr<RunIndex> index_;
  std::unique_ptr<SweepPage> sweep_;
  std::unique_ptr<HttpServer> server_;
};

/// Serves until SIGINT or SIGTERM. `address` as parse_http_address takes it. Errors are
/// printed on standard error. Throws FileError if there is no such directory.
ExitCode serve_runs(const std::string& folder, const std::string& address);

}  // namespace posse
