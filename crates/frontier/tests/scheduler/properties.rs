//! Every property at once, over random crawls: the accounts must always balance.

use crate::plan::{Plan, plans};
use crate::world::World;
use proptest::prelude::*;

fn holds(plan: &Plan) -> Result<(), TestCaseError> {
    World::new(plan).crawl().map_err(TestCaseError::fail)
}

/// Schedules are cheap: four times the usual number, which `PROPTEST_CASES` sets.
fn config() -> ProptestConfig {
    let usual = ProptestConfig::default();
    ProptestConfig { cases: usual.cases * 4, max_shrink_iters: 2_000, failure_persistence: None, ..usual }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_crawl_keeps_every_rule_and_settles_everything(plan in plans()) {
        holds(&plan)?;
    }

    #[test]
    fn a_crawl_with_a_budget_spends_it_in_the_order_of_lanes(plan in plans(), budget in 1_u64..40) {
        holds(&Plan { max_urls: Some(budget), ..plan })?;
    }

    #[test]
    fn a_crawl_by_depth_finishes_each_depth_before_the_next(plan in plans()) {
        holds(&Plan { by_depth: true, ..plan })?;
    }

    #[test]
    fn a_crawl_whose_tasks_outgrow_the_window_loses_and_doubles_none(plan in plans(), count in 600_u16..3000) {
        holds(&Plan { flood: Some((0, count)), ..plan })?;
    }

    #[test]
    fn a_crawl_with_one_place_keeps_every_rule(plan in plans()) {
        holds(&Plan { concurrency: 1, room: 1, ..plan })?;
    }
}
