//! The runtime package: round trip, golden bytes, damage.

use crate::*;
use rtc_dxil_container::rdat::{Rdat, SubobjectValue};
use rtc_dxil_container::{Container, FourCc, Signing, write};
use rtc_dxil_testing::Random;
use rtc_dxil_testing::corpus;
use rtc_rootsig as rootsig;

pub(crate) fn sample() -> Package {
    let c = Container::parse(corpus::get("rt_basic.dxil")).unwrap();
    let rdat = Rdat::read(c.require(FourCc::RDAT).unwrap()).unwrap();
    let Some(SubobjectValue::LocalRootSignature { data }) = rdat.subobject("LRS").map(|s| &s.value) else {
        panic!("LRS is a local root signature")
    };
    let layout = rootsig::record_layout(&rootsig::read(data).unwrap()).unwrap();
    let binding = |name: &str, class, kind, binding, descriptor| Binding {
        name: name.into(),
        class,
        kind,
        space: 0,
        register: 0,
        count: 1,
        set: 0,
        binding,
        descriptor,
        stride_or_size: 0,
        component: ComponentType::Invalid,
        components: 0,
        writable: false,
        coherent: false,
        non_uniform: false,
        counter: None,
        heap: false,
        stages: ShaderKind::RayGeneration.bit(),
    };
    let mut frame = binding("Frame", ResourceClass::Cbv, ResourceKind::CBuffer, 0, DescriptorKind::UniformBuffer);
    frame.stride_or_size = 80;
    let mut tex = binding("Tex", ResourceClass::Srv, ResourceKind::Texture2D, 0, DescriptorKind::SampledImage);
    (tex.space, tex.set, tex.count, tex.non_uniform) = (2, 2, UNBOUNDED, true);
    (tex.component, tex.components) = (ComponentType::F32, 4);
    let mut out = binding("Out", ResourceClass::Uav, ResourceKind::StructuredBuffer, 3, DescriptorKind::StorageBuffer);
    (out.writable, out.coherent, out.counter, out.stride_or_size) = (true, true, Some((0, 4)), 16);
    let scene = binding("Scene", ResourceClass::Srv, ResourceKind::AccelerationStructure, 1, DescriptorKind::AccelerationStructure);
    let push = binding("Push", ResourceClass::Cbv, ResourceKind::CBuffer, 16, DescriptorKind::PushConstants);
    let entries = rdat
        .functions
        .iter()
        .map(|f| EntryPoint {
            export: f.unmangled.clone(),
            spirv_name: format!("{}_main", f.unmangled),
            stage: f.kind,
            record: f.kind.is_in_hit_group().then_some(0),
            payload_size: f.payload_size,
            attribute_size: f.attribute_size,
            elements: vec![InterfaceElement {
                output: f.kind == ShaderKind::Miss,
                used: true,
                semantic: "TEXCOORD".into(),
                index: 1,
                location: 2,
                locations: 3,
                component: ComponentType::F32,
                components: 4,
            }],
        })
        .collect();
    let requirement = |kind, name: &str, extension: &str| Requirement {
        kind,
        name: name.into(),
        extension: extension.into(),
        reason: "TraceRay in 'RayGen'".into(),
    };
    Package {
        flags: 0,
        rdat,
        spirv: vec![0x0723_0203, 0x0001_0400, 0, 1, 0],
        map: BindingMap {
            target: TargetEnv::default(),
            bindings: vec![frame, tex, out, scene, push],
            entries,
            records: vec![RecordLayout { root_signature: "LRS".into(), params: layout.params, size: layout.size }],
            requirements: vec![
                requirement(RequirementKind::Capability, "RayTracingKHR", ""),
                requirement(RequirementKind::SpirvExtension, "SPV_KHR_ray_tracing", ""),
                requirement(RequirementKind::DeviceExtension, "VK_KHR_ray_tracing_pipeline", ""),
                requirement(RequirementKind::DeviceFeature, "rayTracingPipeline", "VK_KHR_ray_tracing_pipeline"),
            ],
            lowering: Some(HitLowering {
                tail_offset: 12,
                tail_size: 32,
                recorders: vec![(String::new(), "rtc.record".into()), ("Intersect".into(), "rtc.record0".into())],
                missed: None,
            }),
            null_misses: None,
            payloads: payloads(),
            wavefront: wavefront(),
        },
        layouts: Vec::new(),
        forms: Vec::new(),
    }
}

fn wavefront() -> Vec<WavefrontShader> {
    let point = |words, row_bits, hint_bits| WavefrontPoint { resume: "RayGen".into(), words, row_bits, hint_bits };
    vec![WavefrontShader { shader: "RayGen".into(), words: 9, index_read: true, points: vec![point(9, 24, 0), point(0, 8, 16)] }]
}

fn payloads() -> Payloads {
    let field = |name: &str, ty: &str, offset, bits, read, write, alive| PayloadField {
        name: name.into(),
        ty: ty.into(),
        offset,
        bits,
        read,
        write,
        alive,
    };
    let fields = vec![
        field("color", "float3", Some(1), 96, 1, 6, 0x300),
        field("base.hit", "bool", Some(0), 1, 1, 2, 0x100),
        field("unused", "int", None, 32, 0, 0, 0),
    ];
    let packed = PayloadType { name: "Payload".into(), declared_size: 20, size: 16, packed: true, fields };
    let plain = PayloadType { name: "Plain".into(), declared_size: 4, size: 4, ..PayloadType::default() };
    let uses = [(0, 0, true), (1, 0, false), (1, 1, true)];
    let uses = uses.map(|(entry, payload, traces)| PayloadUse { entry, payload, traces }).to_vec();
    Payloads { types: vec![packed, plain], uses }
}

#[test]
fn wrong_payload_layouts_are_refused() {
    let fails = |change: &dyn Fn(&mut Payloads), why: &str| {
        let mut p = sample();
        change(&mut p.map.payloads);
        let e = Package::read(&p.write().unwrap()).unwrap_err();
        assert_eq!(e.reason, why);
    };
    fails(&|p| p.types[0].fields[0].offset = Some(33), "`color` of `Payload` is outside of its 16 bytes");
    fails(&|p| p.types[0].fields[0].offset = Some(u32::MAX - 1), "`color` of `Payload` is outside of its 16 bytes");
    fails(&|p| p.types[0].size = 12, "`color` of `Payload` is outside of its 12 bytes");
    fails(&|p| p.types[0].fields[0].read = 16, "unknown set of stages 1552");
    fails(&|p| p.types[0].fields[0].alive = 1 << 10, "unknown set of transitions 1024");
    fails(&|p| p.uses[0].payload = 2, "unknown payload type 2");
    fails(&|p| p.uses[0].entry = 99, "unknown entry point 99");
}

#[test]
fn wrong_divided_shaders_are_refused() {
    let fails = |change: &dyn Fn(&mut WavefrontShader), why: &str| {
        let mut p = sample();
        change(&mut p.map.wavefront[0]);
        let e = Package::read(&p.write().unwrap()).unwrap_err();
        assert_eq!(e.reason, why);
    };
    fails(&|s| s.shader = "Miss".into(), "there is no ray generation shader `Miss`");
    fails(&|s| s.points[1].resume = "Missing".into(), "there is no ray generation shader `Missing`");
    fails(&|s| s.points.clear(), "`RayGen` has 0 reorder points, expected 1 to 26");
    fails(&|s| s.points = vec![s.points[0].clone(); 27], "`RayGen` has 27 reorder points, expected 1 to 26");
    fails(&|s| s.words = 8, "`RayGen` saves 9 words, the most are 8");
    fails(&|s| s.points[0].hint_bits = 1, "keys of 24 and 1 bits, the most are 24");
    fails(
        &|s| s.points[1] = WavefrontPoint { row_bits: 0, hint_bits: 17, ..s.points[1].clone() },
        "keys of 0 and 17 bits, the most are 24",
    );
    assert_eq!(wavefront()[0].key_bits(), 24);
}

#[test]
fn transitions_and_stages_have_names() {
    let p = payloads();
    let color = &p.types[0].fields[0];
    assert_eq!(color.alive_on().collect::<Vec<_>>(), [("closesthit", "caller"), ("miss", "caller")]);
    assert_eq!(payloads::stages(color.write).collect::<Vec<_>>(), ["closesthit", "miss"]);
}

/// The container with one part's data replaced, signed again.
fn with_part(package: &[u8], name: FourCc, data: &[u8]) -> Vec<u8> {
    let c = Container::parse(package).unwrap();
    let parts: Vec<_> = c.parts.iter().map(|p| (p.name, if p.name == name { data } else { &p.data })).collect();
    write(&parts, Signing::Digest).unwrap()
}

#[test]
fn everything_comes_back() {
    let package = sample();
    let bytes = package.write().unwrap();
    assert_eq!(Package::read(&bytes).unwrap(), package);
    let c = Container::parse(&bytes).unwrap();
    let names: Vec<_> = c.parts.iter().map(|p| p.name.to_string()).collect();
    assert_eq!(names, ["RTPK", "RDAT", "SPRV", "BMAP"]);
    let theirs = Container::parse(corpus::get("rt_basic.dxil")).unwrap();
    assert_eq!(c.require(FourCc::RDAT), theirs.require(FourCc::RDAT));
}

#[test]
fn recorders_are_found_by_intersection_shader() {
    let lowering = sample().map.lowering.unwrap();
    assert_eq!(lowering.recorder(""), Some("rtc.record"));
    assert_eq!(lowering.recorder("Intersect"), Some("rtc.record0"));
    assert_eq!(lowering.recorder("Other"), None);
}

#[test]
fn the_first_miss_shader_comes_back() {
    let mut p = sample();
    let missed = HitLowering { missed: Some("rtc.missed".into()), ..HitLowering::default() };
    p.map.lowering = Some(missed.clone());
    let again = Package::read(&p.write().unwrap()).unwrap().map.lowering.unwrap();
    assert_eq!(again, missed);
    assert!(!again.records());
}

#[test]
fn golden_bytes_of_an_empty_map() {
    let package = Package { spirv: sample().spirv, ..Package::default() };
    let bytes = package.write().unwrap();
    assert_eq!(Package::read(&bytes).unwrap(), package);
    let c = Container::parse(&bytes).unwrap();
    assert_eq!(c.require(FourCc::RTPK).unwrap(), [1, 0, 0, 0, 0, 0, 0, 0]);
    let words: Vec<u32> = c.require(FourCc::BMAP).unwrap().chunks(4).map(|w| u32::from_le_bytes(w.try_into().unwrap())).collect();
    #[rustfmt::skip]
    assert_eq!(words, [
        8,
        1, 132, 1, 16,  2, 148, 0, 4,  3, 148, 0, 64,  4, 148, 0, 24,
        5, 148, 0, 12,  6, 148, 0, 20, 7, 148, 0, 20,  8, 148, 0, 16,
        1, 4, 1, 2,
    ]);
}

#[test]
fn truncation_at_every_byte_is_an_error() {
    let whole = sample().write().unwrap();
    for len in 0..whole.len() {
        assert!(Package::read(&whole[..len]).is_err(), "cut to {len}");
    }
    // A map that is too short, in a container that is sound.
    let map = Container::parse(&whole).unwrap().require(FourCc::BMAP).unwrap().to_vec();
    for len in 0..map.len() {
        assert!(Package::read(&with_part(&whole, FourCc::BMAP, &map[..len])).is_err(), "map cut to {len}");
    }
}

#[test]
fn damage_is_noticed_at_every_byte() {
    let whole = sample().write().unwrap();
    for at in 0..whole.len() {
        let mut data = whole.clone();
        data[at] ^= 1 << (at % 8);
        assert!(Package::read(&data).is_err(), "byte {at}");
    }
}

#[test]
fn newer_formats_missing_parts_and_wrong_modules_are_refused() {
    let whole = sample().write().unwrap();
    let newer = with_part(&whole, FourCc::RTPK, &[4, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(Package::read(&newer).unwrap_err().reason, "unsupported package format 4, the newest supported is 3");
    let e = Package::read(&with_part(&whole, FourCc::SPRV, &[3, 2, 0x23, 7])).unwrap_err();
    assert_eq!(e.to_string(), "SPRV at byte 0x0: is not a SPIR-V module");
    let e = Package::read(corpus::get("rt_basic.dxil")).unwrap_err();
    assert_eq!(e.reason, "has no RTPK part");
    let c = Container::parse(&whole).unwrap();
    let parts: Vec<_> = c.parts.iter().map(|p| (p.name, &p.data)).collect();
    let e = Package::read(&write(&parts, Signing::Unsigned).unwrap()).unwrap_err();
    assert_eq!(e.reason, "digest mismatch");
    let mut package = sample();
    package.map.entries[0].record = Some(1);
    let e = Package::read(&package.write().unwrap()).unwrap_err();
    assert_eq!(e.reason, "there is no record layout 1");
}

#[test]
fn damaged_maps_never_panic_and_stay_bounded() {
    let mut random = Random(0x1234_5678_9abc_def1);
    let whole = sample().write().unwrap();
    let map = Container::parse(&whole).unwrap().require(FourCc::BMAP).unwrap().to_vec();
    let mut data = map.clone();
    for round in 0..100_000 {
        data.copy_from_slice(&map);
        // Half of them in the table of tables and the fixed rows, where it hurts.
        let reach = if round % 2 == 0 { data.len().min(256) } else { data.len() };
        random.damage(&mut data[..reach]);
        if let Err(e) = crate::map::read_map(&data) {
            assert!(e.part == "BMAP" && e.offset <= data.len(), "{e}");
        }
    }
}
