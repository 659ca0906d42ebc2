//! The instruction table: one row per IR instruction. Opcode enum, mnemonic (printer and parser), operand
//! and result rules (verifier), effects (every pass) all follow from the rows.
//!
//! Effects treat *placement* (which wave and lane a thread runs on) as a location: wave operations and
//! accesses to resources that may differ from lane to lane read it, reorder points write it. Function
//! [`may_swap`](Effects::may_swap) is the one rule by which passes move instructions; no pass names a
//! ray-tracing opcode to be safe.

bitflags::bitflags! {
    /// What an instruction does besides computing its results.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
    pub struct Effects: u16 {
        /// Reads variables of the function: locals, payload slots, groupshared memory.
        const READS_VAR = 1 << 0;
        /// Writes variables of the function.
        const WRITES_VAR = 1 << 1;
        /// Reads memory that shaders can write: UAVs.
        const READS_MEM = 1 << 2;
        /// Writes memory that shaders can read: UAVs.
        const WRITES_MEM = 1 << 3;
        /// Its meaning or cost depends on the wave and lane the thread is on: wave operations, and
        /// accesses to resources that are not known to be uniform.
        const READS_PLACEMENT = 1 << 4;
        /// A reorder point: the thread may go on in another wave.
        const REORDERS = 1 << 5;
        /// Other shaders run: what is live across must be saved.
        const RUNS_SHADERS = 1 << 6;
        /// Depends on which lanes are active: may not move between regions.
        const CONVERGENT = 1 << 7;
        /// Ends the region.
        const TERMINATES = 1 << 8;
        /// Has an effect outside the function that none of the above names (reporting a hit, say).
        const OUTSIDE = 1 << 9;
        /// Reads the state of ray queries.
        const READS_QUERY = 1 << 10;
        /// Changes the state of a ray query.
        const WRITES_QUERY = 1 << 11;
        /// Depends on which threads are helpers of a pixel shader: what counts active lanes.
        const READS_HELPERS = 1 << 12;
        /// May make the thread a helper, whose writes have no effect.
        const WRITES_HELPERS = 1 << 13;
    }
}

impl Effects {
    /// No effect.
    pub const PURE: Effects = Effects::empty();
    /// Reads and writes all memory.
    pub const MEM: Effects = Effects::READS_MEM.union(Effects::WRITES_MEM);

    /// Whether two neighbouring instructions with these effects may change places, data dependences
    /// aside: no location that one writes may be read or written by the other.
    pub fn may_swap(self, other: Effects) -> bool {
        use Effects as E;
        let conflict = |a: E, b: E, reads: E, writes: E| a.intersects(writes) && b.intersects(reads | writes);
        let one_way = |a: E, b: E| {
            conflict(a, b, E::READS_VAR, E::WRITES_VAR)
                || conflict(a, b, E::READS_MEM, E::WRITES_MEM)
                || conflict(a, b, E::READS_QUERY, E::WRITES_QUERY)
                || conflict(a, b, E::READS_PLACEMENT, E::REORDERS)
                || conflict(a, b, E::READS_HELPERS, E::WRITES_HELPERS)
                || (a.intersects(E::OUTSIDE) && b.intersects(E::OUTSIDE | E::WRITES_MEM | E::REORDERS | E::TERMINATES))
                || a.intersects(E::TERMINATES)
        };
        !one_way(self, other) && !one_way(other, self)
    }

    /// Whether an instruction with these effects may be removed if its results have no uses.
    pub fn may_drop(self) -> bool {
        !self.intersects(
            Effects::WRITES_VAR
                | Effects::WRITES_MEM
                | Effects::WRITES_QUERY
                | Effects::WRITES_HELPERS
                | Effects::REORDERS
                | Effects::RUNS_SHADERS
                | Effects::TERMINATES
                | Effects::OUTSIDE,
        )
    }

    /// Whether executing it any number of times, here or elsewhere in the same region makes no difference:
    /// what common-subexpression elimination requires if nothing between them conflicts.
    pub fn is_pure(self) -> bool {
        self.is_empty()
    }
}

/// How operands are stored; decides the variant of the IR's `InstData`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// No operands.
    Nullary,
    /// One value.
    Unary,
    /// Two values.
    Binary,
    /// Three values.
    Ternary,
    /// A list of values and an immediate number whose meaning the row's text gives.
    Many,
    /// A place in a variable (with index values), then values.
    Access,
    /// Two places.
    Copy,
    /// A payload, callable, attribute or ray query slot, then values.
    Slot,
    /// A resource declaration, with an index value if it is an array.
    Resource,
    /// Owns regions.
    Control,
    /// Ends a region.
    Exit,
    /// Calls a function.
    Call,
}

/// What an operand or a result may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arg {
    /// Float scalar or vector of any width.
    Float,
    /// Integer scalar or vector of any width.
    Int,
    /// Integer, float or boolean scalar or vector.
    Num,
    /// Boolean or integer scalar or vector.
    Bits,
    /// Boolean scalar or vector.
    Bool,
    /// Anything that can be a value.
    Any,
    /// The type of the first operand.
    Same,
    /// The type of the second operand.
    Same1,
    /// Boolean with as many components as the first operand.
    BoolLike,
    /// The scalar type of the first operand's components.
    Elem,
    /// A vector.
    Vector,
    /// Integer scalar or vector of 32 bits with as many components as the first operand.
    I32Like,
    /// f32 with as many components as the first operand.
    F32Like,
    /// `bool` scalar.
    B1,
    /// `i32`.
    I32,
    /// `i32x2`.
    I32x2,
    /// `i32x3`.
    I32x3,
    /// `i32x4`.
    I32x4,
    /// `f32`.
    F32,
    /// `f32x2`.
    F32x2,
    /// `f32x3`.
    F32x3,
    /// `f32x4`.
    F32x4,
    /// Integer vector or scalar of 32 bits.
    I32xN,
    /// Float vector or scalar of 32 bits.
    F32xN,
    /// A resource handle of any kind.
    Handle,
    /// An acceleration structure.
    Accel,
    /// A sampler.
    Sampler,
    /// A ray query.
    Query,
    /// A hit object.
    Hit,
    /// A matrix of linear algebra.
    Matrix,
    /// Any number of further operands.
    Rest,
}

/// What the instructions on signature elements have in `imm`: the element, the row of the matrix if it is one, the first component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ElementPart {
    /// The number of the element in its function.
    pub element: u32,
    /// The row of the matrix; 0 if it is none.
    pub row: u32,
    /// The first component that is stored; 0 of loads.
    pub column: u32,
}

impl ElementPart {
    /// The whole vector of an element.
    pub fn of(element: u32) -> ElementPart {
        ElementPart { element, row: 0, column: 0 }
    }
    /// As `imm`.
    pub fn imm(self) -> u32 {
        self.element | self.row << 16 | self.column << 20
    }
    /// That of an `imm`.
    pub fn from_imm(imm: u32) -> ElementPart {
        ElementPart { element: imm & 0xffff, row: imm >> 16 & 15, column: imm >> 20 & 15 }
    }
}

/// In `imm` of `heap_resource`: lanes may ask for different resources.
pub const HEAP_NONUNIFORM: u32 = 1;
/// Where in `imm` of `heap_resource` the logarithm of the alignment of a structured buffer's elements begins.
pub const HEAP_ALIGN: u32 = 8;

/// One row of the instruction table.
pub struct InstInfo {
    /// The mnemonic in text.
    pub name: &'static str,
    /// How operands are stored.
    pub format: Format,
    /// The operands (for `Access` and `Slot`: the values after the place or slot).
    pub operands: &'static [Arg],
    /// The result, if there is one. Control instructions have as many results as their exits give.
    pub result: Option<Arg>,
    /// The effects.
    pub effects: Effects,
    /// What it does.
    pub doc: &'static str,
    /// What it is about, where back ends treat instructions alike.
    pub family: Family,
    /// What HLSL calls it, where messages and reports name it.
    pub hlsl_name: Option<&'static str>,
    /// Operands for which it is undefined: it must not run where the source does not.
    pub undefined: Option<&'static str>,
}

/// Instructions that back ends treat alike.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// All others.
    Other,
    /// Signature elements of graphics stages; `imm` is an [`ElementPart`].
    Element,
    /// What pixel shaders alone have.
    Pixel,
    /// What waves, quads and groups have: wave operations, derivatives.
    Wave,
    /// Matrices of linear algebra. Operands are those of the DXIL operation, in its order; a groupshared array is the place.
    Linalg,
    /// Cooperative vectors of SPIR-V, which matrices of threads become there.
    Cooperative,
}

/// Mnemonics that are Rust keywords carry a trailing underscore as identifiers.
const fn mnemonic(identifier: &'static str) -> &'static str {
    match identifier.as_bytes() {
        [.., b'_'] => identifier.split_at(identifier.len() - 1).0,
        _ => identifier,
    }
}

macro_rules! insts {
    (@res none) => { None };
    (@res $r:ident) => { Some(Arg::$r) };
    (@family) => { Family::Other };
    (@family $f:ident) => { Family::$f };
    (@text) => { None };
    (@text $t:literal) => { Some($t) };
    ($($name:ident $format:ident [$($arg:ident),*] -> $res:ident, $($eff:ident)|+, $doc:literal
        $(in $family:ident)? $(hlsl $hlsl:literal)? $(undefined $when:literal)?;)*) => {
        /// The IR's instructions.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[allow(non_camel_case_types)]
        #[repr(u16)]
        pub enum Opcode { $(#[doc = $doc] $name,)* }

        /// The instruction table, indexed by opcode.
        pub const INSTS: &[InstInfo] = &[$(InstInfo {
            name: mnemonic(stringify!($name)),
            format: Format::$format,
            operands: &[$(Arg::$arg),*],
            result: insts!(@res $res),
            effects: Effects::empty()$(.union(Effects::$eff))+,
            doc: $doc,
            family: insts!(@family $($family)?),
            hlsl_name: insts!(@text $($hlsl)?),
            undefined: insts!(@text $($when)?),
        },)*];

        /// All opcodes in order.
        pub const OPCODES: &[Opcode] = &[$(Opcode::$name,)*];
    };
}

#[rustfmt::skip]
insts! {
//  mnemonic        format   operands                result   effects                   meaning; family, name in HLSL, for which operands it is undefined
    // Floats. Component-wise; IEEE unless stated.
    fadd            Binary   [Float, Same]        -> Same,    PURE,                     "a + b";
    fsub            Binary   [Float, Same]        -> Same,    PURE,                     "a - b";
    fmul            Binary   [Float, Same]        -> Same,    PURE,                     "a * b";
    fdiv            Binary   [Float, Same]        -> Same,    PURE,                     "a / b";
    frem            Binary   [Float, Same]        -> Same,    PURE,                     "the remainder of a / b with the sign of a";
    fneg            Unary    [Float]              -> Same,    PURE,                     "-a";
    fabs            Unary    [Float]              -> Same,    PURE,                     "the absolute value";
    fmin            Binary   [Float, Same]        -> Same,    PURE,                     "the smaller one; the other one if one is not a number";
    fmax            Binary   [Float, Same]        -> Same,    PURE,                     "the larger one; the other one if one is not a number";
    fmad            Ternary  [Float, Same, Same]  -> Same,    PURE,                     "a * b + c, rounded once or twice";
    fma             Ternary  [Float, Same, Same]  -> Same,    PURE,                     "a * b + c, rounded once (f64)";
    saturate        Unary    [Float]              -> Same,    PURE,                     "clamped to 0..1; not a number gives 0";
    floor           Unary    [Float]              -> Same,    PURE,                     "rounded towards negative infinity";
    ceil            Unary    [Float]              -> Same,    PURE,                     "rounded towards positive infinity";
    trunc           Unary    [Float]              -> Same,    PURE,                     "rounded towards zero";
    round_ne        Unary    [Float]              -> Same,    PURE,                     "rounded to nearest, ties to even";
    frac            Unary    [Float]              -> Same,    PURE,                     "a - floor(a)";
    sqrt            Unary    [Float]              -> Same,    PURE,                     "square root";
    rsqrt           Unary    [Float]              -> Same,    PURE,                     "1 / square root";
    exp2            Unary    [Float]              -> Same,    PURE,                     "2 to the a";
    log2            Unary    [Float]              -> Same,    PURE,                     "logarithm to base 2";
    sin             Unary    [Float]              -> Same,    PURE,                     "sine of radians";
    cos             Unary    [Float]              -> Same,    PURE,                     "cosine of radians";
    tan             Unary    [Float]              -> Same,    PURE,                     "tangent of radians";
    asin            Unary    [Float]              -> Same,    PURE,                     "arc sine";
    acos            Unary    [Float]              -> Same,    PURE,                     "arc cosine";
    atan            Unary    [Float]              -> Same,    PURE,                     "arc tangent";
    sinh            Unary    [Float]              -> Same,    PURE,                     "hyperbolic sine";
    cosh            Unary    [Float]              -> Same,    PURE,                     "hyperbolic cosine";
    tanh            Unary    [Float]              -> Same,    PURE,                     "hyperbolic tangent";
    isnan           Unary    [Float]              -> BoolLike, PURE,                    "whether a is not a number";
    isinf           Unary    [Float]              -> BoolLike, PURE,                    "whether a is infinite";
    isfinite        Unary    [Float]              -> BoolLike, PURE,                    "whether a is finite";
    isnormal        Unary    [Float]              -> BoolLike, PURE,                    "whether a is a normal number";
    dot             Binary   [Float, Same]        -> Elem,    PURE,                     "the sum of products of components";
    // Integers.
    iadd            Binary   [Int, Same]          -> Same,    PURE,                     "a + b, wrapping";
    isub            Binary   [Int, Same]          -> Same,    PURE,                     "a - b, wrapping";
    imul            Binary   [Int, Same]          -> Same,    PURE,                     "a * b, wrapping";
    sdiv            Binary   [Int, Same]          -> Same,    PURE,                     "a / b signed; undefined for b = 0" undefined "b = 0";
    udiv            Binary   [Int, Same]          -> Same,    PURE,                     "a / b unsigned; undefined for b = 0" undefined "b = 0";
    srem            Binary   [Int, Same]          -> Same,    PURE,                     "remainder with the sign of a; undefined for b = 0" undefined "b = 0";
    urem            Binary   [Int, Same]          -> Same,    PURE,                     "unsigned remainder; undefined for b = 0" undefined "b = 0";
    ineg            Unary    [Int]                -> Same,    PURE,                     "-a, wrapping";
    smin            Binary   [Int, Same]          -> Same,    PURE,                     "the smaller signed one";
    smax            Binary   [Int, Same]          -> Same,    PURE,                     "the larger signed one";
    umin            Binary   [Int, Same]          -> Same,    PURE,                     "the smaller unsigned one";
    umax            Binary   [Int, Same]          -> Same,    PURE,                     "the larger unsigned one";
    imad            Ternary  [Int, Same, Same]    -> Same,    PURE,                     "a * b + c, wrapping";
    and             Binary   [Bits, Same]         -> Same,    PURE,                     "bitwise and; logical for booleans";
    or              Binary   [Bits, Same]         -> Same,    PURE,                     "bitwise or; logical for booleans";
    xor             Binary   [Bits, Same]         -> Same,    PURE,                     "bitwise exclusive or; inequality of booleans";
    not             Unary    [Bits]               -> Same,    PURE,                     "bitwise complement; logical for booleans";
    shl             Binary   [Int, Same]          -> Same,    PURE,                     "shifted left by b modulo the width";
    ashr            Binary   [Int, Same]          -> Same,    PURE,                     "shifted right by b modulo the width, sign filled";
    lshr            Binary   [Int, Same]          -> Same,    PURE,                     "shifted right by b modulo the width, zero filled";
    bfrev           Unary    [Int]                -> Same,    PURE,                     "the bits in reverse order";
    countbits       Unary    [Int]                -> I32Like, PURE,                     "the number of one bits";
    firstbit_lo     Unary    [Int]                -> I32Like, PURE,                     "index of the lowest one bit, -1 if none";
    firstbit_hi     Unary    [Int]                -> I32Like, PURE,                     "index of the highest one bit from bit 0, -1 if none";
    firstbit_shi    Unary    [Int]                -> I32Like, PURE,                     "index of the highest bit that differs from the sign, -1 if none";
    ubfe            Ternary  [Int, Same, Same]    -> Same,    PURE,                     "c >> b, a bits wide, zero filled";
    sbfe            Ternary  [Int, Same, Same]    -> Same,    PURE,                     "c >> b, a bits wide, sign filled";
    dot4add_i8      Ternary  [I32, I32, I32]      -> I32,     PURE,                     "the sum of products of four signed bytes of a and b, plus c";
    dot4add_u8      Ternary  [I32, I32, I32]      -> I32,     PURE,                     "the sum of products of four unsigned bytes of a and b, plus c";
    dot2add         Ternary  [Float, Same, F32]   -> F32,     PURE,                     "the sum of products of two halves of a and b, plus c, in f32";
    pack4x8         Many     [Int]                -> I32,     PURE,                     "four components as bytes; `imm` 0: their low bits, 1: clamped to unsigned bytes, 2: clamped to signed bytes";
    unpack4x8       Many     [I32]                -> Int,     PURE,                     "four bytes as components; `imm` 0: unsigned, 1: signed";
    // Comparisons.
    feq             Binary   [Float, Same]        -> BoolLike, PURE,                    "a == b, false for not a number";
    fne             Binary   [Float, Same]        -> BoolLike, PURE,                    "a != b, true for not a number";
    flt             Binary   [Float, Same]        -> BoolLike, PURE,                    "a < b";
    fle             Binary   [Float, Same]        -> BoolLike, PURE,                    "a <= b";
    fgt             Binary   [Float, Same]        -> BoolLike, PURE,                    "a > b";
    fge             Binary   [Float, Same]        -> BoolLike, PURE,                    "a >= b";
    ieq             Binary   [Bits, Same]         -> BoolLike, PURE,                    "a == b";
    ine             Binary   [Bits, Same]         -> BoolLike, PURE,                    "a != b";
    slt             Binary   [Int, Same]          -> BoolLike, PURE,                    "a < b, signed";
    sle             Binary   [Int, Same]          -> BoolLike, PURE,                    "a <= b, signed";
    sgt             Binary   [Int, Same]          -> BoolLike, PURE,                    "a > b, signed";
    sge             Binary   [Int, Same]          -> BoolLike, PURE,                    "a >= b, signed";
    ult             Binary   [Int, Same]          -> BoolLike, PURE,                    "a < b, unsigned";
    ule             Binary   [Int, Same]          -> BoolLike, PURE,                    "a <= b, unsigned";
    ugt             Binary   [Int, Same]          -> BoolLike, PURE,                    "a > b, unsigned";
    uge             Binary   [Int, Same]          -> BoolLike, PURE,                    "a >= b, unsigned";
    select          Ternary  [Bool, Any, Same1]   -> Same1,   PURE,                     "b where a holds, else c; a is one bool or one a component";
    // Conversions. The result's component count is the operand's.
    fconv           Unary    [Float]              -> Float,   PURE,                     "float to float of another width";
    ftos            Unary    [Float]              -> Int,     PURE,                     "float to signed integer, towards zero";
    ftou            Unary    [Float]              -> Int,     PURE,                     "float to unsigned integer, towards zero";
    stof            Unary    [Int]                -> Float,   PURE,                     "signed integer to float";
    utof            Unary    [Int]                -> Float,   PURE,                     "unsigned integer to float";
    sext            Unary    [Bits]               -> Int,     PURE,                     "wider integer, sign filled; true is -1";
    zext            Unary    [Bits]               -> Int,     PURE,                     "wider integer, zero filled; true is 1";
    itrunc          Unary    [Int]                -> Int,     PURE,                     "narrower integer";
    bitcast         Unary    [Num]                -> Num,     PURE,                     "the same bits as another type of the same component width";
    f32tof16        Unary    [Float]              -> Int,     PURE,                     "f32 to the bits of a half in the low 16 bits of i32";
    f16tof32        Unary    [Int]                -> Float,   PURE,                     "the bits of a half in the low 16 bits of i32 to f32";
    make_double     Binary   [I32, I32]           -> Float,   PURE,                     "f64 from low and high word";
    split_double    Unary    [Float]              -> I32x2,   PURE,                     "low and high word of an f64";
    // Vectors.
    construct       Many     [Rest]               -> Vector,  PURE,                     "a vector of the scalars given, one a component";
    extract         Many     [Vector]             -> Elem,    PURE,                     "component number `imm`";
    insert          Many     [Vector, Any]        -> Same,    PURE,                     "the vector with component number `imm` replaced";
    extract_dyn     Binary   [Vector, I32]        -> Elem,    PURE,                     "component number b; undefined out of range";
    insert_dyn      Ternary  [Vector, I32, Any]   -> Same,    PURE,                     "the vector with component number b replaced by c";
    // Variables: locals, slots, groupshared memory, constant tables.
    load            Access   []                   -> Any,     READS_VAR,                "the value in the place";
    store           Access   [Any]                -> none,    WRITES_VAR,               "puts the value into the place";
    copy            Copy     []                   -> none,    READS_VAR | WRITES_VAR,   "copies an aggregate: first place := second place";
    var_atomic      Access   [Any, Rest]          -> Any,     READS_VAR | WRITES_VAR,   "read-modify-write of a groupshared place; imm of the place's row is the operation; gives the old value";
    // Resources. Accesses read placement because lanes may use different resources or addresses.
    resource        Resource []                   -> Handle,  PURE,                     "the handle of a declared resource";
    phys_load       Many     [Int]                -> Any,     READS_MEM | READS_PLACEMENT,  "from memory at a 64-bit address (Vulkan); `imm` is the power of two that is known to divide it";
    phys_store      Many     [Int, Any]           -> none,    WRITES_MEM | READS_PLACEMENT, "to memory at a 64-bit address (Vulkan); `imm` as phys_load";
    read_clock      Many     []                   -> Any,     READS_MEM | WRITES_MEM | READS_PLACEMENT, "the device's clock; `imm` is SPIR-V's number of the scope: 1 device, 3 subgroup. Memory accesses stay on their side of it (Vulkan)";
    debug_break     Many     []                   -> none,    READS_MEM | WRITES_MEM | READS_PLACEMENT, "stops here if a debugger is attached";
    debugging_enabled Nullary []                  -> B1,      READS_MEM | WRITES_MEM | READS_PLACEMENT, "whether a debugger is attached at this moment";
    spec_constant   Many     [Num]                -> Same,    PURE,                     "constant number `imm` of the host's, a if it gives none (Vulkan)";
    nonuniform      Unary    [Num]                -> Same,    PURE,                     "a, of which the program says that it may differ among lanes; gone once the handles whose indices it makes are marked";
    heap_resource   Many     [I32]                -> Handle,  PURE,                     "the resource at index a of the descriptor heap, as what the result's type says; `imm`: HEAP_NONUNIFORM, HEAP_ALIGN";
    cbuf_load       Many     [Handle, I32]        -> Any,     READS_PLACEMENT,              "from a constant buffer: 16-byte row b, byte `imm` in it; must not cross the row. Where every thread reads the same, it reads no placement (`effects`)";
    buf_load        Many     [Handle, I32, I32]   -> Any,     READS_MEM | READS_PLACEMENT,  "from a structured buffer: element b, byte c in it; `imm` is the alignment, with LOAD_STATUS there is a second result";
    buf_store       Many     [Handle, I32, I32, Any] -> none, WRITES_MEM | READS_PLACEMENT, "to a structured buffer: element b, byte c in it; `imm` is the alignment";
    raw_load        Many     [Handle, I32]        -> Any,     READS_MEM | READS_PLACEMENT,  "from a byte-address buffer at byte b; `imm` as buf_load";
    raw_store       Many     [Handle, I32, Any]   -> none,    WRITES_MEM | READS_PLACEMENT, "to a byte-address buffer at byte b; `imm` is the alignment";
    buf_atomic      Many     [Handle, I32, I32, Any, Rest] -> Any, READS_MEM | WRITES_MEM | READS_PLACEMENT, "read-modify-write in a structured buffer; `imm` is the AtomicOp; compare-exchange: compare, then value; gives the old value";
    raw_atomic      Many     [Handle, I32, Any, Rest] -> Any, READS_MEM | WRITES_MEM | READS_PLACEMENT, "read-modify-write in a byte-address buffer; operands as buf_atomic";
    tex_atomic      Many     [Handle, I32xN, Any, Rest] -> Any, READS_MEM | WRITES_MEM | READS_PLACEMENT, "read-modify-write of a texel; operands as buf_atomic";
    tex_load        Many     [Handle, I32xN, I32, Rest] -> Any, READS_MEM | READS_PLACEMENT, "texel at b of level (or sample) c; `imm` is TexOperands; second result if STATUS";
    tex_store       Many     [Handle, I32xN, Any, Rest] -> none, WRITES_MEM | READS_PLACEMENT, "writes the texel at b; of multisampled textures sample d";
    sample          Many     [Handle, Sampler, F32xN, Rest] -> Any, READS_PLACEMENT | CONVERGENT, "filtered, level by derivatives; `imm` is TexOperands";
    sample_bias     Many     [Handle, Sampler, F32xN, F32, Rest] -> Any, READS_PLACEMENT | CONVERGENT, "filtered, level by derivatives plus d";
    sample_level    Many     [Handle, Sampler, F32xN, F32, Rest] -> Any, READS_PLACEMENT,   "filtered at level d; `imm` is TexOperands";
    sample_grad     Many     [Handle, Sampler, F32xN, F32xN, F32xN, Rest] -> Any, READS_PLACEMENT, "filtered, level from the gradients d and e";
    sample_cmp      Many     [Handle, Sampler, F32xN, F32, Rest] -> Any, READS_PLACEMENT | CONVERGENT, "compared with d, then filtered; level by derivatives";
    sample_cmp_level Many    [Handle, Sampler, F32xN, F32, F32, Rest] -> Any, READS_PLACEMENT, "compared with d, then filtered at level e";
    sample_cmp_bias Many     [Handle, Sampler, F32xN, F32, F32, Rest] -> Any, READS_PLACEMENT | CONVERGENT, "compared with d, then filtered; level by derivatives plus e";
    sample_cmp_grad Many     [Handle, Sampler, F32xN, F32, F32xN, F32xN, Rest] -> Any, READS_PLACEMENT, "compared with d, then filtered; level from the gradients e and f";
    gather          Many     [Handle, Sampler, F32xN, Rest] -> Any, READS_PLACEMENT,        "one channel of the four texels; `imm` is TexOperands";
    gather_cmp      Many     [Handle, Sampler, F32xN, F32, Rest] -> Any, READS_PLACEMENT,   "comparison results of the four texels";
    gather_raw      Many     [Handle, Sampler, F32xN, Rest] -> Any, READS_PLACEMENT,        "the four texels, each of one integer as it is in memory";
    tex_lod         Many     [Handle, Sampler, F32xN] -> F32, READS_PLACEMENT | CONVERGENT, "the level that sampling would take by derivatives; `imm`: 1 clamped to what there is, else 0";
    sample_pos      Many     [Handle, I32]        -> F32x2,   READS_PLACEMENT,              "where sample b is in the texel, from its centre";
    feedback        Many     [Handle, Handle, Sampler, F32xN, Rest] -> none, READS_PLACEMENT | CONVERGENT | WRITES_MEM, "writes to feedback map a what sampling b would need; `imm` is TexOperands";
    feedback_bias   Many     [Handle, Handle, Sampler, F32xN, F32, Rest] -> none, READS_PLACEMENT | CONVERGENT | WRITES_MEM, "as feedback, for sample_bias";
    feedback_level  Many     [Handle, Handle, Sampler, F32xN, F32] -> none, READS_PLACEMENT | WRITES_MEM, "as feedback, for sample_level";
    feedback_grad   Many     [Handle, Handle, Sampler, F32xN, F32xN, F32xN, Rest] -> none, READS_PLACEMENT | WRITES_MEM, "as feedback, for sample_grad";
    tex_size        Many     [Handle, I32]        -> I32x4,   READS_PLACEMENT,              "width, height, depth or slices, levels or samples; b is the level";
    buf_size        Many     [Handle]             -> I32,     READS_PLACEMENT,              "elements of a typed or structured buffer, bytes of a raw one";
    counter_add     Many     [Handle]             -> I32,     READS_MEM | WRITES_MEM | READS_PLACEMENT, "adds `imm` (1 or -1) to the hidden counter; gives the value before, or after for -1";
    status_ok       Unary    [I32]                -> B1,      PURE,                     "whether all texels of a status were resident";
    barrier         Many     []                   -> none,    READS_MEM | WRITES_MEM | READS_VAR | WRITES_VAR | CONVERGENT, "memory and execution barrier; `imm`: DXIL barrier mode bits";
    memory_barrier  Many     []                   -> none,    READS_MEM | WRITES_MEM | READS_VAR | WRITES_VAR | CONVERGENT, "memory and execution barrier; `imm`: memory types (1 UAVs, 2 groupshared, 4 and 8 nodes), and from bit 8 on 1 group sync, scopes 2 group, 4 device, 8 reorder";
    handle_barrier  Many     [Handle]             -> none,    READS_MEM | WRITES_MEM | CONVERGENT, "memory and execution barrier on one resource; `imm`: 1 group sync, scopes 2 group, 4 device, 8 reorder";
    // Signature elements of graphics stages: `imm` is an ElementPart, a the number in the element's array.
    load_input      Many     [I32, Rest]          -> Any,     PURE,                     "an input's vector" in Element;
    store_output    Many     [I32, Any, Rest]     -> none,    OUTSIDE,                  "puts a vector, or one component, into an output" in Element;
    eval_snapped    Many     [I32, I32, I32]      -> Any,     PURE,                     "an input evaluated b and c sixteenths of a pixel from the centre" in Element hlsl "EvaluateAttributeSnapped";
    eval_sample_index Many   [I32, I32]           -> Any,     PURE,                     "an input evaluated at sample b" in Element hlsl "EvaluateAttributeAtSample";
    eval_centroid   Many     [I32]                -> Any,     PURE,                     "an input evaluated at the centroid" in Element hlsl "EvaluateAttributeCentroid";
    attribute_at_vertex Many [I32, I32]           -> Any,     PURE,                     "an input as vertex b of the primitive has it" in Element hlsl "GetAttributeAtVertex";
    // What the pass `evaluations` makes one of [`EVALUATIONS`]: `imm` is its number there.
    evaluate        Many     [Any, Rest]          -> Same,    PURE,                     "a value that consists of inputs, evaluated elsewhere; the rest are the operands after the number";
    // What the pass `powers` makes products, or a logarithm and an exponential.
    power           Many     [Float, Same]        -> Same,    PURE,                     "a to the power of b; `imm`: how many products a whole exponent other than 2 may become";
    // Mesh and amplification shaders.
    set_mesh_output_counts Many [I32, I32]        -> none,    OUTSIDE | CONVERGENT,     "a vertices and b primitives are made";
    emit_indices    Many     [I32, I32xN]         -> none,    OUTSIDE,                  "the vertices of primitive a; `imm`: 0, or 1 and the number of the one that b is";
    dispatch_mesh   Access   [I32, I32, I32]      -> none,    READS_VAR | WRITES_VAR | READS_MEM | WRITES_MEM | OUTSIDE | CONVERGENT, "starts a x b x c groups of the mesh shader with the payload in the place";
    // Geometry shaders: `imm` is the stream.
    emit_stream     Many     []                   -> none,    OUTSIDE,                  "the outputs are a vertex of the stream";
    cut_stream      Many     []                   -> none,    OUTSIDE,                  "ends the strip of the stream";
    // Pixel shaders.
    discard         Many     [B1]                 -> none,    WRITES_HELPERS | OUTSIDE, "makes the thread a helper if a holds" in Pixel;
    is_helper_lane  Nullary  []                   -> B1,      READS_HELPERS,            "whether the thread is a helper" in Pixel;
    render_target_get_sample_position Unary [I32] -> F32x2,   READS_PLACEMENT,          "where sample a of the render target is, from the centre" in Pixel;
    render_target_get_sample_count Nullary []     -> I32,     READS_PLACEMENT,          "how many samples the render target has" in Pixel;
    // Compute: system values.
    thread_id       Nullary  []                   -> I32x3,   PURE,                     "the thread's position in the dispatch";
    group_id        Nullary  []                   -> I32x3,   PURE,                     "the group's position in the dispatch";
    thread_id_in_group Nullary []                 -> I32x3,   PURE,                     "the thread's position in its group";
    flattened_thread_id_in_group Nullary []       -> I32,     PURE,                     "the thread's number in its group";
    // Waves and quads: what depends on which lanes are active may not move between regions.
    wave_is_first_lane Nullary []                 -> B1,      READS_PLACEMENT | READS_HELPERS | CONVERGENT, "whether this is the active lane with the smallest index" in Wave;
    wave_lane_index Nullary  []                   -> I32,     READS_PLACEMENT,              "this lane's index in its wave" in Wave;
    wave_lane_count Nullary  []                   -> I32,     READS_PLACEMENT,              "how many lanes a wave has" in Wave;
    wave_any_true   Unary    [B1]                 -> B1,      READS_PLACEMENT | READS_HELPERS | CONVERGENT, "whether a holds in some active lane" in Wave;
    wave_all_true   Unary    [B1]                 -> B1,      READS_PLACEMENT | READS_HELPERS | CONVERGENT, "whether a holds in all active lanes" in Wave;
    wave_all_equal  Unary    [Num]                -> BoolLike, READS_PLACEMENT | READS_HELPERS | CONVERGENT, "whether a is the same in all active lanes" in Wave;
    wave_ballot     Unary    [B1]                 -> I32x4,   READS_PLACEMENT | READS_HELPERS | CONVERGENT, "the active lanes in which a holds, a bit each" in Wave;
    wave_read_lane_at Binary [Num, I32]           -> Same,    READS_PLACEMENT | READS_HELPERS | CONVERGENT, "a in lane b" in Wave;
    wave_read_lane_first Unary [Num]              -> Same,    READS_PLACEMENT | READS_HELPERS | CONVERGENT, "a in the active lane with the smallest index" in Wave;
    wave_all_bit_count Unary [B1]                 -> I32,     READS_PLACEMENT | READS_HELPERS | CONVERGENT, "in how many active lanes a holds" in Wave;
    wave_prefix_bit_count Unary [B1]              -> I32,     READS_PLACEMENT | READS_HELPERS | CONVERGENT, "in how many active lanes before this one a holds" in Wave;
    wave_active_op  Many     [Num]                -> Same,    READS_PLACEMENT | READS_HELPERS | CONVERGENT, "a of all active lanes combined; `imm` is the WaveOp" in Wave;
    wave_prefix_op  Many     [Num]                -> Same,    READS_PLACEMENT | READS_HELPERS | CONVERGENT, "a of the active lanes before this one combined; `imm` is the WaveOp" in Wave;
    wave_match      Unary    [Num]                -> I32x4,   READS_PLACEMENT | READS_HELPERS | CONVERGENT, "the active lanes that have the same a (all components), a bit each" in Wave;
    wave_multi_prefix_op Many [Num, I32x4]        -> Same,    READS_PLACEMENT | READS_HELPERS | CONVERGENT, "a of the active lanes before this one that are in mask b combined; `imm` is the WaveOp" in Wave;
    wave_multi_prefix_bit_count Binary [B1, I32x4] -> I32,    READS_PLACEMENT | READS_HELPERS | CONVERGENT, "in how many active lanes before this one that are in mask b a holds" in Wave;
    quad_read_lane_at Binary [Num, I32]           -> Same,    READS_PLACEMENT | READS_HELPERS | CONVERGENT, "a in lane b of the quad" in Wave;
    quad_op         Many     [Num]                -> Same,    READS_PLACEMENT | READS_HELPERS | CONVERGENT, "a of the quad's other lane: `imm` 0 along x, 1 along y, 2 across the diagonal" in Wave;
    quad_any        Unary    [B1]                 -> B1,      READS_PLACEMENT | READS_HELPERS | CONVERGENT, "whether a holds in some lane of the quad" in Wave;
    quad_all        Unary    [B1]                 -> B1,      READS_PLACEMENT | READS_HELPERS | CONVERGENT, "whether a holds in all lanes of the quad" in Wave;
    deriv_coarse_x  Unary    [Float]              -> Same,    READS_PLACEMENT | CONVERGENT, "the difference of a along x in the quad, the same in the whole quad" in Wave;
    deriv_coarse_y  Unary    [Float]              -> Same,    READS_PLACEMENT | CONVERGENT, "the difference of a along y in the quad, the same in the whole quad" in Wave;
    deriv_fine_x    Unary    [Float]              -> Same,    READS_PLACEMENT | CONVERGENT, "the difference of a along x in this row of the quad" in Wave;
    deriv_fine_y    Unary    [Float]              -> Same,    READS_PLACEMENT | CONVERGENT, "the difference of a along y in this column of the quad" in Wave;
    get_group_wave_index Nullary []               -> I32,     READS_PLACEMENT,              "this wave's number in its group" in Wave;
    get_group_wave_count Nullary []               -> I32,     READS_PLACEMENT,              "how many waves the group has" in Wave;
    // Ray tracing: system values.
    dispatch_rays_index Nullary []                -> I32x3,   PURE,                     "the thread's position in the dispatch";
    dispatch_rays_dim   Nullary []                -> I32x3,   PURE,                     "the size of the dispatch";
    world_ray_origin    Nullary []                -> F32x3,   PURE,                     "the ray's origin";
    world_ray_direction Nullary []                -> F32x3,   PURE,                     "the ray's direction";
    object_ray_origin   Nullary []                -> F32x3,   PURE,                     "the ray's origin in object space";
    object_ray_direction Nullary []               -> F32x3,   PURE,                     "the ray's direction in object space";
    ray_tmin            Nullary []                -> F32,     PURE,                     "the ray's start";
    ray_tcurrent        Nullary []                -> F32,     READS_MEM,                "the ray's end so far; ReportHit changes it";
    ray_flags           Nullary []                -> I32,     PURE,                     "the ray's flags";
    instance_index      Nullary []                -> I32,     PURE,                     "index of the instance in the top level";
    instance_id         Nullary []                -> I32,     PURE,                     "the instance's own number";
    primitive_index     Nullary []                -> I32,     PURE,                     "index of the primitive in its geometry";
    geometry_index      Nullary []                -> I32,     PURE,                     "index of the geometry in its bottom level";
    hit_kind            Nullary []                -> I32,     PURE,                     "the kind given to ReportHit, or the triangle's side";
    cluster_id          Nullary []                -> I32,     PURE,                     "the number of the cluster";
    triangle_object_position Many []              -> F32x3,   PURE,                     "vertex `imm` of the triangle in object space";
    object_to_world     Many     []               -> F32x4,   PURE,                     "row `imm` of the 3x4 object-to-world matrix";
    world_to_object     Many     []               -> F32x4,   PURE,                     "row `imm` of the 3x4 world-to-object matrix";
    // Ray tracing: control.
    trace_ray       Slot     [Accel, I32, I32, I32, I32, I32, F32x3, F32, F32x3, F32] -> none, READS_MEM | WRITES_MEM | READS_VAR | WRITES_VAR | REORDERS | RUNS_SHADERS | OUTSIDE, "full trace: scene, flags, mask, hit group offset, geometry multiplier, miss index, origin, tmin, direction, tmax" hlsl "TraceRay";
    call_shader     Slot     [I32]                -> none,    READS_MEM | WRITES_MEM | READS_VAR | WRITES_VAR | REORDERS | RUNS_SHADERS | OUTSIDE, "runs the callable shader of this index" hlsl "CallShader";
    report_hit      Slot     [F32, I32]           -> B1,      READS_MEM | WRITES_MEM | READS_VAR | REORDERS | RUNS_SHADERS | OUTSIDE, "offers a hit at distance a of kind b with the slot's attributes; gives whether it was accepted" hlsl "ReportHit";
    // Hit objects (shader execution reordering): values. Those that come from no hit or miss are called nops.
    hit_trace       Slot     [Accel, I32, I32, I32, I32, I32, F32x3, F32, F32x3, F32] -> Hit, READS_MEM | WRITES_MEM | READS_VAR | WRITES_VAR | REORDERS | RUNS_SHADERS | OUTSIDE, "traversal without shading: scene, flags, mask, hit group offset, geometry multiplier, miss index, origin, tmin, direction, tmax" hlsl "HitObject::TraceRay";
    hit_from_query  Many     [Query]              -> Hit,     READS_QUERY,              "what the query has committed; a nop if nothing. Names no shader record";
    hit_from_query_attrs Slot [Query, I32]        -> Hit,     READS_QUERY | READS_VAR,  "as hit_from_query; a procedural hit is of kind b and has the slot's attributes";
    hit_make_miss   Many     [I32, I32, F32x3, F32, F32x3, F32] -> Hit, PURE,           "a miss: flags, miss index, origin, tmin, direction, tmax";
    hit_make_nop    Nullary  []                   -> Hit,     PURE,                     "neither hit nor miss";
    hit_invoke      Slot     [Hit]                -> none,    READS_MEM | WRITES_MEM | READS_VAR | WRITES_VAR | REORDERS | RUNS_SHADERS | OUTSIDE, "runs the closest-hit or miss shader of a hit object; none for a nop" hlsl "HitObject::Invoke";
    reorder         Many     [Hit, I32, I32]      -> none,    REORDERS | CONVERGENT, "may move the thread to others like it: by hit object (a nop: by hint alone), then by the low c bits of hint b (c = 0: by hit object alone)" hlsl "MaybeReorderThread";
    reorder_by      Many     [I32, I32, I32]      -> none,    REORDERS | CONVERGENT, "may end the thread and go on in another one, next to others like it: by row a of the shader tables (`common/tables/src/hit_lowering.rs`; a constant: by hint alone), then by the low c bits of hint b. What `reorder` becomes where hit objects are lowered and rays sorted in software";
    hit_is_miss     Unary    [Hit]                -> B1,      PURE,                     "whether it is a miss";
    hit_is_hit      Unary    [Hit]                -> B1,      PURE,                     "whether it is a hit";
    hit_is_nop      Unary    [Hit]                -> B1,      PURE,                     "whether it is a nop";
    hit_get_ray_flags Unary  [Hit]                -> I32,     PURE,                     "the ray's flags; 0 of a nop";
    hit_get_ray_tmin Unary   [Hit]                -> F32,     PURE,                     "the ray's start; 0 of a nop";
    hit_get_ray_tcurrent Unary [Hit]              -> F32,     PURE,                     "the hit's distance, the ray's end of a miss, 0 of a nop";
    hit_get_world_ray_origin Unary [Hit]          -> F32x3,   PURE,                     "the ray's origin; 0 of a nop";
    hit_get_world_ray_direction Unary [Hit]       -> F32x3,   PURE,                     "the ray's direction; 0 of a nop";
    hit_get_object_ray_origin Unary [Hit]         -> F32x3,   PURE,                     "the ray's origin in object space, in world space of a miss, 0 of a nop";
    hit_get_object_ray_direction Unary [Hit]      -> F32x3,   PURE,                     "the ray's direction in object space, in world space of a miss, 0 of a nop";
    hit_get_object_to_world Many [Hit]            -> F32x4,   PURE,                     "row `imm` of the 3x4 object-to-world matrix; of the identity if it is no hit";
    hit_get_world_to_object Many [Hit]            -> F32x4,   PURE,                     "row `imm` of the 3x4 world-to-object matrix; of the identity if it is no hit";
    hit_get_geometry_index Unary [Hit]            -> I32,     PURE,                     "index of the geometry in its bottom level; 0 if it is no hit";
    hit_get_instance_index Unary [Hit]            -> I32,     PURE,                     "index of the instance; 0 if it is no hit";
    hit_get_instance_id Unary [Hit]               -> I32,     PURE,                     "the instance's own number; 0 if it is no hit";
    hit_get_primitive_index Unary [Hit]           -> I32,     PURE,                     "index of the primitive in its geometry; 0 if it is no hit";
    hit_get_kind    Unary    [Hit]                -> I32,     PURE,                     "the kind of the hit; 0 if it is no hit";
    hit_get_shader_table_index Unary [Hit]        -> I32,     PURE,                     "index of the record in the hit group or the miss table; 0 without one";
    hit_set_shader_table_index Many [Hit, I32]    -> Hit,     PURE,                     "the same with record b (28 bits of a hit, 16 of a miss); a nop stays one";
    hit_load_root_constant Many [Hit, I32]        -> I32,     READS_PLACEMENT,              "the word at byte b of the local root arguments of its record; 0 without a record";
    hit_attributes  Slot     [Hit]                -> none,    WRITES_VAR,               "the attributes of the hit to the slot; zeros if it is no hit";
    hit_get_cluster_id Unary [Hit]                -> I32,     PURE,                     "the number of the cluster; -1 if it is no hit in a cluster";
    hit_triangle_object_position Many [Hit]       -> F32x3,   PURE,                     "vertex `imm` of the triangle in object space";
    hit_record      Slot     [Accel, I32, I32, I32, I32, I32, F32x3, F32, F32x3, F32] -> Hit, READS_VAR, "the hit in a scene of instance index, primitive index, geometry index, kind, record, origin, tmin, direction, distance, with the slot's attributes; made by the SPIR-V back end for devices that record hits in no other way";
    // Ray queries: traversal in the hands of one thread. No other shader runs and the thread stays where it is.
    allocate_ray_query Slot     []                  -> Query,   PURE,                     "the declared ray query; its flags are in its type";
    ray_query_trace_ray_inline Many     [Query, Accel, I32, I32, F32x3, F32, F32x3, F32] -> none,    WRITES_QUERY | READS_PLACEMENT, "starts anew: scene, flags (besides those of the type), mask, origin, tmin, direction, tmax";
    ray_query_proceed Many     [Query]             -> B1,      READS_QUERY | WRITES_QUERY | READS_PLACEMENT, "traverses; gives whether there is a candidate to look at";
    ray_query_abort Many     [Query]             -> none,    READS_QUERY | WRITES_QUERY, "ends the traversal";
    ray_query_commit_non_opaque_triangle_hit Many     [Query]             -> none,    READS_QUERY | WRITES_QUERY, "makes the candidate triangle the closest hit";
    ray_query_commit_procedural_primitive_hit Many     [Query, F32]        -> none,    READS_QUERY | WRITES_QUERY, "makes the candidate procedural primitive the closest hit, at distance b";
    ray_query_committed_status Many     [Query]             -> I32,     READS_QUERY,              "what is committed: nothing, a triangle, a procedural primitive";
    ray_query_candidate_type Many     [Query]             -> I32,     READS_QUERY,              "what the candidate is: a triangle that is not opaque, or a procedural primitive";
    ray_query_candidate_object_to_world Many     [Query]             -> F32x4,   READS_QUERY,              "row `imm` of the 3x4 object-to-world matrix of the candidate";
    ray_query_candidate_world_to_object Many     [Query]             -> F32x4,   READS_QUERY,              "row `imm` of the 3x4 world-to-object matrix of the candidate";
    ray_query_committed_object_to_world Many     [Query]             -> F32x4,   READS_QUERY,              "row `imm` of the 3x4 object-to-world matrix of the closest hit";
    ray_query_committed_world_to_object Many     [Query]             -> F32x4,   READS_QUERY,              "row `imm` of the 3x4 world-to-object matrix of the closest hit";
    ray_query_candidate_procedural_primitive_non_opaque Many     [Query]             -> B1,      READS_QUERY,              "whether the candidate procedural primitive is not opaque";
    ray_query_candidate_triangle_front_face Many     [Query]             -> B1,      READS_QUERY,              "whether the ray meets the front of the candidate triangle";
    ray_query_committed_triangle_front_face Many     [Query]             -> B1,      READS_QUERY,              "whether the ray meets the front of the closest triangle";
    ray_query_candidate_triangle_barycentrics Many     [Query]             -> F32x2,   READS_QUERY,              "where in the candidate triangle";
    ray_query_committed_triangle_barycentrics Many     [Query]             -> F32x2,   READS_QUERY,              "where in the closest triangle";
    ray_query_ray_flags Many     [Query]             -> I32,     READS_QUERY,              "the flags of the type and of the trace";
    ray_query_world_ray_origin Many     [Query]             -> F32x3,   READS_QUERY,              "the ray's origin";
    ray_query_world_ray_direction Many     [Query]             -> F32x3,   READS_QUERY,              "the ray's direction";
    ray_query_ray_tmin Many     [Query]             -> F32,     READS_QUERY,              "the ray's start";
    ray_query_candidate_triangle_ray_t Many     [Query]             -> F32,     READS_QUERY,              "the distance of the candidate triangle";
    ray_query_committed_ray_t Many     [Query]             -> F32,     READS_QUERY,              "the distance of the closest hit, or the ray's end";
    ray_query_candidate_instance_index Many     [Query]             -> I32,     READS_QUERY,              "of the candidate: index of the instance";
    ray_query_candidate_instance_id Many     [Query]             -> I32,     READS_QUERY,              "of the candidate: the instance's own number";
    ray_query_candidate_geometry_index Many     [Query]             -> I32,     READS_QUERY,              "of the candidate: index of the geometry in its bottom level";
    ray_query_candidate_primitive_index Many     [Query]             -> I32,     READS_QUERY,              "of the candidate: index of the primitive in its geometry";
    ray_query_candidate_object_ray_origin Many     [Query]             -> F32x3,   READS_QUERY,              "of the candidate: the ray's origin in object space";
    ray_query_candidate_object_ray_direction Many     [Query]             -> F32x3,   READS_QUERY,              "of the candidate: the ray's direction in object space";
    ray_query_committed_instance_index Many     [Query]             -> I32,     READS_QUERY,              "of the closest hit: index of the instance";
    ray_query_committed_instance_id Many     [Query]             -> I32,     READS_QUERY,              "of the closest hit: the instance's own number";
    ray_query_committed_geometry_index Many     [Query]             -> I32,     READS_QUERY,              "of the closest hit: index of the geometry in its bottom level";
    ray_query_committed_primitive_index Many     [Query]             -> I32,     READS_QUERY,              "of the closest hit: index of the primitive in its geometry";
    ray_query_committed_object_ray_origin Many     [Query]             -> F32x3,   READS_QUERY,              "of the closest hit: the ray's origin in object space";
    ray_query_committed_object_ray_direction Many     [Query]             -> F32x3,   READS_QUERY,              "of the closest hit: the ray's direction in object space";
    ray_query_candidate_instance_contribution_to_hit_group_index Many     [Query]             -> I32,     READS_QUERY,              "of the candidate: the instance's offset into the shader table";
    ray_query_committed_instance_contribution_to_hit_group_index Many     [Query]             -> I32,     READS_QUERY,              "of the closest hit: the instance's offset into the shader table";
    ray_query_candidate_cluster_id Many     [Query]             -> I32,     READS_QUERY,              "of the candidate: the number of the cluster";
    ray_query_committed_cluster_id Many     [Query]             -> I32,     READS_QUERY,              "of the closest hit: the number of the cluster";
    ray_query_candidate_triangle_object_position Many     [Query]             -> F32x3,   READS_QUERY,              "of the candidate: vertex `imm` of the triangle in object space";
    ray_query_committed_triangle_object_position Many     [Query]             -> F32x3,   READS_QUERY,              "of the closest hit: vertex `imm` of the triangle in object space";
    // Linear algebra. Operands and meaning are those of the DXIL operation; as there, none is left out because nothing uses its result.
    linalg_fill     Many     [Num]                -> Matrix,  READS_MEM | WRITES_MEM | READS_PLACEMENT | CONVERGENT, "all components are a" in Linalg hlsl "__builtin_LinAlg_FillMatrix";
    linalg_copy     Many     [Matrix, B1]         -> Matrix,  READS_MEM | WRITES_MEM | READS_PLACEMENT | CONVERGENT, "a as a matrix of the result's type, transposed if b" in Linalg hlsl "__builtin_LinAlg_CopyConvertMatrix";
    linalg_load     Many     [Handle, I32, I32, I32, I32] -> Matrix, READS_MEM | WRITES_MEM | READS_PLACEMENT | CONVERGENT, "from a byte-address buffer: offset, stride, layout, alignment" in Linalg hlsl "__builtin_LinAlg_MatrixLoadFromDescriptor";
    linalg_load_shared Access [I32, I32, I32]     -> Matrix,  READS_VAR | READS_MEM | WRITES_MEM | READS_PLACEMENT | CONVERGENT, "from a groupshared array: offset, stride, layout" in Linalg hlsl "__builtin_LinAlg_MatrixLoadFromMemory";
    linalg_length   Many     [Matrix]             -> I32,     READS_MEM | WRITES_MEM | READS_PLACEMENT | CONVERGENT, "how many components the thread holds" in Linalg hlsl "__builtin_LinAlg_MatrixLength";
    linalg_coordinate Many   [Matrix, I32]        -> I32x2,   READS_MEM | WRITES_MEM | READS_PLACEMENT | CONVERGENT, "row and column of the thread's component b" in Linalg hlsl "__builtin_LinAlg_MatrixGetCoordinate";
    linalg_get      Many     [Matrix, I32]        -> Num,     READS_MEM | WRITES_MEM | READS_PLACEMENT | CONVERGENT, "the thread's component b" in Linalg hlsl "__builtin_LinAlg_MatrixGetElement";
    linalg_set      Many     [Matrix, I32, Num]   -> Matrix,  READS_MEM | WRITES_MEM | READS_PLACEMENT | CONVERGENT, "a with the thread's component b replaced by c" in Linalg hlsl "__builtin_LinAlg_MatrixSetElement";
    linalg_store    Many     [Matrix, Handle, I32, I32, I32, I32] -> none, READS_MEM | WRITES_MEM | READS_PLACEMENT | CONVERGENT, "to a byte-address buffer: offset, stride, layout, alignment" in Linalg hlsl "__builtin_LinAlg_MatrixStoreToDescriptor";
    linalg_store_shared Access [Matrix, I32, I32, I32] -> none, WRITES_VAR | READS_MEM | WRITES_MEM | READS_PLACEMENT | CONVERGENT, "to a groupshared array: offset, stride, layout" in Linalg hlsl "__builtin_LinAlg_MatrixStoreToMemory";
    linalg_accumulator_layout Many []             -> I32,     READS_MEM | WRITES_MEM, "which use has the device's layout of accumulators" in Linalg hlsl "__builtin_LinAlg_MatrixQueryAccumulatorLayout";
    linalg_multiply Many     [Matrix, Matrix]     -> Matrix,  READS_MEM | WRITES_MEM | READS_PLACEMENT | CONVERGENT, "a * b" in Linalg hlsl "__builtin_LinAlg_MatrixMatrixMultiply";
    linalg_accumulate Many   [Matrix, Matrix]     -> Matrix,  READS_MEM | WRITES_MEM | READS_PLACEMENT | CONVERGENT, "a + b" in Linalg hlsl "__builtin_LinAlg_MatrixAccumulate";
    linalg_multiply_accumulate Many [Matrix, Matrix, Matrix] -> Matrix, READS_MEM | WRITES_MEM | READS_PLACEMENT | CONVERGENT, "a * b + c" in Linalg hlsl "__builtin_LinAlg_MatrixMatrixMultiplyAccumulate";
    linalg_vector   Many     [Matrix, B1, Num, I32] -> Num,   READS_MEM | WRITES_MEM | READS_PLACEMENT, "a * c; whether the result has a sign, what the numbers in c are" in Linalg hlsl "__builtin_LinAlg_MatrixVectorMultiply";
    linalg_vector_add Many   [Matrix, B1, Num, I32, Num] -> Num, READS_MEM | WRITES_MEM | READS_PLACEMENT, "a * c + e" in Linalg hlsl "__builtin_LinAlg_MatrixVectorMultiplyAdd";
    linalg_add_to   Many     [Matrix, Handle, I32, I32, I32, I32] -> none, READS_MEM | WRITES_MEM | READS_PLACEMENT | CONVERGENT, "adds to a byte-address buffer, atomically: offset, stride, layout, alignment" in Linalg hlsl "__builtin_LinAlg_MatrixAccumulateToDescriptor";
    linalg_add_to_shared Access [Matrix, I32, I32, I32, I32] -> none, READS_VAR | WRITES_VAR | READS_MEM | WRITES_MEM | READS_PLACEMENT | CONVERGENT, "adds to a groupshared array, atomically: what its numbers are, offset, stride, layout" in Linalg hlsl "__builtin_LinAlg_MatrixAccumulateToMemory";
    linalg_outer    Many     [Num, Num]           -> Matrix,  READS_MEM | WRITES_MEM | READS_PLACEMENT, "the products of the components of a with those of b" in Linalg hlsl "__builtin_LinAlg_MatrixOuterProduct";
    linalg_convert  Many     [Num, I32, I32]      -> Num,     READS_MEM | WRITES_MEM, "the numbers of type b in a as numbers of type c" in Linalg hlsl "__builtin_LinAlg_Convert";
    linalg_vector_add_to Many [Handle, I32, I32, Num] -> none, READS_MEM | WRITES_MEM | READS_PLACEMENT, "adds a vector to a byte-address buffer, atomically: offset, alignment" in Linalg hlsl "__builtin_LinAlg_VectorAccumulateToDescriptor";
    // Cooperative vectors (SPIR-V): matrices of a thread with one column. Component types and layouts are numbers of DXIL.
    coop_vector     Many     [Num, Rest]          -> Matrix,  PURE,                     "the vector of these numbers" in Cooperative;
    coop_component  Many     [Matrix]             -> Num,     PURE,                     "component `imm`" in Cooperative;
    coop_multiply   Many     [Matrix, I32, Handle, I32, I32, I32, I32, I32] -> Matrix, READS_MEM | READS_PLACEMENT, "a matrix in a buffer times a: what its numbers are; buffer, offset, component type of the matrix, columns, layout, stride" in Cooperative;
    coop_outer      Many     [Handle, I32, Matrix, Matrix, I32, I32] -> none, READS_MEM | WRITES_MEM | READS_PLACEMENT, "adds the products of the components of c with those of d to a matrix in a buffer, atomically: offset; its layout and component type" in Cooperative;
    coop_add        Many     [Handle, I32, Matrix] -> none,   READS_MEM | WRITES_MEM | READS_PLACEMENT, "adds c to a vector in a buffer, atomically: offset" in Cooperative;
    // Control. Regions are owned by the instruction.
    if_             Control  [B1]                 -> none,    PURE,                     "one of two regions; results come from `yield` and `break`";
    switch          Control  [I32]                -> none,    PURE,                     "the region of the matching case, else the default's";
    loop_           Control  [Rest]               -> none,    PURE,                     "body again and again; `continue` runs the continuing region, `break` leaves";
    block           Control  []                   -> none,    PURE,                     "one region, once; a place to `break` out of";
    call            Call     [Rest]               -> Any,     READS_HELPERS | WRITES_HELPERS | READS_VAR | WRITES_VAR | READS_MEM | WRITES_MEM | READS_QUERY | WRITES_QUERY | READS_PLACEMENT | REORDERS | RUNS_SHADERS | CONVERGENT | OUTSIDE, "calls a function of the module";
    // Exits.
    yield_          Exit     [Rest]               -> none,    TERMINATES,               "the region's normal end: results of the if, switch or block";
    break_          Exit     [Rest]               -> none,    TERMINATES,               "leaves the control instruction that owns the named region";
    continue_       Exit     [Rest]               -> none,    TERMINATES,               "ends the loop body that is the named region: goes to its continuing region";
    next            Exit     [Rest]               -> none,    TERMINATES,               "end of a continuing region: the next iteration";
    next_if         Exit     [B1, Rest]           -> none,    TERMINATES,               "end of a continuing region: the next iteration if a holds, else leaves the loop; `imm` operands go to the body, the rest are results";
    return_         Exit     [Rest]               -> none,    TERMINATES,               "leaves the function";
    ignore_hit      Exit     []                   -> none,    TERMINATES | OUTSIDE,     "any-hit: rejects the candidate and ends the shader";
    accept_hit      Exit     []                   -> none,    TERMINATES | OUTSIDE,     "any-hit: accepts the candidate, ends the search and the shader";
    unreachable     Exit     []                   -> none,    TERMINATES,               "control never comes here";
}

/// What `evaluate` may do, by its immediate number.
pub const EVALUATIONS: [Opcode; 4] = [Opcode::eval_snapped, Opcode::eval_sample_index, Opcode::eval_centroid, Opcode::attribute_at_vertex];

/// The instructions on floats that give the same bits on every device: they move, compare or clear bits, or their result is exact.
const EXACT: [Opcode; 16] = [
    Opcode::fneg,
    Opcode::fabs,
    Opcode::floor,
    Opcode::ceil,
    Opcode::trunc,
    Opcode::isnan,
    Opcode::isinf,
    Opcode::feq,
    Opcode::fne,
    Opcode::flt,
    Opcode::fle,
    Opcode::fgt,
    Opcode::fge,
    Opcode::ftos,
    Opcode::ftou,
    Opcode::split_double,
];

impl Opcode {
    /// The row of this instruction.
    #[inline]
    pub fn info(self) -> &'static InstInfo {
        &INSTS[self as usize]
    }
    /// The mnemonic.
    pub fn name(self) -> &'static str {
        self.info().name
    }
    /// The effects, independent of the operands.
    #[inline]
    pub fn effects(self) -> Effects {
        self.info().effects
    }
    /// Whether it is arithmetic on floats whose result is not exact: a device may fuse it with its neighbours at one place and not at another, and then
    /// the same operands give other bits.
    pub fn may_round(self) -> bool {
        self.info().operands.first() == Some(&Arg::Float) && !EXACT.contains(&self)
    }
    /// What it is about.
    #[inline]
    pub fn family(self) -> Family {
        self.info().family
    }
    /// What HLSL calls it; the mnemonic where that has no name for it.
    pub fn hlsl_name(self) -> &'static str {
        self.info().hlsl_name.unwrap_or(self.name())
    }
    /// Whether some operands have no result.
    pub fn may_be_undefined(self) -> bool {
        self.info().undefined.is_some()
    }
    /// The operand format.
    #[inline]
    pub fn format(self) -> Format {
        self.info().format
    }
    /// Whether the immediate number is a set of [`TexOperands`](crate::resources::TexOperands).
    pub fn takes_tex_operands(self) -> bool {
        use Opcode as O;
        matches!(
            self,
            O::tex_load
                | O::sample
                | O::sample_bias
                | O::sample_level
                | O::sample_grad
                | O::sample_cmp
                | O::sample_cmp_level
                | O::sample_cmp_bias
                | O::sample_cmp_grad
                | O::gather
                | O::gather_cmp
                | O::gather_raw
                | O::feedback
                | O::feedback_bias
                | O::feedback_grad
        )
    }
    /// Whether an instruction with this immediate number gives a residency status after its result.
    pub fn gives_status(self, imm: u32) -> bool {
        use crate::resources::{LOAD_STATUS, TexOperands};
        match self {
            Opcode::buf_load | Opcode::raw_load => imm & LOAD_STATUS != 0,
            _ => self.takes_tex_operands() && imm & TexOperands::STATUS.bits() != 0,
        }
    }
    /// How many operands it has before the optional ones.
    pub fn fixed_operands(self) -> usize {
        let all = self.info().operands;
        all.len() - usize::from(all.last() == Some(&Arg::Rest))
    }
    /// The instruction with this mnemonic.
    pub fn from_name(name: &str) -> Option<Opcode> {
        use std::collections::HashMap;
        use std::sync::OnceLock;
        static MAP: OnceLock<HashMap<&'static str, Opcode>> = OnceLock::new();
        MAP.get_or_init(|| OPCODES.iter().map(|&o| (o.name(), o)).collect()).get(name).copied()
    }
}

impl std::fmt::Display for Opcode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_found() {
        for &o in OPCODES {
            assert_eq!(Opcode::from_name(o.name()), Some(o));
        }
    }

    #[test]
    fn formats_agree_with_operand_counts() {
        for i in INSTS {
            let n = match i.format {
                Format::Nullary => 0,
                Format::Unary => 1,
                Format::Binary => 2,
                Format::Ternary => 3,
                _ => continue,
            };
            assert_eq!(i.operands.len(), n, "{}", i.name);
        }
    }

    #[test]
    fn families_are_those_of_their_operations() {
        let members = |family| OPCODES.iter().filter(|o| o.family() == family).count();
        assert_eq!((members(Family::Element), members(Family::Pixel), members(Family::Wave)), (6, 4, 26));
        assert_eq!((members(Family::Linalg), members(Family::Cooperative)), (21, 5));
        for &o in OPCODES {
            let wave = ["wave_", "quad_", "deriv_", "get_group_wave_"].iter().any(|p| o.name().starts_with(p));
            assert_eq!(o.family() == Family::Wave, wave, "{o}");
        }
        assert!(EVALUATIONS.iter().all(|o| o.family() == Family::Element && o.info().hlsl_name.is_some()));
        assert!(Opcode::urem.may_be_undefined() && !Opcode::umin.may_be_undefined());
    }

    #[test]
    fn nothing_non_uniform_crosses_a_reorder_point() {
        use Opcode as O;
        for o in [O::trace_ray, O::call_shader, O::report_hit, O::hit_trace, O::hit_invoke, O::reorder] {
            for i in INSTS.iter().filter(|i| i.effects.contains(Effects::READS_PLACEMENT)) {
                assert!(!o.effects().may_swap(i.effects), "{} over {}", i.name, o);
            }
            assert!(o.effects().may_swap(Effects::PURE));
        }
        assert!(Opcode::tex_load.effects().may_swap(Opcode::buf_load.effects()));
        assert!(!Opcode::raw_load.effects().may_swap(Opcode::raw_store.effects()));
        assert!(!Opcode::store.effects().may_swap(Opcode::load.effects()));
    }
}
