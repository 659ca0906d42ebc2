//! `cargo xtask setup`: installs what is missing, and nothing the second time.
//!
//! What the project needs from outside is a table of [`Need`]s. Each row can tell whether it is met without asking the
//! network or a package database, so the second run is offline and takes milliseconds. What is missing is installed by
//! Debian's package manager where there is one ([`crate::debian`]); elsewhere the command says exactly what to install
//! and fails. The oracle libraries come after that ([`crate::fetch`]), the servers of tests ([`crate::servers`]), and
//! mdBook ([`crate::mdbook`]).

use crate::needs::{NEEDS, Need, Scope, list};
use crate::{debian, fetch, mdbook, servers};

/// Brings the machine to `scope`. Quick and offline when nothing is missing.
///
/// # Errors
/// When something is missing and could not be installed; the text says what to do.
pub fn setup(scope: Scope) -> Result<(), String> {
    let missing: Vec<&Need> = NEEDS.iter().filter(|n| n.scope <= scope && !(n.present)()).collect();
    let (wished, missing): (Vec<&Need>, Vec<&Need>) = missing.into_iter().partition(|n| n.without.is_some());
    for need in wished {
        let installed = debian::install(&[need]);
        if let Some(without) = need.without
            && !(need.present)()
        {
            let why = installed.err().unwrap_or_else(|| "the packages are installed, but it is still not found".into());
            eprintln!("{why}\ngoing on without {}: {without}", need.what);
        }
    }
    if !missing.is_empty() {
        debian::install(&missing)?;
        let still: Vec<&Need> = missing.into_iter().filter(|n| !(n.present)()).collect();
        if !still.is_empty() {
            return Err(format!("the packages are installed, but these are still not found:\n{}", list(&still)));
        }
    }
    if scope >= Scope::Oracles {
        fetch::install_artefacts()?;
        if let Err(e) = servers::install() {
            eprintln!("going on without the servers of Python's index, whose tests are skipped: {e}");
        }
        if let Err(e) = mdbook::install() {
            eprintln!("going on without mdBook, and the test that builds the book is skipped: {}", e.lines().last().unwrap_or_default());
        }
    }
    Ok(())
}
