//! What became of the start URLs.

use crate::error::StoreError;
use crate::record::Record;
use mapwright_engine::Outcome;
use rusqlite::OptionalExtension;

/// The last word on a start URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartFate {
    /// The start URL.
    pub url: String,
    /// What became of it.
    pub outcome: Option<Outcome>,
    /// The status it answered with.
    pub status: Option<u16>,
    /// Why there was no answer.
    pub failure: Option<String>,
    /// The same in words.
    pub detail: Option<String>,
    /// Where it redirects to.
    pub target: Option<String>,
    /// The line of robots.txt that disallows it.
    pub robots_rule: Option<String>,
    /// The status that robots.txt answered with, where that forbids all.
    pub robots_status: Option<u16>,
}

impl StartFate {
    /// One sentence.
    #[must_use]
    pub fn in_words(&self) -> String {
        let detail = || self.detail.clone().or_else(|| self.failure.clone()).unwrap_or_else(|| "no cause known".into());
        match (self.outcome, &self.target, self.status) {
            (None, ..) => "was not fetched".to_owned(),
            (Some(Outcome::Redirect), Some(target), _) => format!("redirects to another site, {target}"),
            (Some(Outcome::Refused), ..) => match (self.robots_status, &self.robots_rule) {
                (Some(status), _) => format!("not fetched: robots.txt answered {status}, which forbids everything"),
                (None, Some(rule)) => format!("disallowed by robots.txt ({rule})"),
                (None, None) => "disallowed by robots.txt".to_owned(),
            },
            (Some(Outcome::NoAnswer | Outcome::Guarded | Outcome::Broken | Outcome::Failed), ..) => {
                format!("no answer: {}", detail())
            }
            (Some(_), _, Some(status)) => format!("answered {status}"),
            (Some(outcome), ..) => outcome.as_str().to_owned(),
        }
    }
}

impl StartFate {
    /// What to do about it.
    #[must_use]
    pub fn remedy(&self) -> &'static str {
        match (self.outcome, self.failure.as_deref()) {
            (_, Some("dns")) => "check the host's name",
            (_, Some("refused" | "unreachable")) => "check the host and port, and that the server is running",
            (_, Some("tls")) if self.detail.as_deref().is_some_and(|detail| detail.contains("CaUsedAsEndEntity")) => {
                "an authority's certificate is no server's: give the server one that is not marked as an authority's \
                 (basicConstraints CA:FALSE), which --ca-cert then trusts; --insecure trusts any"
            }
            (_, Some("tls")) => {
                "check the certificate, and that the site is not http://; --ca-cert trusts one, --insecure trusts any"
            }
            (_, Some("timed-out")) => "check that the server answers; --timeout waits longer",
            (Some(Outcome::Guarded), _) => "--allow-address permits the address",
            (Some(Outcome::Refused), _) => "ask the site's owner; on a site of your own, --ignore-robots",
            (Some(Outcome::Redirect), _) => "start from where it leads",
            (Some(Outcome::Throttled), _) => "crawl more slowly, or later",
            _ => "check the URL",
        }
    }
}

impl Record {
    /// The last word on the start URLs of the newest run (where there were none, on the URLs of the list): the first
    /// twenty.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn start_fates(&self) -> Result<Vec<StartFate>, StoreError> {
        let mut select = self.connection.prepare(
            "SELECT u.text, v.outcome, v.status, v.failure, v.detail, t.text, v.robots_rule, v.robots_status
             FROM found f JOIN url u ON u.id = f.url
             LEFT JOIN visit v ON v.run = f.run AND v.url = f.url AND v.last = 1 AND v.purpose = 0
             LEFT JOIN url t ON t.id = v.target
             WHERE f.run = ?1 AND f.via = (SELECT min(via) FROM found WHERE run = ?1 AND via IN (0, 1))
             ORDER BY f.url LIMIT 20",
        )?;
        let mut fates = select
            .query_map([self.run], |row| {
                Ok(StartFate {
                    url: row.get(0)?,
                    outcome: row.get::<_, Option<usize>>(1)?.and_then(|code| Outcome::ALL.get(code).copied()),
                    status: row.get(2)?,
                    failure: row.get(3)?,
                    detail: row.get(4)?,
                    target: row.get(5)?,
                    robots_rule: row.get(6)?,
                    robots_status: row.get(7)?,
                })
            })?
            .collect::<Result<Vec<_>, _>>()?;
        let robots = self.robots_failure()?;
        for fate in fates.iter_mut().filter(|fate| fate.detail.is_none() && fate.failure.is_some()) {
            fate.detail.clone_from(&robots);
        }
        Ok(fates)
    }

    /// Why a robots file got no answer, which is then why its pages got none.
    fn robots_failure(&self) -> Result<Option<String>, StoreError> {
        let select = "SELECT detail FROM visit WHERE run = ? AND purpose = 1 AND detail IS NOT NULL ORDER BY seq DESC";
        Ok(self.connection.query_row(select, [self.run], |row| row.get(0)).optional()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_certificate_of_an_authority_is_told_from_one_that_nobody_trusts() {
        let fate = |detail: &str| StartFate {
            url: String::new(),
            outcome: Some(Outcome::NoAnswer),
            status: None,
            failure: Some("tls".to_owned()),
            detail: Some(detail.to_owned()),
            target: None,
            robots_rule: None,
            robots_status: None,
        };
        let of_authority = fate("invalid peer certificate: Other(OtherError(CaUsedAsEndEntity))").remedy();
        assert!(of_authority.contains("CA:FALSE"), "{of_authority}");
        assert!(!fate("invalid peer certificate: UnknownIssuer").remedy().contains("CA:FALSE"));
    }
}
