//! Merging packages into one pipeline, as D3D12 links collections into a state object: shaders, hit groups, resources and subobjects
//! are united after everything that the packages share has been checked.
//!
//! The packages were compiled separately, so they may conflict: two resources at one binding, one resource at two bindings, different
//! subobjects of one name, and payloads that only one package packs, which no driver detects (DXR, ray payload structure). Each
//! conflict is an error that names both packages.

mod launch;

use crate::error::{Error, ErrorKind, Result};
use crate::own_tables;
use rtc_dxil_container::ShaderKind;
use rtc_package::{Binding, Package, PayloadField, PayloadType};
use rustc_hash::FxHashMap;

/// Several packages as one.
#[derive(Clone, PartialEq, Debug)]
pub struct MergedPackage {
    /// The union; its module is that of the first package.
    pub package: Package,
    /// The modules of the other packages.
    pub additional_modules: Vec<Vec<u32>>,
    /// Which module each entry point is in: 0 is the first package's.
    pub module_of: Vec<usize>,
    /// Warnings.
    pub warnings: Vec<String>,
}

fn error(kind: ErrorKind, message: String) -> Error {
    Error::new(kind, message)
}

/// Merges packages with their names; at least one is required.
///
/// # Errors
/// No package is given, or two packages conflict.
pub fn merge(packages: Vec<(String, Package)>) -> Result<MergedPackage> {
    let alone = packages.len() == 1;
    let mut all = packages.into_iter();
    let Some((first, package)) = all.next() else {
        return Err(error(ErrorKind::Package, "no package is given".into()));
    };
    let mut out =
        MergedPackage { module_of: vec![0; package.map.entries.len()], package, additional_modules: Vec::new(), warnings: Vec::new() };
    if alone {
        return Ok(out);
    }
    let all: Vec<_> = all.collect();
    check_sorted_launches(std::iter::once((&first, &out.package)).chain(all.iter().map(|(name, p)| (name, p))))?;
    let mut origins = Origins { first: first.clone(), ..Origins::default() };
    origins.record(&first, &out.package);
    check_not_lowered(&first, &out.package)?;
    check_layouts_known(&first, &out.package, &mut out.warnings);
    for (name, p) in all {
        check_not_lowered(&name, &p)?;
        check_layouts_known(&name, &p, &mut out.warnings);
        add(&mut out, &mut origins, &name, p)?;
    }
    // Any of them may run for any ray.
    let index_read = out.package.map.wavefront.iter().any(|w| w.index_read);
    out.package.map.wavefront.iter_mut().for_each(|w| w.index_read = index_read);
    Ok(out)
}

/// Where rays are sorted, the index of a launch is not that of the ray: libraries with divided shaders know, others do not.
fn check_sorted_launches<'a>(all: impl Iterator<Item = (&'a String, &'a Package)> + Clone) -> Result<()> {
    let Some((divided, p)) = all.clone().find(|(_, p)| !p.map.wavefront.is_empty()) else {
        return Ok(());
    };
    let reader =
        all.filter(|(_, p)| p.map.wavefront.is_empty()).find_map(|(name, p)| Some((name, launch::reader_of_the_launch(&p.spirv)?)));
    let Some((name, shader)) = reader else {
        return Ok(());
    };
    let start = &p.map.wavefront[0].shader;
    let message = format!(
        "`{shader}` of `{name}` reads the index or the size of the launch, and `{start}` of `{divided}` launches sorted rays, which have others"
    );
    Err(error(ErrorKind::Package, message).note("compile both libraries as one, or `-fspv-ser=lower`"))
}

/// Which package things are origins.
#[derive(Default)]
struct Origins {
    first: String,
    exports: FxHashMap<String, String>,
    bindings: FxHashMap<String, String>,
    subobjects: FxHashMap<String, String>,
    payloads: FxHashMap<String, String>,
}

impl Origins {
    fn record(&mut self, package: &str, p: &Package) {
        let note = |map: &mut FxHashMap<String, String>, names: &mut dyn Iterator<Item = &String>| {
            for n in names {
                map.entry(n.clone()).or_insert_with(|| package.to_owned());
            }
        };
        note(&mut self.exports, &mut p.rdat.functions.iter().map(|f| &f.unmangled));
        note(&mut self.bindings, &mut p.map.bindings.iter().map(|b| &b.name));
        note(&mut self.subobjects, &mut p.rdat.subobjects.iter().map(|s| &s.name));
        note(&mut self.payloads, &mut p.map.payloads.types.iter().map(|t| &t.name));
    }
    fn of<'a>(&'a self, map: &'a FxHashMap<String, String>, name: &str) -> &'a str {
        map.get(name).map_or(&self.first, String::as_str)
    }
}

/// A package with lowered hit objects cannot be merged: its recorders assume one payload type, or its traces one more row of the miss table.
fn check_not_lowered(name: &str, p: &Package) -> Result<()> {
    match own_tables::of(p) {
        None => Ok(()),
        Some((why, note)) => {
            Err(error(ErrorKind::Package, format!("`{name}` has {why} and cannot be merged with other packages")).note(note))
        }
    }
}

/// Warns about a package that uses payloads and does not record their layouts.
fn check_layouts_known(name: &str, p: &Package, warnings: &mut Vec<String>) {
    if p.map.payloads.types.is_empty()
        && p.rdat.functions.iter().any(|f| f.payload_size > 0 && f.kind.is_raytracing() && f.kind != ShaderKind::Callable)
    {
        warnings.push(format!("`{name}` does not record its payload layouts; they cannot be compared with those of the other packages"));
    }
}

fn add(out: &mut MergedPackage, origins: &mut Origins, name: &str, p: Package) -> Result<()> {
    for f in &p.rdat.functions {
        if let Some(other) = origins.exports.get(&f.unmangled) {
            let message = format!("both `{other}` and `{name}` export `{}`", f.unmangled);
            return Err(error(ErrorKind::StateObject, message).note("rename one export with -exports NEW=OLD"));
        }
    }
    for t in &p.map.payloads.types {
        if let Some(known) = out.package.map.payloads.types.iter().find(|k| k.name == t.name) {
            check_payloads_agree((origins.of(&origins.payloads, &t.name), known), (name, t))?;
        }
    }
    for b in &p.map.bindings {
        bind(out, origins, name, b)?;
    }
    origins.record(name, &p);
    let (rdat, map) = (&mut out.package.rdat, &mut out.package.map);
    let resources = rdat.resources.len() as u32;
    rdat.resources.extend(p.rdat.resources);
    for e in p.rdat.externals {
        if !rdat.externals.contains(&e) {
            rdat.externals.push(e);
        }
    }
    rdat.functions.extend(p.rdat.functions.into_iter().map(|mut f| {
        f.resources.iter_mut().for_each(|r| *r = r.saturating_add(resources));
        f
    }));
    for s in p.rdat.subobjects {
        match rdat.subobjects.iter().find(|k| k.name == s.name) {
            None => rdat.subobjects.push(s),
            Some(k) if k.value == s.value => {}
            Some(_) => {
                let other = origins.of(&origins.subobjects, &s.name);
                let message = format!("the subobject `{}` differs between `{name}` and `{other}`", s.name);
                return Err(error(ErrorKind::StateObject, message));
            }
        }
    }
    map.wavefront.extend(p.map.wavefront);
    let (records, entries) = (map.records.len() as u32, map.entries.len() as u32);
    map.records.extend(p.map.records);
    map.entries.extend(p.map.entries.into_iter().map(|mut e| {
        e.record = e.record.map(|r| r.saturating_add(records));
        e
    }));
    for r in p.map.requirements {
        let known = |k: &rtc_package::Requirement| (k.kind, &k.name, &k.extension) == (r.kind, &r.name, &r.extension);
        if !map.requirements.iter().any(known) {
            map.requirements.push(r);
        }
    }
    let types = map.payloads.types.len() as u32;
    map.payloads.types.extend(p.map.payloads.types);
    map.payloads.uses.extend(p.map.payloads.uses.into_iter().map(|mut u| {
        (u.entry, u.payload) = (u.entry.saturating_add(entries), u.payload.saturating_add(types));
        u
    }));
    let (target, other) = (&mut map.target, p.map.target);
    target.spirv = target.spirv.max(other.spirv);
    target.vulkan = target.vulkan.max(other.vulkan);
    out.additional_modules.push(p.spirv);
    out.module_of.resize(map.entries.len(), out.additional_modules.len());
    Ok(())
}

/// Adds a resource of another package: the same as an existing one, or one at a free descriptor slot.
fn bind(out: &mut MergedPackage, origins: &Origins, name: &str, b: &Binding) -> Result<()> {
    let describe_slot = |b: &Binding| match b.descriptor {
        rtc_package::DescriptorKind::PushConstants => format!("byte {} of the push constants", b.binding),
        _ => format!("set {}, binding {}", b.set, b.binding),
    };
    let same = |k: &Binding| (k.class, k.space, k.register, k.heap) == (b.class, b.space, b.register, b.heap) && k.name == b.name;
    let alike = |k: &Binding| {
        (k.kind, k.count, k.descriptor, k.stride_or_size, k.component, k.counter)
            == (b.kind, b.count, b.descriptor, b.stride_or_size, b.component, b.counter)
    };
    let hint = "give both packages the same binding maps: -fvk-bind-register, the -fvk-…-shift options or [[vk::binding]]";
    // A heap has several rows at one descriptor slot.
    let found = out.package.map.bindings.iter_mut().find(|k| same(k) && (!b.heap || k.descriptor == b.descriptor));
    if let Some(k) = found {
        let other = origins.of(&origins.bindings, &b.name);
        if (k.set, k.binding) != (b.set, b.binding) {
            let message = format!("`{}` is at {} in `{other}` and at {} in `{name}`", b.name, describe_slot(k), describe_slot(b));
            return Err(error(ErrorKind::Binding, message).note(hint));
        }
        if !alike(k) {
            let message = format!("the resource `{}` differs between `{name}` and `{other}`", b.name);
            return Err(error(ErrorKind::Binding, message));
        }
        k.stages |= b.stages;
        k.writable |= b.writable;
        k.coherent |= b.coherent;
        k.non_uniform |= b.non_uniform;
        k.components = k.components.max(b.components);
        return Ok(());
    }
    let taken = |k: &&Binding| {
        let places = |x: &Binding| [Some((x.set, x.binding)), x.counter].into_iter().flatten().collect::<Vec<_>>();
        let push = |x: &Binding| x.descriptor == rtc_package::DescriptorKind::PushConstants;
        let heap = k.heap && b.heap && k.name == b.name;
        push(k) == push(b) && !heap && places(k).iter().any(|p| places(b).contains(p))
    };
    if let Some(k) = out.package.map.bindings.iter().find(taken) {
        let other = origins.of(&origins.bindings, &k.name);
        let message = format!("`{}` of `{other}` and `{}` of `{name}` are both at {}", k.name, b.name, describe_slot(b));
        return Err(error(ErrorKind::Binding, message).note(hint));
    }
    out.package.map.bindings.push(b.clone());
    Ok(())
}

/// Checks that two packages lay out a payload type in the same way.
fn check_payloads_agree((first, a): (&str, &PayloadType), (second, b): (&str, &PayloadType)) -> Result<()> {
    let name = &a.name;
    let how = |t: &PayloadType| match t.packed {
        true => format!("packed into {} bytes", t.size),
        false => format!("laid out as declared, in {} bytes", t.size),
    };
    let differ = |why: String| {
        let hint = match a.packed || b.packed {
            true => {
                "compile all libraries of the pipeline with -payload-layout=packed, or with one layout file (rtc paq FILES -layout=FILE, then -payload-layout-file=FILE)"
            }
            false => "the caller of TraceRay and the shaders that it invokes must use the same structure",
        };
        Err(error(ErrorKind::StateObject, why).note(hint))
    };
    if a.packed != b.packed {
        return differ(format!("the payload `{name}` is {} in `{first}` and {} in `{second}`", how(a), how(b)));
    }
    let declared = |f: &PayloadField| (f.name.clone(), f.ty.clone(), f.bits);
    let shown = |f: Option<&PayloadField>| f.map_or("no further field".to_owned(), |f| format!("`{} {}`", f.ty, f.name));
    for n in 0..a.fields.len().max(b.fields.len()) {
        let (x, y) = (a.fields.get(n), b.fields.get(n));
        if x.map(declared) != y.map(declared) {
            return differ(format!("the payload `{name}` is declared differently: {} in `{first}`, {} in `{second}`", shown(x), shown(y)));
        }
        let (Some(x), Some(y)) = (x, y) else { continue };
        if x.offset != y.offset {
            let at = |f: &PayloadField| f.offset.map_or("no bits".to_owned(), |o| format!("bit {o}"));
            return differ(format!(
                "the payload `{name}` has two packed layouts: `{}` is at {} in `{first}` and at {} in `{second}`",
                x.name,
                at(x),
                at(y)
            ));
        }
        if a.packed && (x.read, x.write, x.alive) != (y.read, y.write, y.alive) {
            return differ(format!(
                "`{}` of the payload `{name}` has different access qualifiers, or was laid out for different shaders, in `{first}` and `{second}`",
                x.name
            ));
        }
    }
    if (a.size, a.declared_size) != (b.size, b.declared_size) {
        return differ(format!("the payload `{name}` is {} in `{first}` and {} in `{second}`", how(a), how(b)));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
