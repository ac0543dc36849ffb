//! Read, write and check sitemaps within the protocol's limits.
