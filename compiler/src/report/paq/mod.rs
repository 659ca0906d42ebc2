//! The payload report: liveness of the fields of each payload type between the stages of a trace, by the declared and by the tightest
//! qualifiers, the live bytes of each transition, and the fields that can share storage (DXR, payload access qualifiers, optimization
//! potential).
//!
//! Live bytes count fields as declared; without qualifiers every field is live on every transition. Packed offsets are those of
//! `-payload-layout=packed`.

use std::fmt::Write as _;

use rtc_base::SourceMap;
use rtc_ir::{Module, Paq, PaqStage, Struct};
use rtc_passes::payload_layout::{self, Plan, ShaderFacts};
use rtc_tables::payload_access::{TRANSITIONS, Transitions};
use serde_json::{Value, json};

use crate::front_end::Front;
use crate::paq::{self, Member, Payload};

pub mod svg;

/// Payloads of a library.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// The source.
    pub file: String,
    /// The payload types, in source order.
    pub payloads: Vec<PayloadReport>,
}

/// A payload type.
#[derive(Clone, PartialEq, Debug)]
pub struct PayloadReport {
    /// Its name.
    pub name: String,
    /// The source location of its declaration.
    pub at: String,
    /// Its members.
    pub members: Vec<Member>,
    /// Its size in bytes.
    pub size: u32,
    /// Without qualifiers.
    pub plain: View,
    /// With the declared qualifiers, if every field has both.
    pub declared: Option<View>,
    /// With the tightest qualifiers, if they can be inferred from this library alone.
    pub inferred: Option<View>,
    /// Why they cannot be inferred.
    pub refused: Vec<String>,
}

/// A payload type under an assignment of qualifiers.
#[derive(Clone, PartialEq, Debug)]
pub struct View {
    /// The qualifiers of each member.
    pub qualifiers: Vec<Paq>,
    /// The transitions on which each member is live.
    pub alive: Vec<Transitions>,
    /// The live bytes of each of [`TRANSITIONS`].
    pub bytes: Vec<u32>,
    /// The packed layout, in which members that are never live at once share storage.
    pub packed: Packed,
}

/// A packed layout, or the declared one if the payload cannot be packed.
#[derive(Clone, PartialEq, Debug)]
pub struct Packed {
    /// The first bit of each member, if it has storage.
    pub at: Vec<Option<u32>>,
    /// The size in bits of each member.
    pub bits: Vec<u32>,
    /// The size in bytes.
    pub size: u32,
    /// Why the payload cannot be packed.
    pub refused: Option<String>,
}

impl Packed {
    fn new(m: &Module, s: Option<Struct>, paqs: &[Paq]) -> Packed {
        let of = |p: Plan, refused| Packed {
            at: p.fields.iter().map(|f| f.at).collect(),
            bits: p.fields.iter().map(|f| f.bits).collect(),
            size: p.bytes,
            refused,
        };
        let none =
            Packed { at: vec![None; paqs.len()], bits: vec![0; paqs.len()], size: 0, refused: Some("the type is not in the IR".into()) };
        let Some(s) = s else { return none };
        match payload_layout::plan_with(m, s, ShaderFacts::default(), paqs) {
            Ok(plan) => of(plan, None),
            Err(why) => {
                let plain = of(payload_layout::declared(m, s), Some(why.to_string()));
                if plain.at.len() == paqs.len() { plain } else { none }
            }
        }
    }
}

impl View {
    fn new((m, s): (&Module, Option<Struct>), members: &[Member], qualifiers: Vec<Paq>, hit_objects: bool) -> View {
        let alive = if hit_objects { payload_layout::alive_with_hit_objects } else { payload_layout::alive };
        let alive: Vec<Transitions> = qualifiers.iter().map(|&q| alive(q)).collect();
        let on = |n: usize| members.iter().zip(&alive).filter(|(_, a)| *a >> n & 1 != 0).map(|(m, _)| m.size.0).sum();
        View { bytes: (0..TRANSITIONS.len()).map(on).collect(), packed: Packed::new(m, s, &qualifiers), qualifiers, alive }
    }
    /// The largest number of live bytes of a transition.
    pub fn peak(&self) -> u32 {
        self.bytes.iter().copied().max().unwrap_or(0)
    }
}

/// The report of a library.
pub(crate) fn collect(file: &str, front: &Front, sources: &SourceMap) -> Report {
    let payloads = paq::of_front(front, sources).into_iter().map(|p| of_payload(&front.module, p)).collect();
    Report { file: file.to_owned(), payloads }
}

fn of_payload(m: &Module, p: Payload) -> PayloadReport {
    let own = (m, m.structs.iter().find(|(_, s)| s.name == p.name).map(|s| s.0));
    let none = || vec![Paq::default(); p.members.len()];
    let (mut declared, mut inferred) = (Some(none()), none());
    for f in &p.fields {
        let add = |list: &mut Vec<Paq>, read: u8, write: u8| {
            // The fields of all payloads in an array count as one.
            let q = &mut list[f.member];
            *q = Paq { read: q.read | read, write: q.write | write };
        };
        add(&mut inferred, f.solved.read, f.solved.write);
        match f.declared.first().and_then(|d| d.paq).and_then(|q| Some((q.read?.0, q.write?.0))) {
            Some((read, write)) => declared.iter_mut().for_each(|d| add(d, read, write)),
            None => declared = None,
        }
    }
    let payload = p.records.iter().find(|r| r.name == p.name);
    let declared = declared.filter(|_| payload.is_some_and(|r| r.raypayload) && !p.fields.is_empty());
    let all = Paq { read: 0b1111, write: 0b1111 };
    PayloadReport {
        plain: View::new(own, &p.members, vec![all; p.members.len()], false),
        at: payload.map_or_else(String::new, |r| r.at.clone()),
        declared: declared.map(|q| View::new(own, &p.members, q, p.hit_objects)),
        inferred: p.refused.is_empty().then(|| View::new(own, &p.members, inferred, p.hit_objects)),
        name: p.name,
        size: p.size,
        members: p.members,
        refused: p.refused,
    }
}

fn qualifiers(q: Paq) -> String {
    format!("read({}) write({})", PaqStage::list(q.read, ", "), PaqStage::list(q.write, ", "))
}

fn transition(n: usize) -> String {
    format!("{} -> {}", TRANSITIONS[n].0.name(), TRANSITIONS[n].1.name())
}

/// The report as text.
pub fn text(r: &Report) -> String {
    let mut out = String::new();
    for p in &r.payloads {
        _ = writeln!(out, "payload {} ({}): {} bytes", p.name, p.at, p.size);
        for why in &p.refused {
            _ = writeln!(out, "  not inferred: {why}");
        }
        let wide = p.members.iter().map(|m| m.ty.len() + m.name.len() + 1).max().unwrap_or(0);
        for (what, view) in [("as declared", &p.declared), ("tightest", &p.inferred)] {
            let Some(v) = view else { continue };
            _ = writeln!(out, "  {what}: at most {} bytes live, {} bytes packed", v.peak(), v.packed.size);
            if let Some(why) = &v.packed.refused {
                _ = writeln!(out, "    not packed: {why}");
            }
            for (n, m) in p.members.iter().enumerate() {
                let decl = format!("{} {}", m.ty, m.name);
                let offset = v.packed.at[n].map_or("-".into(), byte);
                let shares: Vec<&str> = sharing(p, v, n).map(|o| p.members[o].name.as_str()).collect();
                let with = if shares.is_empty() { String::new() } else { format!(", shares with {}", shares.join(", ")) };
                _ = writeln!(out, "    {decl:wide$}  at {offset:>3}  {}{with}", qualifiers(v.qualifiers[n]));
            }
        }
        _ = writeln!(out, "  bytes live                plain  declared  tightest");
        let show = |v: &Option<View>, n: usize| v.as_ref().map_or("-".into(), |v| v.bytes[n].to_string());
        for n in 0..TRANSITIONS.len() {
            _ = writeln!(out, "    {:24}{:>5}{:>10}{:>10}", transition(n), p.size, show(&p.declared, n), show(&p.inferred, n));
        }
        out.push('\n');
    }
    if r.payloads.is_empty() {
        out.push_str("no payloads\n");
    }
    out
}

/// A bit offset as byte and bit: `12`, `12.3`.
fn byte(bit: u32) -> String {
    match bit % 8 {
        0 => (bit / 8).to_string(),
        n => format!("{}.{n}", bit / 8),
    }
}

/// The members that share storage with member `n`.
fn sharing<'a>(p: &'a PayloadReport, v: &'a View, n: usize) -> impl Iterator<Item = usize> + 'a {
    let range = move |n: usize| v.packed.at[n].map(|o| o..o + v.packed.bits[n]);
    let mine = range(n);
    (0..p.members.len()).filter(move |&o| {
        let (Some(a), Some(b)) = (&mine, range(o)) else { return false };
        o != n && a.start < b.end && b.start < a.end
    })
}

/// The report as JSON.
pub fn json(r: &Report) -> String {
    let names = |set: u8| -> Vec<&str> { PaqStage::members(set).map(PaqStage::name).collect() };
    let view = |v: &View| {
        let fields = v.qualifiers.iter().zip(&v.alive).zip(v.packed.at.iter().zip(&v.packed.bits)).map(|((q, &alive), (at, bits))| {
            let on = (0..TRANSITIONS.len()).filter(|n| alive >> n & 1 != 0).map(transition);
            json!({ "read": names(q.read), "write": names(q.write), "alive": on.collect::<Vec<_>>(), "packedBit": at, "packedBits": bits })
        });
        let bytes: serde_json::Map<String, Value> = v.bytes.iter().enumerate().map(|(n, &b)| (transition(n), json!(b))).collect();
        json!({ "fields": fields.collect::<Vec<_>>(), "aliveBytes": bytes, "peakBytes": v.peak(), "packedBytes": v.packed.size })
    };
    let payload = |p: &PayloadReport| {
        let members = p.members.iter().map(|m| json!({ "name": m.name, "type": m.ty, "bytes": m.size.0 }));
        json!({
            "name": p.name,
            "declaredAt": p.at,
            "bytes": p.size,
            "members": members.collect::<Vec<_>>(),
            "declared": p.declared.as_ref().map(view),
            "tightest": p.inferred.as_ref().map(view),
            "refused": p.refused,
        })
    };
    let out = json!({ "file": r.file, "payloads": r.payloads.iter().map(payload).collect::<Vec<_>>() });
    serde_json::to_string_pretty(&out).expect("JSON values print") + "\n"
}

/// The view that a chart shows, with its title: the tightest qualifiers if they are inferred, else the declared ones, else none.
fn charted(p: &PayloadReport) -> (&'static str, View) {
    if let Some(v) = &p.inferred {
        return ("tightest qualifiers", v.clone());
    }
    if let Some(v) = &p.declared {
        return ("qualifiers as declared", v.clone());
    }
    ("no qualifiers", p.plain.clone())
}
