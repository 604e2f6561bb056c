// SPDX-License-Identifier: Apache-2.0
// Processes of this program that join a run on this machine.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <vector>

namespace posse {

class MemberProcesses {
 public:
  /// Starts `count` of them, each with `posse node` and these arguments; `token` is in their
  /// environment. Throws OutsideFailure if that fails.
  MemberProcesses(std::size_t count,
                  const std::vector<std::string>& arguments,
                  const std::string& token);
  /// Waits for their end for some seconds, then kills them.
  ~MemberProcesses();
  MemberProcesses(const MemberProcesses&) = delete;
  MemberProcesses& operator=(const MemberProcesses&) = delete;

 private:
  std::vector<pid_t> children_;
};

}  // namespace posse
