//! Projects: with which options a source is compiled.
//!
//! The nearest description in a folder around the source that names it counts: `rtc.toml` (that of `rtc build`), or `compile_commands.json`, a
//! list of commands with a folder and a file each. A source may have several configurations: targets, entry points and permutations. A
//! source that no description names has the arguments of its first line (`// rtc -T cs_6_6 -D N=4`), or those of the settings.

use std::time::SystemTime;

use rtc::arguments::Invocation;
use rtc::{Disk, Options, Profile};
use rtc_build::config::{self, Limits};
use rustc_hash::FxHashMap;
use serde::Deserialize;

use crate::paths::{folder, normal};

/// A way to compile a source.
#[derive(Clone, Debug)]
pub struct Configuration {
    /// Its name, for messages: `blur:main [spirv] N=4`.
    pub name: String,
    /// Its options.
    pub options: Options,
    /// Whether no description and no first line says them.
    pub guessed: bool,
}

/// A description with the sources that it names.
#[derive(Default)]
struct Description {
    changed: Option<SystemTime>,
    sources: FxHashMap<String, Vec<Configuration>>,
    problem: Option<Problem>,
}

/// What is wrong with a description, or with arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The file that has the mistake.
    pub file: String,
    /// Line and column from 1, if they are known.
    pub place: Option<(usize, usize)>,
    /// What it is.
    pub message: String,
}

/// All descriptions that were read.
#[derive(Default)]
pub struct Projects {
    descriptions: FxHashMap<String, Description>,
}

/// The files that describe a project, the first one that exists in a folder counts.
const NAMES: [&str; 2] = ["rtc.toml", "compile_commands.json"];

/// How many configurations of a source are looked at. A shader may have thousands of permutations.
pub const MAX_CONFIGURATIONS: usize = 4;

/// How many folders around a source are searched.
const MAX_FOLDERS: usize = 64;

impl Projects {
    /// The configurations of `path`, at least one, and the problems on the way. `text` is the text of the document.
    pub fn configurations(&mut self, path: &str, text: &str, arguments: &[String]) -> (Vec<Configuration>, Vec<Problem>) {
        let mut problems = Vec::new();
        for description in descriptions_around(path) {
            let d = self.read(&description);
            problems.extend(d.problem.clone());
            if let Some(found) = d.sources.get(path) {
                return (found.clone(), problems);
            }
        }
        let written = first_line(text);
        let own = written.is_some();
        let guessed = !own;
        let arguments = written.unwrap_or_else(|| arguments.to_vec());
        match options_of(path, &arguments, folder(path)) {
            Ok(options) => (vec![Configuration { name: String::new(), options, guessed }], problems),
            Err(message) => {
                let place = own.then_some((1, 1));
                problems.push(Problem { file: path.to_owned(), place, message });
                (vec![Configuration { name: String::new(), options: fallback(), guessed }], problems)
            }
        }
    }

    /// The sources that the descriptions of the folders `roots` name, in order.
    pub fn sources(&mut self, roots: &[String]) -> Vec<String> {
        let mut all = Vec::new();
        for root in roots {
            for name in NAMES {
                all.extend(self.read(&format!("{root}/{name}")).sources.keys().cloned());
            }
        }
        all.sort();
        all.dedup();
        all
    }

    /// The description in this file, read again if it has changed.
    fn read(&mut self, file: &str) -> &Description {
        let changed = std::fs::metadata(file).and_then(|m| m.modified()).ok();
        let known = self.descriptions.get(file).is_some_and(|d| d.changed == changed);
        if !known {
            let mut d = changed.and_then(|_| std::fs::read_to_string(file).ok()).map_or_else(Description::default, |text| {
                if file.ends_with(".toml") { of_toml(file, &text) } else { of_commands(file, &text) }
            });
            d.changed = changed;
            self.descriptions.insert(file.to_owned(), d);
        }
        &self.descriptions[file]
    }
}

/// The descriptions in the folders around a file.
pub fn descriptions_around(path: &str) -> Vec<String> {
    let files = folders_above(path).flat_map(|at| NAMES.iter().map(move |n| format!("{}/{n}", at.trim_end_matches('/'))));
    files.filter(|f| std::path::Path::new(f).is_file()).collect()
}

/// The folders that a file with an absolute path is in, from the innermost one.
fn folders_above(path: &str) -> impl Iterator<Item = &str> {
    let mut next = Some(folder(path));
    std::iter::from_fn(move || {
        let at = next.filter(|at| is_absolute(at))?;
        next = Some(folder(at)).filter(|above| *above != at);
        Some(at)
    })
    .take(MAX_FOLDERS)
}

fn of_toml(file: &str, text: &str) -> Description {
    let mut d = Description::default();
    let problem = |place, message: String| Some(Problem { file: file.to_owned(), place, message });
    match config::toml::plan(file, text, &Limits::default()) {
        Ok(plan) => {
            for task in &plan.tasks {
                let path = normal(&task.source);
                let known = d.sources.entry(path.clone()).or_default();
                if known.len() >= MAX_CONFIGURATIONS {
                    continue;
                }
                let mut arguments = task.arguments.clone();
                if !task.entry.is_empty() && !arguments.iter().any(|a| a == "-E") {
                    arguments.extend(["-E".into(), task.entry.clone()]);
                }
                match options_of(&path, &arguments, folder(file)) {
                    Ok(options) => known.push(Configuration { name: task.name(), options, guessed: false }),
                    Err(message) => d.problem = problem(None, format!("shader `{}`: {message}", task.name())),
                }
            }
            d.sources.retain(|_, c| !c.is_empty());
        }
        Err(rtc_build::Error::Description { place, message, .. }) => d.problem = problem(place, message),
        Err(e) => d.problem = problem(None, e.to_string()),
    }
    d
}

/// An entry of `compile_commands.json`.
#[derive(Deserialize)]
struct Command {
    directory: String,
    file: String,
    #[serde(default)]
    command: String,
    #[serde(default)]
    arguments: Vec<String>,
}

fn of_commands(file: &str, text: &str) -> Description {
    let mut d = Description::default();
    let commands: Vec<Command> = match serde_json::from_str(text) {
        Ok(commands) => commands,
        Err(e) => {
            let place = Some((e.line(), e.column()));
            d.problem = Some(Problem { file: file.to_owned(), place, message: format!("not a list of compile commands: {e}") });
            return d;
        }
    };
    for c in commands {
        let directory = absolute(&c.directory, folder(file));
        let path = absolute(&c.file, &directory);
        let all = if c.arguments.is_empty() { words(&c.command) } else { c.arguments };
        // Commands of other compilers, in projects that have them in the same list, are no mistakes.
        let Ok(options) = options_of(&path, all.get(1..).unwrap_or(&[]), &directory) else { continue };
        let known = d.sources.entry(path).or_default();
        if known.len() < MAX_CONFIGURATIONS {
            known.push(Configuration { name: format!("{} {}", options.profile, options.entry), options, guessed: false });
        }
    }
    d
}

/// Whether a normal path begins at a root: `/`, or a drive of Windows.
fn is_absolute(path: &str) -> bool {
    path.starts_with('/') || path.get(1..2) == Some(":")
}

fn absolute(path: &str, folder: &str) -> String {
    if is_absolute(path) { normal(path) } else { normal(&format!("{folder}/{path}")) }
}

/// The words of a command line: separated by blanks, with quotes and backslashes as a shell reads them.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote, mut some) = (Vec::new(), String::new(), None, false);
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match (c, quote) {
            (c, Some(q)) if c == q => quote = None,
            ('\\', Some('"') | None) => word.extend(chars.next()),
            (c, Some(_)) => word.push(c),
            ('"' | '\'', None) => (quote, some) = (Some(c), true),
            (c, None) if c.is_whitespace() => {
                if some || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                some = false;
            }
            (c, None) => word.push(c),
        }
    }
    if some || !word.is_empty() {
        words.push(word);
    }
    words
}

/// The arguments that the first line of a source gives.
fn first_line(text: &str) -> Option<Vec<String>> {
    let line = text.lines().next()?.strip_prefix('\u{feff}').unwrap_or(text.lines().next()?);
    line.strip_prefix("// rtc ").filter(|a| a.starts_with('-')).map(words)
}

/// The options for these arguments, whose paths are relative to `folder`.
fn options_of(source: &str, arguments: &[String], folder: &str) -> Result<Options, String> {
    let mut arguments = arguments.to_vec();
    if !arguments.iter().any(|a| a == source) {
        arguments.push(source.to_owned());
    }
    match Options::parse_args(&arguments, &mut Disk).map_err(|e| e.to_string())? {
        Invocation::Compile(request) => {
            let mut options = request.options;
            for dir in &mut options.include_dirs {
                *dir = absolute(dir, folder);
            }
            Ok(options)
        }
        _ => Err("the arguments compile nothing".into()),
    }
}

/// The options where there are no valid ones.
fn fallback() -> Options {
    let newest = Profile { kind: rtc::ProfileKind::Library, minor: 9 };
    Options::new(newest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_up_to_a_root_or_a_drive() {
        let above = |path| folders_above(path).collect::<Vec<_>>();
        assert_eq!(above("/a/b/c.hlsl"), ["/a/b", "/a", "/"]);
        assert_eq!(above("C:/a/b.hlsl"), ["C:/a", "C:"]);
        assert_eq!(above("a/b.hlsl"), [""; 0]);
        assert_eq!(above("untitled:Untitled-1"), [""; 0]);
    }

    #[test]
    fn words_of_a_command_line() {
        assert_eq!(words(r#"dxc -T cs_6_6 "-D A=\"b c\"" 'x y' \ z "#), ["dxc", "-T", "cs_6_6", "-D A=\"b c\"", "x y", " z"]);
        assert_eq!(words(r#" """#), [""]);
    }

    #[test]
    fn the_first_line_has_arguments() {
        let mut projects = Projects::default();
        let none: Vec<String> = Vec::new();
        let (found, problems) = projects.configurations("/nowhere/a.hlsl", "// rtc -T cs_6_6 -D N=4\n", &none);
        assert_eq!((found[0].options.profile.to_string().as_str(), problems.len()), ("cs_6_6", 0));
        let (_, problems) = projects.configurations("/nowhere/a.hlsl", "// rtc -T zs_6_6\n", &none);
        assert_eq!(problems[0].place, Some((1, 1)), "{problems:?}");
    }
}
