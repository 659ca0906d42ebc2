//! Embree 3 as the peer of the benchmark, if the system has its library (Debian: `libembree3-3`).
#![allow(unsafe_code)]

use super::super::super::Ray;
use std::ffi::{c_char, c_void};

/// Room for any handle.
type Handle = *mut c_void;
type Trace = unsafe extern "C" fn(Handle, *mut Context, *mut RayHit);

const GEOMETRY_TRIANGLES: u32 = 0;
const BUFFER_INDICES: u32 = 0;
const BUFFER_VERTICES: u32 = 1;
const FORMAT_UINT3: u32 = 0x5003;
const FORMAT_FLOAT3: u32 = 0x9003;
const SCENE_ROBUST: u32 = 4;
const NONE: u32 = u32::MAX;

/// `RTCIntersectContext`.
#[repr(C)]
struct Context {
    flags: u32,
    filter: *const c_void,
    instance: u32,
}

/// `RTCRayHit`; an occlusion ray is its first half.
#[repr(C, align(16))]
struct RayHit {
    origin: [f32; 3],
    t_min: f32,
    direction: [f32; 3],
    time: f32,
    t_max: f32,
    mask: u32,
    id: u32,
    flags: u32,
    normal: [f32; 3],
    barycentrics: [f32; 2],
    primitive: u32,
    geometry: u32,
    instance: u32,
}

/// A scene of one triangle list.
pub struct Scene {
    scene: Handle,
    intersect: Trace,
    occluded: Trace,
    /// The scene reads them as long as it lives.
    _positions: Box<[[f32; 3]]>,
    _indices: Box<[u32]>,
}

// SAFETY: a committed scene may be traced by several threads.
unsafe impl Sync for Scene {}

impl Scene {
    /// Builds a scene; `robust` asks for watertight triangles. None: there is no library.
    pub fn new(positions: &[[f32; 3]], indices: &[u32], robust: bool) -> Option<Scene> {
        // Embree reads vertices as vectors of four.
        let padded: Box<[[f32; 3]]> = positions.iter().copied().chain([[0.0; 3]]).collect();
        let indices: Box<[u32]> = indices.into();
        // SAFETY: types and values are those of the headers of Embree 3; buffers outlive the scene.
        unsafe {
            // Its threads outlive scenes, so it stays loaded.
            let library = Box::leak(Box::new(libloading::Library::new("libembree3.so.3").ok()?));
            let new_device = *library.get::<unsafe extern "C" fn(*const c_char) -> Handle>(b"rtcNewDevice").ok()?;
            let new_scene = *library.get::<unsafe extern "C" fn(Handle) -> Handle>(b"rtcNewScene").ok()?;
            let set_flags = *library.get::<unsafe extern "C" fn(Handle, u32)>(b"rtcSetSceneFlags").ok()?;
            let new_geometry = *library.get::<unsafe extern "C" fn(Handle, u32) -> Handle>(b"rtcNewGeometry").ok()?;
            type SetBuffer = unsafe extern "C" fn(Handle, u32, u32, u32, *const c_void, usize, usize, usize);
            let set_buffer = *library.get::<SetBuffer>(b"rtcSetSharedGeometryBuffer").ok()?;
            let commit_geometry = *library.get::<unsafe extern "C" fn(Handle)>(b"rtcCommitGeometry").ok()?;
            let attach = *library.get::<unsafe extern "C" fn(Handle, Handle) -> u32>(b"rtcAttachGeometry").ok()?;
            let commit_scene = *library.get::<unsafe extern "C" fn(Handle)>(b"rtcCommitScene").ok()?;
            let intersect = *library.get::<Trace>(b"rtcIntersect1").ok()?;
            let occluded = *library.get::<Trace>(b"rtcOccluded1").ok()?;
            let device = new_device(std::ptr::null());
            let scene = new_scene(device);
            if robust {
                set_flags(scene, SCENE_ROBUST);
            }
            let geometry = new_geometry(device, GEOMETRY_TRIANGLES);
            set_buffer(geometry, BUFFER_VERTICES, 0, FORMAT_FLOAT3, padded.as_ptr().cast(), 0, 12, positions.len());
            set_buffer(geometry, BUFFER_INDICES, 0, FORMAT_UINT3, indices.as_ptr().cast(), 0, 12, indices.len() / 3);
            commit_geometry(geometry);
            attach(scene, geometry);
            commit_scene(scene);
            Some(Scene { scene, intersect, occluded, _positions: padded, _indices: indices })
        }
    }

    /// Whether a ray hits anything; the closest hit is looked for unless `any`.
    pub fn hits(&self, ray: &Ray, any: bool) -> bool {
        let mut context = Context { flags: 0, filter: std::ptr::null(), instance: NONE };
        let mut ray = RayHit {
            origin: ray.origin,
            t_min: ray.t_min,
            direction: ray.direction,
            time: 0.0,
            t_max: ray.t_max,
            mask: NONE,
            id: 0,
            flags: 0,
            normal: [0.0; 3],
            barycentrics: [0.0; 2],
            primitive: NONE,
            geometry: NONE,
            instance: NONE,
        };
        let trace = if any { self.occluded } else { self.intersect };
        // SAFETY: the scene is committed, and the structures are those that it reads and writes.
        unsafe { trace(self.scene, &raw mut context, &raw mut ray) };
        if any { ray.t_max < 0.0 } else { ray.geometry != NONE }
    }
}
