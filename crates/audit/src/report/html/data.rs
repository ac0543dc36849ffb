//! The findings in the page, for its script: in parts, so that reading them never blocks the page for long.

use crate::rendered_finding::RenderedFinding;
use crate::report::Report;
use crate::report::json::Rule;
use crate::report::samples::first;
use mapwright_text::json::write_in_page;
use std::borrow::Cow;
use std::io::{self, Write};

/// The most findings in a page, the most severe ones.
pub(super) const MAX_FINDINGS: usize = 100_000;
/// The number of findings in a part.
const PART: usize = 1_000;
/// The most referrers of a finding, and the most entries of each other list, in the page.
const EVIDENCE: usize = 10;
/// The number of findings beyond which the page holds less evidence for each: phones cannot open a page of hundreds of
/// megabytes.
const MANY: usize = 20_000;
const EVIDENCE_OF_MANY: usize = 4;

/// Writes the kinds and the most severe findings as data that no browser runs.
pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "<script type=\"application/json\" id=\"rules\" data-total=\"{}\">", report.items.len())?;
    write_in_page(out, &report.tallies.iter().map(Rule::from).collect::<Vec<_>>())?;
    out.write_all(b"</script>\n")?;
    let evidence = if report.items.len() > MANY { EVIDENCE_OF_MANY } else { EVIDENCE };
    let mut place = 0;
    first(report.items, MAX_FINDINGS, &mut |item| {
        out.write_all(separator(place))?;
        place += 1;
        write_in_page(out, &*bounded(item, evidence))
    })?;
    out.write_all(if place > 0 { b"]</script>\n" } else { b"" })
}

/// Returns the text before the finding at a position.
fn separator(place: usize) -> &'static [u8] {
    match place {
        0 => b"<script type=\"application/json\" class=\"part\">[",
        _ if place.is_multiple_of(PART) => b"]</script>\n<script type=\"application/json\" class=\"part\">[",
        _ => b",\n",
    }
}

/// Returns the finding with at most so much evidence that a page can hold it for all findings.
fn bounded(item: &RenderedFinding, most: usize) -> Cow<'_, RenderedFinding> {
    let others = [&item.chain, &item.sitemaps, &item.entrances, &item.examples];
    let long = item.linked_from.len() > most || item.subject.others().len() >= most;
    if !long && others.iter().all(|list| list.len() <= most) {
        return Cow::Borrowed(item);
    }
    let mut item = item.clone();
    item.linked_from_count = item.linked_from_count.or(u64::try_from(item.linked_from.len()).ok());
    item.linked_from.truncate(most);
    item.subject.truncate(most);
    for list in [&mut item.chain, &mut item.sitemaps, &mut item.entrances, &mut item.examples] {
        list.truncate(most);
    }
    Cow::Owned(item)
}

#[cfg(test)]
mod tests {
    use super::{EVIDENCE, PART, bounded, write};
    use crate::rendered_finding::{RenderedFinding, Subject};
    use crate::report::sample::{Sample, item};
    use serde_json::Value;

    fn parts(sample: &Sample) -> Vec<Value> {
        let mut out = Vec::new();
        write(&sample.report(), &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let inner = text.split("class=\"part\">").skip(1);
        inner.map(|part| serde_json::from_str(part.split_once("</script>").unwrap().0).unwrap()).collect()
    }

    #[test]
    fn parts_hold_all_findings_once() {
        for count in [0, 1, PART - 1, PART, PART + 1, 2 * PART] {
            let items = (0..count).map(|n| item("slow", Subject::Url(format!("https://site.test/{n}"))));
            let sample = Sample::of(items.collect());
            let found: Vec<Value> = parts(&sample).iter().flat_map(|part| part.as_array().unwrap().clone()).collect();
            assert_eq!(found, sample.items.iter().map(|item| serde_json::to_value(item).unwrap()).collect::<Vec<_>>());
        }
    }

    #[test]
    fn no_text_of_the_site_ends_its_part() {
        let found = parts(&Sample::hostile());
        assert_eq!(found[0].as_array().unwrap().len(), Sample::hostile().items.len());
    }

    #[test]
    fn evidence_is_bounded() {
        let urls: Vec<String> = (0..99).map(|n| format!("https://site.test/{n}")).collect();
        let item = RenderedFinding { chain: urls.clone(), ..item("dup-exact", Subject::Urls(urls)) };
        let bounded = bounded(&item, EVIDENCE);
        assert_eq!((bounded.chain.len(), bounded.subject.others().len()), (EVIDENCE, EVIDENCE - 1));
    }
}
