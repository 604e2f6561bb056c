// SPDX-License-Identifier: Apache-2.0
// Headless Chromium, driven over its DevTools protocol: tests see pages as users' browsers show
// them.
//
// One browser serves all tests of the program (it takes a second to start) and ends with it, its
// whole process group and its folder too. Every test opens a tab of its own. Messages are read
// while a test waits for one: there is no thread.
#pragma once

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/child_process.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/needed_program.hpp"

namespace posse::test {

class Browser {
 public:
  using Json = nlohmann::json;
  using Listener = std::function<void(const Json& event)>;
  static constexpr std::chrono::seconds kPatience{20};

  explicit Browser(const std::string& program)
      : process_(std::in_place,
                 std::vector<std::string>{"/usr/bin/env",
                                          "TMPDIR=" + profile(),
                                          program,
                                          "--headless",
                                          "--no-sandbox",
                                          "--disable-gpu",
                                          "--disable-quic",
                                          "--no-first-run",
                                          "--disable-background-networking",
                                          "--disable-component-update",
                                          "--disable-sync",
                                          "--disable-breakpad",
                                          "--disable-dev-shm-usage",
                                          "--password-store=basic",
                                          "--remote-debugging-port=0",
                                          "--user-data-dir=" + profile() + "/data",
                                          "about:blank"},
                 folder_.path(),
                 "chromium") {
    connect(process_->line_after("DevTools listening on "));
  }
  /// Its processes may write for a moment yet when the first of them has gone.
  ~Browser() {
    process_.reset();
    for (int i = 0; i < 100; ++i) {
      std::error_code error;
      std::filesystem::remove_all(folder_ / "profile", error);
      if (!error) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  /// The one of this program. Skips the test if Chromium isn't installed.
  static Browser& shared() {
    static Browser browser(needed_program("chromium"));
    return browser;
  }

  /// The result of a command. Throws std::runtime_error if it is refused or takes too long.
  Json command(const std::string& method, const Json& parameters, const std::string& session = "") {
    const int id = ++last_id_;
    Json request{{"id", id}, {"method", method}, {"params", parameters}};
    if (!session.empty()) request["sessionId"] = session;
    socket_.write(boost::asio::buffer(request.dump()));
    if (!listen_until([&] { return answers_.contains(id); }, kPatience))
      throw std::runtime_error("no answer to " + method);
    const Json answer = std::move(answers_[id]);
    answers_.erase(id);
    if (answer.contains("error")) throw std::runtime_error(method + ": " + answer["error"].dump());
    return answer["result"];
  }

  /// Reads what comes until the condition holds; false if it didn't in time.
  bool listen_until(const std::function<bool()>& condition, std::chrono::milliseconds patience) {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (!condition()) {
      if (std::chrono::steady_clock::now() >= end) return false;
      begin_reading();
      context_.restart();
      context_.run_for(std::chrono::milliseconds(5));
    }
    return true;
  }

  void attach(const std::string& session, Listener listener) {
    listeners_[session] = std::move(listener);
  }
  void detach(const std::string& session) { listeners_.erase(session); }

 private:
  using Tcp = boost::asio::ip::tcp;

  /// Everything that it writes goes there.
  std::string profile() const {
    const auto path = folder_ / "profile";
    std::filesystem::create_directories(path);
    return path.string();
  }

  /// "ws://127.0.0.1:PORT/devtools/browser/ID"
  void connect(const std::string& url) {
    const auto host = url.find("//") + 2, colon = url.find(':', host), path = url.find('/', colon);
    const std::string name = url.substr(host, colon - host);
    const std::string port = url.substr(colon + 1, path - colon - 1);
    boost::asio::connect(socket_.next_layer(), Tcp::resolver(context_).resolve(name, port));
    socket_.read_message_max(0);  // screenshots are large
    socket_.handshake(name + ":" + port, url.substr(path));
  }

  void begin_reading() {
    if (reading_) return;
    reading_ = true;
    socket_.async_read(buffer_, [this](boost::system::error_code error, std::size_t) {
      reading_ = false;
      if (error) throw std::runtime_error("the browser is gone: " + error.message());
      const Json message = Json::parse(boost::beast::buffers_to_string(buffer_.data()));
      buffer_.consume(buffer_.size());
      if (message.contains("id")) {
        answers_[message["id"].get<int>()] = message;
      } else if (const auto to = listeners_.find(message.value("sessionId", ""));
                 to != listeners_.end()) {
        to->second(message);
      }
    });
  }

  Folder folder_;
  std::optional<ChildProcess> process_;  // dies before its folder goes
  boost::asio::io_context context_;
  boost::beast::websocket::stream<Tcp::socket> socket_{context_};
  boost::beast::flat_buffer buffer_;
  bool reading_ = false;
  int last_id_ = 0;
  std::map<int, Json> answers_;
  std::map<std::string, Listener> listeners_;
};

/// A tab, closed in the end.
class BrowserPage {
 public:
  using Json = Browser::Json;

  explicit BrowserPage(Browser& browser) : browser_(browser) {
    target_ = browser_.command("Target.createTarget", {{"url", "about:blank"}})["targetId"];
    session_ = browser_.command("Target.attachToTarget",
                                {{"targetId", target_}, {"flatten", true}})["sessionId"];
    browser_.attach(session_, [this](const Json& event) { take(event); });
    for (const auto* domain : {"Page", "Runtime", "Log", "Network"})
      command(std::string(domain) + ".enable");
    look_like(1280, 900);
  }
  ~BrowserPage() {
    browser_.detach(session_);
    try {
      browser_.command("Target.closeTarget", {{"targetId", target_}});
    } catch (const std::exception&) {
      // It ends with the browser.
    }
  }
  BrowserPage(const BrowserPage&) = delete;
  BrowserPage& operator=(const BrowserPage&) = delete;

  Json command(const std::string& method, const Json& parameters = Json::object()) {
    return browser_.command(method, parameters, session_);
  }

  /// The window's size, narrow ones as of a phone, and what the reader prefers.
  void look_like(int width, int height, bool dark = false) {
    command(
        "Emulation.setDeviceMetricsOverride",
        {{"width", width}, {"height", height}, {"deviceScaleFactor", 1}, {"mobile", width < 600}});
    const Json scheme{{"name", "prefers-color-scheme"}, {"value", dark ? "dark" : "light"}};
    command("Emulation.setEmulatedMedia", {{"features", Json::array({scheme})}});
  }

  /// Until the page has loaded and its script has drawn once.
  void open(const std::string& url) {
    loaded_ = false;
    command("Page.navigate", {{"url", url}});
    wait_for_load(url);
  }
  void reload() {
    loaded_ = false;
    command("Page.reload");
    wait_for_load("the reloaded page");
  }

  /// A page behind another one isn't drawn.
  void bring_to_front() { command("Page.bringToFront"); }

  /// The value of an expression, or of what it promises; fails the test if it throws.
  Json evaluate(const std::string& expression) {
    const Json answer =
        command("Runtime.evaluate",
                {{"expression", expression}, {"returnByValue", true}, {"awaitPromise", true}});
    INFO(expression);
    if (answer.contains("exceptionDetails")) FAIL(answer["exceptionDetails"].dump());
    return answer["result"].value("value", Json());
  }
  /// True as soon as the expression is.
  bool becomes_true(const std::string& expression,
                    std::chrono::milliseconds patience = Browser::kPatience) {
    const auto end = std::chrono::steady_clock::now() + patience;
    for (;;) {
      if (evaluate("Boolean(" + expression + ")") == true) return true;
      if (std::chrono::steady_clock::now() >= end) return false;
      browser_.listen_until([] { return false; }, std::chrono::milliseconds(30));
    }
  }
  /// Two frames later: what was asked for before is drawn.
  void settle() {
    evaluate(
        "new Promise((done) => setTimeout(() => requestAnimationFrame(() => "
        "requestAnimationFrame(() => done(true))), 250))");
  }

  /// Of the whole page, not of what the window shows of it.
  void screenshot(const std::string& path) {
    const Json size = command("Page.getLayoutMetrics")["cssContentSize"];
    const Json clip{
        {"x", 0}, {"y", 0}, {"width", size["width"]}, {"height", size["height"]}, {"scale", 1}};
    const std::string data =
        command("Page.captureScreenshot",
                {{"format", "png"}, {"captureBeyondViewport", true}, {"clip", clip}})["data"];
    std::ofstream(path, std::ios::binary) << from_base64(data);
  }

  /// Errors and warnings in the console, uncaught exceptions, violations of the policy.
  const std::vector<std::string>& complaints() const { return complaints_; }
  /// All URLs that were asked for, the page's own first.
  const std::vector<std::string>& requests() const { return requests_; }

 private:
  void wait_for_load(const std::string& what) {
    INFO(what);
    REQUIRE(browser_.listen_until([this] { return loaded_; }, Browser::kPatience));
  }

  void take(const Json& event) {
    const std::string method = event["method"];
    const Json& p = event["params"];
    if (method == "Page.loadEventFired") {
      loaded_ = true;
    } else if (method == "Network.requestWillBeSent") {
      requests_.push_back(p["request"]["url"]);
    } else if (method == "Runtime.exceptionThrown") {
      complaints_.push_back(p["exceptionDetails"].dump());
    } else if (method == "Runtime.consoleAPICalled") {
      if (p["type"] == "error" || p["type"] == "warning" || p["type"] == "assert")
        complaints_.push_back(p["args"].dump());
    } else if (method == "Log.entryAdded") {
      const Json& entry = p["entry"];
      if (entry["level"] == "error" || entry["level"] == "warning")
        complaints_.push_back(entry["text"].get<std::string>() + " " + entry.value("url", ""));
    }
  }

  static std::string from_base64(std::string_view text) {
    static constexpr std::string_view kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    unsigned bits = 0, held = 0;
    for (const char c : text) {
      const auto digit = kDigits.find(c);
      if (digit == std::string_view::npos) continue;
      bits = (bits << 6 | static_cast<unsigned>(digit)) & 0xffffff;
      if ((held += 6) >= 8) out += static_cast<char>(bits >> (held -= 8) & 0xff);
    }
    return out;
  }

  Browser& browser_;
  std::string target_, session_;
  bool loaded_ = false;
  std::vector<std::string> complaints_, requests_;
};

}  // namespace posse::test
