//! The rules of one pipeline, one test each.

use super::*;
use crate::testing::{associate, function, library, sub};

fn group(name: &str, any_hit: &str, closest_hit: &str) -> HitGroup {
    HitGroup { name: name.into(), any_hit: any_hit.into(), closest_hit: closest_hit.into(), ..HitGroup::default() }
}

#[track_caller]
fn fails(rdat: &Rdat, overrides: &Overrides, what: &str) {
    let e = resolve(&mut rdat.clone(), overrides).expect_err("must not resolve");
    assert_eq!(e.kind, ErrorKind::StateObject);
    assert!(e.to_string().contains(what), "{e}");
}

#[test]
fn groups_find_their_shaders() {
    let mut rdat = library();
    let so = resolve(&mut rdat, &Overrides::default()).unwrap();
    let g = &so.groups[0];
    assert_eq!((g.name.as_str(), g.any_hit, g.closest_hit), ("G", Some(2), Some(1)));
    assert_eq!(so.pipeline_config, PipelineConfig { max_recursion: 2, flags: 0 });
    assert_eq!(so.shader_config, ShaderConfig { max_payload: 16, max_attribute: 8 });
    assert!(so.warnings.is_empty());
}

/// An empty root signature of version 1.1, local; `flags` tell several apart.
fn local_root(flags: u32) -> SubobjectValue {
    let signature = rtc_rootsig::RootSignature {
        version: rtc_rootsig::RootVersion::V1_1,
        flags: rtc_rootsig::LOCAL_ROOT_SIGNATURE | flags,
        params: Vec::new(),
        samplers: Vec::new(),
    };
    SubobjectValue::LocalRootSignature { data: rtc_rootsig::write(&signature) }
}

#[test]
fn local_root_signatures_follow_associations() {
    let mut rdat = library();
    rdat.subobjects.push(sub("L", local_root(0)));
    rdat.subobjects.push(associate("L", &["G"]));
    let records = resolve(&mut rdat, &Overrides::default()).unwrap().records;
    let has = ["Gen", "Hit", "Any", "Sky", "G"].map(|name| records.of(name));
    assert_eq!(has, [None, Some(0), Some(0), None, Some(0)]);
}

#[test]
fn conflicts_are_told() {
    let mut rdat = library();
    rdat.subobjects.push(sub("L", local_root(0)));
    rdat.subobjects.push(sub("M", local_root(1)));
    fails(&rdat, &Overrides::default(), "`M`");
    rdat.subobjects.push(associate("L", &["Hit"]));
    rdat.subobjects.push(associate("M", &["Hit"]));
    fails(&rdat, &Overrides::default(), "`Hit`");
}

#[test]
fn configs_are_required_and_shared() {
    let mut rdat = library();
    rdat.subobjects.remove(1);
    fails(&rdat, &Overrides::default(), "has no RaytracingPipelineConfig");
    let mut rdat = library();
    rdat.subobjects.push(sub("PC2", SubobjectValue::PipelineConfig { max_recursion: 3 }));
    rdat.subobjects.push(associate("PC2", &["Sky"]));
    fails(&rdat, &Overrides::default(), "must have the same RaytracingPipelineConfig");
    // The host's word ends the quarrel.
    let overrides = Overrides {
        pipeline: Some(PipelineConfig { max_recursion: 1, flags: PIPELINE_SKIP_TRIANGLES }),
        shader: Some(ShaderConfig { max_payload: 4, max_attribute: 8 }),
        hit_groups: vec![group("H", "", "Hit")],
        ..Overrides::default()
    };
    let so = resolve(&mut rdat, &overrides).unwrap();
    assert_eq!(so.pipeline_config, overrides.pipeline.unwrap());
    assert_eq!(so.groups.len(), 2);
    assert_eq!(so.groups[1].closest_hit, Some(1));
    assert_eq!(so.warnings.len(), 3, "payloads of 16 bytes against 4: {:?}", so.warnings);
}

#[test]
fn names_that_do_not_exist() {
    let more = |g| Overrides { hit_groups: vec![g], ..Overrides::default() };
    fails(&library(), &more(group("H", "", "Nope")), "`Nope`, which is not exported");
    fails(&library(), &more(group("H", "", "Nope")), "exports of stage closesthit: `Hit`");
    fails(&library(), &more(group("H", "", "Sky")), "but that is a miss shader");
    fails(&library(), &more(group("G", "", "")), "duplicate name `G`");
    fails(&library(), &more(HitGroup { procedural: true, ..group("H", "", "") }), "no intersection shader");
    let with = HitGroup { intersection: "Any".into(), ..group("H", "", "") };
    fails(&library(), &more(with), "triangle hit group `H` has an intersection shader");
    let mut rdat = library();
    rdat.subobjects.push(associate("SC", &["Nope"]));
    fails(&rdat, &Overrides::default(), "Nope");
}

#[test]
fn the_place_in_the_scene_is_named() {
    let somewhere = |line: u32| Some(format!("s.toml:{line}"));
    let located = |g: HitGroup| Overrides {
        hit_groups: vec![HitGroup { location: somewhere(3), ..group("Other", "", "") }, HitGroup { location: somewhere(9), ..g }],
        location: somewhere(2),
        ..Overrides::default()
    };
    fails(&library(), &located(group("H", "", "Nope")), "s.toml:9: hit group `H` refers to `Nope`");
    fails(&library(), &located(group("G", "", "")), "s.toml:9: duplicate name `G`");
    let mut rdat = library();
    rdat.subobjects.remove(1);
    fails(&rdat, &located(group("H", "", "")), "s.toml:2: `");
    fails(&rdat, &located(group("H", "", "")), "has no RaytracingPipelineConfig");
    // A group of the library is not of the scene.
    let mut rdat = library();
    rdat.subobjects.iter_mut().for_each(|s| {
        if let SubobjectValue::HitGroup { closest_hit, .. } = &mut s.value {
            *closest_hit = "Nope".into();
        }
    });
    let e = resolve(&mut rdat, &located(group("H", "", ""))).expect_err("the library's group is wrong");
    assert!(e.to_string().starts_with("hit group `G`"), "{e}");
}

#[test]
fn attributes_must_fit() {
    let mut rdat = library();
    rdat.functions[1].attribute_size = 12;
    fails(&rdat, &Overrides::default(), "12 bytes of hit attributes");
}

#[test]
fn contradicting_flags() {
    let both = PipelineConfig { max_recursion: 1, flags: 0x300 };
    fails(&library(), &Overrides { pipeline: Some(both), ..Overrides::default() }, "skips both");
}

#[test]
fn a_library_without_shaders() {
    let mut rdat = library();
    rdat.functions = vec![function("Plain", ShaderKind::Library)];
    fails(&rdat, &Overrides::default(), "exports no shader");
}

#[test]
fn a_library_of_compute_shaders_needs_no_configuration() {
    let mut rdat = Rdat { functions: vec![function("Blur", ShaderKind::Compute)], ..Rdat::default() };
    let state = resolve(&mut rdat, &Overrides::default()).unwrap();
    assert_eq!(state.compute, ["Blur"]);
    assert!(state.shaders.is_empty() && state.groups.is_empty());
}
