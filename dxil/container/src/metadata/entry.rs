//! The entry points: functions and their properties.

use super::{Info, int, tuple, value};
use crate::ShaderKind;
use rtc_dxil_module::{Func, Meta, MetaNode, Module, Value};

/// The tags of properties.
pub mod tag {
    /// Shader flags, an `i64`.
    pub const FLAGS: i64 = 0;
    /// The state of a geometry shader: numbers.
    pub const GEOMETRY: i64 = 1;
    /// The state of a domain shader: numbers.
    pub const DOMAIN: i64 = 2;
    /// The state of a hull shader: its patch constant function, and numbers.
    pub const HULL: i64 = 3;
    /// Threads of a group: three numbers.
    pub const THREADS: i64 = 4;
    /// The register space of automatic bindings.
    pub const AUTO_SPACE: i64 = 5;
    /// Bytes of the payload or of the callable parameter.
    pub const PAYLOAD: i64 = 6;
    /// Bytes of the attributes.
    pub const ATTRIBUTES: i64 = 7;
    /// The stage, in a library.
    pub const KIND: i64 = 8;
    /// The state of a mesh shader: threads of a group, and numbers.
    pub const MESH: i64 = 9;
    /// The state of an amplification shader: threads of a group, bytes of the payload.
    pub const AMPLIFICATION: i64 = 10;
    /// Lanes of a wave.
    pub const WAVE_SIZE: i64 = 11;
    /// The root signature, serialised.
    pub const ROOT_SIGNATURE: i64 = 12;
    /// Least, most and preferred lanes of a wave (6.8).
    pub const WAVE_SIZE_RANGE: i64 = 23;
    /// The limit of groupshared memory in bytes (6.10).
    pub const GROUPSHARED_LIMIT: i64 = 24;
    /// The largest tag.
    pub const LAST: i64 = 24;
}

/// An entry point.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The function; none for the library itself.
    pub func: Option<Func>,
    /// Its name in the metadata.
    pub name: String,
    /// Whether it has signatures.
    pub signatures: Option<Meta>,
    /// The resources node.
    pub resources: Option<Meta>,
    /// The properties.
    pub props: Props,
}

/// The properties of an entry point.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Props {
    /// Shader flags; 0 if not said.
    pub flags: u64,
    /// The stage if said.
    pub kind: Option<ShaderKind>,
    /// Threads of a group.
    pub threads: Option<[u32; 3]>,
    /// Bytes of the payload or callable parameter.
    pub payload: Option<u32>,
    /// Bytes of the attributes.
    pub attributes: Option<u32>,
    /// Least, most and preferred lanes; the first alone before 6.8.
    pub wave_size: Option<Vec<u32>>,
    /// The limit of groupshared memory.
    pub groupshared_limit: Option<u32>,
    /// Every tag with its value, in order.
    pub all: Vec<(i64, Option<Meta>)>,
}

impl Props {
    /// Minimum and maximum wave size, if specified; the maximum is zero unless the metadata specifies a range.
    pub fn wave(&self) -> Option<(u32, u32)> {
        let sizes = self.wave_size.as_ref()?;
        let &least = sizes.first().filter(|&&n| n != 0)?;
        Some((least, sizes.get(1).copied().unwrap_or(0)))
    }

    /// The preferred wave size, if specified.
    pub fn preferred_wave(&self) -> Option<u32> {
        self.wave_size.as_ref()?.get(2).copied().filter(|&n| n != 0)
    }

    /// The patch constant function of a hull shader.
    pub fn patch_constants(&self, m: &Module) -> Option<Func> {
        match m.meta[m.meta.elems(self.get(tag::HULL)?).first().copied()??] {
            MetaNode::Value(Value::Func(f)) => Some(f),
            _ => None,
        }
    }

    /// The value of a tag.
    pub fn get(&self, tag: i64) -> Option<Meta> {
        self.all.iter().find(|(t, _)| *t == tag)?.1
    }
}

const NAME: &str = "dx.entryPoints";

pub(super) fn read(m: &Module, info: &mut Info) {
    let nodes = m.meta.named(NAME);
    if nodes.is_empty() {
        let reason = "is missing".into();
        info.malformed.push(super::Malformed { name: NAME, reason, missing: true });
    }
    for (n, &node) in nodes.iter().enumerate() {
        match record(m, node) {
            Ok(entry) => info.add_entry(entry),
            Err(reason) => info.complain(NAME, format!("record {n} {reason}")),
        }
    }
}

fn record(m: &Module, node: Meta) -> Result<Entry, String> {
    let Some(&[func, name, signatures, resources, props]) = tuple(m, Some(node)) else {
        return Err("is not a tuple of five".into());
    };
    let func = match func {
        None => None,
        Some(_) => match value(m, func) {
            Some(Value::Func(f)) => Some(f),
            _ => return Err("has something else than a function as its function".into()),
        },
    };
    let name = name.and_then(|n| m.meta.bytes(n)).ok_or("has no name")?;
    let name = String::from_utf8_lossy(name).into_owned();
    let props = properties(m, props).map_err(|reason| format!("(`{name}`) {reason}"))?;
    Ok(Entry { func, name, signatures, resources, props })
}

fn properties(m: &Module, node: Option<Meta>) -> Result<Props, String> {
    let mut props = Props::default();
    if node.is_none() {
        return Ok(props);
    }
    let pairs = tuple(m, node).ok_or("has properties that are no tuple")?;
    if pairs.len() % 2 != 0 {
        return Err("has a property without a value".into());
    }
    for pair in pairs.chunks_exact(2) {
        let tag = int(m, pair[0]).ok_or("has a property tag that is no number")?;
        if !(0..=tag::LAST).contains(&tag) {
            return Err(format!("has the unknown property {tag}"));
        }
        props.all.push((tag, pair[1]));
        let number = || int(m, pair[1]).ok_or_else(|| format!("has no number as property {tag}"));
        let numbers = || {
            let list = tuple(m, pair[1]).ok_or_else(|| format!("has no tuple as property {tag}"))?;
            let list: Option<Vec<u32>> = list.iter().map(|&n| int(m, n).map(|n| n as u32)).collect();
            list.ok_or_else(|| format!("has something else than numbers in property {tag}"))
        };
        match tag {
            tag::FLAGS => props.flags = number()? as u64,
            tag::KIND => {
                let n = number()?;
                let kind = ShaderKind::from_u32(n as u32).ok_or_else(|| format!("has the unknown stage {n}"))?;
                props.kind = Some(kind);
            }
            tag::THREADS => {
                let list = numbers()?;
                let list = list.try_into().map_err(|_| "has no three numbers of threads")?;
                props.threads = Some(list);
            }
            // Their first number is the tuple of threads.
            tag::MESH | tag::AMPLIFICATION => {
                let threads = tuple(m, pair[1]).and_then(|list| tuple(m, *list.first()?));
                let threads: Option<Vec<u32>> = threads.and_then(|t| t.iter().map(|&n| int(m, n).map(|n| n as u32)).collect());
                props.threads = threads.and_then(|t| t.try_into().ok());
            }
            tag::PAYLOAD => props.payload = Some(number()? as u32),
            tag::ATTRIBUTES => props.attributes = Some(number()? as u32),
            // Whether these are numbers is a rule of its own.
            tag::WAVE_SIZE | tag::WAVE_SIZE_RANGE => props.wave_size = numbers().ok(),
            tag::GROUPSHARED_LIMIT => props.groupshared_limit = Some(number()? as u32),
            _ => {}
        }
    }
    Ok(props)
}
