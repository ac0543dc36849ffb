//! The roles of URL parameters, proven by the pages of a run, or by earlier runs as long as none contradicts.

use super::pages::{Page, Pages};
use super::text::frame;
use crate::error::StoreError;
use crate::record::Record;
use mapwright_frontier::Unfetched;
use mapwright_traps::{
    Comparison, Evidence, OnSite, Parameter, Place, Role, RoleKey, has_parameters, parameters, path_pattern, without,
};
use mapwright_verdict::content::Block;
use mapwright_verdict::{Fate, Node};
use mapwright_web::{PageUrl, origin_of};
use rusqlite::Connection;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Pages that are compared block by block for one role, at most.
const MAX_EXAMINED: u32 = 200;
/// Pages with one value of a parameter that are looked at for what all of them share, at most and at least.
const MAX_ALIKE: usize = 20;
const FEWEST_ALIKE: usize = 3;
/// Percent of such pages on which a block stands that belongs to the value rather than to the page.
const MOST: usize = 80;
/// Pages of a series whose items are taken together, at most.
const MAX_SERIES: usize = 200;

/// Labels that a part of a list has of its own at most, and their length in bytes, at most, as far as the record tells.
const LABELS: usize = 2;
const LABEL: u32 = 32;

/// What was learnt of the parameters of a site.
#[derive(Default)]
pub(super) struct Roles {
    learnt: BTreeMap<RoleKey, Learnt>,
    on_site: HashMap<(String, Parameter), OnSite>,
    /// Pages that others were equal to.
    originals: HashSet<Node>,
}

/// What was learnt of one parameter.
#[derive(Default)]
struct Learnt {
    evidence: Evidence,
    before: Option<Role>,
    urls: u32,
    examined: u32,
    example: String,
}

impl Roles {
    /// The role of a parameter.
    pub(super) fn role(&self, pattern: &str, parameter: &Parameter) -> Option<Role> {
        let key = RoleKey { pattern: pattern.to_owned(), parameter: parameter.clone() };
        let learnt = self.learnt.get(&key);
        let own = learnt.and_then(|learnt| learnt.evidence.role(&parameter.name).or(learnt.before));
        let on_site = || {
            let site = self.on_site.get(&(origin_of(pattern).to_owned(), parameter.clone()))?;
            site.role(&learnt.map(|learnt| learnt.evidence).unwrap_or_default(), &parameter.name)
        };
        own.or_else(on_site)
    }

    /// Whether another page was equal to this one.
    pub(super) fn is_original(&self, node: Node) -> bool {
        self.originals.contains(&node)
    }

    /// Adds the parameters of variants that were not requested: they have a role, too.
    fn add_refused(&mut self, pages: &Pages<'_>) -> Result<(), StoreError> {
        let mut select = pages.connection.prepare(
            "SELECT u.text FROM found f JOIN url u ON u.id = f.url WHERE f.run = ? AND f.refused = ? ORDER BY u.text",
        )?;
        let mut rows = select.query((pages.run, Unfetched::ParameterVariant.code()))?;
        while let Some(row) = rows.next()? {
            let Some(url) = PageUrl::recorded(row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?) else {
                continue;
            };
            let pattern = path_pattern(&url);
            for parameter in parameters(&url) {
                let learnt = self.learnt.entry(RoleKey { pattern: pattern.clone(), parameter }).or_default();
                if learnt.example.is_empty() {
                    url.as_str().clone_into(&mut learnt.example);
                }
            }
        }
        Ok(())
    }

    /// Takes together what the patterns of a site prove.
    fn sum_up(&mut self) {
        for (key, learnt) in &self.learnt {
            let site = (origin_of(&key.pattern).to_owned(), key.parameter.clone());
            let on_site = self.on_site.entry(site).or_default();
            on_site.contradicted |= learnt.evidence.differs > 0;
            let role = learnt.evidence.role(&key.parameter.name).or(learnt.before);
            on_site.patterns += u32::from(matches!(role, Some(Role::NoEffect | Role::Sorts)));
        }
    }

    /// Whether there is any.
    pub(super) fn is_empty(&self) -> bool {
        self.learnt.is_empty()
    }

    /// Keeps the roles in the record.
    pub(super) fn keep(&self, connection: &Connection) -> Result<(), StoreError> {
        let mut insert = connection.prepare(
            "INSERT OR REPLACE INTO parameter (pattern, parameter, role, equal, sorted, subset, differs, urls, example)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )?;
        for (key, learnt) in &self.learnt {
            let Evidence { equal, sorted, subset, differs } = learnt.evidence;
            let role = self.role(&key.pattern, &key.parameter).map(Role::as_str);
            let label = key.parameter.label();
            insert.execute((
                &key.pattern,
                label,
                role,
                equal,
                sorted,
                subset,
                differs,
                learnt.urls,
                &learnt.example,
            ))?;
        }
        Ok(())
    }
}

/// Compares every page that has parameters with those that its URL leads to without them.
pub(super) fn learn(pages: &Pages<'_>) -> Result<Roles, StoreError> {
    let mut roles = Roles::default();
    for (key, role) in recalled(pages.connection)? {
        roles.learnt.entry(key).or_default().before = Some(role);
    }
    let groups = Groups::of(pages)?;
    let mut titles = Titles::default();
    for page in pages.open().filter(|page| has_parameters(&page.url)) {
        let pattern = path_pattern(&page.url);
        let own = parameters(&page.url);
        let bare = own.iter().fold(page.url.clone(), |url, parameter| without(&url, parameter));
        let joint = if own.len() > 1 { compare(pages, &groups, page, &bare, &own)? } else { None };
        for parameter in own {
            let clean = without(&page.url, &parameter);
            let key = RoleKey { pattern: pattern.clone(), parameter };
            let learnt = roles.learnt.entry(key.clone()).or_default();
            learnt.urls += 1;
            if learnt.example.is_empty() {
                page.url.as_str().clone_into(&mut learnt.example);
            }
            learnt.examined += 1;
            if learnt.examined > MAX_EXAMINED {
                continue;
            }
            if !titles.insert_same((key.clone(), clean.as_str().to_owned()), page.print.title) {
                learnt.evidence.add(Comparison::Differs);
            }
            let single = compare(pages, &groups, page, &clean, std::slice::from_ref(&key.parameter))?;
            let joint = joint.filter(|joint| *joint != Comparison::Differs);
            single.or(joint).into_iter().for_each(|comparison| learnt.evidence.add(comparison));
            if matches!(single, Some(Comparison::Equal | Comparison::Sorted)) {
                roles.originals.extend(pages.at(&clean).map(|clean| clean.node));
            }
        }
    }
    roles.add_refused(pages)?;
    roles.sum_up();
    Ok(roles)
}

/// By parameter and URL without it, the title of a page with it: under another value, another title is a counter-example.
#[derive(Default)]
struct Titles(HashMap<(RoleKey, String), u64>);

impl Titles {
    /// Whether all titles so far are this one.
    fn insert_same(&mut self, clean: (RoleKey, String), title: u64) -> bool {
        *self.0.entry(clean).or_insert(title) == title
    }
}

/// Whether a page shows nothing but what the one at `clean` shows.
pub(super) fn is_variant(
    pages: &Pages<'_>,
    groups: &Groups<'_>,
    page: &Page,
    clean: &Page,
) -> Result<bool, StoreError> {
    let comparison = compare(pages, groups, page, &clean.url, &parameters(&page.url))?;
    Ok(comparison.is_none_or(|comparison| comparison != Comparison::Differs))
}

/// The comparison of a page with the one at `clean`, its URL without `parameters`; `None` where nothing is known of that.
fn compare(
    pages: &Pages<'_>,
    groups: &Groups<'_>,
    page: &Page,
    clean: &PageUrl,
    parameters: &[Parameter],
) -> Result<Option<Comparison>, StoreError> {
    if let Some(clean) = pages.at(clean) {
        return match page.print.compare(&clean.print) {
            Comparison::Differs => examine(pages, groups, page, clean, parameters).map(Some),
            other => Ok(Some(other)),
        };
    }
    let known = pages.known_of(clean)?.map(|(_, known)| known);
    Ok(known
        .filter(|known| matches!(known.fate, Fate::Failed(_) | Fate::Redirect) && !known.bad_hour)
        .map(|_| Comparison::Differs))
}

/// A closer look at two pages that are not the same: blocks that stand on all pages with the value, or on all without
/// the parameter, belong to the frame (a menu in another language); where all others stand on the clean page or on the
/// further pages of its list, the page is a part of that.
fn examine(
    pages: &Pages<'_>,
    groups: &Groups<'_>,
    page: &Page,
    clean: &Page,
    parameters: &[Parameter],
) -> Result<Comparison, StoreError> {
    if page.print.title != clean.print.title {
        return Ok(Comparison::Differs);
    }
    let (own, others) = (pages.blocks(page.node)?, pages.blocks(clean.node)?);
    let (own_set, other_set): (HashSet<Block>, HashSet<Block>) =
        (own.iter().copied().collect(), others.iter().copied().collect());
    let come: Vec<Block> = own_set.difference(&other_set).copied().collect();
    let gone: Vec<Block> = other_set.difference(&own_set).copied().collect();
    if come.is_empty() && !gone.is_empty() {
        return Ok(Comparison::Subset);
    }
    let with_value = groups.with_values(page, parameters);
    let without_it = groups.without(page);
    if are_shared(pages, &with_value, &come)? && are_shared(pages, &without_it, &gone)? {
        return Ok(Comparison::Equal);
    }
    let mut items: HashSet<Block> = other_set;
    // Pages with the parameter itself do not vouch for one another.
    let kept = self::parameters(&clean.url);
    let is_apart = |further: &&Page| {
        let own = self::parameters(&further.url);
        own.iter().all(|parameter| kept.contains(parameter) || !parameters.contains(parameter))
    };
    for further in groups.series(page).filter(is_apart).take(MAX_SERIES) {
        items.extend(pages.blocks(further.node)?);
    }
    let rest: Vec<Block> = come.into_iter().filter(|block| !items.contains(block)).collect();
    let shares = || own_set.iter().any(|block| items.contains(block) && !groups.frame.contains(block));
    let is_part = rest.is_empty() || (rest.len() <= LABELS && shares() && are_short(pages, page, &rest)?);
    Ok(if is_part { Comparison::Subset } else { Comparison::Differs })
}

/// Whether each of a page's blocks is a label: how many items there are, what they were chosen by.
fn are_short(pages: &Pages<'_>, page: &Page, blocks: &[Block]) -> Result<bool, StoreError> {
    let passages = pages.passages(page.node)?;
    Ok(passages.iter().all(|passage| passage.bytes <= LABEL || !blocks.contains(&passage.text)))
}

/// Whether each block stands on nearly all of these pages.
fn are_shared(pages: &Pages<'_>, group: &[&Page], blocks: &[Block]) -> Result<bool, StoreError> {
    if blocks.is_empty() {
        return Ok(true);
    }
    if group.len() < FEWEST_ALIKE {
        return Ok(false);
    }
    let mut counts: HashMap<Block, usize> = blocks.iter().map(|block| (*block, 0)).collect();
    for page in group {
        let own: HashSet<Block> = pages.blocks(page.node)?.into_iter().collect();
        counts.iter_mut().filter(|(block, _)| own.contains(block)).for_each(|(_, count)| *count += 1);
    }
    Ok(counts.values().all(|count| count * 100 >= group.len() * MOST))
}

/// Pages by path, and by the values of their parameters.
pub(super) struct Groups<'p> {
    by_path: HashMap<String, Vec<&'p Page>>,
    by_value: HashMap<(String, String), Vec<&'p Page>>,
    plain: HashMap<String, Vec<&'p Page>>,
    /// What most pages of the site show.
    frame: HashSet<Block>,
}

/// Pages that are remembered for one value, or as pages without parameters, at most.
const MAX_REMEMBERED: usize = 4 * MAX_ALIKE;

impl<'p> Groups<'p> {
    pub(super) fn of(pages: &'p Pages<'_>) -> Result<Self, StoreError> {
        let (by_path, by_value, plain) = (HashMap::new(), HashMap::new(), HashMap::new());
        let mut groups = Self { by_path, by_value, plain, frame: frame(pages)? };
        for page in pages.open() {
            let origin = origin_of(page.url.as_str()).to_owned();
            let own = parameters(&page.url);
            if own.is_empty() {
                remember(groups.plain.entry(origin.clone()).or_default(), page);
            }
            for parameter in &own {
                remember(groups.by_value.entry((origin.clone(), assignment(&page.url, parameter))).or_default(), page);
            }
            groups.by_path.entry(path_of(&page.url)).or_default().push(page);
        }
        Ok(groups)
    }

    /// Other pages of the site with the same values of these parameters.
    fn with_values(&self, page: &Page, wanted: &[Parameter]) -> Vec<&'p Page> {
        let Some(first) = wanted.first() else { return Vec::new() };
        let own = values(&page.url, wanted);
        let key = (origin_of(page.url.as_str()).to_owned(), assignment(&page.url, first));
        let like = self.by_value.get(&key).into_iter().flatten().copied();
        like.filter(|other| other.url.path() != page.url.path() && values(&other.url, wanted) == own)
            .take(MAX_ALIKE)
            .collect()
    }

    /// Other pages of the site without parameters.
    fn without(&self, page: &Page) -> Vec<&'p Page> {
        let plain = self.plain.get(origin_of(page.url.as_str())).into_iter().flatten().copied();
        plain.filter(|other| other.url.path() != page.url.path()).take(MAX_ALIKE).collect()
    }

    /// The further pages of the list at the path of a page: those that differ from it by one number alone.
    fn series<'g>(&'g self, page: &'g Page) -> impl Iterator<Item = &'p Page> + 'g {
        let is_numbered = |other: &Page| match parameters(&other.url).as_slice() {
            [] => true,
            [one] => value(&other.url, one).is_some_and(|value| value.bytes().all(|byte| byte.is_ascii_digit())),
            _ => false,
        };
        let at_path = self.by_path.get(&path_of(&page.url)).into_iter().flatten().copied();
        at_path.filter(move |other| other.node != page.node && is_numbered(other))
    }
}

fn remember<'p>(group: &mut Vec<&'p Page>, page: &'p Page) {
    if group.len() < MAX_REMEMBERED {
        group.push(page);
    }
}

fn path_of(url: &PageUrl) -> String {
    format!("{}{}", origin_of(url.as_str()), url.path())
}

/// A parameter and its value.
fn assignment(url: &PageUrl, parameter: &Parameter) -> String {
    format!("{}={}", parameter.label(), value(url, parameter).unwrap_or_default())
}

fn values<'u>(url: &'u PageUrl, wanted: &[Parameter]) -> Vec<Option<&'u str>> {
    wanted.iter().map(|one| value(url, one)).collect()
}

fn value<'u>(url: &'u PageUrl, parameter: &Parameter) -> Option<&'u str> {
    let text = match parameter.place {
        Place::Query => url.query()?,
        Place::Matrix => url.path(),
        Place::Segment => return None,
    };
    let mut pairs = text.split(['&', ';', '/']);
    pairs.find_map(|pair| pair.strip_prefix(parameter.name.as_str())?.strip_prefix('='))
}

/// The roles that earlier runs learnt.
fn recalled(connection: &Connection) -> Result<Vec<(RoleKey, Role)>, StoreError> {
    let mut select = connection.prepare("SELECT pattern, parameter, role FROM parameter WHERE role IS NOT NULL")?;
    let mut rows = select.query([])?;
    let mut roles = Vec::new();
    while let Some(row) = rows.next()? {
        let (pattern, label, word): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let all = [Role::NoEffect, Role::Sorts, Role::Narrows, Role::Specifies];
        let role = all.into_iter().find(|role| role.as_str() == word);
        roles.extend(role.map(|role| (RoleKey { pattern, parameter: Parameter::from_label(&label) }, role)));
    }
    Ok(roles)
}

impl Record {
    /// The roles of URL parameters that earlier runs learnt.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn roles(&self) -> Result<Vec<(RoleKey, Role)>, StoreError> {
        recalled(&self.connection)
    }
}
