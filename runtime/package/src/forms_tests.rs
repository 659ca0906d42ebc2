//! Packages with several forms: round trip, what forms share, damage.

use super::*;
use crate::tests::sample;
use crate::{Requirement, UNBOUNDED};
use rtc_dxil_container::{Container, FourCc, Signing, write as container};
use rtc_dxil_testing::Random;

fn extension(name: &str) -> Requirement {
    Requirement { kind: RequirementKind::SpirvExtension, name: name.into(), extension: String::new(), reason: "hit objects".into() }
}

/// A package in all forms.
fn several() -> Package {
    let whole = sample();
    let wavefront = PackageForm { form: Form::Wavefront, spirv: whole.spirv.clone(), map: whole.map.clone() };
    let mut lowered = whole;
    lowered.map.wavefront.clear();
    let mut converge = PackageForm { form: Form::Converge, spirv: lowered.spirv.clone(), map: lowered.map.clone() };
    converge.map.null_misses = Some(0);
    let plain = BindingMap { lowering: None, ..lowered.map.clone() };
    let with = |form, name: &str| {
        let mut map = plain.clone();
        map.requirements.push(extension(name));
        PackageForm { form, spirv: vec![0x0723_0203, 0x0001_0400, 0, 9, 0], map }
    };
    lowered.forms =
        vec![with(Form::Ext, "SPV_EXT_shader_invocation_reorder"), with(Form::Nv, "SPV_NV_shader_invocation_reorder"), wavefront, converge];
    lowered
}

#[test]
fn forms_come_back() {
    let package = several();
    let bytes = package.write().unwrap();
    let again = Package::read(&bytes).unwrap();
    assert_eq!(again, package);
    assert_eq!(again.all_forms(), Form::ALL);
    let c = Container::parse(&bytes).unwrap();
    assert_eq!(c.require(FourCc::RTPK).unwrap()[..4], [3, 0, 0, 0]);
    let older = Package { forms: again.forms[..3].to_vec(), ..again.clone() }.write().unwrap();
    assert_eq!(Container::parse(&older).unwrap().require(FourCc::RTPK).unwrap()[..4], [2, 0, 0, 0]);
    for &form in Form::ALL {
        let one = again.clone().into_form(form).unwrap();
        assert_eq!((one.form(), one.forms.len(), one.all_forms()), (form, 0, vec![form]));
        // A package with one form has the oldest format, unless older readers would lay out its tables wrongly.
        let bytes = one.write().unwrap();
        let version = if form == Form::Converge { 3 } else { 1 };
        assert_eq!(Container::parse(&bytes).unwrap().require(FourCc::RTPK).unwrap()[..4], [version, 0, 0, 0]);
        assert_eq!(Package::read(&bytes).unwrap(), one);
    }
    assert_eq!(sample().into_form(Form::Nv), None);
    assert_eq!(Form::named("wavefront"), Some(Form::Wavefront));
    assert_eq!(Form::named("Wavefront"), None);
}

#[test]
fn neutral_packages_have_no_hit_objects() {
    assert!(!several().is_neutral() && !sample().is_neutral());
    let lowered = several().into_form(Form::Lower).unwrap();
    assert!(!lowered.is_neutral());
    assert!(Package { map: BindingMap { lowering: None, ..lowered.map.clone() }, ..lowered }.is_neutral());
    assert!(!several().into_form(Form::Ext).unwrap().is_neutral());
}

#[test]
fn what_forms_do_not_share_is_refused() {
    let fails = |change: &dyn Fn(&mut Package), why: &str| {
        let mut p = several();
        change(&mut p);
        let e = Package::read(&p.write().unwrap()).unwrap_err();
        assert_eq!((e.part.as_str(), e.reason.as_str()), ("FORM", why));
    };
    fails(&|p| p.forms.swap(0, 1), "form `ext` after form `nv`, they are in the order of their numbers");
    fails(&|p| p.forms[1] = p.forms[0].clone(), "form `ext` after form `ext`, they are in the order of their numbers");
    fails(&|p| p.forms[0].form = Form::Lower, "form `lower` after form `lower`, they are in the order of their numbers");
    fails(&|p| p.forms[1].map = p.forms[0].map.clone(), "form `nv` has the contents of form `ext`");
    fails(&|p| p.map = p.forms[2].map.clone(), "form `ext` after form `wavefront`, they are in the order of their numbers");
    fails(
        &|p| p.forms[2].map.bindings[0].binding = 7,
        "`Frame` is at set 0, binding 7 in form `wavefront` and at set 0, binding 0 in form `lower`",
    );
    fails(&|p| p.forms[0].map.records[0].size += 4, "the shader records of `LRS` differ between form `ext` and form `lower`");
    fails(&|p| p.forms[0].spirv[0] = 1, "is not a SPIR-V module");
    fails(&|p| p.forms.extend(p.forms.clone()), "8 further forms, the most are 4");
    // A resource of one form alone, and one of the compiler, are no conflict.
    let mut p = several();
    let mut own = p.map.bindings[0].clone();
    (own.name, own.count) = ("rtc.wavefront.keys".into(), UNBOUNDED);
    p.forms[2].map.bindings.push(own);
    p.forms[0].map.bindings.remove(0);
    assert_eq!(Package::read(&p.write().unwrap()).unwrap(), p);
}

/// The package with other bytes of the part, signed again.
fn with_part(bytes: &[u8], part: &[u8]) -> Vec<u8> {
    let c = Container::parse(bytes).unwrap();
    let parts: Vec<_> = c.parts.iter().map(|p| (p.name, if p.name.0 == *b"FORM" { part } else { &p.data })).collect();
    container(&parts, Signing::Digest).unwrap()
}

#[test]
fn damaged_parts_are_errors() {
    let whole = several().write().unwrap();
    let part = Container::parse(&whole).unwrap().require(FourCc(*b"FORM")).unwrap().to_vec();
    let reason = |part: &[u8]| Package::read(&with_part(&whole, part)).unwrap_err().reason;
    let with = |at: usize, word: u32| {
        let mut data = part.clone();
        data[at..at + 4].copy_from_slice(&word.to_le_bytes());
        data
    };
    assert_eq!(reason(&with(0, 2)), "unsupported version 2 of the part, the newest supported is 1");
    assert_eq!(reason(&with(8, 9)), "unknown form 9");
    for len in 0..part.len() {
        assert!(Package::read(&with_part(&whole, &part[..len])).is_err(), "cut to {len}");
    }
    // Nothing panics, whatever is in it.
    let mut random = Random(0x1357_9bdf_2468_ace0);
    let package = several();
    let mut data = part.clone();
    for n in 0..20_000 {
        data.copy_from_slice(&part);
        let reach = if n % 2 == 0 { 64 } else { data.len() };
        random.damage(&mut data[..reach]);
        if let Err(e) = read(&data, &package) {
            assert!(e.part == "FORM" && e.offset <= data.len(), "{e}");
        }
    }
    // A container of format 1 has no forms: its readers skip the part.
    let c = Container::parse(&whole).unwrap();
    let older: Vec<_> =
        c.parts.iter().map(|p| (p.name, if p.name == FourCc::RTPK { &[1, 0, 0, 0, 0, 0, 0, 0][..] } else { &p.data })).collect();
    assert!(Package::read(&container(&older, Signing::Digest).unwrap()).unwrap().forms.is_empty());
}
