// SPDX-License-Identifier: Apache-2.0
// An edge of a hierarchy: it hands on what the server sends to its clients, gathers an upload of
// each and sends one message to the server. A system adds what it must know of the requests.
//
// An edge waits for every client, and so must the server for every edge (policy `all`): the next
// request then comes only after the edge has answered.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "actors/common/star.hpp"
#include "core/exchange/gather.hpp"
#include "core/role/hierarchy.hpp"
#include "core/role/message.hpp"
#include "core/role/role.hpp"

namespace posse {

template <class Upload>
class GatheringEdge : public Role {
 public:
  void on_message(const Message& message, Reaction& reaction) final {
    if (message.from == kServer) return hand_on(message, reaction);
    Payload upload = decoded(message.payload);
    if (!upload || gather_.take(message, reaction) != Answer::used) return;
    uploads_[message.from.value - first_.value] = std::move(upload);
    if (gather_.ready()) answer(reaction);
  }

  std::optional<Waiting> waiting() const final {
    if (finished_) return std::nullopt;
    if (!gather_.is_open()) {
      const Round next{gather_.round().value + 1};
      return Waiting{
          fmt::format("{} of {} {}", request_, round_name_, next.value), request_, next, {kServer}};
    }
    return Waiting{fmt::format("{} of {} {}", upload_, round_name_, gather_.round().value),
                   upload_,
                   gather_.round(),
                   gather_.missing()};
  }

 protected:
  /// Edge number `edge`, from 0. `request`: the type of the server's messages, `upload` that of the
  /// clients'. `round_name`: as in GatheringServer.
  GatheringEdge(const Hierarchy& hierarchy,
                std::uint32_t edge,
                const MessageType& request,
                const MessageType& upload,
                std::string_view round_name)
      : first_{hierarchy.first_client().value + hierarchy.first_of(edge)},
        gather_(first_, hierarchy.size_of(edge), {}),
        uploads_(hierarchy.size_of(edge)),
        request_(request.name),
        upload_(upload.name),
        round_name_(round_name) {}

  enum class Request {
    none,      // nothing new
    answered,  // the clients upload something
    last       // they don't
  };
  virtual Request read(const Message& message, Reaction& reaction) = 0;
  /// The upload in a message, if there is one.
  virtual Payload decoded(const Payload& payload) const {
    return payload.get<Upload>() != nullptr ? payload : Payload{};
  }
  /// What the server gets for the clients' uploads, which are all there.
  virtual Payload combine(const Uploads& uploads, Round round) = 0;
  /// Whether no request follows, once the edge has answered.
  virtual bool was_last() const = 0;

 private:
  void hand_on(const Message& message, Reaction& reaction) {
    const Request request = read(message, reaction);
    if (request == Request::none) return;
    reaction.send_payload(
        first_, static_cast<std::uint32_t>(uploads_.size()), message.round, message.payload);
    if (request == Request::answered)
      gather_.open(message.round, reaction);
    else
      finish(reaction);
  }

  void answer(Reaction& reaction) {
    RoundEnded unused;  // rounds end at the server
    gather_.close(reaction, unused);
    reaction.send_payload(kServer, 1, gather_.round(), combine(uploads_, gather_.round()));
    for (auto& upload : uploads_) upload = Payload{};
    if (was_last()) finish(reaction);
  }

  void finish(Reaction& reaction) {
    finished_ = true;
    reaction.finish();
  }

  NodeId first_;  // of its clients
  Gather gather_;
  Uploads uploads_;
  std::string_view request_, upload_, round_name_;
  bool finished_ = false;
};

}  // namespace posse
