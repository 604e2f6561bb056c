// SPDX-License-Identifier: Apache-2.0
// The program `posse` with algorithms of one's own, in the place of a plug-in:
//
//   int main(int argc, char** argv) {
//     posse::add_algorithm(my_algorithm());
//     return posse::run_command_line(argc, argv);
//   }
#pragma once

#include "program/cli/cli.hpp"
#include "program/scenario/catalog.hpp"
