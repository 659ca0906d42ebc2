//! Packages that can be merged, and conflicts that are reported.

use super::*;
use crate::library::Library;
use crate::state_object::Overrides;
use crate::testing::{function, sub};
use rtc_dxil_container::rdat::{Rdat, Resource, SubobjectValue};
use rtc_dxil_container::{ComponentType, ResourceClass, ResourceKind};
use rtc_package::{BindingMap, DescriptorKind, EntryPoint, HitLowering, PayloadUse, Payloads};

fn payload(name: &str, packed: bool) -> PayloadType {
    let field =
        |name: &str, offset| PayloadField { name: name.into(), ty: "float".into(), offset, bits: 32, read: 1, write: 2, alive: 0x100 };
    let fields = vec![field("a", Some(0)), field("b", Some(32))];
    PayloadType { name: name.into(), declared_size: 16, size: 16, packed, fields }
}

fn binding(name: &str, register: u32, binding: u32) -> Binding {
    Binding {
        name: name.into(),
        class: ResourceClass::Uav,
        kind: ResourceKind::RawBuffer,
        space: 0,
        register,
        count: 1,
        set: 0,
        binding,
        descriptor: DescriptorKind::StorageBuffer,
        stride_or_size: 0,
        component: ComponentType::Invalid,
        components: 0,
        writable: true,
        coherent: false,
        non_uniform: false,
        counter: None,
        heap: false,
        stages: 1 << 7,
    }
}

/// A package of these shaders, all of which use the payload `P`.
fn package(shaders: &[(&str, ShaderKind)], configs: bool) -> Package {
    let mut rdat = Rdat::default();
    let mut map = BindingMap { bindings: vec![binding("Out", 0, 0)], ..BindingMap::default() };
    for (n, (name, kind)) in shaders.iter().enumerate() {
        let mut f = function(name, *kind);
        f.resources = vec![0];
        rdat.functions.push(f);
        map.entries.push(EntryPoint {
            export: name.to_string(),
            spirv_name: name.to_string(),
            stage: *kind,
            record: None,
            payload_size: 16,
            attribute_size: 0,
            elements: Vec::new(),
        });
        map.payloads.uses.push(PayloadUse { entry: n as u32, payload: 0, traces: *kind == ShaderKind::RayGeneration });
    }
    map.payloads.types.push(payload("P", true));
    rdat.resources.push(Resource {
        class: ResourceClass::Uav,
        kind: ResourceKind::RawBuffer,
        id: 0,
        space: 0,
        lower: 0,
        upper: 0,
        name: "Out".into(),
        flags: 0,
    });
    if configs {
        rdat.subobjects.push(sub("SC", SubobjectValue::ShaderConfig { max_payload: 16, max_attributes: 8 }));
        rdat.subobjects.push(sub("PC", SubobjectValue::PipelineConfig { max_recursion: 2 }));
    }
    let spirv = vec![0x0723_0203, 0x0001_0400, 0, 1, 0, 0x0001_0000];
    Package { rdat, spirv, map, ..Package::default() }
}

fn rays() -> Package {
    package(&[("Gen", ShaderKind::RayGeneration), ("Sky", ShaderKind::Miss)], true)
}

fn hits() -> Package {
    package(&[("Hit", ShaderKind::ClosestHit)], false)
}

fn both(a: Package, b: Package) -> Result<MergedPackage> {
    merge(vec![("a.rtp".into(), a), ("b.rtp".into(), b)])
}

#[test]
fn packages_come_together() {
    let done = both(rays(), hits()).unwrap();
    assert_eq!(done.module_of, [0, 0, 1]);
    assert_eq!(done.additional_modules.len(), 1);
    assert!(done.warnings.is_empty());
    let p = &done.package;
    assert_eq!(p.map.bindings.len(), 1);
    assert_eq!(p.rdat.functions[2].resources, [1]);
    assert_eq!(p.map.payloads.uses[2], PayloadUse { entry: 2, payload: 1, traces: false });
    // A resource of its own, at a place of its own.
    let mut more = hits();
    more.map.bindings.push(binding("Log", 1, 1));
    assert_eq!(both(rays(), more).unwrap().package.map.bindings.len(), 2);
    // What is declared alike in both is one.
    let mut alike = hits();
    alike.rdat.subobjects = rays().rdat.subobjects;
    assert_eq!(both(rays(), alike).unwrap().package.rdat.subobjects.len(), 2);
    // The whole way, from bytes.
    let bytes = [rays().write().unwrap(), hits().write().unwrap()];
    let library = Library::read_all(&[("a", &bytes[0]), ("b", &bytes[1])], &Overrides::default()).unwrap();
    assert_eq!((library.module_of("Sky"), library.module_of("Hit")), (0, 1));
    let e = Library::read_all(&[("a", &bytes[0]), ("b", &bytes[1][..40])], &Overrides::default()).unwrap_err();
    assert!(e.message.starts_with("b: the package is damaged"), "{e}");
}

#[test]
fn payloads_that_differ_are_refused() {
    let fails = |change: &dyn Fn(&mut PayloadType), why: &str| {
        let mut b = hits();
        change(&mut b.map.payloads.types[0]);
        let e = both(rays(), b).unwrap_err();
        assert_eq!(e.kind, ErrorKind::StateObject);
        assert!(e.message.contains(why), "{e}");
        assert!(!e.notes.is_empty());
    };
    fails(&|t| t.packed = false, "is packed into 16 bytes in `a.rtp` and laid out as declared, in 16 bytes in `b.rtp`");
    fails(&|t| t.fields[1].offset = Some(64), "two packed layouts: `b` is at bit 32 in `a.rtp` and at bit 64 in `b.rtp`");
    fails(&|t| t.fields[1].offset = None, "`b` is at bit 32 in `a.rtp` and at no bits in `b.rtp`");
    fails(&|t| t.fields[0].ty = "int".into(), "`float a` in `a.rtp`, `int a` in `b.rtp`");
    fails(&|t| _ = t.fields.pop(), "`float b` in `a.rtp`, no further field in `b.rtp`");
    fails(&|t| t.fields[0].read = 3, "`a` of the payload `P` has different access qualifiers");
    fails(&|t| t.fields[0].alive = 1, "or was laid out for different shaders");
    fails(&|t| t.size = 20, "is packed into 16 bytes in `a.rtp` and packed into 20 bytes in `b.rtp`");
    // As declared, qualifiers decide nothing; other payloads are another matter.
    let (mut a, mut b) = (rays(), hits());
    a.map.payloads.types[0].packed = false;
    b.map.payloads.types[0].packed = false;
    b.map.payloads.types[0].fields[0].read = 3;
    assert!(both(a, b).is_ok());
    let mut b = hits();
    b.map.payloads.types[0] = payload("Q", false);
    assert!(both(rays(), b).is_ok());
    // What a package does not say is not known.
    let mut b = hits();
    b.map.payloads = Payloads::default();
    assert_eq!(both(rays(), b).unwrap().warnings.len(), 1);
}

#[test]
fn what_else_cannot_be_together() {
    let fails = |b: Package, why: &str| {
        let e = both(rays(), b).unwrap_err();
        assert!(e.message.contains(why), "{e}");
    };
    fails(package(&[("Sky", ShaderKind::Miss)], false), "both `a.rtp` and `b.rtp` export `Sky`");
    let with = |b: Binding| {
        let mut p = hits();
        p.map.bindings = vec![b];
        p
    };
    fails(with(binding("Out", 0, 3)), "`Out` is at set 0, binding 0 in `a.rtp` and at set 0, binding 3 in `b.rtp`");
    fails(with(binding("Log", 1, 0)), "`Out` of `a.rtp` and `Log` of `b.rtp` are both at set 0, binding 0");
    let mut other = binding("Out", 0, 0);
    other.count = 2;
    fails(with(other), "the resource `Out` differs between `b.rtp` and `a.rtp`");
    let mut counter = binding("Log", 1, 7);
    counter.counter = Some((0, 0));
    fails(with(counter), "are both at set 0, binding 7");
    let mut p = hits();
    p.rdat.subobjects.push(sub("PC", SubobjectValue::PipelineConfig { max_recursion: 3 }));
    fails(p, "the subobject `PC` differs between `b.rtp` and `a.rtp`");
    let mut p = hits();
    p.map.lowering = Some(HitLowering::default());
    fails(p, "`b.rtp` has lowered hit objects");
    assert!(merge(Vec::new()).is_err());
}

/// A library whose rays are sorted next to one whose shaders read the index of the launch.
#[test]
fn shaders_that_read_the_launch_of_sorted_rays() {
    use rtc_package::{WavefrontPoint, WavefrontShader};
    // An entry point `Hit`, whose interface is the variable 7, the index of the launch.
    let reads = vec![0x0723_0203, 0x0001_0400, 0, 9, 0, 5 << 16 | 15, 5316, 1, u32::from_le_bytes(*b"Hit\0"), 7, 4 << 16 | 71, 7, 11, 5319];
    let divided = |name: &str, index_read| {
        let mut p = package(&[(name, ShaderKind::RayGeneration)], false);
        let points = vec![WavefrontPoint { resume: name.into(), ..WavefrontPoint::default() }];
        p.map.wavefront = vec![WavefrontShader { shader: name.into(), words: 4, index_read, points }];
        p
    };
    let other = Package { spirv: reads, ..package(&[("Hit", ShaderKind::ClosestHit)], false) };
    for turn in [false, true] {
        let mut both = vec![("a".to_owned(), divided("Main", false)), ("b".to_owned(), other.clone())];
        if turn {
            both.reverse();
        }
        let e = merge(both).unwrap_err();
        assert_eq!(e.kind, ErrorKind::Package);
        assert!(e.message.contains("`Hit` of `b` reads the index") && e.message.contains("`Main` of `a` launches sorted rays"), "{e}");
    }
    let plain = package(&[("Main", ShaderKind::RayGeneration)], false);
    assert!(merge(vec![("a".into(), plain), ("b".into(), other)]).is_ok());
    // What one of the divided ones reads, the launches of all say.
    let both = merge(vec![("a".into(), divided("A", false)), ("b".into(), divided("B", true))]).unwrap();
    assert!(both.package.map.wavefront.len() == 2 && both.package.map.wavefront.iter().all(|w| w.index_read));
}
