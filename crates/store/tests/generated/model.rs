//! The model of a generated site: its pages, and the effects of its URL parameters.

/// A site.
#[derive(Debug, Clone)]
pub(crate) struct Site {
    pub(crate) style: Style,
    /// The first is the home page.
    pub(crate) routes: Vec<Route>,
    pub(crate) params: Vec<Param>,
}

/// The properties that all pages share.
#[derive(Debug, Clone)]
pub(crate) struct Style {
    /// Each page has the title of the site instead of its own.
    pub(crate) one_title: bool,
    /// Pages have headings of their own.
    pub(crate) headings: bool,
    /// Links to the same page with other parameters are in the content, not in `nav`.
    pub(crate) facets_in_content: bool,
    /// A missing page answers 200 with a remark.
    pub(crate) soft_missing: bool,
    /// Routes that every page links.
    pub(crate) nav: Vec<usize>,
    /// The text that lists show of the pages that they link.
    pub(crate) teaser: Teaser,
    /// Links to the same page with another parameter keep the current parameters.
    pub(crate) combined: bool,
}

/// The text that a list shows of a page beside its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Teaser {
    Nothing,
    /// Its first text.
    Excerpt,
}

/// The page at one path.
#[derive(Debug, Clone)]
pub(crate) struct Route {
    pub(crate) path: String,
    /// Its title, its heading, and the text of links to it.
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
    /// The routes on which it has an effect; on others it has none.
    pub(crate) on: Vec<usize>,
    pub(crate) values: Vec<String>,
    pub(crate) effect: Effect,
    /// Pages link themselves with each of its values.
    pub(crate) is_facet: bool,
}

/// The effect of a parameter.
#[derive(Debug, Clone)]
pub(crate) enum Effect {
    /// Each value selects content, given by the numbers of its texts.
    Selects { records: Vec<Vec<usize>>, without: Without },
    /// It has no effect.
    Nothing,
    /// A session: it has no effect, and the links of pages with it carry new values, for this number of generations.
    Session { generations: usize },
    /// It changes the order of lists and texts.
    Sorts,
    /// It divides entries or texts into pages of this size; the first value is that of the second page.
    Paginates { size: usize, beyond: Beyond },
    /// It shows some of the entries or texts.
    Narrows { renames: bool },
    /// It changes the language of the frame, and with `texts` that of the texts.
    Translates { texts: bool },
    /// On these routes it shows other texts, or with `adds` further ones; elsewhere it has no effect.
    Irregular { on: Vec<(usize, Vec<usize>)>, adds: bool },
}

/// The content of a page that is selected by a parameter, without that parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Without {
    Missing,
    /// The content of the first value.
    First,
    /// Links to all values.
    Index,
    /// Content of its own.
    Own,
}

/// The response of a list beyond its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Beyond {
    Missing,
    Empty,
    /// Its last page again.
    Last,
}

/// The address of a page: a route with parameters and their values, in the order of the site.
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

    /// The address of a URL; `None` where the site has nothing at its path. Unknown parameters are ignored.
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
