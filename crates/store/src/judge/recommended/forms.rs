//! Form pages, whose main content is a form: login, registration, password, reply, report, edit.

use super::form_names::{ends_in_a_word, is_named, last_names, name_of_form};
use super::pages::{Page, Pages};
use super::text::{beside_boilerplate, boilerplate, bytes, counts, text, usual};
use crate::error::StoreError;
use mapwright_traps::path_pattern;
use mapwright_verdict::content::{BlockHash, Passage, PassageRole};
use mapwright_verdict::{NodeIndex, Reason};
use mapwright_web::page::facts::Fields;
use std::collections::{HashMap, HashSet};

/// The most bytes of text beside the form, beyond the text of every page, with which the form is the main content.
const LITTLE_PROSE: u32 = 200;
/// The fewest pages of one URL pattern, and the percentage of them with a form, from which on the pattern consists of
/// forms.
const MANY: usize = 5;
const NEARLY_ALL: usize = 80;
/// The number of own links from which on a page is a list.
const LISTS: usize = 3;

/// The fewest and the most forms of one name whose common text is determined.
const SEVERAL: usize = 2;
const MANY_NAMED: usize = 64;

/// Leaves out pages whose main content is a form.
pub(super) fn judge(pages: &mut Pages<'_>) -> Result<(), StoreError> {
    let boilerplate = FormBoilerplate::of(pages)?;
    let mut forms: Vec<&Page> = Vec::new();
    for page in pages.open().filter(|page| !page.is_home && boilerplate.has_fields(page)) {
        if boilerplate.is_form(pages, page)? {
            forms.push(page);
        }
    }
    let mut out: Vec<NodeIndex> = further(pages, &boilerplate);
    if forms.is_empty() && out.is_empty() {
        return Ok(());
    }
    let mut by_pattern: HashMap<String, usize> = HashMap::new();
    forms.iter().for_each(|page| *by_pattern.entry(path_pattern(&page.url)).or_default() += 1);
    let mut sizes: HashMap<String, usize> = HashMap::new();
    if by_pattern.values().any(|count| *count >= MANY) {
        pages.open().for_each(|page| *sizes.entry(path_pattern(&page.url)).or_default() += 1);
    }
    let is_many = |page: &Page| {
        let pattern = path_pattern(&page.url);
        let (count, size) =
            (by_pattern.get(&pattern).copied().unwrap_or_default(), sizes.get(&pattern).copied().unwrap_or_default());
        count >= MANY && count * 100 >= size * NEARLY_ALL
    };
    let with_parameters = forms.iter().filter(|page| page.has_parameters);
    let varied: HashSet<String> = with_parameters.map(|page| path_pattern(&page.url)).collect();
    for page in forms {
        // Variants of a form by parameters are no evidence about the page without parameters.
        let stands = !page.has_parameters && varied.contains(&path_pattern(&page.url));
        let is_one_of_many = is_many(page) && !stands;
        let is_known = page.fields.passwords > boilerplate.passwords || is_named(page) || is_one_of_many;
        if is_known || ends_in_a_word(page) && !boilerplate.lists(pages, page)? {
            out.push(page.node);
        }
    }
    out.extend(sections(pages, &boilerplate, &out)?);
    out.into_iter().for_each(|node| pages.leave_out(node, Reason::FormPage, None));
    Ok(())
}

/// The further sections of forms: pages with fields below the path of a form that show its instructions.
fn sections(
    pages: &Pages<'_>,
    boilerplate: &FormBoilerplate,
    forms: &[NodeIndex],
) -> Result<Vec<NodeIndex>, StoreError> {
    let forms: Vec<&Page> = pages.open().filter(|page| forms.contains(&page.node) && is_named(page)).collect();
    let is_below = |page: &Page, form: &Page| {
        let rest = page.url.path().strip_prefix(form.url.path().trim_end_matches('/'));
        page.url.origin() == form.url.origin() && rest.is_some_and(|rest| rest.len() > 1 && rest.starts_with('/'))
    };
    let mut sections = Vec::new();
    for page in
        pages.open().filter(|page| boilerplate.has_fields(page) && forms.iter().any(|form| is_below(page, form)))
    {
        if text(pages, page.node)?.iter().any(|passage| boilerplate.instructions.contains(&passage.text)) {
            sections.push(page.node);
        }
    }
    Ok(sections)
}

/// The pages with fields whose paths end like those of many other forms. Such a form may quote more text of the post
/// that it replies to than a form usually has.
fn further(pages: &Pages<'_>, boilerplate: &FormBoilerplate) -> Vec<NodeIndex> {
    let mut judged: HashMap<String, usize> = HashMap::new();
    let forms = pages.all.iter().filter(|page| pages.is_form(page.node) && ends_in_a_word(page));
    forms.for_each(|page| *judged.entry(last_names(page)).or_default() += 1);
    let is_many = |page: &&Page| judged.get(&last_names(page)).is_some_and(|count| *count >= MANY);
    let open = pages.open().filter(|page| ends_in_a_word(page) && boilerplate.has_fields(page));
    open.filter(is_many).map(|page| page.node).collect()
}

/// The text and fields that every page of the site has: a login box, a few words in the footer.
struct FormBoilerplate {
    prose: u32,
    passwords: u8,
    texts: u8,
    /// The fewest text fields and choices of any page, usually those of a search.
    least: [u8; 2],
    blocks: HashSet<BlockHash>,
    /// Text that all forms of one name have in common: the instructions for filling them in. Part of `blocks`.
    instructions: HashSet<BlockHash>,
}

impl FormBoilerplate {
    fn of(pages: &Pages<'_>) -> Result<Self, StoreError> {
        let prose = pages.open().map(|page| page.prose).min().unwrap_or_default();
        let passwords = usual(pages.open().map(|page| page.fields.passwords));
        let texts = usual(pages.open().map(|page| page.fields.texts));
        let least = |count: fn(&Fields) -> u8| pages.open().map(|page| count(&page.fields)).min().unwrap_or_default();
        let least = [least(|fields| fields.texts), least(|fields| fields.choices)];
        let mut own = Self { prose, passwords, texts, least, blocks: HashSet::new(), instructions: HashSet::new() };
        if pages.open().any(|page| own.has_fields(page)) {
            own.blocks = HashSet::clone(&*boilerplate(pages)?);
            own.instructions = own.instructions(pages)?;
            own.blocks.extend(&own.instructions);
        }
        Ok(own)
    }

    fn has_fields(&self, page: &Page) -> bool {
        // A site may have many search pages with many fields. Then more fields than the fewest are enough for a page
        // whose URL has the name of a form.
        let Fields { passwords, texts, choices } = page.fields;
        let [few_texts, few_choices] = self.least;
        passwords > self.passwords
            || texts > self.texts
            || (texts > few_texts || choices > few_choices) && is_named(page)
    }

    fn instructions(&self, pages: &Pages<'_>) -> Result<HashSet<BlockHash>, StoreError> {
        let mut by_name: HashMap<&str, Vec<&Page>> = HashMap::new();
        for page in pages.open().filter(|page| self.has_fields(page)) {
            name_of_form(page).into_iter().for_each(|name| by_name.entry(name).or_default().push(page));
        }
        let mut instructions = HashSet::new();
        for named in by_name.into_values().filter(|named| (SEVERAL..=MANY_NAMED).contains(&named.len())) {
            let all = named.len();
            let counts = counts(pages, named)?.into_iter();
            instructions.extend(counts.filter(|(_, count)| *count as usize == all).map(|(text, _)| text));
        }
        Ok(instructions)
    }

    fn is_form(&self, pages: &Pages<'_>, page: &Page) -> Result<bool, StoreError> {
        let has_little = page.prose - self.prose.min(page.prose) <= LITTLE_PROSE;
        Ok(has_little || bytes(&self.own(pages, page, PassageRole::Text)?) <= LITTLE_PROSE)
    }

    /// Reports whether a page has enough own links to be a list.
    fn lists(&self, pages: &Pages<'_>, page: &Page) -> Result<bool, StoreError> {
        Ok(self.own(pages, page, PassageRole::Link)?.len() >= LISTS)
    }

    /// The passages of a page with this role that are not on every page.
    fn own(&self, pages: &Pages<'_>, page: &Page, role: PassageRole) -> Result<Vec<Passage>, StoreError> {
        let all = beside_boilerplate(pages, page.node, &self.blocks)?.into_iter();
        Ok(all.filter(|passage| passage.role == role).collect())
    }
}
