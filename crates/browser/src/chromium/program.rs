//! The browsers of a machine.

use std::path::{Path, PathBuf};

/// A browser program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// The path of the binary. Where a package installs a script, this is the binary that the script starts: Debian's
    /// `chromium-headless-shell` waits for it, and whoever kills the script leaves the browser.
    pub path: PathBuf,
    /// The kind of browser.
    pub kind: BrowserKind,
}

/// The kinds of browsers, in the order in which they are looked for: the headless shell needs a sixth of Chromium's CPU
/// to start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum BrowserKind {
    /// The headless shell of Chromium or Chrome.
    HeadlessShell,
    /// Chromium.
    Chromium,
    /// Google Chrome.
    Chrome,
}

/// The binaries of packages, by kind.
const BINARIES: [(BrowserKind, &str); 8] = [
    (BrowserKind::HeadlessShell, "/usr/lib/chromium/chromium-headless-shell"),
    (BrowserKind::Chromium, "/usr/lib/chromium/chromium"),
    (BrowserKind::Chromium, "/usr/lib/chromium-browser/chromium-browser"),
    (BrowserKind::Chromium, "/usr/lib64/chromium-browser/chromium-browser"),
    (BrowserKind::Chromium, "/Applications/Chromium.app/Contents/MacOS/Chromium"),
    (BrowserKind::Chrome, "/opt/google/chrome/chrome"),
    (BrowserKind::Chrome, "/usr/lib/google-chrome/chrome"),
    (BrowserKind::Chrome, "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
];

/// The names of commands, by kind.
const COMMANDS: [(BrowserKind, &str); 6] = [
    (BrowserKind::HeadlessShell, "chrome-headless-shell"),
    (BrowserKind::HeadlessShell, "chromium-headless-shell"),
    (BrowserKind::Chromium, "chromium"),
    (BrowserKind::Chromium, "chromium-browser"),
    (BrowserKind::Chrome, "google-chrome-stable"),
    (BrowserKind::Chrome, "google-chrome"),
];

impl Program {
    /// Looks for a browser: the binaries of packages, then the commands in these folders of `PATH`.
    pub fn find(path: &[PathBuf]) -> Option<Program> {
        let binaries = BINARIES.iter().map(|(kind, binary)| (*kind, PathBuf::from(binary)));
        let commands =
            COMMANDS.iter().flat_map(|(kind, name)| path.iter().map(move |folder| (*kind, folder.join(name))));
        let mut found: Vec<Program> = binaries
            .chain(commands)
            .filter(|(_, path)| path.is_file())
            .map(|(kind, path)| Program { path, kind })
            .collect();
        found.sort_by_key(|program| program.kind);
        found.into_iter().next()
    }

    /// Returns the browser at a path that the user named; `None` without a file there.
    pub fn at(path: &Path) -> Option<Program> {
        let name = path.file_name()?.to_string_lossy().to_lowercase();
        let kind = match &*name {
            name if name.contains("headless") => BrowserKind::HeadlessShell,
            name if name.contains("chromium") => BrowserKind::Chromium,
            _ => BrowserKind::Chrome,
        };
        // It is started in a folder of its own.
        let path = std::path::absolute(path).ok()?;
        path.is_file().then_some(Program { path, kind })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_named_browser_is_taken_by_its_name() {
        let folder = tempfile::tempdir().unwrap();
        for (name, kind) in [
            ("chrome-headless-shell", BrowserKind::HeadlessShell),
            ("Chromium", BrowserKind::Chromium),
            ("browser", BrowserKind::Chrome),
        ] {
            let path = folder.path().join(name);
            assert_eq!(Program::at(&path), None);
            std::fs::write(&path, "").unwrap();
            assert_eq!(Program::at(&path), Some(Program { path, kind }));
        }
    }

    #[test]
    fn a_path_from_the_current_folder_is_that_of_a_file() {
        assert!(Program::at(Path::new("Cargo.toml")).unwrap().path.is_absolute());
    }

    #[test]
    fn the_lightest_kind_is_found_first() {
        let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        std::fs::write(folders[0].path().join("google-chrome"), "").unwrap();
        std::fs::write(folders[1].path().join("chrome-headless-shell"), "").unwrap();
        let found = Program::find(&folders.each_ref().map(|folder| folder.path().to_owned())).unwrap();
        assert_eq!(found.kind, BrowserKind::HeadlessShell);
    }
}
