//! Errors, refusals and odd answers. A second try confirmed the errors; throttling is none.

use crate::code::Code;
use crate::finding::Finding;
use crate::site::{Fate, Site};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, node) in site.nodes() {
        let code = match (node.fate, node.status) {
            (Fate::Broken, _) => Code::BrokenAnswer,
            (Fate::Status, 401 | 403) => Code::Auth,
            (Fate::Status, 429) => continue,
            (Fate::Status, 400..=499) => Code::Http4xx,
            (Fate::Status, 500..=599) => Code::Http5xx,
            (Fate::Status, _) => Code::OddAnswer,
            _ => continue,
        };
        let message = match (node.fate, site.details.get(&url)) {
            (Fate::Broken, Some(detail)) => format!("The answer cannot be read: {detail}."),
            (Fate::Broken, None) => "The answer broke off.".to_owned(),
            _ => format!("The URL answers {}.", node.status),
        };
        found.push(Finding::of(code, url).says(message));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::made::made;

    #[test]
    fn statuses_are_told_by_kind() {
        let statuses = [200, 204, 300, 304, 400, 401, 403, 404, 407, 410, 429, 451, 499, 500, 503, 599, 600];
        let made = statuses[1..].iter().fold(made(), |made, status| made.status(&format!("/{status}"), *status));
        let site = made.links("/200", &[]).file("/file").redirect("/moved", "/").site();
        let told = site.told(find);
        assert_eq!(told.of(Code::Http4xx), ["/400", "/404", "/407", "/410", "/451", "/499"]);
        assert_eq!(told.of(Code::Http5xx), ["/500", "/503", "/599"]);
        assert_eq!(told.of(Code::Auth), ["/401", "/403"]);
        assert_eq!(told.of(Code::OddAnswer), ["/204", "/300", "/304", "/600"]);
        assert_eq!(told.message(Code::Http5xx), "The URL answers 500.");
    }

    #[test]
    fn throttling_and_silence_are_no_statuses_and_a_page_may_talk_of_them() {
        let site = made()
            .throttled("/busy", 429)
            .throttled("/later", 503)
            .silent("/dead", mapwright_fetch::FailureKind::Reset)
            .page("/talk", "<title>500 Internal Server Error explained</title>")
            .site();
        assert!(site.told(find).is_nothing());
    }

    #[test]
    fn an_answer_that_breaks_off_is_broken_whatever_its_status() {
        let site = made().broken("/broken").site();
        let told = site.told(find);
        assert_eq!(told.of(Code::BrokenAnswer), ["/broken"]);
        assert_eq!(told.message(Code::BrokenAnswer), "The answer broke off.");
    }
}
