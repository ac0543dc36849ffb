//! URLs of the site in the page.

use mapwright_text::{escaped, visible};
use std::borrow::Cow;

/// Renders a URL: linked only if it is an http or https URL that shows as it is, and isolated so that it cannot reorder
/// the text beside it.
pub(super) fn link(url: &str) -> String {
    let text = escaped(url);
    let is_page = url.starts_with("http://") || url.starts_with("https://");
    if is_page && matches!(visible(url), Cow::Borrowed(_)) {
        format!("<a href=\"{text}\" rel=\"noreferrer noopener nofollow\"><bdi class=\"url\">{text}</bdi></a>")
    } else {
        format!("<bdi class=\"url\">{text}</bdi>")
    }
}

#[cfg(test)]
mod tests {
    use super::link;

    #[test]
    fn only_web_pages_are_linked() {
        assert!(
            link("https://a.test/?x=\"><script>&y")
                .starts_with("<a href=\"https://a.test/?x=&quot;&gt;&lt;script&gt;&amp;y\" rel=")
        );
        for url in ["javascript:alert(1)", "data:text/html,x", " https://a.test/", "https://a.test/\u{202e}", "HTTP:x"]
        {
            assert!(!link(url).contains("<a "), "{url}");
        }
    }
}
