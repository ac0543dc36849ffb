//! The arguments of the command, and the numbers of URLs that they make.

use super::{FILE_ENTRIES, LISTED_SHARE, ROBOTS, SHARED_FILES};
use std::path::PathBuf;

pub(super) const USAGE: &str =
    "usage: known_urls --state DIR --base URL [--count N] [--visited PERCENT] [--queued PERCENT]
                  [--own-links N] [--resources N] [--ended yes]

Writes a record of N known URLs (default 10000000) of the site at URL (without a slash at its end) into DIR, and prints
its size as rows of a Markdown table. The crawl publishes into the folder `out` beside DIR. Of the URLs, --visited
(default 10) were visited by the run that was killed, and --queued (default 5) are queued in it; the others are known
from the run before. Each page has 20 links of a navigation that all share, and N of its own (default 35). With
--resources it also has five style sheets and scripts that all share, and five images of N in all; all of these were
requested, and one in a hundred is missing. With --ended the run is judged, and ends as a complete one.";

pub(super) struct Arguments {
    pub(super) state: PathBuf,
    pub(super) base: String,
    pub(super) plan: Plan,
    pub(super) own_links: u32,
    pub(super) resources: u32,
    pub(super) ended: bool,
}

pub(super) fn parse(mut words: impl Iterator<Item = String>) -> Result<Arguments, String> {
    let (mut state, mut base, mut count, mut visited, mut queued) = (None, None, 10_000_000, 10, 5);
    let (mut own_links, mut resources, mut ended) = (35, 0, false);
    while let Some(flag) = words.next() {
        let value = words.next().ok_or_else(|| format!("{flag} needs a value"))?;
        let number = || value.parse::<u32>().map_err(|_| format!("{flag} {value}: not a number"));
        match flag.as_str() {
            "--count" => count = number()?,
            "--visited" => visited = number()?,
            "--queued" => queued = number()?,
            "--own-links" => own_links = number()?,
            "--resources" => resources = number()?,
            "--ended" => ended = value == "yes",
            "--state" => state = Some(PathBuf::from(value)),
            "--base" => base = Some(value),
            _ => return Err(format!("unknown option {flag}")),
        }
    }
    if (1..=SHARED_FILES).contains(&resources) || resources > 1 << 30 {
        return Err("--resources is more than five".to_owned());
    }
    if !(1_000..1 << 30).contains(&count) || visited == 0 || visited.saturating_add(queued) > 99 {
        return Err("--count is 1000 at least; --visited and --queued are 1 to 99 together".to_owned());
    }
    Ok(Arguments {
        state: state.ok_or("--state is missing")?,
        base: base.ok_or("--base is missing")?,
        plan: Plan::new(count, visited, queued),
        own_links,
        resources,
        ended,
    })
}

/// The number of URLs of each kind; they are numbered in this order.
pub(super) struct Plan {
    pub(super) files: u32,
    pub(super) earlier: u32,
    pub(super) visited: u32,
    pub(super) linked: u32,
    pub(super) listed: u32,
}

impl Plan {
    fn new(count: u32, visited: u32, queued: u32) -> Self {
        let share = |percent: u32| count / 100 * percent;
        let listed = share(queued) / LISTED_SHARE;
        let files = listed.div_ceil(FILE_ENTRIES).max(1);
        let found = share(visited) + share(queued);
        let earlier = count.saturating_sub(ROBOTS + files + found);
        Self { files, earlier, visited: share(visited), linked: share(queued) - listed, listed }
    }

    /// The last URL that the earlier run knew.
    pub(super) fn known(&self) -> u32 {
        ROBOTS + self.files + self.earlier
    }

    /// The last URL that was found by links.
    pub(super) fn last_linked(&self) -> u32 {
        self.known() + self.visited + self.linked
    }

    pub(super) fn last(&self) -> u32 {
        self.last_linked() + self.listed
    }
}
