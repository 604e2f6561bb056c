// report.html: the page with the data of finished runs in a single file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace posse {

/// The report's HTML, from documents as JSON text (document_text); equal documents give equal text.
std::string report_html(const std::vector<std::string>& documents);
/// Replaces the file in one step. Throws FileError.
void write_report(const std::filesystem::path& path, const std::vector<std::string>& documents);

/// `posse report RUN… [--out FILE]`: the report's path, `out` if given, else report.html in the
/// run's folder, or in the current directory for several runs. Throws FileError.
std::filesystem::path report_runs(const std::vector<std::string>& runs, const std::string& out);

}  // namespace posse
