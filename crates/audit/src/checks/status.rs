//! Errors, refusals and unusual statuses. The crawl confirmed the errors by a retry; throttling is not an error.

use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::{NodeStatus, Site};

pub(super) static CHECKER: Checker = Checker::site(find, &[&HTTP_4XX, &HTTP_5XX, &BROKEN_ANSWER, &ODD_ANSWER, &AUTH]);

static HTTP_4XX: Check = Check {
    code: "http-4xx",
    title: "Client error (4xx)",
    topic: Topic::Responses,
    severity: Severity::Error,
    reason: "The URL answers with a client error (4xx), such as 404 Not Found.",
    fix: "Correct or remove the links to it, bring the page back, or redirect it to its successor; with another status than 404 or 410, see why the server refuses the request.",
    needs: RequiredCoverage::Page,
    attributes: Attributes { is_broken: true, ..Attributes::NONE },
};

static HTTP_5XX: Check = Check {
    code: "http-5xx",
    title: "Server error (5xx)",
    topic: Topic::Responses,
    severity: Severity::Error,
    reason: "The URL answers with a server error, also on a second try.",
    fix: "Look into the server's log for the cause.",
    needs: RequiredCoverage::Status,
    attributes: Attributes { is_broken: true, ..Attributes::NONE },
};

static BROKEN_ANSWER: Check = Check {
    code: "broken-answer",
    title: "Response breaks off",
    topic: Topic::Responses,
    severity: Severity::Error,
    reason: "The answer breaks off, or cannot be decoded.",
    fix: "See that the server sends complete bodies, encoded as their header says.",
    needs: RequiredCoverage::Answer,
    attributes: Attributes { is_broken: true, ..Attributes::NONE },
};

static ODD_ANSWER: Check = Check {
    code: "odd-answer",
    title: "Unusual status",
    topic: Topic::Responses,
    severity: Severity::Warning,
    reason: "The URL answers with a status that is neither a page nor an error, such as a redirect without a target.",
    fix: "Answer with 200 and the page, or with a redirect that names its target.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::NONE,
};

static AUTH: Check = Check {
    code: "auth",
    title: "Login required or access refused",
    topic: Topic::Responses,
    severity: Severity::Warning,
    reason: "The URL wants a login or refuses access (401, 403).",
    fix: "Link to it only where visitors have access, or let them in.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::NONE,
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, node) in site.nodes() {
        let check = match (node.fetch_status, node.status) {
            (NodeStatus::Broken, _) => &BROKEN_ANSWER,
            (NodeStatus::Status, 401 | 403) => &AUTH,
            (NodeStatus::Status, 429) => continue,
            (NodeStatus::Status, 400..=499) => &HTTP_4XX,
            (NodeStatus::Status, 500..=599) => &HTTP_5XX,
            (NodeStatus::Status, _) => &ODD_ANSWER,
            _ => continue,
        };
        let message = match (node.fetch_status, site.details.get(&url)) {
            (NodeStatus::Broken, Some(detail)) => format!("The answer cannot be read: {detail}."),
            (NodeStatus::Broken, None) => "The answer broke off.".to_owned(),
            _ => answers(node.status),
        };
        found.push(Finding::of(check, url).says(message));
    }
}

/// Returns the message about a status, with its name (RFC 9110, section 15; RFC 6585; RFC 7725) and, for the errors,
/// its meaning.
fn answers(status: u16) -> String {
    let (name, meaning) = match status {
        400 => (" Bad Request", ""),
        401 => (" Unauthorized", ": it wants a login"),
        403 => (" Forbidden", ": the server refuses access"),
        404 => (" Not Found", ": there is no such page"),
        405 => (" Method Not Allowed", ""),
        406 => (" Not Acceptable", ""),
        407 => (" Proxy Authentication Required", ""),
        408 => (" Request Timeout", ""),
        409 => (" Conflict", ""),
        410 => (" Gone", ": the page was removed for good"),
        414 => (" URI Too Long", ""),
        421 => (" Misdirected Request", ""),
        422 => (" Unprocessable Content", ""),
        426 => (" Upgrade Required", ""),
        431 => (" Request Header Fields Too Large", ""),
        451 => (" Unavailable For Legal Reasons", ""),
        500 => (" Internal Server Error", ": the server failed"),
        501 => (" Not Implemented", ""),
        502 => (" Bad Gateway", ": the server behind the gateway failed"),
        503 => (" Service Unavailable", ": the server failed"),
        504 => (" Gateway Timeout", ": the server behind the gateway did not answer"),
        505..=599 => ("", ": the server failed"),
        _ => ("", ""),
    };
    format!("The URL answers {status}{name}{meaning}.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    #[test]
    fn statuses_are_reported_by_kind() {
        let statuses = [200, 204, 300, 304, 400, 401, 403, 404, 407, 410, 429, 451, 499, 500, 503, 599, 600];
        let builder =
            statuses[1..].iter().fold(builder(), |builder, status| builder.status(&format!("/{status}"), *status));
        let site = builder.links("/200", &[]).file("/file").redirect("/moved", "/").site();
        let found = site.run_check(find);
        assert_eq!(found.of("http-4xx"), ["/400", "/404", "/407", "/410", "/451", "/499"]);
        assert_eq!(found.of("http-5xx"), ["/500", "/503", "/599"]);
        assert_eq!(found.of("auth"), ["/401", "/403"]);
        assert_eq!(found.of("odd-answer"), ["/204", "/300", "/304", "/600"]);
        assert_eq!(found.message("http-5xx"), "The URL answers 500 Internal Server Error: the server failed.");
    }

    #[test]
    fn a_message_speaks_of_what_its_status_means() {
        let of = |statuses: &[u16]| statuses.iter().map(|status| answers(*status) + "\n").collect::<String>();
        insta::assert_snapshot!(of(&[204, 400, 401, 403, 404, 410, 418, 451, 500, 503, 504, 599]));
    }

    #[test]
    fn throttling_and_no_answer_are_no_statuses() {
        let site = builder()
            .throttled("/busy", 429)
            .throttled("/later", 503)
            .silent("/dead", mapwright_model::FailureKind::Reset)
            .page("/talk", "<title>500 Internal Server Error explained</title>")
            .site();
        assert!(site.run_check(find).is_nothing());
    }

    #[test]
    fn an_incomplete_response_is_broken_with_any_status() {
        let site = builder().broken("/broken").site();
        let found = site.run_check(find);
        assert_eq!(found.of("broken-answer"), ["/broken"]);
        assert_eq!(found.message("broken-answer"), "The answer broke off.");
    }
}
