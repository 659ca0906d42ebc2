//! The files that a source depends on, as a rule for make.

use std::fmt::Write as _;

use rtc_base::path::System;

use crate::compilation::Compilation;

impl Compilation {
    /// The dependencies of `target`, which is made of `source`, as a rule for make, with names escaped for make. Backslashes are escapes there, so that those
    /// that separate parts of a path on Windows become slashes.
    pub fn make_rule(&self, target: &str, source: &str) -> String {
        let escaped = |path: &str| escaped(System::HERE, path);
        let mut rule = format!("{}:", escaped(target));
        let mut listed: Vec<&str> = Vec::new();
        // As dxc, the first file is on the line of the target.
        for path in std::iter::once(source).chain(self.includes.iter().map(|i| i.path.as_str())) {
            if !listed.contains(&path) {
                _ = write!(rule, "{} {}", if listed.is_empty() { "" } else { " \\\n" }, escaped(path));
                listed.push(path);
            }
        }
        rule + "\n"
    }
}

/// A path in a rule of make.
fn escaped(system: System, path: &str) -> String {
    system.slashes(path).replace(' ', "\\ ").replace('$', "$$").replace('#', "\\#")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_windows_have_slashes() {
        assert_eq!(escaped(System::Windows, r"C:\my fx\a#.hlsl"), r"C:/my\ fx/a\#.hlsl");
        assert_eq!(escaped(System::Unix, r"a\b $x"), r"a\b\ $$x");
    }
}
