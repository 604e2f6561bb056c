// Pushes metrics to a Prometheus Pushgateway, for runs that are over before anybody scrapes them.
//
// What is pushed replaces what was there of the same group (PUT /metrics/job/posse/instance/…).
// libcurl is used directly: prometheus-cpp's Gateway has no timeout, so a gateway that accepts and
// says nothing would hold the program for good, and it keeps the gateway's reason for refusing to
// itself.
#pragma once

#include <prometheus/collectable.h>

#include <chrono>
#include <string>
#include <string_view>

namespace posse {

/// "http://host:port", or with the path below which the gateway lives; https too. Nothing else: no
/// user, query or fragment. Returns it without a slash at the end; throws std::invalid_argument
/// that says what was given and what is allowed.
std::string parse_push_url(std::string_view text);

/// The URL of the group: job "posse", the instance named; parts are encoded where they have to be.
std::string push_group_url(const std::string& base, std::string_view instance);

/// Pushes the state of now. Takes at most about `patience`. Empty if it worked, else what went
/// wrong, in one line that names the URL. Never throws. `base` comes from parse_push_url.
std::string push_metrics(const std::string& base,
                         std::string_view instance,
                         const prometheus::Collectable& metrics,
                         std::chrono::milliseconds patience = std::chrono::seconds(5));

}  // namespace posse
