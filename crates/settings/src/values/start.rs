//! Start URLs, which may hold a user and a password.

use crate::error::Fault;
use crate::field::Value;
use crate::kind::ValueKind;
use crate::userinfo::without_userinfo;
use std::fmt;

/// A start URL as it was written. `Display` and `Debug` show it without the user and the password that it may hold.
#[derive(Clone, PartialEq, Eq)]
pub struct StartText(String);

impl StartText {
    /// The URL as written; not for printing.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for StartText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&without_userinfo(&self.0))
    }
}

impl fmt::Debug for StartText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StartText({self})")
    }
}

impl Value for StartText {
    fn read(text: &str, kind: &ValueKind) -> Result<StartText, Fault> {
        String::read(text, kind).map(StartText)
    }
}
