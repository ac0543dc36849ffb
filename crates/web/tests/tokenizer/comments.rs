//! Comment states (13.2.5.42 to 13.2.5.52), and bogus comments.

use crate::{case, check};

#[test]
fn comments_end_where_they_end() {
    check(&[
        case("plain", "<!-- <a href=no> --><a href=1>", &["1"]),
        case("empty", "<!----><a href=1>", &["1"]),
        case("abrupt", "<!--><a href=1>", &["1"]),
        case("abrupt with a dash", "<!---><a href=1>", &["1"]),
        case("abrupt, and what would end it", "<!--><a href=1>--><a href=2>", &["1", "2"]),
        case("abrupt with a dash, and what would end it", "<!---><a href=1>--><a href=2>", &["1", "2"]),
        case("three dashes", "<!-- <a href=no> ---><a href=1>", &["1"]),
        case("many dashes", "<!------ <a href=no> ------><a href=1>", &["1"]),
        case("dashes alone", "<!-------><a href=1>", &["1"]),
        case("with an exclamation mark", "<!-- <a href=no> --!><a href=1>", &["1"]),
        case("empty with an exclamation mark", "<!----!><a href=1>", &["1"]),
        case("one dash and an exclamation mark end nothing", "<!-- -!><a href=no>--><a href=1>", &["1"]),
        case("a start's dash and an exclamation mark end nothing", "<!---!><a href=no>--><a href=1>", &["1"]),
        case("an exclamation mark and a dash", "<!-- --!-><a href=no>--><a href=1>", &["1"]),
        case("an exclamation mark, dashes, then the end", "<!-- --!--><a href=1>", &["1"]),
        case("two exclamation marks end nothing", "<!-- --!!><a href=no>--><a href=1>", &["1"]),
        case("a dash after the end's dashes", "<!-- -- -><a href=no>--><a href=1>", &["1"]),
        case("a blank before the end's bracket", "<!-- -- ><a href=no>--><a href=1>", &["1"]),
        case("a bracket alone", "<!-- > <a href=no> --><a href=1>", &["1"]),
        case("a less-than sign before the end", "<!--<--><a href=1>", &["1"]),
        case("a bang before the end", "<!--<!--><a href=1>", &["1"]),
        case("a bang and a dash before the end", "<!--<!---><a href=1>", &["1"]),
        case("comments do not nest", "<!-- <!-- <a href=no> --><a href=1> --><a href=2>", &["1", "2"]),
        case("nested start, and the other end", "<!-- <!----!><a href=1>", &["1"]),
        case("nul inside", "<!-- \0 --><a href=1>", &["1"]),
        case("nul between the end's characters", "<!-- --\0><a href=no>--><a href=1>", &["1"]),
        case("line feeds inside", "<!--\n\r\n<a href=no>\n--\n>\n--><a href=1>", &["1"]),
        case("quotes say nothing", "<!-- \" --><a href=1><!-- ' -->", &["1"]),
        case("in a tag it is none", "<a <!-- href=1> --><a href=2>", &["1", "2"]),
        case("in a value it is none", "<a href='1<!--'><a href=2>", &["1%3C!--", "2"]),
        case("in a title it is none", "<title><!-- </title><a href=1> -->", &["1"]).titled("<!--"),
    ]);
}

#[test]
fn comments_without_an_end_take_all() {
    check(&[
        case("nothing", "<a href=1><!--", &["1"]),
        case("a dash", "<a href=1><!---", &["1"]),
        case("text", "<a href=1><!-- <a href=no>", &["1"]),
        case("one dash at the end", "<a href=1><!-- <a href=no> -", &["1"]),
        case("two dashes at the end", "<a href=1><!-- <a href=no> --", &["1"]),
        case("an exclamation mark at the end", "<a href=1><!-- <a href=no> --!", &["1"]),
        case("half a start", "<a href=1><!-", &["1"]),
    ]);
}

#[test]
fn bogus_comments_end_at_the_first_bracket() {
    check(&[
        case("processing instruction", "<?xml version='1.0'?><a href=1>", &["1"]),
        case("a bracket inside an instruction", "<?php if (a > b) ?><a href=1>", &["1"]),
        case("a tag inside an instruction", "<?php <a href=no> ?><a href=1>", &["1"]),
        case("unknown declaration", "<!ELEMENT br EMPTY><a href=1>", &["1"]),
        case("declaration of one dash", "<!- <a href=no> --><a href=1>", &["1"]),
        case("an empty declaration", "<!><a href=1>", &["1"]),
        case("conditional", "<![if IE]><a href=1><![endif]>", &["1"]),
        case("conditional in a comment", "<!--[if IE]><a href=no><![endif]--><a href=1>", &["1"]),
        case("hidden conditional", "<!--[if !IE]><!--><a href=1><!--<![endif]-->", &["1"]),
        case("an end tag without a name", "</><a href=1>", &["1"]),
        case("an end tag that begins with a blank", "</ a href=no><a href=1>", &["1"]),
        case("an end tag that begins with a digit", "</1 <a href=no><a href=1>", &["1"]),
        case("quotes say nothing", "<?x '><a href=1>'", &["1"]),
        case("nul inside", "<?\0><a href=1>", &["1"]),
        case("without an end", "<a href=1><?x <a href=no", &["1"]),
    ]);
}
