# SPDX-License-Identifier: Apache-2.0
# Writes OUTPUT, a source file with the commit of SOURCE, at build time.
execute_process(COMMAND git -C ${SOURCE} rev-parse --short=12 HEAD
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT commit)
  set(commit unknown)
endif()
file(WRITE ${OUTPUT} "#include \"${HEADER}\"\n
namespace posse {\n
std::string commit() { return \"${commit}\"; }\n
}  // namespace posse\n")
