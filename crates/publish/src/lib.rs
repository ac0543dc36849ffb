//! Deliver the sitemap set: directory or stdout.
