//! How many increments fit, found with few renderings.

use super::Budget;
use super::order::{Increment, Size, tokens_f64};

/// What increments cost in a text, as a share of the sum of their costs, before a text tells: they
/// are counted one by one, and each as if it stood on lines of its own.
const SHARE: f64 = 0.87;

/// The search for the most increments that fit: it says how many are to be tried, and is told what the
/// text of so many costs.
pub struct Search {
    budget: Budget,
    /// What each beginning of the order costs by the costs of its increments.
    sums: Vec<Size>,
    /// What the text without any costs.
    card: Size,
    /// The most that are known to fit.
    low: Tried,
    /// The fewest that are known not to fit, if any are.
    high: Option<Tried>,
    /// Whether the last ones tried fit, and how often in a row it came so.
    last: (bool, u32),
}

/// How many increments were tried, and what their text costs.
#[derive(Clone, Copy)]
struct Tried {
    count: usize,
    size: Size,
}

impl Search {
    /// A search among `increments`, where the text without any costs `tokens` and `chars`.
    pub(super) fn new(
        increments: &[Increment],
        (tokens, chars): (usize, usize),
        budget: Budget,
    ) -> Self {
        let mut sums = vec![Size::default()];
        sums.extend(increments.iter().scan(Size::default(), |sum, increment| {
            *sum = sum.plus(Size { tokens: increment.tokens, chars: increment.chars });
            Some(*sum)
        }));
        let card = Size { tokens, chars };
        let low = Tried { count: 0, size: card };
        Self { budget, sums, card, low, high: None, last: (true, 0) }
    }

    /// Returns how many fit, as far as it is known.
    pub fn found(&self) -> usize {
        self.low.count
    }

    /// Returns how many are to be tried next, or nothing where it is known how many fit.
    pub fn next(&self) -> Option<usize> {
        let (first, end) =
            (self.low.count + 1, self.high.map_or(self.sums.len(), |high| high.count));
        let guess = match (self.high, self.last.1) {
            // The guesses came from one side again and again.
            (Some(_), 2..) => first.midpoint(end - 1),
            (None, row @ 1..) => self.likely().max(self.low.count + (1 << (row - 1).min(20))),
            _ => self.likely(),
        };
        (first < end).then(|| guess.clamp(first, end - 1))
    }

    /// Takes what the text of `count` increments costs, and tells whether it fits.
    pub fn tell(&mut self, count: usize, tokens: usize, chars: usize) -> bool {
        let fits =
            tokens <= self.budget.tokens && self.budget.chars.is_none_or(|most| chars <= most);
        let tried = Tried { count, size: Size { tokens, chars } };
        if fits {
            self.low = tried;
        } else {
            self.high = Some(tried);
        }
        let (before, row) = self.last;
        self.last = (fits, if fits == before { row + 1 } else { 1 });
        fits
    }

    /// Returns how many likely fit, by what the tried ones cost.
    fn likely(&self) -> usize {
        let tokens = self.room(self.budget.tokens, |size| size.tokens);
        let chars = self.budget.chars.map(|most| self.room(most, |size| size.chars));
        let from = self.sums[self.low.count];
        let fits = |sum: &&Size| {
            tokens_f64(sum.tokens - from.tokens) <= tokens
                && chars.is_none_or(|chars| tokens_f64(sum.chars - from.chars) <= chars)
        };
        self.low.count + self.sums[self.low.count + 1..].iter().take_while(fits).count()
    }

    /// Returns how much more likely fits, by the costs of the increments.
    fn room(&self, most: usize, of: impl Fn(&Size) -> usize) -> f64 {
        let between = |low: &Size, high: &Size| tokens_f64(of(high).saturating_sub(of(low)));
        let sum = |count: usize| &self.sums[count];
        let share = match self.high {
            Some(high) => {
                between(&self.low.size, &high.size) / between(sum(self.low.count), sum(high.count))
            }
            None if self.low.count > 0 => {
                between(&self.card, &self.low.size) / between(sum(0), sum(self.low.count))
            }
            None => SHARE,
        };
        let room = tokens_f64(most.saturating_sub(of(&self.low.size)));
        if share.is_finite() && share > 0.0 { room / share } else { room }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Searches where each increment costs what `cost` says of it, and is thought to cost ten.
    fn search(count: usize, tokens: usize, cost: impl Fn(usize) -> usize) -> (usize, usize) {
        let one = |entry| Increment { entry, level: 1, tokens: 10, chars: 10, density: 1.0 };
        let increments: Vec<_> = (0..count).map(one).collect();
        let mut search = Search::new(&increments, (100, 0), Budget { tokens, chars: None });
        let mut tries = 0;
        while let Some(at) = search.next() {
            assert!((1..=count).contains(&at));
            tries += 1;
            search.tell(at, 100 + (0..at).map(&cost).sum::<usize>(), 0);
        }
        (search.found(), tries)
    }

    #[test]
    fn the_most_that_fit_are_found_in_few_tries() {
        assert_eq!(search(500, 1000, |_| 9), (100, 3));
        assert_eq!(search(0, 1000, |_| 9), (0, 0));
        assert_eq!(search(50, 1000, |_| 10), (50, 1));
        assert_eq!(search(50, 105, |_| 10), (0, 1));
        // What is thought of them is wrong in every way.
        assert_eq!(search(500, 1000, |_| 1).0, 500);
        assert_eq!(search(500, 1000, |at| if at == 40 { 5000 } else { 9 }).0, 40);
        for budget in (100..6000).step_by(7) {
            let (found, tries) = search(500, budget, |at| at % 23);
            let costs = |count: usize| (0..count).map(|at| at % 23).sum::<usize>() + 100;
            assert!(costs(found) <= budget && (found == 500 || costs(found + 1) > budget));
            assert!(tries <= 12, "{tries} at {budget}");
        }
    }
}
