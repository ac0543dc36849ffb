//! From the facts of all pages: listed, or excluded for which one reason, on what evidence.
