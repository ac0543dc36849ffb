//! Variants: URLs that show the page of another URL, by parameters that do not change its content.

use super::comparison::is_variant;
use super::groups::Groups;
use super::links::linked_from_outside;
use super::pages::{Page, Pages};
use super::roles::Roles;
use crate::error::StoreError;
use mapwright_model::Unfetched;
use mapwright_traps::{ParameterRole, parameters, path_pattern, without};
use mapwright_verdict::{FetchStatus, NodeIndex, Reason};
use mapwright_web::PageUrl;
use std::collections::HashMap;

/// The most parameters of a URL of which all subsets are removed to find the page that was requested in its place.
const MAX_LEFT_OUT: usize = 5;

/// Leaves out the variants of pages that stay.
pub(super) fn judge(pages: &mut Pages<'_>, roles: &Roles) -> Result<(), StoreError> {
    if roles.is_empty() {
        return Ok(());
    }
    let mut variants: Vec<(NodeIndex, NodeIndex)> = Vec::new();
    let mut narrowed: HashMap<NodeIndex, (NodeIndex, String)> = HashMap::new();
    let groups = Groups::of(pages)?;
    for page in pages.open().filter(|page| page.has_parameters) {
        let clean = cleaned(roles, &page.url, &[ParameterRole::NoEffect, ParameterRole::Sorts]);
        if let Some(clean) = clean.and_then(|clean| pages.at(&clean)).filter(|clean| stays(pages, clean))
            && is_variant(pages, &groups, page, clean)?
        {
            variants.push((page.node, clean.node));
            continue;
        }
        let full_page =
            cleaned(roles, &page.url, &[ParameterRole::NoEffect, ParameterRole::Sorts, ParameterRole::Narrows]);
        if let Some(full_page) =
            full_page.and_then(|full_page| pages.at(&full_page)).filter(|full_page| stays(pages, full_page))
        {
            narrowed.insert(page.node, (full_page.node, family(&page.url)));
        }
    }
    let candidates = narrowed.iter().map(|(node, (_, family))| (*node, family.clone())).collect();
    let revalidated = linked_from_outside(pages, &candidates, &family, &|_| true)?;
    let unvouched = narrowed.into_iter().filter(|(node, _)| !revalidated.contains(node));
    variants.extend(unvouched.map(|(node, (full_page, _))| (node, full_page)));
    variants.sort_unstable();
    for (node, clean) in variants {
        pages.leave_out(node, Reason::ParameterVariant, Some(clean));
    }
    not_requested(pages, roles)?;
    only_tested(pages, roles)
}

fn stays(pages: &Pages<'_>, page: &Page) -> bool {
    pages.is_open(page.node)
}

/// The pages of one list: those at one path.
fn family(url: &PageUrl) -> String {
    format!("{}{}", url.origin(), url.path())
}

/// The URL without its parameters of these roles; `None` where it has none.
fn cleaned(roles: &Roles, url: &PageUrl, which: &[ParameterRole]) -> Option<PageUrl> {
    let pattern = path_pattern(url);
    let mut clean = url.clone();
    for parameter in parameters(url) {
        if roles.role(&pattern, &parameter).is_some_and(|role| which.contains(&role)) {
            clean = without(&clean, &parameter);
        }
    }
    (clean != *url).then_some(clean)
}

/// Leaves out the variants that were not requested, each with the page that it is a variant of. A trap may have been
/// recognised in their pattern before the role of the parameter: the order of the responses decides no reason.
fn not_requested(pages: &mut Pages<'_>, roles: &Roles) -> Result<(), StoreError> {
    let mut select = pages.connection.prepare(
        "SELECT f.url, u.text, f.refused FROM found f JOIN url u ON u.id = f.url WHERE f.run = ? AND f.refused IN (?, ?, ?)",
    )?;
    let [variant, endless, sampled] =
        [Unfetched::ParameterVariant, Unfetched::Endless, Unfetched::Sampled].map(Unfetched::code);
    let mut rows = select.query((pages.run, variant, endless, sampled))?;
    let mut named = Vec::new();
    while let Some(row) = rows.next()? {
        let node: NodeIndex = row.get(0)?;
        let Some(url) = PageUrl::recorded(row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)?) else { continue };
        let clean = cleaned(roles, &url, &[ParameterRole::NoEffect, ParameterRole::Sorts]);
        let clean = clean.map(|clean| pages.known_of(&clean)).transpose()?.flatten().map(|(node, _)| node);
        if row.get::<_, u8>(2)? == variant {
            named.push((node, clean.or_else(|| in_its_place(pages, &url))));
        } else if clean.is_some() {
            named.push((node, clean));
        }
    }
    named.into_iter().for_each(|(node, clean)| pages.leave_out(node, Reason::ParameterVariant, clean));
    Ok(())
}

/// The page that was requested in the place of a variant, if the parameter has lost its role since. It still stands for
/// the variant, listed or not, because its links were found in the place of the variant's. If there are several, the
/// page that keeps the most parameters is chosen.
fn in_its_place(pages: &Pages<'_>, url: &PageUrl) -> Option<NodeIndex> {
    let own = parameters(url);
    let some = own.len().min(MAX_LEFT_OUT);
    let mut choices: Vec<u32> = (1..1 << some).collect();
    choices.sort_by_key(|choice| choice.count_ones());
    let left_out = |choice: u32| (0..).zip(&own).filter(move |(at, _)| choice >> at & 1 == 1);
    let without_all = |choice| left_out(choice).fold(url.clone(), |url, (_, parameter)| without(&url, parameter));
    let bare = own.iter().fold(url.clone(), |url, parameter| without(&url, parameter));
    let candidates = choices.into_iter().map(without_all).chain([bare]);
    candidates.filter_map(|clean| pages.at(&clean)).map(|clean| clean.node).next()
}

/// Leaves out URLs that were requested only to learn the role of a parameter and that no page links, since no visitor
/// reaches them. A URL that stays for variants is kept.
fn only_tested(pages: &mut Pages<'_>, roles: &Roles) -> Result<(), StoreError> {
    let mut select = pages.connection.prepare("SELECT url FROM found WHERE run = ? AND via = ? AND refused IS NULL")?;
    let via = mapwright_model::Via::ParameterTest.code();
    let tested: Vec<NodeIndex> = select.query_map((pages.run, via), |row| row.get(0))?.collect::<Result<_, _>>()?;
    for node in tested {
        let known = pages.known.get(node as usize).copied().unwrap_or_default();
        let is_page = matches!(known.fetch_status, FetchStatus::Page) && known.inlinks == 0;
        if is_page && !pages.stands_for_others(node) && !roles.is_original(node) {
            pages.leave_out(node, Reason::ParameterVariant, None);
        }
    }
    Ok(())
}
