// SPDX-License-Identifier: Apache-2.0
#include "program/page/serve.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "program/base/files.hpp"
#include "program/base/output.hpp"
#include "program/base/signals.hpp"
#include "program/page/document_parts.hpp"
#include "program/page/page_answer.hpp"
#include "program/page/report.hpp"
#include "program/page/run_index.hpp"
#include "program/page/sweep_page.hpp"
#include "program/sweep/study_reader.hpp"

namespace posse {
namespace {

HttpResponse document_answer(RunIndex& index, std::string_view id) {
  try {
    if (auto text = index.document(id)) return json_answer(std::move(*text));
    return error_answer(404, fmt::format("there is no run '{}'", id));
  } catch (const FileError& problem) {
    return error_answer(422, problem.what());
  }
}

/// Of all runs that the query names.
HttpResponse study_answer(const RunIndex& index, const HttpRequest& request) {
  std::vector<std::filesystem::path> folders;
  for (const auto& [name, id] : request.query) {
    if (name != "run") continue;
    const auto folder = index.folder(id);
    if (!folder) return error_answer(404, fmt::format("there is no run '{}'", id));
    folders.push_back(*folder);
  }
  if (folders.size() < 2) return error_answer(422, "a comparison needs at least two runs");
  try {
    return json_answer(compared_runs(folders));
  } catch (const FileError& problem) {
    return error_answer(422, problem.what());
  }
}

}  // namespace

HttpHandler run_index_handler(RunIndex& index) {
  return [&index](const HttpRequest& request) {
    if (request.method == "POST") return error_answer(405, "finished runs can't be changed");
    if (request.path == "/") return page_answer("{\"mode\":\"run_index\"}");
    if (request.path == "/api/runs") return json_answer(compact_json(index.runs()));
    if (request.path == "/api/document") return document_answer(index, request.parameter("run"));
    if (request.path == "/api/study") return study_answer(index, request);
    return error_answer(404, fmt::format("there is nothing at '{}'", request.path));
  };
}

void warn_if_public(const HttpAddress& address) {
  if (!address.loopback())
    print_err("warning: others on the network can connect: {} is not the loopback interface\n",
              address.host);
}

FinishedPage::FinishedPage(const std::string& folder, const HttpAddress& address) {
  if (is_store(folder))
    sweep_ = std::make_unique<SweepPage>(read_study({folder}));
  else
    index_ = std::make_unique<RunIndex>(folder);
  server_ = std::make_unique<HttpServer>(address,
                                         sweep_ ? sweep_->handler() : run_index_handler(*index_));
}
FinishedPage::~FinishedPage() = default;

ExitCode serve_runs(const std::string& folder, const std::string& address_text) {
  HttpAddress address{"127.0.0.1", kPagePort};
  try {
    address = parse_http_address(address_text, address);
  } catch (const std::invalid_argument& problem) {
    print_err("--listen: {} (exit code 2)\n", problem.what());
    return ExitCode::usage;
  }
  catch_signals();
  try {
    const FinishedPage page(folder, address);
    warn_if_public(address);
    print_err("page: {}\n", page.url());
    wait_for_signal();
  } catch (const std::system_error& problem) {
    print_err("{}; --listen=:0 chooses a free one (exit code 10)\n", problem.what());
    return ExitCode::port;
  }
  return ExitCode::ok;
}

}  // namespace posse
