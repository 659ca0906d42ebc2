//! Conditions on features: `REQUIRES: vulkan && !windows`.
//!
//! Names joined by `!`, `&&`, `||` and parentheses; a comma separates conditions. `*` is always true. A name that no
//! feature has is an error, as a condition that is misspelled would skip its test for ever.

use super::tools::Features;

/// How deep parentheses and negations may nest.
const MAX_DEPTH: usize = 32;

/// The value of a list of conditions: whether all of them (`REQUIRES`) hold.
///
/// # Errors
/// What is wrong with the text.
pub fn all(text: &str, features: &Features) -> Result<bool, String> {
    evaluate_list(text, features).map(|values| values.into_iter().all(|v| v))
}

/// The value of a list of conditions: whether one of them (`UNSUPPORTED`, `XFAIL`) holds.
///
/// # Errors
/// What is wrong with the text.
pub fn any(text: &str, features: &Features) -> Result<bool, String> {
    evaluate_list(text, features).map(|values| values.into_iter().any(|v| v))
}

fn evaluate_list(text: &str, features: &Features) -> Result<Vec<bool>, String> {
    text.split(',')
        .map(|condition| {
            let mut parser = Parser { rest: condition.trim(), features, depth: 0 };
            let value = parser.or()?;
            if parser.rest.is_empty() { Ok(value) } else { Err(format!("unexpected `{}` in a condition", parser.rest)) }
        })
        .collect()
}

struct Parser<'a> {
    rest: &'a str,
    features: &'a Features,
    depth: usize,
}

impl Parser<'_> {
    fn eat(&mut self, token: &str) -> bool {
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }

    fn or(&mut self) -> Result<bool, String> {
        let mut value = self.and()?;
        while self.eat("||") {
            value |= self.and()?;
        }
        Ok(value)
    }

    fn and(&mut self) -> Result<bool, String> {
        let mut value = self.unary()?;
        while self.eat("&&") {
            value &= self.unary()?;
        }
        Ok(value)
    }

    fn unary(&mut self) -> Result<bool, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("a condition is nested too deeply".to_string());
        }
        let value = if self.eat("!") {
            !self.unary()?
        } else if self.eat("(") {
            let value = self.or()?;
            if !self.eat(")") {
                return Err("a condition has `(` without `)`".to_string());
            }
            value
        } else if self.eat("*") {
            true
        } else {
            let end = self.rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')));
            let (name, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
            self.rest = rest.trim_start();
            self.features
                .has(name)
                .ok_or_else(|| format!("there is no feature `{name}`; there are {}", self.features.names().join(", ")))?
        };
        self.depth -= 1;
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features() -> Features {
        Features::for_tests(&[("yes", true), ("no", false), ("spirv-val", true)])
    }

    #[test]
    fn values() {
        let f = features();
        for (text, value) in [
            ("yes", true),
            ("no", false),
            ("!no", true),
            ("yes && no", false),
            ("yes || no", true),
            ("no || no && yes", false),
            ("yes || no && no", true),
            ("!(yes && no)", true),
            ("!!yes", true),
            ("spirv-val", true),
            ("*", true),
            ("yes, spirv-val", true),
            ("yes, no", false),
        ] {
            assert_eq!(all(text, &f), Ok(value), "{text}");
        }
        assert_eq!(any("yes, no", &f), Ok(true));
        assert_eq!(any("no, no", &f), Ok(false));
    }

    #[test]
    fn errors() {
        let f = features();
        for text in ["", "yse", "yes no", "(yes", "yes &&", "yes)", "yes & no"] {
            assert!(all(text, &f).is_err(), "{text}");
        }
        assert!(all(&"!".repeat(100_000), &f).is_err());
        assert!(all(&"(".repeat(100_000), &f).is_err());
    }
}
