//! Writes a record: the batches of a crawl, with what their thread recalls of earlier runs, the published files, the
//! removal of old runs.

pub(crate) mod checkpoint;
pub(crate) mod commit;
pub(crate) mod cookie_walls;
pub(crate) mod facts;
pub(crate) mod files;
pub(crate) mod found;
pub(crate) mod link_json;
pub(crate) mod link_sets;
pub(crate) mod links;
pub(crate) mod memory;
pub(crate) mod origins;
pub(crate) mod parameters;
pub(crate) mod parts;
pub(crate) mod passages;
pub(crate) mod queue;
pub(crate) mod recall;
pub(crate) mod recalled_redirects;
pub(crate) mod recrawl;
pub(crate) mod resources;
pub(crate) mod retention;
pub(crate) mod sitemap_alternates;
pub(crate) mod templates;
pub(crate) mod version;
pub(crate) mod visits;
pub(crate) mod writer;
pub(crate) mod writer_handle;
pub(crate) mod writer_state;
