//! Math functions with bit-identical results on every machine. They use only additions, multiplications and
//! divisions.

/// Computes e^`x` with a relative error of about 1e-12; `x` is clamped to -700..=700.
///
/// ```
/// use crosspath::ai::exact::exp;
/// assert!((exp(1.0) - std::f64::consts::E).abs() < 1e-12);
/// assert_eq!(exp(0.0), 1.0);
/// ```
#[must_use]
pub fn exp(x: f64) -> f64 {
    let x = x.clamp(-700.0, 700.0);
    let twos = (x * std::f64::consts::LOG2_E).round();
    let rest = x - twos * std::f64::consts::LN_2;
    // Taylor series of e^rest for |rest| <= 0.35, by Horner's method.
    let series = (1..=14).rev().fold(1.0, |sum, n| 1.0 + sum * rest / f64::from(n));
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 13 and 2,033")]
    let exponent = (twos + 1023.0) as u64;
    series * f64::from_bits(exponent << 52)
}

/// Computes the natural logarithm of a positive, normal number with an error of about 1e-12.
///
/// # Panics
/// If the number is negative.
///
/// ```
/// use crosspath::ai::exact::{exp, ln};
/// assert!((ln(exp(-3.5)) + 3.5).abs() < 1e-11);
/// ```
#[must_use]
pub fn ln(x: f64) -> f64 {
    debug_assert!(x.is_normal() && x > 0.0);
    let bits = x.to_bits();
    let twos = i32::try_from(bits >> 52).expect("a positive number has 11 bits there") - 1023;
    let part = f64::from_bits(bits & ((1 << 52) - 1) | 1023 << 52);
    let (part, twos) = if part > std::f64::consts::SQRT_2 { (part / 2.0, twos + 1) } else { (part, twos) };
    let slope = (part - 1.0) / (part + 1.0);
    // ln(part) = 2 (slope + slope^3 / 3 + slope^5 / 5 + ...), |slope| <= 0.172
    let square = slope * slope;
    let series = (0..9).rev().fold(0.0, |sum, n| sum * square + 1.0 / f64::from(2 * n + 1));
    2.0 * slope * series + f64::from(twos) * std::f64::consts::LN_2
}
