//! Helper: compiles a shader from text and runs it on the CPU device with a small scene.
//!
//! The scene `Scene` has an opaque triangle around the origin at z = 0 (instance 0, hit group 0), a triangle at z = 10 that is not opaque
//! (instance 1, hit group 1), and a box around (20, 0, 0) (instance 2, hit group 2). A ray from z = -5 along +z hits the triangles. `Out` is a raw
//! buffer of 256 bytes, `In` a structured buffer of four elements of 16 bytes, `Texels` a buffer of four floats, `Image` a writable texture of
//! 4 by 4 texels.

use std::path::PathBuf;
use std::process::Command;

use rtc_dxil_container::hash::ShaderHash;
use rtc_dxil_container::program::Program;
use rtc_dxil_container::recompute;
use rtc_dxil_container::{self as container, Container, FourCc, Part, Signing};
use rtc_dxil_module::Module;
use rtc_dxil_module::bitcode;
use rtc_host::Device;
use rtc_host::cpu::device::{CpuDevice, CpuOptions};
use rtc_host::cpu::jit::Cache;
use rtc_host::device::*;

/// What every library here begins with.
pub const PRELUDE: &str = "
RaytracingAccelerationStructure Scene : register(t0);
struct Element { float4 v; };
StructuredBuffer<Element> In : register(t1);
Buffer<float> Texels : register(t2);
RWByteAddressBuffer Out : register(u0);
RWTexture2D<float> Image : register(u1);
RaytracingShaderConfig Config = { 32, 8 };
RaytracingPipelineConfig Pipeline = { 2 };
RayDesc to(float x) { RayDesc r; r.Origin = float3(x, 0, -5); r.Direction = float3(0, 0, 1); r.TMin = 0; r.TMax = 100; return r; }
";

/// Where files of tests go.
pub fn scratch(name: &str) -> PathBuf {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cpu");
    std::fs::create_dir_all(&dir).expect("a folder");
    dir.join(name)
}

/// Compiles a library; the prelude is one line before the text, so that line numbers are those of the text.
pub fn compile(name: &str, text: &str, profile: &str) -> Vec<u8> {
    compile_alone(name, &format!("{}{text}", PRELUDE.replace('\n', " ")), profile)
}

/// Compiles a library without the prelude.
pub fn compile_alone(name: &str, text: &str, profile: &str) -> Vec<u8> {
    let (source, out) = (scratch(&format!("{name}.hlsl")), scratch(&format!("{name}.dxil")));
    std::fs::write(&source, text).expect("the source is written");
    let done = Command::new(env!("CARGO_BIN_EXE_rtc"))
        .args(["-T", profile, "-no-warnings", "-Zi", "-Qembed_debug", "-Fo"])
        .arg(&out)
        .arg(&source)
        .output()
        .expect("rtc starts");
    assert!(done.status.success(), "{name}: {}", String::from_utf8_lossy(&done.stderr));
    std::fs::read(&out).expect("the container")
}

/// A device; `change` may change how it is opened.
pub fn device(change: impl FnOnce(&mut CpuOptions)) -> CpuDevice {
    let mut options = CpuOptions { cache: Cache::Off, ..Default::default() };
    change(&mut options);
    CpuDevice::open(options).expect("the CPU device")
}

/// Compiles a library without debug information and changes its module, as another compiler might have written it; all that the
/// container says of the module is made anew.
pub fn edited(name: &str, text: &str, profile: &str, change: impl FnOnce(&mut Module)) -> Vec<u8> {
    let file = Container::parse(&compile(name, text, profile)).expect("a container");
    let program = Program::read("DXIL", file.require(FourCc::DXIL).expect("a program")).expect("a header");
    let mut m = bitcode::read(program.bitcode).expect("bitcode");
    change(&mut m);
    let code = Program { bitcode: &bitcode::write(&m), ..program }.write();
    let debug = |p: &Part| [FourCc::ILDB, FourCc::ILDN, FourCc::STAT, FourCc::SRCI].contains(&p.name);
    let mut parts: Vec<Part> = file.parts.into_iter().filter(|p| !debug(p)).collect();
    let set = |parts: &mut Vec<Part>, name, data| {
        if let Some(part) = parts.iter_mut().find(|p| p.name == name) {
            part.data = data;
        }
    };
    set(&mut parts, FourCc::HASH, ShaderHash::of(&bitcode::write(&m)).write());
    set(&mut parts, FourCc::DXIL, code);
    let whole = |parts: &[Part]| {
        let parts: Vec<(FourCc, &[u8])> = parts.iter().map(|p| (p.name, &*p.data)).collect();
        container::write(&parts, Signing::Digest).expect("parts that fit")
    };
    let made = recompute::of_container(&Container::parse(&whole(&parts)).expect("a container")).expect("what the module says");
    set(&mut parts, FourCc::SFI0, made.features().to_le_bytes().to_vec());
    if let Some(rdat) = made.rdat_bytes() {
        set(&mut parts, FourCc::RDAT, rdat);
    }
    whole(&parts)
}

fn triangle(z: f32, opaque: bool) -> BottomDesc {
    let positions = vec![[-1.0, -1.0, z], [0.0, 1.0, z], [1.0, -1.0, z]];
    let data = GeometryData::Triangles { positions, indices: None, transform: None };
    BottomDesc { geometries: vec![geometry(data, opaque)], flags: BuildFlags::default() }
}

fn geometry(data: GeometryData, opaque: bool) -> Geometry {
    Geometry { data, flags: if opaque { GEOMETRY_OPAQUE } else { 0 }, micromaps: None }
}

/// The scene above.
pub fn scene(device: &mut CpuDevice) -> rtc_host::Result<Accel> {
    let boxes = GeometryData::Boxes(vec![[19.0, -1.0, -1.0, 21.0, 1.0, 1.0]]);
    let boxes = BottomDesc { geometries: vec![geometry(boxes, false)], flags: BuildFlags::default() };
    let mut instances = Vec::new();
    for (n, desc) in [triangle(0.0, true), triangle(10.0, false), boxes].iter().enumerate() {
        let bottom = Some(device.build_bottom(desc)?);
        instances.push(Instance { bottom, transform: IDENTITY, id: n as u32, mask: 255, hit_group_offset: n as u32, flags: 0 });
    }
    device.build_top(&TopDesc { instances, flags: BuildFlags::default() })
}

/// Loads a library, binds what it has, launches `Main` for two threads; the words of `Out`.
pub fn run(device: &mut CpuDevice, container: &[u8]) -> rtc_host::Result<Vec<u32>> {
    let program = device.load(container, &ProgramOptions::default())?;
    let library = device.library(program)?;
    let names: Vec<String> = library.package.map.bindings.iter().map(|b| b.name.clone()).collect();
    let (groups, shaders) = (library.hit_groups().map(str::to_string).collect::<Vec<_>>(), library.state.shaders.clone());
    let out = device.create_buffer(256, &[])?;
    for name in names {
        let resource = match name.as_str() {
            "Scene" => Resource::Accel(scene(device)?),
            "In" => Resource::Buffer(device.create_buffer(64, &[])?),
            "Texels" => Resource::Texels(device.create_buffer(16, &[])?, Format::R32Float),
            "Out" => Resource::Buffer(out),
            "Image" => Resource::Image(device.create_image(&ImageDesc::flat(4, 4, Format::R32Float, true), &[])?),
            _ => continue,
        };
        device.set(program, &Slot::Name(name), 0, resource)?;
    }
    use rtc_dxil_container::ShaderKind as K;
    let of = |kind| shaders.iter().filter(|s| s.stage == kind).map(|s| Record::of(s.name.as_str())).collect::<Vec<_>>();
    if of(K::RayGeneration).is_empty() {
        device.dispatch_groups(program, None, [1; 3])?;
    } else {
        let hit = (0..3).map(|n| groups.get(n).or(groups.last()).map_or(Record::default(), |g| Record::of(g.as_str()))).collect();
        let tables = ShaderTables { raygen: Record::of("Main"), miss: of(K::Miss), hit, callable: of(K::Callable) };
        device.set_tables(program, &tables)?;
        device.dispatch(program, [2, 1, 1])?;
    }
    let bytes = device.read_buffer(out)?;
    Ok(bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect())
}
