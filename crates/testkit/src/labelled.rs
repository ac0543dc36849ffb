//! Sites with labels: what an audit must find on each, and what looks like it and must not be found.
//!
//! The labels were written from the standards and from the sentence that tells what each code means, before there was
//! an audit: where a sentence leaves room for a page, that page is not here. Each site names the codes that it is
//! *about*. For these its labels are complete over all of its URLs, so that one finding more is as wrong as one less.
//! A look-alike is named with the reason why it has not what it seems to have.
//!
//! ```
//! use mapwright_testkit::labelled::{FAMILIES, Finding, Subject};
//!
//! let family = FAMILIES.iter().find(|family| family.name == "what-if").expect("a family of this name");
//! let site = (family.open)().remove(0);
//! let found = Finding { code: "whatif-blocks".into(), subject: Subject::Url(site.url("/later/x")) };
//! let rows = site.compare(&[found]);
//! assert!(rows.iter().any(|row| row.code == "whatif-blocks" && row.is_right()));
//! assert!(rows.iter().any(|row| row.code == "whatif-frees" && !row.is_right()));
//! ```

mod answers;
mod bodies;
mod canonicals;
mod clean;
mod codes;
mod comparison;
mod draft;
mod duplicates;
mod entries;
mod external;
mod hreflang;
mod indexability;
mod label;
mod lastmods;
mod lost;
mod page;
mod ports;
mod reachability;
mod redirects;
mod silence;
mod site;
mod sitemap_entries;
mod sitemap_files;
mod traps;
mod what_if;
mod whole;

pub use codes::CODES;
pub use comparison::{Finding, Row};
pub use label::{Label, LookAlike, Subject};
pub use site::LabelledSite;

/// Sites that show one kind of faults.
#[derive(Debug, Clone, Copy)]
pub struct Family {
    /// Its name.
    pub name: &'static str,
    /// Starts its sites.
    pub open: fn() -> Vec<LabelledSite>,
}

/// All families. Between them, every code of [`CODES`] has a page that has it and a look-alike that has not.
pub const FAMILIES: &[Family] = &[
    Family { name: "reachability", open: reachability::sites },
    Family { name: "answers", open: answers::sites },
    Family { name: "silence", open: silence::sites },
    Family { name: "bodies", open: bodies::sites },
    Family { name: "redirects", open: redirects::sites },
    Family { name: "indexability", open: indexability::sites },
    Family { name: "canonicals", open: canonicals::sites },
    Family { name: "sitemap-entries", open: sitemap_entries::sites },
    Family { name: "sitemap-files", open: sitemap_files::sites },
    Family { name: "lastmods", open: lastmods::sites },
    Family { name: "hreflang", open: hreflang::sites },
    Family { name: "duplicates", open: duplicates::sites },
    Family { name: "traps", open: traps::sites },
    Family { name: "whole", open: whole::sites },
    Family { name: "external", open: external::sites },
    Family { name: "what-if", open: what_if::sites },
    Family { name: "clean", open: clean::sites },
];

#[cfg(test)]
mod tests;
