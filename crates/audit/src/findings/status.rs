//! Errors, refusals and unusual statuses. The crawl confirmed the errors by a retry; throttling is not an error.

use crate::code::Code;
use crate::finding::Finding;
use crate::site::{FetchStatus, Site};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, node) in site.nodes() {
        let code = match (node.fetch_status, node.status) {
            (FetchStatus::Broken, _) => Code::BrokenAnswer,
            (FetchStatus::Status, 401 | 403) => Code::Auth,
            (FetchStatus::Status, 429) => continue,
            (FetchStatus::Status, 400..=499) => Code::Http4xx,
            (FetchStatus::Status, 500..=599) => Code::Http5xx,
            (FetchStatus::Status, _) => Code::OddAnswer,
            _ => continue,
        };
        let message = match (node.fetch_status, site.details.get(&url)) {
            (FetchStatus::Broken, Some(detail)) => format!("The answer cannot be read: {detail}."),
            (FetchStatus::Broken, None) => "The answer broke off.".to_owned(),
            _ => format!("The URL answers {}.", node.status),
        };
        found.push(Finding::of(code, url).says(message));
    }
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
        assert_eq!(found.message(Code::Http5xx), "The URL answers 500.");
    }

    #[test]
    fn throttling_and_no_answer_are_no_statuses() {
        let site = builder()
            .throttled("/busy", 429)
            .throttled("/later", 503)
            .silent("/dead", mapwright_fetch::FailureKind::Reset)
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
