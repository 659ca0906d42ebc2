//! Specialisation: constants of a module that the host sets when a pipeline is made, in HLSL `[[vk::constant_id(N)]]`.
//!
//! A constant is an instruction of the SPIR-V module with a number of its own ([`SpecialisationConstant::id`]). [`Library::specialise`] gives a
//! library in which some of them have values; every pipeline, collection and addition from that library has them.

use super::Library;
use crate::error::{Error, ErrorKind, Result, list};
use rustc_hash::FxHashMap;
use std::fmt;

/// The type of a constant. SPIR-V of this compiler does not say whether integers have a sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConstantType {
    /// `bool`
    Bool,
    /// An integer of so many bits.
    Int(u32),
    /// A floating-point number of so many bits.
    Float(u32),
}

impl fmt::Display for ConstantType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConstantType::Bool => f.write_str("a bool"),
            ConstantType::Int(bits) => write!(f, "an integer of {bits} bits"),
            ConstantType::Float(bits) => write!(f, "a floating-point number of {bits} bits"),
        }
    }
}

/// A constant of a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpecialisationConstant {
    /// Its number: `SpecId`.
    pub id: u32,
    /// Its name in HLSL; empty if the module has no names.
    pub name: String,
    /// Its type.
    pub ty: ConstantType,
    /// The bits of the value that it has if the host gives none.
    pub default: u64,
}

/// A value for a constant.
#[derive(Clone, Copy, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum ConstantValue {
    Bool(bool),
    U16(u16),
    I16(i16),
    U32(u32),
    I32(i32),
    U64(u64),
    I64(i64),
    /// The bits of a half.
    F16(u16),
    F32(f32),
    F64(f64),
}

impl ConstantValue {
    /// The type that a constant of this value has.
    pub fn ty(self) -> ConstantType {
        match self {
            ConstantValue::Bool(_) => ConstantType::Bool,
            ConstantValue::U16(_) | ConstantValue::I16(_) => ConstantType::Int(16),
            ConstantValue::U32(_) | ConstantValue::I32(_) => ConstantType::Int(32),
            ConstantValue::U64(_) | ConstantValue::I64(_) => ConstantType::Int(64),
            ConstantValue::F16(_) => ConstantType::Float(16),
            ConstantValue::F32(_) => ConstantType::Float(32),
            ConstantValue::F64(_) => ConstantType::Float(64),
        }
    }

    /// As Vulkan reads it: a bool is a word.
    fn bytes(self) -> Vec<u8> {
        match self {
            ConstantValue::Bool(b) => u32::from(b).to_le_bytes().to_vec(),
            ConstantValue::U16(n) | ConstantValue::F16(n) => n.to_le_bytes().to_vec(),
            ConstantValue::I16(n) => n.to_le_bytes().to_vec(),
            ConstantValue::U32(n) => n.to_le_bytes().to_vec(),
            ConstantValue::I32(n) => n.to_le_bytes().to_vec(),
            ConstantValue::U64(n) => n.to_le_bytes().to_vec(),
            ConstantValue::I64(n) => n.to_le_bytes().to_vec(),
            ConstantValue::F32(n) => n.to_le_bytes().to_vec(),
            ConstantValue::F64(n) => n.to_le_bytes().to_vec(),
        }
    }
}

/// Which constant is meant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ConstantName {
    /// By its number.
    Id(u32),
    /// By its name in HLSL.
    Name(String),
}

impl fmt::Display for ConstantName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConstantName::Id(id) => write!(f, "{id}"),
            ConstantName::Name(name) => write!(f, "`{name}`"),
        }
    }
}

/// A value for a constant of all exports or of one.
#[derive(Clone, PartialEq, Debug)]
pub struct Specialisation {
    /// The export whose shader gets the value; none: all that have no value of their own.
    pub export: Option<String>,
    /// The constant.
    pub constant: ConstantName,
    /// The value.
    pub value: ConstantValue,
}

impl Specialisation {
    /// A value for the constant of a number in all exports.
    pub fn id(id: u32, value: ConstantValue) -> Specialisation {
        Specialisation { export: None, constant: ConstantName::Id(id), value }
    }

    /// A value for the constant of a name in all exports.
    pub fn name(name: impl Into<String>, value: ConstantValue) -> Specialisation {
        Specialisation { export: None, constant: ConstantName::Name(name.into()), value }
    }

    /// The same for one export.
    pub fn of(mut self, export: impl Into<String>) -> Specialisation {
        self.export = Some(export.into());
        self
    }
}

/// The values that a library has, by export (none: all), module and number.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Specialisations(FxHashMap<(Option<String>, usize, u32), Vec<u8>>);

/// What [`constants`] looks for in a module.
mod op {
    pub const NAME: u32 = 5;
    pub const TYPE_BOOL: u32 = 20;
    pub const TYPE_INT: u32 = 21;
    pub const TYPE_FLOAT: u32 = 22;
    pub const SPEC_CONSTANT_TRUE: u32 = 48;
    pub const SPEC_CONSTANT_FALSE: u32 = 49;
    pub const SPEC_CONSTANT: u32 = 50;
    pub const FUNCTION: u32 = 54;
    pub const DECORATE: u32 = 71;
    pub const SPEC_ID: u32 = 1;
}

/// The constants of a module whose instructions have valid lengths, in the order of their numbers.
fn constants(words: &[u32]) -> Vec<SpecialisationConstant> {
    let mut names: FxHashMap<u32, String> = FxHashMap::default();
    let mut ids: FxHashMap<u32, u32> = FxHashMap::default();
    let mut types: FxHashMap<u32, ConstantType> = FxHashMap::default();
    let mut out: Vec<SpecialisationConstant> = Vec::new();
    let mut rest = words.get(5..).unwrap_or_default();
    while let Some(first) = rest.first() {
        let (length, opcode) = ((first >> 16) as usize, first & 0xffff);
        let Some(instruction) = rest.get(..length).filter(|i| !i.is_empty()) else { break };
        match (opcode, &instruction[1..]) {
            (op::NAME, [id, text @ ..]) => {
                let bytes: Vec<u8> = text.iter().flat_map(|w| w.to_le_bytes()).take_while(|b| *b != 0).collect();
                names.insert(*id, String::from_utf8_lossy(&bytes).into_owned());
            }
            (op::DECORATE, [target, op::SPEC_ID, id]) => {
                ids.insert(*target, *id);
            }
            (op::TYPE_BOOL, [result]) => {
                types.insert(*result, ConstantType::Bool);
            }
            (op::TYPE_INT, [result, bits, _]) => {
                types.insert(*result, ConstantType::Int(*bits));
            }
            (op::TYPE_FLOAT, [result, bits, ..]) => {
                types.insert(*result, ConstantType::Float(*bits));
            }
            (op::SPEC_CONSTANT_TRUE | op::SPEC_CONSTANT_FALSE | op::SPEC_CONSTANT, [ty, result, value @ ..]) => {
                if let (Some(id), Some(ty)) = (ids.get(result), types.get(ty)) {
                    let low = value.first().copied().unwrap_or(u32::from(opcode == op::SPEC_CONSTANT_TRUE));
                    let high = value.get(1).copied().unwrap_or(0);
                    let name = names.get(result).cloned().unwrap_or_default();
                    out.push(SpecialisationConstant { id: *id, name, ty: *ty, default: u64::from(low) | u64::from(high) << 32 });
                }
            }
            // Constants come before functions.
            (op::FUNCTION, _) => break,
            _ => {}
        }
        rest = &rest[length..];
    }
    out.sort_by_key(|c| c.id);
    out.dedup_by_key(|c| c.id);
    out
}

impl Library {
    /// The constants of its modules, in the order of their numbers; one that several modules have in the same way is there once.
    pub fn constants(&self) -> Vec<SpecialisationConstant> {
        let mut out: Vec<SpecialisationConstant> = Vec::new();
        for module in self.modules() {
            for c in constants(module) {
                if !out.contains(&c) {
                    out.push(c);
                }
            }
        }
        out.sort_by_key(|c| c.id);
        out
    }

    fn modules(&self) -> impl Iterator<Item = &[u32]> {
        std::iter::once(self.package.spirv.as_slice()).chain(self.additional_modules.iter().map(Vec::as_slice))
    }

    /// This library with values for constants, and those that it already has.
    ///
    /// # Errors
    /// [`ErrorKind::Binding`]: a constant that no module of the export has (the note lists those that there are), a value of another type, or
    /// two values for one constant. [`ErrorKind::StateObject`]: an export that the library does not have.
    pub fn specialise(&self, values: &[Specialisation]) -> Result<Library> {
        let wrong = |why: String| Error::new(ErrorKind::Binding, why);
        let all: Vec<Vec<SpecialisationConstant>> = self.modules().map(constants).collect();
        let mut out = self.clone();
        let mut given = FxHashMap::default();
        for v in values {
            if let Some(export) = &v.export
                && !self.package.map.entries.iter().any(|e| e.export == *export)
            {
                return Err(self.no_such(export, "specialised shader"));
            }
            let only = v.export.as_deref().map(|e| self.module_of(e));
            let mut found = false;
            for (module, constants) in all.iter().enumerate().filter(|(m, _)| only.is_none_or(|only| only == *m)) {
                let named = |c: &&SpecialisationConstant| match &v.constant {
                    ConstantName::Id(id) => c.id == *id,
                    ConstantName::Name(name) => c.name == *name,
                };
                for c in constants.iter().filter(named) {
                    found = true;
                    if c.ty != v.value.ty() {
                        let why = format!("the constant `{}` is {} and cannot be set to {}", shown(c), c.ty, v.value.ty());
                        return Err(wrong(why));
                    }
                    if given.insert((v.export.clone(), module, c.id), v.value.bytes()).is_some() {
                        return Err(wrong(format!("the constant `{}` gets two values", shown(c))));
                    }
                }
            }
            if !found {
                let of = v.export.as_ref().map_or("the library".to_string(), |e| format!("the module of `{e}`"));
                let known = all.iter().enumerate().filter(|(m, _)| only.is_none_or(|only| only == *m)).flat_map(|(_, c)| c);
                return Err(wrong(format!("{of} has no constant {}", v.constant)).note(format!("constants: {}", list(known.map(shown)))));
            }
        }
        out.specialisation.0.extend(given);
        Ok(out)
    }

    /// The values of the constants of an export's shader, by number.
    pub(crate) fn values_of(&self, export: &str) -> Vec<(u32, &[u8])> {
        let module = self.module_of(export);
        let of = |e: &Option<String>| e.as_deref().is_none_or(|e| e == export);
        let mut out: Vec<(u32, bool, &[u8])> = self
            .specialisation
            .0
            .iter()
            .filter(|((e, m, _), _)| *m == module && of(e))
            .map(|((e, _, id), bytes)| (*id, e.is_none(), bytes.as_slice()))
            .collect();
        // What the export has of its own comes first.
        out.sort_by_key(|(id, general, _)| (*id, *general));
        out.dedup_by_key(|(id, ..)| *id);
        out.into_iter().map(|(id, _, bytes)| (id, bytes)).collect()
    }
}

/// `3 (Samples)`
fn shown(c: &SpecialisationConstant) -> String {
    if c.name.is_empty() { c.id.to_string() } else { format!("{} ({})", c.id, c.name) }
}
