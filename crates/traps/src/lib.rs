//! The role of each URL parameter, learned by comparing pages with and without it.
//!
//! Applications put parameters into URLs that change nothing of a page (sessions, referrers), or only the order of its
//! items. The name of a parameter proves nothing: `sid` may be the number of a story. Pages do: a parameter has no
//! effect if the URL without it repeatedly answers with the same content. A single counter-example withdraws the role.
mod evidence;
mod fingerprint;
mod learner;
mod parameter;
mod parameter_evidence;
mod series;
mod variant;

pub use evidence::{ComparisonCounts, PageComparison, ParameterRole, SiteEvidence};
pub use fingerprint::{PageFingerprint, title_shape};
pub use learner::{Learner, ParameterKey};
pub use parameter::{
    Parameter, ParameterPosition, has_parameters, is_random, is_revision, parameters, path_pattern, without,
};
pub use series::SeriesWatch;
