//! URLs that give no answer, by the cause.

use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::{NodeStatus, Site};
use mapwright_model::FailureKind;

pub(super) static CHECKER: Checker = Checker::site(
    find,
    &[&NO_ANSWER, &NO_ANSWER_DNS, &NO_ANSWER_TLS, &NO_ANSWER_REFUSED, &NO_ANSWER_RESET, &NO_ANSWER_TIMEOUT],
);

static NO_ANSWER: Check = Check {
    code: "no-answer",
    title: "No valid response",
    topic: Topic::Responses,
    severity: Severity::Error,
    reason: "The URL gives no valid HTTP answer, also on a second try.",
    fix: "See what the server sends; the evidence says what went wrong.",
    needs: RequiredCoverage::Answer,
    attributes: Attributes { is_broken: true, ..Attributes::NONE },
};

static NO_ANSWER_DNS: Check = Check {
    code: "no-answer-dns",
    title: "Host name does not resolve",
    topic: Topic::Responses,
    severity: Severity::Error,
    reason: "The host's name does not resolve.",
    fix: "Correct the name in the links, or its entry in the DNS.",
    needs: RequiredCoverage::Answer,
    attributes: Attributes { is_broken: true, ..Attributes::NONE },
};

static NO_ANSWER_TLS: Check = Check {
    code: "no-answer-tls",
    title: "TLS or certificate failure",
    topic: Topic::Responses,
    severity: Severity::Error,
    reason: "The TLS handshake or the certificate fails.",
    fix: "Renew or correct the certificate, or the links' scheme and host.",
    needs: RequiredCoverage::Answer,
    attributes: Attributes { is_broken: true, ..Attributes::NONE },
};

static NO_ANSWER_REFUSED: Check = Check {
    code: "no-answer-refused",
    title: "Connection refused",
    topic: Topic::Responses,
    severity: Severity::Error,
    reason: "The connection is refused.",
    fix: "Start the server, or correct host and port in the links.",
    needs: RequiredCoverage::Answer,
    attributes: Attributes { is_broken: true, ..Attributes::NONE },
};

static NO_ANSWER_RESET: Check = Check {
    code: "no-answer-reset",
    title: "Connection reset",
    topic: Topic::Responses,
    severity: Severity::Error,
    reason: "The connection is reset or closed before an answer.",
    fix: "Look into the server's log for why it hangs up.",
    needs: RequiredCoverage::Answer,
    attributes: Attributes { is_broken: true, ..Attributes::NONE },
};

static NO_ANSWER_TIMEOUT: Check = Check {
    code: "no-answer-timeout",
    title: "Timeout",
    topic: Topic::Responses,
    severity: Severity::Error,
    reason: "The URL gives no answer within the time allowed.",
    fix: "Find out what the server waits for; --timeout allows more time.",
    needs: RequiredCoverage::Answer,
    attributes: Attributes { is_broken: true, ..Attributes::NONE },
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, node) in site.nodes() {
        let NodeStatus::NoAnswer(kind) = node.fetch_status else { continue };
        let detail = site.details.get(&url).map_or_else(|| kind.to_string(), Clone::clone);
        found.push(Finding::of(check(kind), url).says(format!("No answer: {detail}.")));
    }
}

/// Returns the check for a cause.
pub(super) fn check(kind: FailureKind) -> &'static Check {
    match kind {
        FailureKind::Dns => &NO_ANSWER_DNS,
        FailureKind::Tls => &NO_ANSWER_TLS,
        FailureKind::Refused => &NO_ANSWER_REFUSED,
        FailureKind::Reset => &NO_ANSWER_RESET,
        FailureKind::TimedOut => &NO_ANSWER_TIMEOUT,
        FailureKind::Protocol
        | FailureKind::Guarded
        | FailureKind::Unreachable
        | FailureKind::ProxyFailed
        | FailureKind::Internal => &NO_ANSWER,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    #[test]
    fn each_cause_has_its_code() {
        let causes = [
            (FailureKind::Dns, "no-answer-dns"),
            (FailureKind::Tls, "no-answer-tls"),
            (FailureKind::Refused, "no-answer-refused"),
            (FailureKind::Reset, "no-answer-reset"),
            (FailureKind::TimedOut, "no-answer-timeout"),
            (FailureKind::Protocol, "no-answer"),
            (FailureKind::Unreachable, "no-answer"),
        ];
        for (kind, code) in causes {
            let site = builder().links("/", &["/a"]).silent("/a", kind).site();
            let found = site.run_check(find);
            assert_eq!(found.of(code), ["/a"], "{kind}");
            assert_eq!(found.message(code), format!("No answer: {kind}."));
        }
    }

    #[test]
    fn an_internal_failure_is_no_finding() {
        let site = builder().links("/", &["/a"]).silent("/a", FailureKind::Internal).site();
        assert!(site.run_check(find).is_nothing());
    }

    #[test]
    fn any_answer_is_an_answer() {
        let site =
            builder().status("/oops", 500).broken("/broken").throttled("/busy", 503).links("/", &["/gone"]).site();
        assert!(site.run_check(find).is_nothing());
    }
}
