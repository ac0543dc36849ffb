//! The page for names that do not exist.

use super::page::escape;

/// The page that is served for names that do not exist; it shows the requested name.
pub(super) fn not_found_page(requested: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><title>Nothing here</title></head><body><h1>Nothing here</h1>\n\
         <p>There is no page of that name. It may have been moved, renamed or never have been. Look at how it is \
         spelled, go back to where you came from, or ask the people at the desk, who know every shelf of the house \
         and will be glad to be asked.</p>\n<p>The librarian has been told, and will look behind the cupboards as soon \
         as the weather allows it.</p>\n<p>Asked for: {}</p></body></html>\n",
        escape(requested)
    )
}
