//! Packages with several forms: one library whose hit objects are translated in several ways, of which the runtime runs one.
//!
//! The part `FORM` has a module and a binding map for each form but the first, which is in `SPRV` and `BMAP`: lowered, so that every
//! device with ray tracing runs it, unless the library cannot be:
//!
//! | words | what |
//! |---|---|
//! | 0, 1 | version of the part (1), number of forms |
//! | 5 for each form | the form, offset and bytes of its map (as `BMAP`), offset and bytes of its module (as `SPRV`) |
//!
//! The forms share RDAT. Resources have the same descriptor slots in all of them, and shader records the same layout, so that what a host
//! binds and writes for one form fits each: [`check`] compares them. Shader identifiers are those of the pipeline of a form.

use crate::map::{read_map, read_spirv, write_map};
use crate::{Binding, BindingMap, Package, RequirementKind};
use rtc_dxil_container::kinds;
use rtc_dxil_container::{Bytes, FormatError, put_u32};

/// Version of the part.
const VERSION: u32 = 1;
/// Bytes of a row.
const ROW: usize = 20;

kinds! {
    /// How a library translates hit objects and reorder points.
    pub enum Form {
        /// Lowered to what every device with ray tracing has; of a library without hit objects the library as it is.
        Lower = 0 "lower",
        /// With `SPV_EXT_shader_invocation_reorder`.
        Ext = 1 "ext",
        /// With `SPV_NV_shader_invocation_reorder`.
        Nv = 2 "nv",
        /// Lowered and divided at reorder points, between which the host sorts rays.
        Wavefront = 3 "wavefront",
        /// Lowered, and all lanes of a wave execute the traces that some of them have.
        Converge = 4 "converge",
    }
}

impl Form {
    /// The form of this name.
    pub fn named(name: &str) -> Option<Form> {
        Form::ALL.iter().copied().find(|f| f.name() == name)
    }
}

/// A further form of a package.
#[derive(Clone, PartialEq, Debug)]
pub struct PackageForm {
    /// Which.
    pub form: Form,
    /// Its SPIR-V module, words in the machine's order.
    pub spirv: Vec<u32>,
    /// How its module meets the API.
    pub map: BindingMap,
}

impl Package {
    /// The form of the package's own module, as its contents say.
    pub fn form(&self) -> Form {
        let extension = |name: &str| self.map.requirements.iter().any(|r| r.kind == RequirementKind::SpirvExtension && r.name == name);
        match () {
            () if !self.map.wavefront.is_empty() => Form::Wavefront,
            () if extension("SPV_EXT_shader_invocation_reorder") => Form::Ext,
            () if extension("SPV_NV_shader_invocation_reorder") => Form::Nv,
            () if self.map.null_misses.is_some() => Form::Converge,
            () => Form::Lower,
        }
    }

    /// All forms that it has, its own first.
    pub fn all_forms(&self) -> Vec<Form> {
        std::iter::once(self.form()).chain(self.forms.iter().map(|f| f.form)).collect()
    }

    /// Whether it has no hit objects and runs in one pipeline with hit objects of an extension.
    pub fn is_neutral(&self) -> bool {
        self.forms.is_empty() && self.form() == Form::Lower && self.map.lowering.is_none() && self.map.null_misses.is_none()
    }

    /// The package in one form alone; none: it does not have that form.
    pub fn into_form(mut self, form: Form) -> Option<Package> {
        if self.form() == form {
            self.forms.clear();
            return Some(self);
        }
        let found = std::mem::take(&mut self.forms).into_iter().find(|f| f.form == form)?;
        Some(Package { spirv: found.spirv, map: found.map, ..self })
    }
}

/// The bytes of the part.
pub(crate) fn write(forms: &[PackageForm]) -> Vec<u8> {
    let (mut head, mut data) = (Vec::new(), Vec::new());
    put_u32(&mut head, VERSION);
    put_u32(&mut head, forms.len() as u32);
    let first = 8 + ROW * forms.len();
    for f in forms {
        let map = write_map(&f.map);
        let spirv: Vec<u8> = f.spirv.iter().flat_map(|w| w.to_le_bytes()).collect();
        put_u32(&mut head, f.form.as_u32());
        for bytes in [map, spirv] {
            put_u32(&mut head, (first + data.len()) as u32);
            put_u32(&mut head, bytes.len() as u32);
            data.extend(bytes);
        }
    }
    head.extend(data);
    head
}

/// Reads the part of a package whose other parts are read.
pub(crate) fn read(data: &[u8], package: &Package) -> Result<Vec<PackageForm>, FormatError> {
    let part = Bytes::new("FORM", data);
    let (version, count) = (part.u32(0)?, part.u32(4)?);
    if version != VERSION {
        return Err(part.error(0, format!("unsupported version {version} of the part, the newest supported is {VERSION}")));
    }
    if count as usize >= Form::ALL.len() {
        return Err(part.error(4, format!("{count} further forms, the most are {}", Form::ALL.len() - 1)));
    }
    let mut out: Vec<PackageForm> = Vec::new();
    for i in 0..count as usize {
        let at = 8 + ROW * i;
        let number = part.u32(at)?;
        let form = Form::from_u32(number).ok_or_else(|| part.error(at, format!("unknown form {number}")))?;
        let before = out.last().map_or(package.form(), |f| f.form);
        if form <= before {
            return Err(part.error(at, format!("form `{form}` after form `{before}`, they are in the order of their numbers")));
        }
        // What a reader of the bytes finds is at an offset of them, not of the part.
        let within = |word: usize, e: FormatError| FormatError { part: "FORM".into(), offset: e.offset + word, ..e };
        let slice = |word: usize| {
            let (offset, size) = (part.u32(word)? as usize, part.u32(word + 4)?);
            part.slice(offset, size.into()).map(|bytes| (offset, bytes))
        };
        let (start, bytes) = slice(at + 4)?;
        let map = read_map(bytes).map_err(|e| within(start, e))?;
        let (start, bytes) = slice(at + 12)?;
        let spirv = read_spirv(bytes).map_err(|e| within(start, e))?;
        let read = PackageForm { form, spirv, map };
        check(package, &read).map_err(|why| part.error(at, why))?;
        out.push(read);
    }
    Ok(out)
}

/// Checks what all forms of a package share: what a host binds and writes for one fits each.
///
/// # Errors
/// What differs.
pub(crate) fn check(package: &Package, other: &PackageForm) -> Result<(), String> {
    let is = Package { spirv: Vec::new(), map: other.map.clone(), ..Package::default() }.form();
    if is != other.form {
        return Err(format!("form `{}` has the contents of form `{is}`", other.form));
    }
    // Resources of the compiler begin with its name.
    let declared = |b: &&Binding| !b.name.starts_with("rtc.");
    let key = |b: &Binding| (b.class, b.space, b.register, b.heap, b.descriptor, b.name.clone());
    let slot = |b: &Binding| (b.set, b.binding, b.count, b.stride_or_size, b.counter);
    for b in other.map.bindings.iter().filter(declared) {
        let same = package.map.bindings.iter().find(|k| key(k) == key(b));
        // What one form alone uses has no slot in the other that could be another.
        if let Some(k) = same.filter(|k| slot(k) != slot(b)) {
            return Err(format!(
                "`{}` is at set {}, binding {} in form `{}` and at set {}, binding {} in form `{}`",
                b.name,
                b.set,
                b.binding,
                other.form,
                k.set,
                k.binding,
                package.form()
            ));
        }
    }
    for r in &other.map.records {
        let same = package.map.records.iter().find(|k| k.root_signature == r.root_signature);
        if same.is_some_and(|k| k != r) {
            return Err(format!(
                "the shader records of `{}` differ between form `{}` and form `{}`",
                r.root_signature,
                other.form,
                package.form()
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
#[path = "forms_tests.rs"]
mod tests;
