//! Reading a layout file. Everything that a person or a damaged disk can do to it ends in one sentence with the place: what
//! is malformed, unknown, said twice, too large, or would put two fields in one place that are alive together.

use std::collections::HashMap;

use rtc_base::{Diagnostic, SourceMap, Span};
use rtc_ir::{Paq, PaqStage};
use rtc_passes::payload_layout::{Knowledge, MAX_SCALARS, apart};
use rtc_tables::diagnostics as codes;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::file::{Field, File, Payload, VERSION};

/// What is wrong, on the heap: it is large and rare.
type Wrong = Box<Diagnostic>;

/// Bits that no packed payload has.
const MAX_BITS: u32 = MAX_SCALARS as u32 * 64;

/// Reads the file; it becomes one of the sources, so that what is wrong has a place.
pub fn read(name: &str, text: &str, sources: &mut SourceMap) -> Result<File, Wrong> {
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
            Diagnostic::new(&codes::E0720, at, "this is no layout file: it is no TOML")
                .here(e.message().lines().next().unwrap_or_default()),
        )
    })?;
    let r = Reader { span: &span };
    let root = Table { r: &r, table: document.get_ref(), at: span(document.span()) };
    root.only(&["version", "payload"])?;
    let (version, at) = root.number("version")?;
    if version != VERSION {
        return Err(r.wrong(at, format!("a layout file of version {version}; version {VERSION} is known")));
    }
    let mut out = File::default();
    let mut names: HashMap<String, Span> = HashMap::new();
    for v in root.list("payload", true)? {
        let p = payload(&r, v)?;
        if let Some(first) = names.insert(p.name.0.clone(), p.name.1) {
            let d = r.wrong(p.name.1, format!("the payload `{}` is in the file twice", p.name.0));
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
    fn wrong(&self, at: Span, why: String) -> Wrong {
        Box::new(Diagnostic::new(&codes::E0720, at, format!("the layout file is wrong: {why}")))
    }
    fn at<T>(&self, v: &Spanned<T>) -> Span {
        (self.span)(v.span())
    }
    fn expected(&self, v: &Spanned<DeValue<'_>>, what: &str) -> Wrong {
        self.wrong(self.at(v), format!("{what} is wanted here, not {}", v.get_ref().type_str()))
    }
    fn string(&self, v: &Spanned<DeValue<'_>>) -> Result<String, Wrong> {
        v.get_ref().as_str().map(str::to_owned).ok_or_else(|| self.expected(v, "a string"))
    }
}

struct Table<'a, 'd> {
    r: &'a Reader<'a>,
    table: &'a DeTable<'d>,
    at: Span,
}

impl<'a, 'd> Table<'a, 'd> {
    fn of(r: &'a Reader<'a>, v: &'a Spanned<DeValue<'d>>) -> Result<Self, Wrong> {
        let table = v.get_ref().as_table().ok_or_else(|| r.expected(v, "a table"))?;
        Ok(Table { r, table, at: r.at(v) })
    }
    /// No other keys.
    fn only(&self, known: &[&str]) -> Result<(), Wrong> {
        match self.table.iter().find(|(k, _)| !known.contains(&k.get_ref().as_ref())) {
            Some((k, _)) => Err(self.r.wrong(self.r.at(k), format!("there is no key `{}`; known are {}", k.get_ref(), known.join(", ")))),
            None => Ok(()),
        }
    }
    fn get(&self, key: &str) -> Option<&'a Spanned<DeValue<'d>>> {
        self.table.get(key)
    }
    fn need(&self, key: &str) -> Result<&'a Spanned<DeValue<'d>>, Wrong> {
        self.get(key).ok_or_else(|| self.r.wrong(self.at, format!("`{key}` is missing")))
    }
    fn string(&self, key: &str) -> Result<(String, Span), Wrong> {
        let v = self.need(key)?;
        Ok((self.r.string(v)?, self.r.at(v)))
    }
    fn to_number(&self, v: &Spanned<DeValue<'_>>) -> Result<(u32, Span), Wrong> {
        let i = v.get_ref().as_integer().ok_or_else(|| self.r.expected(v, "a number"))?;
        let n = u32::from_str_radix(i.as_str(), i.radix()).ok().filter(|&n| n <= MAX_BITS);
        n.map(|n| (n, self.r.at(v))).ok_or_else(|| self.r.wrong(self.r.at(v), format!("{i} is no number from 0 to {MAX_BITS}")))
    }
    fn number(&self, key: &str) -> Result<(u32, Span), Wrong> {
        self.to_number(self.need(key)?)
    }
    fn list(&self, key: &str, optional: bool) -> Result<&'a [Spanned<DeValue<'d>>], Wrong> {
        let v = match self.get(key) {
            None if optional => return Ok(&[]),
            _ => self.need(key)?,
        };
        Ok(v.get_ref().as_array().ok_or_else(|| self.r.expected(v, "a list"))?)
    }
    fn stages(&self, key: &str) -> Result<u8, Wrong> {
        let mut set = 0;
        for v in self.list(key, false)? {
            let name = self.r.string(v)?;
            let Some((stage, _)) = PaqStage::ALL.iter().find(|s| s.1 == name) else {
                return Err(self.r.wrong(self.r.at(v), format!("`{name}` is no stage; stages are caller, anyhit, closesthit and miss")));
            };
            if set & stage.bit() != 0 {
                return Err(self.r.wrong(self.r.at(v), format!("the stage `{name}` is named twice")));
            }
            set |= stage.bit();
        }
        Ok(set)
    }
}

fn payload(r: &Reader<'_>, v: &Spanned<DeValue<'_>>) -> Result<Payload, Wrong> {
    let t = Table::of(r, v)?;
    t.only(&["name", "declared", "packed", "stages", "hit_objects", "fields"])?;
    let name = t.string("name")?;
    let (declared, _) = t.number("declared")?;
    let (packed, packed_at) = t.number("packed")?;
    if packed == 0 || packed % 4 != 0 || packed > MAX_BITS / 8 {
        return Err(r.wrong(packed_at, format!("a payload of {packed} bytes is no whole number of words, one at least")));
    }
    let halves = t.need("hit_objects")?;
    let known =
        Knowledge { stages: t.stages("stages")?, halves: halves.get_ref().as_bool().ok_or_else(|| r.expected(halves, "true or false"))? };
    let mut fields: Vec<Field> = Vec::new();
    let mut names: HashMap<String, Span> = HashMap::new();
    for v in t.list("fields", false)? {
        let f = field(r, v, packed)?;
        if let Some(first) = names.insert(f.name.clone(), f.place) {
            let d = r.wrong(f.place, format!("the field `{}` is there twice", f.name));
            return Err(Box::new(d.label(first, "it is here, too")));
        }
        if f.at.is_none() && known.alive(f.paq) != 0 {
            return Err(r.wrong(f.place, format!("`{}` is alive between stages and needs a place: `at`", f.name)));
        }
        fields.push(f);
    }
    overlaps(r, &fields, known)?;
    Ok(Payload { name, declared, packed, known, fields })
}

fn field(r: &Reader<'_>, v: &Spanned<DeValue<'_>>, packed: u32) -> Result<Field, Wrong> {
    let t = Table::of(r, v)?;
    t.only(&["name", "type", "read", "write", "bits", "at"])?;
    let (bits, bits_at) = t.number("bits")?;
    if bits == 0 {
        return Err(r.wrong(bits_at, "a field without bits".into()));
    }
    let at = t.get("at").map(|v| t.to_number(v)).transpose()?;
    if let Some((at, place)) = at
        && u64::from(at) + u64::from(bits) > u64::from(packed) * 8
    {
        return Err(r.wrong(place, format!("{bits} bits from bit {at} on are outside of {packed} bytes")));
    }
    Ok(Field {
        place: r.at(v),
        name: t.string("name")?.0,
        ty: t.string("type")?.0,
        paq: Paq { read: t.stages("read")?, write: t.stages("write")? },
        bits,
        at: at.map(|a| a.0),
    })
}

/// Fields that are alive together, or behind the same stage, are apart. By classes of fields that are alive on the same ways: in
/// each, and in each with what it must be apart from, nothing overlaps.
fn overlaps(r: &Reader<'_>, fields: &[Field], known: Knowledge) -> Result<(), Wrong> {
    let mut placed: Vec<(u32, u32, u16, usize)> =
        fields.iter().enumerate().filter_map(|(n, f)| Some((f.at?, f.at? + f.bits, known.alive(f.paq), n))).filter(|p| p.2 != 0).collect();
    placed.sort_unstable();
    // Of each class the one that ends last, in the order of beginnings.
    let mut open: Vec<(u16, u32, usize)> = Vec::new();
    for &(lo, hi, alive, n) in &placed {
        if let Some(o) = open.iter().find(|o| o.1 > lo && apart(o.0, alive)) {
            let (a, b) = (&fields[o.2], &fields[n]);
            let d = r.wrong(b.place, format!("`{}` and `{}` are alive together and share bits", a.name, b.name));
            return Err(Box::new(d.label(a.place, "the other one")));
        }
        match open.iter_mut().find(|o| o.0 == alive) {
            Some(o) if o.1 >= hi => {}
            Some(o) => (o.1, o.2) = (hi, n),
            None => open.push((alive, hi, n)),
        }
    }
    Ok(())
}
