//! Well-formed and malformed XML, names and namespaces included.

#![allow(clippy::unwrap_used, reason = "a helper of tests may fail the test")]

use jiff::Timestamp;
use mapwright_sitemap::{CheckRule, DocumentContext, check};

const NS: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";
const ENTRY: &str = "<url><loc>https://e.com/a</loc></url>";

fn rules(text: &str) -> Vec<CheckRule> {
    check(text.as_bytes(), &DocumentContext::default(), Timestamp::UNIX_EPOCH)
        .faults
        .iter()
        .map(|fault| fault.rule)
        .collect()
}

#[track_caller]
fn assert_breaks(text: &str, rule: CheckRule) {
    assert!(rules(text).contains(&rule), "{rule} in {text:?}: {:?}", rules(text));
}

/// A sitemap with this markup beside its entry.
fn within(markup: &str) -> String {
    format!("<urlset xmlns=\"{NS}\" xmlns:x=\"urn:x\">{ENTRY}{markup}</urlset>")
}

/// A sitemap with this prolog.
fn before(prolog: &str) -> String {
    format!("{prolog}{}", within(""))
}

#[test]
fn the_declaration_comes_first_and_keeps_its_form() {
    for good in ["<?xml version='1.0'?>\n", "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\" ?>", ""] {
        assert_eq!(rules(&before(good)), [], "{good}");
    }
    for bad in [
        "<?xml?>",
        "<?xml encoding='UTF-8'?>",
        "<?xml version=1.0?>",
        "<?xml version='1.0'encoding='UTF-8'?>",
        "<?xml version='1.0' standalone='maybe'?>",
        "<?XML version='1.0'?>",
        "<?xml version='1.0'?><?xml version='1.0'?>",
        " <?xml version='1.0'?>",
    ] {
        assert_breaks(&before(bad), CheckRule::NotWellFormed);
    }
}

#[test]
fn outside_the_root_stand_comments_instructions_and_blanks_alone() {
    assert_eq!(rules(&format!("{} <!-- x --> <?p q?>\n", before("<!-- x --><?xml-stylesheet href='s.xsl'?>\r\n"))), []);
    for stray in ["&amp;", "&#32;", "<![CDATA[ ]]>", "\u{85}", "\u{A0}", "x"] {
        assert_breaks(&before(stray), CheckRule::NotWellFormed);
        assert_breaks(&format!("{}{stray}", before("")), CheckRule::NotWellFormed);
    }
    assert_breaks(&before("\u{FEFF}\u{FEFF}"), CheckRule::NotWellFormed);
}

#[test]
fn a_doctype_stands_once_and_before_the_root() {
    assert_eq!(rules(&before("<!DOCTYPE urlset>")), [CheckRule::Doctype]);
    assert_breaks(&within("<!DOCTYPE x>"), CheckRule::NotWellFormed);
    assert_breaks(&format!("{}<!DOCTYPE x>", before("")), CheckRule::NotWellFormed);
    assert_breaks(&before("<!DOCTYPE x><!DOCTYPE y>"), CheckRule::NotWellFormed);
}

#[test]
fn names_are_names() {
    for good in ["<x:a1-.b/>", "<x:\u{e9}/>", "<x:a \u{e9}='1'/>", "<?xmlfoo x?>"] {
        assert_eq!(rules(&within(good)), [], "{good}");
    }
    for bad in [
        "<x:a$b/>",
        "<x:a:b/>",
        "<x:/>",
        "<x:-a/>",
        "<x:\u{d7}a/>",
        "<x:a b$='1'/>",
        "<? php?>",
        "<?xMl x?>",
        "<?a:b?>",
    ] {
        assert_breaks(&within(bad), CheckRule::NotWellFormed);
    }
}

#[test]
fn attributes_are_parted_by_blanks_and_each_there_once() {
    assert_eq!(rules(&within("<x:f a = \"1\"\n b='\"2\"' x:a='3'/>")), []);
    for bad in
        ["<x:f b=\"1\"c=\"2\"/>", "<x:f b='1'c='2'/>", "<x:f b='1' b='2'/>", "<x:f xmlns:y='urn:x' x:b='1' y:b='2'/>"]
    {
        assert_breaks(&within(bad), CheckRule::NotWellFormed);
    }
}

/// Pairwise comparison would take minutes for a file of such tags.
#[test]
fn an_attribute_repeated_many_times_is_reported_once() {
    let names: String = (0..2_000).map(|n| format!(" a{n}='1'")).collect();
    let again = " a1999='1'".repeat(2_000);
    assert_eq!(rules(&within(&format!("<x:f{names}{again}/>"))), [CheckRule::NotWellFormed]);
}

#[test]
fn prefixes_are_declared_and_not_against_the_standard() {
    assert_eq!(rules(&within("<x:f xml:lang='en' y:a='1' xmlns:y='urn:y'/>")), []);
    assert_eq!(rules(&within("<f xmlns=''/><x:f xmlns:xml='http://www.w3.org/XML/1998/namespace'/>")), []);
    for bad in [
        "<q:b/>",
        "<x:f q:b='1'/>",
        "<x:f xmlns:x=''/>",
        "<x:f xmlns:xml='urn:y'/>",
        "<x:f xmlns:xmlns='urn:y'/>",
        "<x:f xmlns:y='http://www.w3.org/XML/1998/namespace'/>",
        "<x:f xmlns='http://www.w3.org/2000/xmlns/'/>",
    ] {
        assert_breaks(&within(bad), CheckRule::NotWellFormed);
    }
    let schema = format!("<urlset xmlns='{NS}' xsi:schemaLocation='{NS} {NS}/sitemap.xsd'>{ENTRY}</urlset>");
    assert_breaks(&schema, CheckRule::NotWellFormed);
}

#[test]
fn characters_that_xml_cannot_hold_are_found_everywhere() {
    assert_eq!(rules(&within("<!-- \u{FFFD}\u{FFEE} --><x:f b='&#9;&#x10FFFF;'/>")), []);
    for bad in [
        "<!-- \u{FFFE} -->",
        "<x:f>\u{FFFF}</x:f>",
        "<x:f b='&#1;'/>",
        "<x:f b='&#xFFFE;'/>",
        "<x:f>&#1;</x:f>",
        "<?p \u{1}?>",
    ] {
        assert_breaks(&within(bad), CheckRule::ForbiddenCharacter);
    }
}

#[test]
fn only_the_blanks_of_xml_are_blanks() {
    let entry = |loc: &str, date: &str| {
        format!("<urlset xmlns='{NS}'><url><loc>{loc}</loc><lastmod>{date}</lastmod></url></urlset>")
    };
    let (loc, date) = ("https://e.com/a", "1969-05-06");
    for blank in [' ', '\t', '\n', '\r'] {
        assert_eq!(rules(&entry(&format!("{blank}{loc}{blank}"), &format!("{date}{blank}"))), [], "{blank:?}");
    }
    for other in ['\u{A0}', '\u{2003}', '\u{3000}', '\u{85}'] {
        assert_eq!(rules(&entry(&format!("{loc}{other}"), date)), [CheckRule::LocEscape], "{other:?}");
        assert_eq!(rules(&entry(&format!("{other}{loc}"), date)), [CheckRule::LocRelative], "{other:?}");
        assert_eq!(rules(&entry(loc, &format!("{date}{other}"))), [CheckRule::Lastmod], "{other:?}");
    }
}

/// XML 1.0, 2.1, 2.2 and 4.1: a fault with a rule of its own also makes the document malformed.
#[test]
fn text_that_xml_excludes_is_reported_as_not_well_formed() {
    let first =
        |text: &str| check(text.as_bytes(), &DocumentContext::default(), Timestamp::UNIX_EPOCH).faults.remove(0);
    for (text, rule) in [
        (within("<x:f>&nbsp;</x:f>"), CheckRule::Entity),
        (within("<x:f>\u{1}</x:f>"), CheckRule::ForbiddenCharacter),
        (within("<x:f>\u{FFFF}</x:f>"), CheckRule::ForbiddenCharacter),
        (within("<x:f>&#1;</x:f>"), CheckRule::ForbiddenCharacter),
        (within("<x:f b='&#1;'/>"), CheckRule::ForbiddenCharacter),
        (String::new(), CheckRule::Root),
        (" \n".to_owned(), CheckRule::Root),
        ("<!-- -->".to_owned(), CheckRule::Root),
    ] {
        let fault = first(&text);
        assert!(fault.rule == rule && fault.what.contains("not well-formed"), "{fault} in {text:?}");
    }
    // A list of URLs is not XML, and the declarations of a DTD are not read.
    let declared = check(
        before("<!DOCTYPE urlset [<!ENTITY nbsp '&#160;'>]>").replace(ENTRY, "&nbsp;").as_bytes(),
        &DocumentContext::default(),
        Timestamp::UNIX_EPOCH,
    );
    for fault in [first("https://e.com/a\n\u{1}\n")].iter().chain(&declared.faults) {
        assert!(!fault.what.contains("well-formed"), "{fault}");
    }
    assert!(declared.faults.iter().any(|fault| fault.rule == CheckRule::Entity));
}
