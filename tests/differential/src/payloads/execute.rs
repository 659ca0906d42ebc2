//! A build on a device: the scene, the shader tables, and the words that come back.

use rtc_host::Device;
use rtc_host::device::{
    Accel, BottomDesc, BuildFlags, GEOMETRY_NO_DUPLICATE_ANY_HIT, GEOMETRY_OPAQUE, Geometry, GeometryData, Instance, ProgramOptions,
    Record, Resource, ShaderTables, Slot, TopDesc,
};
use rtc_host::state_object::{HitGroup, Overrides, PipelineConfig, ShaderConfig};

use super::program::{Program, Split, THREADS, WORDS};

/// What the rays of [`super::program::TARGETS`] meet: nothing at 0, then a triangle, an opaque triangle and a box, each an instance.
fn scene(device: &mut dyn Device) -> rtc_host::Result<Accel> {
    let triangle = || GeometryData::Triangles {
        positions: vec![[-1.0, -1.0, 0.0], [0.0, 1.0, 0.0], [1.0, -1.0, 0.0]],
        indices: None,
        transform: None,
    };
    let geometries = [
        Geometry::new(triangle(), GEOMETRY_NO_DUPLICATE_ANY_HIT),
        Geometry::new(triangle(), GEOMETRY_OPAQUE),
        Geometry::new(GeometryData::Boxes(vec![[-1.0, -1.0, -1.0, 1.0, 1.0, 1.0]]), GEOMETRY_NO_DUPLICATE_ANY_HIT),
    ];
    let mut instances = Vec::new();
    for (i, geometry) in (0u32..).zip(geometries) {
        let bottom = device.build_bottom(&BottomDesc { geometries: vec![geometry], flags: BuildFlags::default() })?;
        instances.push(Instance {
            bottom: Some(bottom),
            transform: [[1.0, 0.0, 0.0, 4.0 * (i + 1) as f32], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]],
            id: 100 + i,
            mask: 255,
            hit_group_offset: i,
            flags: 0,
        });
    }
    device.build_top(&TopDesc { instances, flags: BuildFlags::default() })
}

/// Executes a build of a program: the words that it stores.
///
/// # Errors
/// What the device says.
pub fn execute(device: &mut dyn Device, files: &[Vec<u8>], p: &Program) -> rtc_host::Result<Vec<u32>> {
    let mut names = Vec::new();
    let mut groups = Vec::new();
    for (k, family) in p.families.iter().enumerate() {
        for (g, group) in family.groups.iter().enumerate() {
            let name = format!("Group{k}_{g}");
            let there = |there: bool, stage: &str| if there { format!("{stage}{k}_{g}") } else { String::new() };
            groups.push(HitGroup {
                name: name.clone(),
                procedural: g == 2,
                any_hit: there(group.any.is_some(), "Any"),
                closest_hit: there(group.closest.is_some(), "Closest"),
                intersection: if g == 2 { format!("Meet{k}") } else { String::new() },
                ..HitGroup::default()
            });
            names.push(Record::of(name));
        }
    }
    let overrides = Overrides {
        shader: Some(ShaderConfig { max_payload: 2048, max_attribute: 8 }),
        pipeline: Some(PipelineConfig { max_recursion: 4, flags: 0 }),
        // A library that is one declares its hit groups.
        hit_groups: if p.split == Split::One { Vec::new() } else { groups },
        ..Overrides::default()
    };
    let additional = files[1..].iter().map(|f| ("second".to_string(), f.clone())).collect();
    let program = device.load(&files[0], &ProgramOptions { overrides, additional, ..ProgramOptions::default() })?;
    let out = device.create_buffer(u64::from(THREADS * WORDS * 4), &[])?;
    let scene = scene(device)?;
    let bindings = device.library(program)?.package.map.bindings.clone();
    for b in bindings.iter().filter(|b| !b.heap) {
        let resource = match b.name.as_str() {
            "Out" => Resource::Buffer(out),
            "Scene" => Resource::Accel(scene),
            _ => continue,
        };
        device.set(program, &Slot::Name(b.name.clone()), 0, resource)?;
    }
    let tables = ShaderTables {
        raygen: Record::of("Main"),
        miss: p
            .families
            .iter()
            .enumerate()
            .map(|(k, f)| if f.miss.is_some() { Record::of(format!("Miss{k}")) } else { Record::default() })
            .collect(),
        hit: names,
        callable: (0..p.callables.len()).map(|i| Record::of(format!("Callable{i}"))).collect(),
    };
    device.set_tables(program, &tables)?;
    device.dispatch(program, [THREADS, 1, 1])?;
    let bytes = device.read_buffer(out)?;
    Ok(bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect())
}
