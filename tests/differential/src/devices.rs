//! The devices that execute the builds, with fixed inputs.

use rtc_dxil_container::{ComponentType, ResourceKind, ShaderKind};
use rtc_host::Device;
use rtc_host::device::{
    Accel, BottomDesc, BuildFlags, Format, GEOMETRY_NO_DUPLICATE_ANY_HIT, Geometry, GeometryData, ImageDesc, Instance, ProgramOptions,
    Record, Resource, ShaderTables, Slot, TopDesc,
};
use rtc_host::state_object::{HitGroup, Overrides, PipelineConfig, ShaderConfig};
use rtc_host::vulkan::{OpenOptions, VulkanDevice};
use rtc_package::{Package, Requirement};

use crate::compile::Output;
use crate::generate::{THREADS, WORDS};

/// A device without the validation layer, unless `RTC_VK_VALIDATION=1` requests it: with it, each program takes several times as long.
fn unwatched() -> OpenOptions {
    OpenOptions { validation: std::env::var("RTC_VK_VALIDATION").is_ok_and(|v| v == "1"), ..Default::default() }
}

/// The devices, opened when something is to be executed.
#[derive(Default)]
pub struct Devices {
    #[cfg(feature = "cpu")]
    cpu: Option<rtc_host::cpu::device::CpuDevice>,
    vulkan: Option<VulkanDevice>,
    /// Why there is no Vulkan device, if there is none.
    no_vulkan: Option<String>,
    requirements: Vec<Requirement>,
}

impl Devices {
    /// Opens the Vulkan device if that was not tried; why there is none, if there is none.
    pub fn open(&mut self) -> Option<&str> {
        if self.vulkan.is_none() && self.no_vulkan.is_none() {
            match VulkanDevice::open(&unwatched()) {
                Ok(d) => self.vulkan = Some(d),
                Err(e) => self.no_vulkan = Some(e.to_string()),
            }
            #[cfg(feature = "cpu")]
            {
                self.cpu = open_cpu(self.vulkan.as_ref());
            }
        }
        self.no_vulkan.as_deref()
    }

    /// Whether DXIL can be executed.
    pub const fn has_cpu() -> bool {
        cfg!(feature = "cpu")
    }

    /// Executes a build; the words that it writes, or nothing if the device for it is not here. `like` says what there is to bind.
    ///
    /// # Errors
    /// What the device says.
    pub fn execute(&mut self, output: &Output, like: &Package) -> Option<Result<Vec<u32>, String>> {
        self.open();
        match output {
            #[cfg(feature = "cpu")]
            Output::Dxil(bytes) => Some(execute(self.cpu.as_mut()?, bytes, like)),
            #[cfg(not(feature = "cpu"))]
            Output::Dxil(_) => None,
            Output::Bindings(_) => None,
            Output::Spirv(package) => {
                let bytes = match package.write() {
                    Ok(bytes) => bytes,
                    Err(e) => return Some(Err(format!("{e:?}"))),
                };
                match self.vulkan_with(&package.map.requirements)? {
                    Ok(device) => Some(execute(device, &bytes, like)),
                    Err(e) => Some(Err(e)),
                }
            }
        }
    }

    /// The Vulkan device, opened again if it lacks what is required of it.
    fn vulkan_with(&mut self, requirements: &[Requirement]) -> Option<Result<&mut VulkanDevice, String>> {
        let known = |r: &Requirement| self.requirements.iter().any(|k| (k.kind, &k.name, &k.extension) == (r.kind, &r.name, &r.extension));
        let new: Vec<Requirement> = requirements.iter().filter(|r| !known(r)).cloned().collect();
        if !new.is_empty() {
            self.requirements.extend(new);
            match VulkanDevice::open(&OpenOptions { requirements: self.requirements.clone(), ..unwatched() }) {
                Ok(device) => self.vulkan = Some(device),
                Err(e) => return Some(Err(e.to_string())),
            }
        }
        self.vulkan.as_mut().map(Ok)
    }

    /// Does something with the CPU device, if it is here.
    pub fn on_cpu<T>(&mut self, work: impl FnOnce(&mut dyn Device) -> rtc_host::Result<T>) -> Option<Result<T, String>> {
        self.open();
        #[cfg(feature = "cpu")]
        return Some(work(self.cpu.as_mut()?).map_err(|e| e.to_string()));
        #[cfg(not(feature = "cpu"))]
        {
            drop(work);
            None
        }
    }

    /// Does something with the Vulkan device, with all that a package requires.
    pub fn on_vulkan<T>(&mut self, package: &[u8], work: impl FnOnce(&mut dyn Device) -> rtc_host::Result<T>) -> Option<Result<T, String>> {
        self.open();
        let required = match Package::read(package) {
            Ok(package) => package.map.requirements,
            Err(e) => return Some(Err(format!("{e:?}"))),
        };
        Some(self.vulkan_with(&required)?.and_then(|device| work(device).map_err(|e| e.to_string())))
    }
}

#[cfg(feature = "cpu")]
fn open_cpu(vulkan: Option<&VulkanDevice>) -> Option<rtc_host::cpu::device::CpuDevice> {
    use rtc_host::cpu::device::{CpuDevice, CpuOptions};
    let mut options = CpuOptions { cache: rtc_host::cpu::jit::Cache::Off, threads: 1, ..Default::default() };
    // Operations among lanes give what they give on waves as wide as Vulkan's.
    if let Some(vulkan) = vulkan {
        options.limits.lanes = vulkan.info().wave_lanes;
    }
    options.limits.budget = 1_000_000;
    CpuDevice::open(options).ok()
}

/// Pseudo-random words: all bits, small numbers of both signs, zero (xorshift).
fn input(mut state: u32) -> Vec<u8> {
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    };
    let word = |_| {
        let word = next();
        match next() % 8 {
            0 => 0,
            1 | 2 => word % 17,
            3 => (word % 17).wrapping_neg(),
            4 => 1 << (word % 32),
            _ => word,
        }
    };
    (0..4096).map(word).flat_map(u32::to_le_bytes).collect()
}

/// Triangles that rays along z from (3 i, 5 j, -5) hit in the middle, each alone: primitives 0 and 1 of a geometry and 0 and 1 of another one, in
/// two instances.
fn scene(device: &mut dyn Device) -> rtc_host::Result<Accel> {
    let triangle = |i: f32| [[3.0 * i - 1.0, -1.0, i], [3.0 * i + 1.0, -1.0, i], [3.0 * i, 1.0, i]];
    let geometry = |from: f32| {
        let positions = [triangle(from), triangle(from + 1.0)].concat();
        Geometry::new(GeometryData::Triangles { positions, indices: None, transform: None }, GEOMETRY_NO_DUPLICATE_ANY_HIT)
    };
    let bottom = device.build_bottom(&BottomDesc { geometries: vec![geometry(0.0), geometry(2.0)], flags: BuildFlags::default() })?;
    let instance = |y: f32, id, hit_group_offset| Instance {
        bottom: Some(bottom),
        transform: [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, y], [0.0, 0.0, 1.0, 0.0]],
        id,
        mask: 255,
        hit_group_offset,
        flags: 0,
    };
    device.build_top(&TopDesc { instances: vec![instance(0.0, 12, 0), instance(5.0, 34, 1)], flags: BuildFlags::default() })
}

fn execute(device: &mut dyn Device, bytes: &[u8], like: &Package) -> Result<Vec<u32>, String> {
    run(device, bytes, like).map_err(|e| e.to_string())
}

fn run(device: &mut dyn Device, bytes: &[u8], like: &Package) -> rtc_host::Result<Vec<u32>> {
    let exports = |stage| -> Vec<String> { like.map.entries.iter().filter(|e| e.stage == stage).map(|e| e.export.clone()).collect() };
    let (hits, any) = (exports(ShaderKind::ClosestHit), exports(ShaderKind::AnyHit));
    let groups: Vec<HitGroup> = (0..hits.len())
        .map(|i| HitGroup {
            name: format!("Group{i}"),
            closest_hit: hits[i].clone(),
            any_hit: any.get(i).cloned().unwrap_or_default(),
            ..Default::default()
        })
        .collect();
    let names: Vec<Record> = groups.iter().map(|g| Record::of(g.name.as_str())).collect();
    let overrides = Overrides {
        shader: Some(ShaderConfig { max_payload: 512, max_attribute: 8 }),
        pipeline: Some(PipelineConfig { max_recursion: 1, flags: 0 }),
        hit_groups: groups,
        ..Overrides::default()
    };
    let program = device.load(bytes, &ProgramOptions { overrides, ..Default::default() })?;
    let bindings = device.library(program)?.package.map.bindings.clone();
    let out = device.create_buffer(u64::from(THREADS * WORDS * 4), &[])?;
    // Those that the compiler adds are the device's.
    for b in bindings.iter().filter(|b| !b.heap && !b.name.starts_with("rtc.")) {
        for index in 0..b.count.max(1) {
            let seed = b.name.bytes().fold(index * 0x9e37, |h, c| h.wrapping_mul(31).wrapping_add(c.into()));
            let resource = match b.name.as_str() {
                "Out" => Resource::Buffer(out),
                "Scene" => Resource::Accel(scene(device)?),
                _ => {
                    let words = input(0x2545_f491 ^ seed);
                    let words = match b.name.as_str() {
                        "Weights" => crate::generate::matrices::weights(),
                        _ if b.writable => vec![0; words.len()],
                        _ => words,
                    };
                    if let Some((width, height, depth)) = texture_size(b.kind) {
                        let format = format(b.component, b.components);
                        let desc = ImageDesc { kind: b.kind, depth, ..ImageDesc::flat(width, height, format, b.writable) };
                        let texels = 16 * 4 * usize::from(b.components.max(1));
                        let image = device.create_image(&desc, &words[..texels])?;
                        device.set(program, &Slot::Name(b.name.clone()), index, Resource::Image(image))?;
                        continue;
                    }
                    let buffer = device.create_buffer(words.len() as u64, &words)?;
                    if b.kind == ResourceKind::TypedBuffer {
                        Resource::Texels(buffer, format(b.component, b.components))
                    } else {
                        Resource::Buffer(buffer)
                    }
                }
            };
            device.set(program, &Slot::Name(b.name.clone()), index, resource)?;
        }
    }
    if let Some(entry) = like.map.entries.iter().find(|e| e.stage == ShaderKind::Compute) {
        device.dispatch_groups(program, Some(&entry.export), [1; 3])?;
    } else {
        let records = |stage| exports(stage).into_iter().map(Record::of).collect();
        let tables = ShaderTables {
            raygen: Record::of("Main"),
            miss: records(ShaderKind::Miss),
            hit: names,
            callable: records(ShaderKind::Callable),
        };
        device.set_tables(program, &tables)?;
        device.dispatch(program, [THREADS, 1, 1])?;
    }
    let bytes = device.read_buffer(out)?;
    Ok(bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect())
}

/// Width, height and depth or layers of a texture of 16 texels.
fn texture_size(kind: ResourceKind) -> Option<(u32, u32, u32)> {
    match kind {
        ResourceKind::Texture1D => Some((16, 1, 1)),
        ResourceKind::Texture2D => Some((4, 4, 1)),
        ResourceKind::Texture2DArray | ResourceKind::Texture3D => Some((4, 2, 2)),
        _ => None,
    }
}

/// The format of integers.
fn format(component: ComponentType, components: u8) -> Format {
    match (component, components) {
        (ComponentType::I32, 1) => Format::R32Sint,
        (ComponentType::I32, _) => Format::Rgba32Sint,
        (_, 1) => Format::R32Uint,
        _ => Format::Rgba32Uint,
    }
}
