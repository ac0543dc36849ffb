//! The content of a visit that distinguishes its page from others.

use mapwright_model::{Outcome, Target, Visit};
use mapwright_traps::DistinctContent;
use mapwright_web::media::Kinds;
use mapwright_web::page::facts::LinkKind;

/// Returns the content of the page, or the hash of a file, by which it differs from others; `None` where it is only
/// remembered. Data files have none, unless their kind is one of those `listed`.
pub(crate) fn distinct_content(visit: &Visit, listed: Kinds) -> Option<DistinctContent<'_>> {
    if visit.reused().is_some() {
        return None;
    }
    if visit.outcome == Outcome::File {
        let is_data =
            visit.response.media.as_ref().is_some_and(|media| media.is_data() && !listed.contains(media.kind));
        let blocks = if is_data { &[] } else { visit.response.fingerprint.hash.as_slice() };
        return Some(DistinctContent { blocks, numbers: 0, all_blocks: &[], has_new_media: false, is_data });
    }
    let page = visit.page()?;
    let has_new_media = page.links.iter().any(|(target, link)| {
        let is_shown = matches!(link.kind, LinkKind::Image | LinkKind::Media | LinkKind::Frame);
        is_shown && matches!(target, Target::New(..))
    });
    let (blocks, numbers) = (page.facts.unnumbered.blocks.as_slice(), page.facts.unnumbered.numbers);
    Some(DistinctContent { blocks, numbers, all_blocks: &page.facts.blocks, has_new_media, is_data: false })
}
