//! The audit reports on each labelled site every finding of its labels, and no other finding of the codes that the site
//! tests. Each test prints a table of code, expected and found.

use mapwright_e2e::labelled::assert_finds_what_is_labelled;
use mapwright_testkit::labelled::FAMILIES;

/// A test for each family, named after it.
macro_rules! families {
    ($($test:ident: $name:literal,)*) => {
        $(
            #[test]
            fn $test() {
                assert_finds_what_is_labelled($name);
            }
        )*

        #[test]
        fn every_family_has_a_test() {
            let tested = [$($name),*];
            let untested: Vec<&str> =
                FAMILIES.iter().map(|family| family.name).filter(|name| !tested.contains(name)).collect();
            assert!(untested.is_empty(), "{untested:?}");
        }
    };
}

families! {
    reachability: "reachability",
    answers: "answers",
    silence: "silence",
    bodies: "bodies",
    redirects: "redirects",
    indexability: "indexability",
    canonicals: "canonicals",
    on_page: "on-page",
    sitemap_entries: "sitemap-entries",
    sitemap_files: "sitemap-files",
    lastmods: "lastmods",
    hreflang: "hreflang",
    duplicates: "duplicates",
    traps: "traps",
    complete: "complete",
    external: "external",
    resources: "resources",
    what_if: "what-if",
    clean: "clean",
}
