//! Forms of one and of several packages, and the rule that chooses one.

use super::*;
use crate::testing::{function, library as rdat};
use rtc_dxil_container::ShaderKind;
use rtc_package::{BindingMap, EntryPoint, HitLowering, PackageForm, Requirement, RequirementKind, WavefrontPoint, WavefrontShader};

const MODULE: [u32; 6] = [0x0723_0203, 0x0001_0400, 0, 1, 0, 0x0001_0000];

/// A package with an entry point for each function of the testing library.
fn plain() -> Package {
    let rdat = rdat();
    let entries = rdat.functions.iter().map(|f| EntryPoint {
        export: f.unmangled.clone(),
        spirv_name: f.unmangled.clone(),
        stage: f.kind,
        record: None,
        payload_size: f.payload_size,
        attribute_size: f.attribute_size,
        elements: Vec::new(),
    });
    let map = BindingMap { entries: entries.collect(), ..BindingMap::default() };
    Package { rdat, spirv: MODULE.to_vec(), map, ..Package::default() }
}

/// The map of a form of [`plain`].
fn map(form: Form) -> BindingMap {
    let mut map = plain().map;
    let name = match form {
        Form::Lower | Form::Wavefront => {
            let recorders = vec![(String::new(), "rtc.record".to_owned())];
            map.lowering = Some(HitLowering { tail_offset: 0, tail_size: 4, recorders, missed: None });
            map.entries.iter_mut().filter(|e| e.stage == ShaderKind::ClosestHit).for_each(|e| e.stage = ShaderKind::Miss);
            if form == Form::Wavefront {
                let start = map.entries.iter().find(|e| e.stage == ShaderKind::RayGeneration).expect("a shader that starts rays").clone();
                let resume = EntryPoint { export: format!("{}.resume0", start.export), ..start.clone() };
                let points = vec![WavefrontPoint { resume: resume.export.clone(), words: 4, row_bits: 24, hint_bits: 0 }];
                map.wavefront = vec![WavefrontShader { shader: start.export, words: 4, index_read: false, points }];
                map.entries.push(resume);
            }
            return map;
        }
        Form::Converge => {
            map.null_misses = Some(1);
            return map;
        }
        Form::Ext => "SPV_EXT_shader_invocation_reorder",
        Form::Nv => "SPV_NV_shader_invocation_reorder",
    };
    let kind = RequirementKind::SpirvExtension;
    map.requirements.push(Requirement { kind, name: name.into(), extension: String::new(), reason: "hit objects".into() });
    map
}

fn several(forms: &[Form]) -> Vec<u8> {
    let form = |&form: &Form| PackageForm { form, spirv: MODULE.to_vec(), map: map(form) };
    let package = Package { map: map(Form::Lower), forms: forms.iter().map(form).collect(), ..plain() };
    package.write().unwrap()
}

fn read(packages: &[&[u8]]) -> Result<Forms> {
    let named: Vec<(String, &[u8])> = packages.iter().enumerate().map(|(n, bytes)| (format!("package{n}"), *bytes)).collect();
    let named: Vec<(&str, &[u8])> = named.iter().map(|(name, bytes)| (name.as_str(), *bytes)).collect();
    Forms::read(&named, &Overrides::default())
}

fn names(forms: &Forms) -> Vec<Form> {
    forms.possible.iter().map(|p| p.form).collect()
}

/// A package with other exports and no hit objects: a callable shader.
fn neutral() -> Vec<u8> {
    let mut p = plain();
    p.rdat.functions = vec![function("Other", ShaderKind::Callable)];
    // Configurations stay, which both have.
    p.rdat.subobjects.retain(|s| s.name != "G");
    p.map.entries.truncate(1);
    (p.map.entries[0].export, p.map.entries[0].spirv_name, p.map.entries[0].stage) = ("Other".into(), "Other".into(), ShaderKind::Callable);
    p.write().unwrap()
}

#[test]
fn all_forms_of_a_package_are_possible() {
    let all = several(&Form::ALL[1..]);
    let forms = read(&[&all]).unwrap();
    assert_eq!(names(&forms), Form::ALL);
    for p in &forms.possible {
        let one = Package::read(&p.packages[0].1).unwrap();
        assert_eq!((one.form(), one.forms.len()), (p.form, 0));
        assert_eq!(p.library.package.map, one.map);
        assert_eq!(in_form(&all, p.form).unwrap(), p.packages[0].1);
    }
    // As one package it is the lowered form.
    assert_eq!(Library::read(&all, &Overrides::default()).unwrap().package.map, map(Form::Lower));
    let few = several(&[Form::Wavefront]);
    let e = in_form(&few, Form::Nv).unwrap_err();
    assert_eq!(e.message, "the package has no form `nv`");
    assert!(e.notes[0].starts_with("forms: `lower`, `wavefront`"), "{e}");
    assert_eq!(read(&[&few]).unwrap().get(Form::Ext).unwrap_err().message, "the package has no form `ext`");
}

#[test]
fn a_package_with_one_form_is_that_form() {
    for &form in Form::ALL {
        let one = in_form(&several(&Form::ALL[1..]), form).unwrap();
        assert_eq!(names(&read(&[&one]).unwrap()), [form]);
        assert_eq!(in_form(&one, form).unwrap(), one);
    }
    assert_eq!(names(&read(&[&plain().write().unwrap()]).unwrap()), [Form::Lower]);
    assert_eq!(read(&[]).unwrap_err().message, "no package is given");
    assert!(read(&[b"DXBC"]).unwrap_err().message.starts_with("the package is damaged"));
}

#[test]
fn several_packages_are_one_pipeline_in_forms_that_all_have() {
    let (all, other) = (several(&Form::ALL[1..]), neutral());
    // Lowered hit objects are of one package alone.
    let forms = read(&[&all, &other]).unwrap();
    assert_eq!(names(&forms), [Form::Ext, Form::Nv]);
    assert_eq!(forms.impossible.iter().map(|i| i.0).collect::<Vec<_>>(), [Form::Lower, Form::Wavefront, Form::Converge]);
    let why = forms.get(Form::Converge).unwrap_err();
    assert_eq!(why.message, "`package0` has traces by whole waves (-fspv-converge-traces) and cannot be merged with other packages");
    let why = forms.get(Form::Wavefront).unwrap_err();
    assert_eq!(why.message, "`package0` has lowered hit objects and cannot be merged with other packages");
    assert_eq!(forms.possible[0].packages[1].1, other);
    // No form in which they are.
    let e = read(&[&several(&[Form::Wavefront]), &other]).unwrap_err();
    assert_eq!(e.message, "`package0` has lowered hit objects and cannot be merged with other packages");
    assert!(e.notes.iter().any(|n| n.starts_with("form `wavefront`: `package0` has lowered")), "{e}");
    // A form that one has and the other, with hit objects, does not.
    let e = read(&[&several(&[Form::Ext]), &several(&[Form::Nv])]).unwrap_err();
    assert!(e.notes.iter().any(|n| n == "form `ext`: `package1` has no form `ext`"), "{e}");
    assert!(e.notes.iter().any(|n| n == "form `nv`: `package0` has no form `nv`"), "{e}");
}

#[test]
fn the_rule_prefers_what_the_device_does_itself() {
    let forms = read(&[&several(&Form::ALL[1..])]).unwrap();
    let choice = |reorders, refused: &[Form]| {
        let refusals = |form: Form, library: &Library| {
            assert_eq!(library.package.form(), form);
            if refused.contains(&form) { vec![format!("no {form}")] } else { Vec::new() }
        };
        forms.by_rule(WaveTraits { reorders, splits: false }, refusals)
    };
    let form = |reorders, refused: &[Form]| choice(reorders, refused).unwrap().form;
    assert_eq!(form(true, &[]), Form::Ext);
    assert_eq!(form(true, &[Form::Ext]), Form::Nv);
    assert_eq!(form(true, &[Form::Ext, Form::Nv]), Form::Lower);
    assert_eq!(form(false, &[]), Form::Lower);
    assert_eq!(form(false, &[Form::Lower, Form::Converge]), Form::Ext);
    assert_eq!(choice(false, &[]).unwrap().why, "the device reorders no threads");
    let e = choice(false, Form::ALL).unwrap_err();
    assert_eq!((e.kind, e.notes.len(), e.notes[0].as_str()), (ErrorKind::Limit, 5, "form `lower`: no lower"));
    let splits = |reorders| forms.by_rule(WaveTraits { reorders, splits: true }, |_, _| Vec::new()).unwrap();
    assert_eq!((splits(false).form, splits(true).form), (Form::Converge, Form::Ext));
    assert_eq!(splits(false).why, "the device leaves waves split after divergent traces");
    let one = read(&[&plain().write().unwrap()]).unwrap();
    assert_eq!(
        one.by_rule(WaveTraits { reorders: true, splits: false }, |_, _| Vec::new()).unwrap(),
        Choice { form: Form::Lower, why: "the only form" }
    );
}
