//! Makes a Rust table of the pages in `src/errors/`, so that they are found without their files.

use std::fmt::Write as _;
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=src/errors");
    let folder = Path::new(&std::env::var("CARGO_MANIFEST_DIR")?).join("src/errors");
    let mut codes = Vec::new();
    for entry in std::fs::read_dir(&folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if let Some(code) = name.strip_suffix(".md").filter(|c| is_code(c)) {
            codes.push(code.to_owned());
        }
    }
    codes.sort();
    let mut table = String::from("&[\n");
    for code in codes {
        let path = folder.join(format!("{code}.md"));
        writeln!(table, "    Page {{ code: {code:?}, text: include_str!({:?}) }},", path.display().to_string())?;
    }
    table.push(']');
    std::fs::write(Path::new(&std::env::var("OUT_DIR")?).join("pages.rs"), table)?;
    Ok(())
}

/// A letter and four digits.
fn is_code(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(|c| c.is_ascii_uppercase()) && name.len() == 5 && letters.all(|c| c.is_ascii_digit())
}
