//! The environment variables that mapwright shares with other programs.

use crate::values::ProxyUrl;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Variables that other programs honour too. Their values are not checked here: the code that uses an invalid value
/// reports it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SharedEnvironment {
    /// `https_proxy` or `HTTPS_PROXY`: the proxy for https URLs.
    pub https_proxy: Option<ProxyUrl>,
    /// `http_proxy` or `HTTP_PROXY`: the proxy for http URLs.
    pub http_proxy: Option<ProxyUrl>,
    /// `all_proxy` or `ALL_PROXY`: the proxy where neither of the others is set.
    pub all_proxy: Option<ProxyUrl>,
    /// `no_proxy` or `NO_PROXY`: hosts reached directly, separated by commas.
    pub no_proxy: Option<String>,
    /// `NO_COLOR` is set, or the terminal is dumb.
    pub no_color: bool,
    /// `HOME`.
    pub home: Option<PathBuf>,
    /// `XDG_STATE_HOME`, if it is an absolute path, as its specification requires.
    pub xdg_state_home: Option<PathBuf>,
    /// `STATE_DIRECTORY`, which systemd sets for a unit with `StateDirectory=`; the first of several.
    pub state_directory: Option<PathBuf>,
}

impl SharedEnvironment {
    pub(crate) fn read(environment: &HashMap<String, String>) -> SharedEnvironment {
        let get = |name: &str| environment.get(name).filter(|value| !value.is_empty());
        let either = |name: &str| get(name).or_else(|| get(&name.to_ascii_uppercase()));
        let proxy = |name: &str| either(name).map(|value| ProxyUrl::unchecked(value));
        SharedEnvironment {
            https_proxy: proxy("https_proxy"),
            http_proxy: proxy("http_proxy"),
            all_proxy: proxy("all_proxy"),
            no_proxy: either("no_proxy").cloned(),
            no_color: get("NO_COLOR").is_some() || get("TERM").is_some_and(|term| term == "dumb"),
            home: get("HOME").map(PathBuf::from),
            xdg_state_home: get("XDG_STATE_HOME").map(PathBuf::from).filter(|path| path.is_absolute()),
            state_directory: get("STATE_DIRECTORY").and_then(|list| list.split(':').next()).map(PathBuf::from),
        }
    }

    /// The directory that holds the state of all crawls: `$XDG_STATE_HOME/mapwright`, else
    /// `$HOME/.local/state/mapwright`. None where neither variable is set.
    pub fn state_root(&self) -> Option<PathBuf> {
        let below = |path: &Path| path.join("mapwright");
        let home = || self.home.as_ref().map(|home| below(&home.join(".local").join("state")));
        self.xdg_state_home.as_deref().map(below).or_else(home)
    }
}
