// SPDX-License-Identifier: Apache-2.0
// What nodes keep of their links, in one place of memory for each.
//
// A node has an end of each of its links to another node: of the link to it, by which the end is
// numbered, and of the link back. A record has the numbers and counts of what the node sent and of
// what came to it; only the node's own worker writes it. A node's records follow one another.
// Mostly a record is one cache line or half of one; an event at a node then needs one line, where
// an array for each number would need a line for each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

#include "core/base/fetch.hpp"
#include "core/base/huge_pages.hpp"
#include "core/network/link_map.hpp"
#include "core/network/open_numbers.hpp"
#include "core/network/sequence_set.hpp"

namespace posse {

class LinkEnds {
 public:
  /// `reliable`: with what the reliable transport needs.
  LinkEnds(std::uint64_t links, std::size_t types, bool reliable)
      : links_(links),
        types_(types),
        reliable_(reliable),
        numbers_(3 * types * sizeof(std::uint32_t)),
        size_(padded(numbers_ + (reliable ? kReliable : sizeof(std::uint32_t)))),
        bytes_(links * size_) {}

  std::uint64_t links() const { return links_; }
  std::size_t types() const { return types_; }

  // Copies by type, modulo 2^32: those that departed to the other node, those of them that were
  // dropped on the way, and those that came from the other node.
  std::uint32_t& departed(LinkId end, std::size_t type) { return count(end, type); }
  std::uint32_t& dropped(LinkId end, std::size_t type) { return count(end, types_ + type); }
  std::uint32_t& arrived(LinkId end, std::size_t type) { return count(end, 2 * types_ + type); }
  std::uint32_t departed(LinkId end, std::size_t type) const { return count(end, type); }
  std::uint32_t dropped(LinkId end, std::size_t type) const { return count(end, types_ + type); }
  std::uint32_t arrived(LinkId end, std::size_t type) const {
    return count(end, 2 * types_ + type);
  }

  /// The number of the next transmission to the other node.
  std::uint32_t& transmissions(LinkId end) { return at<std::uint32_t>(end, numbers_); }

  // Of the reliable transport: the number of the next message to the other node, those that may
  // have to be repeated, those that were received from it, and how many of them were acknowledged
  // without an event.
  std::uint32_t& next_number(LinkId end) { return at<std::uint32_t>(end, numbers_ + 4); }
  std::uint32_t next_number(LinkId end) const { return at<std::uint32_t>(end, numbers_ + 4); }
  OpenNumbers& open(LinkId end) { return at<OpenNumbers>(end, numbers_ + 8); }
  const OpenNumbers& open(LinkId end) const { return at<OpenNumbers>(end, numbers_ + 8); }
  SequenceSet& received(LinkId end) { return at<SequenceSet>(end, numbers_ + 16); }
  const SequenceSet& received(LinkId end) const { return at<SequenceSet>(end, numbers_ + 16); }
  void change_foreseen(LinkId end, int by) {
    at<std::uint32_t>(end, numbers_ + 24) += static_cast<std::uint32_t>(by);
  }
  /// 0 without the reliable transport.
  std::uint32_t foreseen(LinkId end) const {
    return reliable_ ? at<std::uint32_t>(end, numbers_ + 24) : 0;
  }

  [[gnu::always_inline]] void fetch_end(LinkId end) const {
    const std::byte* record = &bytes_[end.value * size_];
    fetch(record);
    if (size_ > 64) fetch(record + size_ - 1);
  }

 private:
  static constexpr std::size_t kReliable =
      3 * sizeof(std::uint32_t) + sizeof(OpenNumbers) + sizeof(SequenceSet);
  /// A whole cache line, or half of one, if little is missing.
  static std::size_t padded(std::size_t size) {
    if (size > 48 && size <= 64) return 64;
    return size > 24 && size <= 32 ? 32 : (size + 7) / 8 * 8;
  }
  template <class T>
  T& at(LinkId end, std::size_t offset) {
    return *std::launder(reinterpret_cast<T*>(&bytes_[end.value * size_ + offset]));
  }
  template <class T>
  const T& at(LinkId end, std::size_t offset) const {
    return *std::launder(reinterpret_cast<const T*>(&bytes_[end.value * size_ + offset]));
  }
  std::uint32_t& count(LinkId end, std::size_t i) {
    return at<std::uint32_t>(end, i * sizeof(std::uint32_t));
  }
  std::uint32_t count(LinkId end, std::size_t i) const {
    return at<std::uint32_t>(end, i * sizeof(std::uint32_t));
  }

  std::uint64_t links_;
  std::size_t types_;
  bool reliable_;
  std::size_t numbers_, size_;
  std::vector<std::byte, HugePages<std::byte>> bytes_;  // zeros
};

}  // namespace posse
