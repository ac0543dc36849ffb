//! Sitemaps that a fake site offers.

use std::fmt::Write;

/// A urlset of these locations, escaped as the protocol requires.
pub(crate) fn urlset<S: AsRef<str>>(locations: &[S]) -> String {
    let mut xml = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
    );
    for location in locations {
        let _ = writeln!(xml, "<url><loc>{}</loc></url>", escape(location.as_ref()));
    }
    xml.push_str("</urlset>\n");
    xml
}

/// An index of these locations.
pub(crate) fn index<S: AsRef<str>>(locations: &[S]) -> String {
    let mut xml = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
    );
    for location in locations {
        let _ = writeln!(xml, "<sitemap><loc>{}</loc></sitemap>", escape(location.as_ref()));
    }
    xml.push_str("</sitemapindex>\n");
    xml
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('\'', "&apos;").replace('"', "&quot;")
}
