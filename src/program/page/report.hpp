// report.html: the page with finished runs inside, in one file that opens from disk.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace posse {

/// The report's text, of documents as text (document_text): the same for the same documents.
std::string report_html(const std::vector<std::string>& documents);
/// Writes it; an older report stays until the new one is whole. Throws FileError.
void write_report(const std::filesystem::path& path, const std::vector<std::string>& documents);

/// `posse report RUN… [--out FILE]`: where the report went. One run's goes into its folder unless
/// `out` says otherwise, several runs' into the current one. Throws FileError.
std::filesystem::path report_runs(const std::vector<std::string>& runs, const std::string& out);

}  // namespace posse
