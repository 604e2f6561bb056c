// SPDX-License-Identifier: Apache-2.0
// The program `posse`, implemented in src/program.
#include "program/cli/cli.hpp"

int main(int argc, char** argv) { return posse::run_command_line(argc, argv); }
