// SPDX-License-Identifier: Apache-2.0
#include "core/random/distributions.hpp"

#include <boost/random/exponential_distribution.hpp>
#include <boost/random/gamma_distribution.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/student_t_distribution.hpp>

#include "core/base/portable_double.hpp"

namespace posse {
namespace {

/// Known to this file alone, so that a function that draws from it becomes part of the loop that
/// calls it.
struct DrawInLoop : DrawEngine {
  using DrawEngine::DrawEngine;
};

}  // namespace

double draw_normal(DrawEngine& draws) {
  return boost::random::normal_distribution<PortableDouble>()(draws).value();
}

double draw_exponential(DrawEngine& draws) {
  return boost::random::exponential_distribution<PortableDouble>()(draws).value();
}

void draw_exponential_row(StreamKey stream,
                          std::uint64_t first,
                          const PhiloxRow& blocks,
                          std::array<double, kRowSize>& drawn) {
  for (std::size_t i = 0; i < kRowSize; ++i) {
    DrawInLoop draws(stream, first + i, blocks[i]);
    drawn[i] = boost::random::exponential_distribution<PortableDouble>()(draws).value();
  }
}

double draw_gamma(DrawEngine& draws, double shape) {
  return boost::random::gamma_distribution<PortableDouble>(shape, 1.0)(draws).value();
}

double draw_student_t(DrawEngine& draws, double degrees) {
  return boost::random::student_t_distribution<PortableDouble>(degrees)(draws).value();
}

}  // namespace posse
