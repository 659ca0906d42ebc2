//! Generator of payload types: members of all types and shapes, and their qualifiers.

use std::fmt::Write as _;

use rtc_ir::PaqStage;
pub use rtc_test_support::Random;

use crate::generate::Maker;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Number {
    Uint,
    Int,
    Float,
    Bool,
    Ulong,
    Long,
    Double,
    Ushort,
    Short,
    Half,
}
pub use Number::*;

const NUMBERS: [Number; 10] = [Uint, Int, Float, Bool, Ulong, Long, Double, Ushort, Short, Half];

/// What is in a member.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    pub number: Number,
    /// Rows of a matrix of two columns; 0: no matrix.
    pub rows: usize,
    pub lanes: usize,
    /// Elements; 0: no array.
    pub count: usize,
}

/// A member that holds numbers: the way to it.
#[derive(Clone, Debug)]
pub struct Leaf {
    pub path: String,
    pub shape: Shape,
    /// The stages that read and write it.
    pub read: u8,
    pub write: u8,
    /// Which few numbers are stored into it: any (0), those of a few bits (1, 2), one of two (3), always the same (4).
    pub narrow: usize,
}

#[derive(Default)]
pub struct Payload {
    pub leaves: Vec<Leaf>,
    /// Members that are structures, by type.
    pub inner: Vec<(String, String)>,
}

impl Maker {
    fn narrow(&mut self) -> usize {
        if self.r.chance(50) { 1 + self.r.below(4) } else { 0 }
    }

    pub fn ty(&self, n: Number) -> &'static str {
        match n {
            Uint => "uint",
            Int => "int",
            Float => "float",
            Bool => "bool",
            Ulong => "uint64_t",
            Long => "int64_t",
            Double => "double",
            Ushort if self.native => "uint16_t",
            Short if self.native => "int16_t",
            Half if self.native => "float16_t",
            Ushort => "min16uint",
            Short => "min16int",
            Half => "min16float",
        }
    }

    pub fn shape(&mut self) -> Shape {
        let number = if self.r.chance(25) { Uint } else { NUMBERS[self.r.below(NUMBERS.len())] };
        let wide = matches!(number, Ulong | Long | Double);
        let lanes = if self.r.chance(70) { 1 } else { 2 + self.r.below(if wide { 1 } else { 3 }) };
        let count = if self.r.chance(80) { 0 } else { 2 + self.r.below(3) };
        let rows = if number == Float && self.r.chance(15) { 2 + self.r.below(2) } else { 0 };
        Shape { number, rows, lanes: if rows > 0 { 2 } else { lanes }, count }
    }

    pub fn declare(&self, s: Shape, name: &str) -> String {
        let mut out = self.ty(s.number).to_string();
        match (s.rows, s.lanes) {
            (0, 1) => {}
            (0, n) => _ = write!(out, "{n}"),
            (r, n) => _ = write!(out, "{r}x{n}"),
        }
        _ = write!(out, " {name}");
        if s.count > 0 {
            _ = write!(out, "[{}]", s.count);
        }
        out
    }

    /// Qualifiers that keep the rules about the order of stages.
    pub fn qualifiers(&mut self) -> (u8, u8) {
        loop {
            let (read, write) = (self.r.below(16) as u8, self.r.below(16) as u8);
            let any = |set: u8, ok: &dyn Fn(PaqStage) -> bool| PaqStage::members(set).all(ok);
            if (read == 0) == (write == 0) && any(read, &|s| s.predecessors() & write != 0) && any(write, &|s| s.successors() & read != 0) {
                return (read, write);
            }
        }
    }

    pub fn payload(&mut self, number: usize) {
        let mut p = Payload::default();
        let mut body = String::new();
        for n in 0..2 + self.r.below(5) {
            let what = self.r.below(10);
            let name = format!("f{n}");
            if what < 2 {
                // A structure inside: a payload of its own, or a member like others.
                let inner = format!("S{number}{n}");
                let payload = what == 0;
                let (mut members, mut q) = (String::new(), self.qualifiers());
                for k in 0..1 + self.r.below(3) {
                    let shape = self.shape();
                    let said = if payload { spelled(q) } else { String::new() };
                    _ = writeln!(members, "  {}{said};", self.declare(shape, &format!("m{k}")));
                    let narrow = self.narrow();
                    p.leaves.push(Leaf { path: format!("{name}.m{k}"), shape, read: q.0, write: q.1, narrow });
                    if payload {
                        q = self.qualifiers();
                    }
                }
                let head = if payload { "struct [raypayload]" } else { "struct" };
                self.line(&format!("{head} {inner} {{\n{members}}};"));
                let said = if payload { String::new() } else { spelled(q) };
                _ = writeln!(body, "  {inner} {name}{said};");
                p.inner.push((inner, name));
            } else {
                let shape = self.shape();
                let q = self.qualifiers();
                _ = writeln!(body, "  {}{};", self.declare(shape, &name), spelled(q));
                let narrow = self.narrow();
                p.leaves.push(Leaf { path: name, shape, read: q.0, write: q.1, narrow });
            }
        }
        let mut base = String::new();
        if self.r.chance(20) {
            let mut members = String::new();
            for k in 0..1 + self.r.below(2) {
                let (shape, q) = (self.shape(), self.qualifiers());
                _ = writeln!(members, "  {}{};", self.declare(shape, &format!("b{k}")), spelled(q));
                let narrow = self.narrow();
                p.leaves.push(Leaf { path: format!("b{k}"), shape, read: q.0, write: q.1, narrow });
            }
            self.line(&format!("struct [raypayload] B{number} {{\n{members}}};"));
            base = format!(" : B{number}");
        }
        self.line(&format!("struct [raypayload] P{number}{base} {{\n{body}}};"));
        self.payloads.push(p);
    }
}

fn spelled((read, write): (u8, u8)) -> String {
    format!(" : read({}) : write({})", PaqStage::list(read, ", "), PaqStage::list(write, ", "))
}
