// SPDX-License-Identifier: Apache-2.0
#include "core/random/distributions.hpp"

#include <boost/random/exponential_distribution.hpp>
#include <boost/random/gamma_distribution.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/student_t_distribution.hpp>

#include "core/base/portable_double.hpp"

namespace posse {

double draw_normal(DrawEngine& draws) {
  return boost::random::normal_distribution<PortableDouble>()(draws).value();
}

double draw_exponential(DrawEngine& draws) {
  return boost::random::exponential_distribution<PortableDouble>()(draws).value();
}

double draw_gamma(DrawEngine& draws, double shape) {
  return boost::random::gamma_distribution<PortableDouble>(shape, 1.0)(draws).value();
}

double draw_student_t(DrawEngine& draws, double degrees) {
  return boost::random::student_t_distribution<PortableDouble>(degrees)(draws).value();
}

}  // namespace posse
