//! Vectors of more than four components (shader model 6.9): variables, operations, components chosen at run time.
//!
//! Their components are integers that wrap, so every value is exact.

use super::types::{Numeric, Scalar, Type};
use super::{Generator, Variable};

/// Lengths: odd ones, powers of two, and one above 16.
const LENGTHS: [u32; 5] = [5, 7, 8, 16, 19];

impl Generator {
    /// Some statements with two long vectors, and a scalar that comes out of them.
    pub(super) fn long_vectors(&mut self) {
        let wrapping: Vec<Scalar> = self.scalars.iter().copied().filter(|s| !s.is_bounded() && *s != Scalar::Bool).collect();
        let scalar = self.choices.pick(&wrapping);
        let (n, one) = (self.choices.pick(&LENGTHS), Numeric::scalar(scalar));
        let ty = format!("vector<{}, {n}>", scalar.name());
        let (a, b) = (self.name("l"), self.name("l"));
        let splat = self.storable(one, 3);
        self.line(format!("{ty} {a} = ({ty}){splat};"));
        let parts: Vec<String> = (0..n).map(|_| self.storable(one, 1)).collect();
        self.line(format!("{ty} {b} = {{ {} }};", parts.join(", ")));
        let (mut to, mut from) = (a, b);
        for _ in 0..1 + self.choices.below(5) {
            self.long_operation(&ty, one, n, &to, &from);
            if self.choices.one_in(2) {
                std::mem::swap(&mut to, &mut from);
            }
        }
        let name = self.name("v");
        let index = self.index(n, 2);
        self.line(format!("{} {name} = {to}[{index}];", scalar.name()));
        self.locals.push(Variable::local(&name, Type::Numeric(one)));
    }

    /// A statement that changes the vector `to`.
    fn long_operation(&mut self, ty: &str, one: Numeric, n: u32, to: &str, from: &str) {
        let scalar = one.scalar.name();
        let text = match self.choices.below(9) {
            0 => {
                let (index, value, op) = (self.index(n, 2), self.storable(one, 3), self.choices.pick(&["=", "+=", "^="]));
                format!("{to}[{index}] {op} {value};")
            }
            1 => {
                let op = self.choices.pick(&["+", "-", "*", "&", "|", "^"]);
                format!("{to} = {to} {op} {from};")
            }
            2 => {
                let f = self.choices.pick(&["min", "max"]);
                format!("{to} = {f}({to}, {from});")
            }
            3 => {
                let op = self.choices.pick(&["<", ">=", "==", "!="]);
                format!("{to} = select({to} {op} {from}, {from}, {to} + ({ty})1);")
            }
            4 => {
                let test = self.storable(Numeric::scalar(Scalar::Bool), 2);
                format!("if ({test}) {{ {to} = {from}; }} else {{ {to} = ~{to}; }}")
            }
            5 => {
                let i = self.name("i");
                self.cost += self.repeat * n;
                format!("for (uint {i} = 0u; {i} < {n}u; {i}++) {{ {to}[{i}] += {from}[{n}u - 1u - {i}]; }}")
            }
            6 => format!("{to} = ({ty})((vector<int, {n}>){from}) - {to};"),
            7 => {
                let (all, x) = (self.choices.pick(&["any", "all"]), self.index(n, 1));
                format!("{to}[{x}] = ({scalar}){all}({to} == {from});")
            }
            _ => {
                let amount = self.choices.below(16);
                format!("{to} = ({from} << ({ty}){amount}) + {to};")
            }
        };
        self.line(text);
    }
}
