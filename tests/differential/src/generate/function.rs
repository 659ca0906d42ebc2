//! Functions: with and without side effects, `inout` and `out` parameters, early returns.

use super::types::{Numeric, Scalar, Type};
use super::{Definition, Function, Generator, Mode, Variable};

/// Statements that an entry point or a function executes at most, about.
pub const MAX_COST: u32 = 400;

impl Generator {
    /// Some functions.
    pub(super) fn functions(&mut self) {
        while self.functions.len() < 6 && self.more(2) {
            let definition = self.function_of(None, Vec::new());
            self.definitions.push(definition);
        }
    }

    /// A function, or a method of a structure whose members are `members`. Its text; it is known from now on.
    pub(super) fn function_of(&mut self, of: Option<usize>, members: Vec<Variable>) -> Definition {
        let name = self.name(if of.is_some() { "m" } else { "F" });
        let is_pure = of.is_none() && self.choices.below(2) == 0;
        let mut parameters = Vec::new();
        while parameters.len() < 4 && self.more(2) {
            let ty = if is_pure { Type::Numeric(self.numeric()) } else { self.member_type(true) };
            let mode = if is_pure { Mode::In } else { self.choices.pick(&[Mode::In, Mode::InOut, Mode::Out]) };
            // What an array holds after `out` is more than one expression.
            let mode = if mode == Mode::Out && matches!(ty, Type::Array(..)) { Mode::InOut } else { mode };
            parameters.push((mode, ty));
        }
        let result = match self.choices.weighted(&[4, 1, if is_pure { 0 } else { 1 }]) {
            1 if !is_pure && !self.structs.is_empty() && of.is_none() => {
                Some(Type::Struct(self.choices.below(self.structs.len() as u32) as usize))
            }
            2 => None,
            _ => Some(Type::Numeric(self.numeric())),
        };
        let outer_text = std::mem::take(&mut self.text);
        let outer_locals = std::mem::replace(&mut self.locals, members);
        let (indent, cost, repeat) = (self.indent, self.cost, self.repeat);
        (self.indent, self.cost, self.repeat, self.loops, self.in_switch, self.uniform) = (1, 0, 1, 0, false, false);
        (self.may_write, self.may_return) = (!is_pure, true);
        self.result = result.clone();
        let mut list = Vec::new();
        let mut assigned = Vec::new();
        for (i, (mode, ty)) in parameters.iter().enumerate() {
            let name = format!("p{i}");
            let word = match mode {
                Mode::In => "",
                Mode::Out => "out ",
                Mode::InOut => "inout ",
            };
            list.push(format!("{word}{}", self.declare(ty, &name)));
            if *mode == Mode::Out {
                assigned.push((name.clone(), ty.clone()));
            }
            self.locals.push(Variable::local(name, ty.clone()));
        }
        let mut zeros = String::new();
        for (name, ty) in assigned {
            zeros += &format!("  {name} = {};\n", self.zero(&ty));
        }
        self.budget = 7;
        self.statements(4);
        if let Some(ty) = result.clone() {
            let value = self.value(&ty);
            self.line(format!("return {value};"));
        }
        let body = std::mem::replace(&mut self.text, outer_text);
        self.locals = outer_locals;
        let cost = 1 + std::mem::replace(&mut self.cost, cost);
        (self.indent, self.repeat, self.may_write, self.may_return) = (indent, repeat, true, false);
        let returns = result.as_ref().map_or("void".to_string(), |t| self.type_name(t));
        let definition = Definition { head: format!("{returns} {name}({})", list.join(", ")), body: format!("{{\n{zeros}{body}}}\n") };
        self.functions.push(Function { name, parameters, result, is_pure, of, cost });
        definition
    }

    /// Zeros of a type: an initialiser of arrays, a cast of all else.
    pub(super) fn zero(&self, ty: &Type) -> String {
        match ty {
            Type::Array(of, n) => format!("{{ {} }}", vec![self.zero(of); *n as usize].join(", ")),
            _ => format!("({})0", self.type_name(ty)),
        }
    }

    /// A value of a type that is not an array, as an expression.
    pub(super) fn value(&mut self, ty: &Type) -> String {
        match ty {
            Type::Numeric(n) => self.storable(*n, 3),
            _ => {
                let same: Vec<String> = self.locals.iter().filter(|v| v.ty == *ty && !v.wild).map(|v| v.name.clone()).collect();
                if same.is_empty() { self.zero(ty) } else { same[self.choices.below(same.len() as u32) as usize].clone() }
            }
        }
    }

    /// A statement that calls a function with side effects, or a method; its result is a new variable.
    pub(super) fn call_statement(&mut self) {
        let (repeat, spent, may) = (self.repeat, self.cost, self.may_write);
        let all: Vec<Function> = self
            .functions
            .iter()
            .filter(|f| !f.is_pure && may && spent + f.cost * repeat < MAX_COST)
            .filter(|f| f.of.is_none_or(|s| self.locals.iter().any(|v| v.ty == Type::Struct(s) && v.writable && !v.wild)))
            .cloned()
            .collect();
        if all.is_empty() {
            return self.assign();
        }
        let f = all[self.choices.below(all.len() as u32) as usize].clone();
        // Arguments that are written are variables or parts of them, each of a different one.
        let mut used: Vec<String> = Vec::new();
        let mut object = String::new();
        if let Some(s) = f.of {
            object = format!("{}.", self.reference(&Type::Struct(s), true, &mut used));
        }
        let mut arguments = Vec::new();
        for (mode, ty) in &f.parameters {
            let argument = match (mode, ty) {
                (Mode::In, Type::Numeric(_)) => self.value(ty),
                _ => self.reference(ty, *mode != Mode::In, &mut used),
            };
            arguments.push(argument);
        }
        self.cost += f.cost * self.repeat;
        let call = format!("{object}{}({})", f.name, arguments.join(", "));
        match &f.result {
            Some(ty) => {
                let name = self.name("v");
                let declaration = self.declare(ty, &name);
                self.line(format!("{declaration} = {call};"));
                self.locals.push(Variable::local(name, ty.clone()));
            }
            None => self.line(format!("{call};")),
        }
    }

    /// An l-value of a type in a local variable: the variable or a part of it. If the call writes it (`written`), no earlier argument writes that
    /// variable: `used` are the names of those that do.
    fn reference(&mut self, ty: &Type, written: bool, used: &mut Vec<String>) -> String {
        let fits =
            |v: &&Variable| self.holds(&v.ty, ty) && !v.wild && v.slot.is_empty() && (!written || (v.writable && !used.contains(&v.name)));
        let all: Vec<Variable> = self.locals.iter().filter(fits).cloned().collect();
        let v = match all.len() {
            0 => Variable::local(self.new_local(ty), ty.clone()),
            n => all[self.choices.below(n as u32) as usize].clone(),
        };
        if written {
            used.push(v.name.clone());
        }
        self.part_of(&v, ty)
    }

    /// A condition.
    pub(super) fn test(&mut self) -> String {
        self.condition(Numeric::scalar(Scalar::Bool), 3).text
    }
}
