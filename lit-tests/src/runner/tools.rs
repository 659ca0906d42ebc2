//! Substitutions of test commands: paths, programs, oracles, and the features that they require.
//!
//! A word of a command that is `%name` becomes a program or a path. The product's programs come from the folder that cargo
//! builds into; the oracles are this test program itself, started with [`ORACLE_FLAG`], so that they are a process of
//! their own whose output can be checked.

use std::path::{Path, PathBuf};
use std::process::Command;

use rtc_oracles::{Missing, artefacts, cli, programs, shared_dir, vulkan};

/// The first argument that makes the lit program an oracle: the rest are the arguments of `rtc-oracle`.
pub const ORACLE_FLAG: &str = "--run-oracle";

/// The product's programs that need nothing but themselves: substitution and file name.
const PROGRAMS: [(&str, &str); 2] = [("%rtc", "rtc"), ("%rtc-opt", "rtc-opt")];

/// The program that runs shaders, by substitution: the device that it uses, which is also the feature that it requires.
/// `cpu` runs DXIL, without a GPU or a driver; `vulkan` never falls back to it, so no test of one device is passed by the other.
const DEVICES: [(&str, &str); 3] = [("%rtc-run", VULKAN), (WHERE_POSSIBLE, VULKAN), ("%rtc-run-cpu", CPU)];

/// As `%rtc-run`; on a machine whose device lacks what the shader needs, its line is skipped.
pub const WHERE_POSSIBLE: &str = "%rtc-run-where-possible";

/// The exit status of `rtc-run` where no device can run a scene.
pub const NO_DEVICE: i32 = 3;

/// The feature that says whether `rtc-run` was built with its CPU device.
const CPU: &str = "cpu";

/// The feature that says whether this machine has a Vulkan device for `rtc-run`.
const VULKAN: &str = "vulkan";

/// The feature that says whether the driver is that of `cargo xtask check newest-mesa`, and the variable that says so.
const NEWEST_MESA: &str = "newest-mesa";
const NEWEST_MESA_VARIABLE: &str = "RTC_LIT_NEWEST_MESA";

/// The oracles as commands: substitution, command of `rtc-oracle`, the name in its status, and whether it only checks: later
/// lines then do not depend on it.
const ORACLES: [(&str, &str, &str, bool); 6] = [
    ("%dxc", "compile", "dxc", false),
    ("%dxil-val", "validate", "dxc", true),
    ("%dxil-dis", "dis", "dxc", false),
    ("%spirv-val", "spirv-val", "spirv-val", true),
    ("%llvm-verify", "llvm-verify", "llvm", true),
    ("%dxv", "dxv", "dxv", true),
];

/// What a word is as a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// None: a command of the runner, an argument, an outside program.
    None,
    /// It checks or runs existing outputs: other lines do not depend on it.
    Checker,
    /// It produces outputs that later lines use.
    Producer,
}

/// The role of a word of a command, before substitution.
pub fn role(word: &str) -> Role {
    if DEVICES.iter().any(|(name, _)| *name == word) {
        return Role::Checker;
    }
    match ORACLES.iter().find(|(name, ..)| *name == word) {
        Some((.., true)) => Role::Checker,
        Some(_) => Role::Producer,
        None if PROGRAMS.iter().any(|(name, _)| *name == word) => Role::Producer,
        None => Role::None,
    }
}

/// The names that conditions may use, with their values and, for what is missing, why.
#[derive(Clone, Debug, Default)]
pub struct Features {
    list: Vec<(String, Result<(), String>)>,
}

impl Features {
    /// Looks at this machine. `bin_dir` is where the product's programs lie.
    pub fn detect(bin_dir: &Path) -> Features {
        let mut list: Vec<(String, Result<(), String>)> = Vec::new();
        let mut push = |name: &str, value: Result<(), String>| list.push((name.to_string(), value));
        for os in ["linux", "windows", "macos"] {
            push(os, if std::env::consts::OS == os { Ok(()) } else { Err(format!("this is not {os}")) });
        }
        let debug = if cfg!(debug_assertions) { Ok(()) } else { Err("this is a release build".to_string()) };
        push("debug", debug);
        for (name, missing) in cli::status() {
            push(name, missing.map_or(Ok(()), |m: Missing| Err(m.to_string())));
        }
        push("shared", shared_dir().map(|_| ()).map_err(|m| m.to_string()));
        let run = program_path(bin_dir, "rtc-run");
        let newest = std::env::var_os(NEWEST_MESA_VARIABLE).is_some();
        push(NEWEST_MESA, if newest { Ok(()) } else { Err("only `cargo xtask check newest-mesa` runs it".to_string()) });
        push(CPU, run.clone().and_then(|program| has_cpu_device(&program)));
        push(VULKAN, run.and_then(|_| vulkan::available().map_err(|m| m.to_string())));
        Features { list }
    }

    /// Features with these values, for tests of the runner.
    pub fn for_tests(values: &[(&str, bool)]) -> Features {
        let value = |name: &str, there: bool| match there {
            true => Ok(()),
            false => Err(format!("{name} is not on this machine")),
        };
        Features { list: values.iter().map(|(name, there)| (name.to_string(), value(name, *there))).collect() }
    }

    /// Whether the feature is there; `None` when no feature has that name.
    pub fn has(&self, name: &str) -> Option<bool> {
        self.list.iter().find(|(n, _)| n == name).map(|(_, value)| value.is_ok())
    }

    /// All names.
    pub fn names(&self) -> Vec<&str> {
        self.list.iter().map(|(name, _)| name.as_str()).collect()
    }

    /// Why a condition's features are missing, for those among its names that are.
    pub fn why_not(&self, condition: &str) -> String {
        let words: Vec<&str> = condition.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))).collect();
        let missing = self.list.iter().filter(|(name, _)| words.contains(&name.as_str()));
        missing.filter_map(|(_, value)| value.as_ref().err().cloned()).collect::<Vec<_>>().join("; ")
    }
}

/// What the words of one test's commands stand for.
#[derive(Clone, Debug)]
pub struct Tools {
    /// The folder with the product's programs.
    pub bin_dir: PathBuf,
    /// The program that serves as the oracles.
    pub oracle_program: PathBuf,
    /// What this machine has.
    pub features: Features,
    /// Where temporary files go.
    pub scratch: PathBuf,
}

/// The paths that belong to one test.
#[derive(Clone, Debug)]
pub struct TestPaths {
    /// `%s`: the test file.
    pub source: PathBuf,
    /// `%S`: its folder.
    pub source_dir: PathBuf,
    /// `%T`: a folder of its own, empty at the start, in which its commands run.
    pub temp_dir: PathBuf,
    /// `%t`: a name in that folder.
    pub temp: PathBuf,
}

/// Why a word could not be substituted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unusable {
    /// The test is wrong, or a program of the product is missing: the test fails.
    Invalid(String),
    /// An oracle or a device is missing: the command is skipped.
    Missing(String),
}

/// Makes the text that a name stands for.
type Value<'a> = &'a dyn Fn() -> Result<String, Unusable>;

impl Tools {
    /// Substitutes in one word; a program may become several.
    ///
    /// # Errors
    /// An unknown name after `%`, a program that is not built, or an oracle that is missing.
    pub fn substitute(&self, word: &str, paths: &TestPaths) -> Result<Vec<String>, Unusable> {
        if let Some((_, program)) = PROGRAMS.iter().find(|(name, _)| *name == word) {
            let path = program_path(&self.bin_dir, program).map_err(Unusable::Invalid)?;
            return Ok(vec![path.to_string_lossy().into_owned()]);
        }
        if let Some((_, command, feature, _)) = ORACLES.iter().find(|(name, ..)| *name == word) {
            self.need(feature)?;
            let program = self.oracle_program.to_string_lossy().into_owned();
            return Ok(vec![program, ORACLE_FLAG.to_string(), command.to_string()]);
        }
        if let Some((_, device)) = DEVICES.iter().find(|(name, _)| *name == word) {
            let path = program_path(&self.bin_dir, "rtc-run").map_err(Unusable::Invalid)?;
            self.need(device)?;
            return Ok(vec![path.to_string_lossy().into_owned(), "--device".to_string(), device.to_string()]);
        }
        if word == "%FileCheck" {
            return Ok(vec!["FileCheck".to_string()]);
        }
        let mut out = String::new();
        let mut rest = word;
        while let Some(at) = rest.find('%') {
            out.push_str(&rest[..at]);
            let after = &rest[at + 1..];
            let (value, used) = self.path_value(after, paths)?;
            out.push_str(&value);
            rest = &after[used..];
        }
        out.push_str(rest);
        Ok(vec![out])
    }

    /// Nothing if this machine has the feature.
    fn need(&self, feature: &str) -> Result<(), Unusable> {
        match self.features.has(feature) {
            Some(true) => Ok(()),
            _ => Err(Unusable::Missing(self.features.why_not(feature))),
        }
    }

    /// What stands for the start of the text after a `%`, and how much of it that is.
    fn path_value(&self, after: &str, paths: &TestPaths) -> Result<(String, usize), Unusable> {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let named: [(&str, Value<'_>); 8] = [
            ("%", &|| Ok("%".to_string())),
            ("samples", &|| Ok(text(&artefacts::workspace_root().join("samples")))),
            ("shared", &|| match shared_dir() {
                Ok(dir) => Ok(text(&dir)),
                Err(missing) => Err(Unusable::Missing(missing.to_string())),
            }),
            ("root", &|| Ok(text(&artefacts::workspace_root()))),
            ("s", &|| Ok(text(&paths.source))),
            ("S", &|| Ok(text(&paths.source_dir))),
            ("t", &|| Ok(text(&paths.temp))),
            ("T", &|| Ok(text(&paths.temp_dir))),
        ];
        for (name, value) in named {
            let Some(rest) = after.strip_prefix(name) else {
                continue;
            };
            let goes_on = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
            // `%t_1` is `%t` and `_1`; `%%` ends by itself.
            if name == "%" || !rest.starts_with(goes_on) || (name.len() == 1 && rest.starts_with('_')) {
                return Ok((value()?, name.len()));
            }
        }
        let end = after.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))).unwrap_or(after.len());
        Err(Unusable::Invalid(format!("unknown substitution `%{}` (a literal percent sign is `%%`)", &after[..end])))
    }
}

/// Whether `rtc-run` lists its CPU device as one that can be used.
fn has_cpu_device(program: &Path) -> Result<(), String> {
    let listed = Command::new(program).arg("--list-devices").output();
    let listed = listed.map_err(|e| format!("{} does not start: {e}", program.display()))?;
    let text = String::from_utf8_lossy(&listed.stdout);
    if text.lines().any(|line| line.starts_with("cpu: usable")) {
        return Ok(());
    }
    Err("rtc-run was built without its CPU device: build it with the feature `cpu`, or run `cargo xtask test`, which does".to_string())
}

/// The path of one of the product's programs.
fn program_path(bin_dir: &Path, program: &str) -> Result<PathBuf, String> {
    let path = bin_dir.join(format!("{program}{}", std::env::consts::EXE_SUFFIX));
    if programs::is_executable(&path) {
        return Ok(path);
    }
    Err(format!("{} does not exist: build it first, or run `cargo xtask test`, which does", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tools() -> Tools {
        Tools {
            bin_dir: PathBuf::from("/nowhere/bin"),
            oracle_program: PathBuf::from("/nowhere/lit"),
            features: Features::for_tests(&[("dxc", true), ("dxv", false), ("spirv-val", true), ("llvm", true), ("cpu", false)]),
            scratch: PathBuf::from("/nowhere/tmp"),
        }
    }

    fn paths() -> TestPaths {
        TestPaths {
            source: PathBuf::from("/t/a b.hlsl"),
            source_dir: PathBuf::from("/t"),
            temp_dir: PathBuf::from("/x"),
            temp: PathBuf::from("/x/a.tmp"),
        }
    }

    #[test]
    fn substitutes_paths() {
        let one = |word: &str| tools().substitute(word, &paths()).map(|w| w.join(" "));
        assert_eq!(one("%s"), Ok("/t/a b.hlsl".to_string()));
        assert_eq!(one("%s.expected"), Ok("/t/a b.hlsl.expected".to_string()));
        assert_eq!(one("-Fo%t.dxil"), Ok("-Fo/x/a.tmp.dxil".to_string()));
        assert_eq!(one("%t_2:%S/%T"), Ok("/x/a.tmp_2:/t//x".to_string()));
        assert_eq!(one("100%%"), Ok("100%".to_string()));
        assert_eq!(one("plain"), Ok("plain".to_string()));
    }

    #[test]
    fn programs_oracles_and_mistakes() {
        let tools = tools();
        let of = |word: &str| tools.substitute(word, &paths());
        assert_eq!(of("%spirv-val"), Ok(vec!["/nowhere/lit".into(), ORACLE_FLAG.into(), "spirv-val".into()]));
        assert!(matches!(of("%dxv"), Err(Unusable::Missing(_))));
        assert!(matches!(of("%rtc-run-cpu"), Err(Unusable::Invalid(e)) if e.contains("build it first")));
        assert!(matches!(of("%rtc-run-cpus"), Err(Unusable::Invalid(_))));
        assert!(matches!(of("%rtc"), Err(Unusable::Invalid(e)) if e.contains("build it first")));
        assert!(matches!(of("%rtx"), Err(Unusable::Invalid(e)) if e.contains("unknown substitution `%rtx`")));
        assert!(matches!(of("50%"), Err(Unusable::Invalid(_))));
        assert!(matches!(of("%ss"), Err(Unusable::Invalid(_))));
        assert!(matches!(of("%é"), Err(Unusable::Invalid(_))));
    }
}
