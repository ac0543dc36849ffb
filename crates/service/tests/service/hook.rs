//! A webhook that records the notifications it receives.

use mapwright_testkit::{FakeSite, ReceivedRequest, Response};
use serde_json::Value;

/// A webhook on loopback.
pub(crate) struct Hook(FakeSite);

impl Hook {
    pub(crate) fn open() -> Self {
        let site = FakeSite::open();
        site.handler("/hook", |_: &ReceivedRequest| Response::new(204));
        Self(site)
    }

    /// Returns the section of a file of jobs that notifies it.
    pub(crate) fn section(&self) -> String {
        format!("\n[notify]\nto = [\"webhook:{}\"]\n", self.0.url("/hook"))
    }

    /// Returns the notifications that it received, in order.
    pub(crate) fn received(&self) -> Vec<Value> {
        self.0.requests_for("/hook").iter().map(|request| serde_json::from_slice(&request.body).unwrap()).collect()
    }

    /// Returns the kinds of the notifications that it received, in order.
    pub(crate) fn kinds(&self) -> Vec<String> {
        self.received()
            .iter()
            .map(|body| body["kind"].as_str().unwrap_or_else(|| panic!("{body}")).to_owned())
            .collect()
    }
}
