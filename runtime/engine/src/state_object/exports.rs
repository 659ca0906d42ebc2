//! Which exports of a package a state object takes, and under which names: `D3D12_EXPORT_DESC`.
//!
//! A name that is exported twice makes two exports of one function. What the library's own subobjects say about an export holds for it
//! under all its names.

use crate::error::{Error, ErrorKind, Result, list};
use rtc_dxil_container::rdat::{Rdat, SubobjectValue};
use rtc_package::{BindingMap, EntryPoint, Package, WavefrontShader};

/// An export to take.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExportDesc {
    /// Its name in the state object.
    pub name: String,
    /// Its name in the library, mangled or not, if that is another.
    pub renamed: Option<String>,
}

impl ExportDesc {
    /// An export under its own name.
    pub fn of(name: impl Into<String>) -> ExportDesc {
        ExportDesc { name: name.into(), renamed: None }
    }

    /// The export `from` under another name.
    pub fn renamed(name: impl Into<String>, from: impl Into<String>) -> ExportDesc {
        ExportDesc { name: name.into(), renamed: Some(from.into()) }
    }

    fn from(&self) -> &str {
        self.renamed.as_deref().unwrap_or(&self.name)
    }
}

/// Reduces a package to `exports`; an empty list takes everything.
///
/// # Errors
/// [`ErrorKind::StateObject`]: a name that the library does not export, or one that is taken twice.
pub fn select(package: &mut Package, exports: &[ExportDesc]) -> Result<()> {
    if exports.is_empty() {
        return Ok(());
    }
    let names = rename(&mut package.rdat, exports)?;
    let mut entries = Vec::new();
    let mut moved = Vec::new();
    for (i, e) in package.map.entries.iter().enumerate() {
        for (old, new) in names.iter().filter(|(old, _)| *old == e.export) {
            debug_assert_eq!(*old, e.export);
            moved.push((i as u32, entries.len() as u32));
            entries.push(EntryPoint { export: new.clone(), ..e.clone() });
        }
    }
    package.map.wavefront = divided(&package.map, &names, &mut entries);
    package.map.entries = entries;
    let uses = std::mem::take(&mut package.map.payloads.uses);
    for u in uses {
        for (_, new) in moved.iter().filter(|(old, _)| *old == u.entry) {
            package.map.payloads.uses.push(rtc_package::PayloadUse { entry: *new, ..u });
        }
    }
    Ok(())
}

/// The divided shaders among `names`, under their new names; the entry points that resume their rays come along.
fn divided(map: &BindingMap, names: &[(String, String)], entries: &mut Vec<EntryPoint>) -> Vec<WavefrontShader> {
    let mut out = Vec::new();
    for w in &map.wavefront {
        for (_, new) in names.iter().filter(|(old, _)| *old == w.shader) {
            let mut shader = WavefrontShader { shader: new.clone(), ..w.clone() };
            for (n, point) in shader.points.iter_mut().enumerate() {
                let resume = rtc_tables::wavefront::resume(new, n as u32);
                let entry = map.entries.iter().find(|e| e.export == point.resume);
                entries.extend(entry.map(|e| EntryPoint { export: resume.clone(), ..e.clone() }));
                point.resume = resume;
            }
            out.push(shader);
        }
    }
    out
}

/// Reduces RDAT to `exports`; returns the old and the new name of each function.
fn rename(rdat: &mut Rdat, exports: &[ExportDesc]) -> Result<Vec<(String, String)>> {
    let wrong = |why: String| Error::new(ErrorKind::StateObject, why);
    if let Some(e) = exports.iter().enumerate().find_map(|(i, e)| exports[..i].iter().any(|o| o.name == e.name).then_some(e)) {
        return Err(wrong(format!("`{}` is exported twice", e.name)));
    }
    let mut functions = Vec::new();
    let mut groups = Vec::new();
    let mut names: Vec<(String, String)> = Vec::new();
    for e in exports {
        let found = rdat.functions.iter().find(|f| f.unmangled == e.from() || f.name == e.from());
        if let Some(f) = found {
            names.push((f.unmangled.clone(), e.name.clone()));
            functions.push(rtc_dxil_container::rdat::Function { unmangled: e.name.clone(), name: e.name.clone(), ..f.clone() });
        } else if let Some(g) = rdat.hit_groups().find(|g| g.name == e.from()) {
            names.push((g.name.clone(), e.name.clone()));
            groups.push((g.name.clone(), e.name.clone()));
        } else {
            let all = rdat.functions.iter().map(|f| &f.unmangled).chain(rdat.hit_groups().map(|g| &g.name));
            return Err(wrong(format!("the library does not export `{}`", e.from())).note(format!("exports: {}", list(all))));
        }
    }
    let first = |old: &str| names.iter().find(|(o, _)| o == old).map(|(_, new)| new.clone());
    let all_groups: Vec<String> = rdat.hit_groups().map(|g| g.name.clone()).collect();
    let mangled: Vec<(String, String)> = rdat.functions.iter().map(|f| (f.name.clone(), f.unmangled.clone())).collect();
    let plain = |name: &str| mangled.iter().find(|m| m.0 == name).map_or(name.to_string(), |m| m.1.clone());
    let mut subobjects = Vec::new();
    for s in std::mem::take(&mut rdat.subobjects) {
        match s.value {
            SubobjectValue::HitGroup { ty, any_hit, closest_hit, intersection } => {
                // Shaders of a hit group are named as the state object names them.
                let shader = |name: String| first(&plain(&name)).unwrap_or(name);
                let value = SubobjectValue::HitGroup {
                    ty,
                    any_hit: shader(any_hit),
                    closest_hit: shader(closest_hit),
                    intersection: shader(intersection),
                };
                for (_, new) in groups.iter().filter(|(old, _)| *old == s.name) {
                    subobjects.push(rtc_dxil_container::rdat::Subobject { name: new.clone(), value: value.clone() });
                }
            }
            SubobjectValue::Association { subobject, exports } => {
                let was_default = exports.is_empty();
                let mut exports: Vec<String> = exports
                    .iter()
                    .flat_map(|e| {
                        let old = plain(e);
                        let known = mangled.iter().any(|m| m.1 == old) || all_groups.contains(&old);
                        let new: Vec<String> = names.iter().filter(|(o, _)| *o == old).map(|(_, new)| new.clone()).collect();
                        // Names of other libraries stay.
                        if known { new } else { vec![e.clone()] }
                    })
                    .collect();
                // An association whose exports are all left out concerns nothing; neither it nor its subobject must become a default.
                if exports.is_empty() && !was_default {
                    exports.push(NO_EXPORT.to_string());
                }
                let value = SubobjectValue::Association { subobject, exports };
                subobjects.push(rtc_dxil_container::rdat::Subobject { name: s.name, value });
            }
            _ => subobjects.push(s),
        }
    }
    rdat.functions = functions;
    rdat.subobjects = subobjects;
    Ok(names)
}

/// The export of an association all of whose exports are left out; no export can have this name.
pub(super) const NO_EXPORT: &str = "(no export)";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{associate, library, sub};

    #[test]
    fn exports_are_renamed_with_what_refers_to_them() {
        let mut rdat = library();
        rdat.subobjects.push(sub("SC2", SubobjectValue::ShaderConfig { max_payload: 32, max_attributes: 8 }));
        rdat.subobjects.push(associate("SC2", &["Sky", "Hit"]));
        let taken = [
            ExportDesc::of("Gen"),
            ExportDesc::renamed("RedHit", "Hit"),
            ExportDesc::renamed("RedG", "G"),
            ExportDesc::of("Any"),
            ExportDesc::renamed("Sky1", "Sky"),
            ExportDesc::renamed("Sky2", "Sky"),
        ];
        let names = rename(&mut rdat, &taken).unwrap();
        assert_eq!(names.len(), 6);
        let functions: Vec<&str> = rdat.functions.iter().map(|f| f.unmangled.as_str()).collect();
        assert_eq!(functions, ["Gen", "RedHit", "Any", "Sky1", "Sky2"]);
        let group = rdat.hit_groups().next().unwrap();
        assert_eq!(group.name, "RedG");
        let SubobjectValue::HitGroup { closest_hit, any_hit, .. } = &group.value else { unreachable!() };
        assert_eq!((closest_hit.as_str(), any_hit.as_str()), ("RedHit", "Any"));
        let SubobjectValue::Association { exports, .. } = &rdat.subobjects.last().unwrap().value else { unreachable!() };
        assert_eq!(exports, &["Sky1", "Sky2", "RedHit"]);
    }

    /// A subobject whose association concerns no export that is taken is no default for the others.
    #[test]
    fn what_is_left_out_leaves_no_default() {
        let mut rdat = library();
        rdat.subobjects.push(sub("SC2", SubobjectValue::ShaderConfig { max_payload: 32, max_attributes: 8 }));
        rdat.subobjects.push(associate("SC2", &["Sky"]));
        rename(&mut rdat, &[ExportDesc::of("Gen")]).unwrap();
        let SubobjectValue::Association { exports, .. } = &rdat.subobjects.last().unwrap().value else { unreachable!() };
        assert_eq!(exports, &[NO_EXPORT]);

        // Hit groups are left out as shaders are; names of other libraries stay.
        let mut rdat = library();
        rdat.subobjects.push(sub("SC2", SubobjectValue::ShaderConfig { max_payload: 32, max_attributes: 8 }));
        rdat.subobjects.push(associate("SC2", &["G", "Sky", "Elsewhere"]));
        rename(&mut rdat, &[ExportDesc::of("Sky")]).unwrap();
        let SubobjectValue::Association { exports, .. } = &rdat.subobjects.last().unwrap().value else { unreachable!() };
        assert_eq!(exports, &["Sky", "Elsewhere"]);
    }

    /// The entry points that resume the rays of a divided shader go with it.
    #[test]
    fn divided_shaders_are_renamed() {
        let entry = |export: &str| EntryPoint {
            export: export.into(),
            spirv_name: export.into(),
            stage: rtc_dxil_container::ShaderKind::RayGeneration,
            record: None,
            payload_size: 0,
            attribute_size: 0,
            elements: Vec::new(),
        };
        let point = rtc_package::WavefrontPoint { resume: "Gen.resume0".into(), words: 1, row_bits: 0, hint_bits: 0 };
        let package = || {
            let mut package = Package { rdat: library(), ..Package::default() };
            package.map.entries = ["Gen", "Gen.resume0", "Sky"].map(entry).to_vec();
            package.map.wavefront =
                vec![WavefrontShader { shader: "Gen".into(), words: 1, index_read: false, points: vec![point.clone()] }];
            package
        };
        let mut both = package();
        select(&mut both, &[ExportDesc::renamed("A", "Gen"), ExportDesc::renamed("B", "Gen")]).unwrap();
        let entries: Vec<_> = both.map.entries.iter().map(|e| (e.export.as_str(), e.spirv_name.as_str())).collect();
        assert_eq!(entries, [("A", "Gen"), ("B", "Gen"), ("A.resume0", "Gen.resume0"), ("B.resume0", "Gen.resume0")]);
        let divided: Vec<_> = both.map.wavefront.iter().map(|w| (w.shader.as_str(), w.points[0].resume.as_str())).collect();
        assert_eq!(divided, [("A", "A.resume0"), ("B", "B.resume0")]);

        let mut other = package();
        select(&mut other, &[ExportDesc::of("Sky")]).unwrap();
        assert_eq!((other.map.entries.len(), other.map.wavefront.len()), (1, 0));
        let mut all = package();
        select(&mut all, &[]).unwrap();
        assert_eq!((all.map.entries.len(), all.map.wavefront.len()), (3, 1));
    }

    #[test]
    fn names_that_are_not_there() {
        let fails = |taken: &[ExportDesc], what: &str| {
            let e = rename(&mut library(), taken).unwrap_err();
            assert!(e.to_string().contains(what), "{e}");
        };
        fails(&[ExportDesc::of("Gone")], "does not export `Gone`");
        fails(&[ExportDesc::of("Gone")], "`Gen`, `Hit`, `Any`, `Sky`, `G`");
        fails(&[ExportDesc::renamed("X", "Hit"), ExportDesc::renamed("X", "Sky")], "`X` is exported twice");
    }
}
