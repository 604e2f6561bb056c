// SPDX-License-Identifier: Apache-2.0
#include "program/page/report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "core/base/hash.hpp"
#include "program/base/files.hpp"
#include "program/page/document.hpp"
#include "program/page/page.hpp"
#include "program/page/sweep_page.hpp"
#include "program/results/stored_run.hpp"
#include "program/results/study_json.hpp"
#include "program/sweep/study_reader.hpp"

namespace posse {
namespace fs = std::filesystem;

std::string final_document(const RunFolder& folder,
                           const Scenario& scenario,
                           const Execution& execution) {
  auto document = document_of(scenario, execution, folder.path());
  document["title"] = run_title(folder.final_path());
  return compact_json(document);
}

std::string report_boot(const std::vector<std::string>& documents, const std::string& study) {
  std::string boot = "{\"mode\":\"report\",\"documents\":[";
  for (const auto& document : documents) {
    if (&document != &documents.front()) boot += ',';
    boot += document;
  }
  return boot + "],\"study\":" + study + "}";
}

std::string html_with(const std::string& boot_json) {
  // Not a secret nonce: it only has to match within the file.
  const auto hash = hash_name(boot_json);
  return page_html(boot_json,
                   fmt::format("{:016x}{:016x}", hash, hash_combine(hash, boot_json.size())));
}

std::string report_html(const std::vector<std::string>& documents, const std::string& study) {
  return html_with(report_boot(documents, study));
}

std::string compared_runs(const std::vector<fs::path>& runs) {
  Json json;
  try {
    json = study_json(study_report(read_study(runs)));
    json.erase("measures");
  } catch (const std::invalid_argument& problem) {
    json = {{"problem", problem.what()}};
  }
  return compact_json(json);
}

fs::path report_runs(const std::vector<std::string>& runs, const std::string& out) {
  for (const auto& run : runs) {
    if (!is_store(run)) continue;
    if (runs.size() > 1) throw FileError(run, "is a store: its report has no other runs in it");
    const fs::path path = out.empty() ? fs::path(run) / "report.html" : fs::path(out);
    write_file(path, SweepPage(read_study({run})).html());
    return path;
  }
  std::vector<std::string> documents;
  documents.reserve(runs.size());
  for (const auto& run : runs) documents.push_back(compact_json(read_document(run)));
  fs::path path = !out.empty()       ? fs::path(out)
                  : runs.size() == 1 ? find_run_folder(runs.front()) / "report.html"
                                     : fs::path("report.html");
  const std::string study =
      runs.size() > 1 ? compared_runs({runs.begin(), runs.end()}) : std::string("null");
  write_file(path, report_html(documents, study));
  return path;
}

}  // namespace posse
