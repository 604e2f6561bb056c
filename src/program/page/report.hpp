// SPDX-License-Identifier: Apache-2.0
// report.html: the page with the data of finished runs in a single file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "program/results/execution.hpp"
#include "program/results/results.hpp"

namespace posse {

/// What a page of finished documents begins with; `study` as in report_html().
std::string report_boot(const std::vector<std::string>& documents,
                        const std::string& study = "null");

/// The page as a file. Equal data give equal files.
std::string html_with(const std::string& boot_json);

/// The report's HTML, from documents as JSON text (compact_json); equal documents give equal text.
/// `study`: the runs compared, of several documents (compared_runs).
std::string report_html(const std::vector<std::string>& documents,
                        const std::string& study = "null");

/// The document, as JSON text, of runs whose folder is not committed yet. Throws FileError.
std::string final_document(const RunFolder& folder,
                           const Scenario& scenario,
                           const Execution& execution);

/// The comparison of several runs that a page shows first: {title, headline, warnings, legend,
/// tables} as in results.json, or {problem} where they can't be compared. Throws FileError.
std::string compared_runs(const std::vector<std::filesystem::path>& runs);

/// `posse report RUN… [--out FILE]`: the report's path, `out` if given, else report.html in the
/// run's folder or the store, or in the current directory for several runs. A store has a page of
/// its own, and can't be among several. Throws FileError.
std::filesystem::path report_runs(const std::vector<std::string>& runs, const std::string& out);

}  // namespace posse
