//! The book builds without warnings.

use std::path::Path;
use std::process::Command;

use rtc_oracles::programs::find_program;

use crate::pages::folder;

#[test]
fn mdbook_builds_it_without_warnings() {
    let Some(mdbook) = find_program("mdbook") else { return rtc_oracles::skip("there is no `mdbook` (cargo install mdbook --locked)") };
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("book-html");
    _ = std::fs::remove_dir_all(&out);
    let done = Command::new(mdbook).arg("build").arg(folder()).arg("--dest-dir").arg(&out).output().expect("it runs");
    let said = format!("{}{}", String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success() && !said.contains("WARN") && !said.contains("ERROR"), "{said}");
    let page = std::fs::read_to_string(out.join("errors/E0704.html")).expect("the page of a code");
    assert!(page.contains("E0704"));
}
