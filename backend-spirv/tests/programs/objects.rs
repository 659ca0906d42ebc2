//! Hit objects as HLSL has them, and a world in which rays hit things: what every number in it is follows from a hash.

/// A hit object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Object {
    Nop,
    Miss {
        flags: u32,
        record: u32,
        tmin: u32,
        t: u32,
    },
    Hit {
        flags: u32,
        scene: u32,
        tmin: u32,
        t: u32,
        instance: u32,
        primitive: u32,
        geometry: u32,
        kind: u32,
        attributes: [u32; 2],
        record: u32,
        bound: bool,
    },
}

/// The far end of every ray.
pub const FAR: f32 = 1000.0;

pub fn hash(parts: &[u32]) -> u32 {
    let mut h = 0x811c_9dc5u32;
    for p in parts {
        h = (h ^ p).wrapping_mul(0x0100_0193);
        h ^= h >> 13;
        h = h.wrapping_mul(0x5bd1_e995);
    }
    h ^ h >> 15
}

/// What a ray finds.
pub fn trace(scene: u32, flags: u32, tmin: u32, miss_record: u32) -> Object {
    let h = |n: u32| hash(&[scene, tmin, n]);
    if h(0) % 3 == 0 {
        return Object::Miss { flags, record: miss_record, tmin, t: FAR.to_bits() };
    }
    Object::Hit {
        flags,
        scene,
        tmin,
        t: ((h(1) & 0xff) as f32).to_bits(),
        instance: h(2) & 0xff,
        primitive: h(3) & 0xff,
        geometry: h(4) & 0xf,
        kind: [0xfe, 0xff, 5][(h(5) % 3) as usize],
        attributes: [h(6), h(7)],
        record: h(8) & 0xff,
        bound: true,
    }
}

/// What only the scene knows of an instance.
pub fn of_instance(what: u32, scene: u32, instance: u32) -> u32 {
    hash(&[what, scene, instance]) & 0xffff
}

/// A word of a shader record.
pub fn record_word(hit: bool, record: u32, word: u32) -> u32 {
    hash(&[u32::from(hit), record, word])
}

/// What programs ask of hit objects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ask {
    IsNop,
    IsMiss,
    IsHit,
    Flags,
    Tmin,
    T,
    InstanceIndex,
    InstanceId,
    Primitive,
    Kind,
    Record,
    Constant,
    Attribute,
    Row,
    ObjectOrigin,
}

pub const ASKS: [Ask; 15] = [
    Ask::IsNop,
    Ask::IsMiss,
    Ask::IsHit,
    Ask::Flags,
    Ask::Tmin,
    Ask::T,
    Ask::InstanceIndex,
    Ask::InstanceId,
    Ask::Primitive,
    Ask::Kind,
    Ask::Record,
    Ask::Constant,
    Ask::Attribute,
    Ask::Row,
    Ask::ObjectOrigin,
];

impl Object {
    /// What HLSL promises as answer.
    pub fn ask(&self, what: Ask) -> u32 {
        let one = 1.0f32.to_bits();
        match (what, *self) {
            (Ask::IsNop, o) => u32::from(o == Object::Nop),
            (Ask::IsMiss, o) => u32::from(matches!(o, Object::Miss { .. })),
            (Ask::IsHit, o) => u32::from(matches!(o, Object::Hit { .. })),
            // Row 1 of the identity, component 1; other questions are answered by zero.
            (Ask::Row, Object::Nop | Object::Miss { .. }) => one,
            (_, Object::Nop) => 0,
            (Ask::Flags, Object::Miss { flags, .. } | Object::Hit { flags, .. }) => flags,
            (Ask::Tmin, Object::Miss { tmin, .. } | Object::Hit { tmin, .. }) => tmin,
            (Ask::T, Object::Miss { t, .. } | Object::Hit { t, .. }) => t,
            (Ask::Record, Object::Miss { record, .. } | Object::Hit { record, .. }) => record,
            (Ask::Constant, Object::Miss { record, .. }) => record_word(false, record, 1),
            (Ask::ObjectOrigin, Object::Miss { tmin, .. }) => tmin,
            (_, Object::Miss { .. }) => 0,
            (Ask::Constant, Object::Hit { bound: false, .. }) => 0,
            (Ask::Constant, Object::Hit { record, .. }) => record_word(true, record, 1),
            (Ask::InstanceIndex, Object::Hit { instance, .. }) => instance,
            (Ask::InstanceId, Object::Hit { instance, scene, .. }) => of_instance(1, scene, instance),
            (Ask::Row, Object::Hit { instance, scene, .. }) => of_instance(2, scene, instance),
            (Ask::ObjectOrigin, Object::Hit { instance, scene, .. }) => of_instance(3, scene, instance),
            (Ask::Primitive, Object::Hit { primitive, .. }) => primitive,
            (Ask::Kind, Object::Hit { kind, .. }) => kind,
            (Ask::Attribute, Object::Hit { attributes, .. }) => attributes[1],
        }
    }

    /// What is seen of it from outside when it is invoked or reordered by: not the flags, which no shader sees there.
    pub fn seen(&self) -> String {
        match *self {
            Object::Nop => "nop".into(),
            Object::Miss { record, tmin, t, .. } => format!("miss {record} {tmin:x} {t:x}"),
            Object::Hit { scene, tmin, t, instance, primitive, geometry, kind, attributes, record, .. } => {
                format!("hit {scene} {tmin:x} {t:x} {instance} {primitive} {geometry} {kind} {attributes:x?} {record}")
            }
        }
    }
}
