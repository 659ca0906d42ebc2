//! The records of `dx.resources`.

use super::{Info, int, tuple, value};
use crate::container::{ComponentType, ResourceClass, ResourceKind};
use crate::module::{Meta, Module, Type, TypeKind, Value};

/// A resource as its record declares it.
#[derive(Debug, Clone, PartialEq)]
pub struct Resource {
    /// The class.
    pub class: ResourceClass,
    /// The number within the class.
    pub id: u32,
    /// The global that stands for it, or an undefined value.
    pub symbol: Value,
    /// The type behind the symbol's pointer: the HLSL type, or an array of it.
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
    /// The record.
    pub node: Meta,
}

impl Resource {
    /// The last register.
    pub fn upper(&self) -> u32 {
        self.lower.saturating_add(self.count.saturating_sub(1))
    }

    /// The HLSL type of one element, arrays taken off.
    pub fn element(&self, m: &Module) -> Option<Type> {
        let mut ty = self.ty?;
        while let TypeKind::Array { elem, .. } = m.types[ty] {
            ty = elem;
        }
        Some(ty)
    }
}

const NAME: &str = "dx.resources";
/// The classes in the order of records in RDAT and listings, with the place of each list in `dx.resources`.
const ORDER: [(usize, ResourceClass); 4] =
    [(2, ResourceClass::Cbv), (3, ResourceClass::Sampler), (0, ResourceClass::Srv), (1, ResourceClass::Uav)];

pub(super) fn read(m: &Module, info: &mut Info) {
    let node = match m.meta.named(NAME) {
        [] => return,
        [node] => *node,
        _ => return info.complain(NAME, "has several nodes, one is wanted"),
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
    let node = row.ok_or("is null")?;
    let fields = tuple(m, row).ok_or("is no tuple")?;
    let wanted = match class {
        ResourceClass::Srv => 9,
        ResourceClass::Uav => 11,
        ResourceClass::Cbv | ResourceClass::Sampler => 8,
    };
    if fields.len() != wanted {
        return Err(format!("has {} fields, {wanted} are wanted", fields.len()));
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
        class,
        id: number(0)?,
        symbol,
        ty,
        name: String::from_utf8_lossy(name).into_owned(),
        space: number(3)?,
        lower: number(4)?,
        count: number(5)?,
        kind: ResourceKind::Invalid,
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
        node,
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
    tags(m, fields[wanted - 1], &mut r)?;
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
            0 => {
                let known = ComponentType::from_number(v as u32);
                r.component = known.ok_or_else(|| format!("has the unknown component type {v}"))?;
            }
            1 => r.size = v as u32,
            2 => r.feedback = Some(v as u32),
            3 => r.atomic64 = v != 0,
            4 => r.reorder_coherent = v != 0,
            _ => return Err(format!("has the unknown tag {tag}")),
        }
    }
    Ok(())
}
