// SPDX-License-Identifier: Apache-2.0
// The token of nodes that are given none: a secret of the user, so that of all who can connect on
// this machine only the user's own processes take part.
#pragma once

#include <string>

namespace posse {

/// Made at its first use, in $XDG_STATE_HOME/posse/node-token (~/.local/state/posse/node-token),
/// which the user alone can read. Empty if there is no place for it, or if others can read it.
std::string own_token();

}  // namespace posse
