// SPDX-License-Identifier: Apache-2.0
// Means in messages, in fewer bytes than doubles (core/exchange/mean_encoding.hpp). Sender and
// receiver know the encoding; a message says only how many bytes a mean has.
//
// A node that lies (CorruptFault) puts its number into the same bytes: as the nearest float, or as
// the nearest value of the grid, which it counts from 0 at the lower to 1 at the upper end.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/exchange/mean_encoding.hpp"
#include "core/role/message.hpp"

namespace posse {

/// The names of a message in its three forms.
template <MeanCode Code>
constexpr std::string_view name_by_code(std::string_view f32,
                                        std::string_view u16,
                                        std::string_view u8) {
  return sizeof(Code) == 4 ? f32 : sizeof(Code) == 2 ? u16 : u8;
}

/// One node's means of a round's cells, in their order: 8 + bn bytes with b bytes per mean, n
/// values.
template <MeanCode Code>
struct CodedMeans {
  static constexpr std::string_view kName = name_by_code<Code>("Means32", "Means16", "Means8");
  std::uint32_t phase = 0;  // parallel: the depth h
  std::vector<Code> means;
  std::uint64_t values() const { return means.size(); }
  POSSE_FIELDS(phase, means)
};

/// Replaces each code by that of a function of its number.
template <MeanCode Code>
void map_codes(std::vector<Code>& codes, const std::function<double(double)>& change) {
  const MeanEncoding encoding{sizeof(Code) == 2 ? MeanFormat::u16 : MeanFormat::u8};
  constexpr double kMost = std::numeric_limits<float>::max();
  for (Code& code : codes)
    code = encoding.code_of<Code>(std::clamp(change(encoding.value_of(code)), -kMost, kMost));
}

/// The type of a message with a list of codes `means`.
template <class Coded>
constexpr MessageType coded_message_type() {
  return {Coded::kName,
          &detail::encode_payload<Coded>,
          &detail::decode_payload<Coded>,
          [](const Payload& payload, const std::function<double(double)>& change) {
            Coded value = *payload.get<Coded>();
            map_codes(value.means, change);
            return Payload::make(std::move(value));
          },
          &detail::print_payload<Coded>};
}
template <MeanCode Code>
inline constexpr MessageType kMessageType<CodedMeans<Code>> =
    coded_message_type<CodedMeans<Code>>();

/// Calls use(code) with a value of the type that stands for a mean; not for f64.
template <class Use>
decltype(auto) with_code(MeanFormat format, Use use) {
  switch (format) {
    case MeanFormat::f32:
      return use(float{});
    case MeanFormat::u16:
      return use(std::uint16_t{});
    default:
      return use(std::uint8_t{});
  }
}

template <MeanCode Code>
std::vector<Code> codes_of(const std::vector<double>& means, const MeanEncoding& encoding) {
  std::vector<Code> codes;
  codes.reserve(means.size());
  for (const double mean : means) codes.push_back(encoding.code_of<Code>(mean));
  return codes;
}
template <MeanCode Code>
void append_values(const Code* codes,
                   std::size_t count,
                   const MeanEncoding& encoding,
                   std::vector<double>& means) {
  for (std::size_t i = 0; i < count; ++i) means.push_back(encoding.value_of(codes[i]));
}

/// What takes the place of a `Plain` message (phase, means) whose means are coded.
template <class Plain>
struct CodedForm {
  template <MeanCode Code>
  using Message = CodedMeans<Code>;
};
template <class Plain, MeanCode Code>
using Coded = typename CodedForm<Plain>::template Message<Code>;

/// The message of these means, which are rounded: a `Plain` message or its coded form.
template <class Plain>
Payload encode_means(std::uint32_t phase, std::vector<double> means, const MeanEncoding& encoding) {
  if (encoding.is_exact()) return Payload::make(Plain{phase, std::move(means)});
  return with_code(encoding.format, [&]<class Code>(Code) {
    return Payload::make(Coded<Plain, Code>{phase, codes_of<Code>(means, encoding)});
  });
}
/// The type of that message.
template <class Plain>
const MessageType& means_type(const MeanEncoding& encoding) {
  if (encoding.is_exact()) return kMessageType<Plain>;
  return with_code(encoding.format, []<class Code>(Code) -> const MessageType& {
    return kMessageType<Coded<Plain, Code>>;
  });
}
/// The `Plain` message for what encode_means made; nothing for another message.
template <class Plain>
Payload decode_means(const Payload& payload, const MeanEncoding& encoding) {
  if (encoding.is_exact()) return payload.get<Plain>() != nullptr ? payload : Payload{};
  return with_code(encoding.format, [&]<class Code>(Code) {
    const auto* coded = payload.get<Coded<Plain, Code>>();
    if (coded == nullptr) return Payload{};
    Plain plain;
    plain.means.reserve(coded->means.size());
    append_values(coded->means.data(), coded->means.size(), encoding, plain.means);
    return Payload::make(std::move(plain));
  });
}

}  // namespace posse
