//! The namespaces that sitemaps and feeds use.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use crate::NAMESPACE;

/// The namespace of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Ns {
    /// No namespace.
    None,
    /// The sitemap protocol's.
    Sitemap,
    /// Atom 1.0 or 0.3.
    Atom,
    /// RDF, the root of RSS 1.0.
    Rdf,
    /// Dublin Core, whose `date` feeds use.
    DublinCore,
    /// XHTML, whose `link` names alternates in other languages.
    Xhtml,
    /// Any other namespace, identified by a hash.
    Other(u64),
    /// An undeclared prefix.
    Undeclared,
}

impl Ns {
    /// A hash that is equal for equal namespaces.
    pub(super) fn key(self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        hasher.finish()
    }

    fn of(uri: &str) -> Self {
        match uri {
            "" => Self::None,
            NAMESPACE => Self::Sitemap,
            "http://www.w3.org/2005/Atom" | "http://purl.org/atom/ns#" => Self::Atom,
            "http://www.w3.org/1999/02/22-rdf-syntax-ns#" => Self::Rdf,
            "http://purl.org/dc/elements/1.1/" => Self::DublinCore,
            "http://www.w3.org/1999/xhtml" => Self::Xhtml,
            _ => {
                let mut hasher = DefaultHasher::new();
                uri.hash(&mut hasher);
                Self::Other(hasher.finish())
            }
        }
    }
}

/// The prefixes in scope.
#[derive(Debug)]
pub(super) struct Names {
    bindings: Vec<Binding>,
    limit: usize,
}

#[derive(Debug)]
struct Binding {
    /// The depth of the element that declares it.
    depth: usize,
    /// Empty for the default namespace.
    prefix: Box<str>,
    ns: Ns,
}

impl Names {
    pub(super) const fn new(limit: usize) -> Self {
        Self { bindings: Vec::new(), limit }
    }

    /// Adds an `xmlns` or `xmlns:prefix` attribute; `false` if the limit is reached.
    pub(super) fn declare(&mut self, depth: usize, prefix: &str, uri: &str) -> bool {
        let room = self.bindings.len() < self.limit;
        if room {
            self.bindings.push(Binding { depth, prefix: prefix.into(), ns: Ns::of(uri) });
        }
        room
    }

    /// Removes the declarations of elements at this depth and deeper.
    pub(super) fn leave(&mut self, depth: usize) {
        while self.bindings.last().is_some_and(|binding| binding.depth >= depth) {
            self.bindings.pop();
        }
    }

    pub(super) fn resolve(&self, prefix: &str) -> Ns {
        match self.bindings.iter().rev().find(|binding| *binding.prefix == *prefix) {
            Some(binding) => binding.ns,
            None if prefix.is_empty() => Ns::None,
            // Bound by the namespaces standard itself.
            None if prefix == "xml" => Ns::of("http://www.w3.org/XML/1998/namespace"),
            None => Ns::Undeclared,
        }
    }
}
