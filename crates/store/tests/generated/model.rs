//! A site as it is in truth: its pages, and what its URL parameters do.

/// A site.
#[derive(Debug, Clone)]
pub(crate) struct Site {
    pub(crate) style: Style,
    /// The first is the home page.
    pub(crate) routes: Vec<Route>,
    pub(crate) params: Vec<Param>,
}

/// What is the same on all pages.
#[derive(Debug, Clone)]
pub(crate) struct Style {
    /// Each page has the title of the site; else one of its own.
    pub(crate) one_title: bool,
    /// Pages have headings of their own.
    pub(crate) headings: bool,
    /// Links to the same page with other parameters stand in the content, not in `nav`.
    pub(crate) facets_in_content: bool,
    /// A missing page answers 200 with a remark.
    pub(crate) soft_missing: bool,
    /// Routes that every page links.
    pub(crate) nav: Vec<usize>,
    /// What lists show of the pages that they link.
    pub(crate) teaser: Teaser,
    /// Parameters are kept by links to the same page with another one added.
    pub(crate) combined: bool,
}

/// What a list shows of a page beside its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Teaser {
    Nothing,
    /// Its first text.
    Excerpt,
}

/// What stands at one path.
#[derive(Debug, Clone)]
pub(crate) struct Route {
    pub(crate) path: String,
    /// Its name: its title, its heading, the text of links to it.
    pub(crate) name: String,
    /// The numbers of the texts that it shows.
    pub(crate) items: Vec<usize>,
    pub(crate) entries: Vec<Entry>,
}

/// A link of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) route: usize,
    /// Parameters that the link has, with the numbers of their values.
    pub(crate) query: Vec<(usize, usize)>,
}

/// A parameter.
#[derive(Debug, Clone)]
pub(crate) struct Param {
    pub(crate) name: String,
    /// The routes that heed it; others take it without effect.
    pub(crate) on: Vec<usize>,
    pub(crate) values: Vec<String>,
    pub(crate) effect: Effect,
    /// Pages link themselves with each of its values.
    pub(crate) is_facet: bool,
}

/// What a parameter does.
#[derive(Debug, Clone)]
pub(crate) enum Effect {
    /// Each value shows other content: the numbers of its texts.
    Selects { records: Vec<Vec<usize>>, without: Without },
    /// Nothing.
    Nothing,
    /// Nothing, and links of pages that have it carry fresh values on, so many times.
    Session { generations: usize },
    /// Lists and texts come in another order.
    Sorts,
    /// So many entries or texts a page; the first value is that of the second page.
    Paginates { size: usize, beyond: Beyond },
    /// Some of the entries or texts.
    Narrows { renames: bool },
    /// The frame speaks another language; the texts, too.
    Translates { texts: bool },
    /// On these routes it shows other texts, or further ones; elsewhere nothing changes.
    Irregular { on: Vec<(usize, Vec<usize>)>, adds: bool },
}

/// What a page that is selected by a parameter shows without it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Without {
    Missing,
    /// What it shows with the first value.
    First,
    /// Links to all.
    Index,
    /// Content of its own.
    Own,
}

/// What a list shows beyond its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Beyond {
    Missing,
    Empty,
    /// Its last page again.
    Last,
}

/// A page of the site that is requested: a route with parameters and their values, in the order of the site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) route: usize,
    pub(crate) query: Vec<(usize, String)>,
}

impl Address {
    pub(crate) fn of(route: usize) -> Self {
        Self { route, query: Vec::new() }
    }

    pub(crate) fn value(&self, param: usize) -> Option<&str> {
        self.query.iter().find(|(own, _)| *own == param).map(|(_, value)| value.as_str())
    }

    /// The address with this value in place of the parameter's own.
    pub(crate) fn with(&self, param: usize, value: &str) -> Self {
        let mut query: Vec<_> = self.query.iter().filter(|(own, _)| *own != param).cloned().collect();
        query.push((param, value.to_owned()));
        query.sort();
        Self { route: self.route, query }
    }

    /// Its URL, without the origin.
    pub(crate) fn text(&self, site: &Site) -> String {
        let pairs: Vec<String> =
            self.query.iter().map(|(param, value)| format!("{}={value}", site.params[*param].name)).collect();
        let path = &site.routes[self.route].path;
        if pairs.is_empty() { path.clone() } else { format!("{path}?{}", pairs.join("&")) }
    }

    /// What a URL asks for; `None` where the site has nothing at its path. Names that it does not know are passed over.
    pub(crate) fn parse(site: &Site, text: &str) -> Option<Self> {
        let (path, query) = text.split_once('?').unwrap_or((text, ""));
        let route = site.routes.iter().position(|route| route.path == path)?;
        let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        let known = pairs.filter_map(|(name, value)| {
            let param = site.params.iter().position(|param| param.name == name)?;
            Some((param, value.to_owned()))
        });
        Some(known.fold(Self::of(route), |address, (param, value)| address.with(param, &value)))
    }
}
