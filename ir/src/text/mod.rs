//! The text form, `.rtir`: a printer and a parser that are exact inverses.
//!
//! Numbers in text are the numbers in memory: `v7` is value 7 before and after. Optimised functions have
//! gaps in their numbering (values that nothing uses any more); gaps survive printing and parsing.
//! [`Function::compact`](crate::Function::compact) closes them, after which parsing the printed module
//! gives the same entities, instructions included. Types have no numbers in text: two types are the same if
//! they are spelled the same. Spans are not printed.
//!
//! # Grammar
//!
//! ```text
//! module    = "module" "sm" VERSION "native16"? ("denorm" NAME)? ("props" "(" NAME* ")")? (struct | global | subobject | inline | function)*
//! struct    = "struct" sN STRING ("base" STRING)? "raypayload"? "{" field* "}"
//! field     = STRING ":" type ("hlsl" STRING)? ("as" numbers)? ("read" "(" STAGE* ")" "write" "(" STAGE* ")")? ("offset" N)? "precise"?
//! global    = gN "=" "resource" names ":" type "array"? ("unbounded" | "count" N)? ("register" N)? "space" N
//!                    ("counter" N)? ("push" | "record")? "other_letter"? ("vk" N N)? ("element" N N)? ("format" NAME)? "combined"? ("block" | "loose" | "append" | "consume")? ("layout" type)? ("hlsl" STRING)? ("as" numbers)?
//!           | gN "=" ("groupshared" | "private") names ":" type "precise"?
//!           | gN "=" "table" names ":" type "=" "(" BITS,* ")"
//!           | gN "=" "spirv" names ":" type "class" N
//!                    and after any global its decorations: (("decorate" | "decorate_id") N "(" N,* ")" | "decorate_string" N "(" STRING,* ")")*
//! inline    = "spirv" ("capability" N | "extension" STRING | "member" sN N decorations | svN "=" "type" N "(" ("#" N | "const" N type | type),* ")" "size" N "align" N)
//! numbers   = ("row_major" | "column_major")? NAME       what HLSL says about numbers and the type does not: `uint`, `float1`, `row_major float2x3`
//! names     = STRING ("symbol" STRING)?              the symbol is left out where it is the name
//! subobject = "subobject" STRING "=" KIND (N | STRING | "(" STRING,* ")")*
//! type      = bool | i16 … f64 | i32x3 … | "[" N "x" type "]" | sN | "hitobj" | svN | "query(" flags flags ")"
//!           | "linalg(" COMPONENT ROWS COLUMNS USE SCOPE ")"
//!           | "res" "(" CLASS KIND ("of" type)? ("comp" NAME)? ("stride" N)? ("samples" N)? FLAG* ")"
//! function  = "fn" fnN names "stage" STAGE "exported"? ("declared" opaque?)? ("numthreads" "(" N "," N "," N ")")? ("wavesize" "(" N "," N "," N ")")? state? "earlydepthstencil"? "helperlanes"? ("->" type)?
//!             "{" ("params" (vN | lN),*)? variable* constant* region "}"
//! state     = "geometry" "(" PRIMITIVE "," TOPOLOGY "," VERTICES "," INSTANCES "," STREAMS ")" | "domain" "(" DOMAIN "," POINTS ")"
//!           | "hull" "(" POINTS "," POINTS "," DOMAIN "," PARTITIONING "," OUTPUT ")" ("factor" "(" BITS ")")? ("patch" fnN)? | "patchconstants"
//!           | "mesh" "(" VERTICES "," PRIMITIVES "," TOPOLOGY ")" ("payload" type)?
//! opaque    = "spirv" ("core" N | "extended" N STRING | "mode" N | "mode_id" N) "matrix_result"? "(" operand,* ")"
//! operand   = "value" | "place" | "loaded" | "matrix" | "descriptor" | "element" type | "address" type | "#" N
//! variable  = lN "=" ("local" | "ref" ("in" | "out" | "inout")) "precise"? type STRING? ("as" numbers)?
//!           | plN "=" ("payload" | "callable" | "attr" | "mesh") ("in" | "out") type STRING?
//!           | elN "=" ("input" | "output" | "patch") POINT STRING INDEX SEMANTIC COMPONENT N "x" N "x" N ("stream" "(" N ")")? "numbered"? "columns"? INTERPOLATION
//!                    ("location" "(" N ")")? ("index" "(" N ")")? decorations
//! constant  = vN "=" ("const" type LITERAL | "undef" type)
//! region    = rN ("(" (vN ":" type),* ")")? ":" inst*
//! inst      = (vN,* "=")? hint? "precise"? MNEMONIC operands (":" type,*)? regions?
//! place     = (lN | plN | gN) ("." N | "[" vN "]")*
//! ```
//!
//! Operands follow the instruction's format (`rtc_tables::insts`): values separated by commas; before them an
//! immediate `#3` (or `#add` where it is an atomic operation) if it is not zero, a place, or a slot.
//! `resource g0[v1]`, `call fn2(v1, v2) refs(l0.1[v3])`, `loop (v1, v2)`, `break r3(v1)`,
//! `next_if v0 next(v1) break(v2)` look as written here. The type of `resource` is left out where it is the
//! declared one. A comment runs from `;` to the end of the line.
//!
//! # Example
//!
//! ```
//! let text = r#"module sm 6.3
//!
//! struct s0 "Payload" raypayload {
//!   "color" : f32x3 read(caller) write(closesthit miss)
//! }
//!
//! fn fn0 "Miss" stage miss {
//!   pl0 = payload in s0 "p"
//!   v0 = const f32 0.5
//! r0:
//!   v1 = world_ray_direction : f32x3
//!   v2 = extract #1 v1 : f32
//!   v3 = fgt v2, v0 : bool
//!   v4 = if v3 : f32 {
//!   r1:
//!     yield v2
//!   } else {
//!   r2:
//!     yield v0
//!   }
//!   v5 = construct v4, v4, v4 : f32x3
//!   store pl0.0, v5
//!   return
//! }
//! "#;
//! let module = rtc_ir::text::parse(text)?;
//! assert_eq!(rtc_ir::text::print(&module), text);
//! # Ok::<(), rtc_ir::text::ParseError>(())
//! ```

mod inline;
mod lex;
mod literal;
mod parse;
mod parse_func;
mod parse_inst;
mod print;
mod print_inst;

use rtc_base::Span;
use rustc_hash::FxHashMap;

use crate::{Func, Function, Global, Inst, Local, Module, Region, Slot, Struct, Type, Value};

/// An entity of a module that a note can be about, printed at the end of its line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)] // the entities say it
pub enum Note {
    Module,
    Struct(Struct),
    Global(Global),
    Subobject(usize),
    Func(Func),
    Local(Func, Local),
    Slot(Func, Slot),
    Value(Func, Value),
    Region(Func, Region),
    Inst(Func, Inst),
}

/// Notes by the entity that they are about.
pub type Notes = FxHashMap<Note, Vec<String>>;

/// Why a text is no module, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong or what was expected.
    pub message: String,
}

impl ParseError {
    pub(self) fn at(text: &str, offset: usize, message: impl Into<String>) -> ParseError {
        let before = &text.as_bytes()[..offset.min(text.len())];
        let line_start = before.iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
        let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
        let column = String::from_utf8_lossy(&before[line_start..]).chars().count() + 1;
        ParseError { line, column, message: message.into() }
    }
}

impl std::fmt::Display for ParseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

/// The text of `m`.
pub fn print(m: &Module) -> String {
    print_with(m, None)
}

/// The text of `m` with `; error: …` at the end of the lines of the things that `notes` are about.
pub fn print_with(m: &Module, notes: Option<&Notes>) -> String {
    let mut p = print::Printer { notes, ..printer(m) };
    p.module();
    p.out
}

/// The lines of the text of `m`, each with the place in the source that it comes from; [`Span::NONE`] of a line that comes from none.
pub fn print_lines(m: &Module) -> Vec<(String, Span)> {
    let mut p = print::Printer { spans: Some(Vec::new()), ..printer(m) };
    p.module();
    let mut ends = p.spans.take().unwrap_or_default().into_iter().peekable();
    let mut at = 0;
    let lines = p.out.lines().map(|line| {
        at += line.len();
        let mut span = Span::NONE;
        while let Some((_, found)) = ends.next_if(|end| end.0 <= at) {
            span = found;
        }
        at += 1;
        (line.to_owned(), span)
    });
    lines.collect()
}

/// The text of one function.
pub fn print_function(m: &Module, f: Func) -> String {
    let mut p = printer(m);
    p.function(f);
    p.out
}

/// The text of one instruction, without its regions.
pub fn print_inst(m: &Module, f: &Function, i: Inst) -> String {
    let mut p = printer(m);
    p.inst(f, i);
    p.out.truncate(p.out.trim_end_matches(" {").len());
    p.out
}

/// The text of a type.
pub fn print_type(m: &Module, t: Type) -> String {
    let mut p = printer(m);
    p.ty(t);
    p.out
}

fn printer(m: &Module) -> print::Printer<'_> {
    print::Printer { m, notes: None, out: String::new(), spans: None }
}

/// The module that `text` describes. It is well formed as text only: use the verifier for the rest.
///
/// # Errors
/// The first position that violates the grammar, redefines an entity, or refers to an unknown one.
pub fn parse(text: &str) -> Result<Module, ParseError> {
    parse::Parser::new(text)?.module()
}
