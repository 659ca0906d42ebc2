//! Random HLSL programs that are well defined: every compiler and every device must compute the same words.
//!
//! * Floating-point values are multiples of a power of two with few bits ([`types::Bits`]), so all arithmetic is exact. A value is brought into range
//!   (`bound`) before it is stored.
//! * Integers wrap; divisors are not zero, shift counts are in range, indices are taken modulo the length.
//! * Every variable is initialised. Expressions have no side effects; a function that has some is called by a statement of its own.
//! * A thread writes its own words of memory. Others read them after a barrier in uniform control flow.
//! * Loops end after a few iterations, and the cost of a call times the iterations around it is limited.
//!
//! Words that hosts give (buffers, constant buffers) are arbitrary; as floats they are *wild* and are read through `tame`, which makes a
//! small number of their bits.

mod expression;
mod function;
mod helpers;
mod long_vectors;
pub mod matrices;
mod output;
mod paths;
mod raytracing;
mod resources;
mod shader;
mod split;
mod statement;
mod structs;
pub mod types;

use std::collections::BTreeSet;

use crate::choices::Choices;
use types::{Numeric, Scalar, Struct, Type};

/// Threads of a dispatch.
pub const THREADS: u32 = 8;
/// The shader model of vectors of more than four components: 6.9.
const LONG_VECTORS: u32 = 9;
/// Words that each thread writes at most.
pub const WORDS: u32 = 96;

/// What an entry point calls first: the number of its thread is what functions use.
const START: &str = "void start(uint t) { T = t; }\n";

/// What kind of program it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A compute shader `main` of one group.
    Compute,
    /// A library with the ray generation shader `Main`.
    Library,
}

/// A generated program.
#[derive(Clone, Debug)]
pub struct Program {
    /// HLSL.
    pub source: String,
    /// Its kind.
    pub kind: Kind,
    /// Minor version of the shader model.
    pub minor: u32,
    /// Whether it needs native 16-bit types.
    pub native_16bit: bool,
    /// Whether matrices are row major by default.
    pub row_major: bool,
    /// Why the pinned reference compiler does not compile it, if it does not.
    pub no_reference: Option<&'static str>,
    /// The same program as sources of libraries to link, the one with the entry points first; none if it has no functions.
    pub libraries: Vec<String>,
    /// The choices that it was made of.
    pub choices: Vec<u32>,
}

impl Program {
    /// The profile.
    pub fn profile(&self) -> String {
        match self.kind {
            Kind::Compute => format!("cs_6_{}", self.minor),
            Kind::Library => format!("lib_6_{}", self.minor),
        }
    }
}

/// The program of a seed.
pub fn random(seed: u64) -> Program {
    generate(Choices::random(seed))
}

/// The program of some choices.
pub fn generate(choices: Choices) -> Program {
    let mut g = Generator::new(choices);
    let kind = if g.choices.one_in(3) { Kind::Library } else { Kind::Compute };
    g.settle(kind);
    g.types();
    g.resources(kind);
    g.functions();
    let entries = match kind {
        Kind::Compute => g.compute_shader(),
        Kind::Library => g.library(),
    };
    let source = g.assemble(&entries);
    let libraries = g.libraries(&entries);
    Program {
        source,
        libraries,
        kind,
        minor: g.minor,
        native_16bit: g.native_16bit,
        row_major: g.row_major,
        no_reference: (g.minor > 6).then_some("the pinned reference does not have the shader model"),
        choices: g.choices.taken(),
    }
}

/// A variable, or memory that is used like one.
#[derive(Clone, Debug)]
struct Variable {
    name: String,
    ty: Type,
    writable: bool,
    /// Its floats are arbitrary.
    wild: bool,
    /// The beginning of the first index: which elements are this thread's.
    slot: &'static str,
    /// Not a local variable.
    global: bool,
}

impl Variable {
    fn local(name: impl Into<String>, ty: Type) -> Variable {
        Variable { name: name.into(), ty, writable: true, wild: false, slot: "", global: false }
    }
    fn constant(name: impl Into<String>, ty: Type) -> Variable {
        Variable { writable: false, ..Variable::local(name, ty) }
    }
}

/// How an argument is passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    In,
    Out,
    InOut,
}

/// A function or a method.
#[derive(Clone, Debug)]
struct Function {
    name: String,
    parameters: Vec<(Mode, Type)>,
    result: Option<Type>,
    /// It changes nothing.
    is_pure: bool,
    /// The structure that it is a method of.
    of: Option<usize>,
    /// About how many statements it executes.
    cost: u32,
}

/// The text of a function.
#[derive(Clone, Debug)]
struct Definition {
    /// Result, name and parameters.
    head: String,
    /// The body, with its braces.
    body: String,
}

/// The state of the generator.
struct Generator {
    choices: Choices,
    minor: u32,
    native_16bit: bool,
    row_major: bool,
    /// Scalars of values, and those of memory.
    scalars: Vec<Scalar>,
    memory_scalars: Vec<Scalar>,
    structs: Vec<Struct>,
    /// Declarations so far.
    declarations: String,
    /// Functions outside structures, in the order in which they call each other.
    definitions: Vec<Definition>,
    functions: Vec<Function>,
    globals: Vec<Variable>,
    locals: Vec<Variable>,
    text: String,
    indent: usize,
    names: u32,
    /// Statements that may still be made.
    budget: i32,
    /// Iterations of the loops around.
    repeat: u32,
    /// Statements that the function executes.
    cost: u32,
    /// Loops around in this function.
    loops: u32,
    /// A `switch` is nearer than the next loop.
    in_switch: bool,
    /// The type that the function returns.
    result: Option<Type>,
    /// Whether there may be `return` statements before the end.
    may_return: bool,
    /// Whether side effects are allowed.
    may_write: bool,
    /// The program has the buffer `Bytes`; it has the group-shared arrays of atomic operations.
    has_bytes: bool,
    /// Its functions and shaders may have operations among lanes.
    has_waves: bool,
    has_atomics: bool,
    /// Control flow is the same in all threads.
    uniform: bool,
    /// What the shaders of a library agree on; whether this one traces; memory that the ray generation shader has alone.
    interface: Option<raytracing::Interface>,
    may_trace: bool,
    slots: Vec<Variable>,
    /// Helpers in use: name and type.
    helpers: BTreeSet<(&'static str, String)>,
    helper_types: Vec<(&'static str, Numeric)>,
}

impl Generator {
    fn new(choices: Choices) -> Generator {
        Generator {
            choices,
            minor: 6,
            native_16bit: false,
            row_major: false,
            scalars: Vec::new(),
            memory_scalars: Vec::new(),
            structs: Vec::new(),
            declarations: String::new(),
            definitions: Vec::new(),
            functions: Vec::new(),
            globals: Vec::new(),
            locals: Vec::new(),
            text: String::new(),
            indent: 0,
            names: 0,
            budget: 0,
            repeat: 1,
            cost: 0,
            loops: 0,
            in_switch: false,
            result: None,
            may_return: false,
            may_write: true,
            has_bytes: false,
            has_waves: false,
            has_atomics: false,
            uniform: false,
            interface: None,
            may_trace: false,
            slots: Vec::new(),
            helpers: BTreeSet::new(),
            helper_types: Vec::new(),
        }
    }

    /// Chooses the shader model and the scalar types.
    fn settle(&mut self, kind: Kind) {
        use Scalar as S;
        self.minor = match kind {
            Kind::Compute => self.choices.pick(&[6, 2, 5, 6, 2, 5, LONG_VECTORS]),
            Kind::Library => self.choices.pick(&[6, 3, 5, 6, 3, 5, LONG_VECTORS]),
        };
        self.has_waves = kind == Kind::Compute;
        self.row_major = self.choices.one_in(4);
        self.scalars = vec![S::Int, S::Uint, S::Float, S::Bool, S::Float, S::Uint];
        self.memory_scalars = self.scalars.clone();
        match self.choices.weighted(&[4, 2, 1]) {
            1 => {
                self.native_16bit = true;
                self.scalars.extend([S::I16, S::U16, S::F16]);
                self.memory_scalars.extend([S::I16, S::U16, S::F16]);
            }
            2 => self.scalars.extend([S::MinInt, S::MinUint, S::MinFloat]),
            _ => {}
        }
        if self.choices.one_in(3) {
            self.scalars.extend([S::I64, S::U64]);
            self.memory_scalars.extend([S::I64, S::U64]);
            if self.choices.one_in(3) {
                self.scalars.push(S::F64);
                self.memory_scalars.push(S::F64);
            }
        }
    }

    /// Whether there is one more of something, of which there are about `n`. There is a choice before each, so that one is removed together with its
    /// choices.
    fn more(&mut self, n: u32) -> bool {
        self.choices.below(n + 1) != 0
    }

    /// A new name.
    fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    /// Writes a line.
    fn line(&mut self, text: impl AsRef<str>) {
        for _ in 0..self.indent {
            self.text += "  ";
        }
        self.text += text.as_ref();
        self.text.push('\n');
    }

    /// The name of a type.
    fn type_name(&self, ty: &Type) -> String {
        match ty {
            Type::Numeric(n) => n.name(),
            Type::Struct(s) => self.structs[*s].name.clone(),
            Type::Array(of, _) => self.type_name(of),
        }
    }

    /// A declaration of a name: arrays have their lengths after it.
    fn declare(&self, ty: &Type, name: &str) -> String {
        let mut lengths = String::new();
        let mut of = ty;
        while let Type::Array(inner, n) = of {
            lengths += &format!("[{n}]");
            of = inner;
        }
        format!("{} {name}{lengths}", self.type_name(of))
    }

    /// The whole source.
    fn assemble(&mut self, entries: &str) -> String {
        let helpers = self.helper_text();
        let functions: String = self.definitions.iter().map(|d| format!("{} {}", d.head, d.body)).collect();
        format!("{helpers}{}{functions}{START}{entries}", self.declarations)
    }
}
