//! Errors, refusals and unusual statuses. The crawl confirmed the errors by a retry; throttling is not an error.

use crate::code::Code;
use crate::finding::Finding;
use crate::site::{NodeStatus, Site};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, node) in site.nodes() {
        let code = match (node.fetch_status, node.status) {
            (NodeStatus::Broken, _) => Code::BrokenAnswer,
            (NodeStatus::Status, 401 | 403) => Code::Auth,
            (NodeStatus::Status, 429) => continue,
            (NodeStatus::Status, 400..=499) => Code::Http4xx,
            (NodeStatus::Status, 500..=599) => Code::Http5xx,
            (NodeStatus::Status, _) => Code::OddAnswer,
            _ => continue,
        };
        let message = match (node.fetch_status, site.details.get(&url)) {
            (NodeStatus::Broken, Some(detail)) => format!("The answer cannot be read: {detail}."),
            (NodeStatus::Broken, None) => "The answer broke off.".to_owned(),
            _ => answers(node.status),
        };
        found.push(Finding::of(code, url).says(message));
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
        assert_eq!(found.of(Code::Http4xx), ["/400", "/404", "/407", "/410", "/451", "/499"]);
        assert_eq!(found.of(Code::Http5xx), ["/500", "/503", "/599"]);
        assert_eq!(found.of(Code::Auth), ["/401", "/403"]);
        assert_eq!(found.of(Code::OddAnswer), ["/204", "/300", "/304", "/600"]);
        assert_eq!(found.message(Code::Http5xx), "The URL answers 500 Internal Server Error: the server failed.");
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
        assert_eq!(found.of(Code::BrokenAnswer), ["/broken"]);
        assert_eq!(found.message(Code::BrokenAnswer), "The answer broke off.");
    }
}
