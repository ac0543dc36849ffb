//! A mirror command that uploads the files.

mod group;
mod manifest;
mod output;

use super::content::sha256;
use super::error::MirrorError;
use super::files::Files;
use super::mirror_state::{MAX_STATE_BYTES, MirrorState};
use super::secrets::is_ours;
use super::{MirrorOptions, Mirrored, mirror_target};
use group::Group;
use manifest::Manifest;
use output::Output;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use tokio::io::AsyncWriteExt;
use tokio::process::Command;
use tokio::task::JoinSet;

/// Runs the command of this line.
pub(super) async fn mirror(line: &str, files: &Files, options: &MirrorOptions) -> Result<Mirrored, MirrorError> {
    let kept = options.state.as_deref().map(|folder| state_file(folder, line));
    let before = kept.as_deref().map(read).transpose()?.unwrap_or_default();
    let announced = before.announce(files);
    keep(kept.as_deref(), &before, &announced)?;
    let settled = announced.settle(files, options.now, options.grace);
    let manifest = Manifest::of(files, &settled).await?;
    let done = manifest.done();
    let input = serde_json::to_vec(&manifest).unwrap_or_default();
    let (status, output) = run(line, &files.directory, input)
        .await
        .map_err(|source| MirrorError::Start { target: String::new(), source })?;
    if !status.success() {
        return Err(MirrorError::Command { target: String::new(), status, output });
    }
    keep(kept.as_deref(), &announced, &settled.mirror_state)?;
    Ok(done)
}

/// Runs the command to its end, and returns the end of its output. It has its own process group, so that its child
/// processes are killed with it on a timeout.
async fn run(line: &str, folder: &Path, input: Vec<u8>) -> io::Result<(ExitStatus, String)> {
    let words = mirror_target::words(line).map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
    let (program, arguments) = words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).process_group(0);
    std::env::vars_os().filter(|(name, _)| is_ours(&name.to_string_lossy())).for_each(|(name, _)| {
        command.env_remove(name);
    });
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let group = Group::of(&child);
    let output = Output::of(child.stdout.take(), child.stderr.take());
    let manifest = child.stdin.take().map(|mut stdin| async move {
        // A command that reads no input may close it.
        let _ = stdin.write_all(&input).await;
    });
    let mut announcing = JoinSet::new();
    manifest.map(|manifest| announcing.spawn(manifest));
    let status = child.wait().await?;
    group.release();
    Ok((status, output.last_words().await))
}

/// The file that keeps what was reported to a command.
fn state_file(folder: &Path, line: &str) -> PathBuf {
    let hash = sha256(line.as_bytes());
    folder.join(format!("mirror-{}.json", hash.get(..16).unwrap_or_default()))
}

fn read(path: &Path) -> Result<MirrorState, MirrorError> {
    let file = match mapwright_files::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(MirrorState::default()),
        file => file.map_err(MirrorError::file(path))?,
    };
    let mut bytes = Vec::new();
    file.take(MAX_STATE_BYTES).read_to_end(&mut bytes).map_err(MirrorError::file(path))?;
    let damaged = |why| MirrorError::MirrorState { target: String::new(), name: path.display().to_string(), why };
    MirrorState::parse(&bytes).map_err(damaged)
}

/// Atomically replaces the kept state.
fn keep(path: Option<&Path>, before: &MirrorState, after: &MirrorState) -> Result<(), MirrorError> {
    let Some(path) = path.filter(|_| before != after) else { return Ok(()) };
    mapwright_files::replace(path, &after.to_bytes()).map_err(MirrorError::file(path))
}
