//! Script data states (13.2.5.4 and 13.2.5.15 to 13.2.5.31).

use crate::{case, check};

#[test]
fn scripts_end_at_their_end_tag() {
    check(&[
        case("plain", "<script>'<a href=no>'</script><a href=1>", &["1"]),
        case("in any case", "<SCRIPT></ScRiPt><a href=1>", &["1"]),
        case("a string does not hide it", "<script>'</script><a href=1>'</script>", &["1"]),
        case("a longer name", "<script></scripts><a href=no></script><a href=1>", &["1"]),
        case("a shorter name", "<script></scrip><a href=no></script><a href=1>", &["1"]),
        case("a slash after the name", "<script></script/><a href=1>", &["1"]),
        case("attributes on the end tag", "<script></script a=b><a href=1>", &["1"]),
        case("a start tag inside", "<script><script></script><a href=1>", &["1"]),
        case("a slash on the start tag closes nothing", "<script/><a href=no></script><a href=1>", &["1"]),
        case("a comment's end alone", "<script>--></script><a href=1>", &["1"]),
        case("never ended", "<a href=1><script><a href=no>", &["1"]),
        case("half an end tag", "<a href=1><script></script", &["1"]),
    ]);
}

#[test]
fn an_escaped_script_ends_too() {
    check(&[
        case("one comment", "<script><!-- <a href=no> --></script><a href=1>", &["1"]),
        case("unended", "<script><!-- </script><a href=1>", &["1"]),
        case("one dash", "<script><!- </script><a href=1>", &["1"]),
        case("abrupt", "<script><!--></script><a href=1>", &["1"]),
        case("abrupt with a dash", "<script><!---></script><a href=1>", &["1"]),
        case("the other end", "<script><!-- --!></script><a href=1>", &["1"]),
        case("another's end tag", "<script><!-- </style><a href=no></script><a href=1>", &["1"]),
        case("an end tag with attributes", "<script><!-- </script a><a href=1>", &["1"]),
    ]);
}

#[test]
fn a_script_in_an_escaped_script_hides_one_end_tag() {
    check(&[
        case("one of two", "<script><!-- <script></script><a href=no></script><a href=1>", &["1"]),
        case("to the comment's end", "<script><!-- <script> --></script><a href=1>", &["1"]),
        case("to the comment's end, of many dashes", "<script><!-- <script> -----></script><a href=1>", &["1"]),
        case("the other end is none", "<script><!-- <script> --!></script><a href=no></script><a href=1>", &["1"]),
        case("in any case", "<script><!-- <SCRIPT></script><a href=no></script><a href=1>", &["1"]),
        case("with a blank", "<script><!-- <script ></script><a href=no></script><a href=1>", &["1"]),
        case("with a slash", "<script><!-- <script/></script><a href=no></script><a href=1>", &["1"]),
        case("unended", "<script><!-- <script\n</script><a href=no></script><a href=1>", &["1"]),
        case("a longer name", "<script><!-- <scripts></script><a href=1>", &["1"]),
        case("a shorter name", "<script><!-- <scrip></script><a href=1>", &["1"]),
        case("nul in the name", "<script><!-- <scr\0ipt></script><a href=1>", &["1"]),
        case("a blank before the name", "<script><!-- < script></script><a href=1>", &["1"]),
        case("before the comment", "<script><script><!-- </script><a href=1>", &["1"]),
        case("after the comment", "<script><!-- --><script></script><a href=1>", &["1"]),
        case("twice", "<script><!-- <script></script><script></script><a href=no></script><a href=1>", &["1"]),
        case(
            "again after the end",
            "<script><!-- <script> --><!-- <script></script><a href=no></script><a href=1>",
            &["1"],
        ),
        case("a longer end tag", "<script><!-- <script></scripts></script></script><a href=1>", &["1"]),
        case("an end tag with a blank", "<script><!-- <script></script ><a href=no></script><a href=1>", &["1"]),
        case("abrupt comments inside", "<script><!--<script><!--></script><a href=1>", &["1"]),
        case("nothing after it", "<a href=1><script><!-- <script></script><a href=no>", &["1"]),
    ]);
}
