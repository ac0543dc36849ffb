//! URLs that give no answer, by the cause.

use crate::code::Code;
use crate::finding::Finding;
use crate::site::{NodeStatus, Site};
use mapwright_model::FailureKind;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, node) in site.nodes() {
        let NodeStatus::NoAnswer(kind) = node.fetch_status else { continue };
        let detail = site.details.get(&url).map_or_else(|| kind.to_string(), Clone::clone);
        found.push(Finding::of(code(kind), url).says(format!("No answer: {detail}.")));
    }
}

/// Returns the code for a cause.
pub(super) fn code(kind: FailureKind) -> Code {
    match kind {
        FailureKind::Dns => Code::NoAnswerDns,
        FailureKind::Tls => Code::NoAnswerTls,
        FailureKind::Refused => Code::NoAnswerRefused,
        FailureKind::Reset => Code::NoAnswerReset,
        FailureKind::TimedOut => Code::NoAnswerTimeout,
        FailureKind::Protocol
        | FailureKind::Guarded
        | FailureKind::Unreachable
        | FailureKind::ProxyFailed
        | FailureKind::Internal => Code::NoAnswer,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    #[test]
    fn each_cause_has_its_code() {
        let causes = [
            (FailureKind::Dns, Code::NoAnswerDns),
            (FailureKind::Tls, Code::NoAnswerTls),
            (FailureKind::Refused, Code::NoAnswerRefused),
            (FailureKind::Reset, Code::NoAnswerReset),
            (FailureKind::TimedOut, Code::NoAnswerTimeout),
            (FailureKind::Protocol, Code::NoAnswer),
            (FailureKind::Unreachable, Code::NoAnswer),
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
