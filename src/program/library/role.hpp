// SPDX-License-Identifier: Apache-2.0
// Everything that an algorithm of one's own needs, in a library that the program loads
// (POSSE_PLUGIN) or in a program of its own (program.hpp): roles, messages, protocols,
// measurements, random streams, deterministic mathematics, and what Posse's own systems have in
// common.
#pragma once

#include "actors/common/cell_rewards.hpp"
#include "actors/common/common_measurements.hpp"
#include "actors/common/gathering_server.hpp"
#include "actors/common/star.hpp"
#include "actors/common/star_protocol.hpp"
#include "actors/common/traffic.hpp"
#include "core/base/math.hpp"
#include "core/domain/partition.hpp"
#include "core/objective/problem.hpp"
#include "core/random/stream.hpp"
#include "core/role/message.hpp"
#include "core/role/outcome.hpp"
#include "core/role/plugin.hpp"
#include "core/role/protocol.hpp"
#include "core/role/role.hpp"
