//! Dispatches a compute shader with inline ray tracing on the CPU device, and reads the image that it writes.
//!
//! `cargo run -p rtc-host --features cpu --example ambient_occlusion [CONTAINER]`
//!
//! No compiler is involved: the shader is a DXIL container, by default `common/tables/facts/reference/cs_query.dxil` (its source is
//! next to it). It traces four rays upwards from each pixel and stores the part of them that escapes. Here a roof covers
//! the left half, so the left half of the image is dark.

use std::path::PathBuf;

use rtc_host::cpu::device::{CpuDevice, CpuOptions};
use rtc_host::device::{
    BottomDesc, Device, Format, Geometry, GeometryData, IDENTITY, ImageDesc, Instance, ProgramOptions, Resource, Slot, TopDesc,
};
use rtc_host::{Result, RunError};

/// Width and height of the image; a thread group has 8 × 8 threads.
const SIZE: u32 = 16;

fn main() -> Result<()> {
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../../common/tables/facts/reference/cs_query.dxil");
    let path = PathBuf::from(std::env::args_os().nth(1).unwrap_or_else(|| default.into()));
    let container = std::fs::read(&path).map_err(|e| RunError::io("read", &path, &e))?;

    let mut device = CpuDevice::open(CpuOptions::default())?;
    let program = device.load(&container, &ProgramOptions::default())?;

    // The acceleration structure: a roof over the points with x < 0.
    let roof = GeometryData::Triangles {
        positions: vec![[-9.0, 0.5, -9.0], [-9.0, 0.5, 9.0], [0.0, 0.5, 9.0], [0.0, 0.5, -9.0]],
        indices: Some(vec![0, 1, 2, 2, 3, 0]),
        transform: None,
    };
    let bottom = device.build_bottom(&BottomDesc { geometries: vec![Geometry::new(roof, 0)], ..BottomDesc::default() })?;
    let instance = Instance { bottom: Some(bottom), transform: IDENTITY, id: 0, mask: 0xff, hit_group_offset: 0, flags: 0 };
    let scene = device.build_top(&TopDesc { instances: vec![instance], ..TopDesc::default() })?;

    // `cbuffer C { float4x4 inv; uint2 size; float radius; uint frame; }`: pixels are the plane y = 0 after this matrix.
    let clip_to_world: [[f32; 4]; 4] = [[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
    let mut constants: Vec<u8> = clip_to_world.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect();
    constants.extend([SIZE, SIZE, 10.0f32.to_bits(), 0].iter().flat_map(|x| x.to_le_bytes()));
    let constants = device.create_buffer(constants.len() as u64, &constants)?;

    // Images without data are zero: every pixel has depth 0.
    let depth = device.create_image(&ImageDesc::flat(SIZE, SIZE, Format::R32Float, false), &[])?;
    let output = device.create_image(&ImageDesc::flat(SIZE, SIZE, Format::R32Float, true), &[])?;

    for (slot, resource) in [
        ("Scene", Resource::Accel(scene)),
        ("Depth", Resource::Image(depth)),
        ("C", Resource::Buffer(constants)),
        ("Ao", Resource::Image(output)),
    ] {
        device.set(program, &Slot::parse(slot), 0, resource)?;
    }
    let timing = device.dispatch_groups(program, None, [SIZE / 8, SIZE / 8, 1])?;

    let texels: Vec<f32> = device.read_image(output)?.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    for row in texels.chunks_exact(SIZE as usize) {
        println!("{}", row.iter().map(|x| if *x > 0.5 { '#' } else { '.' }).collect::<String>());
    }
    println!("{} on {}: {:.2} ms", path.display(), device.info().name, timing.host.as_secs_f64() * 1e3);
    Ok(())
}
