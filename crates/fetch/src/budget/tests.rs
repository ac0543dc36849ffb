use super::*;

const KIB: u64 = 1024;

async fn holding(budget: &Budget, bytes: u64) -> BudgetShare {
    let mut share = budget.start();
    share.grow(bytes).await;
    share
}

#[tokio::test]
async fn room_is_taken_and_given_back() {
    let budget = Budget::new(64 * KIB);
    let hold = holding(&budget, 40 * KIB).await.settle(40 * KIB);
    assert_eq!(budget.room.available_permits(), 24);
    let variant = hold.clone();
    drop(hold);
    assert_eq!(budget.room.available_permits(), 24, "a clone still holds it");
    drop(variant);
    assert_eq!(budget.room.available_permits(), 64);
}

#[tokio::test]
async fn settling_gives_back_what_the_body_does_not_fill() {
    let budget = Budget::new(64 * KIB);
    let _hold = holding(&budget, 64 * KIB).await.settle(10 * KIB);
    assert_eq!(budget.room.available_permits(), 54);
}

#[tokio::test]
async fn one_body_may_exceed_the_budget_and_the_next_one_waits() {
    let budget = Budget::new(64 * KIB);
    let mut first = holding(&budget, 32 * KIB).await;
    let mut second = holding(&budget, 32 * KIB).await;
    first.grow(32 * KIB).await;
    assert!(first.overdraft.is_some());

    let mut waiting = Box::pin(second.grow(32 * KIB));
    let waits = tokio::select! { biased; () = &mut waiting => false, () = tokio::task::yield_now() => true };
    assert!(waits, "a second overdraft was granted");

    drop(first.settle(1));
    waiting.await;
}
