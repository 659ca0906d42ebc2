//! What the metadata of a module says: versions, resources, entry points with their properties.
//!
//! [`Info::read`] decodes it once for everyone who works on modules of unknown origin (validator, linker,
//! listings). What is malformed is left out of the result and named in [`Info::malformed`], so that
//! whoever must judge can, and whoever only looks need not care.

mod annotation;
mod entry;
mod resource;

pub use annotation::{Field, Layout, annotations};
pub use entry::{Entry, Props, tag};
pub use resource::Resource;

use crate::container::{ResourceClass, ShaderKind, Version};
use crate::module::{Meta, MetaNode, Module, Value};

/// The named metadata that DXIL knows (those of debug information included).
pub const KNOWN: &[&str] = &[
    "llvm.ident",
    "llvm.module.flags",
    "llvm.dbg.cu",
    "dx.version",
    "dx.valver",
    "dx.shaderModel",
    "dx.resources",
    "dx.entryPoints",
    "dx.typeAnnotations",
    "dx.viewIdState",
    "dx.dxrPayloadAnnotations",
    "dx.controlflow.hints",
    "dx.precise",
    "dx.source.contents",
    "dx.source.defines",
    "dx.source.mainFileName",
    "dx.source.args",
    "dx.llvm.ident",
];

/// Metadata that is not what DXIL wants there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Malformed {
    /// The named metadata in which it was found.
    pub name: &'static str,
    /// What is wrong, without a full stop.
    pub reason: String,
    /// Whether it is missing altogether.
    pub missing: bool,
}

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
    /// The resources: constant buffers, samplers, SRVs, UAVs.
    pub resources: Vec<Resource>,
    /// The entry points in order; in a library the first one is the library itself (it has no function).
    pub entries: Vec<Entry>,
    /// What could not be read.
    pub malformed: Vec<Malformed>,
}

impl Info {
    /// Decodes the metadata of `m`.
    pub fn read(m: &Module) -> Info {
        let mut info = Info::nothing();
        if let Some(v) = info.version(m, "dx.version", true) {
            info.dxil = v;
        }
        if let Some(v) = info.version(m, "dx.valver", false) {
            info.validator = v;
        }
        info.shader_model(m);
        resource::read(m, &mut info);
        entry::read(m, &mut info);
        info
    }

    fn nothing() -> Info {
        Info {
            kind: ShaderKind::Invalid,
            model: Version::new(0, 0),
            dxil: Version::new(0, 0),
            validator: Version::new(1, 0),
            resources: Vec::new(),
            entries: Vec::new(),
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

    /// The entry of a function.
    pub fn entry_of(&self, func: crate::module::Func) -> Option<&Entry> {
        self.entries.iter().find(|e| e.func == Some(func))
    }

    /// The resource of this class with this number.
    pub fn resource(&self, class: ResourceClass, id: u32) -> Option<&Resource> {
        self.resources.iter().find(|r| r.class == class && r.id == id)
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
                self.complain(name, "has several nodes, one is wanted");
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
            _ => return self.complain(NAME, "has several nodes, one is wanted"),
        };
        let &[Some(kind), Some(major), Some(minor)] = m.meta.elems(node) else {
            return self.complain(NAME, "is not a kind and two numbers");
        };
        let (Some(kind), Some(major @ 0..=255), Some(minor @ 0..=255)) =
            (m.meta.bytes(kind), m.meta_int(major), m.meta_int(minor))
        else {
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

/// The elements of a tuple, or none if it is no tuple.
pub(crate) fn tuple(m: &Module, meta: Option<Meta>) -> Option<&[Option<Meta>]> {
    match &m.meta[meta?] {
        MetaNode::Node { elems, .. } => Some(elems),
        _ => None,
    }
}

/// The value that a piece of metadata wraps.
pub(crate) fn value(m: &Module, meta: Option<Meta>) -> Option<Value> {
    match m.meta[meta?] {
        MetaNode::Value(v) => Some(v),
        _ => None,
    }
}

/// The integer that a piece of metadata wraps.
pub(crate) fn int(m: &Module, meta: Option<Meta>) -> Option<i64> {
    m.meta_int(meta?)
}
