// SPDX-License-Identifier: Apache-2.0
// What the processes of a run tell each other: what can be read is written as the same bytes. The
// first byte selects a report, nodes that are taken over, a path, or an envelope, whose message
// type the second byte selects.
#include <span>
#include <vector>

#include "actors/echo/protocol.hpp"
#include "actors/host/envelope.hpp"
#include "actors/host/report.hpp"
#include "tests/fuzz/targets.hpp"

namespace posse::fuzz {
namespace {

constexpr std::size_t kTypes = 3;  // of echo, with the acknowledgement

void fuzz_path(const std::vector<char>& bytes) {
  const auto path = decode_path(bytes);
  if (!path) return;
  // Segments without length are left out, so it need not be the same bytes.
  const auto shorter = encode_path(*path);
  const auto again = decode_path(shorter);
  require(again.has_value(), "a path that was read can be written and read");
  require(encode_path(*again) == shorter, "then it stays the same");
}

void fuzz_envelope(std::span<const char> bytes) {
  static const MessageTypes types(echo_algorithm());
  if (bytes.size() < 2) return;
  Envelope envelope;
  const auto name = static_cast<unsigned char>(bytes[0]) % (kTypes + 1);
  envelope.type = name < kTypes ? types.name(static_cast<std::uint16_t>(name)) : "Unheard";
  envelope.tries = static_cast<std::uint8_t>(bytes[1]);
  envelope.content.assign(bytes.begin() + 2, bytes.end());
  const auto copy = from_envelope(envelope, types);
  if (!copy) return;
  const auto again = to_envelope(*copy, types);
  require(again.type == envelope.type, "the type is the same");
  require(again.content.size() == envelope.content.size(), "nothing is lost");
  require(again.tries == envelope.tries, "the number of its copy is the same");
}

}  // namespace

void fuzz_processes(std::string_view input) {
  if (input.empty()) return;
  const std::vector<char> bytes(input.begin() + 1, input.end());
  switch (static_cast<unsigned char>(input.front()) % 4) {
    case 0:
      if (auto report = decode_report(bytes, kTypes)) {
        const auto written = encode_report(*report);
        auto again = decode_report(written, kTypes);
        require(again.has_value(), "a report that was read can be written and read");
        require(encode_report(*again) == written, "then it stays the same");
      }
      break;
    case 1:
      if (auto nodes = decode_resumptions(bytes))
        require(encode_resumptions(*nodes) == bytes, "what is taken over stays the same");
      break;
    case 2:
      return fuzz_path(bytes);
    default:
      return fuzz_envelope(bytes);
  }
}

}  // namespace posse::fuzz
