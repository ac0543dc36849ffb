//! Unguessable random values.

/// Returns 32 random bytes; `None` where the system has none.
pub(crate) fn bytes() -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).ok()?;
    Some(bytes)
}

/// Returns 32 random bytes in hexadecimal.
pub(crate) fn text() -> Option<String> {
    bytes().map(|bytes| hex(&bytes))
}

/// Returns whether a text has the form of such a value.
pub(crate) fn is_text(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Bytes in hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
