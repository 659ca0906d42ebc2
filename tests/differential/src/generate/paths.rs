//! Paths from a variable to a scalar, vector or matrix in it: `s.a[i % 3u].m[1]`.

use super::types::{Field, Numeric, Type};
use super::{Generator, Variable};

/// A path.
#[derive(Clone, Debug)]
pub struct Path {
    /// HLSL.
    pub text: String,
    /// What is there.
    pub ty: Numeric,
    /// Its floats are arbitrary.
    pub wild: bool,
    /// It is a bit-field.
    pub is_bits: bool,
}

impl Generator {
    /// All members of a structure, those of its bases first.
    pub(super) fn fields(&self, s: usize) -> Vec<Field> {
        let mut all = self.structs[s].base.map_or_else(Vec::new, |b| self.fields(b));
        all.extend(self.structs[s].fields.iter().cloned());
        all
    }

    /// A random path into a variable. Indices are constants if `depth` is zero.
    pub(super) fn path_into(&mut self, v: &Variable, depth: u32) -> Path {
        let (mut text, mut ty, mut slot, mut is_bits) = (v.name.clone(), v.ty.clone(), v.slot, false);
        loop {
            match ty {
                Type::Numeric(n) => return Path { text, ty: n, wild: v.wild, is_bits },
                Type::Array(of, n) => {
                    text = element(&text, slot, &self.index(n, depth));
                    slot = "";
                    ty = *of;
                }
                Type::Struct(s) => {
                    let fields = self.fields(s);
                    let f = &fields[self.choices.below(fields.len() as u32) as usize];
                    text = format!("{text}.{}", f.name);
                    is_bits = f.width.is_some();
                    ty = f.ty.clone();
                }
            }
        }
    }

    /// Whether a value of a type has a part that a call can write in place of a variable of the type `want`. Bit-fields have none.
    pub(super) fn holds(&self, of: &Type, want: &Type) -> bool {
        of == want
            || match (of, want) {
                (Type::Numeric(n), Type::Numeric(w)) => n.scalar == w.scalar && !w.is_matrix() && w.columns <= n.columns,
                (Type::Numeric(_), _) => false,
                (Type::Array(of, _), _) => self.holds(of, want),
                (Type::Struct(s), _) => self.fields(*s).iter().any(|f| f.width.is_none() && self.holds(&f.ty, want)),
            }
    }

    /// A part of a variable, which has such a part: elements, members, rows, components.
    pub(super) fn part_of(&mut self, v: &Variable, want: &Type) -> String {
        let (mut text, mut ty) = (v.name.clone(), v.ty.clone());
        while ty != *want {
            match ty {
                Type::Numeric(n) => {
                    let Type::Numeric(w) = *want else { return text };
                    return self.components_of(text, n, w);
                }
                Type::Array(of, n) => {
                    text = format!("{text}[{}]", self.index(n, 1));
                    ty = *of;
                }
                Type::Struct(s) => {
                    let fit: Vec<Field> = self.fields(s).into_iter().filter(|f| f.width.is_none() && self.holds(&f.ty, want)).collect();
                    let f = &fit[self.choices.below(fit.len() as u32) as usize];
                    text = format!("{text}.{}", f.name);
                    ty = f.ty.clone();
                }
            }
        }
        text
    }

    /// Some components of a vector or of a row of a matrix, each once.
    fn components_of(&mut self, mut text: String, mut n: Numeric, want: Numeric) -> String {
        if n.is_matrix() {
            text = format!("{text}[{}]", self.index(n.rows, 1));
            n = n.row();
        }
        if n == want {
            return text;
        }
        if want.is_scalar() && self.choices.one_in(2) {
            return format!("{text}[{}]", self.index(n.columns, 1));
        }
        format!("{text}.{}", self.distinct_components(n.columns, want.columns))
    }

    /// A swizzle that names each component once at most.
    pub(super) fn distinct_components(&mut self, of: u32, n: u32) -> String {
        let mut letters = vec!['x', 'y', 'z', 'w'];
        letters.truncate(of as usize);
        (0..n).map(|_| letters.remove(self.choices.below(letters.len() as u32) as usize)).collect()
    }

    /// An index below `n`.
    pub(super) fn index(&mut self, n: u32, depth: u32) -> String {
        if depth == 0 || self.choices.below(2) == 0 {
            return format!("{}u", self.choices.below(n));
        }
        let e = self.expression(Numeric::scalar(super::Scalar::Uint), depth - 1).text;
        match n {
            2 | 4 | 8 | 16 => format!("({e} & {}u)", n - 1),
            _ => format!("({e} % {n}u)"),
        }
    }

    /// A path into some variable in scope.
    pub(super) fn any_path(&mut self, depth: u32) -> Option<Path> {
        let count = self.locals.len() + self.globals.len();
        if count == 0 {
            return None;
        }
        // Locals are the simplest, the last one first.
        let at = self.choices.below(count as u32) as usize;
        let v = match self.locals.len().checked_sub(at + 1) {
            Some(local) => self.locals[local].clone(),
            None => self.globals[at - self.locals.len()].clone(),
        };
        Some(self.path_into(&v, depth))
    }

    /// A path that may be written.
    pub(super) fn writable_path(&mut self, depth: u32) -> Option<Path> {
        let may = self.may_write;
        let all: Vec<Variable> =
            self.locals.iter().rev().chain(&self.globals).filter(|v| v.writable && (may || !v.global)).cloned().collect();
        if all.is_empty() {
            return None;
        }
        let v = all[self.choices.below(all.len() as u32) as usize].clone();
        Some(self.path_into(&v, depth))
    }

    /// All paths of a variable, with constant indices.
    pub(super) fn all_paths(&self, v: &Variable) -> Vec<Path> {
        let mut out = Vec::new();
        self.collect_paths(v.name.clone(), &v.ty, v.slot, v.wild, false, &mut out);
        out
    }

    fn collect_paths(&self, text: String, ty: &Type, slot: &str, wild: bool, is_bits: bool, out: &mut Vec<Path>) {
        match ty {
            Type::Numeric(n) => out.push(Path { text, ty: *n, wild, is_bits }),
            Type::Array(of, n) => {
                for i in 0..*n {
                    self.collect_paths(element(&text, slot, &format!("{i}u")), of, "", wild, false, out);
                }
            }
            Type::Struct(s) => {
                for f in self.fields(*s) {
                    self.collect_paths(format!("{text}.{}", f.name), &f.ty, "", wild, f.width.is_some(), out);
                }
            }
        }
    }
}

/// An element of an array.
pub(super) fn element(text: &str, slot: &str, index: &str) -> String {
    match slot {
        super::resources::NON_UNIFORM => format!("{text}[{slot}({index})]"),
        // A texture.
        _ if slot.starts_with('%') => slot.replace('%', text).replace('#', index),
        _ => format!("{text}[{slot}{index}]"),
    }
}
