//! The record: URLs, visits, links, queue and runs in one SQLite file.
