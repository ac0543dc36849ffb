//! A webhook that notes what it is told.

use mapwright_testkit::{Request, Response, Site};
use serde_json::Value;

/// A webhook on loopback.
pub(crate) struct Hook(Site);

impl Hook {
    pub(crate) fn open() -> Self {
        let site = Site::open();
        site.handler("/hook", |_: &Request| Response::new(204));
        Self(site)
    }

    /// The section of a file of jobs that tells it.
    pub(crate) fn section(&self) -> String {
        format!("\n[notify]\ntell = [\"webhook:{}\"]\n", self.0.url("/hook"))
    }

    /// What it was told, in order.
    pub(crate) fn told(&self) -> Vec<Value> {
        self.0.requests_for("/hook").iter().map(|request| serde_json::from_slice(&request.body).unwrap()).collect()
    }

    /// The kinds of what it was told, in order.
    pub(crate) fn kinds(&self) -> Vec<String> {
        self.told().iter().map(|body| body["kind"].as_str().unwrap_or_else(|| panic!("{body}")).to_owned()).collect()
    }
}
