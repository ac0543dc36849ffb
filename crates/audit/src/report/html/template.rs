//! A page with placeholders.

use std::io::{self, Write};

/// Writes the page, and instead of each `{{name}}` the output of `fill` for the name.
pub(super) fn fill(
    page: &str,
    out: &mut dyn Write,
    fill: &mut dyn FnMut(&str, &mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut parts = page.split("{{");
    out.write_all(parts.next().unwrap_or("").as_bytes())?;
    for part in parts {
        let (name, text) = part.split_once("}}").unwrap_or(("", part));
        fill(name, out)?;
        out.write_all(text.as_bytes())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::fill;

    #[test]
    fn places_are_filled_in_their_order() {
        let mut out = Vec::new();
        fill("a {{one}} b {{two}}", &mut out, &mut |name, out| write!(out, "[{name} {{{{x}}}}]")).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "a [one {{x}}] b [two {{x}}]");
    }
}
