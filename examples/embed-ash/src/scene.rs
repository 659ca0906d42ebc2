//! Octahedra over a ground: their vertices and instances change each frame, and both levels are rebuilt.

use crate::{Error, Gpu};
use ash::vk::{self, Handle};
use rtc_engine::vulkan::accel::{self, Build, Geometry, Inputs, Scratch, Source, build_flag};
use rtc_engine::vulkan::{Accel, Buffer};

/// Octahedra in the picture.
pub const OCTAHEDRA: usize = 5;

/// The structures of one frame in flight.
pub struct Frame {
    shape: Accel,
    ground: Accel,
    top: Accel,
    inputs: [Inputs; 3],
    vertices: Buffer,
    instances: Buffer,
    scratch: Buffer,
}

/// The corners of the eight sides, side by side; side `i` is in the octant that the shaders compute from `i`.
fn octahedron(size: f32) -> Vec<f32> {
    let mut out = Vec::new();
    for side in 0..8 {
        let sign = |bit: u32| if side & bit != 0 { -size } else { size };
        out.extend([sign(1), 0.0, 0.0, 0.0, sign(2), 0.0, 0.0, 0.0, sign(4)]);
    }
    out
}

const GROUND: [f32; 18] = {
    let s = 20.0;
    [-s, 0.0, -s, -s, 0.0, s, s, 0.0, s, -s, 0.0, -s, s, 0.0, s, s, 0.0, -s]
};

fn bytes(floats: impl IntoIterator<Item = f32>) -> Vec<u8> {
    floats.into_iter().flat_map(f32::to_le_bytes).collect()
}

/// Turned about y, moved.
fn transform(angle: f32, at: [f32; 3]) -> [f32; 12] {
    let (s, c) = angle.sin_cos();
    [c, 0.0, s, at[0], 0.0, 1.0, 0.0, at[1], -s, 0.0, c, at[2]]
}

fn instance(transform: [f32; 12], hit: u32, structure: &Accel) -> Vec<u8> {
    let mut out = bytes(transform);
    out.extend((0xffu32 << 24).to_le_bytes());
    // Both sides of triangles are seen.
    out.extend((hit | 1 << 24).to_le_bytes());
    out.extend(structure.address().to_le_bytes());
    out
}

impl Frame {
    /// Room for the structures and their inputs.
    ///
    /// # Errors
    /// No memory.
    pub fn new(gpu: &Gpu) -> Result<Frame, Error> {
        let shape_floats = octahedron(1.0).len() as u64;
        let vertices = gpu.buffer((shape_floats + GROUND.len() as u64) * 4)?;
        let triangles = |first: u64, floats: u64| Inputs::Bottom {
            geometries: vec![Geometry::Triangles {
                vertices: vertices.address() + first * 4,
                stride: 12,
                format: vk::Format::R32G32B32_SFLOAT.as_raw(),
                vertex_count: (floats / 3) as u32,
                indices: None,
                transform: None,
                flags: 1,
            }],
            flags: build_flag::PREFER_FAST_BUILD,
        };
        let instances = gpu.buffer(((OCTAHEDRA + 1) * accel::INSTANCE_SIZE) as u64)?;
        let top = Inputs::Top {
            instances: instances.address(),
            count: OCTAHEDRA as u32 + 1,
            pointers: false,
            flags: build_flag::PREFER_FAST_BUILD,
        };
        let inputs = [triangles(0, shape_floats), triangles(shape_floats, GROUND.len() as u64), top];
        let room = |i: usize| -> Result<Accel, Error> { Ok(Accel::new(&gpu.rt, &gpu.memory, i == 2, inputs[i].sizes(&gpu.rt)?.result)?) };
        let all: Vec<_> = inputs.iter().map(|i| (i, false)).collect();
        let scratch = gpu.buffer(accel::scratch_for(&gpu.rt, &all)?)?;
        Ok(Frame { shape: room(0)?, ground: room(1)?, top: room(2)?, inputs, vertices, instances, scratch })
    }

    /// `VkAccelerationStructureKHR` of the top level.
    pub fn top(&self) -> vk::AccelerationStructureKHR {
        vk::AccelerationStructureKHR::from_raw(self.top.handle())
    }

    /// Writes what the frame is built from.
    ///
    /// # Errors
    /// Never; the buffers have room.
    ///
    /// # Safety
    /// The device is done with the frame.
    pub unsafe fn animate(&self, time: f32) -> Result<(), Error> {
        let breath = 0.6 + 0.1 * (time * 3.0).sin();
        let data = bytes(octahedron(breath).into_iter().chain(GROUND));
        let mut all = Vec::new();
        for i in 0..OCTAHEDRA {
            let phase = time + i as f32 * std::f32::consts::TAU / OCTAHEDRA as f32;
            let at = [phase.cos() * 2.0, 0.8 + 0.2 * (phase * 2.0).sin(), phase.sin() * 2.0];
            all.extend(instance(transform(phase, at), i as u32, &self.shape));
        }
        all.extend(instance(transform(0.0, [0.0; 3]), OCTAHEDRA as u32, &self.ground));
        // SAFETY: by the caller's promise.
        unsafe {
            self.vertices.write(0, &data)?;
            self.instances.write(0, &all)?;
        }
        Ok(())
    }

    /// Records the builds of both levels.
    ///
    /// # Errors
    /// Never; the inputs are valid.
    ///
    /// # Safety
    /// The commands record, and the frame lives until they have run.
    pub unsafe fn build(&mut self, gpu: &Gpu, commands: vk::CommandBuffer) -> Result<(), Error> {
        let scratch = Scratch { address: self.scratch.address(), size: self.scratch.size() };
        let [shape, ground, top] = self.inputs.clone();
        let mut builds = [
            Build { inputs: shape, target: &mut self.shape, source: Source::New },
            Build { inputs: ground, target: &mut self.ground, source: Source::New },
            Build { inputs: top, target: &mut self.top, source: Source::New },
        ];
        // SAFETY: by the caller's promise.
        unsafe { Ok(accel::build(&gpu.rt, commands.as_raw(), &mut builds, scratch)?) }
    }
}
