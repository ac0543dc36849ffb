//! Links that work on the author's own computer or network alone.

use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::{NodeStatus, Site};
use mapwright_model::Unfetched;
use mapwright_text::counted;
use std::net::IpAddr;
use url::{Host, Url};

pub(super) static CHECKER: Checker = Checker::site(find, &[&LINK_LOCAL, &LINK_FILE]);

static LINK_LOCAL: Check = Check {
    code: "link-local",
    title: "Link to a local address",
    topic: Topic::External,
    severity: Severity::Error,
    reason: "Pages link to an address that only the author's computer or network reaches.",
    fix: "Link to the public URL.",
    needs: RequiredCoverage::Site,
    attributes: Attributes::NONE,
};

static LINK_FILE: Check = Check {
    code: "link-file",
    title: "Link to a file of a computer",
    topic: Topic::External,
    severity: Severity::Error,
    reason: "The page links to files of the author's own computer (file:).",
    fix: "Put the files on the site, and link to them there.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::NONE,
};

/// The reach of a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// Everybody.
    Public,
    /// The computer itself, by the name `localhost`.
    Localhost,
    /// The computer itself, by its address.
    Loopback,
    /// The network that it is in.
    Network,
}

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, _, content) in site.pages().filter(|(_, _, content)| content.markup.file_links > 0) {
        let message = format!("It has {} to `file:` URLs.", counted(u64::from(content.markup.file_links), "link"));
        found.push(Finding::of(&LINK_FILE, url).says(message));
    }
    let start = site.starts.first().and_then(|start| Url::parse(site.text(*start)).ok());
    let home = start.as_ref().map_or(Reach::Public, reach);
    let others = site.nodes().filter(|(_, node)| node.fetch_status == NodeStatus::Refused(Unfetched::OutOfScope));
    for (url, _) in others {
        let Ok(target) = Url::parse(site.text(url)) else { continue };
        let is_local = match reach(&target) {
            Reach::Public => false,
            // A site that is itself tried on a computer or in a network links to its neighbours.
            Reach::Loopback => !matches!(home, Reach::Loopback | Reach::Localhost),
            reach => reach != home,
        };
        if is_local && site.inlinks(url).clicked() > 0 {
            found.push(Finding::of(&LINK_LOCAL, url));
        }
    }
}

fn reach(url: &Url) -> Reach {
    let address = match url.host() {
        Some(Host::Domain(name)) if name == "localhost" || name.ends_with(".localhost") => return Reach::Localhost,
        Some(Host::Ipv4(address)) => IpAddr::V4(address),
        Some(Host::Ipv6(address)) => address.to_canonical(),
        _ => return Reach::Public,
    };
    let is_of_network = match address {
        IpAddr::V4(address) => address.is_private() || address.is_link_local(),
        IpAddr::V6(address) => address.is_unique_local() || address.is_unicast_link_local(),
    };
    if address.is_loopback() {
        Reach::Loopback
    } else if is_of_network {
        Reach::Network
    } else {
        Reach::Public
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::{SiteBuilder, builder};

    #[test]
    fn links_to_a_computer_or_its_network_are_reported() {
        let local = ["http://localhost:3000/a", "http://127.0.0.1/b", "http://192.168.1.5/c", "http://[fd00::1]/d"];
        let public = ["http://other.example/e", "http://8.8.8.8/f", "http://localhost.example/g"];
        let targets: Vec<&str> = local.iter().chain(&public).copied().collect();
        let builder = builder().links("/", &targets);
        let refuse = |builder, url: &&str| SiteBuilder::refused(builder, url, Unfetched::OutOfScope, "/");
        let site = targets.iter().fold(builder, refuse).site();
        let mut expected: Vec<String> = local.iter().map(ToString::to_string).collect();
        expected.sort();
        assert_eq!(site.run_check(find).of("link-local"), expected);
    }

    #[test]
    fn a_site_on_a_computer_may_link_to_its_neighbours() {
        let found = |start: &str, target: &str| {
            let site =
                builder().start(start).links(start, &[target]).refused(target, Unfetched::OutOfScope, start).site();
            !site.run_check(find).is_nothing()
        };
        assert!(!found("http://127.0.0.1:8000/", "http://127.0.0.2:9000/"));
        assert!(found("http://127.0.0.1:8000/", "http://localhost:3000/"));
        assert!(!found("http://localhost:8000/", "http://localhost:3000/"));
        assert!(!found("http://10.0.0.1/", "http://192.168.1.5/"));
        assert!(found("http://127.0.0.1:8000/", "http://192.168.1.5/"));
    }

    #[test]
    fn links_to_files_are_counted() {
        let site = builder()
            .page("/notes", "<title>a</title><a href='file:///C:/notes.txt'>1</a> <a href=FILE:///home/a>2</a>")
            .page("/word", "<title>b</title><a href='/file:name'>1</a> file:///C:/notes.txt")
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("link-file"), ["/notes"]);
        assert_eq!(found.message("link-file"), "It has 2 links to `file:` URLs.");
    }
}
