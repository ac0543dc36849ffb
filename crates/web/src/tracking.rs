//! Query parameters that do not identify the page: known tracking parameters, and those that the user names.

use crate::percent;
use std::borrow::Cow;
use std::sync::Arc;

/// The configurable rules of identity: the query parameters that are dropped from every URL.
///
/// All other rules of identity are fixed, see [`crate::PageUrl`]. The default drops [`UrlIdentity::TRACKING`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UrlIdentity {
    exact: Arc<[String]>,
    prefixes: Arc<[String]>,
}

/// The query after parameters were dropped.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Remaining {
    /// Nothing was dropped.
    All,
    /// Some parameters were dropped, and these remain in their order.
    Some(String),
    /// Every parameter was dropped: the URL loses its `?`.
    Nothing,
}

impl UrlIdentity {
    /// Names of parameters that only show advertisers or statisticians the source of a visit; a trailing `*` matches
    /// any suffix. Session identifiers are excluded: a page may need them.
    pub const TRACKING: &[&str] = &[
        "utm_*",
        "gclid",
        "gclsrc",
        "dclid",
        "gbraid",
        "wbraid",
        "srsltid",
        "_ga",
        "_gl",
        "fbclid",
        "igshid",
        "msclkid",
        "twclid",
        "ttclid",
        "li_fat_id",
        "epik",
        "rdt_cid",
        "ScCid",
        "yclid",
        "ysclid",
        "ymclid",
        "_openstat",
        "mc_cid",
        "mc_eid",
        "mkt_tok",
        "_hsenc",
        "_hsmi",
        "__hssc",
        "__hstc",
        "__hsfp",
        "hsCtaTracking",
        "vero_id",
        "vero_conv",
        "oly_anon_id",
        "oly_enc_id",
        "_kx",
        "pk_campaign",
        "pk_kwd",
        "mtm_*",
    ];

    /// Drops the built-in tracking parameters if `drop_tracking` is set, and always those in `drop_params`.
    ///
    /// Names are compared completely and case-sensitively; a trailing `*` makes a name a prefix.
    #[must_use]
    pub fn new(drop_tracking: bool, drop_params: &[String]) -> Self {
        let built_in = if drop_tracking { Self::TRACKING } else { &[] };
        let names = built_in.iter().copied().chain(drop_params.iter().map(String::as_str));
        let (prefixes, exact): (Vec<&str>, Vec<&str>) = names.partition(|name| name.ends_with('*'));
        UrlIdentity {
            exact: exact.into_iter().map(str::to_owned).collect(),
            prefixes: prefixes.into_iter().map(|name| name.trim_end_matches('*').to_owned()).collect(),
        }
    }

    /// Drops nothing: for texts that are canonical already.
    #[must_use]
    pub fn keep_all() -> Self {
        Self::new(false, &[])
    }

    /// The rest of `query` (without its `?`) after dropping parameters.
    pub(crate) fn remaining(&self, query: &str) -> Remaining {
        if self.exact.is_empty() && self.prefixes.is_empty() || !query.split('&').any(|pair| self.drops(pair)) {
            return Remaining::All;
        }
        let kept: Vec<&str> = query.split('&').filter(|pair| !self.drops(pair)).collect();
        match kept.join("&") {
            rest if rest.is_empty() => Remaining::Nothing,
            rest => Remaining::Some(rest),
        }
    }

    /// Returns true if `pair`, a full `name` or `name=value`, is dropped.
    fn drops(&self, pair: &str) -> bool {
        let name = pair.split_once('=').map_or(pair, |(name, _)| name);
        if name.is_empty() {
            return false;
        }
        let name = plain(name);
        self.exact.iter().any(|dropped| dropped.as_bytes() == &*name)
            || self.prefixes.iter().any(|prefix| name.starts_with(prefix.as_bytes()))
    }
}

/// The decoded name: `filter%5Bx%5D` is `filter[x]`.
fn plain(name: &str) -> Cow<'_, [u8]> {
    if name.contains('%') { percent::decoded(name.as_bytes()).into() } else { name.as_bytes().into() }
}

impl Default for UrlIdentity {
    fn default() -> Self {
        Self::new(true, &[])
    }
}
