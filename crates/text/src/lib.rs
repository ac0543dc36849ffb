//! The rules for texts that people read: unsafe characters, escapes, cuts, sizes and counts; one rule each.
//!
//! Texts of a site are hostile: none may move a cursor, reorder the text around it or end the element that it stands in.

mod counted;
mod cut;
pub mod json;
mod markup;
mod number;
mod pixels;
mod size;
mod visible;

pub use counted::{counted, counted_in_groups};
pub use cut::{cut, shortened};
pub use markup::escaped;
pub use number::{grouped, percent, share};
pub use pixels::pixels;
pub use size::size;
pub use visible::{is_plain, is_unsafe, line, visible, visible_lines};
