//! Disassembly of SPIR-V, instruction by instruction.

use rspirv::binary::{Consumer, Disassemble, ParseAction, parse_words};
use rspirv::dr::{Instruction, ModuleHeader, Operand};
use rspirv::grammar::{OperandKind, ext_inst_table, reflect::is_block_terminator};
use rustc_hash::FxHashMap;
use spirv::Op;

use literal::{Scalar, number};
use names::Names;

mod layout;
mod literal;
mod names;
pub(crate) mod newer;

/// Operands of `OpHitObjectRecordFromQueryEXT` that the reader knows: revision 3 of the extension added the hit kind.
const KNOWN: u32 = 4;

/// The words are no SPIR-V module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListingError {
    /// What the reader of SPIR-V says.
    cause: String,
}

impl ListingError {
    pub(crate) fn new(cause: impl Into<String>) -> ListingError {
        ListingError { cause: cause.into() }
    }
}

/// Checks that the instructions fill the module, on which the reader relies.
pub(crate) fn check_lengths(words: &[u32]) -> Result<(), ListingError> {
    let mut at = 5;
    while at < words.len() {
        let length = (words[at] >> 16) as usize;
        if length == 0 || length > words.len() - at {
            return Err(ListingError::new(format!("the instruction at word {at} has {length} words, and {} are left", words.len() - at)));
        }
        at += length;
    }
    Ok(())
}

impl std::fmt::Display for ListingError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "malformed SPIR-V: {}", self.cause)
    }
}

impl std::error::Error for ListingError {}

/// The listing of a module, with the numbers of its ids.
///
/// # Errors
/// The module is malformed.
pub fn listing(words: &[u32]) -> Result<String, ListingError> {
    Ok(listed(words, false, None)?.lines.join("\n"))
}

/// The listing of a module, with names of its ids.
///
/// # Errors
/// The module is malformed.
pub fn listing_with_names(words: &[u32]) -> Result<String, ListingError> {
    Ok(listed(words, true, None)?.lines.join("\n"))
}

fn listed(words: &[u32], named: bool, locations: Option<Vec<(usize, Location)>>) -> Result<Listing, ListingError> {
    check_lengths(words)?;
    let (words, kinds) = without_kinds(words);
    let (words, newer) = newer::replaced(words);
    let malformed = |e| ListingError { cause: format!("{e:?}") };
    let names = if named { Names::read(&words).map_err(malformed)? } else { Names::default() };
    let mut out = Listing { kinds: kinds.into_iter(), newer: newer.into_iter(), named, locations, names, ..Listing::default() };
    parse_words(&words, &mut out).map_err(malformed)?;
    Ok(out)
}

/// A line of a listing: its text, and the place in the source that it comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListedLine {
    /// The line, without its end.
    pub text: String,
    /// File, line and column.
    pub location: Option<(String, u32, u32)>,
}

/// The listing of a module with names of its ids, line by line. Instructions that say where others come from (`OpLine`, `OpNoLine`) have no lines.
///
/// # Errors
/// The module is malformed.
pub fn listing_by_line(words: &[u32]) -> Result<Vec<ListedLine>, ListingError> {
    let out = listed(words, true, Some(Vec::new()))?;
    let mut locations = out.locations.unwrap_or_default().into_iter().peekable();
    let mut lines = Vec::with_capacity(out.lines.len());
    for (n, text) in out.lines.into_iter().enumerate() {
        let location = locations.next_if(|l| l.0 == n).map(|l| l.1);
        // An instruction may have several lines: strings, the header.
        lines.extend(text.split('\n').map(|line| ListedLine { text: line.to_owned(), location: location.clone() }));
    }
    Ok(lines)
}

/// What an instruction is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Around {
    #[default]
    Module,
    Function,
    Block,
}

/// A file, a line and a column.
type Location = (String, u32, u32);

/// The listing so far.
#[derive(Default)]
struct Listing {
    lines: Vec<String>,
    around: Around,
    /// The names of extended instruction sets.
    sets: FxHashMap<u32, String>,
    types: FxHashMap<u32, Scalar>,
    /// The names of ids; none if they are listed by their numbers.
    names: Names,
    /// The hit kinds of `OpHitObjectRecordFromQueryEXT`s, in order.
    kinds: std::vec::IntoIter<Option<u32>>,
    /// What the reader does not know, of the instructions that may have such operands, in order.
    newer: std::vec::IntoIter<Option<u32>>,
    /// Whether ids have names, and lines the layout of SPIR-V's tools.
    named: bool,
    /// Places of lines by their number, in order; none if `OpLine`s have lines of their own.
    locations: Option<Vec<(usize, Location)>>,
    /// The strings.
    strings: FxHashMap<u32, String>,
    /// The place that the last `OpLine` named.
    here: Option<Location>,
}

/// An instruction is where it cannot be.
#[derive(Debug)]
struct Misplaced(#[expect(dead_code, reason = "shown by Debug")] Op, #[expect(dead_code, reason = "shown by Debug")] Around);

impl std::fmt::Display for Misplaced {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self:?}")
    }
}

impl std::error::Error for Misplaced {}

impl Consumer for Listing {
    fn initialize(&mut self) -> ParseAction {
        ParseAction::Continue
    }

    fn finalize(&mut self) -> ParseAction {
        match self.around {
            Around::Module => ParseAction::Continue,
            around => ParseAction::Error(Box::new(Misplaced(Op::Nop, around))),
        }
    }

    fn consume_header(&mut self, header: ModuleHeader) -> ParseAction {
        self.lines.push(layout::header(&header));
        ParseAction::Continue
    }

    fn consume_instruction(&mut self, i: Instruction) -> ParseAction {
        let op = i.class.opcode;
        let next = match (op, self.around) {
            (Op::Function, Around::Module) | (Op::FunctionParameter, Around::Function) => Around::Function,
            (Op::Label, Around::Function) => Around::Block,
            (Op::FunctionEnd, Around::Function) => Around::Module,
            (Op::Function | Op::FunctionParameter | Op::Label | Op::FunctionEnd, around) => {
                return ParseAction::Error(Box::new(Misplaced(op, around)));
            }
            _ if is_block_terminator(op) => match self.around {
                Around::Block => Around::Function,
                around => return ParseAction::Error(Box::new(Misplaced(op, around))),
            },
            // Lines may be between blocks.
            (Op::Line | Op::NoLine, around) => around,
            (_, Around::Function) => return ParseAction::Error(Box::new(Misplaced(op, Around::Function))),
            (_, around) => around,
        };
        self.around = next;
        if self.locations.is_some() && self.is_place(&i) {
            return ParseAction::Continue;
        }
        if let (Some(locations), Some(here)) = (&mut self.locations, &self.here) {
            locations.push((self.lines.len(), here.clone()));
        }
        let line = self.line(&i);
        let line = self.names.rename(&line);
        self.lines.push(if self.named { layout::line(&line) } else { line });
        ParseAction::Continue
    }
}

impl Listing {
    /// Keeps track of where the next instructions come from; whether that is all that this one says.
    fn is_place(&mut self, i: &Instruction) -> bool {
        match (i.class.opcode, i.operands.as_slice()) {
            (Op::String, [Operand::LiteralString(text)]) => _ = i.result_id.map(|id| self.strings.insert(id, text.clone())),
            (Op::Line, [Operand::IdRef(file), Operand::LiteralBit32(line), Operand::LiteralBit32(column)]) => {
                self.here = self.strings.get(file).map(|name| (name.clone(), *line, *column));
            }
            // A place ends with the block.
            (Op::NoLine | Op::FunctionEnd | Op::Label, _) => self.here = None,
            _ => {}
        }
        matches!(i.class.opcode, Op::Line | Op::NoLine)
    }

    fn line(&mut self, i: &Instruction) -> String {
        match (i.class.opcode, i.result_id, i.operands.as_slice()) {
            (Op::ExtInstImport, Some(id), [Operand::LiteralString(name)]) => _ = self.sets.insert(id, name.clone()),
            (Op::TypeFloat, Some(id), [Operand::LiteralBit32(width), ..]) => _ = self.types.insert(id, Scalar::Float(*width)),
            (Op::TypeInt, Some(id), [_, Operand::LiteralBit32(signed)]) => {
                _ = self.types.insert(id, if *signed == 1 { Scalar::Signed } else { Scalar::Unsigned });
            }
            (Op::Constant, _, [value]) => return head(i) + &number(value, i.result_type.and_then(|t| self.types.get(&t).copied())),
            (Op::ExtInst, _, [Operand::IdRef(set), Operand::LiteralExtInstInteger(number), rest @ ..]) => {
                let table = self.sets.get(set).and_then(|name| ext_inst_table(name));
                if let Some(known) = table.and_then(|t| t.lookup_opcode(*number)) {
                    let mut out = head(i) + &format!("%{set} {}", known.opname);
                    for (n, operand) in rest.iter().enumerate() {
                        // The reader takes every operand for an id.
                        let kind = known.operands.get(n).or(known.operands.last()).map(|o| o.kind);
                        match (operand, kind) {
                            (Operand::IdRef(n), Some(OperandKind::LiteralInteger | OperandKind::OpenclDebuginfo100(_))) => {
                                out += &format!(" {n}");
                            }
                            _ => out += &format!(" {}", operand.disassemble()),
                        }
                    }
                    return out;
                }
            }
            (Op::Capability | Op::ExecutionMode | Op::ExecutionModeId, ..) => {
                if let Some(Some(number)) = self.newer.next() {
                    return newer::line(i, number);
                }
            }
            (Op::HitObjectRecordFromQueryEXT, ..) => {
                if let Some(Some(kind)) = self.kinds.next() {
                    return format!("{} %{kind}", i.disassemble());
                }
            }
            _ => {}
        }
        i.disassemble()
    }
}

/// An instruction with a result, up to its operands.
fn head(i: &Instruction) -> String {
    let result = i.result_id.map_or(String::new(), |id| format!("%{id} = "));
    let ty = i.result_type.map_or(String::new(), |t| format!("  %{t} "));
    format!("{result}Op{}{ty} ", i.class.opname)
}

/// The module without the hit kinds of those instructions, and what they are, in order.
pub(crate) fn without_kinds(words: &[u32]) -> (Vec<u32>, Vec<Option<u32>>) {
    let (mut out, mut kinds) = (Vec::with_capacity(words.len()), Vec::new());
    let header = words.len().min(5);
    out.extend_from_slice(&words[..header]);
    let mut rest = &words[header..];
    while let Some(&first) = rest.first() {
        let len = (first >> 16) as usize;
        if len == 0 || len > rest.len() {
            out.extend_from_slice(rest); // the reader says what is wrong
            break;
        }
        let (inst, after) = rest.split_at(len);
        rest = after;
        let is = first & 0xffff == Op::HitObjectRecordFromQueryEXT as u32;
        match inst.get(1 + KNOWN as usize) {
            Some(&kind) if is => {
                kinds.push(Some(kind));
                out.push((KNOWN + 1) << 16 | first & 0xffff);
                out.extend_from_slice(&inst[1..=KNOWN as usize]);
            }
            _ => {
                if is {
                    kinds.push(None);
                }
                out.extend_from_slice(inst);
            }
        }
    }
    (out, kinds)
}
