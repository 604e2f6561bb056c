// SPDX-License-Identifier: Apache-2.0
// Writes what processes tell each other as bytes, and reads it. A struct has one function
// `exchange(archive, struct)` that lists its fields, for both directions.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace posse {

class ArchiveWriter {
 public:
  template <class... Fields>
  void operator()(Fields&... fields) {
    (put(fields), ...);
  }
  std::vector<char> take() { return std::move(out_); }

 private:
  void raw(const void* bytes, std::size_t size) {
    const auto* first = static_cast<const char*>(bytes);
    out_.insert(out_.end(), first, first + size);
  }
  void size(std::size_t n) {
    const auto count = static_cast<std::uint32_t>(n);
    raw(&count, sizeof count);
  }
  template <class T>
  void put(T& x) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>)
      raw(&x, sizeof x);
    else
      exchange(*this, x);
  }
  void put(std::string& text) {
    size(text.size());
    raw(text.data(), text.size());
  }
  void put(std::string_view& text) {
    size(text.size());
    raw(text.data(), text.size());
  }
  void put(std::vector<char>& bytes) {
    size(bytes.size());
    raw(bytes.data(), bytes.size());
  }
  template <class T>
  void put(std::vector<T>& list) {
    size(list.size());
    for (T& x : list) put(x);
  }
  template <class T>
  void put(std::optional<T>& maybe) {
    bool any = maybe.has_value();
    put(any);
    if (any) put(*maybe);
  }
  template <class... Kinds>
  void put(std::variant<Kinds...>& one) {
    auto which = static_cast<std::uint8_t>(one.index());
    put(which);
    std::visit([&](auto& x) { put(x); }, one);
  }
  std::vector<char> out_;
};

/// Never reads past the end. Texts that must live on are kept by `names`.
class ArchiveReader {
 public:
  /// `name`: gives a text of static storage for one that was read, or "" to refuse it.
  using Names = std::string_view (*)(std::string_view);
  explicit ArchiveReader(std::span<const char> in, Names names) : in_(in), names_(names) {}

  template <class... Fields>
  void operator()(Fields&... fields) {
    (take(fields), ...);
  }
  void refuse() { ok_ = false; }
  /// True when every field was there and made sense, and nothing is left.
  bool finished() const { return ok_ && in_.empty(); }

 private:
  bool raw(void* out, std::size_t size) {
    if (!ok_ || in_.size() < size) return ok_ = false;
    std::memcpy(out, in_.data(), size);
    in_ = in_.subspan(size);
    return true;
  }
  /// Every element takes a byte at least.
  std::size_t size() {
    std::uint32_t count = 0;
    if (raw(&count, sizeof count) && count > in_.size()) ok_ = false;
    return ok_ ? count : 0;
  }
  template <class T>
  void take(T& x) {
    if constexpr (std::is_same_v<T, bool>) {
      std::uint8_t byte = 0;
      if (raw(&byte, 1) && byte > 1) ok_ = false;
      x = byte == 1;
    } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      raw(&x, sizeof x);
    } else {
      exchange(*this, x);
    }
  }
  void take(std::string& text) {
    text.resize(size());
    if (!text.empty()) raw(text.data(), text.size());
  }
  void take(std::string_view& text) {
    std::string read;
    take(read);
    if (!ok_) return;
    text = names_(read);
    if (text.empty() && !read.empty()) ok_ = false;
  }
  void take(std::vector<char>& bytes) {
    bytes.resize(size());
    if (!bytes.empty()) raw(bytes.data(), bytes.size());
  }
  template <class T>
  void take(std::vector<T>& list) {
    const std::size_t count = size();
    list.clear();
    for (std::size_t i = 0; i < count && ok_; ++i) {
      T x{};
      take(x);
      list.push_back(std::move(x));
    }
  }
  template <class T>
  void take(std::optional<T>& maybe) {
    bool any = false;
    take(any);
    if (ok_ && any)
      take(maybe.emplace());
    else
      maybe.reset();
  }
  template <class... Kinds>
  void take(std::variant<Kinds...>& one) {
    std::uint8_t which = 0;
    take(which);
    if (which >= sizeof...(Kinds)) ok_ = false;
    if (ok_) take_kind<0>(which, one);
  }
  template <std::size_t I, class... Kinds>
  void take_kind(std::uint8_t which, std::variant<Kinds...>& one) {
    if constexpr (I < sizeof...(Kinds)) {
      if (which == I)
        take(one.template emplace<I>());
      else
        take_kind<I + 1>(which, one);
    }
  }

  std::span<const char> in_;
  Names names_;
  bool ok_ = true;
};

}  // namespace posse
