//! Statements: declarations, assignments, control flow.

use super::function::MAX_COST;
use super::types::{Numeric, Scalar, Type};
use super::{Generator, LONG_VECTORS, Variable};

/// How deep statements nest.
const DEPTH: usize = 5;
/// Iterations of nested loops together, at most.
pub const ITERATIONS: u32 = 48;

impl Generator {
    /// About `n` statements, within the budget.
    pub(super) fn statements(&mut self, n: u32) {
        while self.budget > 0 && self.more(n) {
            self.statement();
        }
    }

    /// A block of a few statements with a scope of its own.
    fn block(&mut self) {
        let scope = self.locals.len();
        let outer_uniform = std::mem::replace(&mut self.uniform, false);
        self.indent += 1;
        self.statements(3);
        self.indent -= 1;
        self.uniform = outer_uniform;
        self.locals.truncate(scope);
    }

    /// One statement.
    pub(super) fn statement(&mut self) {
        self.budget -= 1;
        self.cost += self.repeat;
        let nested = if self.indent < DEPTH && self.cost < MAX_COST { 1 } else { 0 };
        let exits = if self.loops > 0 || self.may_return { 2 } else { 0 };
        let waterfalls = if self.has_waves { nested } else { 0 };
        let traces = if self.may_trace && self.cost < MAX_COST { 4 } else { 0 };
        let long = if self.minor >= LONG_VECTORS { 3 } else { 0 };
        let weights = [6, 8, 3, 4 * nested, 3 * nested, 2 * nested, 2 * nested, 3, exits, 2, 2, 2, traces, waterfalls, long];
        match self.choices.weighted(&weights) {
            1 => self.assign(),
            2 => {
                let ty = self.member_type(true);
                self.new_local(&ty);
            }
            3 => self.conditional(),
            4 => self.counted_loop(),
            5 => self.conditional_loop(),
            6 => self.switch(),
            7 => self.call_statement(),
            8 => self.exit(),
            9 => self.step(),
            10 => self.whole(),
            11 => self.copy_of_memory(),
            12 if self.has_bytes && self.choices.one_in(6) => self.bytes_of_memory(),
            12 => self.trace(),
            13 => self.waterfall(),
            14 => self.long_vectors(),
            _ => {
                let ty = Type::Numeric(self.numeric());
                self.new_local(&ty);
            }
        }
    }

    /// Declares a variable with a value; its name.
    pub(super) fn new_local(&mut self, ty: &Type) -> String {
        let name = self.name("v");
        let declaration = self.declare(ty, &name);
        match ty {
            Type::Numeric(n) => {
                // The value may be of another type, and is converted.
                let value = match self.choices.weighted(&[5, 1]) {
                    1 if !n.is_matrix() && !n.scalar.is_bounded() => {
                        let scalar = if n.scalar == Scalar::Bool { Scalar::Int } else { Scalar::Bool };
                        self.storable(n.of(scalar), 3)
                    }
                    _ => self.storable(*n, 4),
                };
                let word = if n.scalar.is_float() && self.choices.one_in(6) { "precise " } else { "" };
                self.line(format!("{word}{declaration} = {value};"));
            }
            Type::Array(of, n) => {
                let mut parts = Vec::new();
                for _ in 0..*n {
                    parts.push(if let Type::Numeric(one) = &**of { self.storable(*one, 2) } else { self.zero(of) });
                }
                self.line(format!("{declaration} = {{ {} }};", parts.join(", ")));
            }
            Type::Struct(_) => {
                let zero = self.zero(ty);
                self.line(format!("{declaration} = {zero};"));
                let v = Variable::local(&name, ty.clone());
                while self.more(2) {
                    let path = self.path_into(&v, 1);
                    let value = self.storable(path.ty, 3);
                    self.line(format!("{} = {value};", path.text));
                }
            }
        }
        self.locals.push(Variable::local(&name, ty.clone()));
        name
    }

    /// An assignment to some part of a variable.
    pub(super) fn assign(&mut self) {
        let Some(path) = self.writable_path(2) else {
            let ty = Type::Numeric(self.numeric());
            self.new_local(&ty);
            return;
        };
        let (mut text, mut ty) = (path.text, path.ty);
        if !ty.is_matrix() && ty.columns > 1 && self.choices.one_in(3) {
            // Some of the components, each once.
            let n = 1 + self.choices.below(ty.columns);
            text = format!("{text}.{}", self.distinct_components(ty.columns, n));
            ty = Numeric::vector(ty.scalar, n);
        } else if ty.is_matrix() && self.choices.one_in(2) {
            let row = self.index(ty.rows, 1);
            text = format!("{text}[{row}]");
            ty = ty.row();
            if self.choices.one_in(2) {
                let column = self.index(ty.columns, 1);
                text = format!("{text}[{column}]");
                ty = ty.row();
            }
        }
        let wraps = !ty.scalar.is_bounded() && ty.scalar != Scalar::Bool;
        if wraps && self.choices.one_in(3) {
            let value = self.storable(ty, 3);
            let op = self.choices.pick(&["+=", "-=", "*=", "^=", "|=", "&="]);
            return self.line(format!("{text} {op} {value};"));
        }
        let value = self.storable(ty, 4);
        self.line(format!("{text} = {value};"));
    }

    /// `++` or `--`.
    fn step(&mut self) {
        match self.writable_path(1) {
            Some(p) if !p.ty.scalar.is_bounded() && p.ty.scalar != Scalar::Bool && !p.is_bits => {
                let text = match self.choices.below(4) {
                    0 => format!("{}++;", p.text),
                    1 => format!("--{};", p.text),
                    2 => format!("++{};", p.text),
                    _ => format!("{}--;", p.text),
                };
                self.line(text);
            }
            _ => self.assign(),
        }
    }

    /// Copies a whole structure, or computes one with an operator.
    fn whole(&mut self) {
        let targets: Vec<Variable> = self.locals.iter().filter(|v| v.writable && !v.wild && v.slot.is_empty()).cloned().collect();
        let targets: Vec<Variable> = targets.into_iter().filter(|v| !matches!(v.ty, Type::Numeric(_))).collect();
        if targets.is_empty() {
            return self.assign();
        }
        let to = targets[self.choices.below(targets.len() as u32) as usize].clone();
        let same: Vec<String> = targets.iter().filter(|v| v.ty == to.ty).map(|v| v.name.clone()).collect();
        let from = |g: &mut Self| same[g.choices.below(same.len() as u32) as usize].clone();
        let a = from(self);
        if let Type::Struct(s) = to.ty
            && self.structs[s].operators
        {
            let (op, b) = (self.choices.pick(&['+', '^']), from(self));
            return self.line(format!("{} = {a} {op} {b};", to.name));
        }
        self.line(format!("{} = {a};", to.name));
    }

    /// A copy of a structure in a buffer.
    fn copy_of_memory(&mut self) {
        let all: Vec<Variable> = self
            .globals
            .iter()
            .filter(|v| v.wild && matches!(&v.ty, Type::Array(of, _) if matches!(**of, Type::Struct(_))))
            .cloned()
            .collect();
        if all.is_empty() {
            return self.assign();
        }
        let from = all[self.choices.below(all.len() as u32) as usize].clone();
        let Type::Array(of, n) = from.ty else { return };
        let index = self.index(n, 2);
        let name = self.name("v");
        let declaration = self.declare(&of, &name);
        let from = super::paths::element(&from.name, from.slot, &index);
        self.line(format!("{declaration} = {from};"));
        self.locals.push(Variable { wild: true, writable: false, ..Variable::local(name, *of) });
    }

    fn conditional(&mut self) {
        let test = self.test();
        let attribute = self.choices.pick(&["", "", "", "[branch] ", "[flatten] "]);
        // What is flattened has no exits.
        let attribute = if attribute == "[flatten] " { "" } else { attribute };
        self.line(format!("{attribute}if ({test}) {{"));
        self.block();
        match self.choices.below(3) {
            0 => self.line("}"),
            1 => {
                self.line("} else {");
                self.block();
                self.line("}");
            }
            _ => {
                let test = self.test();
                self.line(format!("}} else if ({test}) {{"));
                self.block();
                self.line("} else {");
                self.block();
                self.line("}");
            }
        }
    }

    /// Runs `body` as the body of a loop.
    pub(super) fn in_loop(&mut self, trips: u32, body: impl FnOnce(&mut Self)) {
        let (repeat, in_switch) = (self.repeat, self.in_switch);
        (self.repeat, self.in_switch) = (repeat * trips, false);
        self.loops += 1;
        body(self);
        self.loops -= 1;
        (self.repeat, self.in_switch) = (repeat, in_switch);
    }

    fn counted_loop(&mut self) {
        let trips = 1 + self.choices.below(5);
        if self.repeat * trips > ITERATIONS {
            return self.assign();
        }
        let attribute = self.choices.pick(&["", "[loop] ", "[unroll] "]);
        let scalar = self.choices.pick(&[Scalar::Int, Scalar::Uint]);
        let name = self.name("i");
        let t = scalar.name();
        // The number of iterations is a constant or a small number.
        let limit = if attribute == "[unroll] " || self.choices.below(2) == 0 {
            trips.to_string()
        } else {
            let e = self.expression(Numeric::scalar(Scalar::Uint), 2).text;
            format!("({t})({e} % {}u)", trips + 1)
        };
        let head = match self.choices.below(2) {
            0 => format!("for ({t} {name} = 0; {name} < {limit}; ++{name})"),
            _ => format!("for ({t} {name} = 1; {name} <= {limit}; {name} += 1)"),
        };
        self.line(format!("{attribute}{head} {{"));
        self.in_loop(trips, |g| {
            let scope = g.locals.len();
            g.locals.push(Variable::constant(name, Type::Numeric(Numeric::scalar(scalar))));
            g.block();
            g.locals.truncate(scope);
        });
        self.line("}");
    }

    fn conditional_loop(&mut self) {
        let trips = 1 + self.choices.below(4);
        if self.repeat * trips > ITERATIONS {
            return self.assign();
        }
        let name = self.name("w");
        if self.choices.below(2) == 0 {
            let start = self.expression(Numeric::scalar(Scalar::Uint), 2).text;
            self.line(format!("uint {name} = {start} % {}u;", trips + 1));
            self.line(format!("while ({name} != 0u) {{"));
            self.line(format!("  {name} -= 1u;"));
            self.in_loop(trips, Self::block);
            self.line("}");
        } else {
            let test = self.test();
            self.line(format!("uint {name} = 0u;"));
            self.line("do {");
            self.line(format!("  {name} += 1u;"));
            self.in_loop(trips, Self::block);
            self.line(format!("}} while ({name} < {trips}u && {test});"));
        }
    }

    /// A loop that each lane leaves when its number is that of the first lane that is left: every lane executes the body once, in whatever control
    /// flow the loop is.
    fn waterfall(&mut self) {
        let (own, first) = (self.name("k"), self.name("k"));
        let scalar = self.choices.pick(&[Scalar::Uint, Scalar::Int]);
        let (t, key) = (scalar.name(), self.storable(Numeric::scalar(scalar), 3));
        self.line(format!("{t} {own} = {key};"));
        self.line("[loop] while (true) {");
        self.indent += 1;
        self.line(format!("{t} {first} = WaveReadLaneFirst({own});"));
        self.line(format!("if ({first} == {own}) {{"));
        // A lane that goes on without leaving would never end.
        let (loops, scope) = (std::mem::take(&mut self.loops), self.locals.len());
        self.locals.push(Variable::constant(first, Type::Numeric(Numeric::scalar(scalar))));
        self.block();
        self.locals.truncate(scope);
        self.loops = loops;
        self.line("  break;");
        self.line("}");
        self.indent -= 1;
        self.line("}");
    }

    fn switch(&mut self) {
        let cases = 1 + self.choices.below(4);
        let (scalar, modulus) = (self.choices.pick(&[Scalar::Uint, Scalar::Int]), cases + 1);
        let e = self.expression(Numeric::scalar(scalar), 2).text;
        let value = if scalar == Scalar::Uint { format!("{e} % {modulus}u") } else { format!("{e} & 3") };
        self.line(format!("switch ({value}) {{"));
        let outer = std::mem::replace(&mut self.in_switch, true);
        self.indent += 1;
        let default_at = self.choices.below(cases + 2);
        for i in 0..cases {
            if i == default_at {
                self.line("default:");
            }
            self.line(format!("case {i}:"));
            if i + 1 < cases && self.choices.one_in(4) {
                continue;
            }
            self.line("{");
            self.block();
            self.line("  break;");
            self.line("}");
        }
        self.indent -= 1;
        self.in_switch = outer;
        self.line("}");
    }

    /// Leaves a loop, an iteration or the function, on a condition.
    fn exit(&mut self) {
        let test = self.test();
        let in_loop = self.loops > 0;
        match self.choices.weighted(&[
            if in_loop && !self.in_switch { 3 } else { 0 },
            if in_loop { 3 } else { 0 },
            if self.may_return { 2 } else { 0 },
        ]) {
            0 if in_loop && !self.in_switch => self.line(format!("if ({test}) break;")),
            1 => self.line(format!("if ({test}) continue;")),
            2 => {
                let value = self.result.clone().map_or_else(String::new, |ty| format!(" {}", self.value(&ty)));
                self.line(format!("if ({test}) return{value};"));
            }
            _ => {}
        }
    }
}
