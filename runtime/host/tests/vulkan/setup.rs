//! A device with everything bound, and what the picture must be.

use crate::package;
use libtest_mimic::Failed;
use rtc_host::device::*;
use rtc_host::vulkan::{OpenOptions, VulkanDevice};
use rtc_host::{ErrorKind, RunError};

/// How a test ends.
pub type Outcome = Result<(), Failed>;

/// What `Fill` multiplies by.
pub const FACTOR: u32 = 3;
/// Side of the pictures.
pub const SIDE: u32 = 48;
pub const VIEW: [f32; 4] = [1.5, -1.5, 0.25, 0.0];
pub const TINT: [f32; 4] = [1.0, 0.5, 2.0, 1.0];
pub const SKY: [f32; 4] = [0.1, 0.2, 0.4, 1.0];
/// Where the left, the right triangle and the box are, and the record color of each.
pub const LEFT: [f32; 2] = [-0.5, 0.25];
pub const RIGHT: [f32; 2] = [0.75, 0.25];
pub const BOX: [f32; 4] = [-0.5, -1.0, 0.5, -0.6];
pub const COLORS: [[f32; 4]; 3] = [[0.3, 0.0, 0.0, 0.0], [0.9, 0.0, 0.0, 0.0], [0.8, 0.4, 0.2, 1.0]];

pub fn open() -> Result<VulkanDevice, RunError> {
    VulkanDevice::open(&watched())
}

/// Any device, watched by the validation layer where it is installed: what it reports is an error of the call.
pub fn watched() -> OpenOptions {
    let usual = OpenOptions::default();
    OpenOptions { validation: usual.validation || rtc_oracles::vulkan::validation_layer(), ..usual }
}

pub fn bytes(floats: &[f32]) -> Vec<u8> {
    floats.iter().flat_map(|f| f.to_le_bytes()).collect()
}

pub fn floats(bytes: &[u8]) -> Vec<[f32; 4]> {
    let all: Vec<f32> = bytes.chunks_exact(4).map(|c| f32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect();
    all.chunks_exact(4).map(|c| [c[0], c[1], c[2], c[3]]).collect()
}

pub fn moved(at: [f32; 2]) -> [[f32; 4]; 3] {
    [[1.0, 0.0, 0.0, at[0]], [0.0, 1.0, 0.0, at[1]], [0.0, 0.0, 1.0, 0.0]]
}

pub fn triangle(flags: u32, raise: f32) -> BottomDesc {
    let positions = vec![[-0.5, -0.5 + raise, 0.0], [0.0, 0.5 + raise, 0.0], [0.5, -0.5 + raise, 0.0]];
    let data = GeometryData::Triangles { positions, indices: Some(vec![0, 1, 2]), transform: None };
    BottomDesc {
        geometries: vec![Geometry::new(data, flags)],
        flags: BuildFlags { allow_update: true, allow_compaction: true, ..BuildFlags::default() },
    }
}

pub fn instance(bottom: Accel, at: [f32; 2], hit_group_offset: u32) -> Instance {
    Instance { bottom: Some(bottom), transform: moved(at), id: 0, mask: 0xff, hit_group_offset, flags: 0 }
}

pub fn instances(tri: Accel, cube: Accel, left: [f32; 2]) -> TopDesc {
    TopDesc {
        instances: vec![instance(tri, left, 0), instance(tri, RIGHT, 1), instance(cube, [0.0, 0.0], 2)],
        flags: BuildFlags { allow_update: true, ..BuildFlags::default() },
    }
}

/// A device with everything bound for `RayGen`.
pub struct Setup {
    pub device: VulkanDevice,
    pub program: Program,
    pub image: Image,
    pub doubles: Buffer,
    pub tri: Accel,
    pub cube: Accel,
    pub top: Accel,
}

pub fn tables() -> ShaderTables {
    let colored = |export: &str, color: [f32; 4]| Record {
        export: Some(export.into()),
        arguments: vec![(Slot::parse("Material"), Argument::Constants(bytes(&color)))],
    };
    ShaderTables {
        raygen: Record::of("RayGen"),
        miss: vec![Record::of("Miss")],
        hit: vec![colored("Tri", COLORS[0]), colored("Tri", COLORS[1]), colored("Box", COLORS[2])],
        callable: vec![colored("Tint", TINT)],
    }
}

impl Setup {
    pub fn new(flags: u32) -> Result<Setup, RunError> {
        let mut device = open()?;
        let package = package::package(1).write().expect("a package");
        let program = device.load(&package, &ProgramOptions::default())?;
        let image = device.create_image(&ImageDesc::flat(SIDE, SIDE, Format::Rgba32Float, true), &[])?;
        let camera = device.create_buffer(16, &bytes(&VIEW))?;
        let numbers = device.create_buffer(400, &[])?;
        let words = |w: &[u32]| w.iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<u8>>();
        let hundreds: Vec<u32> = (0..100).map(|i| 1000 - i).collect();
        let addends = device.create_buffer(400, &words(&hundreds))?;
        let doubles = device.create_buffer(400, &[])?;
        let pushed = device.create_buffer(4, &words(&[FACTOR]))?;
        let tri = device.build_bottom(&triangle(flags, 0.0))?;
        let b = BOX;
        let cube = device.build_bottom(&BottomDesc {
            geometries: vec![Geometry::new(GeometryData::Boxes(vec![[b[0], b[1], 0.0, b[2], b[3], 1.0]]), GEOMETRY_OPAQUE)],
            flags: BuildFlags::default(),
        })?;
        let top = device.build_top(&instances(tri, cube, LEFT))?;
        let checker = device.create_image(&ImageDesc::flat(2, 1, Format::Rgba8Unorm, false), &[255, 0, 0, 255, 0, 0, 255, 255])?;
        for (name, element, resource) in [
            ("Scene", 0, Resource::Accel(top)),
            ("u0", 0, Resource::Image(image)),
            ("Camera", 0, Resource::Buffer(camera)),
            ("Numbers", 0, Resource::Buffer(numbers)),
            ("Addends", 0, Resource::Texels(addends, Format::R32Uint)),
            ("Doubles", 0, Resource::Texels(doubles, Format::R32Uint)),
            ("Many", 1, Resource::Buffer(addends)),
            ("Pushed", 0, Resource::Buffer(pushed)),
            ("Textures", 0, Resource::Image(checker)),
            ("Textures", 1, Resource::Image(checker)),
        ] {
            device.set(program, &Slot::parse(name), element, resource)?;
        }
        device.set_tables(program, &tables())?;
        Ok(Setup { device, program, image, doubles, tri, cube, top })
    }

    pub fn render(&mut self) -> Result<Vec<[f32; 4]>, RunError> {
        let timing = self.device.dispatch(self.program, [SIDE, SIDE, 1])?;
        assert!(timing.device.is_none_or(|t| t > std::time::Duration::ZERO));
        Ok(floats(&self.device.read_image(self.image)?))
    }
}

/// What a ray at `p` sees of a triangle at `at`: the barycentrics, or nothing; none where it is too close
/// to an edge to tell.
pub fn triangle_at(p: [f32; 2], at: [f32; 2]) -> Option<Option<[f32; 2]>> {
    let (x, y) = (p[0] - at[0], p[1] - at[1]);
    let u = y + 0.5;
    let v = x + 0.5 - 0.5 * u;
    let inside = u.min(v).min(1.0 - u - v);
    if inside.abs() < 1e-3 {
        return None;
    }
    Some((inside > 0.0).then_some([u, v]))
}

/// The color of a pixel; none where rounding decides.
pub fn expected(x: u32, y: u32, left: [f32; 2], cut: bool) -> Option<[f32; 4]> {
    let ndc = [x, y].map(|i| (i as f32 + 0.5) / SIDE as f32 * 2.0 - 1.0);
    let p = [ndc[0] * VIEW[0] + VIEW[2], ndc[1] * VIEW[1] + VIEW[3]];
    let mut color = SKY;
    // The box reports hits at z = 0.5, farther than the triangles; its sides may be enlarged.
    let distance = [p[0] - BOX[0], BOX[2] - p[0], p[1] - BOX[1], BOX[3] - p[1]];
    let inside = distance.iter().fold(f32::MAX, |a, b| a.min(*b));
    if inside.abs() < 1e-3 {
        return None;
    }
    if inside > 0.0 {
        color = COLORS[2].map(|c| c * 0.75);
    }
    for (at, record) in [(left, COLORS[0]), (RIGHT, COLORS[1])] {
        if let Some([u, v]) = triangle_at(p, at)? {
            if cut && (u - 0.5).abs() < 1e-3 {
                return None;
            }
            if !(cut && u > 0.5) {
                color = [u, v, record[0], 1.0];
            }
        }
    }
    let mut out = [0.0; 4];
    for (o, (c, t)) in out.iter_mut().zip(color.iter().zip(TINT)) {
        *o = c * t;
    }
    Some(out)
}

pub fn compare(got: &[[f32; 4]], left: [f32; 2], cut: bool) -> Outcome {
    let mut compared = 0;
    for y in 0..SIDE {
        for x in 0..SIDE {
            let Some(want) = expected(x, y, left, cut) else {
                continue;
            };
            let got = got[(y * SIDE + x) as usize];
            if got.iter().zip(want).any(|(g, w)| (g - w).abs() > 1e-4) {
                return Err(format!("pixel {x}, {y}: {got:?} instead of {want:?}").into());
            }
            compared += 1;
        }
    }
    // The comparison must not have excused itself from the picture.
    if compared < SIDE * SIDE * 9 / 10 { Err(format!("only {compared} pixels compared").into()) } else { Ok(()) }
}

/// Checks that something fails, of what kind, and what it says.
#[track_caller]
pub fn fails<T>(result: Result<T, RunError>, kind: ErrorKind, what: &str) -> Outcome {
    match result {
        Ok(_) => Err(format!("must fail with: {what}").into()),
        Err(e) if e.kind == kind && e.to_string().contains(what) => Ok(()),
        Err(e) => Err(format!("{:?}: {e}\nexpected {kind:?}: {what}", e.kind).into()),
    }
}
