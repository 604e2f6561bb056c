// SPDX-License-Identifier: Apache-2.0
// The handshake without sockets: what each side says to the other is carried by hand.
#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>
#include <string>

#include "actors/host/line/handshake.hpp"
#include "core/base/module.hpp"
#include "core/base/outside_failure.hpp"

namespace posse::test_handshake {
namespace {

using State = Handshake::State;

Secret secret(const std::string& token, char nonce, const std::string& binding = "") {
  Secret made{module<TlsModule>().mac, token, {}, binding};
  made.nonce.fill(nonce);
  return made;
}

/// Both ends, and what they have said.
struct Pair {
  Pair(Secret of_listener, Secret of_member)
      : listener(listener_handshake(std::move(of_listener))),
        member(member_handshake(std::move(of_member))) {
    hello = member->begin();
    listened = listener->take(hello, challenge);
    joined = member->take(challenge, proof);
    if (listened == State::going_on) listened = listener->take(proof, verdict);
    if (joined == State::going_on) joined = member->take(verdict, nothing);
  }
  std::unique_ptr<Handshake> listener, member;
  std::string hello, challenge, proof, verdict, nothing;
  State listened, joined;
};

}  // namespace

TEST_CASE("HMAC-SHA256 is that of RFC 4231") {
  const auto mac = module<TlsModule>().mac("Jefe", "what do ya want for nothing?");
  const Digest expected{0x5b, 0xdc, 0xc1, 0x46, 0xbf, 0x60, 0x75, 0x4e, 0x6a, 0x04, 0x24,
                        0x26, 0x08, 0x95, 0x75, 0xc7, 0x5a, 0x00, 0x3f, 0x08, 0x9d, 0x27,
                        0x39, 0x83, 0x9d, 0xec, 0x58, 0xb9, 0x64, 0xec, 0x38, 0x43};
  CHECK(mac == expected);
}

TEST_CASE("two processes with one token let each other in, and the token doesn't cross the line") {
  const Pair pair(secret("a secret", 'l'), secret("a secret", 'm'));
  CHECK(pair.listened == State::done);
  CHECK(pair.joined == State::done);
  CHECK(pair.nothing.empty());
  const auto all = pair.hello + pair.challenge + pair.proof + pair.verdict;
  CHECK(all.find("a secret") == std::string::npos);
}

TEST_CASE("another token is refused by the listener, which says so") {
  for (const std::string token : {"a secreT", "", "a secret and more"}) {
    const Pair pair(secret("a secret", 'l'), secret(token, 'm'));
    CHECK(pair.listened == State::refused);
    CHECK(pair.joined == State::refused);
    CHECK(pair.member->reason() == "the token is not the one of this run");
  }
}

TEST_CASE("a member refuses a listener that doesn't know the token") {
  const auto member = member_handshake(secret("a secret", 'm'));
  std::string out;
  CHECK(member->take(frame(FrameKind::challenge, std::string("\0\0\0\3", 4) + std::string(32, 'l')),
                     out) == State::going_on);
  const auto own_proof = out.substr(kFrameHeader);
  for (const auto& claimed : {std::string(32, 'x'), own_proof}) {  // its own proof, reflected
    const auto again = member_handshake(secret("a secret", 'm'));
    std::string said;
    again->take(frame(FrameKind::challenge, std::string("\0\0\0\3", 4) + std::string(32, 'l')),
                said);
    CHECK(again->take(frame(FrameKind::verdict, '\1' + claimed), said) == State::refused);
    CHECK(again->reason() == "whoever listens there doesn't know the token");
  }
}

TEST_CASE("a recorded proof is good for its own line only") {
  const Pair recorded(secret("a secret", 'l'), secret("a secret", 'm'));
  REQUIRE(recorded.listened == State::done);
  std::string out;
  const auto other_line = listener_handshake(secret("a secret", 'k'));
  CHECK(other_line->take(recorded.hello + recorded.proof, out) == State::refused);
  // Nor for another TLS session with the same nonces.
  const Pair relayed(secret("a secret", 'l', "session 1"), secret("a secret", 'm', "session 2"));
  CHECK(relayed.listened == State::refused);
}

TEST_CASE("another protocol is refused by both sides, and what isn't the protocol in silence") {
  const auto nonce = std::string(32, 'n');
  const auto hello = frame(FrameKind::hello, std::string("posse-node\0\0\0\2", 14) + nonce);
  const auto listener = listener_handshake(secret("", 'l'));
  std::string out;
  CHECK(listener->take(hello, out) == State::refused);
  CHECK(out.find("protocol 3 listens here, not 2") != std::string::npos);
  const auto member = member_handshake(secret("", 'm'));
  CHECK(member->take(frame(FrameKind::challenge, std::string("\0\0\0\2", 4) + nonce), out) ==
        State::refused);
  CHECK(member->reason() == "posse with node protocol 2 is there, not 3");

  for (const std::string& garbage : {std::string("GET / HTTP/1.1\r\n\r\n"),
                                     std::string("\x16\x03\x01\x02\x00\x01\x00", 7),
                                     std::string(32, '\0'),
                                     frame(FrameKind::hello, std::string("posse-node")),
                                     frame(FrameKind::proof, nonce),
                                     frame(FrameKind::join, std::string("let me in"))}) {
    std::string answer;
    const auto stranger = listener_handshake(secret("", 'l'));
    CHECK(stranger->take(garbage, answer) == State::refused);
    CHECK(answer.empty());
    CHECK(stranger->reason().empty());
    CHECK(stranger->progress() == 0);
  }
}

TEST_CASE("a handshake goes on however its bytes are cut, and keeps what follows") {
  const Pair whole(secret("t", 'l'), secret("t", 'm'));
  const auto listener = listener_handshake(secret("t", 'l'));
  std::string out;
  auto state = State::going_on;
  for (const char byte : whole.hello + whole.proof) {
    REQUIRE(state == State::going_on);
    state = listener->take({&byte, 1}, out);
  }
  CHECK(state == State::done);
  CHECK(out == whole.challenge + whole.verdict);
  listener->take(frame(FrameKind::join, std::string("what follows")), out);
  const auto next = listener->frames().next();
  REQUIRE(next);
  CHECK(next->kind == FrameKind::join);
  CHECK(next->content == "what follows");
}

TEST_CASE("a frame that announces more than is allowed is refused before it has come") {
  FrameReader frames(100);
  frames.add(std::string("\0\0\0\x65\1", 5));
  CHECK_FALSE(frames.next());
  CHECK(frames.broken());
  FrameReader others(100);
  others.add(frame(FrameKind::bye, std::string(100, 'b')) + std::string("\0\0\0\0\xff", 5));
  CHECK(others.next()->content.size() == 100);
  CHECK_FALSE(others.next());
  CHECK(others.broken());
  CHECK_THROWS_AS(frame(FrameKind::report, std::string(kLongestFrame + 1, 'r')), OutsideFailure);
}

}  // namespace posse::test_handshake
