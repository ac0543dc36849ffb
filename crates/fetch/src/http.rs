//! The fetcher for http and https.

use std::fmt;
use std::future::Future;
use std::sync::{Arc, OnceLock};

use jiff::Timestamp;
use mapwright_web::{Origin, PageUrl};

use crate::Fetch;
use crate::attempt::Attempt;
use crate::budget::Budget;
use crate::client::Clients;
use crate::cookies::CookieJar;
use crate::failure::Failure;
use crate::guard::Guard;
use crate::home::Home;
use crate::kit::Kits;
use crate::manner::Manners;
use crate::options::FetchOptions;
use crate::outgoing::Outgoing;
use crate::proxy::ProxyRules;
use crate::reply::Reply;
use crate::request::Request;
use crate::setup::SetupError;

/// Fetches over HTTP/1.1 and HTTP/2. Clones share everything: connections, cookies, memory for bodies.
///
/// It must be used within a tokio runtime with time and I/O.
#[derive(Clone)]
pub struct HttpFetch {
    shared: Arc<Shared>,
}

/// What all fetches share.
pub(crate) struct Shared {
    pub(crate) options: FetchOptions,
    pub(crate) clients: Clients,
    pub(crate) manners: Manners,
    pub(crate) guard: Arc<Guard>,
    pub(crate) home: Home,
    pub(crate) jar: CookieJar,
    pub(crate) budget: Budget,
    pub(crate) kits: Kits,
    pub(crate) outgoing: Outgoing,
    pub(crate) proxies: ProxyRules,
    /// A request failed because no more files may be open, in words.
    pub(crate) out_of_files: OnceLock<String>,
}

impl HttpFetch {
    /// Makes a fetcher; nothing is sent yet.
    ///
    /// # Errors
    /// A setting cannot be used; the error names it.
    pub fn new(options: FetchOptions) -> Result<HttpFetch, SetupError> {
        let outgoing = Outgoing::new(&options.user_agent)?;
        let proxies = ProxyRules::new(options.proxy.as_deref(), &options.proxy_variables)?;
        let guard = Arc::new(Guard::new(options.guard.clone()));
        let clients = Clients::new(&options, &guard, &proxies)?;
        let home = Home::new(&options, clients.common())?;
        let budget = Budget::new(options.bytes_in_flight);
        let (jar, kits, manners) = (CookieJar::new(options.cookie_policy), Kits::default(), Manners::default());
        let out_of_files = OnceLock::new();
        let shared =
            Shared { options, clients, manners, guard, home, jar, budget, kits, outgoing, proxies, out_of_files };
        let fetch = HttpFetch { shared: Arc::new(shared) };
        let options = &fetch.shared.options;
        let with_credentials = options.userinfo.iter().map(|(origin, _)| origin);
        options.home.iter().chain(with_credentials).for_each(|origin| fetch.add_home(origin));
        Ok(fetch)
    }

    /// Makes an origin one of the start URLs': its host's addresses may be reached, and it gets the header fields,
    /// credentials and cookies that the user gave.
    fn add_home(&self, origin: &Origin) {
        self.shared.guard.add_home(origin.host());
        let is_new = self.shared.home.add(origin);
        self.seed(origin, is_new);
    }

    /// A start URL moved to this origin, within its registrable domain: its host's addresses may be reached. What the
    /// user gave goes there only from http to https of the same host; the answer is whether it does, or nothing was
    /// given.
    pub fn move_home(&self, origin: &Origin) -> bool {
        self.shared.guard.add_home(origin.host());
        match self.shared.home.follow(origin) {
            Some(is_new) => self.seed(origin, is_new),
            None => return self.shared.home.is_plain() && self.shared.options.cookies.is_empty(),
        }
        true
    }

    /// Gives an origin that `is_new` the file's cookies: a second time they would undo what the site has set since.
    fn seed(&self, origin: &Origin, is_new: bool) {
        if is_new {
            self.shared.jar.seed(origin, &self.shared.options.cookies, Timestamp::now());
        }
    }

    /// Whether requests may go through a proxy, which looks names up itself: the guard then sees addresses only where
    /// URLs spell them out.
    pub fn guard_blind(&self) -> bool {
        self.shared.proxies.any()
    }

    /// That requests failed because no more files may be open, and what to do, if so.
    pub fn out_of_files(&self) -> Option<&str> {
        self.shared.out_of_files.get().map(String::as_str)
    }

    /// The guard of this fetcher.
    pub fn guard(&self) -> &Guard {
        &self.shared.guard
    }
}

impl Fetch for HttpFetch {
    fn fetch(&self, request: Request) -> impl Future<Output = Result<Reply, Failure>> + Send {
        let shared = Arc::clone(&self.shared);
        async move { Attempt::new(&shared, &request).run().await }
    }

    fn keep_cookie(&self, url: &PageUrl, set_cookie: &str) -> bool {
        self.shared.jar.keep_needed(&url.origin(), url.path(), set_cookie, Timestamp::now())
    }
}

impl fmt::Debug for HttpFetch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("HttpFetch").field(&self.shared.options).finish()
    }
}
