//! The roles of text blocks on their page.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use mapwright_web::page::block::BlockRole::{self, Boilerplate, Link, Text};
use mapwright_web::page::{DocumentHeaders, Limits, read};
use mapwright_web::{PageUrl, UrlIdentity};

fn roles(html: &str) -> Vec<BlockRole> {
    let head = DocumentHeaders { content_type: Some("text/html; charset=utf-8"), ..DocumentHeaders::default() };
    let url = PageUrl::parse("http://example.test/dir/page", &UrlIdentity::default()).unwrap();
    read(html.as_bytes(), &head, &url, &Limits::default()).blocks.iter().map(|block| block.role).collect()
}

#[test]
fn what_stands_beside_the_content_is_boilerplate_by_element_role_or_name() {
    for open in [
        "<nav>",
        "<div role=navigation>",
        "<footer>",
        "<article><footer>",
        "<div role=contentinfo>",
        "<aside>",
        "<div id=footer>",
        "<div class='x Post-Navigation'>",
        "<ul class=pager><li>",
        "<section class=\"related-posts\">",
        "<div id=sidebar><div>",
    ] {
        assert_eq!(roles(&format!("{open}<p>words")), [Boilerplate], "{open}");
    }
    for open in
        ["<main>", "<header>", "<div class=footer-note>", "<div id=content>", "<p class=latest>", "<article><header>"]
    {
        assert_eq!(roles(&format!("{open}<p>words")), [Text], "{open}");
    }
}

#[test]
fn boilerplate_ends_where_its_element_does() {
    assert_eq!(roles("<nav>a</nav><p>b"), [Boilerplate, Text]);
    assert_eq!(roles("<div class=pager><div>a</div>b</div><p>c"), [Boilerplate, Boilerplate, Text]);
    assert_eq!(roles("<main><div class=pager>a</main><p>b"), [Boilerplate, Text]);
}

#[test]
fn a_block_whose_text_is_that_of_links_is_one_of_links() {
    assert_eq!(roles("<li><a href=/a>The mill</a>"), [Link]);
    assert_eq!(roles("<li><a href=/a>The mill</a> (12)"), [Link]);
    assert_eq!(roles("<p><a href=/a>The mill</a> | <a href=/b>The ferry</a>"), [Link]);
    assert_eq!(roles("<a href=/a><h3>The mill</h3><p>by the ferry</a>"), [Link, Link]);
    assert_eq!(roles("<p>Whoever comes should see <a href=/a>the mill</a> first."), [Text]);
    assert_eq!(roles("<p><a name=x>The mill</a>"), [Text]);
}

#[test]
fn a_link_to_the_page_before_or_after_is_boilerplate() {
    assert_eq!(roles("<p><a rel=next href=/b>The ferry</a>"), [Boilerplate]);
    assert_eq!(roles("<p><a rel='nofollow PREV' href=/b>The ferry</a>"), [Boilerplate]);
    assert_eq!(roles("<p>What came of it, as <a rel=next href=/b>the next page</a> says, is another matter."), [Text]);
}

#[test]
fn an_aside_within_the_content_is_content_where_it_is_text() {
    assert_eq!(roles("<main><p>a<aside><p>The key is with the keeper.</aside>"), [Text, Text]);
    assert_eq!(
        roles("<main><p>a<aside><h2>More</h2><a href=/b>The old ferry</a></aside><p>b"),
        [Text, Boilerplate, Boilerplate, Text]
    );
}
