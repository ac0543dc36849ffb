//! Pages in several languages, annotated in the pages and in sitemaps.

use super::page::Page;
use super::site::LabelledSite;
use super::site_builder::SiteBuilder;

pub(super) fn sites() -> Vec<LabelledSite> {
    vec![targets(), sets(), sitemaps()]
}

/// Annotations of these codes and paths.
fn alternates(site: &SiteBuilder, pairs: &[(&str, &str)]) -> String {
    let tag = |code: &str, url: &str| format!("<link rel=\"alternate\" hreflang=\"{code}\" href=\"{url}\">");
    pairs.iter().map(|(code, path)| tag(code, &site.url(path))).collect()
}

impl SiteBuilder {
    /// Serves pages that all carry these annotations.
    fn translated(&mut self, pages: &[&str], pairs: &[(&str, &str)]) -> &mut SiteBuilder {
        let annotations = alternates(self, pairs);
        for path in pages {
            self.put(Page::at(path).head(&annotations));
        }
        self
    }
}

const BOTH: &[(&str, &str)] = &[("en", "/both/en"), ("de", "/both/de"), ("x-default", "/both/en")];

/// Targets of annotations. The target pages have no annotations: one that is noindex and names itself would be a page
/// with a noindex alternate, too.
fn targets() -> LabelledSite {
    let about = ["hreflang-not-200", "hreflang-noindex", "hreflang-not-canonical"];
    let mut site = SiteBuilder::new("hreflang-targets", &about);
    site.translated(&["/both/en", "/both/de"], BOTH)
        .redirect("/moved", "/plain/1", 301)
        .link("/missing")
        .plain(2)
        .put(Page::at("/hidden").robots("noindex"))
        .put(Page::at("/less").robots("nosnippet"))
        .put(Page::at("/copy").canonical("/plain/1").unlisted())
        .page("/good");
    for (path, target) in [
        ("/en/to-missing", "/missing"),
        ("/en/to-moved", "/moved"),
        ("/en/to-hidden", "/hidden"),
        ("/en/to-less", "/less"),
        ("/en/to-copy", "/copy"),
        ("/en/to-good", "/good"),
    ] {
        site.translated(&[path], &[("en", path), ("de", target), ("x-default", path)]);
    }
    site.all_have("hreflang-not-200", &["/en/to-missing", "/en/to-moved"])
        .expect_not("hreflang-not-200", "/en/to-hidden", "noindex, but it answers 200")
        .expect_not("hreflang-not-200", "/both/en", "both languages are there")
        .expect_code("hreflang-noindex", "/en/to-hidden")
        .expect_not("hreflang-noindex", "/en/to-less", "a directive that does not keep it out of the index")
        .expect_code("hreflang-not-canonical", "/en/to-copy")
        .expect_not("hreflang-not-canonical", "/en/to-good", "the alternate names itself as canonical");
    site.open()
}

/// Sets of annotations of several pages. Each set has a single fault.
fn sets() -> LabelledSite {
    let about =
        ["hreflang-no-return", "hreflang-unknown-code", "hreflang-several", "hreflang-no-self", "hreflang-no-default"];
    let mut site = SiteBuilder::new("hreflang-sets", &about);
    site.plain(2).translated(&["/both/en", "/both/de"], BOTH);

    site.translated(&["/alone/en"], &[("en", "/alone/en"), ("de", "/alone/de"), ("x-default", "/alone/en")])
        .page("/alone/de")
        .expect_code("hreflang-no-return", "/alone/en")
        .expect_not("hreflang-no-return", "/both/en", "the alternate links back")
        .expect_not("hreflang-no-return", "/alone/de", "it names no alternate that could link back");

    let regions = ["/regions/en", "/regions/gb", "/regions/latin"];
    let codes = [("en", regions[0]), ("en-GB", regions[1]), ("es-419", regions[2]), ("x-default", regions[0])];
    site.translated(&regions, &codes)
        .expect_not("hreflang-unknown-code", "/regions/gb", "a language and a region")
        .expect_not("hreflang-unknown-code", "/regions/latin", "a region may be a number")
        .expect_not("hreflang-several", "/regions/en", "one page for two codes");
    for (en, other, code) in
        [("/uk/en", "/uk/other", "en-UK"), ("/word/en", "/word/other", "english"), ("/line/en", "/line/other", "en_GB")]
    {
        site.translated(&[en, other], &[("en", en), (code, other), ("x-default", en)])
            .all_have("hreflang-unknown-code", &[en, other]);
    }

    let german = ["/several/en", "/several/de", "/several/german"];
    let codes = [("en", german[0]), ("de", german[1]), ("de", german[2]), ("x-default", german[0])];
    site.translated(&german, &codes).all_have("hreflang-several", &german);

    let pages = ["/modest/en", "/modest/de"];
    site.translated(&[pages[0]], &[("de", pages[1]), ("x-default", pages[1])])
        .translated(&[pages[1]], &[("en", pages[0]), ("de", pages[1]), ("x-default", pages[1])])
        .expect_code("hreflang-no-self", "/modest/en")
        .expect_not("hreflang-no-self", "/modest/de", "the other page of the two, which does name itself")
        .expect_not("hreflang-no-self", "/plain/1", "it has no set of alternates that it could stand in");

    let pages = ["/undecided/en", "/undecided/de"];
    site.translated(&pages, &[("en", pages[0]), ("de", pages[1])])
        .all_have("hreflang-no-default", &pages)
        .expect_not("hreflang-no-default", "/modest/en", "a set that lacks something else")
        .expect_not("hreflang-no-default", "/plain/1", "it has no set of alternates");
    site.open()
}

/// An entry of a sitemap with these annotations.
fn entry(site: &SiteBuilder, path: &str, pairs: &[(&str, &str)]) -> String {
    let tag = |(code, path): &(&str, &str)| {
        format!("<x:link rel=\"alternate\" hreflang=\"{code}\" href=\"{}\"/>", site.url(path))
    };
    let tags: String = pairs.iter().map(tag).collect();
    format!("<url><loc>{}</loc>{tags}</url>", site.url(path))
}

/// Annotations in a sitemap, alone or beside those of the pages.
fn sitemaps() -> LabelledSite {
    let about = ["hreflang-no-return", "hreflang-not-200", "hreflang-no-default"];
    let mut site = SiteBuilder::new("hreflang-sitemaps", &about);
    let mixed = [("en", "/mixed/en"), ("de", "/mixed/de"), ("x-default", "/mixed/en")];
    site.plain(2).translated(&["/mixed/en"], &mixed).page("/mixed/de");
    let listed = [("en", "/listed/en"), ("de", "/listed/de"), ("x-default", "/listed/en")];
    let lonely = [("en", "/lonely/en"), ("de", "/lonely/de"), ("x-default", "/lonely/en")];
    let lost = [("en", "/lost/en"), ("de", "/lost/de")];
    site.pages(&["/listed/en", "/listed/de", "/lonely/en", "/lonely/de", "/lost/en"]);
    let entries = [
        entry(&site, "/mixed/de", &mixed),
        entry(&site, "/listed/en", &listed),
        entry(&site, "/listed/de", &listed),
        entry(&site, "/lonely/en", &lonely),
        entry(&site, "/lonely/de", &[]),
        entry(&site, "/lost/en", &lost),
    ];
    let namespaces = "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:x=\"http://www.w3.org/1999/xhtml\"";
    site.sitemap("/languages.xml", format!("<urlset {namespaces}>{}</urlset>", entries.concat()))
        .expect_not("hreflang-no-return", "/mixed/en", "the sitemap says that the other one leads back")
        .expect_not("hreflang-no-return", "/listed/en", "the sitemap says it of both")
        .expect_code("hreflang-no-return", "/lonely/en")
        .expect_code("hreflang-not-200", "/lost/en")
        .expect_not("hreflang-not-200", "/listed/de", "both answer 200")
        .expect_code("hreflang-no-default", "/lost/en")
        .expect_not("hreflang-no-default", "/listed/en", "the sitemap names one");
    site.open()
}
