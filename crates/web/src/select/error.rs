//! Selectors that cannot be read.

use scraper::error::SelectorErrorKind;

/// An invalid selector.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{selector}` is no CSS selector: {reason}; give one such as `main` or `.content a`")]
pub struct SelectError {
    /// The selector as given.
    pub selector: String,
    /// The error.
    pub reason: String,
}

/// The message for an error of the library, in plain words. Some of its errors expose only the name of a type of
/// another crate.
pub(super) fn reason(error: &SelectorErrorKind) -> &'static str {
    match error {
        SelectorErrorKind::EndOfLine => "it ends too early",
        SelectorErrorKind::ExpectedColonOnPseudoElement | SelectorErrorKind::ExpectedIdentityOnPseudoElement => {
            "no name stands behind a colon"
        }
        SelectorErrorKind::TooManyNestedBlocks => "it is nested too deep",
        SelectorErrorKind::UnexpectedSelectorParseError(kind) => match format!("{kind:?}").as_str() {
            "EmptySelector" => "a selector is missing, or begins with what none begins with",
            "DanglingCombinator" => "a selector is missing beside a combinator such as >",
            "UnsupportedPseudoClassOrElement" => "it has a pseudo-class or pseudo-element that is not supported",
            "ExpectedNamespace" => "it has a prefix of a namespace, and there are none",
            "NoQualifiedNameInAttributeSelector"
            | "UnexpectedTokenInAttributeSelector"
            | "ExpectedBarInAttr"
            | "BadValueInAttr"
            | "InvalidQualNameInAttr" => "what stands in [] is no condition on an attribute",
            "ClassNeedsIdent" => "no name of a class stands behind a dot",
            _ => "a part of it is not understood",
        },
        _ => "it has a sign where none may stand",
    }
}
