//! Builds groups and rules from the tokenizer's lines.

use super::agent;
use super::index::RuleIndex;
use super::lines::Lines;
use super::pattern::Patterns;
use super::rule::Rule;
use super::{LineFlaw, MAX_FAULTS, MAX_SITEMAPS, RobotsFault, RuleLine, Ruling};
use robotstxt::RobotsParseHandler;
use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::sync::OnceLock;

/// The accepted forms of each key: the correct one, and the misspellings that Google's open-source parser accepts.
const USER_AGENT: &[&str] = &["user-agent", "useragent", "user agent"];
const ALLOW: &[&str] = &["allow"];
const DISALLOW: &[&str] = &["disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"];
pub(super) const SITEMAP: &[&str] = &["sitemap", "site-map"];
const CRAWL_DELAY: &str = "crawl-delay";
/// Records of other parties (RFC 9309 2.2.4): neither faults nor rules.
pub(super) const FOREIGN: &[&str] =
    &["host", "clean-param", "request-rate", "visit-time", "cache-delay", "content-signal", "content-usage"];

/// An agent named in the file.
#[derive(Debug, Default)]
pub(super) struct Agent {
    /// Its groups.
    groups: Vec<u32>,
    pub(super) crawl_delay: Option<f64>,
    /// Their rules, indexed on first use: few agents of a file are ever used.
    index: OnceLock<RuleIndex>,
}

/// The content of a file.
#[derive(Default)]
pub(super) struct Parsed {
    rules: Vec<Rule>,
    /// The ranges of the rules of each group.
    groups: Vec<Range<u32>>,
    agents: HashMap<String, Agent>,
    pub(super) sitemaps: Vec<String>,
    pub(super) faults: Vec<RobotsFault>,
    pub(super) looks_like_html: bool,
    pub(super) cut: bool,
}

/// Parses a file.
pub(super) fn parse(bytes: &[u8]) -> Parsed {
    let lines = Lines::of(bytes);
    let mut builder = Builder::new(&lines);
    robotstxt::parse_robotstxt(&lines.for_tokenizer(), &mut builder);
    let has_rules = !builder.parsed.rules.is_empty() || !builder.parsed.sitemaps.is_empty();
    Parsed { looks_like_html: lines.look_like_html(has_rules), cut: lines.cut, ..builder.parsed }
}

impl Parsed {
    pub(super) fn count(&self) -> usize {
        self.rules.len()
    }

    /// The agent entry that applies to `agent` (see [`agent::chosen`]).
    pub(super) fn agent_for(&self, agent: &str) -> Option<&Agent> {
        agent::chosen(&self.agents, agent)
    }

    /// The ruling of rule `number`.
    pub(super) fn ruling(&self, number: u32) -> Ruling {
        let rule = usize::try_from(number).ok().and_then(|number| self.rules.get(number));
        match rule {
            Some(rule) => Ruling {
                allowed: rule.allow,
                line: Some(RuleLine { number: rule.line, text: rule.text.as_ref().to_owned() }),
            },
            None => Ruling { allowed: true, line: None },
        }
    }
}

impl Agent {
    /// Its indexed rules.
    pub(super) fn rules(&self, parsed: &Parsed) -> &RuleIndex {
        self.index.get_or_init(|| {
            let groups = self.groups.iter().filter_map(|group| parsed.groups.get(usize::try_from(*group).ok()?));
            let numbers = groups.flat_map(Range::clone);
            RuleIndex::build(
                numbers.filter_map(|number| Some((number, parsed.rules.get(usize::try_from(number).ok()?)?))),
            )
        })
    }
}

impl fmt::Debug for Parsed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Robots({} agents, {} rules)", self.agents.len(), self.rules.len())
    }
}

/// Collects the tokenizer's results.
struct Builder<'l, 'a> {
    lines: &'l Lines<'a>,
    parsed: Parsed,
    /// The first line that is not yet handled.
    next_line: u32,
    /// No rule has followed the last `User-agent` line, so another one joins the group. Other lines do not end it (RFC
    /// 9309 2.2.4).
    gathering: bool,
    /// The names of the open group that the next crawl-delay applies to: those after the previous crawl-delay, if there
    /// was one.
    named: Vec<String>,
    /// The crawl-delay for these names, not yet assigned: once for all, whatever the number of lines.
    delay: Option<f64>,
}

impl<'l, 'a> Builder<'l, 'a> {
    fn new(lines: &'l Lines<'a>) -> Self {
        let (parsed, named) = (Parsed::default(), Vec::new());
        Builder { lines, parsed, next_line: 1, gathering: false, named, delay: None }
    }

    fn fault(&mut self, line: u32) {
        if self.parsed.faults.len() < MAX_FAULTS {
            self.parsed.faults.push(RobotsFault { line, text: self.lines.text(line), flaw: LineFlaw::NoRule });
        }
    }

    /// Advances to `line`: the tokenizer did not recognize the skipped ones. Returns true if the key of `line` is one
    /// of `keys`; the tokenizer only checks its beginning.
    fn reach(&mut self, line: u32, keys: &[&str]) -> bool {
        self.skip_to(line);
        self.next_line = line.saturating_add(1);
        let known = keys.contains(&self.lines.key(line).as_str());
        if !known {
            self.fault(line);
        }
        known
    }

    fn skip_to(&mut self, line: u32) {
        for passed in self.next_line..line {
            if !self.lines.is_blank(passed) {
                self.fault(passed);
            }
        }
    }

    fn open_group(&mut self) {
        if !self.gathering {
            let start = u32::try_from(self.parsed.rules.len()).unwrap_or(u32::MAX);
            self.parsed.groups.push(start..start);
        }
        if !self.gathering || self.delay.is_some() {
            self.hand_out_delay();
        }
        self.gathering = true;
    }

    /// Assigns the crawl-delay to its names.
    fn hand_out_delay(&mut self) {
        let delay = self.delay.take();
        for name in self.named.drain(..) {
            if let (Some(delay), Some(agent)) = (delay, self.parsed.agents.get_mut(&name)) {
                agent.crawl_delay = Some(longer(agent.crawl_delay, delay));
            }
        }
    }

    /// Reads the value from the line itself, because the tokenizer changes escapes.
    fn rule(&mut self, line: u32, allow: bool) {
        let Some(group) = self.parsed.groups.last_mut() else { return self.fault(line) };
        self.gathering = false;
        let value = self.lines.value_octets(line);
        if value.is_empty() {
            return;
        }
        let Some((patterns, octets)) = Patterns::read(value) else { return self.fault(line) };
        group.end += 1;
        let text = self.lines.text(line).into();
        self.parsed.rules.push(Rule { patterns, octets, allow, line, text });
    }

    fn crawl_delay(&mut self, line: u32, value: &str) {
        let plain = value.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        let seconds = value.parse::<f64>().ok().filter(|seconds| plain && seconds.is_finite());
        let (Some(seconds), false) = (seconds, self.parsed.groups.is_empty()) else { return self.fault(line) };
        self.delay = Some(longer(self.delay, seconds));
    }
}

fn longer(known: Option<f64>, seconds: f64) -> f64 {
    known.map_or(seconds, |known| known.max(seconds))
}

impl RobotsParseHandler for Builder<'_, '_> {
    fn handle_robots_start(&mut self) {}

    fn handle_robots_end(&mut self) {
        self.skip_to(self.lines.count().saturating_add(1));
        self.hand_out_delay();
    }

    fn handle_user_agent(&mut self, line: u32, value: &str) {
        if !self.reach(line, USER_AGENT) {
            return;
        }
        self.open_group();
        // A line without a valid name still opens a group, whose rules apply to no agent.
        let Some(name) = agent::named_by(value) else { return self.fault(line) };
        let group = u32::try_from(self.parsed.groups.len() - 1).unwrap_or(u32::MAX);
        let agent = self.parsed.agents.entry(name.clone()).or_default();
        if agent.groups.last() != Some(&group) {
            agent.groups.push(group);
        }
        self.named.push(name);
    }

    fn handle_allow(&mut self, line: u32, _in_ascii: &str) {
        if self.reach(line, ALLOW) {
            self.rule(line, true);
        }
    }

    fn handle_disallow(&mut self, line: u32, _in_ascii: &str) {
        if self.reach(line, DISALLOW) {
            self.rule(line, false);
        }
    }

    fn handle_sitemap(&mut self, line: u32, _in_ascii: &str) {
        if !self.reach(line, SITEMAP) {
            return;
        }
        let value = self.lines.value(line);
        if value.is_empty() {
            self.fault(line);
        } else if self.parsed.sitemaps.len() < MAX_SITEMAPS {
            self.parsed.sitemaps.push(value);
        }
    }

    fn handle_unknown_action(&mut self, line: u32, key: &str, value: &str) {
        let foreign = FOREIGN.iter().any(|known| key.eq_ignore_ascii_case(known));
        if foreign {
            self.skip_to(line);
            self.next_line = line.saturating_add(1);
        } else if self.reach(line, &[CRAWL_DELAY]) {
            self.crawl_delay(line, value);
        }
    }
}
