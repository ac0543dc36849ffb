//! Links to other sites that fail, for HEAD and for GET; redirects are followed to their end.

use super::no_answer;
use crate::code::Code;
use crate::finding::Finding;
use crate::site::{Fate, Node, Site, UrlNo};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for url in site.external.keys().filter(|url| site.inlinks(**url).all() > 0) {
        let way = way(site, *url);
        let last = way.last().copied().unwrap_or(*url);
        let Some(node) = site.external.get(&last).filter(|node| node.fails() && node.status != 429) else { continue };
        let at = if last == *url { "It".to_owned() } else { format!("It redirects to {}, which", site.text(last)) };
        let finding = Finding::of(Code::ExternalBroken, *url).says(format!("{at} {}.", what(node)));
        found.push(if last == *url { finding } else { finding.through(way).to(last) });
    }
}

fn way(site: &Site, url: UrlNo) -> Vec<UrlNo> {
    let mut way = vec![url];
    let next = |at: UrlNo| site.external.get(&at).filter(|node| node.fate == Fate::Redirect)?.target;
    while let Some(next) = way.last().and_then(|at| next(*at)).filter(|next| !way.contains(next)) {
        way.push(next);
    }
    way.split_off(1)
}

fn what(node: &Node) -> String {
    match node.fate {
        Fate::NoAnswer(kind) => format!("gives no answer ({})", no_answer::code(kind).as_str()),
        Fate::Broken => "breaks off its answer".to_owned(),
        _ => format!("answers {}", node.status),
    }
}
