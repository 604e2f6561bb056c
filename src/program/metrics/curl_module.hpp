// SPDX-License-Identifier: Apache-2.0
// The module that links libcurl.
#pragma once

#include <chrono>
#include <string>

namespace posse {

struct CurlModule {
  static constexpr const char* kModule = "curl";

  struct Upload {
    std::string url;
    std::string content_type;
    std::string text;
    std::chrono::milliseconds patience{};
    bool without_proxy = false;
    int (*pending_signal)() = nullptr;  // another value than at the beginning stops the transfer
  };
  struct Answer {
    std::string problem;  // why there is no answer, or empty
    long status = 0;      // of HTTP
    std::string begin;    // of its text
  };
  /// HTTP PUT. Returns once there is an answer, the time is over, or a signal came.
  Answer (*put)(const Upload& upload);
};

}  // namespace posse
