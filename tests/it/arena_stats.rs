//! What a match says about two engines: estimates and the test that ends it.

use crosspath::arena::sprt::{Sprt, Verdict};
use crosspath::arena::stats::{Estimate, PairCounts};

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance
}

#[test]
fn estimates_equal_the_published_ones() {
    let counts = PairCounts([100, 0, 200, 0, 130]);
    let (mean, variance) = counts.moments();
    assert!(close(mean, 0.534_884, 1e-6) && close(variance, 0.132_504, 1e-6));
    let Estimate { value, low, high } = counts.elo();
    assert!(
        close(value, 24.279, 1e-3) && close(low, 0.332, 1e-3) && close(high, 48.459, 1e-3),
        "{low} {high}"
    );
    let normalized = counts.normalized_elo();
    assert!(close(normalized.value, 23.543, 1e-3) && close(normalized.high - normalized.value, 23.221, 1e-3));
    assert!(close(counts.likelihood_of_superiority(), 0.976_55, 1e-5));
    let counts = PairCounts([20, 15, 100, 25, 40]);
    assert!(close(counts.elo().value, 43.658, 1e-3) && close(counts.elo().low, 15.596, 1e-3));
    assert!(close(counts.normalized_elo().value, 53.107, 1e-3));
    let counts = PairCounts([310, 0, 400, 0, 290]);
    assert!(close(counts.elo().value, -6.950, 1e-3) && close(counts.elo().high, 9.728, 1e-3));
}

#[test]
fn even_pairs_show_no_difference_and_no_certainty() {
    let even = PairCounts([0, 0, 20, 0, 0]);
    let (score, elo, normalized) = (even.score(), even.elo(), even.normalized_elo());
    assert!(close(score.value, 0.5, 0.0) && score.low < 0.47 && score.high > 0.53, "{score:?}");
    assert!(elo.value.to_string() == "0" && elo.low < -20.0 && elo.high > 20.0, "{elo:?}");
    assert!(normalized.value.to_string() == "0" && normalized.high.is_finite(), "{normalized:?}");
    assert!(close(even.likelihood_of_superiority(), 0.5, 0.0));
}

#[test]
fn clean_sweeps_have_a_one_sided_bound() {
    for (pairs, bound) in [(10, 182.7), (20, 316.6), (40, 443.7)] {
        let won = PairCounts([0, 0, 0, 0, pairs]).elo();
        assert!(close(won.low, bound, 0.1) && won.high.is_infinite(), "{won:?}");
        let lost = PairCounts([pairs, 0, 0, 0, 0]).elo();
        assert!(close(lost.high, -bound, 0.1) && lost.low.is_infinite(), "{lost:?}");
    }
}

#[test]
fn ratios_equal_the_published_ones() {
    let golden = [
        ([365, 16_618, 36_229, 16_974, 390], (0.0, 2.0), 2.2504),
        ([127, 4_883, 10_712, 5_150, 104], (-1.75, 0.25), 3.0102),
        ([100, 0, 200, 0, 130], (0.0, 20.0), 1.9179),
        ([100, 0, 200, 0, 130], (0.0, 10.0), 1.3141),
        ([100, 0, 200, 0, 130], (-10.0, 0.0), 2.0248),
        ([20, 15, 100, 25, 40], (0.0, 20.0), 2.7794),
        ([20, 15, 100, 25, 40], (-10.0, 0.0), 1.8780),
        ([310, 0, 400, 0, 290], (0.0, 20.0), -5.4064),
        ([310, 0, 400, 0, 290], (-10.0, 0.0), -0.2229),
        ([0, 0, 1000, 0, 0], (0.0, 20.0), -6.5965),
        ([0, 0, 0, 0, 40], (0.0, 20.0), 3.1207),
    ];
    for (counts, (elo0, elo1), llr) in golden {
        let found = Sprt { elo0, elo1 }.llr(&PairCounts(counts));
        assert!((found - llr).abs() <= 1e-3, "{counts:?} [{elo0}, {elo1}]: {found}, published {llr}");
    }
}

#[test]
fn a_verdict_needs_sixteen_pairs() {
    let test = Sprt { elo0: 0.0, elo1: 50.0 };
    assert_eq!(test.verdict(&PairCounts([0, 0, 0, 0, 15])), None);
    assert_eq!(test.verdict(&PairCounts([0, 0, 0, 0, 40])), Some(Verdict::H1));
    assert_eq!(test.verdict(&PairCounts([40, 0, 0, 0, 0])), Some(Verdict::H0));
    assert_eq!(test.verdict(&PairCounts([10, 0, 0, 0, 10])), None);
}

#[test]
fn bounds_are_two_rising_numbers() {
    assert_eq!(Sprt::read("0,20"), Ok(Sprt { elo0: 0.0, elo1: 20.0 }));
    assert_eq!(Sprt::read("-10, 0"), Ok(Sprt { elo0: -10.0, elo1: 0.0 }));
    for text in ["", "0", "20,0", "0,0", "a,b", "0,inf", "nan,1"] {
        assert!(Sprt::read(text).is_err(), "{text}");
    }
}
