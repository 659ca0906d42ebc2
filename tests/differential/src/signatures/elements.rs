//! Random signature elements: their declarations, and statements that read and write them.

use std::collections::HashSet;
use std::fmt::Write as _;

use rtc_tables::signature::{Demand, Interpretation, SEMANTICS, Semantic, SigPoint};

use crate::choices::Choices;

/// Rows that a signature may take: fewer than there are, so that most signatures fit.
const ROWS: u32 = 24;
/// Structures in structures.
const DEPTH: u32 = 2;
/// Outputs of mesh shaders, whose arrays of clip distances and components of matrices crash the reference compiler.
const OF_MESH: [SigPoint; 2] = [SigPoint::MsOut, SigPoint::MsPOut];
/// Names of semantics; some differ only in case, some end in digits.
const NAMES: [&str; 9] = ["A", "B", "TEXCOORD", "Color", "COLOR", "POSITION", "VeryLongNameOfASemantic", "X_", "n1x"];
/// Types that have 32 bits at least.
const WIDE: [&str; 4] = ["float", "int", "uint", "bool"];
/// Types that may have 16 bits.
const NARROW: [&str; 4] = ["half", "min16float", "min16int", "min16uint"];
/// Types that have 16 bits.
const NATIVE: [&str; 3] = ["float16_t", "int16_t", "uint16_t"];

/// The shape of a member.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    Scalar,
    Vector(u32),
    Matrix(u32, u32),
}

/// A member with a semantic: what a shader reads or writes.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// The expression that names it.
    pub path: String,
    base: &'static str,
    shape: Shape,
    /// Elements of an array; 0: none.
    count: u32,
    /// All components must be written.
    whole: bool,
}

impl Leaf {
    /// A `uint`.
    pub fn uint(path: &str) -> Leaf {
        Leaf { path: path.into(), base: "uint", shape: Shape::Scalar, count: 0, whole: false }
    }

    /// A vector of floats.
    pub fn floats(path: &str, n: u32) -> Leaf {
        Leaf { path: path.into(), base: "float", shape: Shape::Vector(n), count: 0, whole: false }
    }

    /// The same member, as a member of `prefix`.
    pub fn member_of(&self, prefix: &str) -> Leaf {
        Leaf { path: format!("{prefix}.{}", self.path), ..self.clone() }
    }

    fn rows(&self) -> u32 {
        let rows = match self.shape {
            Shape::Matrix(r, c) => r.max(c),
            _ => 1,
        };
        rows * self.count.max(1)
    }

    /// Its type without the array.
    fn ty(&self) -> String {
        match self.shape {
            Shape::Scalar => self.base.into(),
            Shape::Vector(n) => format!("{}{n}", self.base),
            Shape::Matrix(r, c) => format!("{}{r}x{c}", self.base),
        }
    }

    /// Suffixes that name its components, without the index of an array.
    fn components(&self) -> Vec<String> {
        let letters = ["x", "y", "z", "w"];
        match self.shape {
            Shape::Scalar => vec![String::new()],
            Shape::Vector(n) => letters[..n as usize].iter().map(|l| format!(".{l}")).collect(),
            Shape::Matrix(r, c) => (0..r * c).map(|i| format!("[{}][{}]", i / c, i % c)).collect(),
        }
    }
}

/// Makes elements and remembers what must not be twice.
pub struct Elements {
    /// The choices.
    pub c: Choices,
    native_16bit: bool,
    model: u32,
    /// Declarations of structures.
    pub structures: String,
    /// Semantics of the current signature.
    taken: HashSet<(SigPoint, String)>,
    rows: Vec<(SigPoint, u32)>,
    members: u32,
    clip_components: u32,
}

impl Elements {
    /// With nothing declared.
    pub fn new(c: Choices, native_16bit: bool, model: u32) -> Elements {
        Elements {
            c,
            native_16bit,
            model,
            structures: String::new(),
            taken: HashSet::new(),
            rows: Vec::new(),
            members: 0,
            clip_components: 0,
        }
    }

    /// What follows is another signature.
    pub fn new_signature(&mut self) {
        self.taken.clear();
        self.rows.clear();
        self.clip_components = 0;
    }

    /// Puts a list into another order.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in 1..list.len() {
            let j = i - self.c.below(i as u32 + 1) as usize;
            list.swap(i, j);
        }
    }

    /// A structure for a signature point, or none if there is no element for it.
    pub fn structure(&mut self, name: &str, point: SigPoint, most: u32) -> (Option<String>, Vec<Leaf>) {
        let (text, leaves) = self.members(point, most, DEPTH);
        if leaves.is_empty() {
            return (None, leaves);
        }
        let _ = write!(self.structures, "struct {name} {{\n{text}}};\n");
        (Some(name.into()), leaves)
    }

    /// A structure with at least one element.
    pub fn structure_of_some(&mut self, name: &str, point: SigPoint, most: u32) -> (String, Vec<Leaf>) {
        self.structure_with(name, point, most, &[])
    }

    /// A structure with these arrays of floats somewhere in it, and at least one element.
    pub fn structure_with(&mut self, name: &str, point: SigPoint, most: u32, arrays: &[(&str, u32)]) -> (String, Vec<Leaf>) {
        let (mut text, mut leaves) = (String::new(), Vec::new());
        for &(semantic, count) in arrays {
            let (more, others) = self.members(point, most / 2, 1);
            text += &more;
            leaves.extend(others);
            let path = self.member_name();
            // Of one factor there may be no array.
            let scalar = count == 1 && self.c.one_in(2);
            let suffix = if scalar { String::new() } else { format!("[{count}]") };
            let _ = writeln!(text, "  float {path}{suffix} : {semantic};");
            leaves.push(Leaf { path, base: "float", shape: Shape::Scalar, count: if scalar { 0 } else { count }, whole: true });
        }
        let (more, others) = self.members(point, most, DEPTH);
        text += &more;
        leaves.extend(others);
        if leaves.is_empty() {
            let leaf = Leaf::floats(&self.member_name(), 4);
            let _ = writeln!(text, "  float4 {} : ONE;", leaf.path);
            leaves.push(leaf);
        }
        let _ = write!(self.structures, "struct {name} {{\n{text}}};\n");
        (name.into(), leaves)
    }

    /// Parameters of a signature point, each declared with `prefix`.
    pub fn parameters(&mut self, point: SigPoint, most: u32, prefix: &str) -> (Vec<String>, Vec<Leaf>) {
        let (mut texts, mut leaves) = (Vec::new(), Vec::new());
        for _ in 0..self.c.below(most + 1) {
            let Some((text, mut leaf)) = self.member(point) else { continue };
            // The reference has these parameters in no memory, unlike members of structures: what is not written, or by a dynamic index, differs.
            leaf.whole |= leaf.count > 0 || leaf.base == "bool";
            // Arrays of matrices as `out` parameters crash the reference compiler.
            if leaf.count > 0 && matches!(leaf.shape, Shape::Matrix(..)) {
                continue;
            }
            texts.push(format!("{prefix}{text}"));
            leaves.push(leaf);
        }
        (texts, leaves)
    }

    fn member_name(&mut self) -> String {
        self.members += 1;
        format!("m{}", self.members)
    }

    /// Members of a structure, with structures among them.
    fn members(&mut self, point: SigPoint, most: u32, depth: u32) -> (String, Vec<Leaf>) {
        let (mut text, mut leaves) = (String::new(), Vec::new());
        for _ in 0..self.c.below(most + 1) {
            if depth > 0 && self.c.one_in(6) {
                let (inner, own) = self.members(point, most / 2, depth - 1);
                if own.is_empty() {
                    continue;
                }
                let (path, name) = (self.member_name(), format!("S{}", self.members));
                let _ = write!(self.structures, "struct {name} {{\n{inner}}};\n");
                let _ = writeln!(text, "  {name} {path};");
                leaves.extend(own.iter().map(|l| l.member_of(&path)));
            } else if let Some((declared, leaf)) = self.member(point) {
                let _ = writeln!(text, "  {declared};");
                leaves.push(leaf);
            }
        }
        (text, leaves)
    }

    /// One element: a declaration without its end, and what it declares.
    fn member(&mut self, point: SigPoint) -> Option<(String, Leaf)> {
        if point == SigPoint::PsOut || self.c.one_in(4) { self.system_value(point) } else { self.arbitrary(point) }
    }

    fn arbitrary(&mut self, point: SigPoint) -> Option<(String, Leaf)> {
        let base = match self.c.weighted(&[6, 3, if self.native_16bit { 3 } else { 0 }]) {
            0 => self.c.pick(&WIDE),
            1 => self.c.pick(&NARROW),
            _ => self.c.pick(&NATIVE),
        };
        let n = 1 + self.c.below(4);
        let shape = match self.c.weighted(&[3, 5, 2]) {
            0 => Shape::Scalar,
            1 => Shape::Vector(n),
            _ => Shape::Matrix(n, 1 + self.c.below(4)),
        };
        let count = if self.c.one_in(4) { 1 + self.c.below(4) } else { 0 };
        let (name, index) = (self.c.pick(&NAMES), self.c.below(12));
        // Of a matrix of one row the packing decides whether the reference has it in memory, where all that is not written is zero.
        let whole = base == "bool" && matches!(shape, Shape::Matrix(1, _));
        let leaf = Leaf { path: String::new(), base, shape, count, whole };
        let matrix = matches!(shape, Shape::Matrix(..));
        let packing = if matrix { self.c.pick(&["", "", "row_major ", "column_major "]) } else { "" };
        let interpolation = self.interpolation(point, matches!(base, "float" | "half" | "min16float" | "float16_t"), None);
        let rows = leaf.rows();
        let spelled = if index == 0 && self.c.one_in(2) { name.to_string() } else { format!("{name}{index}") };
        self.declare(point, &format!("{interpolation}{packing}"), leaf, (name, index, rows), &spelled)
    }

    /// A modifier that a member may have at a signature point.
    fn interpolation(&mut self, point: SigPoint, float: bool, semantic: Option<Semantic>) -> &'static str {
        if !point.interpolates() || point == SigPoint::MsPOut {
            return "";
        }
        match (float, semantic) {
            // Both must change over the primitive.
            (_, Some(Semantic::Barycentrics)) => self.c.pick(&["", "noperspective ", "centroid ", "sample "]),
            (_, Some(Semantic::Position)) => self.c.pick(&["", "", "noperspective ", "linear ", "noperspective centroid ", "centroid "]),
            (true, _) => self.c.pick(&[
                "",
                "",
                "",
                "linear ",
                "centroid ",
                "noperspective ",
                "noperspective centroid ",
                "nointerpolation ",
                "sample ",
                "noperspective sample ",
            ]),
            (false, _) => self.c.pick(&["", "nointerpolation "]),
        }
    }

    /// Whether a system value can be made here.
    fn usable(&self, point: SigPoint, s: Semantic) -> bool {
        let twice = |s: Semantic| self.taken.contains(&(point, s.info().name.to_uppercase() + "0"));
        let excluded = match s {
            Semantic::Arbitrary | Semantic::TessFactor | Semantic::InsideTessFactor | Semantic::DomainLocation => true,
            Semantic::OutputControlPointId | Semantic::GsInstanceId => true,
            Semantic::Depth | Semantic::DepthLessEqual | Semantic::DepthGreaterEqual => {
                [Semantic::Depth, Semantic::DepthLessEqual, Semantic::DepthGreaterEqual].into_iter().any(twice)
            }
            Semantic::Coverage => twice(Semantic::InnerCoverage),
            Semantic::InnerCoverage => twice(Semantic::Coverage),
            _ => false,
        };
        !excluded && u32::from(s.info().model) <= self.model && s.at(point).is_some()
    }

    fn system_value(&mut self, point: SigPoint) -> Option<(String, Leaf)> {
        let all: Vec<Semantic> = SEMANTICS.iter().map(|r| r.semantic).filter(|&s| self.usable(point, s)).collect();
        if all.is_empty() {
            return None;
        }
        let s = self.c.pick(&all);
        let info = s.info();
        let (base, shape): (&'static str, Shape) = match info.demand {
            Demand::Any => ("uint", Shape::Vector(1 + self.c.below(3))),
            Demand::Uint => ("uint", Shape::Scalar),
            Demand::Flag => (self.c.pick(&["bool", "uint"]), Shape::Scalar),
            Demand::Bool => ("bool", Shape::Scalar),
            Demand::Float => ("float", Shape::Scalar),
            Demand::Floats(n) => ("float", Shape::Vector(1 + self.c.below(n.into()))),
            Demand::Vector(n) => ("float", Shape::Vector(n.into())),
            Demand::Target => {
                let base = self.c.pick(&["float", "uint", "int", "half", "min16float"]);
                (base, Shape::Vector(1 + self.c.below(4)))
            }
        };
        let interpretation = s.at(point)?;
        let (mut index, mut count) = (0, 0);
        match interpretation {
            Interpretation::ClipCull => {
                index = self.c.below(3);
                count = if self.c.one_in(3) && !OF_MESH.contains(&point) { 1 + self.c.below(2) } else { 0 };
                let Shape::Vector(n) = shape else { return None };
                let components = n * count.max(1);
                // Eight of both together, in two registers.
                if self.clip_components + components > 8 {
                    return None;
                }
                self.clip_components += components;
            }
            Interpretation::Target => index = self.c.below(8),
            _ => {}
        }
        let leaf = Leaf {
            path: String::new(),
            base,
            shape,
            count,
            whole: !matches!(interpretation, Interpretation::Arbitrary | Interpretation::Target),
        };
        let interpolation = self.interpolation(point, base == "float", Some(s));
        let name = if self.c.one_in(5) { info.name.to_lowercase() } else { info.name.to_string() };
        let spelled = if index == 0 { name.clone() } else { format!("{name}{index}") };
        let rows = leaf.rows();
        self.declare(point, interpolation, leaf, (info.name, index, rows), &spelled)
    }

    /// Declares a member unless its semantics are taken or too many.
    fn declare(
        &mut self,
        point: SigPoint,
        modifiers: &str,
        mut leaf: Leaf,
        (name, index, rows): (&str, u32, u32),
        spelled: &str,
    ) -> Option<(String, Leaf)> {
        let mut keys = (index..index + rows).map(|i| (point, format!("{}{i}", name.to_uppercase())));
        if keys.clone().any(|k| self.taken.contains(&k)) {
            return None;
        }
        let at = self.rows.iter().position(|r| r.0 == point).unwrap_or_else(|| {
            self.rows.push((point, 0));
            self.rows.len() - 1
        });
        if self.rows[at].1 + rows > ROWS {
            return None;
        }
        self.rows[at].1 += rows;
        self.taken.extend(keys.by_ref());
        leaf.path = self.member_name();
        let suffix = if leaf.count > 0 { format!("[{}]", leaf.count) } else { String::new() };
        Some((format!("{modifiers}{} {}{suffix} : {spelled}", leaf.ty(), leaf.path), leaf))
    }

    /// Statements that write some or all components of an output.
    pub fn write(&mut self, w: &Leaf, reads: &[Leaf]) -> String {
        if w.whole {
            return self.write_all(w, reads);
        }
        match self.c.weighted(&[4, 2, 1, 1]) {
            0 => self.write_all(w, reads),
            1 => {
                let components = w.components();
                let element = if w.count > 0 { format!("[{}]", self.c.below(w.count)) } else { String::new() };
                let component = &components[self.c.below(components.len() as u32) as usize];
                self.store(w, w.base, &format!("{element}{component}"), reads)
            }
            // Of arrays of vectors and matrices, the reference's dependencies are those of its variables, which are other ones. It folds
            // an array in which all is one value, and an index that may be two equal constants.
            2 if w.count > 1 && w.shape == Shape::Scalar => {
                let numbers: Vec<Leaf> = reads.iter().filter(|r| r.base != "bool").cloned().collect();
                let (index, count) = (self.sum(&numbers), w.count);
                self.write_all(w, reads) + &self.store(w, w.base, &format!("[(uint)(1.0f{index}) % {count}]"), reads)
            }
            _ => String::new(),
        }
    }

    /// Statements that write each vector or matrix of an output.
    pub fn write_whole(&mut self, w: &Leaf, reads: &[Leaf]) -> String {
        let elements = (0..w.count.max(1)).map(|i| if w.count > 0 { format!("[{i}]") } else { String::new() });
        elements.map(|element| self.store(w, &w.ty(), &element, reads)).collect()
    }

    /// Statements that write each component of an output.
    pub fn write_all(&mut self, w: &Leaf, reads: &[Leaf]) -> String {
        let mut text = String::new();
        for i in 0..w.count.max(1) {
            let element = if w.count > 0 { format!("[{i}]") } else { String::new() };
            for component in w.components() {
                text += &self.store(w, w.base, &format!("{element}{component}"), reads);
            }
        }
        text
    }

    /// A statement that writes a part of a type.
    fn store(&mut self, w: &Leaf, ty: &str, suffix: &str, reads: &[Leaf]) -> String {
        let (constant, value) = (self.c.below(9), self.sum(reads));
        // The comparison depends on each term of the sum.
        let value = match w.base {
            "bool" => format!("{constant}.25f{value} > {}.5f", constant + 3),
            _ => format!("({ty})({constant}.25f{value})"),
        };
        format!("{}{suffix} = {value};\n", w.path)
    }

    /// Components of inputs that are added to something.
    fn sum(&mut self, reads: &[Leaf]) -> String {
        let mut text = String::new();
        if reads.is_empty() {
            return text;
        }
        for _ in 0..self.c.below(3) {
            let r = &reads[self.c.below(reads.len() as u32) as usize].clone();
            let components = r.components();
            let component = &components[self.c.below(components.len() as u32) as usize];
            let element = match r.count {
                0 => String::new(),
                n => {
                    let other = &reads[self.c.below(reads.len() as u32) as usize];
                    if self.c.one_in(5) && other.base == "uint" && other.count == 0 {
                        format!("[(uint){}{} % {n}]", other.path, other.components()[0])
                    } else {
                        format!("[{}]", self.c.below(n))
                    }
                }
            };
            let _ = match r.base {
                "bool" => write!(text, " + ({}{element}{component} ? 1.0f : 5.0f)", r.path),
                _ => write!(text, " + (float){}{element}{component}", r.path),
            };
        }
        text
    }
}
