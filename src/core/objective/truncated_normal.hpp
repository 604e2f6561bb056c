// SPDX-License-Identifier: Apache-2.0
// N(mu, sd^2) conditioned on [0, 1], with mu solved for a given mean: the law of `tilttrunc`.
//
// For a mean near 0, mu is far below 0 and [0, 1] lies in the far tail of the normal, where its CDF
// underflows. Therefore everything is expressed by the scaled tail erfcx(x) = exp(x^2) erfc(x).
#pragma once

namespace posse {

/// exp(x^2) erfc(x) for x >= -5, to about 1e-14 relative.
double erfcx(double x);

class TruncatedNormal {
 public:
  /// mean in (0, 1/2], sd in [0.01, 10]. Safeguarded Newton iteration on mu (the mean increases in
  /// mu with slope variance / sd^2), about ten steps. Relative error: 1e-8 for means below about
  /// 1e-4 sd (the law is exponential there), else 1e-12 or 1e-16 (sd / mean)^2, if that is more.
  static TruncatedNormal with_mean(double mean, double sd);

  double mu() const { return mu_; }
  /// Inverse CDF, u in (0, 1); in [0, 1].
  double quantile(double u) const;

 private:
  TruncatedNormal(double mu, double sd);
  double mean() const;

  double mu_;
  double sd_;
  double alpha_;      // -mu / sd: where 0 is, in standard units
  double exponent_;   // (beta^2 - alpha^2) / 2, beta = (1 - mu) / sd
  double tail_low_;   // erfcx(alpha / sqrt 2)
  double tail_high_;  // exp(-exponent) erfcx(beta / sqrt 2): the tail beyond 1, same scale
};

}  // namespace posse
