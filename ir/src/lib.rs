//! The IR: structured SSA.
//!
//! **Shape.** A function has one body [`Region`]; a region has parameters and an ordered list of
//! instructions, the last a terminator. Control instructions (`if`, `switch`, `loop`, `block`) own regions
//! and have results. There is no phi and no edge: what a construct computes leaves it as operands of its
//! exits and appears as its results.
//!
//! **Exits.** `yield` ends a region of an `if`, `switch` or `block` and gives the construct's results.
//! `break rN` leaves the construct that owns region `rN`, which must be an ancestor region of the `break`
//! (or its own region), with the construct's results; for a loop the results of the loop. `continue rN` ends
//! the loop body `rN` and gives the parameters of its continuing region. A continuing region ends with `next`
//! (parameters of the body) or `next_if cond, again…, results…`. `return`, `ignore_hit`, `accept_hit` leave the
//! function from any depth. Neither a body nor an arm falls off its end: a loop body that continues with the next
//! iteration says `continue`.
//!
//! **Dominance follows from structure.** A value may be used after its definition in the same region and in
//! everything nested in what comes after; constants and undefined values have no place and may be used
//! everywhere in their function.
//!
//! **Values** are scalars, vectors, resource handles and hit objects. Structures and arrays live in variables
//! only: [`Local`]s, [`Slot`]s (payloads, callable parameters, hit attributes) and module variables, and are
//! reached through places: a root and steps (`l0.1[v3].2`). `copy` moves aggregates. A matrix is an array of its
//! rows. Parameters that are aggregates or `out`/`inout` are reference parameters: locals that refer to a place of
//! the caller; the caller guarantees that no two of them overlap.
//!
//! **Effects** with placement as a location: see [`rtc_tables::insts`] and [`effects`].
//!
//! **Hints** ([`Hint`]) on control instructions are what the source asks for, `[branch]` or `[unroll]`; they change no meaning.
//!
//! **Payload slots** are declared; traces and calls name one. What another shader sees is exactly the slot.
//!
//! **Signature elements** ([`ElementData`]) are declared in entry points of the graphics pipeline; `load_input` and `store_output` name
//! one by number ([`ElementPart`]).
//!
//! **Around it.** [`text`] prints and parses modules, [`verify`] checks them, [`analysis`] has the traversal of regions and what
//! follows from their nesting, [`eval`] evaluates instructions on constants, [`Function::compact`] closes gaps in numberings.
//!
//! **Inline SPIR-V** ([`inline`]) is opaque: an instruction is a declared function.
//!
//! What is *not* here: HLSL, DXIL, SPIR-V, pointers, signed types. Names of values, if requested, are in
//! a table next to the function: [`debug`].

pub mod analysis;
pub mod build;
mod compact;
pub mod debug;
pub mod effects;
mod entities;
pub mod eval;
mod func;
pub mod host_layout;
pub mod inline;
mod inst;
pub mod linalg;
mod mapper;
mod module;
mod numbers;
mod pipeline;
mod signature;
pub mod text;
mod types;
pub mod verify;

pub use build::Builder;
pub use entities::{Cases, Element, Func, Global, Inst, Local, Place, Region, Slot, SpirvType, Struct, Type, Value};
pub use func::{Function, FunctionAttributes, LocalData, Param, RESULT, RefMode, RegionData, SlotData, SlotRole, ValueData, ValueDef};
pub use inst::{CaseTable, Hint, InstData, PlaceData, PlaceList, Root, Sides, Step, ValueList};
pub use mapper::Mapper;
pub use module::{
    BindPlace, Binding, COPIED_PAYLOAD, DENORMAL_MODES, DeclKind, Denormals, Field, GlobalData, GlobalKind, Module, Paq, PaqStage, Props,
    ResourceDecl, StructData, Subobject, SubobjectKind,
};
pub use numbers::{Form, Matrix, MatrixOrder, Numbers};
pub use pipeline::{DomainState, GeometryState, HullState, MeshState, StageState};
pub use rtc_tables::insts::{Effects, ElementPart, Family, Format, Opcode};
pub use rtc_tables::stages::Stage;
pub use signature::{ElementData, ElementRole, Spread};
pub use types::{ResourceType, Scalar, TypeKind, TypeTable};
