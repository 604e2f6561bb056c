// SPDX-License-Identifier: Apache-2.0
// Elementary and special functions whose results are identical, bit for bit, on every processor.
//
// The C library selects implementations of sin, exp, log and pow by processor; their last bits
// differ. These functions are SLEEF's portable scalar versions without fused multiply-add (Shibata
// & Petrogalli, "SLEEF: A portable vectorized library of C standard mathematical functions", 2020).
// Errors are at most 1 ulp (erfc: 1.5 ulp); pow, exp2 and log2 are exact where arguments and
// result are small integers. Code in core, actors and program must not call the C library's
// versions. sqrt, fmod, floor, ceil, round and ldexp are exact by IEEE 754 or by definition, so
// the std versions are used.
#pragma once

extern "C" {
double Sleef_cinz_sind1_u10purec(double);
double Sleef_cinz_cosd1_u10purec(double);
double Sleef_cinz_tand1_u10purec(double);
double Sleef_cinz_asind1_u10purec(double);
double Sleef_cinz_acosd1_u10purec(double);
double Sleef_cinz_atand1_u10purec(double);
double Sleef_cinz_atan2d1_u10purec(double, double);
double Sleef_cinz_sinhd1_u10purec(double);
double Sleef_cinz_coshd1_u10purec(double);
double Sleef_cinz_tanhd1_u10purec(double);
double Sleef_cinz_asinhd1_u10purec(double);
double Sleef_cinz_acoshd1_u10purec(double);
double Sleef_cinz_atanhd1_u10purec(double);
double Sleef_cinz_expd1_u10purec(double);
double Sleef_cinz_exp2d1_u10purec(double);
double Sleef_cinz_expm1d1_u10purec(double);
double Sleef_cinz_logd1_u10purec(double);
double Sleef_cinz_log2d1_u10purec(double);
double Sleef_cinz_log10d1_u10purec(double);
double Sleef_cinz_log1pd1_u10purec(double);
double Sleef_cinz_powd1_u10purec(double, double);
double Sleef_cinz_hypotd1_u05purec(double, double);
double Sleef_cinz_erfd1_u10purec(double);
double Sleef_cinz_erfcd1_u15purec(double);
}

namespace posse::math {

inline double sin(double x) { return Sleef_cinz_sind1_u10purec(x); }
inline double cos(double x) { return Sleef_cinz_cosd1_u10purec(x); }
inline double tan(double x) { return Sleef_cinz_tand1_u10purec(x); }
inline double asin(double x) { return Sleef_cinz_asind1_u10purec(x); }
inline double acos(double x) { return Sleef_cinz_acosd1_u10purec(x); }
inline double atan(double x) { return Sleef_cinz_atand1_u10purec(x); }
inline double atan2(double y, double x) { return Sleef_cinz_atan2d1_u10purec(y, x); }
inline double sinh(double x) { return Sleef_cinz_sinhd1_u10purec(x); }
inline double cosh(double x) { return Sleef_cinz_coshd1_u10purec(x); }
inline double tanh(double x) { return Sleef_cinz_tanhd1_u10purec(x); }
inline double asinh(double x) { return Sleef_cinz_asinhd1_u10purec(x); }
inline double acosh(double x) { return Sleef_cinz_acoshd1_u10purec(x); }
inline double atanh(double x) { return Sleef_cinz_atanhd1_u10purec(x); }
inline double exp(double x) { return Sleef_cinz_expd1_u10purec(x); }
inline double exp2(double x) { return Sleef_cinz_exp2d1_u10purec(x); }
inline double expm1(double x) { return Sleef_cinz_expm1d1_u10purec(x); }
inline double log(double x) { return Sleef_cinz_logd1_u10purec(x); }
inline double log2(double x) { return Sleef_cinz_log2d1_u10purec(x); }
inline double log10(double x) { return Sleef_cinz_log10d1_u10purec(x); }
inline double log1p(double x) { return Sleef_cinz_log1pd1_u10purec(x); }
inline double pow(double x, double y) { return Sleef_cinz_powd1_u10purec(x, y); }
inline double hypot(double x, double y) { return Sleef_cinz_hypotd1_u05purec(x, y); }
inline double erf(double x) { return Sleef_cinz_erfd1_u10purec(x); }
inline double erfc(double x) { return Sleef_cinz_erfcd1_u15purec(x); }

/// Inverses of erf on (-1, 1) and of erfc on (0, 2), to a few ulp (Boost.Math, on
/// `PortableDouble`).
double erf_inv(double p);
double erfc_inv(double q);
/// The u-quantile of the beta distribution, a, b > 0, u in (0, 1) (Boost.Math, on
/// `PortableDouble`).
double beta_quantile(double a, double b, double u);
/// The p-quantile of Student's t with `degrees` > 0 degrees of freedom (Boost.Math, on
/// `PortableDouble`).
double student_t_quantile(double degrees, double p);
/// P(|T| > |t|) for Student's t: the p-value of a two-sided t-test (Boost.Math, on
/// `PortableDouble`).
double student_t_two_sided(double degrees, double t);

}  // namespace posse::math
