// SPDX-License-Identifier: Apache-2.0
// Echo: a server sends a request to every client, and every client replies. It measures the kernel
// and the network, and is the smallest star on which to try a network or a server policy.
//
// Roles: `server` (node 0) and `client-0 …`. In round r = 1 … rounds the server broadcasts an
// EchoRequest. A client works for `work` and sends an EchoReply. The server's policy decides when
// the round closes and the next begins. A client ignores repeated requests. A request that arrives
// after a newer one is reported as stale, since its round is closed.
//
// Messages (the round number travels in the message header, as in every protocol):
//   EchoRequest{n 4, filler n}  down, request_bytes in all
//   EchoReply{n 4, filler n}    up, reply_bytes in all
// Without loss: 2 M rounds messages, M rounds (request_bytes + reply_bytes) bytes, for M clients.
//
// All replies have the same content and share one immutable payload, so a round allocates nothing,
// even for a million clients. A client takes 24 bytes. Draws no random numbers.
#pragma once

#include "core/role/protocol.hpp"

namespace posse {

/// Parameters: rounds (1 … 10 million, default 10), request_bytes and reply_bytes (4 … 2^30,
/// default 128), work (default 0).
const AlgorithmSpec& echo_algorithm();

}  // namespace posse
