//! Where the tables and keys of a description are, for messages about what they mean.

use toml::de::{DeTable, DeValue};

/// What a description says wrongly, and of which key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mistake {
    path: Vec<String>,
    /// The message.
    pub message: String,
}

impl Mistake {
    /// A mistake of the key at a path of tables.
    pub fn at(path: &[&str], message: impl Into<String>) -> Self {
        Mistake { path: path.iter().map(|p| (*p).to_owned()).collect(), message: message.into() }
    }

    /// Line and column of the last key of its path that is in the description.
    pub fn place(&self, text: &str) -> Option<(usize, usize)> {
        let document = DeTable::parse(text).ok()?;
        let mut table = document.get_ref();
        let mut found = None;
        for part in &self.path {
            let Some((key, value)) = table.iter().find(|(key, _)| key.get_ref().as_ref() == part.as_str()) else { break };
            found = Some(key.span());
            match value.get_ref() {
                DeValue::Table(inner) => table = inner,
                _ => break,
            }
        }
        found.map(|span| line_and_column(text, span.start))
    }
}

/// Line and column of a byte, from 1.
pub fn line_and_column(text: &str, byte: usize) -> (usize, usize) {
    let before = text.get(..byte).unwrap_or(text);
    (before.matches('\n').count() + 1, before.rsplit('\n').next().unwrap_or_default().chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_places() {
        let text = "out = 'x'\n[shader.\"a b\"]\nsource = 'a'\nmatrix = { N = [1] }\n[template.t]\n";
        let place = |path: &[&str]| Mistake::at(path, "").place(text);
        assert_eq!(place(&["out"]), Some((1, 1)));
        assert_eq!(place(&["shader", "a b"]), Some((2, 9)));
        assert_eq!(place(&["shader", "a b", "source"]), Some((3, 1)));
        assert_eq!(place(&["shader", "a b", "matrix", "N"]), Some((4, 12)));
        assert_eq!(place(&["shader", "a b", "profile"]), Some((2, 9)), "the table that lacks it");
        assert_eq!(place(&["cache"]), None);
    }
}
