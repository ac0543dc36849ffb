//! The role of each URL parameter, learnt from what pages with and without it say.
//!
//! Applications put into URLs what changes nothing of a page (sessions, referrers), or only the order of its items.
//! Names prove nothing: `sid` may be the number of a story. Pages do: a parameter has no effect where the URL without it
//! answers with the same content, time after time, and a single counter-example withdraws the role.
mod evidence;
mod learner;
mod parameter;
mod print;
mod series;
mod variant;
mod watched;

pub use evidence::{Comparison, Evidence, OnSite, Role};
pub use learner::{Learner, RoleKey};
pub use parameter::{Parameter, Place, has_parameters, is_drawn, is_revision, parameters, path_pattern, without};
pub use print::{Print, title_shape};
pub use series::SeriesWatch;
