//! The fetcher for http and https.

use std::fmt;
use std::future::Future;
use std::sync::{Arc, OnceLock};

use jiff::Timestamp;
use mapwright_web::{Origin, PageUrl};

use crate::Fetch;
use crate::address_guard::AddressGuard;
use crate::attempt::Attempt;
use crate::budget::Budget;
use crate::buffers::BufferPool;
use crate::client::Clients;
use crate::connection_mode::ConnectionModes;
use crate::cookies::CookieJar;
use crate::credential_scope::CredentialScope;
use crate::failure::Failure;
use crate::options::FetchOptions;
use crate::proxy::ProxyRules;
use crate::reply::Reply;
use crate::request::Request;
use crate::request_headers::Outgoing;
use crate::setup::SetupError;
use crate::shared::Shared;

/// Fetches over HTTP/1.1 and HTTP/2. Clones share everything: connections, cookies, memory for bodies.
///
/// It must be used within a tokio runtime with time and I/O.
#[derive(Clone)]
pub struct HttpFetch {
    shared: Arc<Shared>,
}

impl HttpFetch {
    /// Builds a fetcher; nothing is sent yet.
    ///
    /// # Errors
    /// A setting cannot be used; the error names it.
    pub fn new(options: FetchOptions) -> Result<HttpFetch, SetupError> {
        let outgoing = Outgoing::new(&options.user_agent)?;
        let proxies = ProxyRules::new(options.proxy.as_deref(), &options.proxy_variables)?;
        let guard = Arc::new(AddressGuard::new(options.guard.clone()));
        let clients = Clients::new(&options, &guard, &proxies)?;
        let credential_scope = CredentialScope::new(&options, clients.common())?;
        let budget = Budget::new(options.bytes_in_flight);
        let (jar, pool, modes) =
            (CookieJar::new(options.cookie_policy), BufferPool::default(), ConnectionModes::default());
        let out_of_files = OnceLock::new();
        let shared = Shared {
            options,
            clients,
            modes,
            guard,
            credential_scope,
            jar,
            budget,
            pool,
            outgoing,
            proxies,
            out_of_files,
        };
        let fetch = HttpFetch { shared: Arc::new(shared) };
        let options = &fetch.shared.options;
        let with_credentials = options.userinfo.iter().map(|(origin, _)| origin);
        options.first_party.iter().chain(with_credentials).for_each(|origin| fetch.add_first_party(origin));
        Ok(fetch)
    }

    /// Makes an origin one of the start URLs': its host's addresses may be reached, and it gets the header fields,
    /// credentials and cookies that the user gave.
    fn add_first_party(&self, origin: &Origin) {
        self.shared.guard.add_first_party(origin.host());
        let is_new = self.shared.credential_scope.add(origin);
        self.seed(origin, is_new);
    }

    /// Records that a start URL moved to this origin, within its registrable domain: its host's addresses may be
    /// reached. The user's headers, credentials and cookies follow only from http to https of the same host; returns
    /// whether they do, or whether none were given.
    pub fn follow_redirect(&self, origin: &Origin) -> bool {
        self.shared.guard.add_first_party(origin.host());
        match self.shared.credential_scope.follow(origin) {
            Some(is_new) => self.seed(origin, is_new),
            None => return self.shared.credential_scope.is_plain() && self.shared.options.cookies.is_empty(),
        }
        true
    }

    /// Gives an origin that `is_new` the cookies of the cookie file: a second time they would overwrite those that the
    /// site has set since.
    fn seed(&self, origin: &Origin, is_new: bool) {
        if is_new {
            self.shared.jar.seed(origin, &self.shared.options.cookies, Timestamp::now());
        }
    }

    /// Returns whether requests may go through a proxy, which looks names up itself: the guard then sees only addresses
    /// that are literally in URLs.
    pub fn guard_is_bypassed(&self) -> bool {
        self.shared.proxies.any()
    }

    /// The message, with a hint, that requests failed because the process may open no more files, if any did.
    pub fn out_of_files(&self) -> Option<&str> {
        self.shared.out_of_files.get().map(String::as_str)
    }

    /// The guard of this fetcher.
    pub fn guard(&self) -> &AddressGuard {
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
