//! Sitemaps for the tests.

const NAMESPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

pub(crate) fn urlset(locs: &[&str]) -> String {
    document("urlset", "url", locs)
}

pub(crate) fn index(locs: &[&str]) -> String {
    document("sitemapindex", "sitemap", locs)
}

fn document(root: &str, entry: &str, locs: &[&str]) -> String {
    let entries: String = locs.iter().map(|loc| format!("<{entry}><loc>{loc}</loc></{entry}>\n")).collect();
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<{root} xmlns=\"{NAMESPACE}\">\n{entries}</{root}>\n")
}
