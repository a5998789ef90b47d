//! What is known from attempts that have ended: what they usually cost and take, and which agents
//! fail where others succeed.

use crate::money::Micros;

/// What many attempts of a kind have cost and taken together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sum {
    pub attempts: i64,
    pub cost: Micros,
    pub duration_ms: i64,
}

/// From then on the old counts half: the world changes.
const MOST_ATTEMPTS: i64 = 1000;

impl Sum {
    #[must_use]
    pub fn with(self, more: Sum) -> Sum {
        let sum = Sum {
            attempts: self.attempts + more.attempts,
            cost: self.cost.saturating_add(more.cost),
            duration_ms: self.duration_ms.saturating_add(more.duration_ms),
        };
        if sum.attempts <= MOST_ATTEMPTS {
            return sum;
        }
        Sum {
            attempts: sum.attempts / 2,
            cost: Micros(sum.cost.0 / 2),
            duration_ms: sum.duration_ms / 2,
        }
    }

    pub fn usual_cost(self) -> Option<Micros> {
        (self.attempts > 0).then(|| Micros(self.cost.0 / self.attempts))
    }

    pub fn usual_duration_ms(self) -> Option<i64> {
        (self.attempts > 0).then(|| self.duration_ms / self.attempts)
    }
}

/// An agent that fails so many different tasks in a row is sick, if others succeed.
pub const SICK_AFTER: usize = 5;

/// Whether an agent is taken out of service: one sick agent must not empty the queue into dead
/// letters. When others fail as well, it is not the agent.
pub fn is_sick(different_tasks_failed_in_a_row: usize, others_have_succeeded_since: bool) -> bool {
    different_tasks_failed_in_a_row >= SICK_AFTER && others_have_succeeded_since
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_is_the_mean_and_forgets_the_old() {
        let one = |cost| Sum {
            attempts: 1,
            cost: Micros(cost),
            duration_ms: 10,
        };
        assert_eq!(Sum::default().usual_cost(), None);
        let two = one(100).with(one(200));
        assert_eq!(two.usual_cost(), Some(Micros(150)));
        assert_eq!(two.usual_duration_ms(), Some(10));
        let mut sum = Sum::default();
        for _ in 0..5000 {
            sum = sum.with(one(100));
        }
        for _ in 0..5000 {
            sum = sum.with(one(900));
        }
        assert!(sum.attempts <= MOST_ATTEMPTS);
        assert!(sum.usual_cost().is_some_and(|cost| cost.0 > 850), "{sum:?}");
    }

    #[test]
    fn an_agent_is_sick_only_when_others_are_not() {
        assert!(is_sick(5, true));
        assert!(!is_sick(4, true));
        assert!(!is_sick(50, false));
    }
}
