//! The URLs that a style sheet names: images, fonts and other style sheets.

use crate::{PageUrl, UrlIdentity};
use encoding_rs::UTF_8;
use memchr::memchr;
use std::borrow::Cow;
use url::Url;

/// The most URLs of one style sheet that are read.
const MAX_URLS: usize = 1_000;
/// The most bytes of a URL as written; longer ones are mostly `data:`.
const MAX_URL_BYTES: usize = 2_048;

/// Reads the URLs of `url()` and `@import` in a style sheet at `base`, each once, in their order (CSS Syntax 3, section
/// 4.3; CSS Values 4, section 4.5). Those of `@namespace` and `@document` are names, and are never loaded; URLs that are
/// not http(s) are left out. At most 1,000 URLs are read.
#[must_use]
pub fn urls(css: &str, base: &PageUrl, identity: &UrlIdentity) -> Vec<PageUrl> {
    let mut found: Vec<PageUrl> = Vec::new();
    let mut sheet = Sheet { rest: css, at_rule: AtRule::None };
    while let Some(written) = sheet.next_url() {
        let url = join(base.as_url(), &written, identity).filter(|url| !found.contains(url));
        found.extend(url);
        if found.len() >= MAX_URLS {
            break;
        }
    }
    found
}

fn join(base: &Url, written: &str, identity: &UrlIdentity) -> Option<PageUrl> {
    let written = written.trim();
    let is_usable = !written.is_empty() && !written.starts_with('#') && written.len() <= MAX_URL_BYTES;
    if is_usable { PageUrl::join(base, written, UTF_8, identity).ok() } else { None }
}

/// The at-rule whose prelude is read.
#[derive(Clone, Copy, PartialEq)]
enum AtRule {
    None,
    /// `@import`: a string is a URL, too.
    Import,
    /// One whose URLs are names.
    Names,
}

/// The part of a style sheet that is not read yet.
struct Sheet<'c> {
    rest: &'c str,
    at_rule: AtRule,
}

impl<'c> Sheet<'c> {
    fn next_url(&mut self) -> Option<Cow<'c, str>> {
        loop {
            let at = self.rest.bytes().position(is_special)?;
            let (before, from) = self.rest.split_at_checked(at)?;
            let special = from.bytes().next()?;
            self.rest = from.get(1..)?;
            match special {
                b'/' if self.rest.starts_with('*') => self.rest = self.rest.split_once("*/")?.1,
                b'"' | b'\'' => {
                    let text = self.string(special);
                    if self.at_rule == AtRule::Import {
                        return Some(text);
                    }
                }
                b'@' => self.at_rule = at_rule(self.rest),
                b';' | b'{' | b'}' => self.at_rule = AtRule::None,
                b'(' if ends_with_url(before) => {
                    let url = self.url();
                    if self.at_rule != AtRule::Names {
                        return Some(url);
                    }
                }
                b'\\' => self.rest = skipped(self.rest),
                _ => {}
            }
        }
    }

    /// Reads a string after its opening quote; a line end ends one that is not closed.
    fn string(&mut self, quote: u8) -> Cow<'c, str> {
        self.until(|byte| byte == quote || byte == b'\n')
    }

    /// Reads a URL after its opening parenthesis, with or without quotes.
    fn url(&mut self) -> Cow<'c, str> {
        self.rest = self.rest.trim_start();
        match self.rest.bytes().next() {
            Some(quote @ (b'"' | b'\'')) => {
                self.rest = self.rest.get(1..).unwrap_or_default();
                self.string(quote)
            }
            _ => self.until(|byte| byte == b')'),
        }
    }

    /// Reads up to a byte, which is skipped, and resolves escapes.
    fn until(&mut self, ends: impl Fn(u8) -> bool) -> Cow<'c, str> {
        let bytes = self.rest.as_bytes();
        let mut end = 0;
        while let Some(byte) = bytes.get(end).copied().filter(|byte| !ends(*byte)) {
            end += if byte == b'\\' { 2 } else { 1 };
        }
        let text = self.rest.get(..end.min(bytes.len())).unwrap_or_default();
        self.rest = self.rest.get(end + 1..).unwrap_or_default();
        unescaped(text)
    }
}

/// Reports whether a byte may begin or end what is looked for.
fn is_special(byte: u8) -> bool {
    matches!(byte, b'/' | b'"' | b'\'' | b'@' | b';' | b'{' | b'}' | b'(' | b'\\')
}

/// Reports whether a text ends with `url` as a name of its own.
fn ends_with_url(before: &str) -> bool {
    let Some((before, name)) = before.len().checked_sub(3).and_then(|start| before.as_bytes().split_at_checked(start))
    else {
        return false;
    };
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_') || !byte.is_ascii();
    name.eq_ignore_ascii_case(b"url") && !before.last().is_some_and(is_name)
}

fn at_rule(name: &str) -> AtRule {
    let is =
        |rule: &str| name.as_bytes().get(..rule.len()).is_some_and(|start| start.eq_ignore_ascii_case(rule.as_bytes()));
    match () {
        () if is("import") => AtRule::Import,
        () if is("namespace") || is("document") || is("-moz-document") => AtRule::Names,
        () => AtRule::None,
    }
}

/// The text without its first character.
fn skipped(text: &str) -> &str {
    let mut chars = text.chars();
    chars.next();
    chars.as_str()
}

/// Resolves escapes: a backslash before hexadecimal digits, of which one blank is part, or before another character
/// (CSS Syntax 3, section 4.3.7).
fn unescaped(text: &str) -> Cow<'_, str> {
    if memchr(b'\\', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, escape)) = rest.split_once('\\') {
        plain.push_str(before);
        let digits = escape.bytes().take(6).take_while(u8::is_ascii_hexdigit).count();
        let (code, after) = escape.split_at_checked(digits).unwrap_or((escape, ""));
        if code.is_empty() {
            let line_end = after.starts_with('\n');
            plain.extend(after.chars().next().filter(|_| !line_end));
            rest = skipped(after);
        } else {
            let char = u32::from_str_radix(code, 16).ok().and_then(char::from_u32).filter(|char| *char != '\0');
            plain.push(char.unwrap_or(char::REPLACEMENT_CHARACTER));
            rest = after.strip_prefix([' ', '\t', '\n']).unwrap_or(after);
        }
    }
    plain.push_str(rest);
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(css: &str) -> Vec<String> {
        let base = PageUrl::parse("http://a.example/css/main.css", &UrlIdentity::default()).unwrap();
        urls(css, &base, &UrlIdentity::default())
            .iter()
            .map(|url| url.as_str().trim_start_matches("http://a.example").to_owned())
            .collect()
    }

    #[test]
    fn urls_and_imports_are_read() {
        let css = "@charset \"utf-8\"; @import 'reset.css'; @IMPORT url(\"/print.css\") print;
            body { background: #fff URL( ../bg.png ) no-repeat; content: \"url(no.png)\" }
            @font-face { font-family: 'A'; src: url(a.woff2) format('woff2'), url('a.woff?#iefix') }
            .b { background-image: image-set(url(\"x1.png\") 1x, url(x2.png) 2x); } .c { cursor: url(../bg.png) }";
        assert_eq!(
            read(css),
            ["/css/reset.css", "/print.css", "/bg.png", "/css/a.woff2", "/css/a.woff?", "/css/x1.png", "/css/x2.png"]
        );
    }

    #[test]
    fn what_is_not_loaded_is_not_read() {
        let css = "/* url(old.png) @import 'old.css'; */ @namespace url(http://www.w3.org/1999/xhtml);
            @namespace svg 'http://www.w3.org/2000/svg'; @-moz-document url(http://a.example/) { a { color: red } }
            .a { background: url(data:image/png;base64,AAAA) } .b { fill: url(#gradient) } .c { background: url() }
            .d { filter: myurl(x.png); src: local('A') } .e::after { content: 'it\\'s url(no.png)' }";
        assert_eq!(read(css), [] as [&str; 0]);
    }

    #[test]
    fn escapes_are_resolved_and_broken_sheets_end() {
        assert_eq!(read("a{b:url(a\\)b.png)}"), ["/css/a)b.png"]);
        assert_eq!(read("a{b:url('\\63 d.png')}"), ["/css/cd.png"]);
        assert_eq!(read("a{b:url(open.png"), ["/css/open.png"]);
        assert_eq!(read("@import 'open.css"), ["/css/open.css"]);
        assert_eq!(read("/* open url(a.png)"), [] as [&str; 0]);
        assert_eq!(read("a{b:'open\n} c{d:url(next.png)}"), ["/css/next.png"]);
        assert_eq!(read("@import url(a.css\\"), ["/css/a.css"]);
    }

    #[test]
    fn very_many_urls_are_cut() {
        let css: String = (0..2_000).map(|number| format!(".a{number}{{background:url({number}.png)}}")).collect();
        assert_eq!(read(&css).len(), MAX_URLS);
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_reader(css in "[a\\\\ u r l ( ) ' \" @ ; { } / * é\n]{0,60}", tail in any::<String>()) {
            read(&format!("{css}{tail}"));
        }
    }
}
