//! Name tables of the classifier: keywords, and the scopes of type and template names.
//!
//! The visible meaning of a name is in a table indexed by symbol; scopes undo their changes when they end. Variables are not
//! recorded unless they hide a type: a name that is not a type is a value. Namespaces and records
//! remember their names for `a::b`, for being entered again, and for `using namespace`.

use rtc_base::{Interner, Symbol};
use rtc_tables::types::{self, TypeName};
use rustc_hash::FxHashMap;

use super::token::Tok;
use crate::syntax::ast::Specs;

/// The fixed meaning of an identifier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Word {
    /// Not looked up yet.
    Unseen,
    /// None: a name.
    Name,
    /// A keyword that is one terminal.
    Keyword(Tok),
    /// A specifier, and where it is a name instead.
    Spec(Specs, Reserved),
    /// `unsigned`, `signed`: may be followed by `int`.
    Signedness,
    /// `typename`
    Typename,
    /// `class`, `struct`: the first may also introduce a template parameter.
    Class,
    /// `public`, `private`, `protected`, `final`: dropped in a record's head.
    Inheritance,
    /// A word of C++ or of effects that means nothing and cannot be a name either.
    Foreign,
}

/// Where the word for a specifier is a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reserved {
    /// Nowhere.
    Always,
    /// Nowhere, which is reported: it is read as a name where no type follows.
    ByMeaning,
    /// Where no other identifier follows.
    No,
}

#[rustfmt::skip]
fn word(text: &str) -> Word {
    use Word::{Keyword, Spec};
    let hard = |s| Spec(s, Reserved::Always);
    let firm = |s| Spec(s, Reserved::ByMeaning);
    let soft = |s| Spec(s, Reserved::No);
    match text {
        "if" => Keyword(Tok::If), "else" => Keyword(Tok::Else), "for" => Keyword(Tok::For), "while" => Keyword(Tok::While),
        "do" => Keyword(Tok::Do), "switch" => Keyword(Tok::Switch), "case" => Keyword(Tok::Case), "default" => Keyword(Tok::Default),
        "break" => Keyword(Tok::Break), "continue" => Keyword(Tok::Continue), "discard" => Keyword(Tok::Discard),
        "return" => Keyword(Tok::Return), "this" => Keyword(Tok::This), "sizeof" => Keyword(Tok::Sizeof),
        "true" | "false" => Keyword(Tok::Bool), "auto" => Keyword(Tok::Auto),
        "__decltype" | "__typeof__" | "__typeof" => Keyword(Tok::Decltype),
        "struct" | "interface" | "union" => Keyword(Tok::Record), "class" => Word::Class, "enum" => Keyword(Tok::Enum),
        "typedef" => Keyword(Tok::Typedef), "using" => Keyword(Tok::Using), "namespace" => Keyword(Tok::Namespace),
        "template" => Keyword(Tok::Template), "typename" => Word::Typename, "operator" => Keyword(Tok::Operator),
        "cbuffer" | "tbuffer" => Keyword(Tok::CBuffer), "static_assert" | "_Static_assert" => Keyword(Tok::StaticAssert),
        "const" => Keyword(Tok::Const),
        "unsigned" | "signed" => Word::Signedness,
        "public" | "private" | "protected" | "final" => Word::Inheritance,
        "static" => hard(Specs::STATIC), "extern" => hard(Specs::EXTERN), "volatile" => hard(Specs::VOLATILE),
        "inline" => hard(Specs::INLINE), "in" => hard(Specs::IN), "out" => hard(Specs::OUT),
        "inout" => hard(Specs::IN | Specs::OUT), "groupshared" => hard(Specs::GROUPSHARED), "constexpr" => hard(Specs::CONSTEXPR),
        "register" => hard(Specs::C_REGISTER), "virtual" => hard(Specs::VIRTUAL),
        "row_major" => hard(Specs::ROW_MAJOR), "column_major" => hard(Specs::COLUMN_MAJOR),
        "nointerpolation" => hard(Specs::NOINTERPOLATION), "noperspective" => hard(Specs::NOPERSPECTIVE),
        "uniform" => firm(Specs::UNIFORM), "shared" => firm(Specs::SHARED), "precise" => soft(Specs::PRECISE),
        "export" => firm(Specs::EXPORT), "unorm" => firm(Specs::UNORM), "snorm" => firm(Specs::SNORM),
        "linear" => firm(Specs::LINEAR), "centroid" => firm(Specs::CENTROID), "sample" => soft(Specs::SAMPLE), "center" => soft(Specs::CENTER),
        "globallycoherent" => soft(Specs::GLOBALLYCOHERENT), "reordercoherent" => soft(Specs::REORDERCOHERENT),
        "point" => firm(Specs::POINT), "line" => firm(Specs::LINE), "triangle" => firm(Specs::TRIANGLE),
        "lineadj" => firm(Specs::LINEADJ), "triangleadj" => firm(Specs::TRIANGLEADJ), "vertices" => soft(Specs::VERTICES),
        "primitives" => soft(Specs::PRIMITIVES), "indices" => soft(Specs::INDICES), "payload" => soft(Specs::PAYLOAD),
        "goto" | "friend" | "new" | "delete" | "long" | "short" | "char" | "wchar_t" | "try" | "catch" | "throw" | "mutable" | "explicit" => Word::Foreign,
        "typeid" | "asm" | "const_cast" | "dynamic_cast" | "reinterpret_cast" | "static_cast" => Word::Foreign,
        "technique" | "Technique" | "technique10" | "technique11" => Word::Foreign,
        "__thread" | "__alignof" | "_Complex" | "_Generic" | "__attribute__" | "__declspec" | "__inline" => Word::Foreign,
        _ => Word::Name,
    }
}

/// The specifier with this spelling.
pub(crate) fn specifier(text: &str) -> Specs {
    match word(text) {
        Word::Spec(s, _) => s,
        Word::Keyword(Tok::Const) => Specs::CONST,
        _ => Specs::empty(),
    }
}

/// The class of a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    /// Anything that is not below.
    Value,
    /// A type.
    Type,
    /// A type that takes template arguments.
    TypeTemplate,
    /// A function or variable that takes template arguments.
    FnTemplate,
    /// A namespace.
    Namespace,
}

impl Class {
    pub fn is_type(self) -> bool {
        matches!(self, Class::Type | Class::TypeTemplate)
    }
}

/// A scope that has a name.
pub(super) type NamedScope = u32;

pub(super) const NO_SCOPE: NamedScope = u32::MAX;

/// The class of a name, and its scope if it has one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Binding {
    pub class: Class,
    pub inner: NamedScope,
}

const VALUE: Binding = Binding { class: Class::Value, inner: NO_SCOPE };

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ScopeKind {
    Outer,
    /// Parameters of a template, until the end of its declaration.
    Template,
    /// Parameters of a function, until the end of its body.
    Params,
    Local,
}

#[derive(Clone)]
struct Scope {
    kind: ScopeKind,
    undo: usize,
    /// Number of open brackets at its start.
    brackets: usize,
    name: NamedScope,
    /// Names that go to the enclosing scope at the end of a template.
    deferred: Vec<(Symbol, Binding)>,
}

#[derive(Clone, Default)]
struct Named {
    names: FxHashMap<Symbol, Binding>,
    order: Vec<Symbol>,
}

#[derive(Clone, Copy)]
struct Entry {
    word: Word,
    binding: Binding,
}

/// The names of one translation unit.
#[derive(Clone)]
pub(super) struct Names {
    table: Vec<Entry>,
    undo: Vec<(Symbol, Binding)>,
    scopes: Vec<Scope>,
    named: Vec<Named>,
    /// Names of template methods, whatever the record.
    methods: Vec<Symbol>,
}

impl Names {
    pub fn new(interner: &mut Interner) -> Names {
        let mut names = Names {
            table: Vec::new(),
            undo: Vec::new(),
            scopes: vec![Scope { kind: ScopeKind::Outer, undo: 0, brackets: 0, name: NO_SCOPE, deferred: Vec::new() }],
            named: Vec::new(),
            methods: Vec::new(),
        };
        for space in ["dx", "vk"] {
            let id = names.new_named();
            for row in types::OBJECTS.iter().filter(|r| r.namespace == space) {
                let class = if row.params.is_empty() { Class::Type } else { Class::TypeTemplate };
                names.add_to(id, interner.intern(row.name), Binding { class, inner: NO_SCOPE });
            }
            let sym = interner.intern(space);
            names.entry(sym, interner).binding = Binding { class: Class::Namespace, inner: id };
        }
        // `std::is_same` is all that there is of that namespace.
        let id = names.new_named();
        names.add_to(id, interner.intern("is_same"), Binding { class: Class::TypeTemplate, inner: NO_SCOPE });
        let sym = interner.intern("std");
        names.entry(sym, interner).binding = Binding { class: Class::Namespace, inner: id };
        names
    }

    fn entry(&mut self, sym: Symbol, interner: &Interner) -> &mut Entry {
        let i = sym.as_u32() as usize;
        if i >= self.table.len() {
            self.table.resize(interner.len().max(i + 1), Entry { word: Word::Unseen, binding: VALUE });
        }
        let entry = &mut self.table[i];
        if entry.word == Word::Unseen {
            let text = interner.str(sym);
            entry.word = word(text);
            if entry.word == Word::Name && entry.binding == VALUE {
                entry.binding.class = match types::builtin(text) {
                    Some(TypeName::Plain) => Class::Type,
                    Some(TypeName::Template) => Class::TypeTemplate,
                    None => Class::Value,
                };
            }
        }
        entry
    }

    /// Whether the name was not looked up yet.
    pub fn is_new(&self, sym: Symbol) -> bool {
        self.table.get(sym.as_u32() as usize).is_none_or(|e| e.word == Word::Unseen)
    }

    pub fn word(&mut self, sym: Symbol, interner: &Interner) -> Word {
        self.entry(sym, interner).word
    }

    /// The visible meaning of a name.
    pub fn lookup(&mut self, sym: Symbol, interner: &Interner) -> Binding {
        self.entry(sym, interner).binding
    }

    /// The meaning of a name after `scope::`.
    pub fn lookup_in(&self, scope: NamedScope, sym: Symbol) -> Option<Binding> {
        self.named.get(scope as usize)?.names.get(&sym).copied()
    }

    pub fn new_named(&mut self) -> NamedScope {
        self.named.push(Named::default());
        self.named.len() as u32 - 1
    }

    /// Adds a name to a named scope.
    pub fn add_to(&mut self, scope: NamedScope, sym: Symbol, binding: Binding) {
        if let Some(named) = self.named.get_mut(scope as usize)
            && named.names.insert(sym, binding).is_none()
        {
            named.order.push(sym);
        }
    }

    fn set(&mut self, sym: Symbol, binding: Binding) {
        // Every symbol that is bound was looked up before, so its entry exists.
        if let Some(entry) = self.table.get_mut(sym.as_u32() as usize) {
            self.undo.push((sym, entry.binding));
            entry.binding = binding;
        }
    }

    /// Gives `sym` a meaning in the current scope; a template's own name is declared in the scope that encloses its parameters.
    pub fn bind(&mut self, sym: Symbol, class: Class, inner: NamedScope) {
        let binding = Binding { class, inner };
        self.set(sym, binding);
        let Some(scope) = self.scopes.last_mut() else {
            return;
        };
        if scope.kind == ScopeKind::Template {
            scope.deferred.push((sym, binding));
        } else {
            let name = scope.name;
            self.add_to(name, sym, binding);
        }
    }

    /// Gives a template parameter its meaning.
    pub fn bind_param(&mut self, sym: Symbol, class: Class) {
        self.set(sym, Binding { class, inner: NO_SCOPE });
    }

    pub fn push(&mut self, kind: ScopeKind, brackets: usize, name: NamedScope) {
        self.scopes.push(Scope { kind, undo: self.undo.len(), brackets, name, deferred: Vec::new() });
        if name != NO_SCOPE {
            self.import(name);
        }
    }

    /// Makes the names of `scope` visible until the current scope ends.
    pub fn import(&mut self, scope: NamedScope) {
        let Some(named) = self.named.get(scope as usize) else {
            return;
        };
        let list: Vec<_> = named.order.iter().map(|s| (*s, named.names[s])).collect();
        for (sym, binding) in list {
            if sym.as_u32() as usize >= self.table.len() {
                self.table.resize(sym.as_u32() as usize + 1, Entry { word: Word::Unseen, binding: VALUE });
            }
            self.set(sym, binding);
        }
    }

    fn pop(&mut self) {
        if self.scopes.len() < 2 {
            return;
        }
        let Some(scope) = self.scopes.pop() else {
            return;
        };
        for (sym, binding) in self.undo.drain(scope.undo..).rev() {
            self.table[sym.as_u32() as usize].binding = binding;
        }
        for (sym, binding) in scope.deferred {
            self.bind(sym, binding.class, binding.inner);
        }
    }

    /// Ends the scopes that were opened inside brackets that are closed now.
    pub fn close_to(&mut self, brackets: usize) {
        while self.scopes.last().is_some_and(|s| s.brackets > brackets) {
            self.pop();
        }
    }

    /// Ends the declaration at this level: the scopes of its parameters and template parameters.
    pub fn end_declaration(&mut self, brackets: usize) {
        let ends = |k: ScopeKind| matches!(k, ScopeKind::Params | ScopeKind::Template);
        while self.scopes.last().is_some_and(|s| s.brackets >= brackets && ends(s.kind)) {
            self.pop();
        }
    }

    /// Ends the scope of the innermost template's parameters.
    pub fn end_header(&mut self) {
        if self.in_template() {
            self.pop();
        }
    }

    /// Whether only the outermost scope is open.
    pub fn is_outer(&self) -> bool {
        self.scopes.len() == 1
    }

    /// Whether the current scope is inside a function.
    pub fn is_local(&self) -> bool {
        self.scopes.last().is_some_and(|s| matches!(s.kind, ScopeKind::Local | ScopeKind::Params))
    }

    /// Whether a template's declaration has begun at this level.
    pub fn in_template(&self) -> bool {
        self.scopes.last().is_some_and(|s| s.kind == ScopeKind::Template)
    }

    pub fn add_template_method(&mut self, sym: Symbol) {
        if !self.methods.contains(&sym) {
            self.methods.push(sym);
        }
    }

    pub fn is_template_method(&self, sym: Symbol) -> bool {
        self.methods.contains(&sym)
    }
}
