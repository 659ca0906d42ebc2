//! Templates and their instances as data: what is declared, and what it is instantiated with.

use rtc_base::{Span, Symbol};

use super::scope::{Binding, CtxId, Horizon, TemplateId};
use crate::hir::{FuncId, GlobalId, Ty};
use crate::syntax::ast;

/// The value of a template parameter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArgValue {
    /// A type.
    Type(Ty),
    /// A constant.
    Value(Ty, u64),
    /// A class or alias template.
    Template(TemplateId),
}

impl ArgValue {
    /// What the name of the parameter is bound to. A type that is an error stands for any value.
    pub fn binding(self) -> Binding {
        match self {
            ArgValue::Type(Ty::ERROR) => Binding::Error,
            ArgValue::Type(t) => Binding::Type(t),
            ArgValue::Value(t, bits) => Binding::Value(t, bits),
            ArgValue::Template(t) => Binding::Template(t),
        }
    }
}

/// An instance.
#[derive(Clone, Copy, Debug)]
pub enum Instance {
    /// Of a class or alias.
    Type(Ty),
    /// Of a function.
    Func(FuncId),
    /// Of a variable.
    Global(GlobalId),
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
    /// A variable.
    Variable(ast::DeclId),
}

impl TemplateKind {
    /// Whether its instances are types.
    pub fn is_type(self) -> bool {
        matches!(self, TemplateKind::Record(_) | TemplateKind::Alias(_))
    }
}

/// A partial or full specialisation of a class or variable template.
#[derive(Clone)]
pub struct Specialisation {
    /// Its own parameters.
    pub params: ast::List<ast::TemplateParam>,
    /// The arguments that it is for.
    pub args: ast::List<ast::TemplateArg>,
    /// The record or variable.
    pub decl: ast::DeclId,
    /// Its context.
    pub ctx: CtxId,
    /// Members defined outside.
    pub outside: OutOfLines,
}

/// A template.
#[derive(Clone)]
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
    /// Its name and those around it, innermost first, for mangling.
    pub path: Vec<String>,
    /// Function templates: the number of function parameters.
    pub params_len: usize,
    /// Class and variable templates: specialisations.
    pub special: Vec<Specialisation>,
    /// Class templates: members defined outside.
    pub outside: OutOfLines,
    /// Function and class templates: the declaration before the definition, which has the default arguments.
    pub declared: Option<(ast::DeclId, ast::List<ast::TemplateParam>)>,
    /// How many instances there are.
    pub count: u32,
    /// What is declared where it is defined.
    pub horizon: Horizon,
}

/// A definition of a member outside of its class template.
#[derive(Clone, Copy)]
pub struct OutOfLine {
    /// The declaration.
    pub decl: ast::DeclId,
    /// How many of the scopes before its name are walked.
    pub scopes: usize,
    /// How many of its lists of template parameters are taken.
    pub headers: usize,
}

/// Definitions of members with the parameters of the class template, as each definition names them.
pub type OutOfLines = Vec<(OutOfLine, ast::List<ast::TemplateParam>)>;

/// The template that a record is an instance of.
#[derive(Clone)]
pub struct InstanceOf {
    /// The template.
    pub template: TemplateId,
    /// Its arguments.
    pub values: Vec<ArgValue>,
    /// The specialisation that was chosen.
    pub special: Option<usize>,
    /// The arguments of the specialisation, or those of the template.
    pub own: Vec<ArgValue>,
}
