//! Writes the reports of a synthetic audit into a folder: `hundred_thousand FOLDER [FINDINGS]`.

#[path = "../tests/crawled_site/mod.rs"]
mod made_up;

use mapwright_audit::report::write_all;
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let folder = words.next().ok_or("name the folder to write to")?;
    let count = words.next().map_or(Ok(100_000), |word| word.parse())?;
    let audit = made_up::Audit::new(count)?;
    for file in write_all(&audit.report(), Path::new(&folder))? {
        println!("{} {}", std::fs::metadata(&file)?.len(), file.display());
    }
    Ok(())
}
