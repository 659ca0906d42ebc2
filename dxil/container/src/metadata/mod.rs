//! Decoding of module metadata: versions, resources, entry points with their properties.
//!
//! [`Info::read`] decodes modules of unknown origin for the validator, the linker, listings and recomputed parts. It omits
//! malformed metadata from the result and lists it in [`Info::malformed`], which the validator reports and a listing
//! ignores. [`Info::whole`] fails if anything is malformed.

mod annotation;
mod buffer_layout;
pub mod debug_lookup;
pub mod debug_nodes;
pub mod debug_records;
mod entry;
mod payload;
pub mod pipeline;
mod resource;
pub mod signature;
pub mod target_types;

pub use annotation::{BitField, Field, Layout, annotation_for, annotations, field_tag, parameters};
pub use buffer_layout::{BufferLayouts, Variable, VariableType};
pub use entry::{Entry, Props, tag};
pub use payload::{PayloadAnnotation, PayloadAnnotations, payload_annotations};
pub use resource::{Resource, extra};

use crate::shader_flags::bit;
use crate::{ResourceClass, ShaderKind, Version};
use rtc_dxil_module::{Func, Meta, MetaNode, Module, Value};
use rustc_hash::FxHashMap;

/// Metadata that does not have the form that DXIL requires.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Malformed {
    /// The named metadata in which it was found.
    pub name: &'static str,
    /// What is wrong, without a full stop.
    pub reason: String,
    /// Whether it is missing altogether.
    pub missing: bool,
}

impl std::fmt::Display for Malformed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}` {}", self.name, self.reason)
    }
}

impl std::error::Error for Malformed {}

/// The decoded metadata of a module.
#[derive(Debug, Clone)]
pub struct Info {
    /// Library, or the kind of the only shader; `Invalid` if not said.
    pub kind: ShaderKind,
    /// The shader model; 0.0 if not said.
    pub model: Version,
    /// The DXIL version; 0.0 if not said.
    pub dxil: Version,
    /// The validator version; 1.0 if not said, as the reference reads it.
    pub validator: Version,
    /// Validator version 1.9 is meant as its first release has it, which differs from later ones: no flag says that sampler feedback is
    /// written, and runtime data has rows about compute shaders.
    pub first_release: bool,
    /// The resources: constant buffers, samplers, SRVs, UAVs.
    pub resources: Vec<Resource>,
    /// What the flags say, or say by not saying it: UAVs may alias. Flags of which none is set say nothing.
    pub may_alias: bool,
    /// The entry points in order; in a library the first one is the library itself (it has no function).
    pub entries: Vec<Entry>,
    /// Which of them a function is.
    of_func: FxHashMap<Func, usize>,
    /// What could not be read.
    pub malformed: Vec<Malformed>,
}

impl Info {
    /// Decodes the metadata of `m`.
    pub fn read(m: &Module) -> Info {
        let mut info = Info::without_entries(m);
        entry::read(m, &mut info);
        info.may_alias = info.flags() != 0 && info.flags() & bit::UAVS_DO_NOT_ALIAS == 0;
        info
    }

    /// Decodes the metadata of a module whose entry points are not written yet: they are `entries`.
    ///
    /// # Errors
    /// The first thing that is malformed.
    pub fn with_entries(m: &Module, entries: Vec<Entry>) -> Result<Info, Malformed> {
        let mut info = Info::without_entries(m);
        entries.into_iter().for_each(|e| info.add_entry(e));
        info.may_alias = info.flags() & bit::UAVS_DO_NOT_ALIAS == 0;
        match info.malformed.pop() {
            Some(last) => Err(last),
            None => Ok(info),
        }
    }

    fn without_entries(m: &Module) -> Info {
        let mut info = Info::nothing();
        if let Some(v) = info.version(m, "dx.version", true) {
            info.dxil = v;
        }
        if let Some(v) = info.version(m, "dx.valver", false) {
            info.validator = v;
        }
        info.shader_model(m);
        resource::read(m, &mut info);
        info
    }

    /// The metadata of a library that has no module: no resources, and no entry points yet.
    pub fn of_library(validator: Version, model: Version) -> Info {
        Info { kind: ShaderKind::Library, model, validator, ..Info::nothing() }
    }

    fn add_entry(&mut self, entry: Entry) {
        if let Some(func) = entry.func {
            self.of_func.entry(func).or_insert(self.entries.len());
        }
        self.entries.push(entry);
    }

    /// Decodes the metadata of `m` for callers that cannot use a part of it.
    ///
    /// # Errors
    /// The first thing that is malformed; an entry point without function that is not the library itself.
    pub fn whole(m: &Module) -> Result<Info, Malformed> {
        let mut info = Info::read(m);
        let shaders = &info.entries[usize::from(info.is_library()).min(info.entries.len())..];
        if info.malformed.is_empty() && shaders.iter().any(|e| e.func.is_none()) {
            info.complain("dx.entryPoints", "has an entry point without function");
        }
        match info.malformed.first() {
            Some(first) => Err(first.clone()),
            None => Ok(info),
        }
    }

    fn nothing() -> Info {
        Info {
            kind: ShaderKind::Invalid,
            model: Version::new(0, 0),
            dxil: Version::new(0, 0),
            validator: Version::new(1, 0),
            first_release: false,
            resources: Vec::new(),
            may_alias: false,
            entries: Vec::new(),
            of_func: FxHashMap::default(),
            malformed: Vec::new(),
        }
    }

    /// Whether it is a library.
    pub fn is_library(&self) -> bool {
        self.kind == ShaderKind::Library
    }

    /// Whether rules of validator version 1.`minor` hold.
    pub fn since(&self, minor: u32) -> bool {
        self.validator.major == 0 || self.validator >= Version::new(1, minor)
    }

    /// Shader flags as stored: of the library, or of the only entry point.
    pub fn flags(&self) -> u64 {
        self.entries.first().map_or(0, |e| e.props.flags)
    }

    /// The stage of an entry point; that of the module where its record does not say.
    pub fn stage(&self, entry: &Entry) -> ShaderKind {
        entry.props.kind.unwrap_or(self.kind)
    }

    /// The entry points that are functions: of a library all but the library itself.
    pub fn shaders(&self) -> impl Iterator<Item = (Func, &Entry)> {
        self.entries.iter().filter_map(|e| Some((e.func?, e)))
    }

    /// The entry of a function.
    pub fn entry_of(&self, func: Func) -> Option<&Entry> {
        self.entries.get(*self.of_func.get(&func)?)
    }

    /// The resource of this class with this number.
    pub fn resource(&self, class: ResourceClass, id: u32) -> Option<&Resource> {
        self.resources.iter().find(|r| r.class == class && r.id == id)
    }

    /// The resources of one class, in the order of their records.
    pub fn of_class(&self, class: ResourceClass) -> impl Iterator<Item = &Resource> {
        self.resources.iter().filter(move |r| r.class == class)
    }

    fn complain(&mut self, name: &'static str, reason: impl Into<String>) {
        self.malformed.push(Malformed { name, reason: reason.into(), missing: false });
    }

    /// `!{i32 major, i32 minor}`.
    fn version(&mut self, m: &Module, name: &'static str, required: bool) -> Option<Version> {
        let node = match m.meta.named(name) {
            [] if required => {
                self.malformed.push(Malformed { name, reason: "is missing".into(), missing: true });
                return None;
            }
            [] => return None,
            [node] => *node,
            _ => {
                self.complain(name, "has several nodes, expected one");
                return None;
            }
        };
        let numbers: Vec<_> = m.meta.elems(node).iter().map(|e| e.and_then(|e| m.meta_int(e))).collect();
        match numbers[..] {
            [Some(major @ 0..=255), Some(minor @ 0..=255)] => Some(Version::new(major as u32, minor as u32)),
            _ => {
                self.complain(name, "is not a pair of small numbers");
                None
            }
        }
    }

    /// `!{!"lib", i32 6, i32 n}`.
    fn shader_model(&mut self, m: &Module) {
        const NAME: &str = "dx.shaderModel";
        let node = match m.meta.named(NAME) {
            [] => {
                self.malformed.push(Malformed { name: NAME, reason: "is missing".into(), missing: true });
                return;
            }
            [node] => *node,
            _ => return self.complain(NAME, "has several nodes, expected one"),
        };
        let &[Some(kind), Some(major), Some(minor)] = m.meta.elems(node) else {
            return self.complain(NAME, "is not a kind and two numbers");
        };
        let (Some(kind), Some(major @ 0..=255), Some(minor @ 0..=255)) = (m.meta.bytes(kind), m.meta_int(major), m.meta_int(minor)) else {
            return self.complain(NAME, "is not a kind and two small numbers");
        };
        self.model = Version::new(major as u32, minor as u32);
        self.kind = match kind {
            b"lib" => ShaderKind::Library,
            b"cs" => ShaderKind::Compute,
            b"ps" => ShaderKind::Pixel,
            b"vs" => ShaderKind::Vertex,
            b"gs" => ShaderKind::Geometry,
            b"hs" => ShaderKind::Hull,
            b"ds" => ShaderKind::Domain,
            b"ms" => ShaderKind::Mesh,
            b"as" => ShaderKind::Amplification,
            other => {
                let text = String::from_utf8_lossy(other).into_owned();
                return self.complain(NAME, format!("names the unknown kind `{text}`"));
            }
        };
    }
}

/// The resources of a module alone; malformed ones are left out.
pub fn resources(m: &Module) -> Vec<Resource> {
    let mut info = Info::nothing();
    resource::read(m, &mut info);
    info.resources
}

/// The elements of a tuple of metadata.
pub fn tuple(m: &Module, meta: Option<Meta>) -> Option<&[Option<Meta>]> {
    match &m.meta[meta?] {
        MetaNode::Node { elems, .. } => Some(elems),
        _ => None,
    }
}

/// The value that metadata wraps.
pub fn value(m: &Module, meta: Option<Meta>) -> Option<Value> {
    match m.meta[meta?] {
        MetaNode::Value(v) => Some(v),
        _ => None,
    }
}

/// The integer that metadata wraps.
pub fn int(m: &Module, meta: Option<Meta>) -> Option<i64> {
    m.meta_int(meta?)
}
