//! Crawl traps, and the role of each URL parameter, from URLs and what their pages say.
//!
//! Applications put parameters into URLs that change nothing of a page (sessions, referrers), or only the order of its
//! items. The name of a parameter proves nothing: `sid` may be the number of a story. Pages do: a parameter has no
//! effect if the URL without it repeatedly answers with the same content. A single counter-example withdraws the role.
//!
//! A crawl trap is a pattern of URLs without end: a calendar, a path that grows, a filter beside each filter.
//! [`TrapDetector`] limits the requests for each pattern, and its proofs say which pages a sitemap leaves out.

mod barren;
mod calendar;
mod choices;
mod content;
mod dated;
mod evidence;
mod family_yield;
mod fingerprint;
mod fresh;
mod further;
mod growing;
mod identifier;
mod learner;
mod parameter;
mod parameter_evidence;
mod path_prefix;
mod proof;
mod proof_limits;
mod random_value;
mod repeating_lists;
mod shape;
mod tested_values;
mod trap_detector;
mod trap_kind;
mod variant;

pub use barren::LastRunState;
pub use content::DistinctContent;
pub use evidence::{ComparisonCounts, PageComparison, ParameterRole, SiteEvidence};
pub use fingerprint::{PageFingerprint, title_shape};
pub use further::names_pages;
pub use identifier::PatternFamily;
pub use learner::Learner;
pub use parameter::{
    Parameter, ParameterKey, ParameterPosition, has_parameters, is_random, is_revision, parameters, path_pattern,
    without,
};
pub use repeating_lists::RepeatingLists;
pub use shape::{KnownShape, shape};
pub use trap_detector::{TrapDetector, pattern, wide_pattern};
pub use trap_kind::{Trap, trap};
