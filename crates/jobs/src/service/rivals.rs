//! Jobs that write into one place, where each would replace what the other made.

use super::plan::Plan;
use crate::error::JobError;
use crate::resolved::resolved;
use std::collections::BTreeMap;

/// Refuses jobs that write into the same directory, or bring their sitemaps to the same place, however each spells it.
///
/// # Errors
/// The first job that writes where one before it does.
pub(super) fn check<'a>(plans: impl IntoIterator<Item = &'a Plan>) -> Result<(), JobError> {
    let (mut folders, mut mirrors) = (BTreeMap::new(), BTreeMap::new());
    for plan in plans {
        for (key, folder) in plan.folders() {
            let other = folders.insert(resolved(folder), plan.name.as_str());
            let Some(other) = other.filter(|other| *other != plan.name) else { continue };
            let what = format!("jobs {other} and {} both write into {}", plan.name, folder.display());
            return Err(plan.at_its_line(JobError::setting(key, what, "give each job a place of its own")));
        }
        for (mirror, identity) in plan.fixed_mirrors() {
            let other = mirrors.insert(identity, plan.name.as_str());
            let Some(other) = other.filter(|other| *other != plan.name) else { continue };
            let what = format!("jobs {other} and {} both publish to {}", plan.name, mirror.label());
            let remedy = "give each job a prefix of its own";
            return Err(plan.at_its_line(JobError::setting("publish.mirror", what, remedy)));
        }
    }
    Ok(())
}
