//! The choice of the answer to a request.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::Arc;

use crate::answer::ServerAction;
use crate::request::ReceivedRequest;

type Handler = Arc<dyn Fn(&ReceivedRequest) -> ServerAction + Send + Sync>;

/// The route of a path.
#[derive(Clone)]
pub(crate) enum Route {
    Fixed(Arc<ServerAction>),
    Handler(Handler),
}

impl fmt::Debug for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Route::Fixed(answer) => answer.fmt(f),
            Route::Handler(_) => f.write_str("Handler"),
        }
    }
}

/// An answer for a number of first requests to a path.
#[derive(Debug)]
struct First {
    left: usize,
    answer: Arc<ServerAction>,
}

/// The table of a site: exact paths, prefixes (a path that ends in `*`), and answers for the first few requests.
#[derive(Debug, Default)]
pub(crate) struct Routes {
    exact: HashMap<String, Route>,
    /// Prefixes, the longest first, so that the most specific one wins.
    prefixes: Vec<(String, Route)>,
    firsts: HashMap<String, VecDeque<First>>,
}

impl Routes {
    pub(crate) fn set(&mut self, path: &str, route: Route) {
        let Some(prefix) = path.strip_suffix('*') else {
            self.exact.insert(path.to_owned(), route);
            return;
        };
        self.prefixes.retain(|(known, _)| known != prefix);
        self.prefixes.push((prefix.to_owned(), route));
        self.prefixes.sort_by_key(|(known, _)| std::cmp::Reverse(known.len()));
    }

    pub(crate) fn first_n(&mut self, path: &str, n: usize, answer: ServerAction) {
        let first = First { left: n, answer: Arc::new(answer) };
        self.firsts.entry(path.to_owned()).or_default().push_back(first);
    }

    /// Returns the route of a request, the most specific first: with host before without, with query before without,
    /// exact before prefix.
    pub(crate) fn of(&mut self, request: &ReceivedRequest) -> Option<Route> {
        let with_host = format!("//{}{}", request.host(), request.origin_form());
        let path_with_host = format!("//{}{}", request.host(), request.path());
        let names = [with_host.as_str(), path_with_host.as_str(), request.origin_form(), request.path()];
        if let Some(answer) = names.iter().find_map(|name| self.take_first(name)) {
            return Some(Route::Fixed(answer));
        }
        if let Some(route) = names.iter().find_map(|name| self.exact.get(*name)) {
            return Some(route.clone());
        }
        // A plain prefix also matches names with a host (`/` begins everything), so the two kinds are distinguished.
        let begins = |name: &str, for_host: bool| {
            let fits = |prefix: &str| prefix.starts_with("//") == for_host && name.starts_with(prefix);
            self.prefixes.iter().find(|(prefix, _)| fits(prefix)).map(|(_, route)| route.clone())
        };
        begins(&with_host, true).or_else(|| begins(request.origin_form(), false))
    }

    fn take_first(&mut self, name: &str) -> Option<Arc<ServerAction>> {
        let queue = self.firsts.get_mut(name)?;
        while queue.front().is_some_and(|first| first.left == 0) {
            queue.pop_front();
        }
        let first = queue.front_mut()?;
        first.left -= 1;
        Some(Arc::clone(&first.answer))
    }
}
