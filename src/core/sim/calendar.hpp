// SPDX-License-Identifier: Apache-2.0
// A calendar queue: events in buckets that are one window wide. Two blocks of near buckets form a
// ring. Later events wait unsorted in one list per block and are distributed once, when their block
// comes near. Chunks of near events come from a pool, so that growing does not move events.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <new>
#include <utility>
#include <vector>

#include "core/base/check.hpp"
#include "core/base/huge_pages.hpp"
#include "core/sim/event.hpp"

namespace posse {

class EventChunks {
 public:
  static constexpr std::size_t kChunkSize = 32;
  /// Room for events, which begin where they are pushed: a chunk that comes back from the pool is
  /// in no cache, and nothing of it is read.
  struct Chunk {
    alignas(Event) std::array<std::byte, kChunkSize * sizeof(Event)> bytes;
  };

  /// The events of one bucket.
  class Bucket {
   public:
    Bucket() = default;
    Bucket(Bucket&& other) noexcept { swap(other); }
    Bucket& operator=(Bucket other) noexcept {
      swap(other);
      return *this;
    }
    ~Bucket() { end_events(); }
    std::size_t size() const { return size_; }
    /// Whether the events were pushed in the order of `before_at_nodes`, as those of a broadcast
    /// over equal latencies are.
    bool in_order() const { return in_order_; }
    Event& operator[](std::size_t i) { return *std::launder(reinterpret_cast<Event*>(place(i))); }

    void swap(Bucket& other) noexcept {
      chunks_.swap(other.chunks_);
      std::swap(next_, other.next_);
      std::swap(end_, other.end_);
      std::swap(size_, other.size_);
      std::swap(in_order_, other.in_order_);
    }

   private:
    friend class EventChunks;
    std::byte* place(std::size_t i) {
      return &chunks_[i / kChunkSize]->bytes[i % kChunkSize * sizeof(Event)];
    }
    /// `end`: of the last event, before the next one is pushed. Without branches, which would be
    /// hard to predict.
    void note_order(std::byte* end, const Event& next) {
      const Event& last = *std::launder(reinterpret_cast<Event*>(end - sizeof(Event)));
      in_order_ &= before_at_nodes(last, next);
    }
    void end_events() {
      for (std::size_t i = 0; i < size_; ++i) std::destroy_at(&(*this)[i]);
      size_ = 0;
    }
    std::vector<Chunk*> chunks_;
    std::byte* next_ = nullptr;  // where the next event begins
    std::byte* end_ = nullptr;   // of the last chunk
    std::size_t size_ = 0;
    bool in_order_ = true;
  };

  void push(Bucket& bucket, Event&& event) {
    if (bucket.next_ == bucket.end_) {
      if (bucket.size_ > 0) bucket.note_order(bucket.end_, event);
      bucket.chunks_.push_back(take());
      bucket.next_ = bucket.chunks_.back()->bytes.data();
      bucket.end_ = bucket.next_ + sizeof(Chunk);
    } else {
      bucket.note_order(bucket.next_, event);
    }
    new (bucket.next_) Event(std::move(event));
    bucket.next_ += sizeof(Event);
    ++bucket.size_;
    // The next event will be written beyond what this one's cache lines hold.
    __builtin_prefetch(bucket.next_ + sizeof(Event), 1);
  }
  void clear(Bucket& bucket) {
    bucket.end_events();
    free_.insert(free_.end(), bucket.chunks_.begin(), bucket.chunks_.end());
    bucket.chunks_.clear();
    bucket.next_ = bucket.end_ = nullptr;
    bucket.in_order_ = true;
  }

 private:
  Chunk* take() {
    if (free_.empty()) add_chunks();
    Chunk* const chunk = free_.back();
    free_.pop_back();
    return chunk;
  }
  void add_chunks() {
    constexpr std::size_t kFewest = 8, kMost = (std::size_t{2} << 20) / sizeof(Chunk);
    const std::size_t count = blocks_.empty() ? kFewest : std::min(2 * blocks_.back().size, kMost);
    all_ += count;
    free_.reserve(all_);  // so that it needs no memory when they come back
    blocks_.emplace_back(count);
    for (std::size_t i = count; i-- > 0;) free_.push_back(blocks_.back().chunks + i);
  }
  /// Chunks that were made together.
  struct Block {
    explicit Block(std::size_t n) : size(n), chunks(HugePages<Chunk>().allocate(n)) {}
    Block(Block&& other) noexcept
        : size(other.size), chunks(std::exchange(other.chunks, nullptr)) {}
    Block& operator=(Block&&) = delete;
    ~Block() { HugePages<Chunk>().deallocate(chunks, size); }
    std::size_t size;
    Chunk* chunks;
  };
  std::vector<Block> blocks_;
  std::size_t all_ = 0;  // chunks, of all blocks
  std::vector<Chunk*> free_;
};

class Calendar {
 public:
  using Bucket = EventChunks::Bucket;
  static constexpr std::int64_t kNoBucket = INT64_MAX;

  /// Buckets of `width` > 0. Calendars of one thread may share `chunks`.
  Calendar(Duration width, EventChunks& chunks) : width_(width.ns), ring_(kRing), chunks_(chunks) {
    POSSE_CHECK(width.ns > 0);
  }

  std::int64_t bucket_of(Time time) const { return time.ns / width_; }

  /// `event` belongs to a later bucket than the current one (or to that, before it is opened).
  /// Without memory for it the calendar stays as it is.
  void push(Event&& event) {
    const std::int64_t index = bucket_of(event.time);
    push(index, std::move(event));
  }
  /// Adds an event to `index`, its bucket. Without memory for it the calendar stays as it is.
  void push(std::int64_t index, Event&& event) {
    POSSE_CHECK(index >= base_, "an event in the past");
    if (is_near(index)) {
      push_near(index, std::move(event));
    } else {
      far_[index >> kBlockBits].push_back(std::move(event));
    }
    if (size_++ == 0 || index < first_) first_ = index;
  }

  /// Index of the first bucket that holds an event.
  std::int64_t first() const {
    if (first_ == kUnknown) first_ = find_first();
    return first_;
  }

  /// The number of events in the bucket `index`, 0 if it is not near.
  std::size_t near_size(std::int64_t index) const {
    return is_near(index) ? ring_[slot_of(index)].size() : 0;
  }
  /// An upper bound on the number of events in the bucket `index`.
  std::size_t most_in(std::int64_t index) const {
    return is_near(index) ? ring_[slot_of(index)].size() : size_;
  }

  /// Advances to bucket `index` (no earlier event may be left) and returns its events.
  void open(std::int64_t index, Bucket& out) {
    POSSE_CHECK(index >= base_);
    base_ = index;
    while (!far_.empty() && far_.begin()->first <= (base_ >> kBlockBits) + 1) {
      auto block = far_.extract(far_.begin());
      for (Event& event : block.mapped()) {
        const std::int64_t at = bucket_of(event.time);
        push_near(at, std::move(event));
      }
    }
    const std::size_t slot = slot_of(index);
    occupied_[slot >> 6] &= ~(std::uint64_t{1} << (slot & 63));
    size_ -= ring_[slot].size();
    first_ = size_ == 0 ? kNoBucket : kUnknown;
    out.swap(ring_[slot]);
  }
  void recycle(Bucket& bucket) { chunks_.clear(bucket); }
  std::size_t size() const { return size_; }

 private:
  static constexpr std::int64_t kUnknown = -1;
  static constexpr int kBlockBits = 10;
  static constexpr std::size_t kRing = std::size_t{2} << kBlockBits;
  static std::size_t slot_of(std::int64_t index) {
    return static_cast<std::size_t>(index) & (kRing - 1);
  }
  bool is_near(std::int64_t index) const {
    return (index >> kBlockBits) <= (base_ >> kBlockBits) + 1;
  }
  std::int64_t find_first() const {
    const std::size_t start = slot_of(base_);
    for (std::size_t word = 0; word <= kRing / 64; ++word) {
      const std::size_t at = ((start >> 6) + word) % (kRing / 64);
      std::uint64_t bits = occupied_[at];
      if (word == 0) bits &= ~std::uint64_t{0} << (start & 63);
      if (word == kRing / 64) bits &= ~(~std::uint64_t{0} << (start & 63));
      if (bits == 0) continue;
      const std::size_t slot = (at << 6) + static_cast<std::size_t>(std::countr_zero(bits));
      return base_ + static_cast<std::int64_t>((slot - start) & (kRing - 1));
    }
    std::int64_t earliest = kNoBucket;
    // A block without events is what an end of memory left.
    for (auto block = far_.begin(); earliest == kNoBucket && block != far_.end(); ++block)
      for (const Event& event : block->second) earliest = std::min(earliest, bucket_of(event.time));
    return earliest;
  }
  void push_near(std::int64_t index, Event&& event) {
    const std::size_t slot = slot_of(index);
    chunks_.push(ring_[slot], std::move(event));
    occupied_[slot >> 6] |= std::uint64_t{1} << (slot & 63);
  }

  std::int64_t width_;
  std::int64_t base_ = 0;
  std::size_t size_ = 0;
  mutable std::int64_t first_ = kNoBucket;  // or kUnknown
  std::vector<Bucket> ring_;
  std::array<std::uint64_t, kRing / 64> occupied_{};
  std::map<std::int64_t, std::vector<Event>> far_;  // by block
  EventChunks& chunks_;
};

}  // namespace posse
