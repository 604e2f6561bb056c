#include "program/page/report.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <system_error>

#include "core/base/hash.hpp"
#include "program/base/files.hpp"
#include "program/page/document.hpp"
#include "program/page/page.hpp"
#include "program/results/stored_run.hpp"

namespace posse {
namespace fs = std::filesystem;

std::string report_html(const std::vector<std::string>& documents) {
  std::string boot = "{\"mode\":\"report\",\"documents\":[";
  for (const auto& document : documents) {
    if (&document != &documents.front()) boot += ',';
    boot += document;
  }
  boot += "]}";
  // Not a secret nonce: it only has to match within the file, and equal documents give equal
  // reports.
  const auto hash = hash_name(boot);
  return page_html(boot, fmt::format("{:016x}{:016x}", hash, hash_combine(hash, boot.size())));
}

void write_report(const fs::path& path, const std::vector<std::string>& documents) {
  auto unfinished = path;
  unfinished += fmt::format(".tmp-{}", getpid());
  std::error_code error;
  try {
    write_file(unfinished, report_html(documents));
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
  write_report(path, documents);
  return path;
}

}  // namespace posse
