//! The fingerprint by which a finding is recognised from run to run.

use crate::rendered_finding::RenderedFinding;

/// Returns FNV-1a over code and subject, in hexadecimal: short, and the same on every machine and in every version.
pub(crate) fn fingerprint(item: &RenderedFinding) -> String {
    let bytes = item.check.code.bytes().chain([0]).chain(item.subject.name().bytes());
    let hash =
        bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::fingerprint;
    use crate::rendered_finding::Subject;
    use crate::report::sample::item;

    #[test]
    fn it_never_changes_and_distinguishes_findings() {
        let of = |code: &str, url: &str| fingerprint(&item(code, Subject::Url(url.to_owned())));
        assert_eq!(of("slow", "http://a.test/"), "c1ab940d2a2d58e0");
        assert_ne!(of("slow", "http://a.test/"), of("slow", "http://a.test/b"));
        assert_ne!(of("slow", "http://a.test/"), of("deep", "http://a.test/"));
    }
}
