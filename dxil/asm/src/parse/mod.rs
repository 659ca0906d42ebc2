//! The items of a module: types, variables, functions, attributes; and the cursor over tokens that everything reads with.

mod body;
mod meta;
mod values;

use rustc_hash::FxHashMap;

use rtc_dxil_module::{
    Attr, AttrGroup, AttrKind, FUNCTION_INDEX, Fields, Func, Function, GlobalVar, Linkage, Module, Type, TypeKind, Value, Visibility,
};

use crate::lex::{Placed, Token, tokens};
use meta::Nodes;

/// Why a text is no module: the line and the reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AsmError {
    /// The line, from 1.
    pub line: u32,
    /// The reason, a sentence without a full stop.
    pub message: String,
}

impl std::fmt::Display for AsmError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for AsmError {}

/// The result of reading.
pub(crate) type Result<T> = std::result::Result<T, AsmError>;

/// Types in types, and values in values, beyond this are refused: reading them is recursive.
pub(crate) const MAX_DEPTH: u32 = 128;

/// Reads a module.
///
/// # Errors
/// The text is not one of a module, or has debug information.
pub fn module(text: &str) -> Result<Module> {
    let tokens = tokens(text).map_err(|w| AsmError { line: w.line, message: w.message })?;
    let mut p = Parser {
        tokens: &tokens,
        at: 0,
        m: Module::new(),
        named_types: FxHashMap::default(),
        values: FxHashMap::default(),
        groups: FxHashMap::default(),
        nodes: Nodes::default(),
        here: None,
        depth: 0,
    };
    p.m.data_layout = "".into();
    p.m.triple = "".into();
    p.items()?;
    Ok(p.m)
}

/// The state of reading.
pub(crate) struct Parser<'t> {
    tokens: &'t [Placed],
    pub(crate) at: usize,
    pub(crate) m: Module,
    named_types: FxHashMap<String, Type>,
    /// Variables and functions by name.
    pub(crate) values: FxHashMap<String, Value>,
    /// Attribute groups by number.
    groups: FxHashMap<String, Vec<Attr>>,
    pub(crate) nodes: Nodes,
    /// The function whose body is read.
    pub(crate) here: Option<body::Here>,
    pub(crate) depth: u32,
}

/// What is defined at which token.
#[derive(Default)]
struct Definitions {
    globals: Vec<(usize, Value)>,
    functions: Vec<(usize, Func)>,
    named: Vec<(usize, String)>,
}

impl Parser<'_> {
    /// An error at the token that is next.
    pub(crate) fn wrong<T>(&self, message: impl Into<String>) -> Result<T> {
        self.wrong_at(self.at, message)
    }

    pub(crate) fn wrong_at<T>(&self, at: usize, message: impl Into<String>) -> Result<T> {
        let line = self.tokens.get(at).or(self.tokens.last()).map_or(1, |t| t.1);
        Err(AsmError { line, message: message.into() })
    }

    pub(crate) fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|t| &t.0)
    }

    pub(crate) fn peek_at(&self, ahead: usize) -> Option<&Token> {
        self.tokens.get(self.at + ahead).map(|t| &t.0)
    }

    pub(crate) fn next(&mut self) -> Result<Token> {
        match self.peek().cloned() {
            Some(token) => {
                self.at += 1;
                Ok(token)
            }
            None => self.wrong("the text ends here"),
        }
    }

    /// Takes a punctuation mark if it is next.
    pub(crate) fn eat(&mut self, mark: &str) -> bool {
        let there = matches!(self.peek(), Some(Token::Punct(p)) if *p == mark);
        self.at += usize::from(there);
        there
    }

    pub(crate) fn expect(&mut self, mark: &str) -> Result<()> {
        match (self.eat(mark), self.peek()) {
            (true, _) => Ok(()),
            (false, Some(other)) => self.wrong(format!("expected `{mark}`, found `{other}`")),
            (false, None) => self.wrong(format!("expected `{mark}`, the text ends here")),
        }
    }

    /// Takes a word if it is next.
    pub(crate) fn eat_word(&mut self, word: &str) -> bool {
        let there = matches!(self.peek(), Some(Token::Word(w)) if w == word);
        self.at += usize::from(there);
        there
    }

    pub(crate) fn word(&mut self) -> Result<String> {
        match self.next()? {
            Token::Word(word) => Ok(word),
            other => self.wrong_at(self.at - 1, format!("expected a word, found `{other}`")),
        }
    }

    pub(crate) fn number<N: std::str::FromStr>(&mut self) -> Result<N> {
        let token = self.next()?;
        let number = match &token {
            Token::Int(text) => text.parse().ok(),
            _ => None,
        };
        number.map_or_else(|| self.wrong_at(self.at - 1, format!("expected a number, found `{token}`")), Ok)
    }

    fn text(&mut self) -> Result<String> {
        match self.next()? {
            Token::Text(text) => Ok(String::from_utf8_lossy(&text).into_owned()),
            other => self.wrong_at(self.at - 1, format!("expected a string, found `{other}`")),
        }
    }

    /// Skips what is in brackets from the opening one on.
    fn skip_brackets(&mut self) -> Result<()> {
        let mut open = 0u32;
        loop {
            match self.next()? {
                Token::Punct("(" | "[" | "{") => open += 1,
                Token::Punct(")" | "]" | "}") => {
                    open = open.saturating_sub(1);
                    if open == 0 {
                        return Ok(());
                    }
                }
                _ => {}
            }
        }
    }

    /// Reads all items: declarations first, then what they are made of.
    fn items(&mut self) -> Result<()> {
        self.collect_types_and_groups()?;
        let mut found = Definitions::default();
        self.at = 0;
        while self.peek().is_some() {
            self.item(&mut found)?;
        }
        for (at, name) in std::mem::take(&mut found.named) {
            self.at = at;
            let nodes = self.node_list()?;
            self.m.meta.set_named(&name, &nodes);
        }
        for (at, global) in found.globals {
            self.at = at;
            self.initial_value(global)?;
        }
        for (at, func) in found.functions {
            self.at = at;
            self.body(func)?;
        }
        Ok(())
    }

    /// Structures may be used before they are defined, and groups of attributes come last: both are found first.
    fn collect_types_and_groups(&mut self) -> Result<()> {
        let mut structures = Vec::new();
        while let Some(token) = self.peek().cloned() {
            let after = (self.peek_at(1).cloned(), self.peek_at(2).cloned());
            match (token, after) {
                (Token::Local(name), (Some(Token::Punct("=")), Some(Token::Word(word)))) if word == "type" => {
                    let ty = if name.bytes().all(|b| b.is_ascii_digit()) { self.m.types.new_unnamed() } else { self.m.types.named(&name) };
                    self.named_types.insert(name, ty);
                    self.at += 3;
                    structures.push((self.at, ty));
                }
                (Token::Word(word), (Some(Token::Group(number)), Some(Token::Punct("=")))) if word == "attributes" => {
                    self.at += 3;
                    self.expect("{")?;
                    let attrs = self.attributes(true)?;
                    self.expect("}")?;
                    self.groups.insert(number, attrs);
                }
                _ => self.at += 1,
            }
        }
        for (at, ty) in structures {
            self.at = at;
            if self.eat_word("opaque") {
                continue;
            }
            let fields = self.fields()?;
            if !self.m.types.set_body(ty, fields) {
                return self.wrong_at(at, "a structure is defined twice");
            }
        }
        Ok(())
    }

    fn item(&mut self, found: &mut Definitions) -> Result<()> {
        let at = self.at;
        match self.next()? {
            Token::Word(word) if word == "target" => {
                let what = self.word()?;
                self.expect("=")?;
                let text = self.text()?.into();
                match what.as_str() {
                    "datalayout" => self.m.data_layout = text,
                    "triple" => self.m.triple = text,
                    _ => return self.wrong_at(at, format!("`target {what}` is unknown")),
                }
            }
            Token::Word(word) if word == "source_filename" => {
                self.expect("=")?;
                self.text()?;
            }
            Token::Word(word) if word == "define" || word == "declare" => {
                let func = self.header()?;
                if word == "define" {
                    found.functions.push((self.at, func));
                    while !matches!(self.peek(), Some(Token::Punct("{")) | None) {
                        self.at += 1;
                    }
                    self.skip_brackets()?;
                }
            }
            Token::Word(word) if word == "attributes" => {
                self.next()?;
                self.expect("=")?;
                self.skip_brackets()?;
            }
            Token::Local(_) => {
                self.expect("=")?;
                self.word()?;
                if !self.eat_word("opaque") {
                    self.fields()?;
                }
            }
            Token::Global(name) => {
                let global = self.variable(&name)?;
                found.globals.push((self.at, global));
                self.skip_initial_value()?;
            }
            Token::Meta(name) => {
                self.expect("=")?;
                if name.bytes().all(|b| b.is_ascii_digit()) {
                    self.nodes.define(name, self.at);
                } else {
                    found.named.push((self.at, name));
                }
                self.skip_node()?;
            }
            other => return self.wrong_at(at, format!("`{other}` begins no item of a module")),
        }
        Ok(())
    }

    /// Skips a node: what comes before its brackets, and these.
    fn skip_node(&mut self) -> Result<()> {
        while !matches!(self.peek(), Some(Token::Punct("{" | "(")) | None) {
            self.at += 1;
        }
        self.skip_brackets()
    }

    fn linkage(&mut self) -> Linkage {
        let all = [
            Linkage::Appending,
            Linkage::Internal,
            Linkage::ExternWeak,
            Linkage::Common,
            Linkage::Private,
            Linkage::AvailableExternally,
            Linkage::WeakAny,
            Linkage::WeakOdr,
            Linkage::LinkOnceAny,
            Linkage::LinkOnceOdr,
        ];
        if let Some(linkage) = all.into_iter().find(|l| self.eat_word(l.text())) {
            return linkage;
        }
        self.eat_word("external");
        Linkage::External
    }

    fn visibility(&mut self) -> Visibility {
        if self.eat_word("hidden") {
            Visibility::Hidden
        } else if self.eat_word("protected") {
            Visibility::Protected
        } else {
            self.eat_word("default");
            Visibility::Default
        }
    }

    /// A calling convention.
    pub(crate) fn convention(&mut self) -> u32 {
        let known = match self.peek() {
            Some(Token::Word(w)) if w == "fastcc" => Some(8),
            Some(Token::Word(w)) if w == "coldcc" => Some(9),
            Some(Token::Word(w)) if w == "ccc" => Some(0),
            Some(Token::Word(w)) => w.strip_prefix("cc").and_then(|n| n.parse().ok()),
            _ => None,
        };
        self.at += usize::from(known.is_some());
        known.unwrap_or(0)
    }

    /// A variable up to its type; what is next is the initial value or the rest.
    fn variable(&mut self, name: &str) -> Result<Value> {
        self.expect("=")?;
        let linkage = self.linkage();
        let visibility = self.visibility();
        let thread_local = match self.eat_word("thread_local") {
            false => 0,
            true if self.eat("(") => {
                let model = self.word()?;
                self.expect(")")?;
                match model.as_str() {
                    "localdynamic" => 2,
                    "initialexec" => 3,
                    "localexec" => 4,
                    _ => return self.wrong(format!("`{model}` is no model of thread-local variables")),
                }
            }
            true => 1,
        };
        let unnamed_addr = self.eat_word("unnamed_addr");
        let space = self.space()?;
        let externally_initialized = self.eat_word("externally_initialized");
        let constant = match self.word()?.as_str() {
            "constant" => true,
            "global" => false,
            other => return self.wrong_at(self.at - 1, format!("expected `global` or `constant`, found `{other}`")),
        };
        let ty = self.ty()?;
        let ptr_ty = self.m.types.ptr_in(ty, space);
        let is_number = name.bytes().all(|b| b.is_ascii_digit());
        let global = self.m.globals.push(GlobalVar {
            name: if is_number { "".into() } else { name.into() },
            ty,
            ptr_ty,
            space,
            constant,
            init: None,
            linkage,
            align: 0,
            section: 0,
            visibility,
            thread_local,
            unnamed_addr,
            externally_initialized,
        });
        let value = Value::Global(global);
        if self.values.insert(name.to_owned(), value).is_some() {
            return self.wrong(format!("`@{name}` is defined twice"));
        }
        Ok(value)
    }

    fn space(&mut self) -> Result<u32> {
        if !self.eat_word("addrspace") {
            return Ok(0);
        }
        self.expect("(")?;
        let space = self.number()?;
        self.expect(")")?;
        Ok(space)
    }

    /// Whether another item begins.
    fn is_item(&self) -> bool {
        let word = |text: &str| matches!(text, "target" | "define" | "declare" | "attributes" | "source_filename");
        match self.peek() {
            None => true,
            Some(Token::Word(w)) => word(w),
            Some(Token::Global(_) | Token::Local(_) | Token::Meta(_)) => matches!(self.peek_at(1), Some(Token::Punct("="))),
            _ => false,
        }
    }

    fn skip_initial_value(&mut self) -> Result<()> {
        while !self.is_item() {
            self.at += 1;
        }
        Ok(())
    }

    fn initial_value(&mut self, value: Value) -> Result<()> {
        let Value::Global(global) = value else { return Ok(()) };
        let ty = self.m.globals[global].ty;
        if !self.is_item() && !matches!(self.peek(), Some(Token::Punct(","))) {
            let init = self.value(ty)?;
            self.m.globals[global].init = Some(init);
        }
        while self.eat(",") {
            if self.eat_word("section") {
                self.m.globals[global].section = self.section()?;
            } else if self.eat_word("align") {
                self.m.globals[global].align = self.number()?;
            } else {
                return self.wrong("expected `section` or `align`");
            }
        }
        Ok(())
    }

    fn section(&mut self) -> Result<u32> {
        let name: Box<str> = self.text()?.into();
        let known = self.m.sections.iter().position(|s| *s == name);
        let at = known.unwrap_or_else(|| {
            self.m.sections.push(name);
            self.m.sections.len() - 1
        });
        Ok(at as u32 + 1)
    }

    /// The head of a function up to its attachments or its brace.
    fn header(&mut self) -> Result<Func> {
        let linkage = self.linkage();
        let visibility = self.visibility();
        let cc = self.convention();
        let mut groups: Vec<(u32, Vec<Attr>)> = vec![(0, self.attributes(false)?)];
        let ret = self.ty()?;
        let Token::Global(name) = self.next()? else { return self.wrong_at(self.at - 1, "expected the name of a function") };
        self.expect("(")?;
        let (mut params, mut names, mut vararg) = (Vec::new(), Vec::new(), false);
        while !self.eat(")") {
            if !params.is_empty() || vararg {
                self.expect(",")?;
            }
            if self.eat("...") {
                vararg = true;
                continue;
            }
            params.push(self.ty()?);
            groups.push((params.len() as u32, self.attributes(false)?));
            let named = match self.peek() {
                Some(Token::Local(name)) => Some(name.clone()),
                _ => None,
            };
            self.at += usize::from(named.is_some());
            names.push(named);
        }
        let ty = self.m.types.intern(TypeKind::Function { ret, params: params.into(), vararg });
        let unnamed_addr = self.eat_word("unnamed_addr");
        let (mut own, mut section, mut align) = (Vec::new(), 0, 0);
        loop {
            if let Some(Token::Group(number)) = self.peek().cloned() {
                self.at += 1;
                own.extend(self.group(&number)?);
            } else if self.eat_word("section") {
                section = self.section()?;
            } else if self.eat_word("align") {
                align = self.number()?;
            } else {
                match self.attributes(false)? {
                    more if more.is_empty() => break,
                    more => own.extend(more),
                }
            }
        }
        groups.push((FUNCTION_INDEX, own));
        let attrs = self.attribute_list(groups);
        let ptr_ty = self.m.types.ptr(ty);
        let is_number = name.bytes().all(|b| b.is_ascii_digit());
        let own_name: Box<str> = if is_number { "".into() } else { name.as_str().into() };
        let function = Function { name: own_name, ty, ptr_ty, cc, linkage, attrs, align, section, visibility, unnamed_addr, body: None };
        let func = self.m.push_function(function);
        if self.values.insert(name.clone(), Value::Func(func)).is_some() {
            return self.wrong(format!("`@{name}` is defined twice"));
        }
        self.nodes.parameter_names.insert(func, names);
        Ok(func)
    }

    /// The attributes of a group.
    pub(crate) fn group(&self, number: &str) -> Result<Vec<Attr>> {
        match self.groups.get(number) {
            Some(attrs) => Ok(attrs.clone()),
            None => self.wrong(format!("there is no group of attributes `#{number}`")),
        }
    }

    /// The list of attributes with these groups.
    pub(crate) fn attribute_list(&mut self, groups: Vec<(u32, Vec<Attr>)>) -> rtc_dxil_module::Attrs {
        let groups: Vec<AttrGroup> =
            groups.into_iter().filter(|(_, a)| !a.is_empty()).map(|(place, attrs)| self.m.attrs.group(place, &attrs)).collect();
        if groups.is_empty() { None.into() } else { Some(self.m.attrs.list(&groups)).into() }
    }

    /// Attributes as long as there are some. In a group alignments have an equals sign.
    pub(crate) fn attributes(&mut self, in_group: bool) -> Result<Vec<Attr>> {
        let mut out = Vec::new();
        loop {
            let kind = match self.peek() {
                Some(Token::Text(_)) => {
                    let key = self.text()?;
                    let value = if self.eat("=") { Some(self.text()?.into()) } else { None };
                    out.push(Attr::Text(key.into(), value));
                    continue;
                }
                Some(Token::Word(word)) => AttrKind::ALL.iter().copied().find(|k| k.text() == word),
                _ => None,
            };
            let Some(kind) = kind else { return Ok(out) };
            if kind == AttrKind::Align && !in_group && !matches!(self.peek_at(1), Some(Token::Int(_))) {
                return Ok(out);
            }
            self.at += 1;
            out.push(match kind {
                AttrKind::Align if in_group => {
                    self.expect("=")?;
                    Attr::Int(kind, self.number()?)
                }
                AttrKind::Align => Attr::Int(kind, self.number()?),
                AttrKind::AlignStack if in_group => {
                    self.expect("=")?;
                    Attr::Int(kind, self.number()?)
                }
                AttrKind::AlignStack | AttrKind::Dereferenceable | AttrKind::DereferenceableOrNull => {
                    self.expect("(")?;
                    let n = self.number()?;
                    self.expect(")")?;
                    Attr::Int(kind, n)
                }
                _ => Attr::Flag(kind),
            });
        }
    }

    /// The fields of a structure in braces.
    fn fields(&mut self) -> Result<Fields> {
        let packed = self.eat("<");
        self.expect("{")?;
        let mut types = Vec::new();
        while !self.eat("}") {
            if !types.is_empty() {
                self.expect(",")?;
            }
            types.push(self.ty()?);
        }
        if packed {
            self.expect(">")?;
        }
        Ok(Fields { types: types.into(), packed })
    }

    /// A type.
    pub(crate) fn ty(&mut self) -> Result<Type> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.wrong("types are nested too deeply");
        }
        let at = self.at;
        let mut ty = match self.next()? {
            Token::Word(word) => match word.as_str() {
                "void" => self.m.types.void(),
                "half" => self.m.types.half(),
                "float" => self.m.types.float(),
                "double" => self.m.types.double(),
                "label" => self.m.types.label(),
                "metadata" => self.m.types.metadata(),
                _ => match word.strip_prefix('i').and_then(|n| n.parse::<u32>().ok()).filter(|n| (1..=8192).contains(n)) {
                    Some(bits) => self.m.types.int(bits),
                    None => return self.wrong_at(at, format!("`{word}` is no type")),
                },
            },
            Token::Local(name) => match self.named_types.get(&name) {
                Some(&ty) => ty,
                None => return self.wrong_at(at, format!("there is no type `%{name}`")),
            },
            Token::Punct("[") => {
                let len = self.number()?;
                let elem = self.element()?;
                self.expect("]")?;
                self.m.types.array(elem, len)
            }
            Token::Punct("<") if matches!(self.peek(), Some(Token::Punct("{"))) => {
                self.at = at;
                let fields = self.fields()?;
                self.m.types.intern(TypeKind::Struct(fields))
            }
            Token::Punct("<") => {
                let len = self.number()?;
                let elem = self.element()?;
                self.expect(">")?;
                self.m.types.vector(elem, len)
            }
            Token::Punct("{") => {
                self.at = at;
                let fields = self.fields()?;
                self.m.types.intern(TypeKind::Struct(fields))
            }
            other => return self.wrong_at(at, format!("`{other}` begins no type")),
        };
        loop {
            if self.eat("*") {
                ty = self.m.types.ptr(ty);
            } else if matches!(self.peek(), Some(Token::Word(w)) if w == "addrspace") {
                let space = self.space()?;
                self.expect("*")?;
                ty = self.m.types.ptr_in(ty, space);
            } else if self.eat("(") {
                let (mut params, mut vararg) = (Vec::new(), false);
                while !self.eat(")") {
                    if !params.is_empty() {
                        self.expect(",")?;
                    }
                    if self.eat("...") {
                        vararg = true;
                    } else {
                        params.push(self.ty()?);
                    }
                }
                ty = self.m.types.intern(TypeKind::Function { ret: ty, params: params.into(), vararg });
            } else {
                break;
            }
        }
        self.depth -= 1;
        Ok(ty)
    }

    /// `x T` of an array or a vector.
    fn element(&mut self) -> Result<Type> {
        if !self.eat_word("x") {
            return self.wrong("expected `x`");
        }
        self.ty()
    }
}
