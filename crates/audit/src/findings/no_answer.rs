//! URLs that give no answer, by the cause.

use crate::code::Code;
use crate::finding::Finding;
use crate::site::{Fate, Site};
use mapwright_fetch::FailureKind;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, node) in site.nodes() {
        let Fate::NoAnswer(kind) = node.fate else { continue };
        let detail = site.details.get(&url).map_or_else(|| kind.to_string(), Clone::clone);
        found.push(Finding::of(code(kind), url).says(format!("No answer: {detail}.")));
    }
}

/// The code of a cause.
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
    use crate::site::made::made;

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
            let site = made().links("/", &["/a"]).silent("/a", kind).site();
            let told = site.told(find);
            assert_eq!(told.of(code), ["/a"], "{kind}");
            assert_eq!(told.message(code), format!("No answer: {kind}."));
        }
    }

    #[test]
    fn a_failing_on_our_side_is_no_finding() {
        let site = made().links("/", &["/a"]).silent("/a", FailureKind::Internal).site();
        assert!(site.told(find).is_nothing());
    }

    #[test]
    fn an_answer_of_whatever_sort_is_an_answer() {
        let site = made().status("/oops", 500).broken("/broken").throttled("/busy", 503).links("/", &["/gone"]).site();
        assert!(site.told(find).is_nothing());
    }
}
