//! Templates and their instances as data: what is declared, and what it is instantiated with.

use rtc_base::{Span, Symbol};
use rustc_hash::FxHashMap;

use super::scope::{CtxId, TemplateId};
use crate::hir::{FuncId, RecordId, Ty};
use crate::syntax::ast;

/// The value of a template parameter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArgValue {
    /// A type.
    Type(Ty),
    /// A constant.
    Value(Ty, u64),
}

/// An instance.
#[derive(Clone, Copy, Debug)]
pub enum Instance {
    /// Of a class or alias.
    Type(Ty),
    /// Of a function.
    Func(FuncId),
    /// Instantiation failed.
    Failed,
}

/// The kind of a template.
#[derive(Clone, Copy)]
pub enum TemplateKind {
    /// A record.
    Record(ast::DeclId),
    /// A type.
    Alias(ast::TypeId),
    /// A function.
    Function(ast::DeclId),
}

/// A partial or full specialisation of a class template.
#[derive(Clone, Copy)]
pub struct Specialisation {
    /// Its own parameters.
    pub params: ast::List<ast::TemplateParam>,
    /// The arguments that it is for.
    pub args: ast::List<ast::TemplateArg>,
    /// The record.
    pub decl: ast::DeclId,
    /// Its context.
    pub ctx: CtxId,
}

/// A template.
pub struct Template {
    /// Its name.
    pub name: Symbol,
    /// Where it is declared.
    pub span: Span,
    /// Its parameters.
    pub params: ast::List<ast::TemplateParam>,
    /// Its kind.
    pub kind: TemplateKind,
    /// Its context.
    pub ctx: CtxId,
    /// Function templates: the number of function parameters.
    pub params_len: usize,
    /// Class templates: specialisations.
    pub special: Vec<Specialisation>,
    /// Class templates: members defined outside.
    pub outside: Vec<OutOfLine>,
    /// How many instances there are.
    pub count: u32,
}

/// A definition of a member outside of its class template.
#[derive(Clone, Copy)]
pub struct OutOfLine {
    /// The function, without the qualifier of its name.
    pub function: ast::Function,
    /// The class template's parameters, as this definition names them.
    pub params: ast::List<ast::TemplateParam>,
    /// The attributes of the definition.
    pub attrs: ast::List<ast::Attr>,
}

/// Which template a record is an instance of, and its arguments.
pub type InstanceArgs = FxHashMap<RecordId, (TemplateId, Vec<ArgValue>)>;
