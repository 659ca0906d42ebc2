//! Ray and hit system values of a shader.

use crate::cpu::accel::{CLUSTER_ID_INVALID, Top};
use crate::device::IDENTITY;

/// Three rows of four.
pub type Matrix = [[f32; 4]; 3];

/// The transform outside of an instance.
static NO_TRANSFORM: Matrix = IDENTITY;

/// The system values. Compiled code reads the fields at fixed offsets, which `lower` takes from this declaration.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct RayState<'m> {
    /// `ObjectToWorld3x4()`.
    pub to_world: &'m Matrix,
    /// `WorldToObject3x4()`.
    pub to_object: &'m Matrix,
    /// `WorldRayOrigin()`.
    pub origin: [f32; 3],
    /// `RayTMin()`.
    pub t_min: f32,
    /// `WorldRayDirection()`.
    pub direction: [f32; 3],
    /// `RayTCurrent()`.
    pub t: f32,
    /// `RayFlags()`: those of the call, without the pipeline's.
    pub flags: u32,
    /// `HitKind()`.
    pub kind: u32,
    /// `InstanceIndex()`.
    pub instance: u32,
    /// `InstanceID()`.
    pub id: u32,
    /// `GeometryIndex()`.
    pub geometry: u32,
    /// `PrimitiveIndex()`.
    pub primitive: u32,
    /// `ClusterID()`.
    pub cluster: u32,
    /// The leaf index of the primitive in its structure.
    pub leaf: u32,
    /// The structure that was hit.
    pub top: Option<&'m Top>,
}

impl RayState<'_> {
    /// Neither ray nor hit.
    pub const NONE: RayState<'static> = RayState {
        to_world: &NO_TRANSFORM,
        to_object: &NO_TRANSFORM,
        origin: [0.0; 3],
        t_min: 0.0,
        direction: [0.0; 3],
        t: 0.0,
        flags: 0,
        kind: 0,
        instance: 0,
        id: 0,
        geometry: 0,
        primitive: 0,
        cluster: CLUSTER_ID_INVALID,
        leaf: u32::MAX,
        top: None,
    };
}
