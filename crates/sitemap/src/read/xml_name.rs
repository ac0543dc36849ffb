//! Names (XML 1.0, 2.3; Namespaces in XML 1.0, 4).

/// Returns true for the name of an element or attribute: one name, or a prefix and a name.
pub(super) fn is_qualified(text: &str) -> bool {
    match text.split_once(':') {
        Some((prefix, local)) => is_unqualified(prefix) && is_unqualified(local),
        None => is_unqualified(text),
    }
}

/// Returns true for a name without a colon.
pub(super) fn is_unqualified(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(starts_name) && chars.all(|c| starts_name(c) || continues_name(c))
}

/// Production 4, without the colon.
const fn starts_name(c: char) -> bool {
    matches!(c, 'a'..='z' | 'A'..='Z' | '_'
        | '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{2FF}' | '\u{370}'..='\u{37D}' | '\u{37F}'..='\u{1FFF}'
        | '\u{200C}'..='\u{200D}' | '\u{2070}'..='\u{218F}' | '\u{2C00}'..='\u{2FEF}' | '\u{3001}'..='\u{D7FF}'
        | '\u{F900}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FFFD}' | '\u{10000}'..='\u{EFFFF}')
}

/// The characters that production 4a adds.
const fn continues_name(c: char) -> bool {
    matches!(c, '-' | '.' | '0'..='9' | '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}'..='\u{2040}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_begin_alphabetically_and_have_one_colon_at_most() {
        for name in ["url", "x:loc", "_1", "a-b.c", "é", "x:日本"] {
            assert!(is_qualified(name), "{name}");
        }
        for other in ["", ":", "x:", ":a", "a:b:c", "1a", "-a", ".a", "x:-a", "a$b", "×a", "a b"] {
            assert!(!is_qualified(other), "{other}");
        }
        assert!(is_unqualified("xml-stylesheet") && !is_unqualified("x:y"));
    }
}
