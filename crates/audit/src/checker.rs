//! The function of checks, in the form in which the registry runs it.

use crate::check::Check;
use crate::check_thresholds::CheckThresholds;
use crate::finding::Finding;
use crate::site::Site;
use mapwright_web::Robots;

/// A function that makes findings, and the checks that it makes findings of.
pub(crate) struct Checker {
    find: Find,
    recount: Option<Find>,
    pub(crate) checks: &'static [&'static Check],
}

/// A pure function over the site, which adds its findings.
#[derive(Clone, Copy)]
enum Find {
    Site(fn(&Site, &mut Vec<Finding>)),
    Limits(fn(&Site, &CheckThresholds, &mut Vec<Finding>)),
    Robots(fn(&Site, &Robots, &mut Vec<Finding>)),
}

/// The input of checkers.
#[derive(Clone, Copy)]
pub(crate) struct CheckInput<'a> {
    pub(crate) site: &'a Site,
    pub(crate) limits: &'a CheckThresholds,
    /// A robots.txt that is not deployed yet.
    pub(crate) next_robots: Option<&'a Robots>,
}

impl Checker {
    /// A checker that needs the site alone.
    pub(crate) const fn site(find: fn(&Site, &mut Vec<Finding>), checks: &'static [&'static Check]) -> Self {
        Self { find: Find::Site(find), recount: None, checks }
    }

    /// A checker with thresholds.
    pub(crate) const fn limits(
        find: fn(&Site, &CheckThresholds, &mut Vec<Finding>),
        checks: &'static [&'static Check],
    ) -> Self {
        Self { find: Find::Limits(find), recount: None, checks }
    }

    /// A checker of a robots.txt that is not deployed yet.
    pub(crate) const fn robots(find: fn(&Site, &Robots, &mut Vec<Finding>), checks: &'static [&'static Check]) -> Self {
        Self { find: Find::Robots(find), recount: None, checks }
    }

    /// Sets the function to be used where the links at hand are not those of the record.
    pub(crate) const fn recounting(mut self, find: fn(&Site, &CheckThresholds, &mut Vec<Finding>)) -> Self {
        self.recount = Some(Find::Limits(find));
        self
    }

    /// Adds the findings.
    pub(crate) fn find(&self, input: CheckInput<'_>, found: &mut Vec<Finding>) {
        self.find.call(input, found);
    }

    /// Adds the findings, where the links at hand are not those of the record.
    pub(crate) fn find_again(&self, input: CheckInput<'_>, found: &mut Vec<Finding>) {
        self.recount.unwrap_or(self.find).call(input, found);
    }
}

impl Find {
    fn call(self, input: CheckInput<'_>, found: &mut Vec<Finding>) {
        match self {
            Self::Site(find) => find(input.site, found),
            Self::Limits(find) => find(input.site, input.limits, found),
            Self::Robots(find) => {
                if let Some(robots) = input.next_robots {
                    find(input.site, robots, found);
                }
            }
        }
    }
}
