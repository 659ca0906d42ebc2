//! The merged module before its metadata is written.

use super::resources::Resource;
use rtc_dxil_module::{Func, Meta, Module, Type};
use rustc_hash::FxHashMap;

/// The metadata of a function of the result.
#[derive(Clone, Default)]
pub struct FunctionMetadata {
    /// The annotation of its parameters.
    pub annotation: Option<Meta>,
    /// Of an entry point: properties, tag and value.
    pub entry: Option<Vec<(i64, Meta)>>,
    /// The signatures of an entry point of the graphics pipeline.
    pub signatures: Option<Meta>,
}

/// The result before its metadata is written.
pub struct Merged {
    /// The code.
    pub module: Module,
    /// The metadata of its functions.
    pub about: FxHashMap<Func, FunctionMetadata>,
    /// Resources.
    pub resources: Vec<Resource>,
    /// Structures with annotations of their fields.
    pub structs: Vec<(Type, Meta)>,
    /// Payloads with access qualifiers.
    pub payloads: Vec<(Type, Meta)>,
}
