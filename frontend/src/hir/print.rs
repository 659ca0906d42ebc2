//! Pretty-printer of the typed tree, for tests and debugging: HLSL-like, with every conversion and overload visible.
//!
//! `float3(x)` is a conversion of components, `splat float3(x)` a repetition, `trunc float2(x)` a loss of components, `{a, b} as T` a
//! construction; `a..b` in a call are conversions of an `inout` argument before and after the call, with `_` for the value.

use std::fmt::Write;

use rtc_base::Interner;

use super::*;

/// One function with its body.
pub fn function(m: &Module, names: &Interner, f: FuncId) -> String {
    let func = &m.funcs[f];
    let mut p = Printer { m, names, body: &func.body, out: String::new() };
    let params: Vec<String> = func
        .params
        .iter()
        .map(|q| {
            let mode = match q.pass {
                Pass::In => "",
                Pass::Out => "out ",
                Pass::InOut => "inout ",
                Pass::Ref => "ref ",
            };
            let role = match q.role {
                Role::Plain => String::new(),
                r => format!(" : {r:?}"),
            };
            format!("{mode}{} {}{role}", p.ty(q.ty), p.local(q.local))
        })
        .collect();
    let stage = if func.is_entry() { format!("[{}] ", func.stage.name()) } else { String::new() };
    let export = if func.exported { "export " } else { "" };
    let _ = write!(p.out, "{stage}{export}{} {}({})", p.ty(func.ret), func.qualified, params.join(", "));
    match func.body.root {
        Some(root) => {
            p.out.push(' ');
            p.stmt(root, 0);
        }
        None => p.out.push_str(";\n"),
    }
    p.out
}

/// One expression of a body.
pub fn expr(m: &Module, names: &Interner, body: &Body, e: ExprId) -> String {
    Printer { m, names, body, out: String::new() }.expr(e)
}

struct Printer<'a> {
    m: &'a Module,
    names: &'a Interner,
    body: &'a Body,
    out: String,
}

impl Printer<'_> {
    fn ty(&self, t: Ty) -> String {
        self.m.types.show(t)
    }

    fn local(&self, l: LocalId) -> String {
        let name = self.names.str(self.body.locals[l].name);
        // Names may repeat; the number tells them apart where they do.
        let again = self.body.locals.iter().any(|(k, v)| k != l && v.name == self.body.locals[l].name);
        if name.is_empty() || again { format!("{name}#{}", l.as_u32()) } else { name.to_string() }
    }

    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.out, "{}{text}", "  ".repeat(depth));
    }

    fn stmt(&mut self, s: StmtId, depth: usize) {
        match self.body.stmts[s].kind {
            StmtKind::Block(list) => {
                self.out.push_str("{\n");
                for &s in self.body.list(list) {
                    self.inner(s, depth + 1);
                }
                self.line(depth, "}");
            }
            _ => {
                self.out.push('\n');
                self.inner(s, depth + 1);
            }
        }
    }

    fn inner(&mut self, s: StmtId, depth: usize) {
        let pad = "  ".repeat(depth);
        match self.body.stmts[s].kind {
            StmtKind::Expr(e) => {
                let e = self.expr(e);
                self.line(depth, &format!("{e};"));
            }
            StmtKind::Local(l, init) => {
                let ty = self.ty(self.body.locals[l].ty);
                let init = init.map_or(String::new(), |e| format!(" = {}", self.expr(e)));
                let text = format!("{ty} {}{init};", self.local(l));
                self.line(depth, &text);
            }
            StmtKind::Block(_) => {
                self.out.push_str(&pad);
                self.stmt(s, depth);
            }
            StmtKind::If { cond, then, other, hint } => {
                let cond = self.expr(cond);
                let _ = write!(self.out, "{pad}{}if ({cond}) ", hint_text(hint));
                self.stmt(then, depth);
                if let Some(o) = other {
                    let _ = write!(self.out, "{pad}else ");
                    self.stmt(o, depth);
                }
            }
            StmtKind::Loop { kind, cond, step, body, hint } => {
                let cond = cond.map_or(String::new(), |e| self.expr(e));
                let step = step.map_or(String::new(), |e| format!("; {}", self.expr(e)));
                let word = match kind {
                    LoopKind::TestFirst => "while",
                    LoopKind::TestLast => "do-while",
                };
                let hint = match hint {
                    LoopHint::None => String::new(),
                    LoopHint::Unroll(None) => "[unroll] ".into(),
                    LoopHint::Unroll(Some(n)) => format!("[unroll({n})] "),
                    LoopHint::Loop => "[loop] ".into(),
                    LoopHint::FastOpt => "[fastopt] ".into(),
                    LoopHint::AllowUavCondition => "[allow_uav_condition] ".into(),
                };
                let _ = write!(self.out, "{pad}{hint}{word} ({cond}{step}) ");
                self.stmt(body, depth);
            }
            StmtKind::Switch { value, arms, hint } => {
                let value = self.expr(value);
                self.line(depth, &format!("{}switch ({value}) {{", hint_text(hint)));
                for a in self.body.list(arms).to_vec() {
                    let mut labels: Vec<String> = self.body.list(a.labels).iter().map(|l| format!("case {l}")).collect();
                    if a.default {
                        labels.push("default".into());
                    }
                    let falls = if a.falls_through { " falls through" } else { "" };
                    let _ = write!(self.out, "{pad}{}{falls}: ", labels.join(", "));
                    self.stmt(a.body, depth);
                }
                self.line(depth, "}");
            }
            StmtKind::Break => self.line(depth, "break;"),
            StmtKind::Continue => self.line(depth, "continue;"),
            StmtKind::Return(None) => self.line(depth, "return;"),
            StmtKind::Return(Some(e)) => {
                let e = self.expr(e);
                self.line(depth, &format!("return {e};"));
            }
            StmtKind::Discard => self.line(depth, "discard;"),
        }
    }

    fn exprs(&self, list: List<ExprId>) -> String {
        let all: Vec<String> = self.body.list(list).iter().map(|&e| self.expr(e)).collect();
        all.join(", ")
    }

    fn args(&self, list: List<Arg>) -> String {
        let all: Vec<String> = self
            .body
            .list(list)
            .iter()
            .map(|a| {
                let e = self.expr(a.expr);
                let conversion = match (a.into, a.back) {
                    (None, None) => String::new(),
                    (i, b) => format!(" {}..{}", i.map_or(String::new(), |e| self.expr(e)), b.map_or(String::new(), |e| self.expr(e))),
                };
                let mode = match a.pass {
                    Pass::In => "",
                    Pass::Out => "out ",
                    Pass::InOut => "inout ",
                    Pass::Ref => "ref ",
                };
                format!("{mode}{e}{conversion}")
            })
            .collect();
        all.join(", ")
    }

    fn field(&self, base: ExprId, n: u32) -> &str {
        let t = self.body.exprs[base].ty;
        self.m.types.as_record(t).and_then(|r| self.m.types.records[r].fields.get(n as usize)).map_or("?", |f| self.names.str(f.name))
    }

    fn expr(&self, id: ExprId) -> String {
        let e = &self.body.exprs[id];
        let go = |e| self.expr(e);
        match e.kind {
            ExprKind::Error => "<error>".into(),
            ExprKind::Const(bits) => match self.m.types.elem(e.ty) {
                Some(s) => constant(Const { scalar: s, bits }),
                None => format!("{bits:#x}"),
            },
            ExprKind::Str(s) => format!("{:?}", self.names.str(s)),
            ExprKind::Local(l) => self.local(l),
            ExprKind::Global(g) => self.m.globals[g].qualified.clone(),
            ExprKind::This => "this".into(),
            ExprKind::Hole => "_".into(),
            ExprKind::OwnSampler => "its sampler".into(),
            ExprKind::Field(b, n) => format!("{}.{}", go(b), self.field(b, n)),
            ExprKind::View(b) => format!("({} seen as {})", go(b), self.ty(e.ty)),
            ExprKind::AsBase(b) => format!("({} as {})", go(b), self.ty(e.ty)),
            ExprKind::Contents(b) | ExprKind::Pointee(b) => format!("*{}", go(b)),
            ExprKind::Index(a, b) | ExprKind::Component(a, b) | ExprKind::Row(a, b) | ExprKind::Element(a, b) => {
                format!("{}[{}]", go(a), go(b))
            }
            ExprKind::Texel(a, b, None) => format!("{}[{}]", go(a), go(b)),
            ExprKind::Texel(a, b, Some(c)) => format!("{}.mips[{}][{}]", go(a), go(c), go(b)),
            ExprKind::Heap(s, i) => {
                format!("heap {}{}[{}]", self.ty(e.ty), if s { " sampler" } else { "" }, go(i))
            }
            ExprKind::Swizzle(b, c) => {
                let n = self.m.types.components(e.ty).unwrap_or(1).min(4) as usize;
                let comps: String = c[..n].iter().map(|&c| ['x', 'y', 'z', 'w'][c as usize & 3]).collect();
                format!("{}.{comps}", go(b))
            }
            ExprKind::MatrixSwizzle(b, c) => {
                let n = self.m.types.components(e.ty).unwrap_or(1).min(4) as usize;
                let comps: String = c[..n].iter().map(|&c| format!("_m{}{}", c / 4, c % 4)).collect();
                format!("{}.{comps}", go(b))
            }
            ExprKind::Unary(op, a) => {
                let op = match op {
                    UnaryOp::Neg => "-",
                    UnaryOp::BitNot => "~",
                    UnaryOp::Not => "!",
                };
                format!("{op}{}", go(a))
            }
            ExprKind::Binary(..) | ExprKind::And(..) | ExprKind::Or(..) => {
                let (first, rest) = self.body.left_spine(id);
                let rest: Vec<_> = rest.collect();
                let mut text = "(".repeat(rest.len());
                text.push_str(&go(first));
                for (whole, right) in rest {
                    let op = match self.body.exprs[whole].kind {
                        ExprKind::Binary(op, ..) => op_text(op),
                        ExprKind::And(..) => "&&",
                        _ => "||",
                    };
                    let _ = write!(text, " {op} {})", go(right));
                }
                text
            }
            ExprKind::Conditional(c, a, b) => format!("({} ? {} : {})", go(c), go(a), go(b)),
            ExprKind::Select(c, a, b) => format!("select({}, {}, {})", go(c), go(a), go(b)),
            ExprKind::Assign(a, b) => format!("{} = {}", go(a), go(b)),
            ExprKind::Update { to, op, value, into, back, post } => {
                let conversion = match (into, back) {
                    (None, None) => String::new(),
                    (i, b) => {
                        format!(" via {}..{}", i.map_or("_".into(), go), b.map_or("_".into(), go))
                    }
                };
                let post = if post { " (old)" } else { "" };
                format!("{} {}= {}{conversion}{post}", go(to), op_text(op), go(value))
            }
            ExprKind::Convert(a) => format!("{}({})", self.ty(e.ty), go(a)),
            ExprKind::Splat(a) => format!("splat {}({})", self.ty(e.ty), go(a)),
            ExprKind::Truncate(a) => format!("trunc {}({})", self.ty(e.ty), go(a)),
            ExprKind::Construct(list) => format!("{{{}}} as {}", self.exprs(list), self.ty(e.ty)),
            ExprKind::Call { func, this, args } => {
                let f = &self.m.funcs[func];
                let this = this.map_or(String::new(), |t| format!("{}.", go(t)));
                format!("{this}{}({})", f.qualified, self.args(args))
            }
            ExprKind::Intrinsic { row, object, args } => {
                let this = object.map_or(String::new(), |t| format!("{}.", go(t)));
                format!("{this}{}({})", row.name, self.args(args))
            }
            ExprKind::Comma(a, b) => format!("({}, {})", go(a), go(b)),
        }
    }
}

fn hint_text(hint: Branch) -> String {
    let sides = match hint.sides {
        Sides::Any => "",
        Sides::Branch => "[branch] ",
        Sides::Flatten => "[flatten] ",
        Sides::Call => "[call] ",
    };
    format!("{sides}{}", if hint.force_case { "[forcecase] " } else { "" })
}

fn op_text(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::And => "&",
        BinaryOp::Or => "|",
        BinaryOp::Xor => "^",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::Ge => ">=",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
    }
}

/// A constant: as a literal with the suffix of its type.
pub fn constant(c: Const) -> String {
    match (c.scalar, c.as_int()) {
        (Scalar::Bool, _) => c.is_true().to_string(),
        (Scalar::Uint, Some(n)) => format!("{n}u"),
        (Scalar::Int | Scalar::LitInt, Some(n)) => n.to_string(),
        (s, Some(n)) => format!("{}({n})", s.name()),
        (Scalar::Float, None) => format!("{:?}", f32::from_bits(c.bits as u32)),
        (s, None) => format!("{}({:?})", s.name(), c.as_f64()),
    }
}
