//! Sites with random pages, links and parameters.

use crate::draw::Draw;
use crate::effects;
use crate::model::{Effect, Entry, Param, Route, Site, Style, Teaser};
use crate::truth::Truth;

/// The fewest and the most pages of a site that its links reach.
const FEWEST_PAGES: usize = 10;
const MAX_PAGES: usize = 60;

/// The site of a seed.
pub(crate) fn generate(seed: u64) -> Site {
    let mut tries = (0..).map(|attempt| site(&mut Draw::new(seed.wrapping_mul(1_000) + attempt)));
    tries.find(|site| Truth::of(site, MAX_PAGES).is_some_and(|truth| truth.pages >= FEWEST_PAGES)).unwrap()
}

/// The form of the paths of a section.
#[derive(Debug, Clone, Copy)]
enum Paths {
    Names,
    Folder(&'static str),
    Numbers(&'static str),
    Endings(&'static str),
    Scripts,
}

const PATHS: [Paths; 8] = [
    Paths::Names,
    Paths::Folder("shop"),
    Paths::Folder("blog"),
    Paths::Numbers("node"),
    Paths::Numbers("articles"),
    Paths::Endings("docs"),
    Paths::Endings(""),
    Paths::Scripts,
];

impl Paths {
    fn path(self, number: usize) -> String {
        let name = NAMES[number % NAMES.len()];
        match self {
            Self::Names => format!("/{name}"),
            Self::Folder(folder) => format!("/{folder}/{name}"),
            Self::Numbers(folder) => format!("/{folder}/{number}"),
            Self::Endings("") => format!("/{name}.html"),
            Self::Endings(folder) => format!("/{folder}/{name}.html"),
            Self::Scripts => format!("/{name}.php"),
        }
    }
}

/// Enough for all pages of a site.
const NAMES: [&str; 36] = [
    "acorn", "badger", "cedar", "dahlia", "ember", "fjord", "garnet", "heron", "iris", "juniper", "kestrel", "lilac",
    "magnet", "nectar", "osprey", "pebble", "quartz", "raven", "saffron", "thistle", "umber", "velvet", "walnut",
    "xenon", "yarrow", "zephyr", "anchor", "beacon", "canyon", "drizzle", "eclipse", "feather", "glacier", "hazel",
    "island", "jasper",
];

fn site(draw: &mut Draw) -> Site {
    let mut builder = Builder { routes: Vec::new(), texts: 0 };
    builder.route("/".to_owned(), "Home".to_owned());
    let lists: Vec<usize> = (0..draw.range(1, 3)).map(|_| builder.section(draw)).collect();
    builder.link_lists(&lists, draw);
    let mut params = Vec::new();
    for _ in 0..draw.range(1, 4) {
        let taken: Vec<String> = params.iter().map(|param: &Param| param.name.clone()).collect();
        params.push(effects::param(draw, &builder.routes, &lists, &taken, &mut builder.texts));
    }
    separate(&mut builder.routes, &params);
    link_once(&mut builder.routes, &params);
    let mut site = Site { style: style(draw, &lists), routes: builder.routes, params };
    decorate(&mut site, draw);
    site
}

fn style(draw: &mut Draw, lists: &[usize]) -> Style {
    Style {
        one_title: draw.percent(30),
        headings: draw.percent(70),
        facets_in_content: draw.percent(40),
        soft_missing: draw.percent(25),
        nav: if draw.percent(80) { [&[0], lists].concat() } else { Vec::new() },
        teaser: if draw.percent(50) { Teaser::Excerpt } else { Teaser::Nothing },
        combined: draw.percent(30),
    }
}

/// A site that is being built.
struct Builder {
    routes: Vec<Route>,
    /// The number of texts used so far.
    texts: usize,
}

impl Builder {
    fn route(&mut self, path: String, name: String) -> usize {
        self.routes.push(Route { path, name, items: Vec::new(), entries: Vec::new() });
        self.routes.len() - 1
    }

    /// Adds a list and the pages that it links; returns the number of the list.
    fn section(&mut self, draw: &mut Draw) -> usize {
        let list = self.named(*draw.one(&PATHS));
        let paths = *draw.one(&PATHS);
        let pages: Vec<usize> = (0..draw.range(2, 9)).map(|_| self.content(paths, draw)).collect();
        self.routes[list].entries = pages.iter().map(|page| Entry { route: *page, query: Vec::new() }).collect();
        if draw.percent(20) {
            self.routes[list].items = effects::texts(&mut self.texts, draw.range(1, 6));
        }
        if draw.percent(15) {
            self.repeat(paths, &pages, draw);
        }
        if draw.percent(30) {
            self.relate(&pages, draw);
        }
        list
    }

    fn named(&mut self, paths: Paths) -> usize {
        let number = self.routes.len();
        let free =
            (number..).map(|number| paths.path(number)).find(|path| self.routes.iter().all(|own| own.path != *path));
        let name = NAMES[number % NAMES.len()];
        self.route(free.unwrap(), format!("About {name}"))
    }

    fn content(&mut self, paths: Paths, draw: &mut Draw) -> usize {
        let page = self.named(paths);
        self.routes[page].items = effects::texts(&mut self.texts, draw.range(1, 3));
        page
    }

    /// Adds a page with the content of another.
    fn repeat(&mut self, paths: Paths, pages: &[usize], draw: &mut Draw) {
        let (again, original) = (self.named(paths), *draw.one(pages));
        let like = self.routes[original].clone();
        self.routes[again] = Route { path: self.routes[again].path.clone(), ..like };
        let from = *draw.one(pages);
        self.routes[from].entries.push(Entry { route: again, query: Vec::new() });
    }

    /// Adds links from page to page.
    fn relate(&mut self, pages: &[usize], draw: &mut Draw) {
        for page in draw.some(pages, 1, 4) {
            let to = *draw.one(pages);
            self.routes[page].entries.push(Entry { route: to, query: Vec::new() });
        }
    }

    fn link_lists(&mut self, lists: &[usize], draw: &mut Draw) {
        let mut linked: Vec<usize> = lists.to_vec();
        linked.extend(draw.some(&(1..self.routes.len()).collect::<Vec<_>>(), 0, 3));
        self.routes[0].entries = linked.into_iter().map(|route| Entry { route, query: Vec::new() }).collect();
        if draw.percent(50) {
            self.routes[0].items = effects::texts(&mut self.texts, 1);
        }
    }
}

/// Adds parameters to links of lists whose targets take them: to all links, or to some.
fn decorate(site: &mut Site, draw: &mut Draw) {
    for at in 0..site.params.len() {
        let param = site.params[at].clone();
        let share = *draw.one(&[0, 40, 100]);
        let share = if param.is_facet { share / 4 } else { share };
        let is_carried = matches!(param.effect, Effect::Nothing | Effect::Irregular { .. } | Effect::Selects { .. });
        for entry in site.routes.iter_mut().flat_map(|route| &mut route.entries) {
            if is_carried && param.on.contains(&entry.route) && draw.percent(share) {
                entry.query.push((at, draw.range(0, param.values.len() - 1)));
            }
        }
    }
}

/// Removes own texts from paginated lists that have links, since only the links distinguish own texts from teasers.
fn separate(routes: &mut [Route], params: &[Param]) {
    let paginated = params.iter().filter(|param| matches!(param.effect, Effect::Paginates { .. }));
    for route in paginated.flat_map(|param| &param.on) {
        if !routes[*route].entries.is_empty() {
            routes[*route].items.clear();
        }
    }
}

/// Makes sure that a page with the content of another is linked only from pages without parameters. The number of links
/// decides which of the two stays, and not all variants that link one are crawled.
fn link_once(routes: &mut [Route], params: &[Param]) {
    let is_repeat = |at: usize| routes.iter().take(at).any(|route| route.items == routes[at].items);
    let repeats: Vec<usize> = (0..routes.len()).filter(|at| !routes[*at].items.is_empty() && is_repeat(*at)).collect();
    for (at, route) in routes.iter_mut().enumerate() {
        if params.iter().any(|param| param.on.contains(&at)) {
            route.entries.retain(|entry| !repeats.contains(&entry.route));
        }
    }
}
