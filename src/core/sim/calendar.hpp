// A calendar queue: events in buckets as wide as one window. A ring of near buckets and a map of
// far ones; chunks of events come from a pool, so that nothing is moved or reallocated.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "core/base/check.hpp"
#include "core/sim/event.hpp"

namespace posse {

class EventChunks {
 public:
  static constexpr std::size_t kChunkSize = 128;
  using Chunk = std::array<Event, kChunkSize>;

  /// The events of one bucket.
  class Bucket {
   public:
    std::size_t size() const { return size_; }
    Event& operator[](std::size_t i) { return (*chunks_[i / kChunkSize])[i % kChunkSize]; }

   private:
    friend class EventChunks;
    std::vector<std::unique_ptr<Chunk>> chunks_;
    std::size_t size_ = 0;
  };

  void push(Bucket& bucket, Event&& event) {
    if (bucket.size_ == bucket.chunks_.size() * kChunkSize) bucket.chunks_.push_back(take());
    bucket[bucket.size_++] = std::move(event);
  }
  void clear(Bucket& bucket) {
    for (auto& chunk : bucket.chunks_) free_.push_back(std::move(chunk));
    bucket.chunks_.clear();
    bucket.size_ = 0;
  }

 private:
  std::unique_ptr<Chunk> take() {
    if (free_.empty()) return std::make_unique<Chunk>();
    auto chunk = std::move(free_.back());
    free_.pop_back();
    return chunk;
  }
  std::vector<std::unique_ptr<Chunk>> free_;
};

class Calendar {
 public:
  using Bucket = EventChunks::Bucket;
  static constexpr std::int64_t kNoBucket = INT64_MAX;

  /// Buckets of `width` > 0.
  explicit Calendar(Duration width) : width_(width.ns), ring_(kRing) { POSSE_CHECK(width.ns > 0); }

  std::int64_t bucket_of(Time time) const { return time.ns / width_; }

  /// `event` belongs to the current bucket's successors (or to it, before it is opened).
  void push(Event&& event) {
    const std::int64_t index = bucket_of(event.time);
    POSSE_CHECK(index >= base_, "an event in the past");
    ++size_;
    if (index - base_ < kRing) {
      const auto slot = static_cast<std::size_t>(index & (kRing - 1));
      occupied_[slot >> 6] |= std::uint64_t{1} << (slot & 63);
      chunks_.push(ring_[slot], std::move(event));
    } else {
      chunks_.push(far_[index], std::move(event));
    }
  }

  /// Index of the first bucket that holds an event.
  std::int64_t first() const {
    if (size_ == 0) return kNoBucket;
    const auto start = static_cast<std::size_t>(base_ & (kRing - 1));
    for (std::size_t word = 0; word <= kRing / 64; ++word) {
      const std::size_t at = ((start >> 6) + word) % (kRing / 64);
      std::uint64_t bits = occupied_[at];
      if (word == 0) bits &= ~std::uint64_t{0} << (start & 63);
      if (word == kRing / 64) bits &= ~(~std::uint64_t{0} << (start & 63));
      if (bits == 0) continue;
      const std::size_t slot = (at << 6) + static_cast<std::size_t>(std::countr_zero(bits));
      return base_ + static_cast<std::int64_t>((slot - start) & (kRing - 1));
    }
    return far_.begin()->first;
  }

  /// How many events the bucket `index` holds, if it is near.
  std::size_t near_size(std::int64_t index) const {
    return index - base_ < kRing ? ring_[static_cast<std::size_t>(index & (kRing - 1))].size() : 0;
  }

  /// Moves on to bucket `index` (nothing earlier may be left) and hands out its events.
  void open(std::int64_t index, Bucket& out) {
    POSSE_CHECK(index >= base_);
    base_ = index;
    while (!far_.empty() && far_.begin()->first - base_ < kRing) {
      auto node = far_.extract(far_.begin());
      const auto slot = static_cast<std::size_t>(node.key() & (kRing - 1));
      occupied_[slot >> 6] |= std::uint64_t{1} << (slot & 63);
      if (ring_[slot].size() == 0) {
        std::swap(ring_[slot], node.mapped());
      } else {
        for (std::size_t i = 0; i < node.mapped().size(); ++i)
          chunks_.push(ring_[slot], std::move(node.mapped()[i]));
        chunks_.clear(node.mapped());
      }
    }
    const auto slot = static_cast<std::size_t>(index & (kRing - 1));
    occupied_[slot >> 6] &= ~(std::uint64_t{1} << (slot & 63));
    size_ -= ring_[slot].size();
    std::swap(out, ring_[slot]);
  }
  void recycle(Bucket& bucket) { chunks_.clear(bucket); }
  std::size_t size() const { return size_; }

 private:
  static constexpr std::int64_t kRing = 1024;
  std::int64_t width_;
  std::int64_t base_ = 0;
  std::size_t size_ = 0;
  std::vector<Bucket> ring_;
  std::array<std::uint64_t, kRing / 64> occupied_{};
  std::map<std::int64_t, Bucket> far_;
  EventChunks chunks_;
};

}  // namespace posse
