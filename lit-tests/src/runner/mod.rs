//! The lit runner: finds the test files, runs them in parallel, reports the outcomes.
//!
//! Every file below `lit-tests/tests` is a test, unless it lies in a folder `Inputs` or is the `.expected` file of a
//! snapshot. A file that is neither is an error, so that no test is forgotten because of its name. A test ends as
//! *passed*, *failed*, or *ignored* with the reason; an ignored one also goes to the log of skipped tests
//! ([`mod@rtc_oracles::skip`]), which `cargo xtask test` prints.

pub mod builtins;
pub mod condition;
mod context;
pub mod exec;
pub mod script;
pub mod shell;
pub mod skipped;
pub mod tools;
mod watched;

#[cfg(test)]
mod tests;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use context::Shell;
use exec::Outcome;
use tools::{TestPaths, Tools};

/// Extensions of test files.
pub const EXTENSIONS: [&str; 6] = ["hlsl", "rtir", "ll", "test", "toml", "spvasm"];

/// The folder name for files that tests read.
const INPUTS: &str = "Inputs";

/// The extension of a snapshot.
const EXPECTED: &str = "expected";

/// The time that a test has unless `RTC_LIT_TIMEOUT` says otherwise.
const TIMEOUT: Duration = Duration::from_secs(60);

/// How tests are run.
#[derive(Clone, Debug)]
pub struct Config {
    /// The folder with the tests.
    pub root: PathBuf,
    /// Programs, oracles, features.
    pub tools: Tools,
    /// Snapshots are rewritten instead of compared.
    pub bless: bool,
    /// The time that each test has.
    pub timeout: Duration,
}

impl Config {
    /// The configuration of this workspace: programs from the folder above the running one, where cargo puts them, or from
    /// `RTC_BIN_DIR`; `RTC_BLESS` and `RTC_LIT_TIMEOUT` from the environment.
    ///
    /// # Errors
    /// When the running program's place is unknown or the timeout is not a number.
    pub fn from_environment(root: PathBuf) -> Result<Config, String> {
        let exe = std::env::current_exe().map_err(|e| format!("where is this program: {e}"))?;
        let above = exe.parent().map(|dir| if dir.ends_with("deps") { dir.parent().unwrap_or(dir) } else { dir });
        let variable = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty());
        let bin_dir = variable("RTC_BIN_DIR").map(PathBuf::from).or(above.map(Path::to_path_buf));
        let bin_dir = bin_dir.ok_or("the folder of the programs is unknown")?;
        let timeout = match std::env::var("RTC_LIT_TIMEOUT") {
            Ok(text) => {
                let seconds = text.parse().map_err(|_| format!("RTC_LIT_TIMEOUT is `{text}`, not seconds"))?;
                Duration::from_secs(seconds)
            }
            Err(_) => TIMEOUT,
        };
        Ok(Config {
            root,
            tools: Tools { features: tools::Features::detect(&bin_dir), scratch: bin_dir.join("lit-tmp"), oracle_program: exe, bin_dir },
            bless: std::env::var("RTC_BLESS").is_ok_and(|v| v == "1"),
            timeout,
        })
    }
}

/// A file that the runner has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TestFile {
    /// A test.
    Test(PathBuf),
    /// A file that is no test and belongs to none.
    Stray(PathBuf),
}

/// All files below the root, sorted.
///
/// # Errors
/// When a folder cannot be read.
pub fn discover(root: &Path) -> io::Result<Vec<TestFile>> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() {
                if path.file_name().is_none_or(|n| n != INPUTS) {
                    folders.push(path);
                }
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    let extension = |path: &Path| path.extension().map(|e| e.to_string_lossy().into_owned()).unwrap_or_default();
    let is_test = |path: &Path| EXTENSIONS.contains(&extension(path).as_str());
    let tests: Vec<PathBuf> = files.iter().filter(|f| is_test(f)).cloned().collect();
    Ok(files
        .into_iter()
        .filter_map(|file| match extension(&file).as_str() {
            // A snapshot belongs to the test that names it: the test file's name is the start of its name.
            EXPECTED => {
                let owned = tests.iter().any(|t| {
                    let (test, name) = (t.as_os_str().to_string_lossy(), file.as_os_str().to_string_lossy());
                    let suffix = name.strip_prefix(test.as_ref()).map(str::to_string);
                    let text = || fs::read(t).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
                    suffix.is_some_and(|s| text().is_ok_and(|text| text.contains(&format!("%s{s}"))))
                });
                (!owned).then_some(TestFile::Stray(file))
            }
            _ if is_test(&file) => Some(TestFile::Test(file)),
            _ => Some(TestFile::Stray(file)),
        })
        .collect())
}

/// The name of a test: its path below the root, with `/` on every system.
pub fn test_name(root: &Path, file: &Path) -> String {
    let relative = file.strip_prefix(root).unwrap_or(file);
    relative.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// Runs one test file.
pub fn run_test(config: &Config, file: &Path) -> Outcome {
    let name = test_name(&config.root, file);
    let text = match fs::read(file) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(e) => return Outcome::Failed(format!("cannot read {}: {e}", file.display())),
    };
    let script = match script::parse(&name, &text) {
        Ok(script) => script,
        Err(report) => return Outcome::Failed(report),
    };
    let features = &config.tools.features;
    let mut must_fail = false;
    for condition in &script.requires {
        match condition::all(condition, features) {
            Ok(true) => {}
            Ok(false) => {
                let why = features.why_not(condition);
                let why = if why.is_empty() { "does not hold".to_string() } else { why };
                return Outcome::Skipped(format!("requires {condition}: {why}"));
            }
            Err(e) => return Outcome::Failed(format!("{name}: error: {e}")),
        }
    }
    for condition in &script.unsupported {
        match condition::any(condition, features) {
            Ok(false) => {}
            Ok(true) => return Outcome::Skipped(format!("unsupported where {condition}")),
            Err(e) => return Outcome::Failed(format!("{name}: error: {e}")),
        }
    }
    for condition in &script.xfail {
        match condition::any(condition, features) {
            Ok(holds) => must_fail |= holds,
            Err(e) => return Outcome::Failed(format!("{name}: error: {e}")),
        }
    }
    let paths = match paths(config, file, &name) {
        Ok(paths) => paths,
        Err(e) => return Outcome::Failed(format!("cannot prepare the folder of {name}: {e}")),
    };
    let mut shell = Shell {
        tools: &config.tools,
        paths: &paths,
        prefixes: &script.prefixes,
        bless: config.bless && !must_fail,
        deadline: Instant::now() + config.timeout,
        cwd: paths.temp_dir.clone(),
        refused: None,
    };
    match (shell.run(&script), must_fail) {
        (Outcome::Passed, true) => Outcome::Failed(format!("{name} passes although it has an XFAIL line: remove that line")),
        (Outcome::Failed(_), true) => Outcome::Passed,
        (outcome, _) => outcome,
    }
}

/// Makes a test's folder, empty.
fn paths(config: &Config, file: &Path, name: &str) -> io::Result<TestPaths> {
    let temp_dir = config.tools.scratch.join(format!("{name}.dir"));
    if temp_dir.exists() {
        fs::remove_dir_all(&temp_dir)?;
    }
    fs::create_dir_all(&temp_dir)?;
    let file_name = file.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    Ok(TestPaths {
        source: file.to_path_buf(),
        source_dir: file.parent().map(Path::to_path_buf).unwrap_or_default(),
        temp: temp_dir.join(format!("{file_name}.tmp")),
        temp_dir,
    })
}

/// The programs that tests run, and the crates that each is made of.
const MADE_OF: [(&str, &[&str]); 2] = [
    (
        "rtc",
        &["common/base", "common/tables", "ir", "frontend", "passes", "dxil/container", "dxil/lower", "backend-spirv", "compiler", "cli"],
    ),
    ("rtc-run", &["common/base", "common/tables", "dxil/link", "runtime/engine", "runtime/host"]),
];

/// A warning when a program is older than the sources that it is made of: cargo does not know that these tests run it.
pub fn stale_warning(config: &Config, workspace: &Path) -> Option<String> {
    MADE_OF.iter().find_map(|(name, crates)| {
        let program = config.tools.bin_dir.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
        let built = program.metadata().and_then(|m| m.modified()).ok()?;
        let mut folders: Vec<PathBuf> = crates.iter().map(|c| workspace.join(c).join("src")).collect();
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).ok()?.flatten() {
                let path = entry.path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.metadata().and_then(|m| m.modified()).is_ok_and(|changed| changed > built) {
                    let (old, new) = (program.display(), path.display());
                    return Some(format!("warning: {old} is older than {new}: build it again, or run `cargo xtask test`, which does"));
                }
            }
        }
        None
    })
}
