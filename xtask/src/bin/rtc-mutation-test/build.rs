//! A copy of the tree with mutants in it: what compiles of them, and the test programs.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rtc_oracles::artefacts::workspace_root;
use serde_json::Value;

use crate::points::{Point, points};
use crate::schema::{MODULE, Written, write};

/// Compilers run at most so often to find mutants that do not compile: each time names those of one phase of the compiler.
const ATTEMPTS: u32 = 25;

/// One mutant.
pub struct Mutant {
    /// Its file, below the root of the workspace.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What is changed, for people.
    pub what: String,
}

/// A source with points.
struct Source {
    file: String,
    text: String,
    points: Vec<Point>,
    first: u32,
}

/// A test program.
pub struct Program {
    /// Package and target, for people.
    pub name: String,
    /// Its row.
    pub test: (&'static str, &'static str, &'static str),
    /// The file.
    pub path: PathBuf,
    /// The folder that it runs in.
    pub folder: PathBuf,
}

/// The copy.
pub struct Tree {
    /// The root of the copy.
    pub root: PathBuf,
    /// All mutants, by number.
    pub mutants: Vec<Mutant>,
    /// Those that do not compile.
    pub left_out: HashSet<u32>,
    sources: Vec<Source>,
}

impl Tree {
    /// Copies what git knows of the tree to `target/mutation/tree`; files that are the same stay, for cargo.
    ///
    /// # Errors
    /// When git or the copy fails.
    pub fn copy() -> Result<Tree, String> {
        let (from, root) = (workspace_root(), workspace_root().join("target/mutation/tree"));
        let output = Command::new("git").args(["ls-files", "-z", "-c", "-o", "--exclude-standard"]).current_dir(&from).output();
        let output = output.map_err(|e| format!("cannot start git: {e}"))?;
        let list = String::from_utf8(output.stdout).map_err(|e| format!("a file's name: {e}"))?;
        for file in list.split('\0').filter(|f| !f.is_empty() && from.join(f).is_file()) {
            replace(&root.join(file), &fs::read(from.join(file)).map_err(|e| format!("cannot read {file}: {e}"))?)?;
        }
        Ok(Tree { root, mutants: Vec::new(), left_out: HashSet::new(), sources: Vec::new() })
    }

    /// Finds the mutants of the sources whose paths begin with `prefix`, tests aside.
    ///
    /// # Errors
    /// When there is no such source, or one is no Rust.
    pub fn find(&mut self, prefix: &str) -> Result<(), String> {
        let mut files = Vec::new();
        let folder = &prefix[..prefix.rfind('/').map_or(0, |i| i + 1)];
        rust_files(&self.root, folder.trim_end_matches('/'), &mut files)?;
        files.retain(|f| f.starts_with(prefix) && !f.contains("/tests/") && !f.ends_with("tests.rs"));
        files.sort();
        if files.is_empty() {
            return Err(format!("no source's path begins with {prefix}"));
        }
        for file in files {
            let text = fs::read_to_string(self.root.join(&file)).map_err(|e| format!("cannot read {file}: {e}"))?;
            let points = points(&text).map_err(|e| format!("{file}: {e}"))?;
            let first = self.mutants.len() as u32;
            let rows = points.iter().flat_map(|p| p.mutants.iter().map(|(_, what)| (p.line, what.clone())));
            self.mutants.extend(rows.map(|(line, what)| Mutant { file: file.clone(), line, what }));
            self.sources.push(Source { file, text, points, first });
        }
        Ok(())
    }

    /// Writes the mutants, leaves out what does not compile, and builds the test programs.
    ///
    /// # Errors
    /// When cargo cannot be started, or what is left does not compile for another reason than a mutant.
    pub fn build(&mut self, tests: &[(&'static str, &'static str, &'static str)]) -> Result<Vec<Program>, String> {
        self.add_modules()?;
        for _ in 0..ATTEMPTS {
            let written = self.write()?;
            let messages = self.cargo(tests)?;
            let before = self.left_out.len();
            let mut other = String::new();
            for error in messages.iter().filter(|m| m["reason"] == "compiler-message" && m["message"]["level"] == "error") {
                let forbidden = forbidden(&written, &error["message"]);
                if forbidden.is_empty() && other.is_empty() {
                    other = error["message"]["rendered"].as_str().unwrap_or_default().to_string();
                }
                self.left_out.extend(forbidden);
            }
            if self.left_out.len() > before {
                println!("   {} mutants do not compile", self.left_out.len());
                continue;
            }
            if !other.is_empty() {
                return Err(format!("the copy does not compile, and no mutant is the reason:\n{other}"));
            }
            if messages.last().is_none_or(|m| m["success"] != true) {
                return Err("cargo failed in the copy and named no error".to_string());
            }
            return Ok(programs(&messages, tests));
        }
        Err(format!("after {ATTEMPTS} compilations there are still mutants that do not compile"))
    }

    /// Adds the module that answers to each crate that has mutants.
    fn add_modules(&self) -> Result<(), String> {
        let mut crates = HashSet::new();
        for source in &self.sources {
            let root = Path::new(&source.file).ancestors().skip(1).find(|f| self.root.join(f).join("Cargo.toml").is_file());
            crates.extend(root.map(|r| r.join("src/lib.rs")));
        }
        for file in crates {
            let path = self.root.join(&file);
            let text = fs::read_to_string(workspace_root().join(&file)).map_err(|e| format!("cannot read {}: {e}", file.display()))?;
            replace(&path, format!("{text}{MODULE}").as_bytes())?;
        }
        Ok(())
    }

    fn write(&self) -> Result<BTreeMap<String, Written>, String> {
        let mut all = BTreeMap::new();
        for source in &self.sources {
            let mut written = write(&source.text, &source.points, source.first, &self.left_out);
            if source.file.ends_with("/src/lib.rs") {
                written.text += MODULE;
            }
            replace(&self.root.join(&source.file), written.text.as_bytes())?;
            all.insert(source.file.clone(), written);
        }
        Ok(all)
    }

    /// Builds the tests; the messages of cargo. Only these targets of these packages are built, and the programs that they start.
    fn cargo(&self, tests: &[(&str, &str, &str)]) -> Result<Vec<Value>, String> {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.current_dir(&self.root).args(["test", "--no-run", "--message-format=json", "--no-fail-fast"]);
        let (mut packages, mut targets): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
        for (package, target, _) in tests {
            packages.push(package);
            targets.push(target);
        }
        for list in [&mut packages, &mut targets] {
            list.sort_unstable();
            list.dedup();
        }
        command.args(packages.iter().flat_map(|p| ["-p", p]));
        for target in targets {
            match target {
                "" => command.arg("--lib"),
                target => command.args(["--test", target]),
            };
        }
        if packages.contains(&"rtc-cli") || packages.contains(&"rtc-lit-tests") {
            command.args(["-p", "rtc-cli", "--bins"]);
        }
        command.env("CARGO_TARGET_DIR", self.root.join("../build")).stdin(Stdio::null()).stderr(Stdio::null());
        let output = command.output().map_err(|e| format!("cannot start cargo: {e}"))?;
        let text = String::from_utf8_lossy(&output.stdout);
        Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
    }
}

/// The mutants that an error of the compiler forbids.
fn forbidden(written: &BTreeMap<String, Written>, message: &Value) -> Vec<u32> {
    let empty = Vec::new();
    let spans = message["spans"].as_array().unwrap_or(&empty);
    let primary = spans.iter().filter(|s| s["is_primary"] == true);
    let mut all = Vec::new();
    for span in primary {
        let number = |key: &str| span[key].as_u64().unwrap_or_default() as usize;
        let file = span["file_name"].as_str().unwrap_or_default();
        if let Some(source) = written.get(file) {
            all.extend(source.forbids(&(number("byte_start")..number("byte_end"))));
        }
    }
    all
}

/// The programs that cargo has built of these tests.
fn programs(messages: &[Value], tests: &[(&'static str, &'static str, &'static str)]) -> Vec<Program> {
    let mut built: HashMap<(String, String), (PathBuf, PathBuf)> = HashMap::new();
    for m in messages.iter().filter(|m| m["reason"] == "compiler-artifact" && m["profile"]["test"] == true) {
        let (Some(file), Some(manifest)) = (m["executable"].as_str(), m["manifest_path"].as_str()) else { continue };
        let folder = Path::new(manifest).parent().unwrap_or(Path::new("")).to_path_buf();
        let kind = m["target"]["kind"][0].as_str().unwrap_or_default();
        let target = if kind == "test" { m["target"]["name"].as_str().unwrap_or_default() } else { "" };
        if kind != "bin" {
            let package = package_name(&folder);
            built.insert((package, target.to_string()), (PathBuf::from(file), folder));
        }
    }
    let mut programs: Vec<Program> = Vec::new();
    for test in tests {
        let Some((path, folder)) = built.get(&(test.0.to_string(), test.1.to_string())) else { continue };
        if programs.iter().all(|p| p.test != *test) {
            let name = [test.0, test.1, test.2].iter().filter(|w| !w.is_empty()).copied().collect::<Vec<_>>().join(" ");
            programs.push(Program { name, test: *test, path: path.clone(), folder: folder.clone() });
        }
    }
    programs
}

/// The name of the package in a folder.
fn package_name(folder: &Path) -> String {
    let text = fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
    let name = text.lines().find_map(|l| l.strip_prefix("name = "));
    name.unwrap_or_default().trim_matches('"').to_string()
}

/// The Rust sources below a folder, as paths below the root.
fn rust_files(root: &Path, folder: &str, files: &mut Vec<String>) -> Result<(), String> {
    let entries = fs::read_dir(root.join(folder)).map_err(|e| format!("cannot read {folder}: {e}"))?;
    for entry in entries.flatten() {
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            rust_files(root, &path, files)?;
        } else if path.ends_with(".rs") {
            files.push(path);
        }
    }
    Ok(())
}

/// Writes a file unless it has that content.
fn replace(path: &Path, content: &[u8]) -> Result<(), String> {
    if fs::read(path).is_ok_and(|old| old == content) {
        return Ok(());
    }
    let made = path.parent().map_or(Ok(()), fs::create_dir_all);
    made.and_then(|()| fs::write(path, content)).map_err(|e| format!("cannot write {}: {e}", path.display()))
}
