//! `base.name`: member variables, swizzles, static members, `mips`. (Methods: [`super::call`].)

use rtc_base::Span;
use rtc_base::similar::Nearest;

use super::context::Sema;
use super::errors::{exprs as err, names as err_names};
use super::scope::Binding;
use crate::hir::{Category, ExprId, ExprKind, RecordId, Scalar, Ty, TyKind};
use crate::syntax::ast;

impl Sema<'_> {
    /// `base.path`, not called.
    pub fn member_expr(&mut self, base: ast::ExprId, path: ast::PathId, span: Span) -> ExprId {
        let base = self.expr(base);
        if self.is_error(base) {
            return self.error_expr(span);
        }
        let Some(name) = self.ast.last_name(path) else {
            return self.error_expr(span);
        };
        let base = match self.qualified_base(base, path) {
            Some(b) => b,
            None => return self.error_expr(span),
        };
        self.probe_member(self.ty(base), name.sym);
        self.member(base, name, span)
    }

    /// For `x.Base::f`: x as `Base`.
    pub fn qualified_base(&mut self, base: ExprId, path: ast::PathId) -> Option<ExprId> {
        if self.ast.simple_name(path).is_some() || self.ast.list(self.ast.paths[path].segments).len() == 1 {
            return Some(base);
        }
        match self.path_qualifier(path) {
            Some(super::scope::Qualifier::Type(t)) if self.implicit_cost(self.ty(base), t).is_some() => {
                Some(self.convert(base, t, super::conversion::ConversionKind::Implicit))
            }
            _ => {
                let text = self.sources.snippet(self.ast.paths[path].span).to_string();
                let d = err_names::no_member(self.ast.paths[path].span, &text, &self.show(self.ty(base)), None);
                self.report(d);
                None
            }
        }
    }

    fn member(&mut self, base: ExprId, name: ast::Name, span: Span) -> ExprId {
        let ty = self.ty(base);
        match self.kind(ty) {
            TyKind::Record(r) => self.record_member(base, r, name, span),
            TyKind::Vector(s, n) => {
                let text = self.str(name.sym).to_string();
                let components =
                    if n > 4 { Err("vectors of more than four components have no swizzles; index them") } else { swizzle(&text, n) };
                match components {
                    Ok(comps) => self.swizzle(base, s, &comps, span),
                    Err(why) => self.bad_swizzle(name, ty, why, span),
                }
            }
            TyKind::Scalar(_) => {
                let text = self.str(name.sym).to_string();
                match swizzle(&text, 1) {
                    Ok(comps) => {
                        let s = self.m.types.elem(self.ty(base)).unwrap_or(Scalar::Float);
                        self.swizzle(base, s, &comps, span)
                    }
                    Err(why) => self.bad_swizzle(name, ty, why, span),
                }
            }
            TyKind::Matrix { scalar, rows, cols, .. } => {
                let text = self.str(name.sym).to_string();
                match matrix_swizzle(&text, rows, cols) {
                    Ok(comps) => {
                        let (t, category) = self.swizzled(base, scalar, &comps);
                        let mut all = [0; 4];
                        all[..comps.len()].copy_from_slice(&comps);
                        self.push(ExprKind::MatrixSwizzle(base, all), t, category, span)
                    }
                    Err(why) => self.bad_swizzle(name, ty, why, span),
                }
            }
            TyKind::Resource(r) => {
                let text = self.str(name.sym).to_string();
                let levels = r.kind.is_texture() && r.class == rtc_tables::resources::ResourceClass::Srv;
                let multi = r.kind.is_multisampled();
                match text.as_str() {
                    "mips" if levels && !multi => {
                        let t = self.m.types.intern(TyKind::MipsOf(ty, false));
                        self.value(ExprKind::Convert(base), t, span)
                    }
                    "sample" if multi && !r.kind.is_subpass() => {
                        let t = self.m.types.intern(TyKind::MipsOf(ty, true));
                        self.value(ExprKind::Convert(base), t, span)
                    }
                    _ if super::resource::has_contents(&r) => {
                        let inside = self.contents(base);
                        self.member(inside, name, span)
                    }
                    _ => self.no_member(name, ty, span),
                }
            }
            // HLSL 2016 has it; newer versions do not.
            TyKind::Array(_, Some(n)) if self.opts.hlsl_version <= 2016 && self.str(name.sym) == "Length" => {
                self.value(ExprKind::Const(n.into()), Ty::UINT, span)
            }
            TyKind::Patch(_, _, n) if self.str(name.sym) == "Length" => {
                self.value(ExprKind::Const(n.into()), Ty::scalar(Scalar::Uint), span)
            }
            _ => self.no_member(name, ty, span),
        }
    }

    fn no_member(&mut self, name: ast::Name, ty: Ty, span: Span) -> ExprId {
        let text = self.str(name.sym).to_string();
        let near = match self.kind(ty) {
            TyKind::Record(r) => self.similar_member(r, &text),
            _ => None,
        };
        let is_method = match self.kind(ty) {
            TyKind::Resource(r) => {
                let scope = rtc_tables::intrinsics::Scope::Method(r.object.info().methods_of);
                rtc_tables::intrinsics::exists(scope, &text)
            }
            _ => false,
        };
        let d = if is_method {
            err_names::method_is_no_value(name.span, &text)
        } else {
            err_names::no_member(name.span, &text, &self.show(ty), near)
        };
        self.report(d);
        self.error_expr(span)
    }

    pub fn similar_member(&self, record: RecordId, text: &str) -> Option<String> {
        let mut near = Nearest::new(text);
        let mut at = Some(record);
        while let Some(r) = at {
            self.records[r].names.keys().for_each(|s| near.consider(self.str(*s)));
            at = self.m.types.records[r].base;
        }
        near.found()
    }

    fn record_member(&mut self, base: ExprId, r: RecordId, name: ast::Name, span: Span) -> ExprId {
        let Some(found) = self.lookup_member(r, name.sym) else {
            let ty = self.ty(base);
            return self.no_member(name, ty, span);
        };
        self.note_use(name, found);
        if let Some(field) = self.bound_field(base, found.binding, span) {
            return field;
        }
        match found.binding {
            Binding::Functions(_) => {
                let text = self.str(name.sym).to_string();
                self.report(err_names::method_is_no_value(name.span, &text));
                self.error_expr(span)
            }
            _ => self.binding_expr(found, span),
        }
    }

    fn swizzle(&mut self, base: ExprId, s: Scalar, comps: &[u8], span: Span) -> ExprId {
        let (ty, category) = self.swizzled(base, s, comps);
        let mut all = [0; 4];
        all[..comps.len()].copy_from_slice(comps);
        self.push(ExprKind::Swizzle(base, all), ty, category, span)
    }

    /// Type and category of some components of `base`.
    fn swizzled(&mut self, base: ExprId, s: Scalar, comps: &[u8]) -> (Ty, Category) {
        let ty = match comps.len() {
            1 => Ty::scalar(s),
            n => self.m.types.vector(s, n as u32),
        };
        (ty, self.e(base).category)
    }

    fn bad_swizzle(&mut self, name: ast::Name, ty: Ty, why: &'static str, span: Span) -> ExprId {
        let text = self.str(name.sym).to_string();
        let d = err::bad_swizzle(name.span, &text, &self.show(ty), why);
        self.report(d);
        self.error_expr(span)
    }
}

/// The components that `text` names in a vector of `n`.
///
/// # Errors
/// Why it names none, as a sentence.
pub fn swizzle(text: &str, n: u32) -> Result<Vec<u8>, &'static str> {
    if text.is_empty() || text.len() > 4 {
        return Err("a swizzle has one to four letters");
    }
    let set = if text.bytes().all(|b| b"xyzw".contains(&b)) {
        "xyzw"
    } else if text.bytes().all(|b| b"rgba".contains(&b)) {
        "rgba"
    } else if text.bytes().all(|b| b"xyzwrgba".contains(&b)) {
        return Err("letters of `xyzw` and `rgba` cannot be mixed");
    } else {
        return Err("components are named `xyzw` or `rgba`");
    };
    let mut out = Vec::with_capacity(4);
    for c in text.chars() {
        let i = set.find(c).unwrap_or(0) as u8;
        if i as u32 >= n {
            return Err("a component is out of range");
        }
        out.push(i);
    }
    Ok(out)
}

/// The components that `text` (`_m00_m11`, `_11_22`) names in a matrix: row times 4 plus column.
///
/// # Errors
/// Why it names none, as a sentence.
pub fn matrix_swizzle(text: &str, rows: u8, cols: u8) -> Result<Vec<u8>, &'static str> {
    const FORM: &str = "components of a matrix are named `_m00` (from 0) or `_11` (from 1)";
    let mut out = Vec::with_capacity(4);
    let mut rest = text.as_bytes();
    let mut zero_based = None;
    while !rest.is_empty() {
        if out.len() == 4 {
            return Err("a swizzle has one to four components");
        }
        let (zero, digits) = match rest {
            [b'_', b'm', r, c, ..] => (true, [*r, *c]),
            [b'_', r, c, ..] => (false, [*r, *c]),
            _ => return Err(FORM),
        };
        if *zero_based.get_or_insert(zero) != zero {
            return Err("`_m00` and `_11` cannot be mixed");
        }
        rest = &rest[if zero { 4 } else { 3 }..];
        let first = if zero { b'0' } else { b'1' };
        if digits.iter().any(|d| !d.is_ascii_digit()) {
            return Err(FORM);
        }
        let (Some(r), Some(c)) = (digits[0].checked_sub(first), digits[1].checked_sub(first)) else {
            return Err("a component is out of range");
        };
        if r >= rows || c >= cols {
            return Err("a component is out of range");
        }
        out.push(r * 4 + c);
    }
    if out.is_empty() { Err(FORM) } else { Ok(out) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vector_swizzles() {
        assert_eq!(swizzle("wzyx", 4), Ok(vec![3, 2, 1, 0]));
        assert_eq!(swizzle("rg", 2), Ok(vec![0, 1]));
        assert!(swizzle("xg", 4).is_err());
        assert!(swizzle("z", 2).is_err());
        assert!(swizzle("xxxxx", 4).is_err());
    }

    #[test]
    fn matrix_swizzles() {
        assert_eq!(matrix_swizzle("_m00_m12", 3, 4), Ok(vec![0, 6]));
        assert_eq!(matrix_swizzle("_11_34", 3, 4), Ok(vec![0, 11]));
        assert!(matrix_swizzle("_m00_11", 4, 4).is_err());
        assert!(matrix_swizzle("_m30", 3, 3).is_err());
        assert!(matrix_swizzle("_01", 3, 3).is_err());
        assert!(matrix_swizzle("_", 3, 3).is_err());
    }
}
