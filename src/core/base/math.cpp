// SPDX-License-Identifier: Apache-2.0
#include "core/base/math.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/erf.hpp>

#include "core/base/portable_double.hpp"

namespace posse::math {

double erf_inv(double p) { return boost::math::erf_inv(PortableDouble(p)).value(); }
double erfc_inv(double q) { return boost::math::erfc_inv(PortableDouble(q)).value(); }
double beta_quantile(double a, double b, double u) {
  return boost::math::ibeta_inv(PortableDouble(a), PortableDouble(b), PortableDouble(u)).value();
}
double student_t_quantile(double degrees, double p) {
  return boost::math::quantile(
             boost::math::students_t_distribution<PortableDouble>(PortableDouble(degrees)),
             PortableDouble(p))
      .value();
}

double student_t_two_sided(double degrees, double t) {
  // P(|T| > |t|) = I_x(degrees / 2, 1 / 2) with x = degrees / (degrees + t^2).
  const PortableDouble x(degrees / (degrees + t * t));
  return boost::math::ibeta(PortableDouble(degrees / 2), PortableDouble(0.5), x).value();
}

}  // namespace posse::math
