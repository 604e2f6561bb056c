#include "program/page/report.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

#include "core/base/hash.hpp"
#include "program/base/files.hpp"
#include "program/compare/study_reader.hpp"
#include "program/page/document.hpp"
#include "program/page/page.hpp"
#include "program/results/stored_run.hpp"
#include "program/results/study_json.hpp"

namespace posse {
namespace fs = std::filesystem;

std::string report_html(const std::vector<std::string>& documents, const std::string& study) {
  std::string boot = "{\"mode\":\"report\",\"documents\":[";
  for (const auto& document : documents) {
    if (&document != &documents.front()) boot += ',';
    boot += document;
  }
  boot += "],\"study\":" + study + "}";
  // Not a secret nonce: it only has to match within the file, and equal documents give equal
  // reports.
  const auto hash = hash_name(boot);
  return page_html(boot, fmt::format("{:016x}{:016x}", hash, hash_combine(hash, boot.size())));
}

std::string compared_runs(const std::vector<fs::path>& runs) {
  Json json;
  try {
    json = study_json(study_report(read_study(runs)));
    json.erase("measures");
  } catch (const std::invalid_argument& problem) {
    json = {{"problem", problem.what()}};
  }
  return document_text(json);
}

void write_report(const fs::path& path, const std::string& html) {
  auto unfinished = path;
  unfinished += fmt::format(".tmp-{}", getpid());
  std::error_code error;
  try {
    write_file(unfinished, html);
  } catch (const FileError&) {
    fs::remove(unfinished, error);
    throw FileError(path, "can't be written");
  }
  fs::rename(unfinished, path, error);
  if (!error) return;
  std::error_code ignored;
  fs::remove(unfinished, ignored);
  throw FileError(path, "can't be written: " + error.message());
}

fs::path report_runs(const std::vector<std::string>& runs, const std::string& out) {
  std::vector<std::string> documents;
  documents.reserve(runs.size());
  for (const auto& run : runs) documents.push_back(document_text(read_document(run)));
  fs::path path = !out.empty()       ? fs::path(out)
                  : runs.size() == 1 ? find_run_folder(runs.front()) / "report.html"
                                     : fs::path("report.html");
  const std::string study =
      runs.size() > 1 ? compared_runs({runs.begin(), runs.end()}) : std::string("null");
  write_report(path, report_html(documents, study));
  return path;
}

}  // namespace posse
