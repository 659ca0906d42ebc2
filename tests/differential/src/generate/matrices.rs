//! Random programs of linear algebra (`dx::linalg`): matrices of threads, waves and groups of every component type, products, sums, conversions, layouts.
//!
//! * The numbers of matrices come from the buffer `Weights`, where each component type has a region of small multiples of a quarter and a few large numbers
//!   ([`weights`]): every matrix that is read in one is one of such numbers, whatever its place, layout and dimensions.
//! * Numbers may be rounded, saturate and overflow: how is a matter of the language. What a NaN is and what becomes of numbers below the least normal one is
//!   not, so results are written without.
//! * Each thread adds to memory of its own, a wave and a group to one that no other operation has.

use std::borrow::Cow;

use rtc_tables::linalg::layouts::OPTIMAL_ALIGNMENT;
use rtc_tables::linalg::numbers::{Number, encoding_of};
use rtc_tables::linalg::{COMPONENTS, Stored, component_of};

use super::{Kind, Program, WORDS};
use crate::choices::Choices;
use crate::reduce::Generated;

/// Bytes of the region of a component type.
const REGION: u32 = 2048;
/// Where threads add to: so many bytes of `Bytes` each.
const OWN: u32 = 1024;
/// Where waves and groups write to in `Bytes`, and how many bytes each operation has.
const SHARED: u32 = 8 * OWN;
const SHARED_EACH: u32 = 1024;
/// How many of them there are at most.
const SHARED_COUNT: u32 = 8;

/// The component types that each scalar type of HLSL is.
const NATIVE: [(u32, &str); 9] = [
    (9, "float"),
    (8, "float16_t"),
    (4, "int"),
    (5, "uint"),
    (2, "int16_t"),
    (3, "uint16_t"),
    (10, "double"),
    (6, "int64_t"),
    (7, "uint64_t"),
];
/// How many of [`NATIVE`] have up to 32 bits.
const NARROW: usize = 6;

/// What all programs begin with.
const PRELUDE: &str = "#include <dx/linalg.h>
using namespace dx::linalg;
RWByteAddressBuffer Out : register(u0);
ByteAddressBuffer Weights : register(t1);
RWByteAddressBuffer Bytes : register(u6);
static uint T = 0, W = 0;
void put(uint x) { Out.Store((T * WORDS + W) * 4, x); ++W; }
void put(int x) { put((uint)x); }
void put(float x) {
    uint size = asuint(x) & 0x7fffffffu;
    put(size > 0x7f800000u ? 0x7fc00000u : size < 0x0da00000u ? 0u : asuint(x));
}
void put(float16_t x) { put((float)x); }
void put(int16_t x) { put((uint)(int)x); }
void put(uint16_t x) { put((uint)x); }
void put(uint64_t x) { put((uint)x); put((uint)(x >> 32)); }
void put(int64_t x) { put((uint64_t)x); }
void put(double x) {
    uint low, high;
    asuint(x, low, high);
    uint size = high & 0x7fffffffu;
    bool none = size > 0x7ff00000u || size == 0x7ff00000u && low != 0;
    put(none ? 0u : size < 0x39000000u ? 0u : low);
    put(none ? 0x7ff80000u : size < 0x39000000u ? 0u : high);
}
// Numbers in memory.
uint bits(uint at, uint bytes) {
    uint word = Bytes.Load(at & ~3u) >> (at & 3u) * 8u;
    return bytes < 4 ? word & ((1u << bytes * 8u) - 1u) : word;
}
template <ComponentEnum C> void put_small(uint at, uint bytes) { put(Convert<ComponentType::F32, C>(vector<uint, 1>(bits(at, bytes))).Data[0]); }
template <typename Type> void put_wide(uint at) { put(Bytes.Load<Type>(at)); }
";

/// The numbers of the buffer `Weights`.
pub fn weights() -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut state = 0x1234_5678_u32;
    for c in COMPONENTS {
        let start = bytes.len();
        let encoding = c.stored.and_then(|_| encoding_of(c.number));
        while let Some(e) = encoding.filter(|_| bytes.len() - start < REGION as usize) {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let small = i64::from(state >> 28) - 8;
            let number = match (state >> 20 & 63, e.is_float()) {
                (0, true) => Number::Float(small as f64 * 48.0),
                (0, false) => Number::Int(i128::from(small) * 4_001),
                (_, true) => Number::Float(small as f64 / 4.0),
                (_, false) => Number::Int(small.into()),
            };
            bytes.extend(&e.encode(number).to_le_bytes()[..e.bytes() as usize]);
        }
        bytes.resize(start + REGION as usize, 0);
    }
    bytes
}

/// The program of a seed.
pub fn random(seed: u64) -> Program {
    generate(Choices::random(seed))
}

/// A program that can be made smaller.
pub struct Reducible(pub Program);

impl Generated for Reducible {
    fn of(choices: Choices) -> Reducible {
        Reducible(generate(choices))
    }

    fn source(&self) -> Cow<'_, str> {
        self.0.source()
    }

    fn choices(&self) -> &[u32] {
        &self.0.choices
    }
}

/// The program of some choices.
pub fn generate(choices: Choices) -> Program {
    let mut m = Matrices { choices, text: String::new(), after: String::new(), words: 0, names: 0, own: 0, shared: 0, natives: NARROW };
    if m.choices.one_in(3) {
        m.natives = NATIVE.len();
    }
    let width = m.choices.pick(&["8, 1, 1", "4, 2, 1", "2, 2, 2"]);
    for _ in 0..1 + m.choices.below(6) {
        m.statement();
    }
    let body = format!("{}    AllMemoryBarrierWithGroupSync();\n{}", m.text, m.after);
    let prelude = PRELUDE.replace("WORDS", &format!("{WORDS}u"));
    let head = format!("[shader(\"compute\")]\n[numthreads({width})]\nvoid main(uint GroupIndex : SV_GroupIndex) {{\n");
    let source = format!("{prelude}{head}    T = GroupIndex;\n{body}}}\n");
    Program {
        source,
        libraries: Vec::new(),
        kind: Kind::Compute,
        minor: rtc_tables::linalg::MODEL.into(),
        native_16bit: true,
        row_major: false,
        no_reference: Some("the pinned reference does not have the shader model"),
        choices: m.choices.taken(),
    }
}

struct Matrices {
    choices: Choices,
    text: String,
    /// What is done when all have written.
    after: String,
    words: u32,
    names: u32,
    /// Places of a thread that are taken.
    own: u32,
    /// Places of waves and groups that are taken.
    shared: u32,
    /// How many of [`NATIVE`] the program has.
    natives: usize,
}

fn name_of(component: u32) -> String {
    format!("ComponentType::{}", component_of(component).map_or("Invalid", |c| c.name))
}

fn bytes_of(component: u32) -> u32 {
    encoding_of(component).map_or(4, |e| e.bytes())
}

fn is_float(component: u32) -> bool {
    encoding_of(component).is_some_and(|e| e.is_float())
}

fn native(component: u32) -> Option<&'static str> {
    NATIVE.iter().find(|n| n.0 == component).map(|n| n.1)
}

impl Matrices {
    fn line(&mut self, text: &str) {
        self.text += &format!("    {text}\n");
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    /// A component type of matrices.
    fn component(&mut self) -> u32 {
        let wide = self.natives > NARROW;
        let all: Vec<u32> =
            COMPONENTS.iter().filter(|c| c.stored.is_some() && (wide || bytes_of(c.number) < 8)).map(|c| c.number).collect();
        self.choices.pick(&all)
    }

    /// A component type that is a type of HLSL.
    fn number(&mut self) -> (u32, &'static str) {
        let n = self.natives as u32;
        NATIVE[self.choices.below(n) as usize]
    }

    /// Whether so many more words can be written.
    fn fits(&mut self, words: u32) -> bool {
        let fits = self.words + words <= WORDS;
        self.words += if fits { words } else { 0 };
        fits
    }

    fn statement(&mut self) {
        match self.choices.below(6) {
            0 => self.product(),
            1 => self.conversion(),
            2 => self.outer_product(),
            3 => self.sum_of_vectors(),
            4 => self.shared_product(),
            _ => self.shared_parts(),
        }
    }

    /// A place in the region of a component type that differs by thread; a matrix of up to 1024 bytes ends in the region.
    fn region(&mut self, component: u32) -> u32 {
        component * REGION + 128 * self.choices.below(4)
    }

    /// A vector of numbers, with the type that they have.
    fn vector(&mut self, count: u32) -> (u32, &'static str, String) {
        let (component, scalar) = self.number();
        (component, scalar, self.vector_of(component, scalar, count))
    }

    fn vector_of(&mut self, component: u32, scalar: &str, count: u32) -> String {
        let (a, b, c) = (1 + self.choices.below(7), 1 + self.choices.below(5), self.choices.below(17));
        let signed = is_float(component) || encoding_of(component).is_some_and(|e| e.is_signed());
        let quarter = if is_float(component) { format!(" * ({scalar})0.25f") } else { String::new() };
        let parts: Vec<String> = (0..count)
            .map(|i| {
                let n = format!("(T * {a}u + {}u) % 17u", i * b + c);
                if signed { format!("({scalar})((int)({n}) - 8){quarter}") } else { format!("({scalar})({n})") }
            })
            .collect();
        format!("vector<{scalar}, {count}>({})", parts.join(", "))
    }

    /// A vector in memory that holds so many numbers of a component type.
    fn packed(&mut self, component: u32, count: u32) -> String {
        let per = component_of(component).and_then(|c| c.stored).map_or(1, Stored::per_scalar);
        let (scalar, at) = (native(component).unwrap_or("uint"), self.region(component));
        let each = bytes_of(component) * per;
        let k = self.choices.below(8);
        format!("Weights.Load<vector<{scalar}, {}> >({at}u + T * {each}u + {}u)", count.div_ceil(per), k * each)
    }

    /// A matrix of a thread times a vector.
    fn product(&mut self) {
        let component = self.component();
        let (rows, columns) = (1 + self.choices.below(8), 4 + self.choices.below(9));
        let (out, scalar) = self.number();
        if !self.fits(rows * bytes_of(out).div_ceil(4)) {
            return;
        }
        let layout = self.choices.below(6);
        let by_columns = layout & 1 == 1;
        let length = if by_columns { rows } else { columns } * bytes_of(component);
        let stride = if layout < 2 { length.next_multiple_of(16) + 16 * self.choices.below(2) } else { 0 };
        let layout = rtc_tables::linalg::LAYOUTS[layout as usize].replace("ColumnMajor", "ColMajor");
        let at = self.region(component);
        let matrix = format!("Matrix<{}, {rows}, {columns}, MatrixUse::A, MatrixScope::Thread>", name_of(component));
        let load = format!("{matrix}::Load<MatrixLayout::{layout}>(Weights, {at}u, {stride}u)");
        let input = match self.choices.one_in(2) {
            false => self.vector(columns).2,
            true => {
                let packed: Vec<u32> =
                    COMPONENTS.iter().filter(|c| c.stored.is_some_and(|s| s.per_scalar() > 1)).map(|c| c.number).collect();
                let of = self.choices.pick(&packed);
                format!("MakeInterpretedVector<{}>({})", name_of(of), self.packed(of, columns))
            }
        };
        let name = self.name();
        let call = match self.choices.below(3) {
            0 => format!("Multiply<{scalar}>({load}, {input})"),
            1 => format!("MultiplyAdd<{scalar}>({load}, {input}, {})", self.vector(rows).2),
            _ => {
                let bias = self.component();
                let at = self.region(bias);
                self.line(&format!("VectorRef<{}, {rows}> {name}b = {{ Weights, {at}u }};", name_of(bias)));
                format!("MultiplyAdd<{scalar}>({load}, {input}, {name}b)")
            }
        };
        self.line(&format!("vector<{scalar}, {rows}> {name} = {call};"));
        for n in 0..rows {
            self.line(&format!("put({name}[{n}]);"));
        }
    }

    /// Numbers as numbers of another type.
    fn conversion(&mut self) {
        let (from, to) = (self.component(), self.component());
        let count = 1 + self.choices.below(5);
        let stored = |c: u32| component_of(c).and_then(|c| c.stored).map_or(1, Stored::per_scalar);
        let words = (count.next_multiple_of(stored(from))).div_ceil(stored(to));
        if from == to || !self.fits(words * bytes_of(to).div_ceil(4).max(1)) {
            return;
        }
        let (name, vector) = (self.name(), self.packed(from, count));
        let scalar = native(to).unwrap_or("uint");
        self.line(&format!("vector<{scalar}, {words}> {name} = Convert<{}, {}>({vector}).Data;", name_of(to), name_of(from)));
        for n in 0..words {
            self.line(&format!("put({name}[{n}]);"));
        }
    }

    /// Lines that write a number of a component type that is in memory at this place.
    fn put_at(&mut self, component: u32, at: &str) {
        let line = match (component, bytes_of(component)) {
            (_, 8) => format!("put_wide<{}>({at});", native(component).unwrap_or("uint64_t")),
            (9, _) => format!("put(asfloat(Bytes.Load({at})));"),
            (8, _) => format!("put(f16tof32(bits({at}, 2u)));"),
            (c, n) if is_float(c) => format!("put_small<{}>({at}, {n}u);", name_of(c)),
            (_, n) => format!("put(bits({at}, {n}u));"),
        };
        self.after += &format!("    {line}\n");
    }

    /// The sum of two outer products, in memory of the thread.
    fn outer_product(&mut self) {
        let component = self.component();
        let (rows, columns) = (1 + self.choices.below(4), 1 + self.choices.below(5));
        let words = rows * columns * bytes_of(component).div_ceil(4);
        if self.own == 2 || !self.fits(words) {
            return;
        }
        let at = self.own * 512;
        self.own += 1;
        let (of, scalar, a) = self.vector(rows);
        if is_float(of) && !is_float(component) {
            // Floats as integers are not specified.
            return;
        }
        let b = self.vector_of(of, scalar, columns);
        let times = 1 + self.choices.below(2);
        let name = self.name();
        self.line(&format!("vector<{scalar}, {rows}> {name} = {a};"));
        for _ in 0..times {
            self.line(&format!("OuterProduct<{}>({name}, {b}).InterlockedAccumulate(Bytes, T * {OWN}u + {at}u);", name_of(component)));
        }
        let stride = u64::from(columns * bytes_of(component)).next_multiple_of(OPTIMAL_ALIGNMENT);
        for (r, c) in (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c))) {
            let place = format!("T * {OWN}u + {}u", u64::from(at) + u64::from(r) * stride + u64::from(c * bytes_of(component)));
            self.put_at(component, &place);
        }
    }

    /// The sum of a vector and one in memory of the thread.
    fn sum_of_vectors(&mut self) {
        let count = 1 + self.choices.below(5);
        let (component, _, vector) = self.vector(count);
        if self.own == 2 || !self.fits(count * bytes_of(component).div_ceil(4)) {
            return;
        }
        let at = self.own * 512;
        self.own += 1;
        for _ in 0..1 + self.choices.below(2) {
            self.line(&format!("InterlockedAccumulate(Bytes, T * {OWN}u + {at}u, {vector});"));
        }
        for n in 0..count {
            self.put_at(component, &format!("T * {OWN}u + {}u", at + n * bytes_of(component)));
        }
    }

    /// Memory for a matrix of a wave or group.
    fn shared_place(&mut self) -> Option<u32> {
        (self.shared < SHARED_COUNT).then(|| {
            self.shared += 1;
            SHARED + (self.shared - 1) * SHARED_EACH
        })
    }

    /// Writes some components of a matrix in memory: eight of them, which differ by thread.
    fn put_shared(&mut self, component: u32, (rows, columns): (u32, u32), at: u32, stride: u32, by_columns: bool) {
        let each = bytes_of(component);
        for n in 0..(rows * columns).div_ceil(8).min(8) {
            let k = format!("((T + {}u) % {}u)", n * 8, rows * columns);
            let (slow, fast) = if by_columns {
                (format!("({k} % {columns}u)"), format!("({k} / {columns}u)"))
            } else {
                (format!("({k} / {columns}u)"), format!("({k} % {columns}u)"))
            };
            self.put_at(component, &format!("{at}u + {slow} * {stride}u + {fast} * {each}u"));
        }
    }

    fn scope(&mut self) -> &'static str {
        self.choices.pick(&["MatrixScope::Wave", "MatrixScope::ThreadGroup"])
    }

    fn layout(&mut self) -> (bool, &'static str) {
        self.choices.pick(&[(false, "MatrixLayout::RowMajor"), (true, "MatrixLayout::ColMajor")])
    }

    /// A matrix of a wave or group from the weights.
    fn loaded(&mut self, component: u32, (rows, columns): (u32, u32), use_: &str, scope: &str) -> String {
        let (by_columns, layout) = self.layout();
        let length = if by_columns { rows } else { columns } * bytes_of(component);
        let stride = length.next_multiple_of(16);
        let (name, at) = (self.name(), self.region(component));
        let ty = format!("Matrix<{}, {rows}, {columns}, MatrixUse::{use_}, {scope}>", name_of(component));
        self.line(&format!("{ty} {name} = {ty}::Load(Weights, {at}u, {stride}u, {layout});"));
        name
    }

    /// Stores a matrix and writes what is in memory then.
    fn stored(&mut self, name: &str, component: u32, (rows, columns): (u32, u32), adds: bool) {
        let (by_columns, layout) = self.layout();
        let length = if by_columns { rows } else { columns } * bytes_of(component);
        let stride = length.next_multiple_of(16);
        let words = (rows * columns).div_ceil(8).min(8) * bytes_of(component).div_ceil(4);
        let Some(at) = self.shared_place() else { return };
        if !self.fits(words) {
            return;
        }
        let call = if adds { "InterlockedAccumulate" } else { "Store" };
        self.line(&format!("{name}.{call}(Bytes, {at}u, {stride}u, {layout});"));
        self.put_shared(component, (rows, columns), at, stride, by_columns);
    }

    /// A product of matrices of a wave or group, perhaps added to another one.
    fn shared_product(&mut self) {
        let scope = self.scope();
        let (a, b, c) = (self.component(), self.component(), self.component());
        let (rows, inner, columns) = (1 + self.choices.below(10), 4 + self.choices.below(7), 1 + self.choices.below(10));
        let (a, b) = (self.loaded(a, (rows, inner), "A", scope), self.loaded(b, (inner, columns), "B", scope));
        let ty = format!("Matrix<{}, {rows}, {columns}, MatrixUse::Accumulator, {scope}>", name_of(c));
        let name = self.name();
        match self.choices.below(3) {
            0 => self.line(&format!("{ty} {name} = Multiply<{}>({a}, {b});", name_of(c))),
            1 => {
                let value = self.choices.below(9);
                self.line(&format!("{ty} {name} = {ty}::Splat((int){value} - 4);"));
                self.line(&format!("{name}.MultiplyAccumulate({a}, {b});"));
            }
            _ => {
                let from = self.loaded(c, (rows, columns), "Accumulator", scope);
                self.line(&format!("{ty} {name} = {from};"));
                for _ in 0..1 + self.choices.below(2) {
                    self.line(&format!("{name}.MultiplyAccumulate({a}, {b});"));
                }
            }
        }
        self.stored(&name, c, (rows, columns), false);
    }

    /// Copies, sums and components of matrices of a wave or group.
    fn shared_parts(&mut self) {
        let scope = self.scope();
        let (component, other) = (self.component(), self.component());
        let (rows, columns) = (4 + self.choices.below(7), 4 + self.choices.below(7));
        let a = self.loaded(component, (rows, columns), "A", scope);
        let name = self.name();
        match self.choices.below(4) {
            0 => {
                let transposed = self.choices.one_in(2);
                let to = if transposed { (columns, rows) } else { (rows, columns) };
                let use_ = self.choices.pick(&["A", "B", "Accumulator"]);
                let ty = format!("Matrix<{}, {}, {}, MatrixUse::{use_}, {scope}>", name_of(other), to.0, to.1);
                self.line(&format!("{ty} {name} = {a}.Cast<{}, MatrixUse::{use_}, {transposed}>();", name_of(other)));
                self.stored(&name, other, to, false);
            }
            1 => {
                let ty = format!("Matrix<{}, {rows}, {columns}, MatrixUse::Accumulator, {scope}>", name_of(other));
                let value = self.choices.below(5);
                self.line(&format!("{ty} {name} = {ty}::Splat({value}.25f);"));
                self.line(&format!("{name}.Accumulate({a});"));
                self.stored(&name, other, (rows, columns), false);
            }
            // Threads of a group come together for each component, of which they may have different numbers.
            2 if native(component).is_some() && scope.ends_with("Wave") => {
                let scalar = native(component).unwrap_or("uint");
                self.line(&format!("for (uint {name} = 0; {name} < {a}.Length(); ++{name}) {{"));
                self.line(&format!("    uint2 at = {a}.GetCoordinate({name});"));
                self.line(&format!("    {a}.Set({name}, {a}.Get({name}) * ({scalar})2 + ({scalar})(at.x * {columns}u + at.y));"));
                self.line("}");
                self.stored(&a, component, (rows, columns), false);
            }
            _ => {
                self.line(&format!(
                    "Matrix<{}, {rows}, {columns}, MatrixUse::Accumulator, {scope}> {name} = {a}.Cast<{}, MatrixUse::Accumulator>();",
                    name_of(other),
                    name_of(other)
                ));
                self.stored(&name, other, (rows, columns), true);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_choices_give_the_same_program() {
        for seed in 0..100 {
            let program = random(seed);
            assert_eq!(program.source, generate(Choices::replay(program.choices.clone())).source, "seed {seed}");
        }
        assert_eq!(weights().len(), COMPONENTS.len() * REGION as usize);
    }
}
