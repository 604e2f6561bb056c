// SPDX-License-Identifier: Apache-2.0
// Messages: immutable typed values with a specified encoding.
//
// A message type is a struct with a name, a list of its fields, and the number of values it carries
// as the papers count them:
//
//   struct LocalMeans {
//     static constexpr std::string_view kName = "LocalMeans";
//     std::uint32_t phase = 0;
//     std::vector<double> means;
//     std::uint64_t values() const { return means.size(); }
//     POSSE_FIELDS(phase, means)
//   };
//
// Encoding, little endian: double 8 bytes, uint64 8, uint32 4, uint16 2, uint8 1. A vector is a
// 4-byte count followed by its elements, which may be structs of numbers with fields of their own
// (no padding). `Filler` is a 4-byte count followed by as many bytes. `Tail` holds doubles without
// a count. The size that the accounts and the network use is exactly the size of this encoding.
// encode and decode are inverse to each other, so nodes need not share an address space.
//
// `Message` carries the sender and the round beside the payload; both cost `network.header_bytes`.
// The round is a field as well only if the paper sends it. The name must be new in the repository:
// scenarios, traces and metrics use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/check.hpp"
#include "core/base/fetch.hpp"
#include "core/base/free_store.hpp"
#include "core/base/hash.hpp"
#include "core/base/ids.hpp"
#include "core/base/reference_count.hpp"
#include "core/role/path.hpp"

/// Declares the fields of a message in the order of the encoding, with their names for printing.
#define POSSE_FIELDS(...)                                   \
  static constexpr std::string_view kFields = #__VA_ARGS__; \
  template <class Visitor>                                  \
  void visit_fields(Visitor& visitor) {                     \
    visitor(__VA_ARGS__);                                   \
  }                                                         \
  template <class Visitor>                                  \
  void visit_fields(Visitor& visitor) const {               \
    visitor(__VA_ARGS__);                                   \
  }

namespace posse {

/// `size` bytes without meaning, as load for the network; encoded as 4 + size bytes.
struct Filler {
  std::uint32_t size_bytes = 0;
};

/// Numbers up to the end of the message, encoded without a count. Only the last field of a message
/// may be a Tail. The receiver must check how many numbers there are.
struct Tail {
  std::vector<double> numbers;
};

namespace codec {

/// Encoded size of a vector's element, which is a number or a struct of numbers.
template <class T>
std::uint64_t element_bytes();

/// Counts the bytes of the encoding.
class Sizer {
 public:
  template <class... Fields>
  void operator()(const Fields&... fields) {
    (add(fields), ...);
  }
  std::uint64_t bytes() const { return bytes_; }

 private:
  template <class T>
  void add(const T&) {
    static_assert(std::is_arithmetic_v<T>,
                  "only numbers of fixed width and vectors of them can be encoded");
    bytes_ += sizeof(T);
  }
  template <class T>
  void add(const std::vector<T>& v) {
    bytes_ += 4 + element_bytes<T>() * v.size();
  }
  void add(const Filler& filler) { bytes_ += 4 + std::uint64_t{filler.size_bytes}; }
  void add(const Tail& tail) { bytes_ += 8 * tail.numbers.size(); }
  std::uint64_t bytes_ = 0;
};

template <class T>
std::uint64_t element_bytes() {
  if constexpr (std::is_arithmetic_v<T>) {
    return sizeof(T);
  } else {
    const T element{};
    Sizer sizer;
    element.visit_fields(sizer);
    return sizer.bytes();
  }
}

/// Replaces every double by a function of it, in order.
class Mapper {
 public:
  explicit Mapper(const std::function<double(double)>& change) : change_(change) {}
  template <class... Fields>
  void operator()(Fields&... fields) {
    (map(fields), ...);
  }

 private:
  template <class T>
  void map(T& x) {
    if constexpr (std::is_floating_point_v<T>) x = static_cast<T>(change_(x));
  }
  template <class T>
  void map(std::vector<T>& v) {
    for (T& x : v) {
      if constexpr (std::is_arithmetic_v<T>)
        map(x);
      else
        x.visit_fields(*this);
    }
  }
  void map(Filler&) {}
  void map(Tail& tail) { map(tail.numbers); }
  const std::function<double(double)>& change_;
};

/// Hashes the fields in order; doubles by their bits. Fingerprints depend on it: do not change it.
class Hasher {
 public:
  template <class... Fields>
  void operator()(const Fields&... fields) {
    (add(fields), ...);
  }
  std::uint64_t hash() const { return hash_; }

 private:
  template <class T>
  void add(const T& x) {
    if constexpr (std::is_floating_point_v<T>)
      hash_ = hash_double(hash_, x);
    else
      hash_ = hash_combine(hash_, static_cast<std::uint64_t>(x));
  }
  template <class T>
  void add(const std::vector<T>& v) {
    hash_ = hash_combine(hash_, v.size());
    for (const T& x : v) {
      if constexpr (std::is_arithmetic_v<T>)
        add(x);
      else
        x.visit_fields(*this);
    }
  }
  void add(const Filler& filler) { hash_ = hash_combine(hash_, filler.size_bytes); }
  void add(const Tail& tail) { add(tail.numbers); }
  std::uint64_t hash_ = 0;
};

/// Prints the fields' names and values; of a list, its length and its first numbers.
class Printer {
 public:
  Printer(std::string& out, std::string_view names) : out_(out), names_(names) {}
  template <class... Fields>
  void operator()(const Fields&... fields) {
    (add(fields), ...);
  }

 private:
  template <class T>
  void add(const T& x) {
    if constexpr (std::is_floating_point_v<T>)
      number(x);
    else
      whole(static_cast<std::uint64_t>(x));
  }
  template <class T>
  void add(const std::vector<T>& v) {
    if constexpr (std::is_arithmetic_v<T>)
      list(
          v.size(),
          [](const void* items, std::size_t i) {
            return static_cast<double>((*static_cast<const std::vector<T>*>(items))[i]);
          },
          &v);
    else
      list(v.size(), nullptr, nullptr);
  }
  void add(const Filler& filler) { whole(filler.size_bytes); }
  void add(const Tail& tail) { add(tail.numbers); }
  void begin();
  void number(double x);
  void whole(std::uint64_t x);
  void list(std::size_t size, double (*at)(const void*, std::size_t), const void* items);

  std::string& out_;
  std::string_view names_;
};

class Writer {
 public:
  explicit Writer(std::vector<std::byte>& out) : out_(out) {}
  template <class... Fields>
  void operator()(const Fields&... fields) {
    (add(fields), ...);
  }

 private:
  void raw(const void* data, std::size_t n) {
    const auto* bytes = static_cast<const std::byte*>(data);
    out_.insert(out_.end(), bytes, bytes + n);
  }
  template <class T>
  void add(const T& x) {
    raw(&x, sizeof(T));
  }
  template <class T>
  void add(const std::vector<T>& v) {
    const auto n = static_cast<std::uint32_t>(v.size());
    raw(&n, 4);
    if constexpr (std::is_arithmetic_v<T>)
      raw(v.data(), sizeof(T) * v.size());
    else
      for (const T& x : v) x.visit_fields(*this);
  }
  void add(const Filler& filler) {
    raw(&filler.size_bytes, 4);
    out_.resize(out_.size() + filler.size_bytes);
  }
  void add(const Tail& tail) { raw(tail.numbers.data(), 8 * tail.numbers.size()); }
  std::vector<std::byte>& out_;
};

/// Reads the output of Writer. Never reads past the end; `finished()` is false if the input is
/// truncated or too long.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> in) : in_(in) {}
  template <class... Fields>
  void operator()(Fields&... fields) {
    (take(fields), ...);
  }
  /// True when every field was present and the input is used up.
  bool finished() const { return ok_ && in_.empty(); }

 private:
  bool raw(void* out, std::size_t n) {
    if (!ok_ || in_.size() < n) return ok_ = false;
    if (n > 0) std::memcpy(out, in_.data(), n);
    in_ = in_.subspan(n);
    return true;
  }
  template <class T>
  void take(T& x) {
    raw(&x, sizeof(T));
  }
  template <class T>
  void take(std::vector<T>& v) {
    std::uint32_t n = 0;
    if (!raw(&n, 4)) return;
    if (in_.size() / element_bytes<T>() < n) {
      ok_ = false;
      return;
    }
    v.resize(n);
    if constexpr (std::is_arithmetic_v<T>)
      raw(v.data(), sizeof(T) * n);
    else
      for (T& x : v) x.visit_fields(*this);
  }
  void take(Filler& filler) {
    if (!raw(&filler.size_bytes, 4)) return;
    if (in_.size() < filler.size_bytes) {
      ok_ = false;
      return;
    }
    in_ = in_.subspan(filler.size_bytes);
  }
  void take(Tail& tail) {
    if (!ok_) return;
    tail.numbers.resize(in_.size() / 8);
    raw(tail.numbers.data(), 8 * tail.numbers.size());
  }
  std::span<const std::byte> in_;
  bool ok_ = true;
};

}  // namespace codec

class Payload;

/// What the kernel knows about a message type. One immutable instance per type: compare addresses.
struct MessageType {
  std::string_view name;
  void (*encode)(const Payload&, std::vector<std::byte>&);
  std::optional<Payload> (*decode_as)(const MessageType&, std::span<const std::byte>);
  /// A copy with every double replaced by a function of it, in order.
  Payload (*map)(const Payload&, const std::function<double(double)>&);
  std::string (*print)(const Payload&);  // "phase 3, means [8] 0.1 0.2 0.3 0.4 …"

  std::optional<Payload> decode(std::span<const std::byte> in) const;
};

/// A shared, immutable message of any type; copying shares it (a broadcast is one message).
class Payload {
 public:
  Payload() = default;
  Payload(const Payload& other) noexcept : body_(other.body_) {
    if (body_) body_->references.add();
  }
  Payload(Payload&& other) noexcept : body_(std::exchange(other.body_, nullptr)) {}
  Payload& operator=(const Payload& other) noexcept { return *this = Payload(other); }
  Payload& operator=(Payload&& other) noexcept {
    Body* const old = std::exchange(body_, std::exchange(other.body_, nullptr));
    if (old != nullptr) drop(old);
    return *this;
  }
  ~Payload() {
    if (body_ != nullptr) drop(body_);
  }

  template <class T>
  static Payload make(T value);
  /// A message of a type that was made while the program runs (dynamic_message.hpp).
  template <class T>
  static Payload make_as(const MessageType& type, T value);

  explicit operator bool() const { return body_ != nullptr; }
  [[gnu::always_inline]] void fetch_body() const { fetch(body_); }
  const MessageType& type() const { return *body_->type; }
  /// Size of the encoded payload in bytes.
  std::uint64_t size_bytes() const { return body_->size_bytes; }
  /// Hash of the content, for fingerprints.
  std::uint64_t hash() const { return body_->hash; }
  /// Number of values sent, as the papers count them.
  std::uint64_t values() const { return body_->values; }

  /// The value if it is a T, else nullptr.
  template <class T>
  const T* get() const;
  /// The value of a message that was made as one of `type` from a T, else nullptr.
  template <class T>
  const T* get_as(const MessageType& type) const {
    if (!body_ || body_->type != &type) return nullptr;
    return static_cast<const T*>(body_->content);
  }

  /// A message without content, for a recorded run.
  static Payload recorded(const MessageType& type,
                          std::uint64_t size_bytes,
                          std::uint64_t values,
                          std::uint64_t hash,
                          std::uint32_t number);

  /// What led to the message's sending, once it has been sent. The content does not depend on it.
  const Path& path() const { return body_->path; }
  /// The path of a message that is not needed any more.
  Path take_path() && { return body_->references.is_one() ? std::move(body_->path) : body_->path; }
  /// The message's number among the sends of its node, from 1, if the run is recorded; else 0.
  std::uint32_t number() const { return body_->number; }
  /// The message with this path and number.
  Payload sent(Path path, std::uint32_t number) &&;
  Payload with_path(Path path) && {
    const std::uint32_t same = number();
    return std::move(*this).sent(std::move(path), same);
  }

 private:
  struct Body {
    const MessageType* type;
    void (*destroy)(Body*);
    const void* content;
    std::uint64_t size_bytes;
    std::uint64_t values;
    std::uint64_t hash;
    ReferenceCount references;
    std::uint32_t number = 0;
    Path path;
  };
  template <class T>
  struct Holder : Body, FromFreeStore<Holder<T>> {
    explicit Holder(T v) : value(std::move(v)) {}
    T value;
  };
  static void drop(Body* body) noexcept {
    if (body->references.drop()) body->destroy(body);
  }
  struct SentAgain;  // content that was sent before
  Body* body_ = nullptr;
};

namespace detail {
template <class T>
void encode_payload(const Payload& payload, std::vector<std::byte>& out) {
  const T* value = payload.get<T>();
  POSSE_CHECK(value != nullptr, "cannot encode a {} as a {}", payload.type().name, T::kName);
  codec::Writer writer(out);
  value->visit_fields(writer);
}
template <class T>
std::optional<Payload> decode_payload(const MessageType&, std::span<const std::byte> in) {
  T value;
  codec::Reader reader(in);
  value.visit_fields(reader);
  if (!reader.finished()) return std::nullopt;
  return Payload::make(std::move(value));
}
template <class T>
Payload map_payload(const Payload& payload, const std::function<double(double)>& change) {
  T value = *payload.get<T>();
  codec::Mapper mapper(change);
  value.visit_fields(mapper);
  return Payload::make(std::move(value));
}
template <class T>
std::string print_payload(const Payload& payload) {
  std::string out;
  codec::Printer printer(out, T::kFields);
  if (const T* value = payload.get<T>()) value->visit_fields(printer);
  return out;
}
}  // namespace detail

/// The one MessageType of T.
template <class T>
inline constexpr MessageType kMessageType{T::kName,
                                          &detail::encode_payload<T>,
                                          &detail::decode_payload<T>,
                                          &detail::map_payload<T>,
                                          &detail::print_payload<T>};

inline std::optional<Payload> MessageType::decode(std::span<const std::byte> in) const {
  return decode_as(*this, in);
}

template <class T>
Payload Payload::make(T value) {
  return make_as(kMessageType<T>, std::move(value));
}

template <class T>
Payload Payload::make_as(const MessageType& type, T value) {
  codec::Sizer sizer;
  std::as_const(value).visit_fields(sizer);
  auto* holder = new Holder<T>(std::move(value));
  holder->type = &type;
  holder->content = &holder->value;
  holder->destroy = [](Body* body) { delete static_cast<Holder<T>*>(body); };
  holder->size_bytes = sizer.bytes();
  holder->values = holder->value.values();
  codec::Hasher hasher;
  std::as_const(holder->value).visit_fields(hasher);
  holder->hash = hasher.hash();
  Payload payload;
  payload.body_ = holder;
  return payload;
}

template <class T>
const T* Payload::get() const {
  return get_as<T>(kMessageType<T>);
}

/// A message as a role receives it.
struct Message {
  NodeId from;
  Round round;
  Payload payload;

  template <class T>
  const T* get() const {
    return payload.get<T>();
  }
};

}  // namespace posse
