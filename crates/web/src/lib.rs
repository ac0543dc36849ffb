//! The rules of the web: canonical URLs, scope, robots rules, facts read from a page's bytes.
