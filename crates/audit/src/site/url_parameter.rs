//! A URL parameter in a run.

use super::urls::UrlNo;
use serde::{Serialize, Serializer};

/// A parameter of the URLs of one pattern, and its role.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UrlParameter {
    /// The host, with the port where it is not the usual one.
    pub host: String,
    /// The pattern of the paths.
    pub pattern: String,
    /// Its name, with `;` before it where it stands in the path.
    pub parameter: String,
    /// Its effect on the page.
    pub role: String,
    /// URLs with it in this run: pages, and URLs that were not requested as variants or as part of a crawl trap.
    pub urls: u64,
    /// Those of the URLs that are linked and repeat a page without declaring it, if there are several; of a filter, those
    /// that are part of a crawl trap.
    #[serde(serialize_with = "as_count")]
    pub wasted: Vec<UrlNo>,
    /// One of them.
    pub example: String,
    /// Advice that ends the waste.
    pub advice: Vec<String>,
}

fn as_count<S: Serializer>(urls: &[UrlNo], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(urls.len() as u64)
}
