//! What a module's metadata says: versions, entry points with their properties, resources.
//!
//! This is a reading, not a judgement: what is missing is an error only where nothing could be said without it. Layouts are
//! those of the named metadata `dx.version`, `dx.valver`, `dx.shaderModel`, `dx.entryPoints` and `dx.resources`.

use super::Damage;
use crate::container::{ResourceClass, ResourceKind, ShaderKind, Version};
use crate::module::{ConstKind, Func, Global, Meta, MetaNode, Module, Type, Value};

/// Tags of entry properties.
pub mod tag {
    /// Shader flags.
    pub const FLAGS: i64 = 0;
    /// Threads of a group.
    pub const THREADS: i64 = 4;
    /// Space of automatic bindings.
    pub const AUTO_SPACE: i64 = 5;
    /// Bytes of payload or parameter.
    pub const PAYLOAD: i64 = 6;
    /// Bytes of hit attributes.
    pub const ATTRIBUTES: i64 = 7;
    /// Shader kind, in libraries.
    pub const KIND: i64 = 8;
    /// Lanes of a wave, exactly.
    pub const WAVE_SIZE: i64 = 11;
    /// Lanes of a wave: least, most, preferred.
    pub const WAVE_SIZE_RANGE: i64 = 23;
}

/// Tags of resource records.
mod extra {
    pub const COMPONENT: i64 = 0;
    pub const STRIDE: i64 = 1;
    pub const FEEDBACK: i64 = 2;
    pub const ATOMIC64: i64 = 3;
    pub const REORDER_COHERENT: i64 = 4;
}

/// What the metadata of a module says.
#[derive(Debug, Clone, PartialEq)]
pub struct Interface {
    /// `dx.version`.
    pub dxil: Version,
    /// `dx.valver`; 1.0 if it is not there.
    pub validator: Version,
    /// What is compiled, by `dx.shaderModel`: a library or one shader.
    pub kind: ShaderKind,
    /// The shader model, by `dx.shaderModel`.
    pub model: Version,
    /// Shader flags as stored: of the library, or of the only entry point.
    pub flags: u64,
    /// Entry points: of a library all but the first record, otherwise one.
    pub entries: Vec<Entry>,
    /// Resources: constant buffers, samplers, SRVs, UAVs, in this order.
    pub resources: Vec<ResourceRecord>,
}

/// One entry point.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The function.
    pub func: Func,
    /// Its name in the record.
    pub name: String,
    /// The record.
    pub node: Meta,
    /// The properties, tag and value in turn, if there are any.
    pub props: Option<Meta>,
    /// Its stage.
    pub kind: ShaderKind,
    /// Bytes of payload or callable parameter.
    pub payload: u32,
    /// Bytes of hit attributes.
    pub attributes: u32,
    /// Threads of a group.
    pub threads: Option<[u32; 3]>,
    /// Least and most lanes of a wave; most is zero unless a range was said.
    pub wave: Option<(u32, u32)>,
}

/// One resource.
#[derive(Debug, Clone, PartialEq)]
pub struct ResourceRecord {
    /// The record.
    pub node: Meta,
    /// Register class.
    pub class: ResourceClass,
    /// Number within its class.
    pub id: u32,
    /// The variable that stands for it, if the module has one.
    pub global: Option<Global>,
    /// Its type as HLSL has it: what the symbol points to.
    pub ty: Option<Type>,
    /// HLSL name.
    pub name: String,
    /// Register space.
    pub space: u32,
    /// First register.
    pub lower: u32,
    /// Number of registers, `u32::MAX` without bound.
    pub count: u32,
    /// Shape.
    pub kind: ResourceKind,
    /// Bytes of a constant buffer.
    pub size: u32,
    /// Samples, of textures that have several; kind of map, of sampler feedback.
    pub samples: u32,
    /// Component type of a typed resource, as DXIL numbers it.
    pub component: u32,
    /// Bytes of an element of a structured buffer.
    pub stride: u32,
    /// Kind of sampler: 0 default, 1 comparison.
    pub sampler: u32,
    /// Declared `globallycoherent`.
    pub coherent: bool,
    /// Has a hidden counter.
    pub counter: bool,
    /// Rasteriser ordered.
    pub rov: bool,
    /// 64-bit atomics are used on it.
    pub atomic64: bool,
    /// Declared `reordercoherent`.
    pub reorder_coherent: bool,
}

impl ResourceRecord {
    /// Last register, inclusive; `u32::MAX` without bound.
    pub fn upper(&self) -> u32 {
        match self.count {
            u32::MAX => u32::MAX,
            n => self.lower.wrapping_add(n).wrapping_sub(1),
        }
    }

    /// Logarithm of the alignment of a structured buffer's elements, if they are structures.
    pub fn alignment(&self, m: &Module) -> u32 {
        let Some(mut ty) = self.ty else { return 0 };
        while let crate::module::TypeKind::Array { elem, .. } = m.types[ty] {
            ty = elem;
        }
        match m.types.fields(ty).and_then(|f| f.types.first()) {
            Some(&elem) if m.types.fields(elem).is_some() => super::layout::align_of(m, elem).trailing_zeros(),
            _ => 0,
        }
    }

    /// Components of a texel, by the type.
    pub fn components(&self, m: &Module) -> u32 {
        let Some(mut ty) = self.ty else { return 0 };
        while let crate::module::TypeKind::Array { elem, .. } = m.types[ty] {
            ty = elem;
        }
        let Some(&first) = m.types.fields(ty).and_then(|f| f.types.first()) else {
            return 0;
        };
        {
            let mut left = FAR;
            scalars(m, first, &mut left)
        }
    }
}

/// Constants and types are followed so far at most, lest a damaged module lead round and round.
const FAR: u32 = 64;

/// Scalars in a type. No texel has more than a few, so counting stops when `left` steps are done.
fn scalars(m: &Module, ty: Type, left: &mut u32) -> u32 {
    use crate::module::TypeKind;
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

impl Interface {
    /// Reads it.
    ///
    /// # Errors
    /// When the shader model, the entry points or a resource cannot be made out.
    pub fn read(m: &Module) -> Result<Interface, Damage> {
        let pair = |name: &str| {
            let node = *m.meta.named(name).first()?;
            let [major, minor] = m.meta.elems(node) else { return None };
            Some(Version::new(int(m, *major)? as u32, int(m, *minor)? as u32))
        };
        let dxil = pair("dx.version").ok_or_else(|| Damage::new("`dx.version` does not hold two numbers"))?;
        let validator = pair("dx.valver").unwrap_or(Version::new(1, 0));
        let (kind, model) = shader_model(m).ok_or_else(|| Damage::new("`dx.shaderModel` does not name a shader model"))?;
        let records = m.meta.named("dx.entryPoints");
        let Some(&first) = records.first() else {
            return Err(Damage::new("there is no `dx.entryPoints`"));
        };
        let library = kind == ShaderKind::Library;
        let props = m.meta.elems(first).get(4).copied().flatten();
        let mut out = Interface {
            dxil,
            validator,
            kind,
            model,
            flags: property(m, props, tag::FLAGS).and_then(|v| int(m, Some(v))).unwrap_or(0) as u64,
            entries: Vec::new(),
            resources: Vec::new(),
        };
        for &node in &records[usize::from(library).min(records.len())..] {
            out.entries.push(entry(m, node, kind)?);
        }
        let classes = [ResourceClass::Cbv, ResourceClass::Sampler, ResourceClass::Srv, ResourceClass::Uav];
        if let Some(&node) = m.meta.named("dx.resources").first() {
            let lists = m.meta.elems(node);
            for class in classes {
                let at = match class {
                    ResourceClass::Srv => 0,
                    ResourceClass::Uav => 1,
                    ResourceClass::Cbv => 2,
                    ResourceClass::Sampler => 3,
                };
                let Some(list) = lists.get(at).copied().flatten() else { continue };
                for &record in m.meta.elems(list) {
                    out.resources.push(resource(m, record, class)?);
                }
            }
        }
        Ok(out)
    }

    /// The entry point that a function is.
    pub fn entry(&self, func: Func) -> Option<&Entry> {
        self.entries.iter().find(|e| e.func == func)
    }

    /// The resources of one class, in the order of their records.
    pub fn of_class(&self, class: ResourceClass) -> impl Iterator<Item = &ResourceRecord> {
        self.resources.iter().filter(move |r| r.class == class)
    }

    /// Whether the rules of validator 1.`minor` hold; a validator of major version 0 has all.
    pub fn since(&self, minor: u32) -> bool {
        self.validator.major == 0 || self.validator >= Version::new(1, minor)
    }
}

fn shader_model(m: &Module) -> Option<(ShaderKind, Version)> {
    let node = *m.meta.named("dx.shaderModel").first()?;
    let [name, major, minor] = m.meta.elems(node) else { return None };
    let kind = match m.meta.bytes((*name)?)? {
        b"ps" => ShaderKind::Pixel,
        b"vs" => ShaderKind::Vertex,
        b"gs" => ShaderKind::Geometry,
        b"hs" => ShaderKind::Hull,
        b"ds" => ShaderKind::Domain,
        b"cs" => ShaderKind::Compute,
        b"lib" => ShaderKind::Library,
        b"ms" => ShaderKind::Mesh,
        b"as" => ShaderKind::Amplification,
        _ => return None,
    };
    Some((kind, Version::new(int(m, *major)? as u32, int(m, *minor)? as u32)))
}

fn int(m: &Module, meta: Option<Meta>) -> Option<i64> {
    m.meta_int(meta?)
}

/// The value of a property.
pub fn property(m: &Module, props: Option<Meta>, tag: i64) -> Option<Meta> {
    let elems = m.meta.elems(props?);
    elems.chunks_exact(2).find(|p| int(m, p[0]) == Some(tag)).and_then(|p| p[1])
}

fn text(m: &Module, meta: Option<Meta>) -> Option<String> {
    let bytes = m.meta.bytes(meta?)?;
    Some(String::from_utf8_lossy(bytes).into_owned())
}

fn entry(m: &Module, node: Meta, module: ShaderKind) -> Result<Entry, Damage> {
    let elems = m.meta.elems(node);
    let func = match elems.first().copied().flatten().map(|f| &m.meta[f]) {
        Some(&MetaNode::Value(Value::Func(f))) => f,
        _ => return Err(Damage::new("an entry point has no function")),
    };
    let props = elems.get(4).copied().flatten();
    let of = |tag| property(m, props, tag);
    let number = |tag| of(tag).and_then(|v| int(m, Some(v))).unwrap_or(0) as u32;
    let words = |tag| of(tag).map(|v| m.meta.elems(v).iter().map(|&e| int(m, e).unwrap_or(0) as u32).collect::<Vec<_>>());
    let kind = match of(tag::KIND) {
        Some(_) => ShaderKind::from_u32(number(tag::KIND)).ok_or_else(|| Damage::new("an entry point has a shader kind that is not known"))?,
        None => module,
    };
    let wave = words(tag::WAVE_SIZE_RANGE).or_else(|| words(tag::WAVE_SIZE));
    Ok(Entry {
        func,
        name: text(m, elems.get(1).copied().flatten()).unwrap_or_default(),
        node,
        props,
        kind,
        payload: number(tag::PAYLOAD),
        attributes: number(tag::ATTRIBUTES),
        threads: words(tag::THREADS).and_then(|w| <[u32; 3]>::try_from(w).ok()),
        wave: wave.and_then(|w| Some((*w.first()?, w.get(1).copied().unwrap_or(0)))).filter(|w| w.0 != 0),
    })
}

fn resource(m: &Module, record: Option<Meta>, class: ResourceClass) -> Result<ResourceRecord, Damage> {
    let damaged = |what: &str| Damage::new(format!("a resource record has no {what}"));
    let node = record.ok_or_else(|| Damage::new("a list of resources has an empty place"))?;
    let elems = m.meta.elems(node);
    let at = |n: usize| elems.get(n).copied().flatten();
    let number = |n: usize| int(m, at(n)).map(|v| v as u32);
    let need = |n: usize, what: &str| number(n).ok_or_else(|| damaged(what));
    let yes = |n: usize| number(n).is_some_and(|v| v != 0);
    let (global, ty) = symbol(m, at(1));
    let mut out = ResourceRecord {
        node,
        class,
        id: need(0, "number")?,
        global,
        ty,
        name: text(m, at(2)).ok_or_else(|| damaged("name"))?,
        space: need(3, "space")?,
        lower: need(4, "register")?,
        count: need(5, "range")?,
        kind: match class {
            ResourceClass::Cbv => ResourceKind::CBuffer,
            ResourceClass::Sampler => ResourceKind::Sampler,
            _ => ResourceKind::from_number(need(6, "kind")?).ok_or_else(|| damaged("kind that is known"))?,
        },
        size: 0,
        samples: 0,
        component: 0,
        stride: 0,
        sampler: 0,
        coherent: false,
        counter: false,
        rov: false,
        atomic64: false,
        reorder_coherent: false,
    };
    let tags = match class {
        ResourceClass::Srv => {
            out.samples = number(7).unwrap_or(0);
            at(8)
        }
        ResourceClass::Uav => {
            (out.coherent, out.counter, out.rov) = (yes(7), yes(8), yes(9));
            at(10)
        }
        ResourceClass::Cbv => {
            out.size = number(6).unwrap_or(0);
            at(7)
        }
        ResourceClass::Sampler => {
            out.sampler = number(6).unwrap_or(0);
            at(7)
        }
    };
    let extra = |tag| property(m, tags, tag).and_then(|v| int(m, Some(v)));
    out.component = extra(extra::COMPONENT).unwrap_or(0) as u32;
    out.stride = extra(extra::STRIDE).unwrap_or(0) as u32;
    if let Some(kind) = extra(extra::FEEDBACK) {
        out.samples = kind as u32;
    }
    out.atomic64 = extra(extra::ATOMIC64).is_some_and(|v| v != 0);
    out.reorder_coherent = extra(extra::REORDER_COHERENT).is_some_and(|v| v != 0);
    Ok(out)
}

/// The variable behind a symbol, and what the symbol points to. Casts of the pointer, which say the HLSL type of a variable
/// that has become a handle, are looked through.
fn symbol(m: &Module, meta: Option<Meta>) -> (Option<Global>, Option<Type>) {
    let Some(&MetaNode::Value(mut value)) = meta.map(|v| &m.meta[v]) else {
        return (None, None);
    };
    let ty = m.value_type(None, value).and_then(|t| m.types.pointee(t));
    // A constant is made of earlier ones only, as a rule; a damaged file may say otherwise.
    for _ in 0..FAR {
        match value {
            Value::Global(g) => return (Some(g), ty),
            Value::Const(c) => match m.consts[c].kind {
                ConstKind::Cast { value: inner, .. } => value = inner,
                _ => return (None, ty),
            },
            _ => return (None, ty),
        }
    }
    (None, ty)
}
