//! Liveness of the service: a supervisor of the process sees that its loop iterates.

use crate::service::Service;

impl Service {
    /// Wakes the loop of the service, and returns after its next iteration. Never returns if the loop hangs.
    pub async fn check_liveness(&self) {
        let mut rounds = self.0.rounds.subscribe();
        self.0.wake.notify_one();
        // The sender lives as long as the service does.
        let _ = rounds.changed().await;
    }
}

#[cfg(test)]
mod tests {
    use crate::{Clock, JobStore, Service, ServiceConfig};
    use std::sync::Arc;
    use std::time::Duration;
    use tokio_util::sync::CancellationToken;

    #[tokio::test]
    async fn a_service_is_alive_as_long_as_its_loop_runs() {
        let root = tempfile::TempDir::new().unwrap();
        let config = ServiceConfig { jobs: Vec::new(), max_jobs: 1, drain: Duration::ZERO, link: None };
        let service = Service::new(config, Arc::new(JobStore::open(root.path()).unwrap()), Clock::real()).unwrap();
        let is_round = tokio::select! {
            biased;
            () = service.check_liveness() => true,
            () = std::future::ready(()) => false,
        };
        assert!(!is_round, "no loop runs yet");
        let stop = CancellationToken::new();
        let running = tokio::spawn({
            let (service, stop) = (service.clone(), stop.clone());
            async move { service.run(stop).await }
        });
        for _ in 0..2 {
            tokio::time::timeout(Duration::from_secs(30), service.check_liveness()).await.unwrap();
        }
        stop.cancel();
        running.await.unwrap().unwrap();
    }
}
