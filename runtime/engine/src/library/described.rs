//! A library made of a description of a state object: packages with exports to take, subobjects, and collections.

use super::{Library, check_spirv, damaged};
use crate::error::{Error, ErrorKind, Result};
use crate::merge;
use crate::state_object::exports::{ExportDesc, select};
use crate::state_object::{Overrides, Scope, resolve_scopes};
use rtc_dxil_container::rdat::Subobject;
use rtc_package::Package;

/// A package in a state object: `D3D12_DXIL_LIBRARY_DESC`.
#[derive(Clone, Copy, Debug)]
pub struct LibraryDesc<'a> {
    /// Its name in messages.
    pub name: &'a str,
    /// Its bytes.
    pub package: &'a [u8],
    /// What is taken of it, and under which names; nothing: everything.
    pub exports: &'a [ExportDesc],
}

/// A state object: `D3D12_STATE_OBJECT_DESC`.
#[derive(Clone, Debug, Default)]
pub struct StateObjectDesc<'a> {
    /// Its packages.
    pub libraries: Vec<LibraryDesc<'a>>,
    /// What it declares itself: configurations, root signatures, hit groups, and associations with names of subobjects and exports of any
    /// scope.
    pub subobjects: Vec<Subobject>,
    /// Its collections, which have none themselves.
    pub collections: Vec<StateObjectDesc<'a>>,
}

impl Library {
    /// Makes the library of an executable state object. Associations follow the rules of scopes ([`resolve_scopes`]).
    ///
    /// # Errors
    /// A package is damaged, two conflict, an export does not exist, associations conflict or name something that nothing has, a
    /// collection has collections, or the subobjects form no pipeline.
    pub fn of_state_object(desc: &StateObjectDesc) -> Result<Library> {
        let wrong = |why: &str| Error::new(ErrorKind::StateObject, why);
        if desc.collections.iter().any(|c| !c.collections.is_empty()) {
            return Err(wrong("a collection has collections"));
        }
        let mut packages = Vec::new();
        let scope = read_scope(desc, &mut packages)?;
        let resolved = resolve_scopes(&scope, true).map_err(|problems| {
            let mut problems = problems.into_iter();
            let e = wrong(&problems.next().unwrap_or_default());
            problems.fold(e, |e, p| e.note(format!("also: {p}")))
        })?;
        let mut merged = merge::merge(packages)?;
        merged.package.rdat.subobjects = resolved.subobjects;
        Library::finish(merged, &Overrides::default())
    }
}

/// Reads the packages of a scope, collections first, and moves their subobjects to the scope.
fn read_scope(desc: &StateObjectDesc, packages: &mut Vec<(String, Package)>) -> Result<Scope> {
    let mut scope = Scope { subobjects: desc.subobjects.clone(), ..Scope::default() };
    for collection in &desc.collections {
        scope.collections.push(read_scope(collection, packages)?);
    }
    for l in &desc.libraries {
        let mut package = Package::read(l.package).map_err(|e| damaged(e).at(l.name))?;
        check_spirv(&package.spirv).map_err(|e| e.at(l.name))?;
        select(&mut package, l.exports).map_err(|e| e.at(l.name))?;
        scope.libraries.push(package.rdat.clone());
        package.rdat.subobjects.clear();
        packages.push((l.name.to_string(), package));
    }
    Ok(scope)
}
