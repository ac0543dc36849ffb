//! A parameter of one URL.

use crate::parameter::{Parameter, ParameterKey, is_numbered, is_session, parameters, path_pattern, values};
use crate::random_value::is_identifier;
use mapwright_web::PageUrl;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash};

/// A parameter of a URL at a path.
#[derive(Debug)]
pub(crate) struct VariantParameter {
    pub(crate) key: ParameterKey,
    /// The hash of the path.
    pub(crate) path: u64,
    /// The hash of the value.
    pub(crate) value: u64,
    /// The value is a small number, such as a page number of a list.
    pub(crate) is_numbered: bool,
    /// The value is an identifier, such as a session, not a choice.
    pub(crate) is_random: bool,
}

impl VariantParameter {
    /// The parameters of a URL, in their order.
    pub(crate) fn all(url: &PageUrl) -> Vec<Self> {
        let (pattern, path) = (path_pattern(url), path_of(url));
        let one = |parameter: Parameter| {
            let values = values(url, &parameter);
            Self {
                path,
                value: hash_of(&values),
                is_numbered: is_numbered(url, &parameter),
                is_random: values.into_iter().any(|value| is_session(value) || is_identifier(value)),
                key: ParameterKey { pattern: pattern.clone(), parameter },
            }
        };
        parameters(url).into_iter().map(one).collect()
    }

    /// The name as written; empty for a segment.
    pub(crate) fn name(&self) -> &str {
        &self.key.parameter.name
    }

    /// The parameter on the entire site: its origin, and the parameter.
    pub(crate) fn on_site(&self) -> (String, Parameter) {
        on_site(&self.key)
    }
}

/// A parameter of a pattern on the entire site: its origin, and the parameter.
pub(crate) fn on_site(key: &ParameterKey) -> (String, Parameter) {
    (mapwright_web::origin_of(&key.pattern).to_owned(), key.parameter.clone())
}

/// A hash of the path of a URL without its sessions.
fn path_of(url: &PageUrl) -> u64 {
    let names = url.path().split('/').filter(|name| !is_session(name)).map(|name| name.split(';').next());
    hash_of(&names.collect::<Vec<_>>())
}

/// A hash that is the same in every run.
pub(crate) fn hash_of(value: &impl Hash) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(value)
}
