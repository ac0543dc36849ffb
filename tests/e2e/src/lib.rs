//! The real binary against real servers.
