//! Metadata: strings, values, and nodes that refer to other metadata or to nothing.
//!
//! Strings, values and ordinary nodes are interned; a distinct node is itself and may refer to
//! itself. Debug-information nodes are kept as the raw fields of their record ([`MetaNode::Debug`]),
//! because their layout is interpreted by their readers: every field survives, known or not.
//! Their references are one more than the index of a [`Meta`], zero for nothing.

use super::{Const, Value};
use rtc_base::Unique;
use rtc_base::entity::{PackedOption, PrimaryMap, SecondaryMap};

rtc_base::entity! {
    /// A piece of metadata of a module.
    pub struct Meta = "md";
}

/// What a piece of metadata is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum MetaNode {
    /// A string of bytes.
    String(Box<[u8]>),
    /// A constant, global or function.
    Value(Value),
    /// A tuple.
    Node {
        /// Whether it is different from a tuple with the same elements.
        distinct: bool,
        /// The elements, some of which may be null.
        elems: Box<[Option<Meta>]>,
    },
    /// A debug-information node or anything else with a record of its own.
    Debug {
        /// The record code.
        code: u32,
        /// The fields of the record.
        fields: Box<[u64]>,
    },
}

/// The kinds of attached metadata that have fixed numbers, in that order. More follow by name.
pub const FIXED_KINDS: [&str; 14] = [
    "dbg",
    "tbaa",
    "prof",
    "fpmath",
    "range",
    "tbaa.struct",
    "invariant.load",
    "alias.scope",
    "noalias",
    "nontemporal",
    "llvm.mem.parallel_loop_access",
    "nonnull",
    "dereferenceable",
    "dereferenceable_or_null",
];

/// The record codes of debug-information nodes ([`MetaNode::Debug`]), by LLVM's names without their `DI`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum DebugNode {
    Location = 7,
    Generic = 12,
    Subrange = 13,
    Enumerator = 14,
    BasicType = 15,
    File = 16,
    DerivedType = 17,
    CompositeType = 18,
    SubroutineType = 19,
    CompileUnit = 20,
    Subprogram = 21,
    LexicalBlock = 22,
    LexicalBlockFile = 23,
    Namespace = 24,
    TemplateType = 25,
    TemplateValue = 26,
    GlobalVariable = 27,
    LocalVariable = 28,
    Expression = 29,
    ObjcProperty = 30,
    ImportedEntity = 31,
    Module = 32,
}

/// The metadata of one module.
#[derive(Debug, Clone)]
pub struct MetaTable {
    nodes: PrimaryMap<Meta, MetaNode>,
    interned: Unique<Meta>,
    /// The pieces that are constants.
    of_const: SecondaryMap<Const, PackedOption<Meta>>,
    /// Names of the kinds of attached metadata, by number.
    pub kinds: Vec<Box<str>>,
    /// Named metadata, in order.
    pub named: Vec<(Box<str>, Vec<Meta>)>,
}

impl Default for MetaTable {
    fn default() -> Self {
        Self {
            nodes: PrimaryMap::new(),
            interned: Unique::default(),
            of_const: SecondaryMap::new(),
            kinds: FIXED_KINDS.iter().map(|&k| k.into()).collect(),
            named: Vec::new(),
        }
    }
}

impl PartialEq for MetaTable {
    fn eq(&self, other: &Self) -> bool {
        self.nodes == other.nodes && self.kinds == other.kinds && self.named == other.named
    }
}

impl std::ops::Index<Meta> for MetaTable {
    type Output = MetaNode;
    fn index(&self, meta: Meta) -> &MetaNode {
        &self.nodes[meta]
    }
}

impl MetaTable {
    /// How many pieces there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is none yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Every piece, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Meta, &MetaNode)> {
        self.nodes.iter()
    }

    /// Adds a piece without looking for an equal one.
    pub fn push(&mut self, node: MetaNode) -> Meta {
        self.nodes.push(node)
    }

    /// The piece that equals `node`, made if there is none. For distinct tuples use [`MetaTable::distinct`].
    pub fn intern_node(&mut self, node: MetaNode) -> Meta {
        self.intern(node)
    }

    fn intern(&mut self, node: MetaNode) -> Meta {
        if let MetaNode::Value(Value::Const(c)) = node {
            if let Some(m) = self.of_const[c].expand() {
                return m;
            }
            let m = self.nodes.push(node);
            self.of_const[c] = Some(m).into();
            return m;
        }
        self.interned.find_or_push(&mut self.nodes, node)
    }

    /// The string `text`.
    pub fn string(&mut self, text: &str) -> Meta {
        self.intern(MetaNode::String(text.as_bytes().into()))
    }

    /// A constant, global or function as metadata.
    pub fn value(&mut self, value: Value) -> Meta {
        self.intern(MetaNode::Value(value))
    }

    /// The tuple of `elems`.
    pub fn node(&mut self, elems: &[Option<Meta>]) -> Meta {
        self.intern(MetaNode::Node { distinct: false, elems: elems.into() })
    }

    /// A new tuple that equals no other. Its elements may be set again with
    /// [`MetaTable::set_elems`], to make it refer to itself.
    pub fn distinct(&mut self, elems: &[Option<Meta>]) -> Meta {
        self.nodes.push(MetaNode::Node { distinct: true, elems: elems.into() })
    }

    /// Replaces the elements of a distinct tuple; anything else is left as it is.
    pub fn set_elems(&mut self, meta: Meta, new: &[Option<Meta>]) {
        if let MetaNode::Node { distinct: true, elems } = &mut self.nodes[meta] {
            *elems = new.into();
        }
    }

    /// Replaces the fields of a debug-information node, which may refer to others that refer to it; anything else is left as it is.
    pub fn set_debug(&mut self, meta: Meta, new: &[u64]) {
        if let MetaNode::Debug { fields, .. } = &mut self.nodes[meta] {
            *fields = new.into();
        }
    }

    /// The elements of a tuple; empty for anything else.
    pub fn elems(&self, meta: Meta) -> &[Option<Meta>] {
        match &self.nodes[meta] {
            MetaNode::Node { elems, .. } => elems,
            _ => &[],
        }
    }

    /// The bytes of a string.
    pub fn bytes(&self, meta: Meta) -> Option<&[u8]> {
        match &self.nodes[meta] {
            MetaNode::String(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// Appends `node` to the named metadata `name`.
    pub fn add_named(&mut self, name: &str, node: Meta) {
        match self.named.iter_mut().find(|(n, _)| &**n == name) {
            Some((_, nodes)) => nodes.push(node),
            None => self.named.push((name.into(), vec![node])),
        }
    }

    /// Replaces the nodes of the named metadata `name`, in its position; new ones come last.
    pub fn set_named(&mut self, name: &str, new: &[Meta]) {
        match self.named.iter_mut().find(|(n, _)| &**n == name) {
            Some((_, nodes)) => *nodes = new.to_vec(),
            None => self.named.push((name.into(), new.to_vec())),
        }
    }

    /// The nodes of the named metadata `name`; empty when there is none.
    pub fn named(&self, name: &str) -> &[Meta] {
        self.named.iter().find(|(n, _)| &**n == name).map_or(&[], |(_, nodes)| nodes)
    }

    /// Removes the named metadata `name`.
    pub fn remove_named(&mut self, name: &str) {
        self.named.retain(|(n, _)| &**n != name);
    }

    /// The number of the kind of attached metadata called `name`, made on first sight.
    pub fn kind(&mut self, name: &str) -> u32 {
        if let Some(k) = self.find_kind(name) {
            return k;
        }
        self.kinds.push(name.into());
        self.kinds.len() as u32 - 1
    }

    /// The number of the kind of attached metadata called `name`.
    pub fn find_kind(&self, name: &str) -> Option<u32> {
        self.kinds.iter().position(|k| &**k == name).map(|k| k as u32)
    }
}
