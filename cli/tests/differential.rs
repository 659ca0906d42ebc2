//! Differential test against the reference compiler: both compile `lit-tests/tests/run/*.hlsl`, one device runs both, and the written
//! buffers are compared.
//!
//! A shader writes through `out.hlsli`: integers to the first half of `Out`, compared exactly, floating-point numbers
//! to the second half, compared with a small tolerance. Inputs are fixed pseudo-random words. Our code is compiled without
//! and with full optimisation, and the two must agree as well. A shader whose first lines have
//! `// reference: no` writes pairs of integers, the computed and the expected value; the rest of that line has
//! the reason to skip the reference. A line `// reference DXIL: no, …` limits the reference to SPIR-V, `// reference SPIR-V: no, …` to DXIL; a line
//! `// device: cpu, …` skips Vulkan, a line `// Vulkan within N, …` is the relative tolerance of its floats.
//!
//! A line `// options: …` gives both compilers further options; `-T` and `-HV` there replace `lib_6_3` and 2021.
//! A compute shader runs as one group.
//!
//! `RTC_DIFFERENTIAL=name` runs the shaders with that in their names only, `RTC_DIFFERENTIAL_FOLDER=path` those of another
//! folder.
#![cfg(feature = "run")]

#[path = "shared/compilers.rs"]
mod compilers;

use std::path::{Path, PathBuf};
use std::process::Command;

use compilers::{Compiler, compile};
use rtc_differential::rebind::{by_reflection, by_registers};
use rtc_dxil_container::{ComponentType as CompType, ResourceClass, ResourceKind, ShaderKind};
use rtc_host::Device;
use rtc_host::device::{
    Accel, Address, BottomDesc, BuildFlags, Channel, Compare, Format, Geometry, GeometryData, ImageDesc, Instance, Program, ProgramOptions,
    Record, Resource, SamplerDesc, ShaderTables, Slot, TopDesc,
};
use rtc_host::state_object::{HitGroup, Overrides, PipelineConfig, ShaderConfig};
use rtc_host::vulkan::{OpenOptions, VulkanDevice};
use rtc_oracles::selection::Filter;
use rtc_oracles::skip;
use rtc_package::{Binding, DescriptorKind, Package, Requirement};

/// Threads of a dispatch.
const THREADS: u32 = 8;
/// Bytes of `Out`: integers, then as many of floating point.
const OUT_BYTES: u64 = 32768;

fn scratch(name: &str) -> PathBuf {
    // Tests run at the same time on the same shaders: each has a folder.
    let test = std::thread::current().name().unwrap_or("main").replace("::", "-");
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("differential").join(test);
    std::fs::create_dir_all(&dir).expect("a folder");
    dir.join(name)
}

/// Not a test of its own: the process that the test below starts.
#[test]
fn reference_compiler_process() {
    compilers::be_the_reference();
}

/// The shaders: name, and source with `out.hlsli` in place.
fn shaders() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").join("lit-tests/tests/run");
    let prelude = std::fs::read_to_string(folder.join("Inputs/out.hlsli")).expect("out.hlsli");
    let folder = std::env::var_os("RTC_DIFFERENTIAL_FOLDER").map_or(folder, PathBuf::from);
    let wanted = Filter::new("RTC_DIFFERENTIAL");
    let mut all = Vec::new();
    for entry in std::fs::read_dir(&folder).expect("the folder of shaders") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|e| e != "hlsl") {
            continue;
        }
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        if !wanted.takes(&name) {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a shader");
        all.push((name, text.replace("#include \"Inputs/out.hlsli\"", &prelude)));
    }
    wanted.must_have_matched();
    all.sort();
    all
}

/// The options that a shader asks for, once for each line of them; the profile is among them.
fn options_of(text: &str) -> Vec<Vec<String>> {
    let mut lines: Vec<&str> = text.lines().filter_map(|l| l.strip_prefix("// options: ")).collect();
    if lines.is_empty() {
        lines.push("");
    }
    let words = |line: &&str| {
        let mut out: Vec<String> = line.split_whitespace().map(str::to_string).collect();
        if !out.iter().any(|o| o == "-T") {
            out.extend(["-T", "lib_6_3"].map(str::to_string));
        }
        if !out.iter().any(|o| o == "-HV") {
            out.extend(["-HV", "2021"].map(str::to_string));
        }
        out
    };
    lines.iter().map(words).collect()
}

/// Whether a shader skips Vulkan.
fn is_for_the_cpu(text: &str) -> bool {
    text.contains("\n// device: cpu")
}

/// The buffer layout of the reference without options, which differs from its named ones.
const DEFAULT_LAYOUT: &str = "-fvk-use-vulkan-layout";

/// The options of a shader and more.
fn with(options: &[String], more: &[&str]) -> Vec<String> {
    options.iter().cloned().chain(more.iter().map(|o| o.to_string())).collect()
}

/// Direct3D's layout, which packages have, unless the shader asks for another.
fn layout(options: &[String]) -> &'static [&'static str] {
    if options.iter().any(|o| o.starts_with("-fvk-use-")) { &[] } else { &["-fvk-use-dx-layout"] }
}

/// Our package of a source at a level.
fn ours(name: &str, source: &Path, level: &str, options: &[String]) -> Result<Package, String> {
    let out = scratch(&format!("{name}{level}.rtp"));
    let args = with(options, &["-spirv", level, "-no-warnings"]);
    let bytes = compile(Compiler::Rtc, &args, source, &out).map_err(|e| format!("rtc {level}: {e}"))?;
    Package::read(&bytes).map_err(|e| format!("{e:?}"))
}

/// The same package with the reference compiler's module in it.
fn theirs(name: &str, source: &Path, like: &Package, options: &[String]) -> Result<Package, String> {
    let out = scratch(&format!("{name}.reference.spv"));
    // Its layouts are those of Direct3D, which its validator finds unusual.
    let mut args = with(options, &["-spirv", "-fspv-target-env=vulkan1.2", "-Vd"]);
    args.extend(layout(options).iter().map(|o| o.to_string()));
    args.retain(|o| o != DEFAULT_LAYOUT);
    let bytes = compile(Compiler::Reference, &args, source, &out).map_err(|e| format!("reference: {e}"))?;
    Ok(by_registers(like, words(&bytes)))
}

/// The same package with our module in which buffers have the types of the source.
fn declared(name: &str, source: &Path, like: &Package, options: &[String]) -> Result<Package, String> {
    let out = scratch(&format!("{name}.declared.spv"));
    let mut args = with(options, &["-spirv", "-fspv-target-env=vulkan1.2", "-no-warnings"]);
    args.extend(layout(options).iter().map(|o| o.to_string()));
    let bytes = compile(Compiler::Rtc, &args, source, &out).map_err(|e| format!("rtc with declared types: {e}"))?;
    let done = Command::new(env!("CARGO_BIN_EXE_rtc")).arg("reflect").arg(&out).output().expect("rtc starts");
    let reflection = serde_json::from_slice(&done.stdout).map_err(|e| format!("rtc reflect: {e}"))?;
    Ok(by_reflection(like, words(&bytes), &reflection))
}

/// Pseudo-random words, the same each time (xorshift).
struct Words(u32);

impl Words {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0
    }
    /// Any word, small ones of both signs, zero.
    fn integer(&mut self) -> u32 {
        let word = self.next();
        match self.next() % 8 {
            0 => 0,
            1 | 2 => word % 17,
            3 | 4 => (word % 17).wrapping_neg(),
            5 => 1 << (word % 32),
            _ => word,
        }
    }
    /// -8 to 8 in steps of 1/64, zero now and then.
    fn float(&mut self) -> u32 {
        let word = self.next();
        let value = (word % 1025) as f32 / 64.0 - 8.0;
        if self.next().is_multiple_of(8) { 0 } else { value.to_bits() }
    }
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect()
}

fn bytes(words: impl Iterator<Item = u32>) -> Vec<u8> {
    words.flat_map(u32::to_le_bytes).collect()
}

/// Two instances, moved and turned, of two triangles that overlap in projection.
fn scene(device: &mut dyn Device) -> rtc_host::Result<Accel> {
    let positions = vec![[-1.0, -1.0, 0.0], [1.5, -1.0, 0.2], [0.0, 1.5, 0.1], [1.0, 1.0, 0.5], [-1.3, 1.0, 0.5], [0.1, -1.4, 0.7]];
    let data = GeometryData::Triangles { positions, indices: None, transform: None };
    let bottom = device.build_bottom(&BottomDesc { geometries: vec![Geometry::new(data, 0)], flags: BuildFlags::default() })?;
    let instance = |transform, id| Instance { bottom: Some(bottom), transform, id, mask: 255, hit_group_offset: 0, flags: 0 };
    let near = [[0.5, 0.125, 0.0, -0.25], [0.0, 0.75, 0.0, 0.5], [0.0, 0.25, 1.0, 1.0]];
    let far = [[0.0, -1.5, 0.0, 0.25], [1.25, 0.0, 0.0, 0.0], [0.0, 0.0, 2.0, 4.0]];
    device.build_top(&TopDesc { instances: vec![instance(near, 12), instance(far, 34)], flags: BuildFlags::default() })
}

/// Two triangles, a box in front of them and one beyond them, each instance moved; one is opaque.
fn mixed(device: &mut dyn Device) -> rtc_host::Result<Accel> {
    let bottom = |device: &mut dyn Device, list: Vec<(GeometryData, u32)>| {
        let geometries = list.into_iter().map(|(data, flags)| Geometry::new(data, flags)).collect();
        device.build_bottom(&BottomDesc { geometries, flags: BuildFlags::default() })
    };
    let triangles = |z: f32| GeometryData::Triangles {
        positions: vec![[-2.0, -2.0, z], [2.5, -2.0, z], [0.0, 2.5, z], [-2.0, 2.0, z + 0.5], [0.25, -2.5, z + 0.5], [2.0, 2.0, z + 0.5]],
        indices: None,
        transform: None,
    };
    let boxes = GeometryData::Boxes(vec![[-1.0, -1.0, -1.0, 1.0, 1.0, 1.0], [-0.5, -0.5, 8.0, 0.5, 0.5, 9.0]]);
    let opaque = rtc_host::device::GEOMETRY_OPAQUE;
    let solid = bottom(device, vec![(triangles(2.0), 0), (triangles(4.0), opaque)])?;
    let boxes = bottom(device, vec![(boxes, 0)])?;
    let instance =
        |bottom, transform, id, mask, hit_group_offset| Instance { bottom: Some(bottom), transform, id, mask, hit_group_offset, flags: 0 };
    let moved = [[1.0, 0.25, 0.0, 0.125], [0.0, 1.0, 0.0, -0.25], [0.0, 0.0, 1.5, 1.0]];
    let turned = [[0.0, -1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.25], [0.0, 0.0, 1.0, 0.5]];
    device.build_top(&TopDesc {
        instances: vec![instance(solid, moved, 77, 1, 5), instance(boxes, turned, 88, 2, 6)],
        flags: BuildFlags::default(),
    })
}

/// The format of the texels that a shader declares.
fn texel_format(b: &Binding) -> Format {
    match (b.component, b.components) {
        (CompType::I16 | CompType::I32, 1) => Format::R32Sint,
        (CompType::I16 | CompType::I32, _) => Format::Rgba32Sint,
        (CompType::U16 | CompType::U32, 1) => Format::R32Uint,
        (CompType::U16 | CompType::U32, 2) => Format::Rg32Uint,
        (CompType::U16 | CompType::U32, _) => Format::Rgba32Uint,
        // Doubles and pairs of 64-bit integers are words.
        (CompType::F64 | CompType::I64 | CompType::U64, 1) => Format::Rg32Uint,
        (CompType::F64 | CompType::I64 | CompType::U64, _) => Format::Rgba32Uint,
        (_, 1) => Format::R32Float,
        (_, 2) => Format::Rg32Float,
        _ => Format::Rgba32Float,
    }
}

/// What an image is: three levels of pseudo-random numbers, floats from 0 to 1; zeros if it is written.
fn image(b: &Binding) -> (ImageDesc, Vec<u8>) {
    use ResourceKind as K;
    let format = texel_format(b);
    let writable = b.writable;
    let (height, depth) = match b.kind {
        K::Texture1D => (1, 1),
        K::Texture1DArray => (1, 3),
        K::Texture3D => (8, 8),
        K::Texture2DArray | K::Texture2DMSArray => (8, 3),
        K::TextureCube => (8, 6),
        K::TextureCubeArray => (8, 12),
        _ => (8, 1),
    };
    let many = b.kind.is_multisampled();
    let desc = ImageDesc {
        kind: b.kind,
        height,
        depth,
        levels: if many || writable { 1 } else { 3 },
        samples: if many { 4 } else { 1 },
        ..ImageDesc::flat(8, height, format, writable)
    };
    if many || writable {
        return (desc, Vec::new());
    }
    let mut random = Words(0x9e37_79b9 ^ b.register.wrapping_mul(77));
    let floats = matches!(format.channel(), Channel::Float32);
    let texels = bytes((0..desc.bytes() / 4).map(|_| match floats {
        true => ((random.next() % 1025) as f32 / 1024.0).to_bits(),
        false => random.integer(),
    }));
    (desc, texels)
}

/// A sampler by its name: `Point`, `Clamp`, `Border`, `Mirror` and `Cmp` may be in it.
fn sampler(name: &str) -> SamplerDesc {
    let has = |word| name.contains(word);
    let address = if has("Clamp") {
        Address::Clamp
    } else if has("Border") {
        Address::Border
    } else if has("Mirror") {
        Address::Mirror
    } else {
        Address::Wrap
    };
    SamplerDesc {
        min_linear: !has("Point"),
        mag_linear: !has("Point"),
        mip_linear: !has("Point"),
        address: [address; 3],
        compare: has("Cmp").then_some(Compare::LessEqual),
        ..Default::default()
    }
}

/// A device without the validation layer, unless `RTC_VK_VALIDATION=1` requests it: a thousand pipelines take several times as long with it, and half
/// of them are modules of the reference compiler.
fn unwatched() -> OpenOptions {
    OpenOptions { validation: std::env::var("RTC_VK_VALIDATION").is_ok_and(|v| v == "1"), ..Default::default() }
}

/// Runs a package on Vulkan; the words of `Out`.
fn run(device: &mut VulkanDevice, package: &Package) -> Result<Vec<u32>, String> {
    run_file(device, &package.write().map_err(|e| format!("{e:?}"))?, package)
}

/// Runs a file on a device; the words of `Out`. `package` says what there is to bind.
fn run_file(device: &mut dyn Device, written: &[u8], package: &Package) -> Result<Vec<u32>, String> {
    let records =
        |stage| -> Vec<Record> { package.map.entries.iter().filter(|e| e.stage == stage).map(|e| Record::of(e.export.as_str())).collect() };
    let any_hit = !records(ShaderKind::AnyHit).is_empty();
    let group = HitGroup { name: "Group".into(), any_hit: "Ah".into(), closest_hit: "Ch".into(), ..Default::default() };
    // The reference compiler knows no subobjects here, so the host says what they would.
    let overrides = Overrides {
        shader: Some(ShaderConfig { max_payload: 256, max_attribute: 8 }),
        pipeline: Some(PipelineConfig { max_recursion: 2, flags: 0 }),
        hit_groups: if any_hit { vec![group] } else { Vec::new() },
        ..Overrides::default()
    };
    let options = ProgramOptions { overrides, ..Default::default() };
    let program = device.load(written, &options).map_err(|e| e.to_string())?;
    let bindings = device.library(program).map_err(|e| e.to_string())?.package.map.bindings.clone();
    let mut random = Words(0x2545_f491);
    let mut input = bytes((0..64 * THREADS).map(|_| random.integer()));
    input.extend(bytes((0..64 * THREADS).map(|_| random.float())));
    let floats = bytes((0..4096).map(|_| random.float()));
    let out = device.create_buffer(OUT_BYTES, &[]).map_err(|e| e.to_string())?;
    for b in bindings.iter().filter(|b| !b.heap) {
        // An element of each slot; names of arrays have elements below.
        let resource = match (b.name.as_str(), b.register) {
            ("Mixed", _) => Resource::Accel(mixed(device).map_err(|e| e.to_string())?),
            ("Scene", _) => Resource::Accel(scene(device).map_err(|e| e.to_string())?),
            ("Out", _) => Resource::Buffer(out),
            ("In", _) => Resource::Buffer(device.create_buffer(input.len() as u64, &input).map_err(|e| e.to_string())?),
            _ if b.kind.is_texture() => {
                let (desc, texels) = image(b);
                Resource::Image(device.create_image(&desc, &texels).map_err(|e| e.to_string())?)
            }
            _ if b.class == ResourceClass::Sampler => {
                Resource::Sampler(device.create_sampler(&sampler(&b.name)).map_err(|e| e.to_string())?)
            }
            _ if b.kind == ResourceKind::TypedBuffer => {
                Resource::Texels(device.create_buffer(floats.len() as u64, &floats).map_err(|e| e.to_string())?, texel_format(b))
            }
            _ => Resource::Buffer(device.create_buffer(floats.len() as u64, &floats).map_err(|e| e.to_string())?),
        };
        device.set(program, &Slot::Name(b.name.clone()), 0, resource).map_err(|e| e.to_string())?;
        // The other elements of an array hold other numbers.
        for element in 1..b.count.min(8) {
            let mut other = floats.clone();
            other.rotate_left(4 * element as usize);
            let buffer = device.create_buffer(other.len() as u64, &other).map_err(|e| e.to_string())?;
            device.set(program, &Slot::Name(b.name.clone()), element, Resource::Buffer(buffer)).map_err(|e| e.to_string())?;
        }
    }
    heap(device, package, program, &floats)?;
    let compute = package.map.entries.iter().find(|e| e.stage == ShaderKind::Compute);
    if let Some(entry) = compute {
        device.dispatch_groups(program, Some(&entry.export), [1; 3]).map_err(|e| e.to_string())?;
        return Ok(words(&device.read_buffer(out).map_err(|e| e.to_string())?));
    }
    let tables = ShaderTables {
        raygen: Record::of("Main"),
        miss: records(ShaderKind::Miss),
        hit: if any_hit { vec![Record::of("Group")] } else { Vec::new() },
        callable: records(ShaderKind::Callable),
    };
    device.set_tables(program, &tables).map_err(|e| e.to_string())?;
    device.dispatch(program, [THREADS, 1, 1]).map_err(|e| e.to_string())?;
    Ok(words(&device.read_buffer(out).map_err(|e| e.to_string())?))
}

/// Fills the descriptor heap: 0 to 7 are buffers, 8 and 9 constant buffers, 12 and 13 images, 14 a scene.
fn heap(device: &mut dyn Device, package: &Package, program: Program, floats: &[u8]) -> Result<(), String> {
    let name = "ResourceDescriptorHeap";
    let kinds: Vec<DescriptorKind> = package.map.bindings.iter().filter(|b| b.heap && b.name == name).map(|b| b.descriptor).collect();
    if kinds.is_empty() {
        return Ok(());
    }
    for element in 0..15 {
        let mut other = floats.to_vec();
        other.rotate_left(4 * element as usize);
        let (suffix, kind) = match element {
            0..=7 => ("", DescriptorKind::StorageBuffer),
            8 | 9 => (".b", DescriptorKind::UniformBuffer),
            12 | 13 => ("", DescriptorKind::StorageImage),
            14 => ("", DescriptorKind::AccelerationStructure),
            _ => continue,
        };
        if !kinds.contains(&kind) {
            continue;
        }
        let resource = match element {
            12 | 13 => {
                let format = if element == 12 { Format::Rgba32Float } else { Format::R32Uint };
                let desc = ImageDesc::flat(8, 8, format, true);
                Resource::Image(device.create_image(&desc, &[]).map_err(|e| e.to_string())?)
            }
            14 => Resource::Accel(scene(device).map_err(|e| e.to_string())?),
            _ => Resource::Buffer(device.create_buffer(other.len() as u64, &other).map_err(|e| e.to_string())?),
        };
        device.set(program, &Slot::Name(format!("{name}{suffix}")), element, resource).map_err(|e| e.to_string())?;
    }
    Ok(())
}

/// Of pairs of integers the first ones or the second ones; nothing of floating-point numbers.
fn every_second(words: &[u32], from: usize) -> Vec<u32> {
    let integers = words[..words.len() / 2].iter().skip(from).step_by(2).copied();
    // As many zeros, so that integers are half of it.
    let count = words.len() / 4;
    integers.chain(std::iter::repeat_n(0, count)).collect()
}

/// Where two results differ, in words; empty when they do not.
fn difference(a: &[u32], b: &[u32]) -> String {
    difference_within(a, b, 2e-5)
}

/// The same with another tolerance, a share of the larger number.
fn difference_within(a: &[u32], b: &[u32], near: f32) -> String {
    let mut text = String::new();
    let half = a.len() / 2;
    let per_thread = half / THREADS as usize;
    let mut shown = 0;
    for (i, (&x, &y)) in a.iter().zip(b).enumerate() {
        let (f, g) = (f32::from_bits(x), f32::from_bits(y));
        let same =
            x == y || (i >= half && (f == g || (f.is_nan() && g.is_nan()) || (f - g).abs() <= near * f.abs().max(g.abs()).max(0.05)));
        if same {
            continue;
        }
        shown += 1;
        if shown <= 12 {
            let (thread, word) = (i % half / per_thread, i % per_thread);
            text += &if i < half {
                format!("\n    thread {thread} integer {word}: {x:#x} and {y:#x} ({} and {})", x as i32, y as i32)
            } else {
                format!("\n    thread {thread} float {word}: {f} and {g}")
            };
        }
    }
    if shown > 0 { format!("{shown} words differ{text}") } else { text }
}

#[test]
fn shaders_compute_what_the_reference_computes() {
    if let Some(missing) = [rtc_oracles::Dxc::load().err(), rtc_oracles::vulkan::available().err()].into_iter().flatten().next() {
        return skip::skip(missing);
    }
    let mut wrong = Vec::new();
    let mut made = Vec::new();
    let (for_the_cpu, others): (Vec<_>, Vec<_>) = shaders().into_iter().partition(|(_, text)| is_for_the_cpu(text));
    if others.is_empty() && !for_the_cpu.is_empty() {
        return skip::skip("these shaders are for the CPU device alone");
    }
    for (name, text) in others {
        let source = scratch(&format!("{name}.hlsl"));
        std::fs::write(&source, &text).expect("the expanded source");
        for (n, options) in options_of(&text).into_iter().enumerate() {
            let name = if n == 0 { name.clone() } else { format!("{name}{}", n + 1) };
            let mut one = |level| ours(&name, &source, level, &options).map_err(|e| wrong.push(format!("{name}: {e}"))).ok();
            let (Some(plain), Some(best)) = (one("-Od"), one("-O3")) else {
                continue;
            };
            let alone = text.contains("\n// reference: no");
            let reference = if alone || text.contains("\n// reference SPIR-V: no") {
                None
            } else {
                match theirs(&name, &source, &best, &options) {
                    Ok(p) => Some(p),
                    Err(e) => {
                        wrong.push(format!("{name}: {e}"));
                        None
                    }
                }
            };
            let declared = declared(&name, &source, &best, &options).map_err(|e| wrong.push(format!("{name}: {e}"))).ok();
            made.push((name, plain, best, reference, alone, declared));
        }
    }
    assert!(!made.is_empty(), "{}", wrong.join("\n"));
    let mut requirements: Vec<Requirement> = Vec::new();
    for need in made.iter().flat_map(|m| &m.2.map.requirements) {
        if !requirements.iter().any(|r| (r.kind, &r.name, &r.extension) == (need.kind, &need.name, &need.extension)) {
            requirements.push(need.clone());
        }
    }
    let mut device = match VulkanDevice::open(&OpenOptions { requirements, ..unwatched() }) {
        Ok(d) => d,
        Err(e) => return skip::skip(e),
    };
    for (name, plain, best, reference, alone, declared) in &made {
        let mut one = |package, what: &str| run(&mut device, package).map_err(|e| wrong.push(format!("{name}: {what}: {e}"))).ok();
        let (Some(a), Some(b)) = (one(plain, "-Od"), one(best, "-O3")) else {
            continue;
        };
        let r = reference.as_ref().and_then(|p| one(p, "reference"));
        let d = declared.as_ref().and_then(|p| one(p, "declared types"));
        if a.iter().all(|&w| w == 0) {
            wrong.push(format!("{name}: wrote nothing"));
        }
        let mut compare = |what: &str, x: &[u32], y: &[u32]| {
            let d = difference(x, y);
            if !d.is_empty() {
                wrong.push(format!("{name}: {what}: {d}"));
            }
        };
        compare("-Od and -O3", &a, &b);
        if let Some(d) = d {
            compare("words and declared types", &b, &d);
        }
        match r {
            Some(r) => compare("-O3 and reference", &b, &r),
            None if *alone => {
                compare("value (integer N is pair N) and what it must be", &every_second(&b, 0), &every_second(&b, 1));
            }
            None => {}
        }
    }
    assert!(wrong.is_empty(), "{} of {} shaders\n{}", wrong.len(), made.len(), wrong.join("\n"));
}

/// The DXIL of a source, by our compiler or by the reference.
#[cfg(feature = "cpu")]
fn dxil(name: &str, source: &Path, level: &str, options: &[String], reference: bool) -> Result<Vec<u8>, String> {
    let out = scratch(&format!("{name}{level}{}.dxil", if reference { ".reference" } else { "" }));
    let for_dxil = options.iter().filter(|o| !o.starts_with("-fvk") && !o.starts_with("-fspv"));
    let mut args: Vec<String> = for_dxil.cloned().collect();
    args.extend([level, "-no-warnings"].map(str::to_string));
    if reference {
        args.retain(|a| a != "-no-warnings");
        // What it says by itself of version 1.7 of the validator is not what that says.
        args.extend(["-validator-version", "1.6"].map(str::to_string));
    }
    compile(if reference { Compiler::Reference } else { Compiler::Rtc }, &args, source, &out)
}

/// The same options for shader model 6.9, which has arithmetic on vectors.
#[cfg(feature = "cpu")]
fn with_vectors(options: &[String]) -> Vec<String> {
    let mut all = options.to_vec();
    match all.iter().position(|o| o == "-T").and_then(|n| all.get_mut(n + 1)) {
        Some(profile) => {
            let stage = profile.split('_').next().unwrap_or_default();
            if profile.rsplit('_').next().and_then(|m| m.parse::<u32>().ok()).is_some_and(|m| m < 9) {
                *profile = format!("{stage}_6_9");
            }
        }
        None => all.extend(["-T", "lib_6_9"].map(str::to_string)),
    }
    // Older sources have payloads without qualifiers.
    all.push("-disable-payload-qualifiers".to_string());
    all
}

/// Why the reference's DXIL of a shader is skipped: the pinned reference does not have the shader model.
#[cfg(feature = "cpu")]
fn is_too_new(options: &[String]) -> bool {
    let profile = options.iter().skip_while(|o| *o != "-T").nth(1);
    let minor = profile.and_then(|p| p.rsplit('_').next()).and_then(|m| m.parse::<u32>().ok());
    minor.is_none_or(|m| m > 6)
}

/// DXIL on the CPU device: ours and the reference's at both levels compute the same, and the same as SPIR-V on Vulkan.
#[cfg(feature = "cpu")]
#[test]
fn the_cpu_device_computes_the_same() {
    use rtc_host::cpu::device::{CpuDevice, CpuOptions};
    let no_reference = rtc_oracles::Dxc::load().err();
    let mut wrong = Vec::new();
    let (mut ran, mut compared) = (0, 0);
    let mut options = CpuOptions { cache: rtc_host::cpu::jit::Cache::Off, ..Default::default() };
    // Operations among lanes give what they give on waves as wide as Vulkan's.
    let no_vulkan = match VulkanDevice::open(&unwatched()) {
        Ok(vulkan) => {
            options.limits.lanes = vulkan.info().wave_lanes;
            None
        }
        Err(e) => Some(e),
    };
    let mut cpu = CpuDevice::open(options).expect("the CPU device");
    for (name, text) in shaders() {
        let source = scratch(&format!("{name}.hlsl"));
        std::fs::write(&source, &text).expect("the expanded source");
        for (n, options) in options_of(&text).into_iter().enumerate() {
            let name = if n == 0 { name.clone() } else { format!("{name}{}", n + 1) };
            let package = match ours(&name, &source, "-O3", &options) {
                Ok(p) => p,
                Err(e) => {
                    wrong.push(format!("{name}: {e}"));
                    continue;
                }
            };
            let mut made_and_run = |name: &str, level: &str, options: &[String], reference: bool| {
                let made = dxil(name, &source, level, options, reference)?;
                run_file(&mut cpu, &made, &package)
            };
            let vectors = made_and_run(&format!("{name}.vectors"), "-O3", &with_vectors(&options), false);
            let mut on_cpu = |level: &str, reference: bool| made_and_run(&name, level, &options, reference);
            let mut results = vec![("ours -O3", on_cpu("-O3", false)), ("ours -Od", on_cpu("-Od", false)), ("ours, vectors", vectors)];
            let without = ["\n// reference: no", "\n// reference DXIL: no"].iter().any(|line| text.contains(line));
            if no_reference.is_none() && !without && !is_too_new(&options) {
                results.push(("reference", on_cpu("-O3", true)));
                results.push(("reference -Od", on_cpu("-Od", true)));
                compared += 1;
            }
            let requirements = package.map.requirements.clone();
            // How buffers are laid out for Vulkan is no business of DXIL.
            let laid_out = options.iter().any(|o| o.starts_with("-fvk-use-"));
            if !laid_out
                && !is_for_the_cpu(&text)
                && let Ok(mut vulkan) = VulkanDevice::open(&OpenOptions { requirements, ..unwatched() })
            {
                results.push(("Vulkan", run(&mut vulkan, &package)));
            }
            let near = text.lines().find_map(|l| l.strip_prefix("// Vulkan within ")?.split(',').next()?.parse().ok()).unwrap_or(2e-5);
            ran += 1;
            let (_, first) = &results[0];
            for (what, result) in &results {
                match (first, result) {
                    (Ok(a), Ok(b)) => {
                        let d = difference_within(a, b, if *what == "Vulkan" { near } else { 2e-5 });
                        if !d.is_empty() {
                            wrong.push(format!("{name}: ours -O3 and {what}: {d}"));
                        }
                    }
                    (_, Err(e)) => wrong.push(format!("{name}: {what}: {e}")),
                    _ => {}
                }
            }
            if let (Ok(a), true) = (first, text.contains("\n// reference: no")) {
                let d = difference(&every_second(a, 0), &every_second(a, 1));
                if !d.is_empty() {
                    wrong.push(format!("{name}: value (integer N is pair N) and what it must be: {d}"));
                }
            }
            if first.as_ref().is_ok_and(|a| a.iter().all(|&w| w == 0)) {
                wrong.push(format!("{name}: wrote nothing"));
            }
        }
    }
    println!("{ran} shaders on the CPU device, {compared} of them by the reference compiler as well");
    assert!(wrong.is_empty(), "{} wrong of {ran} shaders\n{}", wrong.len(), wrong.join("\n"));
    // What was compared agrees, but not all was.
    let missing: Vec<String> = no_reference.iter().map(ToString::to_string).chain(no_vulkan.iter().map(ToString::to_string)).collect();
    if !missing.is_empty() {
        skip::skip(missing.join("; "));
    }
}

/// Without the CPU device its tests are skipped, and said to be.
#[cfg(not(feature = "cpu"))]
#[test]
fn the_cpu_device_computes_the_same() {
    skip::skip("built without the CPU device: LLVM 19 was not there to build with");
}
