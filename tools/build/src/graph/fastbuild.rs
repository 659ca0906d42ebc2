//! A plan as a file for FASTBuild: an `Exec` for each task, with the source and all headers as its inputs, and an alias of all.

use std::fmt::Write as _;

use super::{arguments, output, steps};
use crate::error::Error;
use crate::plan::Plan;

/// The text of `fbuild.bff`. `rtc` is the program of the compiler, `inputs` are the files that each task reads ([`super::inputs()`]).
///
/// # Errors
/// The plan has bundles or headers, which only `rtc build` makes; an argument has a character that FASTBuild cannot pass on.
pub fn graph(plan: &Plan, rtc: &str, inputs: &[Vec<String>]) -> Result<String, Error> {
    let mut out = format!("// Made by `rtc build --emit fastbuild`.\n\n.Compiler = {}\n\n", text(rtc));
    let mut names = Vec::new();
    for (step, inputs) in steps(plan, "FASTBuild")?.iter().zip(inputs) {
        let task = step.task;
        let object = output(plan, step.object);
        let mut words = arguments(plan, step).iter().map(|a| word(a)).collect::<Result<Vec<_>, _>>()?;
        words.extend(["-Fo".to_owned(), word(&object)?, word(&task.source)?]);
        let name = format!("compile {}", task.name());
        _ = writeln!(out, "Exec( {} )\n{{\n    .ExecExecutable = .Compiler", text(&name));
        // The compiler is an input too: objects are made again when it changes.
        let files: String = [rtc].into_iter().chain(inputs.iter().map(String::as_str)).map(|i| format!("        {}\n", text(i))).collect();
        _ = writeln!(out, "    .ExecInput =\n    {{\n{files}    }}");
        _ = writeln!(out, "    .ExecOutput = {}\n    .ExecArguments = {}\n}}\n", text(&object), text(&words.join(" ")));
        names.push(name);
    }
    let all: String = names.iter().map(|n| format!("        {}\n", text(n))).collect();
    _ = writeln!(out, "Alias( 'all' )\n{{\n    .Targets =\n    {{\n{all}    }}\n}}");
    Ok(out)
}

/// A word of a command line. FASTBuild replaces `%1` and `%2`, and its quotation marks have no escape.
fn word(word: &str) -> Result<String, Error> {
    let replaced = word.contains("%1") || word.contains("%2");
    if replaced || word.contains(['"', '\n', '\r']) {
        let what = if replaced { "`%1` and `%2`" } else { "quotation marks and ends of lines" };
        return Err(Error::Arguments(format!("FASTBuild cannot pass the argument `{word}` on: it has no escape for {what}")));
    }
    let plain = !word.is_empty() && !word.contains([' ', '\t']);
    Ok(if plain { word.to_owned() } else { format!("\"{word}\"") })
}

/// A string of FASTBuild.
fn text(text: &str) -> String {
    let mut out = String::from("'");
    for c in text.chars() {
        if matches!(c, '\'' | '^' | '$') {
            out.push('^');
        }
        out.push(c);
    }
    out.push('\'');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Task;

    /// Reads the part of FASTBuild's language that graphs have: assignments of strings, variables and lists, and functions with a block.
    struct Reader<'a>(&'a str);

    #[derive(Debug, PartialEq)]
    enum Item {
        Set(String, Vec<String>),
        Call(String, String, Vec<Item>),
    }

    impl Reader<'_> {
        fn space(&mut self) {
            loop {
                self.0 = self.0.trim_start();
                match self.0.strip_prefix("//") {
                    Some(comment) => self.0 = comment.split_once('\n').map_or("", |c| c.1),
                    None => return,
                }
            }
        }

        fn eat(&mut self, token: char) -> bool {
            self.space();
            let rest = self.0.strip_prefix(token);
            self.0 = rest.unwrap_or(self.0);
            rest.is_some()
        }

        fn name(&mut self) -> String {
            self.space();
            let end = self.0.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(self.0.len());
            let (name, rest) = self.0.split_at(end);
            self.0 = rest;
            assert!(!name.is_empty(), "a name before {rest:?}");
            name.to_owned()
        }

        fn string(&mut self) -> String {
            assert!(self.eat('\''), "a string at {:?}", self.0);
            let (mut text, mut chars) = (String::new(), self.0.char_indices());
            while let Some((at, c)) = chars.next() {
                match c {
                    '\'' => {
                        self.0 = &self.0[at + 1..];
                        return text;
                    }
                    '^' => text.push(chars.next().expect("something is escaped").1),
                    '$' => panic!("a variable in a string: {:?}", self.0),
                    c => text.push(c),
                }
            }
            panic!("a string that does not end: {:?}", self.0)
        }

        fn items(&mut self) -> Vec<Item> {
            let mut items = Vec::new();
            loop {
                self.space();
                if self.0.is_empty() || self.0.starts_with('}') {
                    return items;
                }
                if self.eat('.') {
                    let name = self.name();
                    assert!(self.eat('='), "an assignment at {:?}", self.0);
                    let mut values = Vec::new();
                    if self.eat('{') {
                        while !self.eat('}') {
                            values.push(self.string());
                        }
                    } else if self.eat('.') {
                        values.push(format!(".{}", self.name()));
                    } else {
                        values.push(self.string());
                    }
                    items.push(Item::Set(name, values));
                } else {
                    let function = self.name();
                    assert!(self.eat('('));
                    let argument = self.string();
                    assert!(self.eat(')') && self.eat('{'));
                    let body = self.items();
                    assert!(self.eat('}'), "a block ends at {:?}", self.0);
                    items.push(Item::Call(function, argument, body));
                }
            }
        }
    }

    #[test]
    fn graphs_are_read_back() {
        let arguments = vec!["-D".into(), "A=it's $5^2".into(), "-D".into(), "B=".into(), String::new()];
        let task = Task { shader: "s".into(), source: "a.hlsl".into(), arguments, object: Some("s.dxil".into()), ..Task::default() };
        let plan = Plan { out: "out".into(), tasks: vec![task], ..Plan::default() };
        let made = graph(&plan, "/opt/my rtc", &[vec!["a.hlsl".into(), "b.hlsli".into()]]).expect("it has a graph");
        let mut reader = Reader(&made);
        let items = reader.items();
        assert_eq!(reader.0, "");
        let set = |name: &str, values: &[&str]| Item::Set(name.into(), values.iter().map(|v| (*v).to_owned()).collect());
        let body = vec![
            set("ExecExecutable", &[".Compiler"]),
            set("ExecInput", &["/opt/my rtc", "a.hlsl", "b.hlsli"]),
            set("ExecOutput", &["out/s.dxil"]),
            set("ExecArguments", &["-D \"A=it's $5^2\" -D B= \"\" -Fo out/s.dxil a.hlsl"]),
        ];
        let all = vec![set("Targets", &["compile s"])];
        let expected = [
            set("Compiler", &["/opt/my rtc"]),
            Item::Call("Exec".into(), "compile s".into(), body),
            Item::Call("Alias".into(), "all".into(), all),
        ];
        assert_eq!(items, expected);
    }

    #[test]
    fn what_cannot_be_passed_on_is_an_error() {
        for argument in ["A=\"x\"", "A=%1", "A=\n"] {
            let task = Task { source: "a.hlsl".into(), arguments: vec![argument.into()], object: Some("o".into()), ..Task::default() };
            let plan = Plan { out: "out".into(), tasks: vec![task], ..Plan::default() };
            let error = graph(&plan, "rtc", &[Vec::new()]).expect_err(argument).to_string();
            assert!(error.contains("cannot pass the argument"), "{error}");
        }
    }
}
