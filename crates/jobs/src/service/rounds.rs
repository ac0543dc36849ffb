//! The rounds of the service's loop, by which who supervises the process sees that it is alive.

use super::nightly::Nightly;

impl Nightly {
    /// Wakes the service's loop, and returns once it has come round. Where the loop hangs, that is never.
    pub async fn come_round(&self) {
        let mut rounds = self.0.rounds.subscribe();
        self.0.wake.notify_one();
        // The sender lives as long as the service does.
        let _ = rounds.changed().await;
    }
}

#[cfg(test)]
mod tests {
    use crate::service::{Clock, Ledger, Nightly, Orders};
    use std::sync::Arc;
    use std::time::Duration;
    use tokio_util::sync::CancellationToken;

    #[tokio::test]
    async fn a_service_comes_round_as_long_as_its_loop_runs() {
        let root = tempfile::TempDir::new().unwrap();
        let orders = Orders { plans: Vec::new(), max_jobs: 1, drain: Duration::ZERO, link: None };
        let service = Nightly::new(orders, Arc::new(Ledger::open(root.path()).unwrap()), Clock::real()).unwrap();
        let is_round = tokio::select! {
            biased;
            () = service.come_round() => true,
            () = std::future::ready(()) => false,
        };
        assert!(!is_round, "no loop runs yet");
        let stop = CancellationToken::new();
        let running = tokio::spawn({
            let (service, stop) = (service.clone(), stop.clone());
            async move { service.run(stop).await }
        });
        for _ in 0..2 {
            tokio::time::timeout(Duration::from_secs(30), service.come_round()).await.unwrap();
        }
        stop.cancel();
        running.await.unwrap().unwrap();
    }
}
