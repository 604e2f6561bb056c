// Echo: a server asks, every client answers; the cheapest protocol there is. It measures the
// kernel and the network, and is the smallest star to try a network or a server policy on.
//
// Roles. `server` (node 0) and `client-0 …`. In round r = 1 … rounds the server broadcasts
// EchoRequest; a client works for `work` and answers EchoReply; the server's policy says when the
// round closes and the next begins. A client ignores requests that it has seen, and reports one
// that a newer request has overtaken as stale: its round is closed already.
//
// Messages (the round's number travels in the message's header, as for every protocol):
//   EchoRequest{n 4, filler n}  down, request_bytes in all
//   EchoReply{n 4, filler n}    up, reply_bytes in all
// Without loss 2 M rounds messages, M rounds (request_bytes + reply_bytes) bytes.
//
// All replies share one immutable payload (their content is the same), so a million clients
// allocate nothing in a round; a client is a vtable, a pointer and the rounds seen: 24 bytes.
// Draws no random numbers.
#pragma once

#include "core/role/protocol.hpp"

namespace posse {

/// Parameters: rounds (1 … 10 million, default 10), request_bytes and reply_bytes (4 … 2^30,
/// default 128), work (default 0).
const AlgorithmSpec& echo_algorithm();

}  // namespace posse
