//! The files that a source depends on, as a rule for make.

use std::fmt::Write as _;

use crate::compilation::Compilation;

impl Compilation {
    /// The dependencies of `target`, which is made of `source`, as a rule for make, with names escaped for make.
    pub fn make_rule(&self, target: &str, source: &str) -> String {
        let escaped = |path: &str| path.replace(' ', "\\ ").replace('$', "$$").replace('#', "\\#");
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
