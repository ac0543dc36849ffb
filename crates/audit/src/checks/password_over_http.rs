//! Password forms that travel unencrypted.

use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::Site;

pub(super) static CHECKER: Checker = Checker::site(find, &[&PASSWORD_OVER_HTTP]);

static PASSWORD_OVER_HTTP: Check = Check {
    code: "password-over-http",
    title: "Password form over http",
    topic: Topic::Content,
    severity: Severity::Warning,
    reason: "The page has a password form and is served over http; anybody on the way can read or change it.",
    fix: "Serve the page over https, and redirect http to it.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::NONE,
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let forms =
        site.pages().filter(|(url, _, content)| content.markup.passwords > 0 && site.text(*url).starts_with("http://"));
    found.extend(forms.map(|(url, _, _)| Finding::of(&PASSWORD_OVER_HTTP, url)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    #[test]
    fn a_password_field_over_http_is_reported_and_a_text_field_is_not() {
        let form = |kind: &str| format!("<title>{kind}</title><form><input type={kind} name=p></form>");
        let site = builder()
            .page("/login", &form("password"))
            .page("/box", &format!("<title>box</title><header>{}</header>", form("password")))
            .page("/search", &form("text"))
            .page("https://example.com/login", &form("password"))
            .site();
        assert_eq!(site.run_check(find).of("password-over-http"), ["/box", "/login"]);
    }
}
