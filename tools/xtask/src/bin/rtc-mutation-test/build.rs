//! A copy of the tree with mutants in it: what compiles of them, and the test programs.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

use rtc_oracles::artefacts::workspace_root;
use serde_json::Value;

use crate::Row;
use crate::points::{Point, points};
use crate::schema::{MODULE, Written, write};

/// Compilers run at most so often to find mutants that do not compile: each time names those of one phase of the compiler.
const ATTEMPTS: u32 = 25;

/// Features of what is built; those of the CPU device come with LLVM.
const FEATURES: &str = "rtc-cli/run";
const CPU_FEATURES: &str = "rtc-cli/cpu,rtc-differential/cpu";

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

/// A test in its program.
pub struct Program {
    /// Package, target and test, for people.
    pub name: String,
    /// The rows that it is of.
    pub rows: Vec<Row>,
    /// The name of the test.
    pub test: String,
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
    /// The copy as it is: its mutants are only listed, or its programs run.
    pub fn as_it_is() -> Tree {
        Tree { root: workspace_root().join("target/mutation/tree"), mutants: Vec::new(), left_out: HashSet::new(), sources: Vec::new() }
    }

    /// Copies what git knows of the tree to `target/mutation/tree`; files that are the same stay, and the others have the time of what they are
    /// copies of: cargo takes what was built of the tree for built of the copy.
    ///
    /// # Errors
    /// When git or the copy fails.
    pub fn copy(prefixes: &[&str]) -> Result<Tree, String> {
        let (from, root) = (workspace_root(), workspace_root().join("target/mutation/tree"));
        let output = Command::new("git").args(["ls-files", "-z", "-c", "-o", "--exclude-standard"]).current_dir(&from).output();
        let output = output.map_err(|e| format!("cannot start git: {e}"))?;
        let list = String::from_utf8(output.stdout).map_err(|e| format!("a file's name: {e}"))?;
        for file in list.split('\0').filter(|f| !f.is_empty() && from.join(f).is_file()) {
            let read = || Ok((fs::read(from.join(file))?, fs::metadata(from.join(file))?.modified()?));
            let (content, time) = read().map_err(|e: std::io::Error| format!("cannot read {file}: {e}"))?;
            let copy = root.join(file);
            // What mutants are written into is written then: it keeps its time if they are those of the last run.
            let with_module = || fs::read(&copy).is_ok_and(|old| old.strip_suffix(MODULE.as_bytes()) == Some(&content));
            if copy.is_file() && (prefixes.iter().any(|p| is_mutated(file, p)) || with_module()) {
                continue;
            }
            replace(&copy, &content, Some(time))?;
        }
        let (built, copy) = (from.join("target/debug"), root.join("../build/debug"));
        if built.is_dir() && !copy.exists() {
            for folder in ["deps", "build", ".fingerprint"] {
                share(&built.join(folder), &copy.join(folder)).map_err(|e| format!("cannot copy {}: {e}", built.join(folder).display()))?;
            }
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
        rust_files(&workspace_root(), folder.trim_end_matches('/'), &mut files)?;
        files.retain(|f| is_mutated(f, prefix));
        files.sort();
        if files.is_empty() {
            return Err(format!("no source's path begins with {prefix}"));
        }
        for file in files {
            let text = fs::read_to_string(workspace_root().join(&file)).map_err(|e| format!("cannot read {file}: {e}"))?;
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
    pub fn build(&mut self, tests: &[Row]) -> Result<Vec<Program>, String> {
        self.add_modules()?;
        self.left_out = self.known_left_out();
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
            self.remember_left_out()?;
            let artefacts: Vec<&Value> = messages.iter().filter(|m| m["executable"].is_string()).collect();
            let text = serde_json::to_string(&artefacts).map_err(|e| format!("cannot write what is built: {e}"))?;
            replace(&self.programs_file(), text.as_bytes(), None)?;
            return programs(&messages, tests);
        }
        Err(format!("after {ATTEMPTS} compilations there are still mutants that do not compile"))
    }

    /// The test programs of the last build of these mutants, which may have been copied here from another machine.
    ///
    /// # Errors
    /// When there is no such build.
    pub fn built(&mut self, tests: &[Row]) -> Result<Vec<Program>, String> {
        let (file, first) = self.left_out_file();
        if !fs::read_to_string(&file).unwrap_or_default().starts_with(&first) {
            return Err(format!("{} is not of these mutants: build them first", file.display()));
        }
        self.left_out = self.known_left_out();
        let file = self.programs_file();
        let text = fs::read_to_string(&file).map_err(|e| format!("cannot read {}: {e}", file.display()))?;
        let messages: Vec<Value> = serde_json::from_str(&text).map_err(|e| format!("{}: {e}", file.display()))?;
        programs(&messages, tests)
    }

    /// The file that says which programs were built.
    fn programs_file(&self) -> PathBuf {
        self.root.join("../programs.json")
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
            replace(&path, format!("{text}{MODULE}").as_bytes(), None)?;
        }
        Ok(())
    }

    /// The file with the numbers of mutants that do not compile, and its first line: of which mutants.
    fn left_out_file(&self) -> (PathBuf, String) {
        let mut hasher = DefaultHasher::new();
        self.mutants.iter().for_each(|m| (&m.file, m.line, &m.what).hash(&mut hasher));
        (self.root.join("../left_out.txt"), format!("{:016x}", hasher.finish()))
    }

    /// What did not compile when these mutants were built last.
    fn known_left_out(&self) -> HashSet<u32> {
        let (file, first) = self.left_out_file();
        let text = fs::read_to_string(file).unwrap_or_default();
        let numbers = text.strip_prefix(&first).unwrap_or_default().lines();
        numbers.filter_map(|n| n.parse().ok()).collect()
    }

    fn remember_left_out(&self) -> Result<(), String> {
        let (file, first) = self.left_out_file();
        let mut all: Vec<u32> = self.left_out.iter().copied().collect();
        all.sort_unstable();
        let lines: Vec<String> = std::iter::once(first).chain(all.iter().map(u32::to_string)).collect();
        replace(&file, (lines.join("\n") + "\n").as_bytes(), None)
    }

    fn write(&self) -> Result<BTreeMap<String, Written>, String> {
        let mut all = BTreeMap::new();
        for source in &self.sources {
            let mut written = write(&source.text, &source.points, source.first, &self.left_out);
            if source.file.ends_with("/src/lib.rs") {
                written.text += MODULE;
            }
            replace(&self.root.join(&source.file), written.text.as_bytes(), None)?;
            all.insert(source.file.clone(), written);
        }
        Ok(all)
    }

    /// Builds the tests; the messages of cargo. Only these targets of these packages are built, and the programs that they start.
    fn cargo(&self, tests: &[Row]) -> Result<Vec<Value>, String> {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.current_dir(&self.root).args(["test", "--no-run", "--message-format=json", "--no-fail-fast"]);
        let (mut packages, mut targets): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
        for (package, target, _) in tests {
            packages.push(package);
            targets.push(target);
        }
        // With these packages and features the dependencies have the features that they have in `cargo xtask test`.
        packages.extend(["rtc-cli", "rtc-differential", "rtc-explore", "rtc-lit-tests", "rtc-engine", "rtc-spirv"]);
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
        command.args(["--bins", "--features", FEATURES]);
        if rtc_oracles::llvm::can_build_with() {
            command.args(["--features", CPU_FEATURES]);
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

/// The tests of the programs that cargo has built. Each is run alone: few reach a mutant, and most mutants are killed by the first that does.
fn programs(messages: &[Value], tests: &[Row]) -> Result<Vec<Program>, String> {
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
    for row in tests {
        let Some((path, folder)) = built.get(&(row.0.to_string(), row.1.to_string())) else { continue };
        for test in names(path, folder, row.2)? {
            if let Some(same) = programs.iter_mut().find(|p| p.path == *path && p.test == test) {
                same.rows.push(*row);
                continue;
            }
            let words = [row.0, row.1, &test].into_iter().filter(|w| !w.is_empty());
            let name = words.collect::<Vec<_>>().join(" ");
            programs.push(Program { name, rows: vec![*row], test, path: path.clone(), folder: folder.clone() });
        }
    }
    Ok(programs)
}

/// The names of a program's tests that have this text in them.
fn names(program: &Path, folder: &Path, filter: &str) -> Result<Vec<String>, String> {
    let mut command = Command::new(program);
    let command = command.current_dir(folder).args(["--list", "--format", "terse"]).args(Some(filter).filter(|f| !f.is_empty()));
    let output = command.output().map_err(|e| format!("cannot start {}: {e}", program.display()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().filter_map(|l| l.strip_suffix(": test")).map(str::to_string).collect())
}

/// The name of the package in a folder.
fn package_name(folder: &Path) -> String {
    let text = fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
    let name = text.lines().find_map(|l| l.strip_prefix("name = "));
    name.unwrap_or_default().trim_matches('"').to_string()
}

/// Whether mutants of a file are among those of the sources whose paths begin with `prefix`.
fn is_mutated(file: &str, prefix: &str) -> bool {
    file.starts_with(prefix) && file.ends_with(".rs") && !file.contains("/tests/") && !file.ends_with("tests.rs")
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

/// Writes a file unless it has that content, and gives it that time.
fn replace(path: &Path, content: &[u8], time: Option<SystemTime>) -> Result<(), String> {
    if fs::read(path).is_ok_and(|old| old == content) {
        return Ok(());
    }
    let write = || {
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(path, content)?;
        time.map_or(Ok(()), |t| fs::File::options().write(true).open(path)?.set_modified(t))
    };
    write().map_err(|e| format!("cannot write {}: {e}", path.display()))
}

/// Copies a folder of what cargo has built. Libraries are links, as the compiler replaces them by new files; what cargo writes to in place is
/// copied, and programs of tests are left out.
fn share(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)?.flatten() {
        let (path, copy) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            share(&path, &copy)?;
        } else if matches!(path.extension().and_then(|e| e.to_str()), Some("rlib" | "rmeta" | "so" | "a")) {
            fs::hard_link(&path, &copy)?;
        } else if !from.ends_with("deps") || path.extension().is_some_and(|e| e == "d") {
            fs::copy(&path, &copy)?;
            let time = fs::metadata(&path)?.modified()?;
            fs::File::options().write(true).open(&copy)?.set_modified(time)?;
        }
    }
    Ok(())
}
