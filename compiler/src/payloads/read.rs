//! The reader of layout files. Any malformed file gives one diagnostic with its span: a syntax error, an unknown or duplicate
//! key, a number out of range, or fields that share bits and are alive at the same time.

use std::collections::HashMap;

use rtc_base::{Diagnostic, SourceMap, Span};
use rtc_ir::{Paq, PaqStage};
use rtc_passes::payload_layout::{MAX_SCALARS, ShaderFacts, interfere};
use rtc_tables::diagnostics as codes;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::file::{Field, File, Payload, VERSION};

/// An error in a layout file; boxed because it is large and rare.
type LayoutError = Box<Diagnostic>;

/// An upper bound of the bits of a packed payload.
const MAX_BITS: u32 = MAX_SCALARS as u32 * 64;

/// Reads the file and adds it to the sources, so that errors have spans.
///
/// # Errors
/// A diagnostic with the first error.
pub fn read(name: &str, text: &str, sources: &mut SourceMap) -> Result<File, LayoutError> {
    let plain = |why: String| Box::new(Diagnostic::new(&codes::E0720, Span::NONE, format!("`{name}`: {why}")));
    let Some(id) = sources.add_file(name, text, None) else { return Err(plain("the file is too large".into())) };
    let start = sources.file(id).start;
    let last = text.len();
    let span = |r: std::ops::Range<usize>| {
        let (lo, hi) = (r.start.min(last) as u32, r.end.min(last) as u32);
        Span::new(start.offset(lo), start.offset(hi.max(lo)))
    };
    let document = DeTable::parse(text).map_err(|e| {
        let at = e.span().map_or(span(0..0), span);
        Box::new(
            Diagnostic::new(&codes::E0720, at, "invalid layout file: it is not TOML").here(e.message().lines().next().unwrap_or_default()),
        )
    })?;
    let r = Reader { span: &span };
    let root = Table { r: &r, table: document.get_ref(), at: span(document.span()) };
    root.only(&["version", "payload"])?;
    let (version, at) = root.number("version")?;
    if version != VERSION {
        return Err(r.error(at, format!("unsupported layout file version {version}; expected version {VERSION}")));
    }
    let mut out = File::default();
    let mut names: HashMap<String, Span> = HashMap::new();
    for v in root.list("payload", true)? {
        let p = payload(&r, v)?;
        if let Some(first) = names.insert(p.name.0.clone(), p.name.1) {
            let d = r.error(p.name.1, format!("the payload `{}` is declared twice in the file", p.name.0));
            return Err(Box::new(d.label(first, "it is here, too")));
        }
        out.payloads.push(p);
    }
    Ok(out)
}

struct Reader<'a> {
    span: &'a dyn Fn(std::ops::Range<usize>) -> Span,
}

impl Reader<'_> {
    fn error(&self, at: Span, why: String) -> LayoutError {
        Box::new(Diagnostic::new(&codes::E0720, at, format!("invalid layout file: {why}")))
    }
    fn at<T>(&self, v: &Spanned<T>) -> Span {
        (self.span)(v.span())
    }
    fn expected(&self, v: &Spanned<DeValue<'_>>, what: &str) -> LayoutError {
        self.error(self.at(v), format!("expected {what}, found {}", v.get_ref().type_str()))
    }
    fn string(&self, v: &Spanned<DeValue<'_>>) -> Result<String, LayoutError> {
        v.get_ref().as_str().map(str::to_owned).ok_or_else(|| self.expected(v, "a string"))
    }
}

struct Table<'a, 'd> {
    r: &'a Reader<'a>,
    table: &'a DeTable<'d>,
    at: Span,
}

impl<'a, 'd> Table<'a, 'd> {
    fn of(r: &'a Reader<'a>, v: &'a Spanned<DeValue<'d>>) -> Result<Self, LayoutError> {
        let table = v.get_ref().as_table().ok_or_else(|| r.expected(v, "a table"))?;
        Ok(Table { r, table, at: r.at(v) })
    }
    /// No other keys.
    fn only(&self, known: &[&str]) -> Result<(), LayoutError> {
        match self.table.iter().find(|(k, _)| !known.contains(&k.get_ref().as_ref())) {
            Some((k, _)) => Err(self.r.error(self.r.at(k), format!("unknown key `{}`; valid keys are {}", k.get_ref(), known.join(", ")))),
            None => Ok(()),
        }
    }
    fn get(&self, key: &str) -> Option<&'a Spanned<DeValue<'d>>> {
        self.table.get(key)
    }
    fn need(&self, key: &str) -> Result<&'a Spanned<DeValue<'d>>, LayoutError> {
        self.get(key).ok_or_else(|| self.r.error(self.at, format!("`{key}` is missing")))
    }
    fn string(&self, key: &str) -> Result<(String, Span), LayoutError> {
        let v = self.need(key)?;
        Ok((self.r.string(v)?, self.r.at(v)))
    }
    fn to_number(&self, v: &Spanned<DeValue<'_>>) -> Result<(u32, Span), LayoutError> {
        let i = v.get_ref().as_integer().ok_or_else(|| self.r.expected(v, "a number"))?;
        let n = u32::from_str_radix(i.as_str(), i.radix()).ok().filter(|&n| n <= MAX_BITS);
        n.map(|n| (n, self.r.at(v))).ok_or_else(|| self.r.error(self.r.at(v), format!("{i} is not a number from 0 to {MAX_BITS}")))
    }
    fn number(&self, key: &str) -> Result<(u32, Span), LayoutError> {
        self.to_number(self.need(key)?)
    }
    fn list(&self, key: &str, optional: bool) -> Result<&'a [Spanned<DeValue<'d>>], LayoutError> {
        let v = match self.get(key) {
            None if optional => return Ok(&[]),
            _ => self.need(key)?,
        };
        Ok(v.get_ref().as_array().ok_or_else(|| self.r.expected(v, "a list"))?)
    }
    fn stages(&self, key: &str) -> Result<u8, LayoutError> {
        let mut set = 0;
        for v in self.list(key, false)? {
            let name = self.r.string(v)?;
            let Some(stage) = PaqStage::from_name(&name) else {
                return Err(self.r.error(self.r.at(v), format!("`{name}` is not a stage; stages are caller, anyhit, closesthit and miss")));
            };
            if set & stage.bit() != 0 {
                return Err(self.r.error(self.r.at(v), format!("the stage `{name}` is named twice")));
            }
            set |= stage.bit();
        }
        Ok(set)
    }
}

fn payload(r: &Reader<'_>, v: &Spanned<DeValue<'_>>) -> Result<Payload, LayoutError> {
    let t = Table::of(r, v)?;
    t.only(&["name", "declared", "packed", "stages", "hit_objects", "fields"])?;
    let name = t.string("name")?;
    let (declared, _) = t.number("declared")?;
    let (packed, packed_at) = t.number("packed")?;
    if packed == 0 || packed % 4 != 0 || packed > MAX_BITS / 8 {
        return Err(r.error(packed_at, format!("a payload of {packed} bytes is not a positive multiple of 4")));
    }
    let hit_objects = t.need("hit_objects")?;
    let facts = ShaderFacts {
        stages: t.stages("stages")?,
        hit_objects: hit_objects.get_ref().as_bool().ok_or_else(|| r.expected(hit_objects, "true or false"))?,
    };
    let mut fields: Vec<Field> = Vec::new();
    let mut names: HashMap<String, Span> = HashMap::new();
    for v in t.list("fields", false)? {
        let f = field(r, v, packed)?;
        if let Some(first) = names.insert(f.name.clone(), f.span) {
            let d = r.error(f.span, format!("the field `{}` is declared twice", f.name));
            return Err(Box::new(d.label(first, "it is here, too")));
        }
        if f.at.is_none() && facts.alive(f.paq) != 0 {
            return Err(r.error(f.span, format!("`{}` is alive between stages and requires an offset: `at`", f.name)));
        }
        fields.push(f);
    }
    overlaps(r, &fields, facts)?;
    Ok(Payload { name, declared, packed, facts, fields })
}

fn field(r: &Reader<'_>, v: &Spanned<DeValue<'_>>, packed: u32) -> Result<Field, LayoutError> {
    let t = Table::of(r, v)?;
    t.only(&["name", "type", "read", "write", "bits", "at"])?;
    let (bits, bits_at) = t.number("bits")?;
    if bits == 0 {
        return Err(r.error(bits_at, "a field without bits".into()));
    }
    let at = t.get("at").map(|v| t.to_number(v)).transpose()?;
    if let Some((at, place)) = at
        && u64::from(at) + u64::from(bits) > u64::from(packed) * 8
    {
        return Err(r.error(place, format!("{bits} bits from bit {at} are outside of {packed} bytes")));
    }
    Ok(Field {
        span: r.at(v),
        name: t.string("name")?.0,
        ty: t.string("type")?.0,
        paq: Paq { read: t.stages("read")?, write: t.stages("write")? },
        bits,
        at: at.map(|a| a.0),
    })
}

/// Fields that are alive together, or after the same stage, must not overlap. Checked by classes of fields with the same live range.
fn overlaps(r: &Reader<'_>, fields: &[Field], facts: ShaderFacts) -> Result<(), LayoutError> {
    let mut placed: Vec<(u32, u32, u16, usize)> =
        fields.iter().enumerate().filter_map(|(n, f)| Some((f.at?, f.at? + f.bits, facts.alive(f.paq), n))).filter(|p| p.2 != 0).collect();
    placed.sort_unstable();
    // Of each class the one that ends last, in the order of beginnings.
    let mut open: Vec<(u16, u32, usize)> = Vec::new();
    for &(lo, hi, alive, n) in &placed {
        if let Some(o) = open.iter().find(|o| o.1 > lo && interfere(o.0, alive)) {
            let (a, b) = (&fields[o.2], &fields[n]);
            let d = r.error(b.span, format!("`{}` and `{}` are alive at the same time and share bits", a.name, b.name));
            return Err(Box::new(d.label(a.span, "the other field")));
        }
        match open.iter_mut().find(|o| o.0 == alive) {
            Some(o) if o.1 >= hi => {}
            Some(o) => (o.1, o.2) = (hi, n),
            None => open.push((alive, hi, n)),
        }
    }
    Ok(())
}
