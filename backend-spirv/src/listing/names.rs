//! Names of ids in listings, as the tools of SPIR-V give them: what `OpName` says, built-in variables, types by what they are,
//! constants by their values.

use rspirv::binary::{Consumer, Disassemble, ParseAction, ParseResult, parse_words};
use rspirv::dr::{Instruction, ModuleHeader, Operand};
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::{BuiltIn, Op};

use super::literal::{Scalar, number};

/// The names of a module's ids.
#[derive(Default)]
pub struct Names {
    of: FxHashMap<u32, String>,
    taken: FxHashSet<String>,
    scalars: FxHashMap<u32, Scalar>,
}

impl Names {
    /// Those of a module that the reader reads.
    pub fn read(words: &[u32]) -> ParseResult<Names> {
        let mut names = Names::default();
        parse_words(words, &mut names)?;
        Ok(names)
    }

    /// A line with these names in place of numbers, outside its strings.
    pub fn rename(&self, line: &str) -> String {
        let (mut out, mut rest) = (String::with_capacity(line.len()), line);
        while let Some(at) = rest.find(['%', '"']) {
            let (before, found) = rest.split_at(at);
            out += before;
            let len = if found.starts_with('"') { string_length(found) } else { 1 + digits(&found[1..]) };
            let (text, after) = found.split_at(len);
            match text.strip_prefix('%').and_then(|id| id.parse().ok()) {
                Some(id) => out += &format!("%{}", self.name(id)),
                None => out += text,
            }
            rest = after;
        }
        out + rest
    }

    fn name(&self, id: u32) -> String {
        self.of.get(&id).cloned().unwrap_or_else(|| id.to_string())
    }

    /// Gives an id without a name this one, with a number after it where another has it.
    fn give(&mut self, id: u32, name: &str) {
        if self.of.contains_key(&id) {
            return;
        }
        let name = if name.is_empty() { "_" } else { name };
        let plain: String = name.bytes().map(|b| if b.is_ascii_alphanumeric() { char::from(b) } else { '_' }).collect();
        let mut unique = plain.clone();
        let mut copies = 0;
        while !self.taken.insert(unique.clone()) {
            unique = format!("{plain}_{copies}");
            copies += 1;
        }
        self.of.insert(id, unique);
    }

    /// What the instruction that makes an id calls it.
    fn made(&mut self, i: &Instruction, id: u32) -> String {
        let op = i.class.opcode;
        match (op, i.operands.as_slice()) {
            (Op::TypeVoid, _) => "void".to_owned(),
            (Op::TypeBool, _) => "bool".to_owned(),
            (Op::TypeInt, [Operand::LiteralBit32(width), Operand::LiteralBit32(signed)]) => {
                self.scalars.insert(id, if *signed == 1 { Scalar::Signed } else { Scalar::Unsigned });
                let sign = if *signed == 1 { "" } else { "u" };
                let word = [(8, "char"), (16, "short"), (32, "int"), (64, "long")].iter().find(|w| w.0 == *width);
                word.map_or_else(|| format!("{sign}i{width}"), |w| format!("{sign}{}", w.1))
            }
            (Op::TypeFloat, [Operand::LiteralBit32(width)]) => {
                self.scalars.insert(id, Scalar::Float(*width));
                let word = [(16, "half"), (32, "float"), (64, "double")].iter().find(|w| w.0 == *width);
                word.map_or_else(|| format!("fp{width}"), |w| w.1.to_owned())
            }
            (Op::TypeVector, [Operand::IdRef(of), Operand::LiteralBit32(n)]) => format!("v{n}{}", self.name(*of)),
            (Op::TypeMatrix, [Operand::IdRef(of), Operand::LiteralBit32(n)]) => format!("mat{n}{}", self.name(*of)),
            (Op::TypeArray, [Operand::IdRef(of), Operand::IdRef(n)]) => format!("_arr_{}_{}", self.name(*of), self.name(*n)),
            (Op::TypeRuntimeArray, [Operand::IdRef(of)]) => format!("_runtimearr_{}", self.name(*of)),
            (Op::TypePointer, [class, Operand::IdRef(to)]) => format!("_ptr_{}_{}", class.disassemble(), self.name(*to)),
            (Op::TypeStruct, _) => format!("_struct_{id}"),
            (Op::ConstantTrue, _) => "true".to_owned(),
            (Op::ConstantFalse, _) => "false".to_owned(),
            (Op::Constant, [value]) => {
                let ty = i.result_type.unwrap_or_default();
                // `-` would be the same as a point.
                let value = number(value, self.scalars.get(&ty).copied()).replace('-', "n");
                format!("{}_{value}", self.name(ty))
            }
            _ => id.to_string(),
        }
    }
}

/// The length of the string that a text begins with, with both its quotes.
fn string_length(text: &str) -> usize {
    let mut escaped = true; // the first quote does not end it
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// The name of a built-in variable, for those that have one.
fn built_in(of: BuiltIn) -> Option<&'static str> {
    Some(match of {
        BuiltIn::Position => "gl_Position",
        BuiltIn::PointSize => "gl_PointSize",
        BuiltIn::ClipDistance => "gl_ClipDistance",
        BuiltIn::CullDistance => "gl_CullDistance",
        BuiltIn::VertexId => "gl_VertexID",
        BuiltIn::InstanceId => "gl_InstanceID",
        BuiltIn::PrimitiveId => "gl_PrimitiveID",
        BuiltIn::InvocationId => "gl_InvocationID",
        BuiltIn::Layer => "gl_Layer",
        BuiltIn::ViewportIndex => "gl_ViewportIndex",
        BuiltIn::TessLevelOuter => "gl_TessLevelOuter",
        BuiltIn::TessLevelInner => "gl_TessLevelInner",
        BuiltIn::TessCoord => "gl_TessCoord",
        BuiltIn::PatchVertices => "gl_PatchVertices",
        BuiltIn::FragCoord => "gl_FragCoord",
        BuiltIn::PointCoord => "gl_PointCoord",
        BuiltIn::FrontFacing => "gl_FrontFacing",
        BuiltIn::SampleId => "gl_SampleID",
        BuiltIn::SamplePosition => "gl_SamplePosition",
        BuiltIn::SampleMask => "gl_SampleMask",
        BuiltIn::FragDepth => "gl_FragDepth",
        BuiltIn::HelperInvocation => "gl_HelperInvocation",
        BuiltIn::NumWorkgroups => "gl_NumWorkGroups",
        BuiltIn::WorkgroupSize => "gl_WorkGroupSize",
        BuiltIn::WorkgroupId => "gl_WorkGroupID",
        BuiltIn::LocalInvocationId => "gl_LocalInvocationID",
        BuiltIn::GlobalInvocationId => "gl_GlobalInvocationID",
        BuiltIn::LocalInvocationIndex => "gl_LocalInvocationIndex",
        BuiltIn::VertexIndex => "gl_VertexIndex",
        BuiltIn::InstanceIndex => "gl_InstanceIndex",
        BuiltIn::BaseInstance => "gl_BaseInstance",
        BuiltIn::SubgroupSize => "SubgroupSize",
        BuiltIn::NumSubgroups => "NumSubgroups",
        BuiltIn::SubgroupId => "SubgroupId",
        BuiltIn::SubgroupLocalInvocationId => "SubgroupLocalInvocationId",
        _ => return None,
    })
}

impl Consumer for Names {
    fn initialize(&mut self) -> ParseAction {
        ParseAction::Continue
    }

    fn finalize(&mut self) -> ParseAction {
        ParseAction::Continue
    }

    fn consume_header(&mut self, _: ModuleHeader) -> ParseAction {
        ParseAction::Continue
    }

    fn consume_instruction(&mut self, i: Instruction) -> ParseAction {
        match (i.class.opcode, i.operands.as_slice()) {
            (Op::Name, [Operand::IdRef(id), Operand::LiteralString(name)]) => self.give(*id, name),
            (Op::Decorate, [Operand::IdRef(id), _, Operand::BuiltIn(of)]) => {
                if let Some(name) = built_in(*of) {
                    self.give(*id, name);
                }
            }
            _ => {
                if let Some(id) = i.result_id {
                    // Also the number itself, which no `OpName` of another may be.
                    let name = self.made(&i, id);
                    self.give(id, &name);
                }
            }
        }
        ParseAction::Continue
    }
}
