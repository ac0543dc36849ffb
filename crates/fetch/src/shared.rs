//! The state that all fetches share.

use crate::address_guard::AddressGuard;
use crate::budget::Budget;
use crate::buffers::BufferPool;
use crate::client::Clients;
use crate::connection_mode::ConnectionModes;
use crate::cookies::CookieJar;
use crate::credential_scope::CredentialScope;
use crate::options::FetchOptions;
use crate::proxy::ProxyRules;
use crate::request_headers::Outgoing;
use std::sync::{Arc, OnceLock};

/// The state shared by all fetches.
pub(crate) struct Shared {
    pub(crate) options: FetchOptions,
    pub(crate) clients: Clients,
    pub(crate) modes: ConnectionModes,
    pub(crate) guard: Arc<AddressGuard>,
    pub(crate) credential_scope: CredentialScope,
    pub(crate) jar: CookieJar,
    pub(crate) budget: Budget,
    pub(crate) pool: BufferPool,
    pub(crate) outgoing: Outgoing,
    pub(crate) proxies: ProxyRules,
    /// The message of a request that failed because the process may open no more files.
    pub(crate) out_of_files: OnceLock<String>,
}
