//! The records of `dx.resources`: how they are read, and how lowering and the linker write them.

use super::{Info, int, tuple, value};
use crate::recompute::layout::align_of;
use crate::{ComponentType, ResourceClass, ResourceKind};
use rtc_dxil_module::{ConstKind, Global, Meta, Module, Type, TypeKind, Value};

/// The tags at the end of records.
pub mod extra {
    /// The component type of a view of texels.
    pub const COMPONENT: i64 = 0;
    /// Bytes of an element of a structured buffer.
    pub const STRIDE: i64 = 1;
    /// The kind of sampler feedback.
    pub const FEEDBACK: i64 = 2;
    /// Whether 64-bit atomics are used on it.
    pub const ATOMIC64: i64 = 3;
    /// Whether it is `reordercoherent`.
    pub const REORDER_COHERENT: i64 = 4;
}

/// A resource as its record declares it.
#[derive(Debug, Clone, PartialEq)]
pub struct Resource {
    /// The class.
    pub class: ResourceClass,
    /// The number within the class.
    pub id: u32,
    /// The variable that stands for it, if the module has one.
    pub global: Option<Global>,
    /// The pointee type of the pointer in the record: the HLSL type, or an array of it. The variable itself may be a handle, with a
    /// cast that says this type.
    pub ty: Option<Type>,
    /// The name.
    pub name: String,
    /// The register space.
    pub space: u32,
    /// The first register.
    pub lower: u32,
    /// How many; `u32::MAX` for no limit.
    pub count: u32,
    /// The shape. Constant buffers are `CBuffer`, samplers `Sampler`.
    pub kind: ResourceKind,
    /// The component type if it is typed.
    pub component: ComponentType,
    /// Bytes: of a constant buffer, or of an element of a structured buffer.
    pub size: u32,
    /// Samples of a multisampled texture, 0 if not said.
    pub samples: u32,
    /// Sampler: 0 default, 1 comparison, 2 mono.
    pub sampler: u32,
    /// UAV: `globallycoherent`.
    pub coherent: bool,
    /// UAV: it has a counter.
    pub counter: bool,
    /// UAV: rasteriser ordered.
    pub rov: bool,
    /// UAV: `reordercoherent`.
    pub reorder_coherent: bool,
    /// Used by 64-bit atomics.
    pub atomic64: bool,
    /// The kind of sampler feedback.
    pub feedback: Option<u32>,
    /// The record that it was read from.
    pub node: Option<Meta>,
}

impl Resource {
    /// A resource without register, type and properties.
    pub fn new(class: ResourceClass, id: u32, name: String, kind: ResourceKind) -> Resource {
        Resource {
            class,
            id,
            global: None,
            ty: None,
            name,
            space: 0,
            lower: 0,
            count: 0,
            kind,
            component: ComponentType::Invalid,
            size: 0,
            samples: 0,
            sampler: 0,
            coherent: false,
            counter: false,
            rov: false,
            reorder_coherent: false,
            atomic64: false,
            feedback: None,
            node: None,
        }
    }

    /// Writes the record, whose symbol is `symbol`, with what `tags` puts at its end: [`Resource::tags`], or those of another module.
    pub fn write(&self, m: &mut Module, symbol: Value, tags: impl FnOnce(&Self, &mut Module) -> Option<Meta>) -> Meta {
        let mut list = vec![
            m.meta_i32(self.id as i32),
            m.meta.value(symbol),
            m.meta.string(&self.name),
            m.meta_i32(self.space as i32),
            m.meta_i32(self.lower as i32),
            m.meta_i32(self.count as i32),
        ];
        match self.class {
            ResourceClass::Srv => {
                let samples = if self.kind.is_multisampled() { self.samples } else { 0 };
                list.extend([m.meta_i32(self.kind.number() as i32), m.meta_i32(samples as i32)]);
            }
            ResourceClass::Uav => {
                list.push(m.meta_i32(self.kind.number() as i32));
                list.extend([m.meta_i1(self.coherent), m.meta_i1(self.counter), m.meta_i1(self.rov)]);
            }
            ResourceClass::Cbv => list.push(m.meta_i32(self.size as i32)),
            ResourceClass::Sampler => list.push(m.meta_i32(self.sampler as i32)),
        }
        let tags = tags(self, m);
        let list: Vec<Option<Meta>> = list.into_iter().map(Some).chain([tags]).collect();
        m.meta.node(&list)
    }

    /// Writes the pairs of tag and value at the end of the record.
    pub fn tags(&self, m: &mut Module) -> Option<Meta> {
        let mut tags: Vec<Option<Meta>> = Vec::new();
        let mut put = |m: &mut Module, tag: i64, value: u32| tags.extend([Some(m.meta_i32(tag as i32)), Some(m.meta_i32(value as i32))]);
        if self.kind == ResourceKind::StructuredBuffer {
            put(m, extra::STRIDE, self.size);
        }
        if let Some(feedback) = self.feedback {
            put(m, extra::FEEDBACK, feedback);
        }
        if self.component != ComponentType::Invalid {
            put(m, extra::COMPONENT, self.component.number());
        }
        if self.atomic64 {
            put(m, extra::ATOMIC64, 1);
        }
        if self.reorder_coherent {
            tags.extend([Some(m.meta_i32(extra::REORDER_COHERENT as i32)), Some(m.meta_i1(true))]);
        }
        (!tags.is_empty()).then(|| m.meta.node(&tags))
    }

    /// The last register; `u32::MAX` without limit. It wraps, as in RDAT, where arrays may have no register yet.
    pub fn upper(&self) -> u32 {
        match self.count {
            u32::MAX => u32::MAX,
            n => self.lower.wrapping_add(n).wrapping_sub(1),
        }
    }

    /// The last register that there can be of it; `u32::MAX` without limit.
    pub fn last(&self) -> u32 {
        match self.count {
            u32::MAX => u32::MAX,
            n => self.lower.saturating_add(n.saturating_sub(1)),
        }
    }

    /// The HLSL type of one element, arrays taken off.
    pub fn element(&self, m: &Module) -> Option<Type> {
        let mut ty = self.ty?;
        while let TypeKind::Array { elem, .. } = m.types[ty] {
            ty = elem;
        }
        Some(ty)
    }

    /// The first field of the HLSL type: a texel, or an element of a structured buffer.
    fn content(&self, m: &Module) -> Option<Type> {
        m.types.fields(self.element(m)?)?.types.first().copied()
    }

    /// Logarithm of the alignment of a structured buffer's elements, if they are structures.
    pub fn alignment(&self, m: &Module) -> u32 {
        let structure = self.content(m).filter(|&ty| m.types.fields(ty).is_some());
        structure.map_or(0, |ty| align_of(m, ty).trailing_zeros())
    }

    /// Components of a texel, by the type.
    pub fn components(&self, m: &Module) -> u32 {
        self.content(m).map_or(0, |ty| scalars(m, ty, &mut { FAR }))
    }
}

/// Types are followed so far at most, lest a damaged module lead round and round.
const FAR: u32 = 64;

/// Scalars in a type. No texel has more than a few, so counting stops when `left` steps are done.
fn scalars(m: &Module, ty: Type, left: &mut u32) -> u32 {
    if *left == 0 {
        return 0;
    }
    *left -= 1;
    match &m.types[ty] {
        TypeKind::Vector { len, .. } => *len,
        TypeKind::Array { elem, len } => scalars(m, *elem, left).saturating_mul((*len).min(u32::MAX.into()) as u32),
        _ => match m.types.fields(ty) {
            Some(fields) => fields.types.iter().fold(0, |n, &f| scalars(m, f, left).saturating_add(n)),
            None => 1,
        },
    }
}

/// The variable that a symbol refers to, through casts. Constants are made of earlier ones only (the reader sees to that), but
/// of as many as a file has bytes, and each record may begin at the last: no further than [`FAR`].
fn variable(m: &Module, mut symbol: Value) -> Option<Global> {
    for _ in 0..FAR {
        symbol = match symbol {
            Value::Global(g) => return Some(g),
            Value::Const(c) => match m.consts[c].kind {
                ConstKind::Cast { value, .. } => value,
                _ => return None,
            },
            _ => return None,
        };
    }
    None
}

const NAME: &str = "dx.resources";
/// The classes in the order of records in RDAT and listings, with the place of each list in `dx.resources`.
const ORDER: [(usize, ResourceClass); 4] =
    [(2, ResourceClass::Cbv), (3, ResourceClass::Sampler), (0, ResourceClass::Srv), (1, ResourceClass::Uav)];

pub(super) fn read(m: &Module, info: &mut Info) {
    let node = match m.meta.named(NAME) {
        [] => return,
        [node] => *node,
        _ => return info.complain(NAME, "has several nodes, expected one"),
    };
    let Some(lists @ [_, _, _, _]) = tuple(m, Some(node)) else {
        return info.complain(NAME, "is not a tuple of four lists");
    };
    for (at, class) in ORDER {
        let Some(list) = lists[at] else { continue };
        let Some(rows) = tuple(m, Some(list)) else {
            info.complain(NAME, format!("has a {class} list that is no tuple"));
            continue;
        };
        for (n, &row) in rows.iter().enumerate() {
            match record(m, class, row) {
                Ok(r) => info.resources.push(r),
                Err(reason) => info.complain(NAME, format!("record {n} of the {class} list {reason}")),
            }
        }
    }
}

fn record(m: &Module, class: ResourceClass, row: Option<Meta>) -> Result<Resource, String> {
    row.ok_or("is null")?;
    let fields = tuple(m, row).ok_or("is no tuple")?;
    let expected = match class {
        ResourceClass::Srv => 9,
        ResourceClass::Uav => 11,
        ResourceClass::Cbv | ResourceClass::Sampler => 8,
    };
    if fields.len() != expected {
        return Err(format!("has {} fields, expected {expected}", fields.len()));
    }
    let number = |i: usize| {
        let n = int(m, fields[i]).ok_or_else(|| format!("has no number as field {i}"))?;
        Ok::<u32, String>(n as u32)
    };
    let flag = |i: usize| number(i).map(|n| n != 0);
    let symbol = value(m, fields[1]).ok_or("has no symbol as field 1")?;
    let ty = m.value_type(None, symbol).and_then(|ty| m.types.pointee(ty));
    let name = fields[2].and_then(|f| m.meta.bytes(f)).ok_or("has no name as field 2")?;
    let mut r = Resource {
        global: variable(m, symbol),
        ty,
        space: number(3)?,
        lower: number(4)?,
        count: number(5)?,
        node: row,
        ..Resource::new(class, number(0)?, String::from_utf8_lossy(name).into_owned(), ResourceKind::Invalid)
    };
    let kind = |n: u32| ResourceKind::from_number(n).ok_or_else(|| format!("has the unknown kind {n}"));
    match class {
        ResourceClass::Srv => (r.kind, r.samples) = (kind(number(6)?)?, number(7)?),
        ResourceClass::Uav => {
            r.kind = kind(number(6)?)?;
            (r.coherent, r.counter, r.rov) = (flag(7)?, flag(8)?, flag(9)?);
        }
        ResourceClass::Cbv => (r.kind, r.size) = (ResourceKind::CBuffer, number(6)?),
        ResourceClass::Sampler => (r.kind, r.sampler) = (ResourceKind::Sampler, number(6)?),
    }
    tags(m, fields[expected - 1], &mut r)?;
    Ok(r)
}

/// The pairs of tag and value at the end of a record.
fn tags(m: &Module, node: Option<Meta>, r: &mut Resource) -> Result<(), String> {
    if node.is_none() {
        return Ok(());
    }
    let pairs = tuple(m, node).ok_or("has tags that are no tuple")?;
    if pairs.len() % 2 != 0 {
        return Err("has a tag without a value".into());
    }
    for pair in pairs.chunks_exact(2) {
        let (Some(tag), Some(v)) = (int(m, pair[0]), int(m, pair[1])) else {
            return Err("has a tag that is no pair of numbers".into());
        };
        match tag {
            extra::COMPONENT => {
                let known = ComponentType::from_number(v as u32);
                r.component = known.ok_or_else(|| format!("has the unknown component type {v}"))?;
            }
            extra::STRIDE => r.size = v as u32,
            extra::FEEDBACK => r.feedback = Some(v as u32),
            extra::ATOMIC64 => r.atomic64 = v != 0,
            extra::REORDER_COHERENT => r.reorder_coherent = v != 0,
            _ => return Err(format!("has the unknown tag {tag}")),
        }
    }
    Ok(())
}
