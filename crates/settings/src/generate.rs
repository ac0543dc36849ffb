//! The documents that are generated from the definitions: the example file and the options page.

mod example;
mod page;

pub use example::example_file;
pub use page::options_page;
