//! The roles of URL parameters, proven by the pages of a run, or by earlier runs unless this one contradicts.

use super::comparison::compare;
use super::groups::Groups;
use super::pages::Pages;
use super::refused_urls::refused_urls;
use crate::error::StoreError;
use crate::record::Record;
use mapwright_model::Unfetched;
use mapwright_traps::{
    ComparisonCounts, PageComparison, Parameter, ParameterKey, ParameterRole, SiteEvidence, parameters, path_pattern,
    without,
};
use mapwright_verdict::{NodeIndex, Reason};
use mapwright_web::origin_of;
use rusqlite::Connection;
use std::collections::{BTreeMap, HashMap, HashSet};

/// The most pages that are compared block by block for one role.
const MAX_EXAMINED: u32 = 200;

/// The roles of the parameters of a site.
#[derive(Default)]
pub(super) struct Roles {
    learnt: BTreeMap<ParameterKey, Learnt>,
    on_site: HashMap<(String, Parameter), SiteEvidence>,
    /// The pages at clean URLs that were equal to a linked page with parameters.
    originals: HashSet<NodeIndex>,
}

/// The evidence about one parameter.
#[derive(Default)]
struct Learnt {
    evidence: ComparisonCounts,
    before: Option<ParameterRole>,
    urls: u32,
    examined: u32,
    example: String,
}

impl Roles {
    /// The role of a parameter.
    pub(super) fn role(&self, pattern: &str, parameter: &Parameter) -> Option<ParameterRole> {
        let key = ParameterKey { pattern: pattern.to_owned(), parameter: parameter.clone() };
        let learnt = self.learnt.get(&key);
        let own = learnt.and_then(|learnt| learnt.evidence.role(&parameter.name).or(learnt.before));
        let on_site = || {
            let site = self.on_site.get(&(origin_of(pattern).to_owned(), parameter.clone()))?;
            site.role(&learnt.map(|learnt| learnt.evidence).unwrap_or_default(), &parameter.name)
        };
        own.or_else(on_site)
    }

    /// Reports whether a linked page with parameters was equal to this one.
    pub(super) fn is_original(&self, node: NodeIndex) -> bool {
        self.originals.contains(&node)
    }

    /// Adds the parameters of variants that were not requested, since they have roles, too.
    fn add_refused(&mut self, pages: &Pages<'_>) -> Result<(), StoreError> {
        let mut refused = refused_urls(pages, Reason::ParameterVariant, &[Unfetched::ParameterVariant])?;
        refused.sort_unstable_by(|one, other| one.as_str().cmp(other.as_str()));
        for url in refused {
            let pattern = path_pattern(&url);
            for parameter in parameters(&url) {
                let learnt = self.learnt.entry(ParameterKey { pattern: pattern.clone(), parameter }).or_default();
                if learnt.example.is_empty() {
                    url.as_str().clone_into(&mut learnt.example);
                }
            }
        }
        Ok(())
    }

    /// Combines the evidence of all patterns of a site.
    fn sum_up(&mut self) {
        for (key, learnt) in &self.learnt {
            let site = (origin_of(&key.pattern).to_owned(), key.parameter.clone());
            let on_site = self.on_site.entry(site).or_default();
            on_site.contradicted |= learnt.evidence.differs > 0;
            let role = learnt.evidence.role(&key.parameter.name).or(learnt.before);
            on_site.patterns += u32::from(matches!(role, Some(ParameterRole::NoEffect | ParameterRole::Sorts)));
        }
    }

    /// Reports whether no parameter is known.
    pub(super) fn is_empty(&self) -> bool {
        self.learnt.is_empty()
    }

    /// Stores the roles in the record.
    pub(super) fn keep(&self, connection: &Connection) -> Result<(), StoreError> {
        let mut insert = connection.prepare(
            "INSERT OR REPLACE INTO parameter (pattern, parameter, role, equal, sorted, subset, differs, urls, example)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )?;
        for (key, learnt) in &self.learnt {
            let ComparisonCounts { equal, sorted, subset, differs } = learnt.evidence;
            let role = self.role(&key.pattern, &key.parameter).map(ParameterRole::as_str);
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

/// Compares every page that has parameters with the pages at its URL without them.
pub(super) fn learn(pages: &Pages<'_>) -> Result<Roles, StoreError> {
    let mut roles = Roles::default();
    for (key, role) in recalled(pages.connection)? {
        roles.learnt.entry(key).or_default().before = Some(role);
    }
    let groups = Groups::of(pages)?;
    let mut titles = Titles::default();
    for page in pages.open().filter(|page| page.has_parameters) {
        let pattern = path_pattern(&page.url);
        let own = parameters(&page.url);
        let bare = own.iter().fold(page.url.clone(), |url, parameter| without(&url, parameter));
        let joint = if own.len() > 1 { compare(pages, &groups, page, &bare, &own)? } else { None };
        for parameter in own {
            let clean = without(&page.url, &parameter);
            let key = ParameterKey { pattern: pattern.clone(), parameter };
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
                learnt.evidence.add(PageComparison::Differs);
            }
            let single = compare(pages, &groups, page, &clean, std::slice::from_ref(&key.parameter))?;
            let joint = joint.filter(|joint| *joint != PageComparison::Differs);
            single.or(joint).into_iter().for_each(|comparison| learnt.evidence.add(comparison));
            let is_linked = pages.known.get(page.node as usize).is_some_and(|known| known.inlinks > 0);
            if is_linked && matches!(single, Some(PageComparison::Equal | PageComparison::Sorted)) {
                roles.originals.extend(pages.at(&clean).map(|clean| clean.node));
            }
        }
    }
    roles.add_refused(pages)?;
    roles.sum_up();
    Ok(roles)
}

/// By parameter and URL without it, the title of a page with it. Another title under another value is a
/// counter-example.
#[derive(Default)]
struct Titles(HashMap<(ParameterKey, String), u64>);

impl Titles {
    /// Adds a title; returns true if it equals the first one.
    fn insert_same(&mut self, clean: (ParameterKey, String), title: u64) -> bool {
        *self.0.entry(clean).or_insert(title) == title
    }
}

/// The roles that earlier runs learned.
fn recalled(connection: &Connection) -> Result<Vec<(ParameterKey, ParameterRole)>, StoreError> {
    let mut select = connection.prepare("SELECT pattern, parameter, role FROM parameter WHERE role IS NOT NULL")?;
    let mut rows = select.query([])?;
    let mut roles = Vec::new();
    while let Some(row) = rows.next()? {
        let (pattern, label, word): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let all = [ParameterRole::NoEffect, ParameterRole::Sorts, ParameterRole::Narrows, ParameterRole::Specifies];
        let role = all.into_iter().find(|role| role.as_str() == word);
        roles.extend(role.map(|role| (ParameterKey { pattern, parameter: Parameter::from_label(&label) }, role)));
    }
    Ok(roles)
}

impl Record {
    /// The roles of URL parameters that earlier runs learned.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn roles(&self) -> Result<Vec<(ParameterKey, ParameterRole)>, StoreError> {
        recalled(&self.connection)
    }
}
