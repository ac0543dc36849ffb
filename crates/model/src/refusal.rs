//! The reasons why robots.txt keeps a URL from being fetched.

use mapwright_web::robots::RuleLine;

/// Why a task may not be fetched.
#[derive(Debug, Clone, PartialEq)]
pub enum Refusal {
    /// A rule of robots.txt forbids the URL; the line that decided.
    Rule(Option<RuleLine>),
    /// robots.txt answered with a status that forbids everything (429, 5xx).
    RobotsStatus(u16),
    /// The request for robots.txt got no response; the cause, as the fetcher names it.
    RobotsSilent(&'static str),
}
