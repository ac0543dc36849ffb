//! Measurement of commands, and signals that reach only the intended child.

use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::time::Duration;

use mapwright_testkit::process;

/// Enough work for the kernel to account for.
const BUSY: &str = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";

#[test]
fn a_run_is_measured() {
    let cost = process::measure(Command::new("sh").args(["-c", BUSY])).unwrap();
    assert!(cost.status.success());
    assert!(cost.cpu() > Duration::from_millis(1), "{cost:?}");
    assert!(cost.wall > Duration::from_millis(1), "{cost:?}");
    assert!(cost.peak_memory > 100_000, "{cost:?}");
}

#[test]
fn signals_reach_the_child() {
    for (send, number) in [(process::interrupt as fn(&_) -> _, 2), (process::terminate, 15)] {
        // A shell starts background processes with SIGINT ignored, which a child would inherit; and the child must run
        // before it is signalled.
        let script = "echo ready; exec sleep 600";
        let mut command = Command::new("env");
        command.args(["--default-signal=INT", "sh", "-c", script]).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        send(&child).unwrap();
        assert_eq!(child.wait().unwrap().signal(), Some(number));
    }
}
