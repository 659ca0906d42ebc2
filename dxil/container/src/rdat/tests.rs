//! RDAT against the reference containers, and against damage.

use super::associate::{Slot, resolve};
use super::*;
use crate::{Container, FourCc};
use rtc_dxil_testing::Random;
use rtc_dxil_testing::corpus;

fn reference(name: &str) -> Vec<u8> {
    Container::parse(corpus::get(name)).unwrap().require(FourCc::RDAT).unwrap().to_vec()
}

fn validator_of(name: &str) -> Version {
    if name.contains("val16") { Version::new(1, 6) } else { Version::new(1, 10) }
}

fn libraries() -> impl Iterator<Item = &'static str> {
    corpus::ALL.iter().map(|(n, _)| *n).filter(|n| !n.starts_with("cs_"))
}

#[test]
fn reference_data_comes_back_byte_for_byte() {
    for name in libraries() {
        let bytes = reference(name);
        let rdat = Rdat::read(&bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(rdat.other_tables.is_empty(), "{name}");
        assert_eq!(rdat.write(validator_of(name)), bytes, "{name}");
    }
}

#[test]
fn what_rt_basic_says() {
    let rdat = Rdat::read(&reference("rt_basic.dxil")).unwrap();
    let names: Vec<_> = rdat.resources.iter().map(|r| r.name.as_str()).collect();
    assert_eq!(names, ["Frame", "L", "Smp", "Scene", "Vtx", "Idx", "Tex", "Out"]);
    let tex = &rdat.resources[6];
    assert_eq!((tex.class, tex.kind, tex.space), (ResourceClass::Srv, ResourceKind::Texture2D, 2));
    assert_eq!(tex.count(), u32::MAX);
    let f = rdat.function("AnyHit").unwrap();
    assert_eq!((f.kind, f.payload_size, f.attribute_size), (ShaderKind::AnyHit, 20, 8));
    assert_eq!(f.resources, [1, 2, 6]);
    assert_eq!(unmangle(&f.name), "AnyHit");
    assert_eq!(f.min_target, MinTarget { kind: ShaderKind::AnyHit, model: Version::new(6, 3) });
    assert_eq!(f.stage_mask, ShaderKind::AnyHit.bit());
    assert_eq!(
        rdat.subobject("Proc").unwrap().value,
        SubobjectValue::HitGroup {
            ty: HitGroupType::Procedural,
            any_hit: String::new(),
            closest_hit: "ClosestProc".into(),
            intersection: "Intersect".into(),
        }
    );
    assert_eq!(
        rdat.subobject("Assoc").unwrap().value,
        SubobjectValue::Association { subobject: "LRS".into(), exports: vec!["Tri".into(), "Proc".into()] }
    );
}

#[test]
fn what_rt_basic_associates() {
    let rdat = Rdat::read(&reference("rt_basic.dxil")).unwrap();
    let a = resolve(&rdat);
    assert_eq!(a.problems, []);
    let name = |export: &str, slot| a.export(export).unwrap().get(slot).map(|i| rdat.subobjects[i].name.as_str());
    for hit in ["Tri", "Proc", "AnyHit", "ClosestHit", "ClosestProc", "Intersect"] {
        assert_eq!(name(hit, Slot::LocalRootSignature), Some("LRS"), "{hit}");
    }
    for other in ["RayGen", "Miss", "Shade"] {
        assert_eq!(name(other, Slot::LocalRootSignature), None, "{other}");
    }
    for e in &a.exports {
        assert_eq!(name(&e.name, Slot::GlobalRootSignature), Some("GRS"));
        assert_eq!(name(&e.name, Slot::ShaderConfig), Some("Cfg"));
        assert_eq!(name(&e.name, Slot::PipelineConfig), Some("Pipe"));
        assert_eq!(name(&e.name, Slot::StateObjectConfig), None);
    }
}

fn function(name: &str, kind: ShaderKind) -> Function {
    Function {
        name: format!("\u{1}?{name}@@YAXXZ"),
        unmangled: name.into(),
        resources: Vec::new(),
        dependencies: Vec::new(),
        kind,
        payload_size: 0,
        attribute_size: 0,
        features: 0,
        stage_mask: kind.bit(),
        min_target: MinTarget { kind, model: Version::new(6, 3) },
        v2: FunctionV2::default(),
    }
}

fn subobject(name: &str, value: SubobjectValue) -> Subobject {
    Subobject { name: name.into(), value }
}

fn associate(name: &str, subobject_name: &str, exports: &[&str]) -> Subobject {
    let exports = exports.iter().map(|e| (*e).to_owned()).collect();
    subobject(name, SubobjectValue::Association { subobject: subobject_name.into(), exports })
}

/// One of everything.
fn kitchen_sink() -> Rdat {
    let mut caller = function("caller", ShaderKind::Library);
    caller.dependencies = vec!["\u{1}?beta@@YAXXZ".into(), "\u{1}?alpha@@YAXXZ".into()];
    caller.features = 1 << 41 | 0x8000;
    caller.v2 = FunctionV2 { min_wave_lanes: 4, max_wave_lanes: 32, flags: 16, compute: None, stage_info: Some(3) };
    let mut ray = function("ray", ShaderKind::RayGeneration);
    ray.resources = vec![0];
    let root = vec![2, 0, 0, 0];
    Rdat {
        resources: vec![Resource {
            class: ResourceClass::Uav,
            kind: ResourceKind::StructuredBuffer,
            id: 0,
            space: 7,
            lower: 1,
            upper: 4,
            name: "Out".into(),
            flags: resource_flags::COUNTER,
        }],
        externals: vec!["\u{1}?alpha@@YAXXZ".into(), "\u{1}?beta@@YAXXZ".into()],
        functions: vec![caller, ray],
        subobjects: vec![
            subobject("config", SubobjectValue::StateObjectConfig { flags: 4 }),
            subobject("grs", SubobjectValue::GlobalRootSignature { data: root.clone() }),
            subobject("lrs", SubobjectValue::LocalRootSignature { data: root }),
            associate("all", "lrs", &[]),
            associate("one", "lrs", &["ray"]),
            subobject("shader", SubobjectValue::ShaderConfig { max_payload: 16, max_attributes: 8 }),
            subobject("pipe", SubobjectValue::PipelineConfig { max_recursion: 1 }),
            subobject("pipe1", SubobjectValue::PipelineConfig1 { max_recursion: 2, flags: 0x100 }),
            subobject(
                "group",
                SubobjectValue::HitGroup {
                    ty: HitGroupType::Triangle,
                    any_hit: String::new(),
                    closest_hit: "hit".into(),
                    intersection: String::new(),
                },
            ),
        ],
        other_tables: Vec::new(),
    }
}

#[test]
fn one_of_everything_comes_back() {
    let rdat = kitchen_sink();
    assert_eq!(Rdat::read(&rdat.write(Version::new(1, 8))).unwrap(), rdat);
    assert_eq!(rdat.write(Version::new(0, 0)), rdat.write(Version::new(1, 10)));
    let mut old = rdat.clone();
    old.functions[0].v2 = FunctionV2::default();
    assert_eq!(Rdat::read(&rdat.write(Version::new(1, 7))).unwrap(), old);
    old.subobjects.clear();
    assert_eq!(Rdat::read(&rdat.write(Version::new(1, 3))).unwrap(), old);
    let empty = Rdat::default().write(Version::new(1, 10));
    assert_eq!(empty, [0x10, 0, 0, 0, 1, 0, 0, 0, 12, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(Rdat::read(&empty).unwrap(), Rdat::default());
}

/// As the reference compiler writes them: equal shaders have one record, after the subobjects.
#[test]
fn compute_shaders_of_trial_models_have_a_table() {
    let compute = |name, threads, groupshared| {
        let mut f = function(name, ShaderKind::Compute);
        f.v2.compute = Some(ComputeInfo { threads, groupshared });
        f
    };
    let mut rdat = kitchen_sink();
    rdat.functions = vec![
        compute("a", [8, 2, 1], 92),
        compute("b", [8, 2, 1], 0),
        function("ray", ShaderKind::RayGeneration),
        compute("c", [8, 2, 1], 0),
    ];
    rdat.externals.clear();
    let bytes = rdat.write(Version::new(1, 10));
    let table = [19u32, 24, 2, 8, 0, 92, 0, 0].map(u32::to_le_bytes);
    assert!(bytes.ends_with(table.as_flattened()), "{bytes:x?}");
    // The last word of each function's record, 52 bytes long: its row.
    let at = bytes.windows(16).position(|w| w == [4u32, 8 + 4 * 52, 4, 52].map(u32::to_le_bytes).as_flattened());
    let rows = [0, 1, 2, 3].map(|n| {
        let end = at.unwrap() + 16 + 52 * n + 48;
        u32::from_le_bytes(bytes[end..end + 4].try_into().unwrap())
    });
    assert_eq!(rows, [0, 1, NULL, 1]);
    assert_eq!(Rdat::read(&bytes).unwrap(), rdat);
    // A row that is not there, and an array that is not there.
    let last = bytes.len();
    for (at, wrong) in [(last - 24, 1u32), (last - 16, 999)] {
        let mut bytes = bytes.clone();
        bytes[at..at + 4].copy_from_slice(&wrong.to_le_bytes());
        assert!(Rdat::read(&bytes).is_err());
    }
}

#[test]
fn equal_root_signatures_arrays_and_strings_are_stored_once() {
    let bytes = kitchen_sink().write(Version::new(1, 8));
    let find = |needle: &[u8]| bytes.windows(needle.len()).filter(|w| *w == needle).count();
    assert_eq!(find(b"\0ray\0"), 1);
    // The raw bytes part: its header and one root signature.
    assert_eq!(find(&[5, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0]), 1);
    let mut twice = kitchen_sink();
    twice.functions[0].resources = vec![0];
    assert_eq!(twice.write(Version::new(1, 8)).len(), bytes.len());
}

#[test]
fn unknown_tables_are_reported_and_left_out() {
    let rdat = kitchen_sink();
    let bytes = rdat.write(Version::new(1, 8));
    let count = u32::from_le_bytes(bytes[4..8].try_into().unwrap());
    let mut more = bytes[..4].to_vec();
    more.extend((count + 1).to_le_bytes());
    for i in 0..count as usize {
        let at = u32::from_le_bytes(bytes[8 + 4 * i..12 + 4 * i].try_into().unwrap());
        more.extend((at + 4).to_le_bytes());
    }
    more.extend((bytes.len() as u32 + 4).to_le_bytes());
    more.extend(&bytes[8 + 4 * count as usize..]);
    more.extend([99, 0, 0, 0, 4, 0, 0, 0, 1, 2, 3, 4]);
    let read = Rdat::read(&more).unwrap();
    assert_eq!(read.other_tables, [OtherTable { part_type: 99, data: vec![1, 2, 3, 4] }]);
    assert_eq!(read.write(Version::new(1, 8)), bytes);
}

#[test]
fn conflicts_and_missing_names_are_problems() {
    let local = |n| SubobjectValue::LocalRootSignature { data: vec![n] };
    let library = |subobjects: Vec<Subobject>| Rdat {
        functions: vec![function("hit", ShaderKind::ClosestHit), function("any", ShaderKind::AnyHit), function("miss", ShaderKind::Miss)],
        subobjects,
        ..Rdat::default()
    };
    let group = || {
        subobject(
            "group",
            SubobjectValue::HitGroup {
                ty: HitGroupType::Triangle,
                any_hit: "any".into(),
                closest_hit: "hit".into(),
                intersection: String::new(),
            },
        )
    };
    let messages = |subobjects| -> Vec<(String, bool)> {
        resolve(&library(subobjects)).problems.into_iter().map(|p| (p.message, p.unresolved)).collect()
    };
    let (a, b) = (|| subobject("a", local(1)), || subobject("b", local(2)));
    // The same definition under two names is no conflict.
    assert_eq!(messages(vec![a(), subobject("b", local(1)), associate("x", "a", &["hit"]), associate("y", "b", &["hit"])]), []);
    let two = messages(vec![a(), b(), associate("x", "a", &["hit"]), associate("y", "b", &["hit"])]);
    assert_eq!(two, [("'a' and 'b' are both associated with 'hit'".into(), false)]);
    let split = messages(vec![a(), b(), group(), associate("x", "a", &["hit"]), associate("y", "b", &["any"])]);
    assert_eq!(split.len(), 1, "{split:?}");
    let contradicts = messages(vec![a(), b(), group(), associate("x", "a", &["group"]), associate("y", "b", &["any"])]);
    assert_eq!(contradicts.len(), 1, "{contradicts:?}");
    let missing = messages(vec![associate("x", "nothing", &["hit"]), a(), associate("y", "a", &["absent"])]);
    assert_eq!(missing, [("there is no subobject 'nothing'".into(), true), ("there is no export 'absent'".into(), true),]);
    assert_eq!(messages(vec![group(), associate("x", "group", &["hit"])]).len(), 1);
    assert_eq!(messages(vec![a(), b()]), [("'a' and 'b' are both defaults".into(), false)]);
    // An explicit association takes a subobject out of the defaults.
    let r = resolve(&library(vec![a(), b(), associate("x", "b", &["miss"])]));
    assert_eq!(r.problems, []);
    assert_eq!(r.export("miss").unwrap().get(Slot::LocalRootSignature), Some(1));
    assert_eq!(r.export("hit").unwrap().get(Slot::LocalRootSignature), Some(0));
}

#[test]
fn bit_flips_never_panic_and_stay_bounded() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let mut sources: Vec<Vec<u8>> = vec![reference("rt_basic.dxil"), reference("rt_basic.val16.dxil")];
    sources.push(kitchen_sink().write(Version::new(1, 8)));
    for source in sources {
        let mut data = source.clone();
        for _ in 0..35_000 {
            data.copy_from_slice(&source);
            random.damage(&mut data);
            match Rdat::read(&data) {
                Ok(rdat) => {
                    resolve(&rdat);
                    rdat.write(Version::new(1, 8));
                }
                Err(e) => assert!(e.offset <= data.len() && e.part == "RDAT", "{e}"),
            }
        }
    }
}

#[test]
fn shared_arrays_cannot_blow_up_the_model() {
    // 20000 functions that all name the same array of 20000 resources.
    let n = 20_000u32;
    let mut strings_and_index = Vec::new();
    for word in [1, 4, 0, 2, 4 * (n + 1), n] {
        strings_and_index.extend(u32::to_le_bytes(word));
    }
    strings_and_index.extend(vec![0; 4 * n as usize]);
    let mut functions = Vec::new();
    for word in [4, 8 + 44 * n, n, 44] {
        functions.extend(u32::to_le_bytes(word));
    }
    for _ in 0..n {
        for word in [0, 0, 0, NULL, 7, 0, 0, 0, 0, 0, 7 << 16 | 0x63] {
            functions.extend(u32::to_le_bytes(word));
        }
    }
    let mut resources = Vec::new();
    for word in [3, 8 + 32, 1, 32, 0, 16, 0, 0, 0, 0, 0, 0] {
        resources.extend(u32::to_le_bytes(word));
    }
    let mut data = Vec::new();
    let head = 8 + 16;
    let index_at = head + 12;
    let resources_at = head + strings_and_index.len();
    let functions_at = resources_at + resources.len();
    for word in [RDAT_VERSION, 4, head as u32, index_at as u32, resources_at as u32, functions_at as u32] {
        data.extend(u32::to_le_bytes(word));
    }
    data.extend(strings_and_index);
    data.extend(resources);
    data.extend(functions);
    let e = Rdat::read(&data).unwrap_err();
    assert_eq!(e.reason, "records refer to far more data than the part has");
}
