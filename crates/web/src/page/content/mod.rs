//! The content of a page: its text blocks, their roles, and what of them is compared.

pub mod block;
pub(crate) mod block_hash;
pub(crate) mod blocks;
pub(crate) mod boilerplate;
pub(crate) mod kept_text;
pub(crate) mod open_heading;
pub(crate) mod region;
pub(crate) mod sketch;
pub(crate) mod text;
