// SPDX-License-Identifier: Apache-2.0
#include "program/metrics/curl_module.hpp"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <string_view>
#include <system_error>

#include "core/base/module.hpp"

namespace posse {
namespace {

constexpr std::size_t kMostOfAnAnswer = 300;  // bytes of the answer that are shown

struct CurlDeleter {
  void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};

std::size_t give(char* buffer, std::size_t size, std::size_t count, void* data) {
  auto& rest = *static_cast<std::string_view*>(data);
  const std::size_t n = std::min(size * count, rest.size());
  std::copy_n(rest.data(), n, buffer);
  rest.remove_prefix(n);
  return n;
}

std::size_t take(char* buffer, std::size_t size, std::size_t count, void* data) {
  auto& answer = *static_cast<std::string*>(data);
  const std::size_t bytes = size * count;
  answer.append(buffer,
                std::min(bytes, kMostOfAnAnswer - std::min(kMostOfAnAnswer, answer.size())));
  return bytes;
}

/// A transfer ends where another signal is pending than at its beginning.
struct UploadWatch {
  int (*pending_signal)();
  int before = pending_signal();  // a run that was stopped is pushed as well
};

/// libcurl calls it about once a second, and on each transfer.
int stop_on_signal(void* data, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  const auto& watch = *static_cast<const UploadWatch*>(data);
  return watch.pending_signal() != watch.before;
}

CurlModule::Answer put(const CurlModule::Upload& upload) {
  static std::once_flag once;
  std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
  const std::unique_ptr<CURL, CurlDeleter> handle(curl_easy_init());
  if (!handle) return {"libcurl can't be used"};
  CURL* const curl = handle.get();
  const auto type = "Content-Type: " + upload.content_type;
  std::unique_ptr<curl_slist, CurlDeleter> headers(curl_slist_append(nullptr, type.c_str()));
  headers.reset(curl_slist_append(headers.release(), "Expect:"));  // no waiting for 100 Continue
  std::string_view rest = upload.text;
  CurlModule::Answer answer;
  char problem[CURL_ERROR_SIZE] = "";
  UploadWatch watch{upload.pending_signal};
  curl_easy_setopt(curl, CURLOPT_URL, upload.url.c_str());
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  if (upload.without_proxy) curl_easy_setopt(curl, CURLOPT_NOPROXY, "*");
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);  // PUT
  curl_easy_setopt(curl, CURLOPT_INFILESIZE_LARGE, static_cast<curl_off_t>(upload.text.size()));
  curl_easy_setopt(curl, CURLOPT_READFUNCTION, give);
  curl_easy_setopt(curl, CURLOPT_READDATA, &rest);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &answer.begin);
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, problem);
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, static_cast<long>(upload.patience.count()));
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, stop_on_signal);
  curl_easy_setopt(curl, CURLOPT_XFERINFODATA, &watch);
  const CURLcode code = curl_easy_perform(curl);
  long reason = 0;
  if (code == CURLE_ABORTED_BY_CALLBACK)
    answer.problem = "stopped by a signal";
  else if (code == CURLE_OPERATION_TIMEDOUT)
    answer.problem =
        fmt::format("no answer within {} s", static_cast<double>(upload.patience.count()) / 1000);
  else if (code == CURLE_COULDNT_CONNECT &&
           curl_easy_getinfo(curl, CURLINFO_OS_ERRNO, &reason) == CURLE_OK && reason != 0)
    answer.problem = std::generic_category().message(static_cast<int>(reason));
  else if (code != CURLE_OK)
    answer.problem = problem[0] != '\0' ? problem : curl_easy_strerror(code);
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &answer.status);
  return answer;
}

}  // namespace
}  // namespace posse

POSSE_MODULE(posse::CurlModule){posse::put};
