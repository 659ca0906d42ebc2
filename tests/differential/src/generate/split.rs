//! The program as libraries that are linked: its functions are spread over several sources that call each other.
//!
//! All sources have the declarations of types and resources, the functions of their own with `export`, and declare those of the others; shaders are
//! spread, too. A `static` variable is one per library, so all functions that write or read one stay together; the number of the thread, which is such a variable of the
//! whole program, is a parameter of each function here.

use super::{Generator, Variable};

/// Libraries at most.
const LIBRARIES: u32 = 3;

/// What the shader that the host starts has: it is in the first library.
const FIRST: [&str; 2] = ["void main(", "void Main("];

/// Whether a text has a name as a word.
fn mentions(text: &str, name: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| word == name)
}

impl Generator {
    /// The sources of the libraries.
    pub(super) fn libraries(&mut self, entries: &str) -> Vec<String> {
        if self.definitions.is_empty() {
            return Vec::new();
        }
        let count = 2 + self.choices.below(LIBRARIES - 1);
        let definitions = self.definitions.clone();
        let (common, shaders) = shaders(entries);
        // Functions, then shaders.
        let bodies: Vec<&str> = definitions.iter().map(|d| &*d.body).chain(shaders.iter().copied()).collect();
        // What the host starts is in the first library.
        let mut homes = Vec::new();
        for body in &bodies {
            let library = self.choices.below(count);
            homes.push(if FIRST.iter().any(|f| body.contains(f)) { 0 } else { library });
        }
        // What uses one variable is of one library. Two variables may tie three functions.
        let own: Vec<&Variable> = self.globals.iter().filter(|v| v.is_of_library()).collect();
        for _ in 0..own.len() {
            for v in &own {
                let users: Vec<usize> = (0..homes.len()).filter(|&n| mentions(bodies[n], &v.name)).collect();
                let home = users.iter().map(|&n| homes[n]).min().unwrap_or(0);
                users.into_iter().for_each(|n| homes[n] = home);
            }
        }
        let used: Vec<u32> = (0..count).filter(|n| *n == 0 || homes.contains(n)).collect();
        if used.len() < 2 {
            return Vec::new();
        }
        let source = |library| {
            let mut text = format!("{}{}", self.helper_text(), self.declarations);
            for (d, home) in definitions.iter().zip(&homes) {
                if *home != library {
                    text += &format!("{};\n", with_argument(&d.head, "uint T"));
                }
            }
            for (d, _) in definitions.iter().zip(&homes).filter(|(_, home)| **home == library) {
                text += &format!("export {} {}", with_argument(&d.head, "uint T"), with_argument(&d.body, "T"));
            }
            text += super::START;
            text += common;
            for (shader, _) in shaders.iter().zip(&homes[definitions.len()..]).filter(|(_, home)| **home == library) {
                text += &with_argument(shader, "T");
            }
            text
        };
        used.into_iter().map(source).collect()
    }
}

/// The shaders of a program, and what they have in common.
fn shaders(entries: &str) -> (&str, Vec<&str>) {
    let starts: Vec<usize> = entries.match_indices("[shader(").map(|(at, _)| at).collect();
    let Some(&first) = starts.first() else { return ("", vec![entries]) };
    let ends = starts[1..].iter().copied().chain([entries.len()]);
    (&entries[..first], starts.iter().zip(ends).map(|(&from, to)| &entries[from..to]).collect())
}

/// The text with one more argument, the first, of each generated function that it names.
fn with_argument(text: &str, argument: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('(') {
        let (before, after) = rest.split_at(at + 1);
        out += before;
        let name = before[..at].rsplit(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or("");
        if name.strip_prefix('F').is_some_and(|n| !n.is_empty() && n.chars().all(|c| c.is_ascii_digit())) {
            out += argument;
            if !after.starts_with(')') {
                out += ", ";
            }
        }
        rest = after;
    }
    out + rest
}

impl Variable {
    /// Whether each library has one of its own: a `static` variable that is not constant.
    fn is_of_library(&self) -> bool {
        self.global && self.writable && self.slot.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::{mentions, with_argument};

    #[test]
    fn calls_of_generated_functions_get_an_argument() {
        assert_eq!(with_argument("F1(F22(), f3(FX(1)), xF4(2))", "T"), "F1(T, F22(T), f3(FX(1)), xF4(2))");
        assert_eq!(with_argument("int F7(out int p0)", "uint T"), "int F7(uint T, out int p0)");
    }

    #[test]
    fn names_are_whole_words() {
        assert!(mentions("a = g12[1];", "g12"));
        assert!(!mentions("a = g123 + ag12;", "g12"));
    }
}
