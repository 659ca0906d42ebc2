//! Installing packages on Debian and its relatives.
//!
//! Works as root or through `sudo`; everything else ends with the exact commands to type. Where the stable suite's Mesa is
//! too old to trace rays (Debian 12), the suite's backports are added as a source of their own. Its address is copied
//! from the machine's entry for the stable suite, so a local mirror stays in use and no host is named here.

use std::fs;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rtc_oracles::programs::find_program;

use crate::needs::{MESA, MESA_MAJOR, Need, list};
use crate::progress::Step;

/// How commands get the rights that installing needs.
enum Rights {
    Root,
    Sudo,
}

/// Installs the packages of all `needs`.
///
/// # Errors
/// On another system, without the rights, or when a package command fails: always with what to do by hand.
pub fn install(needs: &[&Need]) -> Result<(), String> {
    let mut packages: Vec<&str> = needs.iter().flat_map(|n| n.debian.iter().copied()).collect();
    packages.sort_unstable();
    packages.dedup();
    let missing = format!("missing on this machine:\n{}", list(needs));
    if find_program("apt-get").is_none() || find_program("dpkg").is_none() {
        return Err(format!("{missing}\n\nThis is not a Debian system: install them and run the command again."));
    }
    let Some(rights) = rights() else {
        return Err(format!("{missing}\n\nNeither root nor sudo is available. As root, run:\n{}", by_hand(&packages)));
    };
    eprintln!("{missing}\ninstalling: {}", packages.join(" "));
    let mut step = Step::new("Reading the package lists");
    step.run(&mut apt_get(&rights, &["update"]))?;
    step.done();
    let from = if packages.contains(&MESA) { choose_mesa(&rights)? } else { None };
    let mut step = Step::new(format!("Installing {}", packages.join(" ")));
    let mut command = apt_get(&rights, &["install", "-y", "--no-install-recommends"]);
    for package in &packages {
        match &from {
            Some(suite) if *package == MESA => command.arg(format!("{package}/{suite}")),
            _ => command.arg(package),
        };
    }
    step.run(&mut command)?;
    step.done();
    Ok(())
}

/// The commands that a person with the rights types.
fn by_hand(packages: &[&str]) -> String {
    let mut text = format!("    apt-get update\n    apt-get install -y --no-install-recommends {}", packages.join(" "));
    if packages.contains(&MESA) {
        text.push_str(&format!(
            "\n(where that {MESA} is older than {MESA_MAJOR}, take it from the backports suite: {MESA}/CODENAME-backports)"
        ));
    }
    text
}

/// Root, a `sudo` that needs no password, or a `sudo` that can ask a person for it.
fn rights() -> Option<Rights> {
    let id = Command::new("id").arg("-u").output().ok()?;
    if id.stdout.trim_ascii() == b"0" {
        return Some(Rights::Root);
    }
    find_program("sudo")?;
    let quiet = Command::new("sudo").args(["-n", "true"]).stdin(Stdio::null()).stderr(Stdio::null()).status().ok()?;
    if quiet.success() {
        return Some(Rights::Sudo);
    }
    if !std::io::stdin().is_terminal() {
        return None;
    }
    Command::new("sudo").arg("-v").status().ok()?.success().then_some(Rights::Sudo)
}

/// `program`, with the rights.
fn privileged(rights: &Rights, program: &str) -> Command {
    match rights {
        Rights::Root => Command::new(program),
        Rights::Sudo => {
            let mut command = Command::new("sudo");
            command.arg(program);
            command
        }
    }
}

/// `apt-get` that never asks, tries again, and waits for another one to finish.
fn apt_get(rights: &Rights, args: &[&str]) -> Command {
    let mut command = privileged(rights, "env");
    command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get", "-o", "Dpkg::Use-Pty=0", "-o", "Acquire::Retries=3"]);
    command.args(["-o", "DPkg::Lock::Timeout=300"]).args(args);
    command
}

/// The suite to take Mesa from when the default one's is too old; adds that suite to the sources.
fn choose_mesa(rights: &Rights) -> Result<Option<String>, String> {
    let policy = Command::new("apt-cache").args(["policy", MESA]).env("LC_ALL", "C").output();
    let policy = policy.map_err(|e| format!("cannot start apt-cache: {e}"))?;
    let policy = String::from_utf8_lossy(&policy.stdout).into_owned();
    if candidate_major(&policy).is_some_and(|major| major >= MESA_MAJOR) {
        return Ok(None);
    }
    let release = fs::read_to_string("/etc/os-release").map_err(|e| format!("cannot read /etc/os-release: {e}"))?;
    let codename = os_release(&release, "VERSION_CODENAME");
    let (Some("debian"), Some(codename)) = (os_release(&release, "ID"), codename) else {
        return Err(format!("the {MESA} of this system's sources is older than {MESA_MAJOR} and cannot trace rays: install a newer one"));
    };
    let suite = format!("{codename}-backports");
    let sources = read_sources()?;
    if !sources.iter().any(|s| s.suites.contains(&suite)) {
        let stable = sources.iter().find(|s| s.suites.iter().any(|n| n == codename)).ok_or_else(|| {
            format!("no source entry for {codename} to copy the address of {suite} from: add {suite} to the sources by hand")
        })?;
        let folder = Path::new("/etc/apt/sources.list.d");
        let target = folder.join(format!("{suite}.sources"));
        let draft = std::env::temp_dir().join(format!("rtc-{}-{suite}.sources", std::process::id()));
        fs::write(&draft, stable.entry_for(&suite)).map_err(|e| format!("cannot write {}: {e}", draft.display()))?;
        let mut command = privileged(rights, "install");
        command.args(["-m", "644"]).arg(&draft).arg(&target);
        let written = Step::new(format!("Adding the source {suite}")).run(&mut command);
        let _ = fs::remove_file(&draft);
        written?;
        eprintln!("added {}", target.display());
        let mut step = Step::new(format!("Reading the package list of {suite}"));
        step.run(&mut apt_get(rights, &["update"]))?;
        step.done();
    }
    Ok(Some(suite))
}

/// The major version of the `Candidate:` line of `apt-cache policy`.
fn candidate_major(policy: &str) -> Option<u32> {
    let version = policy.lines().find_map(|l| l.trim().strip_prefix("Candidate:"))?.trim();
    let version = version.split_once(':').map_or(version, |(_epoch, rest)| rest);
    version.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// The value of one key in the format of `/etc/os-release`.
fn os_release<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    text.lines().find_map(|l| l.strip_prefix(key)?.strip_prefix('=')).map(|v| v.trim().trim_matches('"'))
}

/// One binary package source: where it is and what signs it.
#[derive(Debug, Default, PartialEq, Eq)]
struct Source {
    uri: String,
    suites: Vec<String>,
    /// The value of `Signed-By`, with its continuation lines.
    signed_by: Option<String>,
}

impl Source {
    /// A deb822 entry for another suite at the same place.
    fn entry_for(&self, suite: &str) -> String {
        let mut text = format!("Types: deb\nURIs: {}\nSuites: {suite}\nComponents: main\n", self.uri);
        if let Some(key) = &self.signed_by {
            text.push_str(&format!("Signed-By: {key}\n"));
        }
        text
    }
}

/// All sources of this machine, in the order that apt reads them.
fn read_sources() -> Result<Vec<Source>, String> {
    let mut files: Vec<PathBuf> = vec![PathBuf::from("/etc/apt/sources.list")];
    if let Ok(dir) = fs::read_dir("/etc/apt/sources.list.d") {
        let mut more: Vec<PathBuf> = dir.filter_map(|e| Some(e.ok()?.path())).collect();
        more.sort();
        files.extend(more);
    }
    let mut sources = Vec::new();
    for file in files {
        let Ok(text) = fs::read_to_string(&file) else {
            continue;
        };
        match file.extension().and_then(|e| e.to_str()) {
            Some("list") => sources.extend(text.lines().filter_map(one_line_source)),
            Some("sources") => sources.extend(deb822_sources(&text)),
            _ => {}
        }
    }
    Ok(sources)
}

/// A source of the older format: `deb [signed-by=KEY] URI SUITE COMPONENTS...`, with `main` among the components.
fn one_line_source(line: &str) -> Option<Source> {
    let mut rest = line.trim().strip_prefix("deb ")?.trim_start();
    let mut signed_by = None;
    if let Some(options) = rest.strip_prefix('[') {
        let (options, after) = options.split_once(']')?;
        signed_by = options.split_whitespace().find_map(|o| o.strip_prefix("signed-by=")).map(str::to_string);
        rest = after;
    }
    let mut words = rest.split_whitespace();
    let (uri, suite) = (words.next()?.to_string(), words.next()?.to_string());
    words.any(|c| c == "main").then_some(Source { uri, suites: vec![suite], signed_by })
}

/// The enabled binary sources with `main` of a deb822 file.
fn deb822_sources(text: &str) -> Vec<Source> {
    let mut sources = Vec::new();
    let mut fields: Vec<(String, String)> = Vec::new();
    for line in text.lines().chain([""]) {
        if line.trim().is_empty() {
            sources.extend(stanza(&fields));
            fields.clear();
        } else if line.starts_with('#') {
            continue;
        } else if line.starts_with([' ', '\t']) {
            if let Some((_, value)) = fields.last_mut() {
                value.push('\n');
                value.push_str(line);
            }
        } else if let Some((key, value)) = line.split_once(':') {
            fields.push((key.trim().to_ascii_lowercase(), value.trim().to_string()));
        }
    }
    sources
}

/// One deb822 stanza as a source, when it is one that can be copied.
fn stanza(fields: &[(String, String)]) -> Option<Source> {
    let get = |key: &str| fields.iter().find(|(k, _)| k == key).map(|(_, v)| v.as_str());
    let has = |key: &str, word: &str| get(key).is_some_and(|v| v.split_whitespace().any(|w| w == word));
    if !has("types", "deb") || !has("components", "main") || get("enabled").is_some_and(|v| v.starts_with(['n', 'f', '0'])) {
        return None;
    }
    Some(Source {
        uri: get("uris")?.split_whitespace().next()?.to_string(),
        suites: get("suites")?.split_whitespace().map(str::to_string).collect(),
        signed_by: get("signed-by").map(str::to_string),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEB822: &str = "\
# comment
Types: deb
URIs: http://mirror.example/debian
Suites: bookworm bookworm-updates
Components: main
Signed-By: /usr/share/keyrings/k.gpg

Types: deb-src
URIs: http://mirror.example/src
Suites: bookworm
Components: main

Enabled: no
Types: deb
URIs: http://mirror.example/off
Suites: bookworm-backports
Components: main
";

    #[test]
    fn reads_both_source_formats() {
        let sources = deb822_sources(DEB822);
        assert_eq!(sources.len(), 1, "{sources:?}");
        assert_eq!(sources[0].uri, "http://mirror.example/debian");
        assert_eq!(sources[0].suites, ["bookworm", "bookworm-updates"]);
        let line = one_line_source("deb [arch=amd64 signed-by=/k.gpg] http://m.example/debian trixie main contrib");
        let line = line.expect("a source");
        assert_eq!((line.uri.as_str(), line.signed_by.as_deref()), ("http://m.example/debian", Some("/k.gpg")));
        assert_eq!(one_line_source("# deb http://m.example/debian trixie main"), None);
        assert_eq!(one_line_source("deb-src http://m.example/debian trixie main"), None);
        assert_eq!(one_line_source("deb http://m.example/x nodistro contrib"), None);
    }

    #[test]
    fn copies_address_and_key() {
        let text = deb822_sources(DEB822)[0].entry_for("bookworm-backports");
        assert_eq!(
            text,
            "Types: deb\nURIs: http://mirror.example/debian\nSuites: bookworm-backports\nComponents: main\n\
             Signed-By: /usr/share/keyrings/k.gpg\n"
        );
    }

    #[test]
    fn keeps_an_embedded_key_whole() {
        let text = "Types: deb\nURIs: u\nSuites: s\nComponents: main\nSigned-By:\n -----BEGIN\n .\n x\n";
        let source = &deb822_sources(text)[0];
        assert!(source.entry_for("t").ends_with("Signed-By: \n -----BEGIN\n .\n x\n"), "{source:?}");
    }

    #[test]
    fn reads_versions() {
        assert_eq!(candidate_major("mesa:\n  Installed: (none)\n  Candidate: 22.3.6-1+deb12u2\n"), Some(22));
        assert_eq!(candidate_major("  Candidate: 1:25.0.7-2\n"), Some(25));
        assert_eq!(candidate_major("  Candidate: (none)\n"), None);
        assert_eq!(os_release("ID=debian\nVERSION_CODENAME=\"bookworm\"\n", "VERSION_CODENAME"), Some("bookworm"));
        assert_eq!(os_release("VERSION_ID=1\n", "ID"), None);
    }
}
