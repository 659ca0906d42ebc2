//! The parser of the text form: modules, types, globals, subobjects. Functions are in [`super::parse_func`].

use rtc_base::{EntityRef, Span};
use rtc_tables::linalg::MatrixType;
use rtc_tables::resources::{CompType, ImageFormat, ResourceClass, ResourceFlags, ResourceKind};

use super::lex::{Tok, Token, lex, unquote};
use super::{ParseError, literal};
use crate::{
    BindPlace, Binding, DeclKind, Denormals, Field, Global, GlobalData, GlobalKind, MatrixOrder, Module, Numbers, Paq, PaqStage, Props,
    ResourceDecl, ResourceType, Scalar, Struct, StructData, Subobject, SubobjectKind, Type, TypeKind,
};

pub(super) type Res<T> = Result<T, ParseError>;

/// How deep types may nest.
const MAX_TYPE_DEPTH: u32 = 64;
/// How many components a vector may have.
const MAX_LANES: u32 = 1024;

pub(super) struct Parser<'a> {
    pub text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    pub m: Module,
    /// How many numbers may still be left out in all functions together, so that memory is bounded by
    /// the length of the text.
    pub gaps: usize,
    /// Structures, globals and functions that were named; checked at the end.
    mentioned: [Option<(u32, usize)>; 3],
}

impl<'a> Parser<'a> {
    pub fn new(text: &'a str) -> Res<Self> {
        Ok(Parser { text, tokens: lex(text)?, at: 0, m: Module::default(), gaps: 1024 + 4 * text.len(), mentioned: [None; 3] })
    }

    // Tokens --------------------------------------------------------------------------------------

    pub fn token(&self) -> Token {
        self.tokens[self.at]
    }
    pub fn tok(&self) -> Tok {
        self.token().tok
    }
    /// The index of the next token, to be used with [`Self::fail_at`].
    pub fn mark(&self) -> usize {
        self.at
    }
    pub fn str(&self) -> &'a str {
        let t = self.token();
        &self.text[t.start as usize..t.end as usize]
    }
    fn bump(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }
    /// Whether the next token is on the line of the one before.
    pub fn same_line(&self) -> bool {
        let from = self.at.checked_sub(1).map_or(0, |i| self.tokens[i].end);
        let between = &self.text.as_bytes()[from as usize..self.token().start as usize];
        !between.contains(&b'\n')
    }
    pub fn fail_at<T>(&self, mark: usize, message: impl Into<String>) -> Res<T> {
        let offset = self.tokens[mark].start as usize;
        Err(ParseError::at(self.text, offset, message))
    }
    pub fn fail<T>(&self, message: impl Into<String>) -> Res<T> {
        self.fail_at(self.at, message)
    }
    pub fn expected<T>(&self, what: &str) -> Res<T> {
        let found: String = match self.tok() {
            Tok::End => "end of input".into(),
            _ => format!("`{}`", self.str().chars().take(40).collect::<String>()),
        };
        self.fail(format!("expected {what}, found {found}"))
    }
    pub fn is(&self, c: u8) -> bool {
        self.tok() == Tok::Punct(c)
    }
    pub fn eat(&mut self, c: u8) -> bool {
        let hit = self.is(c);
        if hit {
            self.bump();
        }
        hit
    }
    pub fn need(&mut self, c: u8) -> Res<()> {
        match self.eat(c) {
            true => Ok(()),
            false => self.expected(&format!("`{}`", c as char)),
        }
    }
    pub fn is_word(&self, w: &str) -> bool {
        self.tok() == Tok::Word && self.str() == w
    }
    pub fn eat_word(&mut self, w: &str) -> bool {
        let hit = self.is_word(w);
        if hit {
            self.bump();
        }
        hit
    }
    pub fn need_word(&mut self, w: &str) -> Res<()> {
        match self.eat_word(w) {
            true => Ok(()),
            false => self.expected(&format!("`{w}`")),
        }
    }
    pub fn arrow(&mut self) -> bool {
        let hit = self.tok() == Tok::Arrow;
        if hit {
            self.bump();
        }
        hit
    }
    /// A word that `f` knows.
    pub fn word<T>(&mut self, what: &str, f: impl FnOnce(&str) -> Option<T>) -> Res<T> {
        let known = match self.tok() {
            Tok::Word => f(self.str()),
            _ => None,
        };
        match known {
            Some(x) => {
                self.bump();
                Ok(x)
            }
            None => self.expected(what),
        }
    }
    pub fn string(&mut self) -> Res<String> {
        if self.tok() != Tok::Str {
            return self.expected("a string");
        }
        let Some(s) = unquote(self.str()) else {
            return self.fail("this string has an unknown escape");
        };
        self.bump();
        Ok(s)
    }
    fn number<T: std::str::FromStr>(&mut self, what: &str) -> Res<T> {
        match self.str().parse() {
            Ok(n) if self.tok() == Tok::Num => {
                self.bump();
                Ok(n)
            }
            _ => self.expected(what),
        }
    }
    pub fn u32(&mut self) -> Res<u32> {
        self.number("a number")
    }
    pub fn i32(&mut self) -> Res<i32> {
        self.number("a number of 32 bits")
    }
    /// The bits of a constant of scalar type `s`.
    pub fn literal(&mut self, s: Option<Scalar>) -> Res<u64> {
        let read = match self.tok() {
            Tok::Num | Tok::Word => literal::read(self.str(), s),
            _ => None,
        };
        match read {
            Some(bits) => {
                self.bump();
                Ok(bits)
            }
            None => self.expected("a constant of the type"),
        }
    }
    /// Whether the next token is an entity with this prefix.
    pub fn is_entity(&self, prefix: &str) -> bool {
        self.tok() == Tok::Word && entity(self.str(), prefix).is_some()
    }
    /// An entity with this prefix: its number.
    pub fn entity(&mut self, prefix: &str, what: &str) -> Res<u32> {
        self.word(what, |w| entity(w, prefix))
    }
    /// The entity that is declared here: its number must be the next one.
    pub fn declared(&mut self, prefix: &str, next: usize) -> Res<()> {
        let mark = self.at;
        match self.entity(prefix, &format!("`{prefix}{next}`"))? {
            n if n as usize == next => Ok(()),
            _ => self.fail_at(mark, format!("expected `{prefix}{next}`: entities are numbered consecutively")),
        }
    }
    /// Separated by commas up to `)`, which is eaten; `(` was eaten.
    pub fn rest_of_list(&mut self, mut f: impl FnMut(&mut Self) -> Res<()>) -> Res<()> {
        if self.eat(b')') {
            return Ok(());
        }
        loop {
            f(self)?;
            if self.eat(b')') {
                return Ok(());
            }
            self.need(b',')?;
        }
    }

    fn mention(&mut self, kind: usize, n: u32, mark: usize) {
        if self.mentioned[kind].is_none_or(|(most, _)| n > most) {
            self.mentioned[kind] = Some((n, mark));
        }
    }
    /// A function that is named, perhaps before it is declared.
    pub fn func(&mut self) -> Res<crate::Func> {
        let mark = self.at;
        let n = self.entity("fn", "a function")?;
        self.mention(2, n, mark);
        Ok(crate::Func::from_u32(n))
    }
    /// A global that is named.
    pub fn global_name(&mut self) -> Res<Global> {
        let mark = self.at;
        let n = self.entity("g", "a global")?;
        self.mention(1, n, mark);
        Ok(Global::from_u32(n))
    }

    // Modules -------------------------------------------------------------------------------------

    pub fn module(mut self) -> Res<Module> {
        self.need_word("module")?;
        self.need_word("sm")?;
        let minor = match self.tok() {
            Tok::Num => self.str().strip_prefix("6.").and_then(|s| s.parse().ok()),
            _ => None,
        };
        let Some(minor) = minor else {
            return self.expected("a shader model such as `6.3`");
        };
        self.bump();
        self.m.shader_model = minor;
        self.m.native_16bit = self.eat_word("native16");
        if self.eat_word("denorm") {
            let known = |w: &str| Denormals::NAMES.iter().find(|n| n.1 == w).map(|n| n.0);
            self.m.denormals = Some(self.word("what becomes of denormals", known)?);
        }
        if self.eat_word("props") {
            self.need(b'(')?;
            while !self.eat(b')') {
                let known = |w: &str| Props::NAMES.iter().find(|n| n.1 == w).map(|n| n.0);
                let prop = self.word("a property", known)?;
                self.m.props |= prop;
            }
        }
        loop {
            if self.tok() == Tok::End {
                break;
            } else if self.eat_word("struct") {
                self.structure()?;
            } else if self.eat_word("subobject") {
                self.subobject()?;
            } else if self.eat_word("spirv") {
                self.inline_module()?;
            } else if self.eat_word("fn") {
                self.function()?;
            } else if self.is_entity("g") {
                self.global()?;
            } else {
                return self.expected("`struct`, a global, `subobject` or `fn`");
            }
        }
        let counts = [self.m.structs.len(), self.m.globals.len(), self.m.funcs.len()];
        for ((n, mention), prefix) in counts.into_iter().zip(self.mentioned).zip(["s", "g", "fn"]) {
            if let Some((most, mark)) = mention
                && most as usize >= n
            {
                return self.fail_at(mark, format!("unknown {prefix}{most}"));
            }
        }
        Ok(self.m)
    }

    fn structure(&mut self) -> Res<()> {
        self.declared("s", self.m.structs.len())?;
        let name = self.string()?;
        let base = match self.eat_word("base") {
            true => Some(self.string()?),
            false => None,
        };
        let raypayload = self.eat_word("raypayload");
        self.need(b'{')?;
        let mut fields = Vec::new();
        while !self.eat(b'}') {
            let name = self.string()?;
            self.need(b':')?;
            let ty = self.ty()?;
            let hlsl = match self.eat_word("hlsl") {
                true => self.string()?,
                false => String::new(),
            };
            let numbers = self.hlsl_numbers()?;
            let paq = match self.eat_word("read") {
                true => {
                    let read = self.paq_stages()?;
                    self.need_word("write")?;
                    let write = self.paq_stages()?;
                    Some(Paq { read, write })
                }
                false => None,
            };
            let offset = match self.eat_word("offset") {
                true => Some(self.u32()?),
                false => None,
            };
            let precise = self.eat_word("precise");
            fields.push(Field { name, ty, paq, offset, numbers, hlsl, precise });
        }
        self.m.structs.push(StructData { name, fields, base, raypayload });
        Ok(())
    }

    /// `as column_major float2x3`, `as uint`: what HLSL says about numbers.
    pub fn hlsl_numbers(&mut self) -> Res<Option<Numbers>> {
        if !self.eat_word("as") {
            return Ok(None);
        }
        let order = MatrixOrder::NAMES.iter().find(|(_, word)| self.eat_word(word)).map(|o| o.0);
        self.word("numbers of HLSL that are unsigned, a vector of one component or a matrix", |w| Numbers::from_text(order, w)).map(Some)
    }

    fn paq_stages(&mut self) -> Res<u8> {
        let mut set = 0;
        self.need(b'(')?;
        while !self.eat(b')') {
            set |= self.word("a stage", PaqStage::from_name)?.bit();
        }
        Ok(set)
    }

    /// A type.
    pub fn ty(&mut self) -> Res<Type> {
        self.ty_at(0)
    }

    fn ty_at(&mut self, depth: u32) -> Res<Type> {
        if depth > MAX_TYPE_DEPTH {
            return self.fail(format!("types nest deeper than {MAX_TYPE_DEPTH}"));
        }
        if self.eat(b'[') {
            let mark = self.at;
            let n = self.u32()?;
            if n == 0 {
                return self.fail_at(mark, "array of length 0");
            }
            self.need_word("x")?;
            let elem = self.ty_at(depth + 1)?;
            self.need(b']')?;
            return Ok(self.m.types.array(elem, n));
        }
        if self.eat_word("res") {
            return self.resource_type(depth);
        }
        if self.eat_word("hitobj") {
            return Ok(Type::HIT_OBJECT);
        }
        if self.eat_word("linalg") {
            self.need(b'(')?;
            let mut numbers = [0; rtc_tables::linalg::ATTRIBUTE_ARGUMENTS];
            for n in &mut numbers {
                *n = self.u32()?;
            }
            self.need(b')')?;
            return Ok(self.m.types.linalg(MatrixType::from_numbers(numbers)));
        }
        if self.eat_word("query") {
            self.need(b'(')?;
            let (flags, query_flags) = (self.u32()?, self.u32()?);
            self.need(b')')?;
            return Ok(self.m.types.ray_query(flags, query_flags));
        }
        if self.is_entity("sv") {
            let mark = self.at;
            let t = index(self.entity("sv", "a type of SPIR-V")?);
            if !self.m.inline_types.is_valid(t) {
                return self.fail_at(mark, format!("unknown {t}"));
            }
            return Ok(self.m.types.spirv(t));
        }
        if self.is_entity("s") {
            let mark = self.at;
            let n = self.entity("s", "a structure")?;
            self.mention(0, n, mark);
            return Ok(self.m.types.struct_(Struct::from_u32(n)));
        }
        let (s, n) = self.word("a type", |w| {
            let scalar = |name: &str| Scalar::ALL.iter().find(|s| s.1 == name).map(|s| s.0);
            match w.split_once('x') {
                None => Some((scalar(w)?, 1)),
                Some((s, n)) => Some((scalar(s)?, decimal(n).filter(|n| *n > 1)?)),
            }
        })?;
        if n > MAX_LANES {
            return self.fail_at(self.at - 1, format!("more than {MAX_LANES} components"));
        }
        Ok(self.m.types.vector(s, n))
    }

    fn resource_type(&mut self, depth: u32) -> Res<Type> {
        self.need(b'(')?;
        let mut r = ResourceType {
            class: self.word("a resource class", ResourceClass::from_name)?,
            kind: self.word("a resource kind", |s| ResourceKind::from_name(s).filter(|&k| k != ResourceKind::Invalid))?,
            elem: None,
            comp: CompType::Invalid,
            stride: 0,
            samples: 0,
            flags: ResourceFlags::empty(),
        };
        if self.eat_word("of") {
            let mark = self.at;
            let t = self.ty_at(depth + 1)?;
            if self.m.types.numeric(t).is_none() {
                return self.fail_at(mark, "texels are scalars or vectors");
            }
            r.elem = Some(t);
        }
        if self.eat_word("comp") {
            r.comp = self.word("a component type", CompType::from_name)?;
        }
        if self.eat_word("stride") {
            r.stride = self.u32()?;
        }
        if self.eat_word("samples") {
            r.samples = self.u32()?;
        }
        while !self.eat(b')') {
            let known = |w: &str| {
                let mut all = ResourceFlags::all().iter_names();
                all.find(|(n, _)| n.to_lowercase() == w).map(|f| f.1)
            };
            r.flags |= self.word("a property of the resource", known)?;
        }
        Ok(self.m.types.resource(r))
    }

    /// Name and symbol.
    pub fn names(&mut self) -> Res<(String, String)> {
        let name = self.string()?;
        let symbol = match self.eat_word("symbol") {
            true => self.string()?,
            false => name.clone(),
        };
        Ok((name, symbol))
    }

    fn global(&mut self) -> Res<()> {
        self.declared("g", self.m.globals.len())?;
        self.need(b'=')?;
        let what = self.word("`resource`, `groupshared`, `private`, `table` or `spirv`", |w| {
            ["resource", "groupshared", "private", "table", "spirv"].iter().position(|k| *k == w)
        })?;
        let (name, symbol) = self.names()?;
        self.need(b':')?;
        let mark = self.at;
        let ty = self.ty()?;
        let kind = match what {
            0 if self.m.types.as_resource(ty).is_none() => {
                return self.fail_at(mark, "expected a resource type");
            }
            0 => GlobalKind::Resource(self.resource_decl(ty)?),
            1 => GlobalKind::GroupShared(ty),
            2 => {
                let bits = if self.is(b'=') { Some(self.bits()?) } else { None };
                GlobalKind::Private(ty, bits)
            }
            4 => self.inline_variable(ty)?,
            _ => {
                let bits = self.bits()?;
                GlobalKind::Table(ty, bits)
            }
        };
        let precise = self.eat_word("precise");
        let decorations = self.decorations()?;
        self.m.globals.push(GlobalData { name, symbol, kind, decorations, span: Span::NONE, precise });
        Ok(())
    }

    /// The bits of scalars, depth first.
    fn bits(&mut self) -> Res<Vec<u64>> {
        let mut bits = Vec::new();
        self.need(b'=')?;
        self.need(b'(')?;
        self.rest_of_list(|p| {
            bits.push(p.literal(Some(Scalar::I64))?);
            Ok(())
        })?;
        Ok(bits)
    }

    fn resource_decl(&mut self, ty: Type) -> Res<ResourceDecl> {
        let array = self.eat_word("array");
        let count = if self.eat_word("unbounded") {
            None
        } else if self.eat_word("count") {
            Some(self.u32()?)
        } else {
            Some(1)
        };
        let register = match self.eat_word("register") {
            true => Some(self.u32()?),
            false => None,
        };
        self.need_word("space")?;
        let space = self.u32()?;
        let counter = match self.eat_word("counter") {
            true => Some(self.u32()?),
            false => None,
        };
        let place = if self.eat_word("push") {
            BindPlace::Push
        } else if self.eat_word("record") {
            BindPlace::Record
        } else if self.eat_word("tail") {
            BindPlace::Tail
        } else {
            BindPlace::Registers
        };
        let other_letter = self.eat_word("other_letter");
        let vk = match self.eat_word("vk") {
            true => Some((self.u32()?, self.u32()?)),
            false => None,
        };
        let element = match self.eat_word("element") {
            true => Some((self.u32()?, self.u32()?)),
            false => None,
        };
        let format = match self.eat_word("format") {
            true => Some(self.word("an image format", ImageFormat::from_name)?),
            false => None,
        };
        let combined = self.eat_word("combined");
        let kind = DeclKind::NAMES.iter().skip(1).find(|(_, word)| self.eat_word(word)).map_or(DeclKind::Variable, |k| k.0);
        let layout = match self.eat_word("layout") {
            true => Some(self.ty()?),
            false => None,
        };
        let hlsl = match self.eat_word("hlsl") {
            true => self.string()?,
            false => String::new(),
        };
        let numbers = self.hlsl_numbers()?;
        Ok(ResourceDecl {
            ty,
            count,
            array,
            kind,
            element: numbers,
            binding: Binding { register, other_letter, space, vk, counter, element, place, format, combined },
            layout,
            hlsl,
            host: None,
        })
    }

    fn subobject(&mut self) -> Res<()> {
        use SubobjectKind as K;
        let name = self.string()?;
        self.need(b'=')?;
        let mark = self.at;
        let word = self.word("a kind of subobject", |w| Some(w.to_string()))?;
        let kind = match word.as_str() {
            "state_object_config" => K::StateObjectConfig(self.u32()?),
            "shader_config" => K::ShaderConfig(self.u32()?, self.u32()?),
            "pipeline_config" => K::PipelineConfig(self.u32()?),
            "pipeline_config1" => K::PipelineConfig1(self.u32()?, self.u32()?),
            "global_root_signature" => K::GlobalRootSignature(self.string()?),
            "local_root_signature" => K::LocalRootSignature(self.string()?),
            "triangle_hit_group" => K::TriangleHitGroup(self.string()?, self.string()?),
            "procedural_hit_group" => K::ProceduralHitGroup(self.string()?, self.string()?, self.string()?),
            "association" => {
                let subobject = self.string()?;
                let mut exports = Vec::new();
                self.need(b'(')?;
                self.rest_of_list(|p| {
                    exports.push(p.string()?);
                    Ok(())
                })?;
                K::Association(subobject, exports)
            }
            _ => return self.fail_at(mark, "expected a kind of subobject"),
        };
        self.m.subobjects.push(Subobject { name, kind, span: Span::NONE });
        Ok(())
    }

    /// The scalar that constants of type `t` are.
    pub fn scalar_of(&self, t: Type) -> Option<Scalar> {
        match self.m.types.kind(t) {
            TypeKind::Scalar(s) => Some(s),
            _ => None,
        }
    }
}

/// `n` in decimal without leading zeros.
fn decimal(s: &str) -> Option<u32> {
    let plain = s.bytes().all(|b| b.is_ascii_digit()) && (s == "0" || !s.starts_with('0'));
    s.parse().ok().filter(|_| plain)
}

/// The number of the entity `word` if it has this prefix. The last number is reserved for "none".
fn entity(word: &str, prefix: &str) -> Option<u32> {
    decimal(word.strip_prefix(prefix)?).filter(|n| *n < u32::MAX)
}

/// Whether `n` is the number of `e`; spares the reader the conversions.
pub(super) fn index<E: EntityRef>(n: u32) -> E {
    E::new(n as usize)
}
