// SPDX-License-Identifier: Apache-2.0
// The truncated normal law beside values computed with 60 digits in another program (Python,
// mpmath: mu by bisection for the mean mu + sd (phi(a) - phi(b)) / (Phi(b) - Phi(a)), quantiles by
// bisection of the CDF; parameters are the doubles that the literals stand for).
#include <array>
#include <catch2/catch.hpp>

#include "core/objective/truncated_normal.hpp"

namespace posse::test_truncated_normal {
namespace {

TEST_CASE("tilttrunc: mu and quantiles at fixed means", "[noise]") {
  struct Row {
    double mean, sd, mu;
    std::array<double, 4> quantiles;  // of 0.001, 0.3, 0.7, 0.999
    double tolerance = 1e-12;         // relative
  };
  for (const Row& r : {
           // Mild truncation: 0 is -30 to 5 standard deviations from mu.
           Row{0.5,
               1,
               0.5,
               {0.00108735761304390519,
                0.3068353607861767405,
                0.6931646392138232052,
                0.9989126423869560939}},
           Row{0.3,
               0.5,
               -0.26544342717335986831,
               {0.0004215314877383128638,
                0.1375406012015727828,
                0.3948886453209601115,
                0.991194532255302482}},
           Row{0.1,
               0.3,
               -0.71528335831168216762,
               {0.0001104393724752581371,
                0.03854643859877430137,
                0.1242712950826750299,
                0.57454690975256956}},
           Row{0.02,
               0.1,
               -0.46135442681712429924,
               {0.00002078467514129500485,
                0.007355695481116697517,
                0.02441543779582370978,
                0.1272369826668908461}},
           Row{0.15,
               0.03,
               0.14999995539807021313,
               {0.05729553734321561616,
                0.1342679573301922022,
                0.1657319781993258418,
                0.2427069271371243704}},
           // None: mu is the mean, quantiles are the normal's.
           Row{0.3,
               0.01,
               0.3,
               {0.2690976769383218529,
                0.2947559948729195806,
                0.3052440051270803956,
                0.3309023230616781223}},
           Row{0.45,
               0.02,
               0.45,
               {0.3881953538766437391,
                0.4395119897458391946,
                0.4604880102541608244,
                0.5118046461233562779}},
           Row{0.5,
               0.01,
               0.5,
               {0.469097676938321864,
                0.4947559948729195917,
                0.5052440051270804067,
                0.5309023230616781334}},
           // The far tail, where rounding errors of the mean are about 1e-16 (sd / mean)^2 of it.
           Row{0.002,
               0.5,
               -124.99600006399487807,
               {2.001032666649016018e-6,
                0.0007133592657673053111,
                0.002407960942061646381,
                0.01381496818921164986},
               1e-11},
           Row{0.001,
               10,
               -99999.998000000017918,
               {1.000500343583531773e-6,
                0.0003566749468693966856,
                0.001203972809117911167,
                0.006907755109474285144},
               1e-8},
       }) {
    INFO("mean " << r.mean << ", sd " << r.sd);
    const auto law = TruncatedNormal::with_mean(r.mean, r.sd);
    const auto is = [&](double value) { return Approx(value).epsilon(r.tolerance).margin(1e-16); };
    CHECK(law.mu() == is(r.mu));
    CHECK(law.quantile(0.001) == is(r.quantiles[0]));
    CHECK(law.quantile(0.3) == is(r.quantiles[1]));
    CHECK(law.quantile(0.7) == is(r.quantiles[2]));
    CHECK(law.quantile(0.999) == is(r.quantiles[3]));
  }
}

// Beyond 1e4 standard deviations the law is Exp(1 / mean): quantile -mean ln(1 - u).
TEST_CASE("tilttrunc: at the smallest means the law is exponential", "[noise]") {
  const auto law = TruncatedNormal::with_mean(1e-5, 1);
  CHECK(law.mu() == Approx(-1e5).epsilon(1e-14));
  CHECK(law.quantile(0.5) == Approx(6.931471805599453e-6).epsilon(1e-12));
  CHECK(law.quantile(0.999) == Approx(6.907755278982137e-5).epsilon(1e-12));
  const auto wide = TruncatedNormal::with_mean(1e-4, 10);
  CHECK(wide.quantile(0.5) == Approx(6.931471805599453e-5).epsilon(1e-12));
  CHECK(TruncatedNormal::with_mean(9e-4, 10).quantile(1 - 0x1p-53) <= 1);
}

// exp(x^2) erfc(x), Python, mpmath, 40 digits.
TEST_CASE("the scaled tail at fixed points on both sides of 8", "[noise]") {
  const auto is = [](double value) { return Approx(value).epsilon(1e-13); };
  CHECK(erfcx(-5) == is(144009798674.66104041));
  CHECK(erfcx(-1) == is(5.0089800807622834663));
  CHECK(erfcx(0) == 1);
  CHECK(erfcx(1) == is(0.42758357615580700441));
  CHECK(erfcx(5) == is(0.11070463773306862637));
  CHECK(erfcx(7.9) == is(0.070857477367397130882));
  CHECK(erfcx(8) == is(0.069985166200880927723));
  CHECK(erfcx(8.1) == is(0.069133920177343151695));
  CHECK(erfcx(20) == is(0.028174348741051319319));
  CHECK(erfcx(100) == is(0.0056416137829894329036));
}

}  // namespace
}  // namespace posse::test_truncated_normal
