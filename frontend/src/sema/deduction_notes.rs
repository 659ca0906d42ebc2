//! Notes of failed template argument deduction: repeats the deduction for a diagnostic, with reasons.

use super::context::Sema;
use super::instance::TemplateKind;
use super::scope::TemplateId;
use super::template::Bindings;
use crate::hir::{Ty, TyKind};
use crate::syntax::ast::{self, DeclKind, TemplateArg, TemplateParamKind};

/// The length limit of printed signatures.
const LONGEST_SIGNATURE: usize = 160;

impl Sema<'_> {
    /// A template as written, up to its body.
    pub fn show_template(&self, t: TemplateId) -> String {
        let t = &self.templates[t];
        let name = self.str(t.name);
        let params = self.ast.list(t.params);
        let head = match (params.first(), params.last()) {
            (Some(a), Some(b)) => self.sources.snippet(a.span.to(b.span)),
            _ => "",
        };
        let mut text = format!("template <{head}> {name}");
        if let TemplateKind::Function(id) = t.kind
            && let DeclKind::Function(f) = self.ast.decls[id].kind
        {
            let written: Vec<String> = self
                .ast
                .list(f.params)
                .iter()
                .map(|p| self.sources.snippet(p.span).split_whitespace().collect::<Vec<_>>().join(" "))
                .collect();
            text.push_str(&format!("({})", written.join(", ")));
        }
        if text.len() > LONGEST_SIGNATURE {
            let end = (0..=LONGEST_SIGNATURE).rev().find(|&i| text.is_char_boundary(i));
            text.truncate(end.unwrap_or(0));
            text.push('…');
        }
        text
    }

    /// Why function template `t` has no instance for arguments of `types`.
    pub fn why_not_deduced(&mut self, t: TemplateId, explicit: Option<ast::List<TemplateArg>>, types: &[Ty]) -> String {
        let TemplateKind::Function(id) = self.templates[t].kind else {
            return "it makes no functions".into();
        };
        let DeclKind::Function(f) = self.ast.decls[id].kind else {
            return "it makes no functions".into();
        };
        let params = self.template_params(t);
        let given = explicit.map_or(Vec::new(), |l| self.ast.list(l).to_vec());
        let fparams = self.ast.list(f.params).to_vec();
        let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        if given.len() > params.len() {
            return format!("it has {}, not {}", count(params.len(), "template parameter"), given.len());
        }
        if types.len() > fparams.len() {
            return format!("takes {}", count(fparams.len(), "argument"));
        }
        let named = |s: &Self, p: &ast::TemplateParam| p.name.map_or("its parameter".into(), |n| format!("`{}`", s.str(n.sym)));
        let wrong = self.muted(|s| params.iter().zip(&given).find(|&(p, &a)| s.arg_value(p, a).is_none()));
        if let Some((p, _)) = wrong {
            let what = match p.kind {
                TemplateParamKind::Type(_) => "a type",
                TemplateParamKind::Value(..) => "a constant",
                TemplateParamKind::Template(..) => "a class template",
            };
            return format!("{} must be {what}", named(self, p));
        }
        let mut bound = Bindings::default();
        let fixed = params.iter().take(given.len());
        bound.fixed = fixed.filter_map(|p| p.name.map(|n| n.sym)).collect();
        let ctx = self.templates[t].ctx;
        self.reports.mute();
        let clash = self.in_ctx(ctx, |s| {
            fparams.iter().zip(types).position(|(p, &ty)| {
                let mut ty = ty;
                for _ in 0..p.dims.len() {
                    if let TyKind::Array(e, _) = s.kind(ty) {
                        ty = e;
                    }
                }
                !s.unify(p.ty, ty, &params, &mut bound)
            })
        });
        self.reports.unmute();
        if let Some(n) = clash {
            let is = self.show(types[n]);
            return format!("argument {} is `{is}`, which contradicts the arguments before it", n + 1);
        }
        let open = params.iter().skip(given.len()).find(|p| {
            use TemplateParamKind as K;
            let default = matches!(p.kind, K::Type(Some(_)) | K::Value(_, Some(_)) | K::Template(_, Some(_)));
            !default && p.name.is_none_or(|n| !bound.values.contains_key(&n.sym))
        });
        match open {
            Some(p) => format!("nothing tells what {} is", named(self, p)),
            None => "its parameters make no sense with these arguments".into(),
        }
    }
}
