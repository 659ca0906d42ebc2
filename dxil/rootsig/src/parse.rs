//! Parser of root signature text.
//!
//! A list of elements, separated by commas: `RootFlags(…)`, `RootConstants(…)`, `CBV(…)`, `SRV(…)`,
//! `UAV(…)`, `DescriptorTable(…)`, `StaticSampler(…)`. Arguments come in any order, each once; words are
//! matched without regard to case. An element is read by one function below, its words are in
//! [`super::words`].

use super::lex::{Tok, Token, token};
use super::words::{self, ANISOTROPIC, AddressMode, BorderColor, Comparison, Filter, FlagWord, Visibility};
use super::{
    APPEND, LOCAL_ROOT_SIGNATURE, Range, RootDescriptor, RootParam, RootParamKind, RootSignature, RootVersion, StaticSampler, UNBOUNDED,
    check,
};
use rtc_dxil_container::ResourceClass;

/// What the text is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Anything.
    Any,
    /// A global root signature: the flag `LOCAL_ROOT_SIGNATURE` is an error.
    Global,
    /// A local root signature: that flag is set whether the text says it or not.
    Local,
}

/// What is wrong with the text, and where in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextError {
    /// Byte offset in the text.
    pub offset: usize,
    /// Bytes concerned; 0 at the end of the text.
    pub len: usize,
    /// The cause, without a full stop.
    pub message: String,
}

impl std::fmt::Display for TextError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "root signature at byte {}: {}", self.offset, self.message)
    }
}

impl std::error::Error for TextError {}

type Parsed<T> = Result<T, TextError>;

/// Parses root signature text for the given version and checks it ([`super::check()`]).
///
/// # Errors
/// The first error of syntax, or else all contradictions that the checks find, each at the element
/// that has it.
pub fn parse(text: &str, version: RootVersion, scope: Scope) -> Result<RootSignature, Vec<TextError>> {
    parse_with_remarks(text, version, scope).map(|parsed| parsed.0)
}

/// [`parse`] with what is allowed and probably not meant.
///
/// # Errors
/// Those of [`parse`].
pub fn parse_with_remarks(text: &str, version: RootVersion, scope: Scope) -> Result<(RootSignature, Vec<TextError>), Vec<TextError>> {
    let mut p = Parser {
        text,
        next: token(text, 0),
        version,
        scope,
        signature: RootSignature { version, flags: 0, params: Vec::new(), samplers: Vec::new() },
        param_spans: Vec::new(),
        sampler_spans: Vec::new(),
        flags_span: (0, text.len()),
        remarks: Vec::new(),
    };
    p.elements().map_err(|e| vec![e])?;
    let errors: Vec<TextError> = check::check(&p.signature).into_iter().map(|problem| p.located(problem)).collect();
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut remarks = std::mem::take(&mut p.remarks);
    remarks.extend(check::remarks(&p.signature).into_iter().map(|problem| p.located(problem)));
    Ok((p.signature, remarks))
}

struct Parser<'a> {
    text: &'a str,
    next: Token<'a>,
    version: RootVersion,
    scope: Scope,
    signature: RootSignature,
    param_spans: Vec<(usize, usize)>,
    sampler_spans: Vec<(usize, usize)>,
    /// `RootFlags(…)`, or the whole text.
    flags_span: (usize, usize),
    remarks: Vec<TextError>,
}

/// The keys of arguments; the position in a list is the bit in its "seen" mask.
pub(super) type Keys = &'static [&'static str];

/// Entry in a list of keys for the register, which has no key.
pub(super) const REGISTER: &str = "register";

/// The arguments of `RootConstants`.
pub(super) const CONSTANTS_KEYS: Keys = &[REGISTER, "num32BitConstants", "space", "visibility"];
/// The arguments of `CBV`, `SRV` and `UAV` in the root.
pub(super) const DESCRIPTOR_KEYS: Keys = &[REGISTER, "space", "visibility", "flags"];
/// The arguments of `CBV`, `SRV`, `UAV` and `Sampler` in a table.
pub(super) const RANGE_KEYS: Keys = &[REGISTER, "numDescriptors", "space", "flags", "offset"];
/// The arguments of `StaticSampler`.
#[rustfmt::skip]
pub(super) const SAMPLER_KEYS: Keys = &[
    REGISTER, "filter", "addressU", "addressV", "addressW", "mipLODBias", "maxAnisotropy",
    "comparisonFunc", "borderColor", "minLOD", "maxLOD", "space", "visibility", "flags",
];

impl<'a> Parser<'a> {
    /// A contradiction at its place in the text.
    fn located(&self, problem: check::Problem) -> TextError {
        let (start, end) = match problem.place {
            check::Location::Param(i) => self.param_spans[i],
            check::Location::Sampler(i) => self.sampler_spans[i],
            check::Location::Whole => self.flags_span,
        };
        TextError { offset: start, len: end - start, message: problem.message }
    }

    fn take(&mut self) -> Token<'a> {
        let t = self.next;
        self.next = token(self.text, t.end);
        t
    }

    fn error<T>(&self, at: Token<'_>, message: String) -> Parsed<T> {
        let message = match at.tok {
            Tok::Bad(why) => format!("'{}': {why}", &self.text[at.start..at.end]),
            _ => message,
        };
        Err(TextError { offset: at.start, len: at.end - at.start, message })
    }

    fn expected<T>(&self, at: Token<'_>, what: &str) -> Parsed<T> {
        let found = match at.tok {
            Tok::End => "the end".to_owned(),
            _ => format!("'{}'", &self.text[at.start..at.end]),
        };
        self.error(at, format!("expected {what}, found {found}"))
    }

    fn mark(&mut self, mark: char) -> Parsed<()> {
        let t = self.take();
        if t.tok == Tok::Mark(mark) { Ok(()) } else { self.expected(t, &format!("'{mark}'")) }
    }

    fn elements(&mut self) -> Parsed<()> {
        let mut flags_seen = false;
        while self.next.tok != Tok::End {
            let head = self.take();
            let Tok::Word(word) = head.tok else {
                return self.expected(head, "a root signature element");
            };
            self.mark('(')?;
            let is = |name: &str| word.eq_ignore_ascii_case(name);
            if is("RootFlags") {
                if flags_seen {
                    return self.error(head, "RootFlags may occur only once".to_owned());
                }
                flags_seen = true;
                self.signature.flags = self.root_flags()?;
                self.flags_span = (head.start, self.next.end);
            } else if is("StaticSampler") {
                let sampler = self.static_sampler(head)?;
                self.signature.samplers.push(sampler);
                self.sampler_spans.push((head.start, self.next.end));
            } else {
                let param = if is("RootConstants") {
                    self.root_constants(head)?
                } else if is("CBV") {
                    self.root_descriptor(head, 'b', RootParamKind::Cbv)?
                } else if is("SRV") {
                    self.root_descriptor(head, 't', RootParamKind::Srv)?
                } else if is("UAV") {
                    self.root_descriptor(head, 'u', RootParamKind::Uav)?
                } else if is("DescriptorTable") {
                    self.table()?
                } else {
                    return self.expected(head, "RootFlags, RootConstants, CBV, SRV, UAV, DescriptorTable or StaticSampler");
                };
                self.signature.params.push(param);
                self.param_spans.push((head.start, self.next.end));
            }
            self.mark(')')?;
            if self.next.tok != Tok::End {
                self.mark(',')?;
            }
        }
        if self.scope == Scope::Local {
            self.signature.flags |= LOCAL_ROOT_SIGNATURE;
        }
        Ok(())
    }

    /// Arguments up to the closing parenthesis, which stays. `value` reads what belongs to the key
    /// (for the register: the register itself). Returns the mask of keys seen.
    fn arguments(&mut self, keys: Keys, mut value: impl FnMut(&mut Self, &'static str) -> Parsed<()>) -> Parsed<u32> {
        let mut seen = 0u32;
        loop {
            let t = self.next;
            let index = match t.tok {
                Tok::Register(..) => keys.iter().position(|&k| k == REGISTER),
                Tok::Word(w) => keys.iter().position(|&k| k != REGISTER && k.eq_ignore_ascii_case(w)),
                _ => None,
            };
            let Some(index) = index else {
                return self.expected(t, &format!("one of {}", keys.join(", ")));
            };
            if seen & 1 << index != 0 {
                return self.error(t, format!("{} is given twice", keys[index]));
            }
            seen |= 1 << index;
            if keys[index] != REGISTER {
                self.take();
                self.mark('=')?;
            }
            value(self, keys[index])?;
            if self.next.tok != Tok::Mark(',') {
                return Ok(seen);
            }
            self.take();
        }
    }

    fn root_constants(&mut self, head: Token<'_>) -> Parsed<RootParam> {
        let (mut register, mut space, mut count) = (0, 0, 0);
        let mut visibility = Visibility::All;
        let seen = self.arguments(CONSTANTS_KEYS, |p, key| {
            match key {
                REGISTER => register = p.register('b')?,
                "num32BitConstants" => count = p.number()?,
                "space" => space = p.number()?,
                _ => visibility = p.visibility()?,
            }
            Ok(())
        })?;
        if seen & 1 == 0 {
            return self.error(head, "RootConstants needs a register b#".to_owned());
        }
        if seen & 2 == 0 {
            return self.error(head, "RootConstants needs num32BitConstants".to_owned());
        }
        Ok(RootParam { visibility, kind: RootParamKind::Constants { register, space, count } })
    }

    fn root_descriptor(&mut self, head: Token<'_>, letter: char, kind: fn(RootDescriptor) -> RootParamKind) -> Parsed<RootParam> {
        let mut d = RootDescriptor { register: 0, space: 0, flags: 0 };
        let mut visibility = Visibility::All;
        let seen = self.arguments(DESCRIPTOR_KEYS, |p, key| {
            match key {
                REGISTER => d.register = p.register(letter)?,
                "space" => d.space = p.number()?,
                "visibility" => visibility = p.visibility()?,
                _ => d.flags = p.flags(words::DESCRIPTOR_FLAGS, RootVersion::V1_1, "root descriptor")?,
            }
            Ok(())
        })?;
        if seen & 1 == 0 {
            return self.error(head, format!("a register {letter}# is missing"));
        }
        Ok(RootParam { visibility, kind: kind(d) })
    }

    fn table(&mut self) -> Parsed<RootParam> {
        let mut ranges = Vec::new();
        let mut visibility = None;
        loop {
            let head = self.take();
            let word = if let Tok::Word(w) = head.tok { w } else { "" };
            let is = |name: &str| word.eq_ignore_ascii_case(name);
            if is("visibility") {
                self.mark('=')?;
                if visibility.replace(self.visibility()?).is_some() {
                    return self.error(head, "visibility is given twice".to_owned());
                }
            } else {
                let class = ResourceClass::ALL.iter().find(|c| is(c.title()));
                let Some(&class) = class else {
                    return self.expected(head, "CBV, SRV, UAV, Sampler or visibility");
                };
                self.mark('(')?;
                ranges.push(self.range(head, class)?);
                self.mark(')')?;
            }
            if self.next.tok != Tok::Mark(',') {
                let visibility = visibility.unwrap_or(Visibility::All);
                return Ok(RootParam { visibility, kind: RootParamKind::Table(ranges) });
            }
            self.take();
        }
    }

    fn range(&mut self, head: Token<'_>, class: ResourceClass) -> Parsed<Range> {
        let mut r = Range { class, count: 1, register: 0, space: 0, flags: 0, offset: APPEND };
        let letter = class.letter();
        let seen = self.arguments(RANGE_KEYS, |p, key| {
            match key {
                REGISTER => r.register = p.register(letter)?,
                "numDescriptors" => r.count = p.number_or("unbounded", UNBOUNDED)?,
                "space" => r.space = p.number()?,
                "flags" => r.flags = p.flags(words::RANGE_FLAGS, RootVersion::V1_1, "descriptor range")?,
                _ => r.offset = p.number_or("DESCRIPTOR_RANGE_OFFSET_APPEND", APPEND)?,
            }
            Ok(())
        })?;
        if seen & 1 == 0 {
            return self.error(head, format!("a register {letter}# is missing"));
        }
        Ok(r)
    }

    fn static_sampler(&mut self, head: Token<'_>) -> Parsed<StaticSampler> {
        let mut s = StaticSampler::default();
        let seen = self.arguments(SAMPLER_KEYS, |p, key| {
            match key {
                REGISTER => s.register = p.register('s')?,
                "filter" => s.filter = p.word("a filter", Filter::from_name)?,
                "addressU" => s.address[0] = p.member("a texture address mode", AddressMode::ALL)?,
                "addressV" => s.address[1] = p.member("a texture address mode", AddressMode::ALL)?,
                "addressW" => s.address[2] = p.member("a texture address mode", AddressMode::ALL)?,
                "mipLODBias" => s.mip_lod_bias = p.float()?,
                "maxAnisotropy" => s.max_anisotropy = p.number()?,
                "comparisonFunc" => s.comparison = p.member("a comparison", Comparison::ALL)?,
                "borderColor" => s.border = p.member("a border colour", BorderColor::ALL)?,
                "minLOD" => s.min_lod = p.float()?,
                "maxLOD" => s.max_lod = p.float()?,
                "space" => s.space = p.number()?,
                "visibility" => s.visibility = p.visibility()?,
                _ => s.flags = p.flags(words::SAMPLER_FLAGS, RootVersion::V1_2, "static sampler")?,
            }
            Ok(())
        })?;
        if seen & 1 == 0 {
            return self.error(head, "StaticSampler needs a register s#".to_owned());
        }
        Ok(s)
    }

    fn register(&mut self, letter: char) -> Parsed<u32> {
        let t = self.take();
        match t.tok {
            Tok::Register(l, n) if l == letter => {
                let word = &self.text[t.start..t.end];
                if !word[1..].bytes().all(|b| b.is_ascii_digit()) {
                    let message = format!("'{word}' is register {l}{n}: its number is decimal and ends before the first letter");
                    self.remarks.push(TextError { offset: t.start, len: t.end - t.start, message });
                }
                Ok(n)
            }
            _ => self.expected(t, &format!("a register {letter}#")),
        }
    }

    fn number(&mut self) -> Parsed<u32> {
        let t = self.take();
        match t.tok {
            Tok::Int(n) => match u32::try_from(n) {
                Ok(n) if !self.text[t.start..t.end].starts_with('-') => Ok(n),
                _ => self.error(t, format!("{n} does not fit in 32 bits without sign")),
            },
            _ => self.expected(t, "an integer"),
        }
    }

    fn number_or(&mut self, word: &str, value: u32) -> Parsed<u32> {
        match self.next.tok {
            Tok::Word(w) if w.eq_ignore_ascii_case(word) => {
                self.take();
                Ok(value)
            }
            Tok::Int(_) | Tok::Bad(_) => self.number(),
            _ => self.expected(self.next, &format!("an integer or {word}")),
        }
    }

    fn float(&mut self) -> Parsed<f32> {
        let t = self.take();
        match t.tok {
            Tok::Int(n) if (i64::from(i32::MIN)..=i64::from(u32::MAX)).contains(&n) => Ok(n as f32),
            Tok::Int(n) => self.error(t, format!("{n} does not fit in 32 bits; write it with a point")),
            Tok::Float(v) => Ok(v),
            _ => self.expected(t, "a number"),
        }
    }

    fn word<T>(&mut self, what: &str, find: impl Fn(&str) -> Option<T>) -> Parsed<T> {
        let t = self.take();
        let found = if let Tok::Word(w) = t.tok { find(w) } else { None };
        found.map_or_else(|| self.expected(t, what), Ok)
    }

    fn member<T: Copy + std::fmt::Display>(&mut self, what: &str, all: &[T]) -> Parsed<T> {
        self.word(what, |w| all.iter().find(|m| m.to_string().eq_ignore_ascii_case(w)).copied())
    }

    fn visibility(&mut self) -> Parsed<Visibility> {
        self.member("a shader visibility", Visibility::ALL)
    }

    fn root_flags(&mut self) -> Parsed<u32> {
        let start = self.next;
        let flags = self.flag_list(words::ROOT_FLAGS, "a root signature flag")?;
        if flags & LOCAL_ROOT_SIGNATURE != 0 && self.scope == Scope::Global {
            return self.error(start, "LOCAL_ROOT_SIGNATURE in a global root signature".to_owned());
        }
        Ok(flags)
    }

    fn flags(&mut self, words: &[FlagWord], since: RootVersion, of: &str) -> Parsed<u32> {
        if self.version < since {
            let why = format!("{of} flags need root signature version {since}, this is {}", self.version);
            return self.error(self.next, why);
        }
        self.flag_list(words, &format!("a {of} flag"))
    }

    /// `0`, or words joined by `|`.
    fn flag_list(&mut self, words: &[FlagWord], what: &str) -> Parsed<u32> {
        if let Tok::Int(n) = self.next.tok {
            let t = self.take();
            return if n == 0 { Ok(0) } else { self.expected(t, &format!("0 or {what}")) };
        }
        let mut bits = 0;
        loop {
            bits |= self.word(what, |w| words::flag(words, w))?;
            if self.next.tok != Tok::Mark('|') {
                return Ok(bits);
            }
            self.take();
        }
    }
}

impl Default for StaticSampler {
    /// What a static sampler is when the text gives its register alone.
    fn default() -> Self {
        StaticSampler {
            register: 0,
            space: 0,
            filter: ANISOTROPIC,
            address: [AddressMode::Wrap; 3],
            mip_lod_bias: 0.0,
            max_anisotropy: 16,
            comparison: Comparison::LessEqual,
            border: BorderColor::OpaqueWhite,
            min_lod: 0.0,
            max_lod: f32::MAX,
            visibility: Visibility::All,
            flags: 0,
        }
    }
}
