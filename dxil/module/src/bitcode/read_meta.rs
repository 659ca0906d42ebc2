//! The reader of metadata.
//!
//! Metadata refers to metadata by number in any order, also to itself; the numbers are checked when
//! the module has been read.

use super::error::ReadError;
use super::read::Reader;
use super::records::metadata;
use crate::{Meta, MetaNode, Value};

/// Most kinds of attached metadata; every producer has a few dozen.
const MAX_KINDS: u32 = 1024;

impl Reader<'_> {
    pub(super) fn read_metadata(&mut self) -> Result<(), ReadError> {
        let mut name: Option<Box<str>> = None;
        while let Some(code) = self.s.next_record()? {
            if name.is_some() && code != metadata::NAMED_NODE.code {
                return Err(self.error("a name for metadata that does not follow"));
            }
            match code {
                _ if code == metadata::STRING.code => {
                    let bytes = self.bytes(0)?;
                    self.m.meta.push(MetaNode::String(bytes.into()));
                }
                _ if code == metadata::VALUE.code => {
                    let value = self.module_value(self.field(1)?)?;
                    self.m.meta.push(MetaNode::Value(value));
                }
                _ if code == metadata::NODE.code || code == metadata::DISTINCT_NODE.code => {
                    let distinct = code == metadata::DISTINCT_NODE.code;
                    let mut elems = Vec::with_capacity(self.s.fields.len());
                    for at in 0..self.s.fields.len() {
                        elems.push(self.meta_or_null(self.s.fields[at])?);
                    }
                    self.m.meta.push(MetaNode::Node { distinct, elems: elems.into() });
                }
                _ if code == metadata::NAME.code => name = Some(self.text(0)?),
                _ if code == metadata::NAMED_NODE.code => {
                    let Some(name) = name.take() else {
                        return Err(self.error("named metadata without a name"));
                    };
                    let mut nodes = Vec::with_capacity(self.s.fields.len());
                    for at in 0..self.s.fields.len() {
                        nodes.push(self.meta(self.s.fields[at])?);
                    }
                    self.m.meta.named.push((name, nodes));
                }
                _ if code == metadata::KIND.code => self.meta_kind()?,
                _ if code == metadata::LOCATION.code
                    || (metadata::GENERIC_DEBUG.code..=metadata::IMPORTED_ENTITY.code + 3).contains(&code) =>
                {
                    let fields = self.s.fields.as_slice().into();
                    self.m.meta.push(MetaNode::Debug { code, fields });
                }
                _ => return Err(self.error(format!("metadata record {code} is not of LLVM 3.7"))),
            }
        }
        Ok(())
    }

    fn meta_kind(&mut self) -> Result<(), ReadError> {
        let kind = self.field32(0)?;
        if kind >= MAX_KINDS {
            return Err(self.error(format!("metadata kind {kind}")));
        }
        let name = self.text(1)?;
        let kinds = &mut self.m.meta.kinds;
        let at = kind as usize;
        while kinds.len() <= at {
            kinds.push("".into());
        }
        kinds[at] = name;
        Ok(())
    }

    /// Metadata by its number, which is checked later.
    fn meta(&self, id: u64) -> Result<Meta, ReadError> {
        match u32::try_from(id) {
            Ok(id) if id < u32::MAX - 1 => Ok(Meta::from_u32(id)),
            _ => Err(self.error(format!("there is no metadata {id}"))),
        }
    }

    /// Metadata by 1 + its number, none by 0; the number is checked later.
    fn meta_or_null(&self, id: u64) -> Result<Option<Meta>, ReadError> {
        id.checked_sub(1).map(|id| self.meta(id)).transpose()
    }

    /// Metadata by its number, which must exist by now.
    pub(super) fn known_meta(&self, id: u64) -> Result<Meta, ReadError> {
        let meta = self.meta(id)?;
        if (meta.as_u32() as usize) < self.m.meta.len() { Ok(meta) } else { Err(self.error(format!("there is no metadata {id}"))) }
    }

    /// Reads the metadata of a function: values that only it has. Gives their numbers.
    pub(super) fn read_local_metadata(&mut self, ids: &mut Vec<u64>) -> Result<(), ReadError> {
        while let Some(code) = self.s.next_record()? {
            if code != metadata::VALUE.code {
                return Err(self.error(format!("metadata record {code} inside a function")));
            }
            ids.push(self.field(1)?);
        }
        Ok(())
    }

    /// Checks all numbers of metadata in the module.
    pub(super) fn check_metadata(&self) -> Result<(), ReadError> {
        let table = &self.m.meta;
        let exists = |meta: &Meta| (meta.as_u32() as usize) < table.len();
        let whole = table.iter().all(|(_, node)| match node {
            MetaNode::Node { elems, .. } => elems.iter().flatten().all(exists),
            MetaNode::Value(value) => !matches!(value, Value::Meta(_)),
            _ => true,
        });
        if whole && table.named.iter().all(|(_, nodes)| nodes.iter().all(exists)) {
            Ok(())
        } else {
            Err(self.error("metadata refers to metadata that does not exist"))
        }
    }
}
