//! Checks of ARCHITECTURE.md: the dependencies between crates, the files that may use `unsafe`, headers of files, and the tests that the
//! document names.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use rtc_tidy::root;

/// Crate, and the crates of this workspace that it may import (dev-dependencies aside).
#[rustfmt::skip]
const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("rtc-base",     &[]),
    ("rtc-memory",   &[]),
    ("rtc-tables",   &["rtc-base"]),
    ("rtc-ir",       &["rtc-base", "rtc-tables"]),
    ("rtc-frontend", &["rtc-base", "rtc-tables", "rtc-ir"]),
    ("rtc-passes",   &["rtc-base", "rtc-tables", "rtc-ir"]),
    ("rtc-dxil-module",    &["rtc-base", "rtc-tables"]),
    ("rtc-dxil-container", &["rtc-base", "rtc-tables", "rtc-dxil-module"]),
    ("rtc-rootsig",        &["rtc-base", "rtc-tables", "rtc-dxil-container"]),
    ("rtc-package",        &["rtc-base", "rtc-tables", "rtc-dxil-container", "rtc-rootsig"]),
    ("rtc-dxil-dis",       &["rtc-base", "rtc-tables", "rtc-dxil-module", "rtc-dxil-container", "rtc-rootsig"]),
    ("rtc-dxil-asm",       &["rtc-base", "rtc-dxil-module"]),
    ("rtc-dxil-validate",  &["rtc-base", "rtc-tables", "rtc-dxil-module", "rtc-dxil-container", "rtc-dxil-dis", "rtc-rootsig"]),
    ("rtc-dxil-lower",     &["rtc-base", "rtc-tables", "rtc-ir", "rtc-dxil-module", "rtc-dxil-container", "rtc-dxil-validate", "rtc-rootsig"]),
    ("rtc-dxil-link",      &["rtc-base", "rtc-tables", "rtc-dxil-module", "rtc-dxil-container", "rtc-dxil-dis", "rtc-dxil-validate", "rtc-rootsig"]),
    ("rtc-spirv",    &["rtc-base", "rtc-tables", "rtc-ir", "rtc-passes", "rtc-dxil-container", "rtc-package", "rtc-rootsig"]),
    ("rtc-engine",       &["rtc-base", "rtc-tables", "rtc-dxil-container", "rtc-package", "rtc-rootsig"]),
    ("rtc-host",  &["rtc-base", "rtc-tables", "rtc-dxil-module", "rtc-dxil-container", "rtc-dxil-link", "rtc-dxil-validate", "rtc-package", "rtc-rootsig", "rtc-engine"]),
    ("rtc",          &["rtc-base", "rtc-memory", "rtc-tables", "rtc-ir", "rtc-frontend", "rtc-passes", "rtc-dxil-asm", "rtc-dxil-module", "rtc-dxil-container", "rtc-dxil-dis",
                       "rtc-dxil-validate", "rtc-dxil-lower", "rtc-dxil-link", "rtc-package", "rtc-rootsig", "rtc-spirv"]),
    ("rtc-c-common", &[]),
    ("rtc-c",     &["rtc", "rtc-c-common"]),
    ("rtc-c-engine",  &["rtc-c-common", "rtc-dxil-container", "rtc-engine"]),
    ("rtc-build-script",    &["rtc"]),
    ("rtc-python",   &["rtc"]),
    ("rtc-build",    &["rtc", "rtc-base"]),
    ("rtc-explore",  &["rtc"]),
    ("rtc-explore-web", &["rtc", "rtc-explore"]),
    ("rtc-com",      &["rtc", "rtc-dxil-container", "rtc-dxil-module", "rtc-tables"]),
    ("rtc-dxcompiler", &["rtc-com"]),
    ("rtc-dxil",     &["rtc-com"]),
    ("rtc-book",     &[]),
    ("rtc-serve",    &["rtc"]),
    ("rtc-cli",      &["rtc", "rtc-base", "rtc-build", "rtc-book", "rtc-explore", "rtc-lsp", "rtc-host", "rtc-serve"]),
    ("rtc-lsp",      &["rtc", "rtc-base", "rtc-build", "rtc-frontend", "rtc-rootsig", "rtc-tables"]),
    ("rtc-test-support", &[]),
    ("rtc-dxil-testing",   &["rtc-test-support"]),
    ("rtc-oracles",  &[]),
    ("rtc-differential", &["rtc", "rtc-dxil-container", "rtc-dxil-lower", "rtc-oracles", "rtc-package", "rtc-host", "rtc-tables"]),
    ("rtc-lit-tests", &["rtc-oracles"]),
    ("rtc-tidy",     &[]),
    ("xtask",        &["rtc-oracles", "rtc"]),
    ("rtc-embed-ash", &["rtc", "rtc-oracles", "rtc-engine"]),
];

/// Outside crates that only some crates may name.
#[rustfmt::skip]
const CONFINED: &[(&str, &[&str])] = &[
    ("ash",        &["rtc-embed-ash"]),
    ("vulkanalia", &["rtc-engine", "rtc-host"]),
    ("inkwell",    &["rtc-host"]),
    ("lsp-server", &["rtc-lsp"]),
    ("lsp-types",  &["rtc-lsp"]),
    ("libloading", &["rtc-oracles"]),
    ("rspirv",     &["rtc-spirv", "rtc-host", "rtc-differential"]),
    ("pyo3",       &["rtc-python"]),
    ("opendal",    &["rtc-build"]),
    ("rustix",     &["rtc-serve"]),
    ("rustls",     &["rtc-build"]),
    ("tiny_http",  &["rtc-explore"]),
    ("tokio",      &["rtc-build"]),
    ("tonic",      &["rtc-build"]),
    ("lalrpop",    &["rtc-frontend"]),
    ("logos",      &["rtc-frontend"]),
];

#[test]
fn crate_graph() {
    let out = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline", "--manifest-path"])
        .arg(root().join("Cargo.toml"))
        .output()
        .expect("cargo runs");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&out.stdout).expect("JSON");
    let mut wrong = Vec::new();
    let mut seen = BTreeSet::new();
    for package in metadata["packages"].as_array().expect("packages") {
        let name = package["name"].as_str().expect("a name");
        seen.insert(name.to_owned());
        let Some((_, allowed)) = MAY_IMPORT.iter().find(|row| row.0 == name) else {
            wrong.push(format!("crate `{name}` has no row in MAY_IMPORT"));
            continue;
        };
        for dependency in package["dependencies"].as_array().expect("dependencies") {
            let to = dependency["name"].as_str().expect("a name");
            let is_dev = dependency["kind"].as_str() == Some("dev");
            let is_ours = MAY_IMPORT.iter().any(|row| row.0 == to);
            if is_ours && !is_dev && !allowed.contains(&to) {
                wrong.push(format!("`{name}` imports `{to}`"));
            }
            if let Some((_, users)) = CONFINED.iter().find(|row| row.0 == to)
                && !users.contains(&name)
                && !is_dev
            {
                wrong.push(format!("`{name}` imports `{to}`, which is confined to {users:?}"));
            }
        }
    }
    for (name, _) in MAY_IMPORT {
        if !seen.contains(*name) {
            wrong.push(format!("row for a crate that does not exist: `{name}`"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// All Rust files of the workspace, with their paths relative to it.
fn sources() -> Vec<(String, String)> {
    fn walk(dir: &Path, out: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(dir).expect("a folder").map(|e| e.expect("an entry").path()) {
            let name = entry.file_name().expect("a name").to_string_lossy().into_owned();
            if entry.is_dir() && name != "target" && !name.starts_with('.') {
                walk(&entry, out);
            } else if name.ends_with(".rs") {
                out.push(entry);
            }
        }
    }
    let mut files = Vec::new();
    walk(&root(), &mut files);
    files.sort();
    assert!(files.len() > 100, "the walk finds the workspace");
    files
        .into_iter()
        .map(|p| {
            let text = std::fs::read_to_string(&p).expect("UTF-8");
            (p.strip_prefix(root()).expect("below").to_string_lossy().into_owned(), text)
        })
        .collect()
}

/// The lines of code, without comments and without the insides of string literals that a line holds whole.
fn code(text: &str) -> impl Iterator<Item = String> {
    text.lines().map(|l| l.split("//").next().unwrap_or("").to_owned())
}

/// Files of the CPU device that may be unsafe, each with its rule at the top: what compiled code and the runtime hand each other, and
/// code for processors that have more than the others.
const COMPILED: &[&str] = &[
    "accel/lanes.rs",
    "accel/multiversion.rs",
    "accel/tests/benchmark/embree.rs",
    "entry.rs",
    "jit.rs",
    "sanitize/payload.rs",
    "sanitize/hook.rs",
    "thread/invoke.rs",
    "trace/attributes.rs",
    "wave/",
];

#[test]
fn unsafe_stays_where_it_belongs() {
    for (path, text) in sources() {
        if path.starts_with("runtime/host/src/vulkan/")
            || [
                "bindings/c/",
                "bindings/c-common/",
                "bindings/c-engine/",
                "tests/oracles/src/",
                "tests/fuzz/",
                "bindings/dxcompiler/",
                "common/memory/",
                "runtime/engine/src/vulkan/",
                "runtime/engine/tests/embed/",
                "examples/embed-ash/",
                "tools/explore/web/src/abi.rs",
                "tools/serve/src/unix/descriptors.rs",
                "tools/serve/src/unix/mod.rs",
            ]
            .iter()
            .any(|f| path.starts_with(f))
        {
            continue;
        }
        if path.strip_prefix("runtime/host/src/cpu/").is_some_and(|p| COMPILED.iter().any(|c| p.starts_with(c)) || p.contains("tests")) {
            continue;
        }
        for (n, line) in code(&text).enumerate() {
            let words: Vec<&str> = line.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
            let next = words.iter().position(|w| *w == "unsafe").map(|at| words.get(at + 1).copied().unwrap_or(""));
            let used = matches!(next, Some("fn" | "impl" | "extern" | "trait")) || line.contains(concat!("unsafe", " {"));
            assert!(!used, "{path}:{}: {line}", n + 1);
        }
    }
}

#[test]
fn llvm_is_called_from_one_file() {
    for (path, text) in sources() {
        let calls = code(&text).any(|l| l.contains(concat!("inkwell", "::")));
        assert!(!calls || path == "runtime/host/src/cpu/jit.rs", "{path} calls LLVM");
    }
}

#[test]
fn every_file_opens_with_its_idea() {
    let silent: Vec<String> = sources().into_iter().filter(|(_, t)| !t.starts_with("//!")).map(|(p, _)| p).collect();
    assert!(silent.is_empty(), "files without a `//!` header: {silent:#?}");
}

/// A test that cannot run says so through `rtc_oracles::skip` alone, so that it is counted as skipped and not as passed.
#[test]
fn skips_go_through_one_function() {
    // The function itself, and programs whose reports have rows that are skipped.
    const MAY_PRINT: [&str; 3] = ["tests/oracles/src/skip.rs", "tools/xtask/src/", "cli/src/bin/"];
    // Where the shared folder is looked for.
    const MAY_LOOK: [&str; 2] = ["tests/oracles/src/facts.rs", file!()];
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        for (n, line) in text.lines().enumerate() {
            let at = |what: &str| format!("{path}:{}: {what}", n + 1);
            let prints = line.split("print").skip(1).any(|rest| {
                let literal = rest.split_once('"').map_or("", |(_, literal)| literal).to_ascii_lowercase();
                literal.starts_with("skip")
            });
            if prints && !MAY_PRINT.iter().any(|p| path.starts_with(p)) {
                wrong.push(at("prints that it is skipped: call `rtc_oracles::skip::skip`"));
            }
            let looks = line.contains(concat!("\"RTC_", "SHARED\""))
                || line.contains(concat!("../", "shared\""))
                || line.contains(concat!("../../", "shared"));
            if looks && !MAY_LOOK.iter().any(|p| path.ends_with(p)) {
                wrong.push(at("looks for the shared folder: call a function of `rtc_oracles::facts`"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn invariants_name_tests_that_exist() {
    let document = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("the document");
    let all = sources();
    let mut count = 0;
    for line in document.lines().filter(|l| l.contains("Test: `")) {
        for name in line.split("Test: `").skip(1).map(|rest| rest.split('`').next().expect("a name")) {
            count += 1;
            let function = format!("fn {}(", name.rsplit("::").next().expect("a name"));
            assert!(all.iter().any(|(_, t)| t.contains(&function)), "no test `{name}`");
        }
    }
    assert!(count >= 8, "the invariants name their tests");
}

/// The documents for people, whose paths must exist.
fn documents() -> Vec<(String, String)> {
    let mut paths: Vec<PathBuf> = ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md"].map(|p| root().join(p)).to_vec();
    for folder in ["docs", "docs/book/src", "docs/decisions", "docs/design", "docs/measurements"] {
        let entries = std::fs::read_dir(root().join(folder)).expect("a folder").map(|e| e.expect("an entry").path());
        paths.extend(entries.filter(|p| p.extension().is_some_and(|e| e == "md")));
    }
    paths.sort();
    let read =
        |p: PathBuf| (p.strip_prefix(root()).expect("below").to_string_lossy().into_owned(), std::fs::read_to_string(&p).expect("UTF-8"));
    paths.into_iter().map(read).collect()
}

/// A path in backticks that begins with a folder of the repository is a file or folder of it.
#[test]
fn documents_name_files_that_exist() {
    let mut missing = Vec::new();
    let mut count = 0;
    for (document, text) in documents() {
        for quoted in text.split('`').skip(1).step_by(2) {
            let path = quoted.split('#').next().unwrap_or("").trim_end_matches('/');
            let first = path.split('/').next().unwrap_or("");
            let is_path =
                path.contains('/') && !path.contains([' ', '*', '<', '{', '$', '…']) && !path.chars().any(|c| c.is_ascii_uppercase());
            if is_path && !first.is_empty() && root().join(first).is_dir() && first != "target" {
                count += 1;
                if !root().join(path).exists() {
                    missing.push(format!("{document}: `{path}`"));
                }
            }
        }
    }
    assert!(count > 50, "documents name files");
    assert!(missing.is_empty(), "{missing:#?}");
}

/// The rows of `docs/dependencies.md`: crate, licence, users.
fn documented_dependencies() -> Vec<(String, String, String)> {
    let text = std::fs::read_to_string(root().join("docs/dependencies.md")).expect("the document");
    let row = |line: &str| {
        let mut cells = line.split('|').map(str::trim).skip(1);
        let name = cells.next()?.strip_prefix('`')?.strip_suffix('`')?.to_owned();
        let (licence, users, why) = (cells.next()?.to_owned(), cells.next()?.to_owned(), cells.next()?);
        assert!(!why.is_empty(), "`{name}` has no reason");
        Some((name, licence, users))
    };
    text.lines().filter_map(row).collect()
}

fn metadata(arguments: &[&str]) -> Result<serde_json::Value, String> {
    let out = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--offline", "--manifest-path"])
        .arg(root().join("Cargo.toml"))
        .args(arguments)
        .output()
        .map_err(|e| e.to_string())?;
    if !out.status.success() {
        return Err(String::from_utf8_lossy(&out.stderr).trim().to_owned());
    }
    serde_json::from_slice(&out.stdout).map_err(|e| e.to_string())
}

#[test]
fn every_dependency_has_a_row_and_every_row_a_dependency() {
    let metadata = metadata(&["--no-deps"]).expect("manifests");
    let mut users = std::collections::BTreeMap::<String, BTreeSet<String>>::new();
    for package in metadata["packages"].as_array().expect("packages") {
        let user = package["name"].as_str().expect("a name");
        for dependency in package["dependencies"].as_array().expect("dependencies") {
            if dependency["path"].is_null() {
                users.entry(dependency["name"].as_str().expect("a name").to_owned()).or_default().insert(user.to_owned());
            }
        }
    }
    let expected: Vec<(String, String)> = users
        .into_iter()
        .map(|(name, users)| {
            let all: Vec<String> = users.into_iter().collect();
            (name, if all.len() < 6 { all.join(", ") } else { "most".to_owned() })
        })
        .collect();
    let found: Vec<(String, String)> = documented_dependencies().into_iter().map(|(name, _, users)| (name, users)).collect();
    assert_eq!(found, expected, "docs/dependencies.md has a row for each, in the order of names");
}

/// Of the crates that are here; those of other features have been fetched or not.
#[test]
fn licences_of_dependencies_are_those_of_the_document() {
    let metadata = match metadata(&[]) {
        Ok(metadata) => metadata,
        Err(why) => return rtc_oracles::skip::skip(format!("the packages are not all here: {}", why.lines().next().unwrap_or_default())),
    };
    let packages = metadata["packages"].as_array().expect("packages");
    for (name, licence, _) in documented_dependencies() {
        let mut versions = packages.iter().filter(|p| p["name"] == name.as_str()).peekable();
        let is_here = versions.peek().is_some();
        assert!(!is_here || versions.any(|p| p["license"] == licence.as_str()), "`{name}` has another licence than {licence}");
    }
}
