//! The choice of the pages whose scripts run.

/// The choice for one page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RenderChoice {
    /// The reason for which its scripts ran, or did not.
    pub reason: RenderReason,
    /// The ID of its template, where that decided.
    pub template: Option<TemplateId>,
    /// The state of its template, if the page taught something.
    pub learnt: Option<Box<Template>>,
}

/// The reason for which the scripts of a page run, or do not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RenderReason {
    /// They run: those of all pages do.
    #[default]
    Always,
    /// They run: without them the page is an empty shell.
    Shell,
    /// They run, to learn what the scripts of its template do.
    Probe,
    /// They run, because those of its template make a difference.
    Scripted,
    /// They run, to check that those of its template still make no difference.
    Check,
    /// They do not run: there are none.
    Inert,
    /// They do not run, because those of its template make no difference.
    Static,
    /// They do not run: `--max-renders` was reached.
    Limit,
    /// They do not run, though without them the page is an empty shell: there is no browser.
    NoBrowser,
}

impl RenderReason {
    /// All reasons, in the order of their codes.
    pub const ALL: [Self; 9] = [
        Self::Always,
        Self::Shell,
        Self::Probe,
        Self::Scripted,
        Self::Check,
        Self::Inert,
        Self::Static,
        Self::Limit,
        Self::NoBrowser,
    ];

    /// Returns the stable number, for the record.
    #[must_use]
    pub fn code(self) -> u8 {
        self as u8
    }

    /// Returns the reason of a number given by [`RenderReason::code`].
    #[must_use]
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }

    /// Reports whether the scripts run.
    #[must_use]
    pub fn renders(self) -> bool {
        matches!(self, Self::Always | Self::Shell | Self::Probe | Self::Scripted | Self::Check)
    }

    /// Returns the name, for programs.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Always => "always",
            Self::Shell => "shell",
            Self::Probe => "probe",
            Self::Scripted => "scripted",
            Self::Check => "check",
            Self::Inert => "inert",
            Self::Static => "static",
            Self::Limit => "limit",
            Self::NoBrowser => "no-browser",
        }
    }

    /// Returns the reason in words, as the second half of a sentence about the page.
    #[must_use]
    pub fn describe(self) -> &'static str {
        match self {
            Self::Always => "as those of all pages",
            Self::Shell => "because without them the page is an empty shell",
            Self::Probe => "to learn what the scripts of its template do",
            Self::Scripted => "because those of its template add links or change what the page says",
            Self::Check => "to check that those of its template still make no difference",
            Self::Inert => "because there are none",
            Self::Static => "because those of its template make no difference",
            Self::Limit => "because --max-renders was reached",
            Self::NoBrowser => "because there is no browser, though without them the page is an empty shell",
        }
    }
}

/// The ID of a template: a hash of the origin and of what its pages share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TemplateId(pub u64);

/// A template, with the knowledge of its scripts: pages that load the same scripts into the same elements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    /// Its ID.
    pub id: TemplateId,
    /// The origin of its pages.
    pub origin: String,
    /// The difference that its scripts make.
    pub class: TemplateClass,
    /// The pages of it whose scripts ran and made no difference, up to the number that is enough.
    pub unchanged: u8,
    /// The difference that was seen, in words.
    pub evidence: Option<String>,
}

/// The difference that the scripts of a template make.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum TemplateClass {
    /// Not known yet.
    #[default]
    Unknown,
    /// None that matters.
    Static,
    /// They add links, or change what the page says.
    Scripted,
}

impl TemplateClass {
    /// All classes, in the order of their codes.
    pub const ALL: [Self; 3] = [Self::Unknown, Self::Static, Self::Scripted];

    /// Returns the stable number, for the record.
    #[must_use]
    pub fn code(self) -> u8 {
        self as u8
    }

    /// Returns the class of a number given by [`TemplateClass::code`].
    #[must_use]
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_values_are_one_to_one() {
        for reason in RenderReason::ALL {
            assert_eq!(RenderReason::from_code(reason.code()), Some(reason));
        }
        for class in TemplateClass::ALL {
            assert_eq!(TemplateClass::from_code(class.code()), Some(class));
        }
        assert_eq!((RenderReason::from_code(9), TemplateClass::from_code(3)), (None, None));
    }
}
