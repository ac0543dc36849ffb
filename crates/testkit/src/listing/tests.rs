use std::fs;

use super::*;
use crate::gzip;

fn directory() -> tempfile::TempDir {
    tempfile::tempdir().expect("a directory")
}

#[test]
fn a_urlset_is_read_with_its_references_decoded() {
    let dir = directory();
    let xml = "<urlset><url><loc> http://a.test/?x=1&amp;y=&#x27;2&#39; </loc></url></urlset>";
    fs::write(dir.path().join("sitemap.xml"), xml).unwrap();
    assert_listed(dir.path(), &["http://a.test/?x=1&y='2'"]);
    assert_not_listed(dir.path(), "http://a.test/");
}

#[test]
fn an_index_leads_to_its_parts_packed_or_not() {
    let dir = directory();
    let index = "<sitemapindex><sitemap><loc>http://a.test/deep/one.xml.gz</loc></sitemap>\
                 <sitemap><loc>http://a.test/deep/two.xml</loc></sitemap></sitemapindex>";
    fs::write(dir.path().join("sitemap.xml"), index).unwrap();
    fs::write(dir.path().join("one.xml.gz"), gzip(b"<urlset><loc>http://a.test/1</loc></urlset>")).unwrap();
    fs::write(dir.path().join("two.xml"), "<urlset><loc>http://a.test/2</loc></urlset>").unwrap();
    assert_listed(dir.path(), &["http://a.test/2", "http://a.test/1"]);
}

#[test]
fn a_missing_part_is_named() {
    let dir = directory();
    fs::write(dir.path().join("sitemap.xml"), "<sitemapindex><loc>http://a.test/gone.xml</loc></sitemapindex>")
        .unwrap();
    let error = read_listed(dir.path()).unwrap_err();
    assert!(error.to_string().contains("gone.xml"), "{error}");
}

#[test]
#[should_panic(expected = "listed twice")]
fn a_url_listed_twice_fails() {
    let dir = directory();
    fs::write(dir.path().join("sitemap.xml"), "<urlset><loc>http://a.test/</loc><loc>http://a.test/</loc></urlset>")
        .unwrap();
    let _ = listed(dir.path());
}

#[test]
#[should_panic(expected = "http://a.test/unexpected")]
fn a_url_too_many_is_named() {
    let dir = directory();
    fs::write(dir.path().join("sitemap.xml"), "<urlset><loc>http://a.test/unexpected</loc></urlset>").unwrap();
    assert_listed::<&str>(dir.path(), &[]);
}
