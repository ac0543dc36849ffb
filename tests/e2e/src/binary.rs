//! The path of the binary under test.

use std::path::PathBuf;

/// The name of the binary.
const NAME: &str = "mapwright";

/// The path of the `mapwright` that was built into the same target directory and profile as this test.
pub fn path() -> PathBuf {
    let test = std::env::current_exe().expect("the path of the running test");
    // target/PROFILE/deps/TEST: the binary lies beside `deps`.
    let beside = test.ancestors().skip(1).take(2).map(|folder| folder.join(NAME)).find(|path| path.is_file());
    beside.unwrap_or_else(|| {
        panic!("no {NAME} beside {}: build it first with `cargo build -p mapwright`", test.display())
    })
}
