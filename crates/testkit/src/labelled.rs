//! Sites with labels: the findings that an audit must report for each, and the look-alikes that it must not report.
//!
//! The labels were written before the audit existed, from the standards and from the definition of each code; a page on
//! which a definition leaves a doubt is not included. Each site names the codes that it is *about*. For these its
//! labels are complete over all of its URLs, so that one finding more is as wrong as one less. A look-alike is named
//! with the reason why it does not have the fault that it seems to have.
//!
//! ```
//! use mapwright_testkit::labelled::{FAMILIES, ReportedFinding, LabelSubject};
//!
//! let family = FAMILIES.iter().find(|family| family.name == "what-if").expect("a family of this name");
//! let site = (family.open)().remove(0);
//! let found = ReportedFinding { code: "whatif-blocks".into(), subject: LabelSubject::Url(site.url("/later/x")) };
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
mod complete;
mod duplicates;
mod entries;
mod external;
mod hreflang;
mod indexability;
mod label;
mod lastmods;
mod not_found_page;
mod on_page;
mod page;
mod ports;
mod reachability;
mod redirects;
mod resources;
mod scripts;
mod silence;
mod site;
mod site_builder;
mod sitemap_entries;
mod sitemap_files;
mod traps;
mod what_if;

pub use codes::CODES;
pub use comparison::{CodeResult, ReportedFinding};
pub use label::{Label, LabelSubject, LookAlike};
pub use site::LabelledSite;

/// A family of sites that show one kind of fault.
#[derive(Debug, Clone, Copy)]
pub struct Family {
    /// Its name.
    pub name: &'static str,
    /// Opens its sites.
    pub open: fn() -> Vec<LabelledSite>,
}

/// All families. Together they have, for every code of [`CODES`], a page that has it and a look-alike that does not.
pub const FAMILIES: &[Family] = &[
    Family { name: "reachability", open: reachability::sites },
    Family { name: "answers", open: answers::sites },
    Family { name: "silence", open: silence::sites },
    Family { name: "bodies", open: bodies::sites },
    Family { name: "redirects", open: redirects::sites },
    Family { name: "indexability", open: indexability::sites },
    Family { name: "canonicals", open: canonicals::sites },
    Family { name: "on-page", open: on_page::sites },
    Family { name: "sitemap-entries", open: sitemap_entries::sites },
    Family { name: "sitemap-files", open: sitemap_files::sites },
    Family { name: "lastmods", open: lastmods::sites },
    Family { name: "hreflang", open: hreflang::sites },
    Family { name: "duplicates", open: duplicates::sites },
    Family { name: "traps", open: traps::sites },
    Family { name: "complete", open: complete::sites },
    Family { name: "external", open: external::sites },
    Family { name: "resources", open: resources::sites },
    Family { name: "scripts", open: scripts::sites },
    Family { name: "what-if", open: what_if::sites },
    Family { name: "clean", open: clean::sites },
];

#[cfg(test)]
mod tests;
