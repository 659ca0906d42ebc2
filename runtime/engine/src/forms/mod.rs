//! Packages with several forms: in which of them packages are one pipeline, and which one a device runs.
//!
//! `-fspv-ser=auto` writes the forms ([`rtc_package::Form`]). All have the same exports, descriptor slots and layouts of shader records; shader
//! identifiers are those of a form's pipeline, so tables are laid out for each.
//!
//! | file | what |
//! |---|---|
//! | `mod` | forms of packages, and the rule that needs no measuring |
//! | `measure` | dispatches each form in turn and keeps the fastest |
//! | `choices` | a file with what was measured |
//!
//! The rule, [`Forms::by_rule`]: a device that reorders threads runs hit objects of an extension (EXT before NV); every other device runs
//! them lowered, or in the form whose traces all lanes of a wave execute if it is known to leave waves split otherwise ([`rtc_tables::devices`]). Whether sorting rays in software pays depends on the shaders (from 5 times as fast to half as fast), so the wavefront form
//! runs where it was measured ([`Measure`]), or where the host says so.

mod choices;
mod measure;

pub use choices::Choices;
pub use measure::{Measure, Measured, Sample};
pub use rtc_package::Form;

use crate::error::{Error, ErrorKind, Result, list};
use crate::library::{Library, damaged};
use crate::state_object::Overrides;
use rtc_dxil_container::digest::md5;
use rtc_package::Package;

/// A form in which packages are one pipeline.
#[derive(Clone, Debug)]
pub struct Possible {
    /// The form.
    pub form: Form,
    /// The packages in that form alone, with their names.
    pub packages: Vec<(String, Vec<u8>)>,
    /// The library that they make.
    pub library: Library,
}

/// The forms of packages that are to be one pipeline.
#[derive(Clone, Debug)]
pub struct Forms {
    /// Those that are possible, in the order of their numbers; at least one.
    pub possible: Vec<Possible>,
    /// The others that a package has, and why they are not.
    pub impossible: Vec<(Form, Error)>,
    /// Of the packages as they were given.
    digests: Vec<[u8; 16]>,
}

/// What a device does with waves, as far as the choice of a form depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WaveTraits {
    /// It reorders threads at the reorder points of hit objects ([`Device::reorders`](crate::vulkan::Device::reorders)).
    pub reorders: bool,
    /// It leaves a wave split after a trace that only some of its lanes execute ([`Device::splits_waves`](crate::vulkan::Device::splits_waves)).
    pub splits: bool,
}

/// A form for a device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The form.
    pub form: Form,
    /// Why, in a few words.
    pub why: &'static str,
}

/// One package in one of its forms, as bytes; of a package that has that form alone they are its own.
///
/// # Errors
/// The package is damaged, or does not have that form.
pub fn in_form(package: &[u8], form: Form) -> Result<Vec<u8>> {
    let read = Package::read(package).map_err(damaged)?;
    if read.forms.is_empty() && read.form() == form {
        return Ok(package.to_vec());
    }
    let all = read.all_forms();
    let one = read.into_form(form).ok_or_else(|| no_form("the package", form, &all))?;
    one.write().map_err(damaged)
}

fn no_form(name: &str, form: Form, all: &[Form]) -> Error {
    let e = Error::new(ErrorKind::Package, format!("{name} has no form `{form}`"));
    e.note(format!("forms: {}; -fspv-ser=auto writes all that a library has", list(all.iter().map(|f| f.name()))))
}

impl Forms {
    /// Reads packages with their names. A package without hit objects is in one pipeline with hit objects of an extension as it is; else each
    /// must have the form.
    ///
    /// # Errors
    /// A package is damaged; there is no form in which they are one pipeline, and the error is that of the first.
    pub fn read(packages: &[(&str, &[u8])], overrides: &Overrides) -> Result<Forms> {
        let mut read = Vec::with_capacity(packages.len());
        for (name, bytes) in packages {
            let in_it = |e: Error| if packages.len() > 1 { e.at(name) } else { e };
            read.push((*name, *bytes, Package::read(bytes).map_err(|e| in_it(damaged(e)))?));
        }
        let digests = packages.iter().map(|p| md5(p.1)).collect();
        let mut out = Forms { possible: Vec::new(), impossible: Vec::new(), digests };
        for &form in Form::ALL.iter().filter(|&&form| read.iter().any(|(_, _, p)| p.all_forms().contains(&form))) {
            match Forms::one(&read, form, overrides) {
                Ok(possible) => out.possible.push(possible),
                Err(e) => out.impossible.push((form, e)),
            }
        }
        match out.possible.is_empty() {
            false => Ok(out),
            true if out.impossible.is_empty() => Err(Error::new(ErrorKind::Package, "no package is given")),
            true => {
                let mut all = out.impossible.into_iter();
                let (_, first) = all.next().unwrap_or_else(|| rtc_base::bug!("no form"));
                Err(all.fold(first, |e, (form, other)| e.note(format!("form `{form}`: {}", other.message))))
            }
        }
    }

    fn one(read: &[(&str, &[u8], Package)], form: Form, overrides: &Overrides) -> Result<Possible> {
        let mut packages = Vec::with_capacity(read.len());
        for (name, bytes, package) in read {
            let own = package.all_forms();
            let as_it_is = package.forms.is_empty() && (own == [form] || package.is_neutral());
            let bytes = match as_it_is {
                true => bytes.to_vec(),
                false => {
                    let one = package.clone().into_form(form).ok_or_else(|| no_form(&format!("`{name}`"), form, &own))?;
                    one.write().map_err(damaged)?
                }
            };
            packages.push((name.to_string(), bytes));
        }
        let named: Vec<_> = packages.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
        let library = Library::read_all(&named, overrides)?;
        Ok(Possible { form, packages, library })
    }

    /// The key of dispatches of a ray generation shader of these packages, for [`Choices`].
    pub fn key(&self, shader: &str) -> String {
        choices::key(&self.digests, shader)
    }

    /// A form, if it is possible.
    ///
    /// # Errors
    /// Why it is not.
    pub fn get(&self, form: Form) -> Result<&Possible> {
        if let Some(found) = self.possible.iter().find(|p| p.form == form) {
            return Ok(found);
        }
        match self.impossible.iter().find(|i| i.0 == form) {
            Some((_, e)) => Err(e.clone()),
            None => Err(no_form("the package", form, &self.possible.iter().map(|p| p.form).collect::<Vec<_>>())),
        }
    }

    /// The form for a device, without measuring. `refusals`: why it does not run a library, nothing if it does.
    ///
    /// # Errors
    /// It runs none; the notes say why.
    pub fn by_rule(&self, device: WaveTraits, refusals: impl Fn(Form, &Library) -> Vec<String>) -> Result<Choice> {
        let WaveTraits { reorders, splits } = device;
        let plain = if splits { [Form::Converge, Form::Lower] } else { [Form::Lower, Form::Converge] };
        let objects = [Form::Ext, Form::Nv];
        let order = if reorders { [objects, plain] } else { [plain, objects] };
        let mut refused = Vec::new();
        for form in order.into_iter().flatten().chain([Form::Wavefront]) {
            let Some(p) = self.possible.iter().find(|p| p.form == form) else { continue };
            let reasons = refusals(form, &p.library);
            if !reasons.is_empty() {
                refused.push(format!("form `{form}`: {}", reasons.join("; ")));
                continue;
            }
            let why = match form {
                _ if self.possible.len() == 1 => "the only form",
                Form::Ext | Form::Nv if reorders => "the device reorders threads",
                Form::Converge if splits => "the device leaves waves split after divergent traces",
                Form::Lower if reorders => "the device has no form that reorders threads",
                Form::Lower => "the device reorders no threads",
                _ => "the device runs no other form",
            };
            return Ok(Choice { form, why });
        }
        let mut e = Error::new(ErrorKind::Limit, "the device runs none of the package's forms");
        e.notes = refused;
        Err(e)
    }
}

#[cfg(test)]
mod tests;
