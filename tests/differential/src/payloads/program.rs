//! Ray-tracing libraries as data: what the generator makes, the model executes and the printer writes as HLSL.
//!
//! All computing is done with `uint`: what a scalar of another type holds is a function of a `uint` ([`Leaf::encode`]) and is read as one
//! ([`Leaf::decode`]). So programs say nothing about arithmetic, and all about which values reach which shader.

use std::collections::BTreeSet;

/// A stage that accesses payloads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// The stage that traces.
    Caller,
    /// A closest-hit shader.
    ClosestHit,
    /// A miss shader.
    Miss,
    /// An any-hit shader.
    AnyHit,
}

impl Stage {
    /// All of them.
    pub const ALL: [Stage; 4] = [Stage::Caller, Stage::ClosestHit, Stage::Miss, Stage::AnyHit];

    /// Its name in qualifiers.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Caller => "caller",
            Stage::ClosestHit => "closesthit",
            Stage::Miss => "miss",
            Stage::AnyHit => "anyhit",
        }
    }

    fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// The qualifiers of a field: which stages read it, and which write it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Access {
    read: u8,
    write: u8,
}

impl Access {
    /// What a payload without qualifiers is: everything goes everywhere.
    pub const ALL: Access = Access { read: 15, write: 15 };

    /// The qualifiers of two sets of stages, of which bits say the stages, without those that the declaration may not have: a `read` that no
    /// `write` precedes, and a `write` that no `read` succeeds.
    pub fn of(read: u8, write: u8) -> Access {
        use Stage::{AnyHit, Caller, ClosestHit, Miss};
        let mut a = Access { read, write };
        // Stages that may run right after a stage; any-hit shaders may be left out.
        let after = |s: Stage| -> u8 {
            match s {
                Caller | AnyHit => AnyHit.bit() | ClosestHit.bit() | Miss.bit() | Caller.bit(),
                ClosestHit | Miss => Caller.bit(),
            }
        };
        let before = |s: Stage| -> u8 { Stage::ALL.into_iter().filter(|&b| after(b) & s.bit() != 0).map(Stage::bit).sum() };
        loop {
            let old = a;
            for s in Stage::ALL {
                if a.write & before(s) == 0 {
                    a.read &= !s.bit();
                }
                if a.read & after(s) == 0 {
                    a.write &= !s.bit();
                }
            }
            if a == old {
                return a;
            }
        }
    }

    /// Whether the stage reads.
    pub fn reads(self, s: Stage) -> bool {
        self.read & s.bit() != 0
    }

    /// Whether the stage writes.
    pub fn writes(self, s: Stage) -> bool {
        self.write & s.bit() != 0
    }
}

/// The type of a scalar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaf {
    /// `uint`
    Uint,
    /// `int`
    Int,
    /// `float`, small whole numbers
    Float,
    /// `bool`
    Bool,
    /// `uint16_t`
    U16,
    /// `float16_t`, small whole numbers
    F16,
    /// `uint64_t`
    U64,
    /// A bit-field of `uint` of so many bits.
    Bits(u32),
}

impl Leaf {
    /// The name of the type.
    pub fn name(self) -> &'static str {
        match self {
            Leaf::Uint | Leaf::Bits(_) => "uint",
            Leaf::Int => "int",
            Leaf::Float => "float",
            Leaf::Bool => "bool",
            Leaf::U16 => "uint16_t",
            Leaf::F16 => "float16_t",
            Leaf::U64 => "uint64_t",
        }
    }

    /// What it holds after a `uint` was stored.
    pub fn encode(self, v: u32) -> u64 {
        u64::from(match self {
            Leaf::Uint | Leaf::Int => v,
            Leaf::Float | Leaf::U16 => v & 0xffff,
            Leaf::Bool => v & 1,
            Leaf::F16 => v & 0x3ff,
            Leaf::U64 => return u64::from(v) << 32 | u64::from(v ^ 0x5bd1_e995),
            Leaf::Bits(n) => v & ((1 << n) - 1),
        })
    }

    /// The `uint` that is read where it holds something.
    pub fn decode(self, v: u64) -> u32 {
        match self {
            Leaf::U64 => ((v >> 32) as u32).wrapping_add((v as u32).wrapping_mul(3)),
            _ => v as u32,
        }
    }
}

/// A type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Type {
    /// A scalar.
    Leaf(Leaf),
    /// A vector.
    Vector(Leaf, u32),
    /// A matrix: rows, columns.
    Matrix(Leaf, u32, u32),
    /// An array.
    Array(Box<Type>, u32),
    /// A structure.
    Struct(usize),
}

/// A member of a structure.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its type.
    pub ty: Type,
    /// Its qualifiers; none for a payload in a payload.
    pub access: Option<Access>,
}

/// A structure; members are called `f0`, `f1` and so on.
#[derive(Clone, Debug)]
pub struct Struct {
    /// Its name.
    pub name: String,
    /// Its members.
    pub fields: Vec<Field>,
    /// It is a payload.
    pub payload: bool,
}

/// An index of a place.
#[derive(Clone, Debug)]
pub enum Index {
    /// Known.
    Constant(u32),
    /// The remainder of a number.
    Dynamic(Expr),
}

/// A step to a part.
#[derive(Clone, Debug)]
pub enum Step {
    /// Member of a structure.
    Field(usize),
    /// Element of an array, row of a matrix, component of a vector.
    Index(Index),
}

/// A variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Root {
    /// Of the function.
    Local(usize),
    /// Of the library, for an invocation of a shader.
    Static(usize),
}

/// A variable or a part of it.
#[derive(Clone, Debug)]
pub struct LValue {
    /// The variable.
    pub root: Root,
    /// The way to the part.
    pub steps: Vec<Step>,
}

/// A `uint`.
#[derive(Clone, Debug)]
pub enum Expr {
    /// A number.
    Constant(u32),
    /// `DispatchRaysIndex().x`
    Thread,
    /// Which hit it is: `InstanceID()` in triangles, what was reported with the hit in boxes.
    Hit,
    /// What a scalar holds.
    Load(LValue),
    /// A sum.
    Add(Box<Expr>, Box<Expr>),
    /// A product.
    Scale(Box<Expr>, u32),
    /// One of two, by the lowest bit of the first.
    Select(Box<Expr>, Box<Expr>, Box<Expr>),
    /// What decides about control flow or an index. Where the model finds it undefined, the number of the thread decides.
    Decide(usize, Box<Expr>),
}

/// How a parameter is passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// `in`
    In,
    /// `out`
    Out,
    /// `inout`
    InOut,
}

/// An argument.
#[derive(Clone, Debug)]
pub enum Argument {
    /// Of a `uint`.
    Value(Expr),
    /// Of what is written, and of whole structures.
    LValue(LValue),
}

/// A ray.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The payload.
    pub payload: LValue,
    /// The shaders.
    pub family: usize,
    /// Flags.
    pub flags: u32,
    /// Where it goes: [`TARGETS`].
    pub target: Expr,
}

/// Where rays go: past everything, to a triangle that is not opaque, to an opaque one, to a box that is not opaque.
pub const TARGETS: u32 = 4;

/// How one of two hit objects is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pick {
    /// By `if`.
    Branch,
    /// By a function.
    Function,
    /// From an array.
    Array,
    /// From a structure of structures in an array, which a function fills, another one copies, and a third exchanges members of.
    Structure,
    /// By a function with an `out` parameter, through a method of a structure.
    Out,
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// Declares a variable, undefined or a copy.
    Declare(usize, Option<LValue>),
    /// Stores a scalar.
    Set(LValue, Expr),
    /// Adds to a scalar; not for those that hold less than a `uint`.
    Add(LValue, Expr),
    /// Stores components of a vector.
    Swizzle(LValue, Vec<u32>, Vec<Expr>),
    /// Copies a part of the same type.
    Copy(LValue, LValue),
    /// Zeros a structure.
    Zero(LValue),
    /// Calls a function; its result is stored.
    Call(usize, Vec<Argument>, Option<LValue>),
    /// By the lowest bit.
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// So many times, or fewer: the loop's variable, the number, the body, whether to end after it.
    For(usize, u32, Vec<Stmt>, Option<Expr>),
    /// Ends the function.
    Return,
    /// `IgnoreHit`
    Ignore,
    /// `AcceptHitAndEndSearch`
    Accept,
    /// `TraceRay`
    Trace(Trace),
    /// `HitObject::TraceRay`
    HitTrace(usize, Trace),
    /// `HitObject::MakeMiss` with the miss shader of a family, or `MakeNop`.
    Make(usize, Option<usize>),
    /// One of two, by the lowest bit.
    Pick(usize, Pick, Expr, usize, usize),
    /// `HitObject::Invoke`
    Invoke(usize, LValue),
    /// `MaybeReorderThread`
    Reorder(usize),
    /// `CallShader`
    CallShader(usize, LValue),
    /// Stores a word of the thread.
    Out(u32, Expr),
}

/// A function's body. Its parameters are the first variables.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// The types of variables.
    pub variables: Vec<Type>,
    /// How many hit objects there are.
    pub objects: usize,
    /// The statements.
    pub statements: Vec<Stmt>,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// How the parameters are passed.
    pub modes: Vec<Mode>,
    /// What it does.
    pub body: Body,
    /// What it returns.
    pub result: Option<Expr>,
    /// It traces: for ray generation shaders.
    pub traces: bool,
    /// It may end the shader: for any-hit shaders.
    pub ends: bool,
}

/// The shaders of a geometry. What is not there is a null shader.
#[derive(Clone, Debug, Default)]
pub struct Group {
    /// Any-hit shader.
    pub any: Option<Body>,
    /// Closest-hit shader.
    pub closest: Option<Body>,
    /// How many hits a box reports, each nearer than the one before.
    pub reports: u32,
}

/// The shaders that a ray meets: those of the three geometries, and a miss shader.
#[derive(Clone, Debug)]
pub struct Family {
    /// The payload of any-hit shaders.
    pub any_type: usize,
    /// The payload of the others.
    pub shade_type: usize,
    /// Its shaders trace rays of families of higher levels only.
    pub level: u32,
    /// Those of the targets from the second on.
    pub groups: [Group; 3],
    /// The miss shader.
    pub miss: Option<Body>,
}

/// How the library is divided into files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Split {
    /// It is one.
    One,
    /// Each has some of the shaders and all functions.
    Together,
    /// Each has some of the shaders, the second one has all functions.
    Linked,
}

/// A program.
#[derive(Clone, Debug)]
pub struct Program {
    /// Structures.
    pub structs: Vec<Struct>,
    /// The types of static variables.
    pub statics: Vec<Type>,
    /// Functions.
    pub functions: Vec<Function>,
    /// Shaders.
    pub families: Vec<Family>,
    /// Callable shaders, with what they take.
    pub callables: Vec<(usize, Body)>,
    /// The ray generation shader.
    pub main: Body,
    /// Payloads have qualifiers.
    pub qualified: bool,
    /// There are hit objects.
    pub hit_objects: bool,
    /// There are 16-bit types.
    pub native_16bit: bool,
    /// How it is divided.
    pub split: Split,
    /// Decisions that would be undefined.
    pub undecided: BTreeSet<usize>,
    /// Words of a thread that are stored.
    pub words: u32,
    /// What it was made of.
    pub choices: Vec<u32>,
}

/// Threads of a dispatch.
pub const THREADS: u32 = 8;
/// Words that each thread stores at most.
pub const WORDS: u32 = 96;

impl Program {
    /// How many scalars a type has.
    pub fn leaves(&self, ty: &Type) -> usize {
        match ty {
            Type::Leaf(_) => 1,
            Type::Vector(_, n) => *n as usize,
            Type::Matrix(_, r, c) => (r * c) as usize,
            Type::Array(of, n) => self.leaves(of) * *n as usize,
            Type::Struct(s) => self.structs[*s].fields.iter().map(|f| self.leaves(&f.ty)).sum(),
        }
    }

    /// The qualifiers of each scalar of a payload.
    pub fn access(&self, s: usize) -> Vec<Access> {
        let mut all = Vec::new();
        for f in &self.structs[s].fields {
            match (&f.ty, f.access) {
                (Type::Struct(inner), None) if self.qualified => all.extend(self.access(*inner)),
                (ty, a) => {
                    let a = a.filter(|_| self.qualified).unwrap_or(Access::ALL);
                    all.extend(std::iter::repeat_n(a, self.leaves(ty)));
                }
            }
        }
        all
    }

    /// The part that a step leads to, without which one of several.
    pub fn step(&self, ty: &Type, step: &Step) -> Type {
        match (ty, step) {
            (Type::Struct(s), Step::Field(f)) => self.structs[*s].fields[*f].ty.clone(),
            (Type::Array(of, _), Step::Index(_)) => (**of).clone(),
            (Type::Matrix(l, _, c), Step::Index(_)) => Type::Vector(*l, *c),
            (Type::Vector(l, _), Step::Index(_)) => Type::Leaf(*l),
            _ => unreachable!("no such part: {step:?} of {ty:?}"),
        }
    }

    /// The variable's type.
    pub fn root_type<'a>(&'a self, body: &'a Body, root: Root) -> &'a Type {
        match root {
            Root::Local(v) => &body.variables[v],
            Root::Static(s) => &self.statics[s],
        }
    }

    /// The type of a place.
    pub fn place_type(&self, body: &Body, place: &LValue) -> Type {
        place.steps.iter().fold(self.root_type(body, place.root).clone(), |ty, s| self.step(&ty, s))
    }
}

/// How many parts of a type an index chooses among.
pub fn parts(ty: &Type) -> u32 {
    match ty {
        Type::Vector(_, n) | Type::Array(_, n) => *n,
        Type::Matrix(_, r, _) => *r,
        Type::Leaf(_) | Type::Struct(_) => 1,
    }
}
