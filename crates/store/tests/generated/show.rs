//! The view that a site shows at an address.

use crate::draw::hash;
use crate::model::{Address, Beyond, Effect, Site, Teaser, Without};

/// The content of a page.
#[derive(Debug, Clone, Default)]
pub(crate) struct View {
    pub(crate) name: String,
    language: Option<String>,
    /// Its texts.
    pub(crate) texts: Vec<String>,
    /// The links in its content, with their texts and teasers.
    entries: Vec<Shown>,
    /// Links to the same page with other parameters.
    facets: Vec<(String, Address)>,
}

#[derive(Debug, Clone)]
struct Shown {
    name: String,
    to: Address,
    teaser: Option<String>,
}

/// The unique text of this number. It has at least 64 bytes, because a shorter text is a label, and a page may be left
/// out although it has labels of its own.
pub(crate) fn text(number: usize) -> String {
    const WORDS: [&str; 12] = [
        "amber", "harbour", "lantern", "meadow", "granite", "violet", "thunder", "copper", "willow", "falcon",
        "cinder", "marble",
    ];
    let drawn = |at: usize| WORDS[usize::try_from(hash(number as u64, &at.to_string()) % 12).unwrap()];
    let length = [10, 12, 16, 24, 40][number % 5];
    let words: Vec<&str> = (0..length).map(drawn).collect();
    format!("Text {number} is of {}.", words.join(" "))
}

impl View {
    /// The view at an address; `None` where the site has no such page.
    pub(crate) fn of(site: &Site, address: &Address) -> Option<Self> {
        let route = &site.routes[address.route];
        let mut view = Self { name: route.name.clone(), ..Self::default() };
        view.texts = route.items.iter().map(|item| text(*item)).collect();
        view.entries = route.entries.iter().map(|entry| view.entry(site, entry)).collect();
        for (at, param) in site.params.iter().enumerate().filter(|(_, param)| param.on.contains(&address.route)) {
            view.apply(site, address, at, &param.effect)?;
        }
        view.facets = facets(site, address);
        view.carry_sessions(site, address);
        Some(view)
    }

    fn entry(&self, site: &Site, entry: &crate::model::Entry) -> Shown {
        let bare = Address::of(entry.route);
        let to =
            entry.query.iter().fold(bare, |to, (param, value)| to.with(*param, &site.params[*param].values[*value]));
        let target = &site.routes[entry.route];
        let teaser = target.items.first().filter(|_| site.style.teaser == Teaser::Excerpt).map(|item| text(*item));
        Shown { name: target.name.clone(), to, teaser }
    }

    /// Applies one parameter. `None` where there is no page with its value.
    fn apply(&mut self, site: &Site, address: &Address, at: usize, effect: &Effect) -> Option<()> {
        let values = &site.params[at].values;
        let value = address.value(at);
        let chosen = value.and_then(|value| values.iter().position(|known| known == value));
        match effect {
            Effect::Nothing | Effect::Session { .. } => {}
            Effect::Selects { records, without } => {
                self.select(site, (address, at), records, *without, (value, chosen))?
            }
            Effect::Sorts => self.sort(chosen),
            Effect::Paginates { size, beyond } => self.turn_to(*size, *beyond, (value, chosen))?,
            Effect::Narrows { renames } => {
                if let Some(chosen) = chosen {
                    keep(&mut self.entries, |place| place % values.len() == chosen);
                    keep(&mut self.texts, |place| place % values.len() == chosen);
                    self.rename(if *renames { value } else { None });
                }
            }
            Effect::Translates { texts } => {
                self.language = chosen.map(|chosen| values[chosen].clone());
                if let Some(language) = self.language.as_ref().filter(|_| *texts) {
                    self.texts.iter_mut().for_each(|text| *text = format!("{text} So it says in {language}."));
                    self.name = format!("{} in {language}", self.name);
                }
            }
            Effect::Irregular { on, adds } => {
                let other = on.iter().find(|(route, _)| *route == address.route).filter(|_| chosen.is_some());
                if let Some((_, items)) = other {
                    if !adds {
                        self.texts.clear();
                    }
                    self.texts.extend(items.iter().map(|item| text(*item)));
                }
            }
        }
        Some(())
    }

    fn rename(&mut self, value: Option<&str>) {
        if let Some(value) = value {
            self.name = format!("{}: {value}", self.name);
        }
    }

    fn select(
        &mut self,
        site: &Site,
        (address, at): (&Address, usize),
        records: &[Vec<usize>],
        without: Without,
        (value, chosen): (Option<&str>, Option<usize>),
    ) -> Option<()> {
        let chosen = match (value, chosen, without) {
            (Some(_), None, _) | (None, _, Without::Missing) => return None,
            (None, _, Without::First) => 0,
            (None, _, Without::Index) => {
                let values = site.params[at].values.iter();
                let shown = values.map(|value| Shown {
                    name: format!("{} number {value}", self.name),
                    to: address.with(at, value),
                    teaser: None,
                });
                self.entries.extend(shown);
                return Some(());
            }
            (None, _, Without::Own) => return Some(()),
            (Some(_), Some(chosen), _) => chosen,
        };
        self.texts = records[chosen].iter().map(|item| text(*item)).collect();
        self.entries.clear();
        self.name = format!("{} number {}", self.name, site.params[at].values[chosen]);
        Some(())
    }

    fn sort(&mut self, chosen: Option<usize>) {
        match chosen {
            Some(0) => {
                self.entries.reverse();
                self.texts.reverse();
            }
            Some(turns) => {
                let (entries, texts) = (self.entries.len().max(1), self.texts.len().max(1));
                self.entries.rotate_left(turns % entries);
                self.texts.rotate_left(turns % texts);
            }
            None => {}
        }
    }

    fn turn_to(&mut self, size: usize, beyond: Beyond, (value, chosen): (Option<&str>, Option<usize>)) -> Option<()> {
        let count = self.entries.len().max(self.texts.len());
        let last = count.div_ceil(size).max(1) - 1;
        let page = match (value, chosen) {
            (None, _) => 0,
            (Some(_), Some(chosen)) => chosen + 1,
            (Some(_), None) => last + 1,
        };
        let page = match beyond {
            Beyond::Missing if page > last => return None,
            Beyond::Last => page.min(last),
            Beyond::Missing | Beyond::Empty => page,
        };
        keep(&mut self.entries, |place| place / size == page);
        keep(&mut self.texts, |place| place / size == page);
        Some(())
    }

    /// Gives the links of a page with a session new values, up to the last generation of the session.
    fn carry_sessions(&mut self, site: &Site, address: &Address) {
        for (at, param) in site.params.iter().enumerate() {
            let Effect::Session { generations } = param.effect else { continue };
            let own = address.value(at);
            let generation: usize = own.and_then(|value| value.split('x').next()?.parse().ok()).unwrap_or_default();
            let fresh = match own {
                Some(own) if generation >= generations => own.to_owned(),
                _ => format!("{}x{:x}", generation + 1, hash(at as u64, &address.text(site)) & 0xFF_FFFF),
            };
            let is_on = |to: &Address| param.on.contains(&to.route);
            let links = self.entries.iter_mut().map(|entry| &mut entry.to);
            let links = links.chain(self.facets.iter_mut().map(|(_, to)| to));
            links.filter(|to| is_on(to)).for_each(|to| *to = to.with(at, &fresh));
        }
    }

    /// All targets of a page's links.
    pub(crate) fn links(&self, site: &Site) -> Vec<Address> {
        let nav = site.style.nav.iter().map(|route| Address::of(*route));
        let entries = self.entries.iter().map(|entry| entry.to.clone());
        nav.chain(entries).chain(self.facets.iter().map(|(_, to)| to.clone())).collect()
    }

    /// All texts that it shows, excerpts of other pages among them.
    pub(crate) fn shown(&self) -> impl Iterator<Item = &String> {
        self.texts.iter().chain(self.entries.iter().filter_map(|entry| entry.teaser.as_ref()))
    }

    /// Its HTML.
    pub(crate) fn html(&self, site: &Site) -> String {
        let word =
            |word: &str| self.language.as_ref().map_or(word.to_owned(), |language| format!("{word} ({language})"));
        let title = if site.style.one_title { "The site" } else { &self.name };
        let link = |name: &str, to: &Address| format!("<a href='{}'>{}</a>", to.text(site).replace('&', "&amp;"), name);
        let nav: String = site
            .style
            .nav
            .iter()
            .map(|route| link(&word(&site.routes[*route].name), &Address::of(*route)))
            .collect::<Vec<_>>()
            .join(" ");
        let heading = if site.style.headings { format!("<h1>{}</h1>", self.name) } else { String::new() };
        let texts: String = self.texts.iter().map(|text| format!("<p>{text}</p>\n")).collect();
        let entries: String = self
            .entries
            .iter()
            .map(|entry| {
                let teaser = entry.teaser.as_ref().map(|teaser| format!("<p>{teaser}</p>")).unwrap_or_default();
                format!("<div>{}{teaser}</div>\n", link(&entry.name, &entry.to))
            })
            .collect();
        let facets: String = self.facets.iter().map(|(name, to)| link(name, to)).collect::<Vec<_>>().join(" ");
        let (inside, outside) = match (facets.is_empty(), site.style.facets_in_content) {
            (true, _) => (String::new(), String::new()),
            (false, true) => (format!("<p>{facets}</p>"), String::new()),
            (false, false) => (String::new(), format!("<nav>{facets}</nav>")),
        };
        let footer = word("All rights reserved");
        format!(
            "<!doctype html><title>{title}</title><nav>{nav}</nav>{outside}\n<main>{heading}{inside}{texts}{entries}</main>\n\
             <footer>{footer}</footer>"
        )
    }
}

/// The links of a page to itself with other parameters.
fn facets(site: &Site, address: &Address) -> Vec<(String, Address)> {
    let effect = |at: usize| &site.params[at].effect;
    let others = |own: usize| {
        let is_other = |at: usize| {
            at != own && !matches!(effect(at), Effect::Selects { .. } | Effect::Nothing | Effect::Session { .. })
        };
        address.query.iter().filter(|(at, _)| is_other(*at)).count()
    };
    let params =
        site.params.iter().enumerate().filter(|(_, param)| param.is_facet && param.on.contains(&address.route));
    let open = params.filter(|(at, _)| others(*at) == 0 || site.style.combined && others(*at) < 2);
    let keeps = |at: usize| site.style.combined || matches!(effect(at), Effect::Selects { .. });
    let kept = address.query.iter().filter(|(at, _)| keeps(*at)).cloned().collect();
    let base = Address { route: address.route, query: kept };
    open.flat_map(|(at, param)| {
        let base = &base;
        param.values.iter().map(move |value| (format!("{} {value}", param.name), base.with(at, value)))
    })
    .collect()
}

/// Keeps the elements at the places for which `keeps` holds.
fn keep<T>(list: &mut Vec<T>, keeps: impl Fn(usize) -> bool) {
    let mut place = 0;
    list.retain(|_| {
        place += 1;
        keeps(place - 1)
    });
}
