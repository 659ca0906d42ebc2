//! The files that a source depends on, as a rule for make.

use std::fmt::Write as _;

use rtc_base::path::System;

use crate::compilation::Compilation;

/// What a rule for make says besides the files.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MakeRule {
    /// The targets, as make reads them.
    pub targets: Vec<String>,
    /// Whether each header has an empty rule (`-MP`).
    pub empty_rules: bool,
}

impl MakeRule {
    /// The rule of a file.
    pub fn of(target: &str) -> Self {
        MakeRule { targets: vec![quoted(target)], empty_rules: false }
    }
}

/// A path with the characters quoted that mean something in make. Backslashes are escapes there, so that those that separate parts of a path
/// on Windows become slashes.
pub fn quoted(path: &str) -> String {
    escaped(System::HERE, path)
}

impl Compilation {
    /// The make rule of the outputs of `source`, and of the files `others` that arguments named.
    pub fn make_rule(&self, rule: &MakeRule, source: &str, others: &[String]) -> String {
        let mut text = format!("{}:", rule.targets.join(" "));
        let mut listed: Vec<&str> = Vec::new();
        let headers = self.includes.iter().map(|i| i.path.as_str()).chain(others.iter().map(String::as_str));
        // As dxc, the first file is on the line of the target.
        for path in std::iter::once(source).chain(headers) {
            if !listed.contains(&path) {
                _ = write!(text, "{} {}", if listed.is_empty() { "" } else { " \\\n" }, quoted(path));
                listed.push(path);
            }
        }
        text.push('\n');
        if rule.empty_rules {
            listed.iter().skip(1).for_each(|path| text.push_str(&format!("\n{}:\n", quoted(path))));
        }
        text
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
