// SPDX-License-Identifier: Apache-2.0
// Pushes metrics to a Prometheus Pushgateway, for runs that end before they are scraped.
//
// A push replaces the earlier metrics of its group (PUT /metrics/job/posse/instance/…). libcurl is
// used directly: prometheus-cpp's Gateway has no timeout, so that a silent gateway would block the
// program for ever, and it hides the gateway's reason for a refusal.
#pragma once

#include <prometheus/collectable.h>

#include <chrono>
#include <string>
#include <string_view>

namespace posse {

/// "http://host:port", or with the path of the gateway; https too. No user, query or fragment.
/// Returns it without a slash at the end; throws std::invalid_argument that names the given and the
/// allowed form.
std::string parse_push_url(std::string_view text);

/// The URL of the group: job "posse", this instance; parts are encoded where necessary.
std::string push_group_url(const std::string& base, std::string_view instance);

/// Pushes the current state. Takes at most about `patience`. Empty on success, else the error in
/// one line that names the URL. Never throws. `base` comes from parse_push_url.
std::string push_metrics(const std::string& base,
                         std::string_view instance,
                         const prometheus::Collectable& metrics,
                         std::chrono::milliseconds patience = std::chrono::seconds(5));

}  // namespace posse
