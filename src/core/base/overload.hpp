// SPDX-License-Identifier: Apache-2.0
// Overload{[](const A&) {…}, [](const B&) {…}}: one visitor from several lambdas, for std::visit.
#pragma once

namespace posse {

template <class... Handlers>
struct Overload : Handlers... {
  using Handlers::operator()...;
};
template <class... Handlers>
Overload(Handlers...) -> Overload<Handlers...>;

}  // namespace posse
