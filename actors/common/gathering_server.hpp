// SPDX-License-Identifier: Apache-2.0
// The server of a star that gathers one upload per client and round under the server policy; or, in
// a hierarchy, one per edge. A system adds what it asks for and what follows from the uploads.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "actors/common/star.hpp"
#include "core/base/fetch.hpp"
#include "core/exchange/gather.hpp"
#include "core/role/message.hpp"
#include "core/role/role.hpp"

namespace posse {

template <class Upload>
class GatheringServer : public Role {
 public:
  void on_message(const Message& message, Reaction& reaction) final {
    Payload upload = decoded(message.payload);
    if (!upload || gather_.take(message, reaction) != Answer::used) return;
    uploads_[message.from.value - kFirstClient.value] = std::move(upload);
    if (gather_.ready()) on_uploads(reaction);
  }

  void on_timer(TimerId timer, Reaction& reaction) final {
    if (gather_.on_timer(timer) && gather_.ready()) on_uploads(reaction);
  }

  void on_restart(Reaction& reaction) final { gather_.restart(reaction); }

  std::optional<Waiting> waiting() const override {
    if (!gather_.is_open()) return std::nullopt;
    return Waiting{fmt::format("{} of {} {}", upload_->name, round_name_, round().value),
                   upload_->name,
                   round(),
                   gather_.missing()};
  }

  std::uint32_t messages_before_finish() const final { return gather_.messages_before_close(); }

  void expect_message(NodeId from) const final {
    const std::uint32_t client = from.value - kFirstClient.value;
    if (client >= uploads_.size()) return;
    gather_.fetch_member(client);
    fetch(&uploads_[client]);
  }

 protected:
  /// `round_name`: the system's word for a round, such as "phase". `upload`: the type, if it is
  /// another one than that of clients.
  GatheringServer(std::uint32_t clients,
                  const Policy& policy,
                  std::string_view round_name,
                  const MessageType& upload = kMessageType<Upload>)
      : gather_(kFirstClient, clients, policy),
        uploads_(clients),
        round_name_(round_name),
        upload_(&upload) {}

  /// The policy lets the round close. The system uses the uploads, calls `close`, and opens the
  /// next round or finishes.
  virtual void on_uploads(Reaction& reaction) = 0;

  /// The upload in a message, if there is one.
  virtual Payload decoded(const Payload& payload) const {
    return &payload.type() == upload_ ? payload : Payload{};
  }

  /// Sets the number of clients from the next round on; not less than now.
  void admit(std::uint32_t clients) {
    gather_.admit(clients);
    uploads_.resize(clients);
  }

  Round round() const { return gather_.round(); }
  Round next_round() const { return {round().value + 1}; }
  std::uint32_t arrived() const { return gather_.arrived(); }
  /// The latest upload of each client, if any. Empty them in `on_uploads` to see which are of the
  /// round.
  Uploads& uploads() { return uploads_; }
  const Uploads& uploads() const { return uploads_; }

  /// Waits for the uploads of a round. Call it in the reaction that sends the requests, after them.
  void open(Round round, Reaction& reaction) { gather_.open(round, reaction); }
  /// Waits for the uploads of a round in which only `asked` clients from number `first` on are
  /// asked.
  void open(Round round, Reaction& reaction, std::uint32_t first, std::uint32_t asked) {
    gather_.open(round, reaction, first, asked);
  }

  /// Closes the round and reports it, with the round's number and what `Gather::close` fills in.
  void close(RoundEnded ended, Reaction& reaction) {
    ended.round = round();
    gather_.close(reaction, ended);
    reaction.observe(std::move(ended));
  }

 private:
  Gather gather_;
  Uploads uploads_;
  std::string_view round_name_;
  const MessageType* upload_;
};

}  // namespace posse
