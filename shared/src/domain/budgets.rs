//! Whether a tree of runs may make one more call.

use super::delegation::Budget;

/// Tokens and price.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Spend {
    /// Prompt and answer together.
    pub tokens: u64,
    /// In the operator's currency; 0 where the model has no prices.
    pub cost: f64,
}

impl std::ops::Add for Spend {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { tokens: self.tokens.saturating_add(other.tokens), cost: self.cost + other.cost }
    }
}

/// The answer to a wish for a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It fits whatever the calls under way use.
    Granted,
    /// It fits only if the calls under way use less than was reserved for them: ask again when they
    /// have ended.
    Later,
    /// It does not fit: a person decides.
    Breach,
}

/// Whether a call fits into a budget of which `spent` is used and `reserved` is held for calls under
/// way.
pub fn verdict(budget: &Budget, spent: Spend, reserved: Spend, call: Spend) -> Verdict {
    if !fits(budget, spent + call) {
        return Verdict::Breach;
    }
    if fits(budget, spent + reserved + call) { Verdict::Granted } else { Verdict::Later }
}

fn fits(budget: &Budget, total: Spend) -> bool {
    budget.max_tokens.is_none_or(|max| total.tokens <= max)
        && budget.max_cost.is_none_or(|max| total.cost <= max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tokens(tokens: u64) -> Spend {
        Spend { tokens, cost: 0.0 }
    }

    #[test]
    fn what_is_reserved_counts_until_it_is_settled() {
        let budget = Budget { max_tokens: Some(1_000), max_cost: None };
        let table = [
            (0, 0, 1_000, Verdict::Granted),
            (0, 0, 1_001, Verdict::Breach),
            (600, 0, 400, Verdict::Granted),
            (600, 300, 100, Verdict::Granted),
            (600, 300, 101, Verdict::Later),
            (600, 300, 401, Verdict::Breach),
        ];
        for (spent, reserved, call, expected) in table {
            assert_eq!(
                verdict(&budget, tokens(spent), tokens(reserved), tokens(call)),
                expected,
                "{spent} {reserved} {call}"
            );
        }
    }

    #[test]
    fn money_binds_as_tokens_do() {
        let budget = Budget { max_tokens: None, max_cost: Some(1.0) };
        let cost = |cost| Spend { tokens: 1_000_000, cost };
        assert_eq!(verdict(&budget, cost(0.5), cost(0.25), cost(0.25)), Verdict::Granted);
        assert_eq!(verdict(&budget, cost(0.5), cost(0.26), cost(0.25)), Verdict::Later);
        assert_eq!(verdict(&budget, cost(0.8), cost(0.0), cost(0.25)), Verdict::Breach);
    }

    proptest! {
        /// Calls that are granted one after the other, each using no more than was reserved, never
        /// use more than the budget.
        #[test]
        fn granted_calls_stay_within_the_budget(
            max in 0_u64..10_000,
            calls in prop::collection::vec((1_u64..2_000, 0.0_f64..1.0), 0..50),
        ) {
            let budget = Budget { max_tokens: Some(max), max_cost: None };
            let (mut spent, mut under_way) = (0, Vec::new());
            for (estimate, part) in calls {
                let reserved: u64 = under_way.iter().map(|(e, _)| e).sum();
                match verdict(&budget, tokens(spent), tokens(reserved), tokens(estimate)) {
                    Verdict::Granted => under_way.push((estimate, (estimate as f64 * part) as u64)),
                    Verdict::Later => {
                        let (_, used) = under_way.remove(0);
                        spent += used;
                    }
                    Verdict::Breach => {}
                }
                prop_assert!(spent + under_way.iter().map(|(e, _)| e).sum::<u64>() <= max);
            }
        }
    }
}
