//! Dates of sitemap entries that are false: in the future, always now, older than a change that was seen.

use crate::code::Code;
use crate::finding::Finding;
use crate::site::{Entry, Site, UrlNo};
use jiff::{SignedDuration, Timestamp};
use mapwright_web::date::WebDate;
use std::collections::BTreeMap;

/// Clocks and zones may differ by so much.
const TOLERANCE: SignedDuration = SignedDuration::from_hours(24);
/// A date so near to the request is the time of the request; times nearer than this are told as one.
const NOW: SignedDuration = SignedDuration::from_secs(60);
/// Entries from which on it is no accident that most are dated now.
const ENOUGH: usize = 5;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let mut dated: BTreeMap<UrlNo, (usize, usize)> = BTreeMap::new();
    for entry in &site.entries {
        let Some(file) = site.files.get(&entry.file).filter(|file| !file.is_feed) else { continue };
        let Some(date) = entry.lastmod.as_deref().and_then(WebDate::parse_w3c) else { continue };
        let (all, now) = dated.entry(entry.file).or_default();
        *all += 1;
        *now += usize::from(is_instant(entry) && date.earliest().duration_since(file.at).abs() <= NOW);
        found.extend(fault(site, entry, &date, file.at));
    }
    for (file, (all, now)) in dated {
        if all >= ENOUGH && now * 10 >= all * 9 {
            let message = format!("{now} of {all} dates in {} are the time of the request.", site.text(file));
            found.push(Finding::of(Code::LastmodNow, file).in_sitemaps(&[file]).says(message));
        }
    }
}

/// A day alone says nothing of the minute.
fn is_instant(entry: &Entry) -> bool {
    entry.lastmod.as_deref().is_some_and(|text| text.contains('T'))
}

fn fault(site: &Site, entry: &Entry, date: &WebDate, asked: Timestamp) -> Option<Finding> {
    let written = entry.lastmod.as_deref().unwrap_or_default();
    if date.earliest().duration_since(asked) > TOLERANCE {
        let message = format!("Its lastmod, {written}, lies in the future.");
        return Some(Finding::of(Code::LastmodFuture, entry.url).in_sitemaps(&[entry.file]).says(message));
    }
    let seen = *site.changed_after.get(&entry.url)?;
    // Dates are written to the second, by clocks of their own.
    if date.latest().duration_since(seen) >= -NOW {
        return None;
    }
    let message = format!("Its lastmod is {written}, and its content was seen to change after {seen:.0}.");
    Some(Finding::of(Code::LastmodStale, entry.url).in_sitemaps(&[entry.file]).says(message))
}
