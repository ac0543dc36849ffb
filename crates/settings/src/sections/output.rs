//! `[output]`: the destination of results, and the form of messages.

use crate::commands::OptionCommands;
use crate::kind::ValueKind;
use crate::section_macro::section;
use crate::values::{Color, Out, ReportFormat};
use std::path::PathBuf;

section! {
    /// The destination of results, and the form of messages.
    pub struct OutputSection in Output;

    /// Write the sitemaps, or the reports of an audit, into this directory; `-` writes a single sitemap to standard
    /// output.
    ///
    /// The directory is created if it does not exist, and checked before the first request.
    out: Out = ".", for OptionCommands::CRAWL, short 'o';

    /// Replace sitemaps and reports in the output directory that mapwright did not write for this site.
    ///
    /// Without it, a `sitemap.xml` of another program or of another site is kept, and the run ends before its first
    /// request. Anything but a regular file, a symbolic link for example, is never replaced.
    replace: bool = "false", for OptionCommands::CRAWL;

    /// Keep the record of the crawl in this directory.
    ///
    /// Without it, `$XDG_STATE_HOME/mapwright/NAME/` (else `~/.local/state/mapwright/NAME/`), NAME being made from the
    /// start URLs, or from those of `--url-list` where there are none; that of a job lies below `--state-root`. It must
    /// not be the published directory.
    state: Option<PathBuf> = "",
        kind ValueKind::Path { name: "DIR", example: "/var/lib/mapwright/www.example.com" }, for OptionCommands::RECORD;

    /// Print results as text for people, as JSON for machines, or (only audits) as annotations of GitHub.
    format: ReportFormat = "text", for OptionCommands::REPORT;

    /// Print only requested results if all goes well: no progress, no summary, no hints.
    quiet: bool = "false", for OptionCommands::ALL, short 'q';

    /// Report more on standard error; repeat it (`-vv`, `-vvv`) for more still.
    verbose: u8 = "0", kind ValueKind::Level { max: 3 }, for OptionCommands::ALL, short 'v';

    /// Show no progress while working.
    no_progress: bool = "false", for OptionCommands::CRAWLS;

    /// Colour the output: only on a terminal, always, or never. With `auto`, `NO_COLOR` in the environment means never.
    color: Color = "auto", for OptionCommands::CRAWLS;
}
