//! Pipeline state validation data: well-formed for the validator version, equal to the module, without unused entries.

use crate::Cx;
use rtc_dxil_container::psv::{Psv, PsvResource};
use rtc_dxil_container::{Bytes, Container, FormatError, FourCc};
use rtc_tables::validation::rule;

/// Bytes of the stage information by version.
const INFO: [usize; 5] = [24, 36, 48, 52, 56];

/// What a part says of its own layout.
struct Shape<'a> {
    info: usize,
    /// Bytes of a resource record, if there are resources.
    stride: Option<usize>,
    strings: &'a [u8],
    strings_at: usize,
    indices: u32,
    /// Bytes of a signature element, if there are any.
    element: Option<usize>,
}

/// Checks the part of a compute shader.
pub(crate) fn pipeline(cx: &mut Cx<'_>, file: &Container) {
    let Some(part) = file.part(FourCc::PSV0) else { return };
    let Some(known) = cx.known() else { return };
    let Some(made) = &known.psv else { return };
    let shape = match Shape::read(&part.data) {
        Ok(shape) => shape,
        Err(e) => return cx.part(rule::CONTENT_INVALID, "PSV0", e.offset, e.reason),
    };
    let version = usize::from(Psv::record_for(cx.info.validator));
    let record = if version >= 2 { 24 } else { 16 };
    let mut differs = |at: usize, text: String| cx.part(rule::CONTENT_MATCHES, "PSV0", at, text);
    if shape.info != INFO[version] {
        let want = INFO[version];
        return differs(0, format!("has {} bytes of stage information, this validator version has {want}", shape.info));
    }
    if let Some(stride) = shape.stride.filter(|&s| s != record) {
        return differs(4 + shape.info + 4, format!("has {stride} bytes a resource, this validator version has {record}"));
    }
    if shape.element.is_some_and(|e| e != 16) {
        return differs(0, "has signature elements of another size than 16 bytes".into());
    }
    if shape.strings.last().is_some_and(|&b| b != 0) {
        let at = shape.strings_at + shape.strings.len() - 1;
        return cx.part(rule::CONTENT_INVALID, "PSV0", at, "has texts of which the last does not end");
    }
    let stored = match Psv::read(&part.data) {
        Ok(stored) => stored,
        Err(e) => return cx.part(rule::CONTENT_INVALID, "PSV0", e.offset, e.reason),
    };
    compare(&stored, made, shape.info, differs);
    unused(cx, &shape, &stored);
}

/// Reports what differs: where, and how.
fn compare(stored: &Psv, made: &Psv, info: usize, mut differs: impl FnMut(usize, String)) {
    let resource =
        |r: &PsvResource| format!("type {} kind {} space {} registers {}..{} flags {}", r.ty, r.kind, r.space, r.lower, r.upper, r.flags);
    if stored.resources.len() != made.resources.len() {
        let (a, b) = (stored.resources.len(), made.resources.len());
        differs(4 + info, format!("has {a} resources, the module has {b}"));
    } else {
        for (n, (a, b)) in stored.resources.iter().zip(&made.resources).enumerate() {
            let long = made.version >= 2;
            let same = a == b || !long && (a.ty, a.space, a.lower, a.upper) == (b.ty, b.space, b.lower, b.upper);
            if !same {
                differs(4 + info, format!("says of resource {n}: {}; the module: {}", resource(a), resource(b)));
            }
        }
    }
    let mut number = |at: usize, what: &str, a: &dyn std::fmt::Debug, b: &dyn std::fmt::Debug, same: bool| {
        if !same {
            differs(at, format!("has {a:?} as {what}, the module has {b:?}"));
        }
    };
    let (a, b) = (stored, made);
    number(4, "data of the stage", &a.stage_words, &b.stage_words, a.stage_words == b.stage_words);
    let (x, y) = ((a.min_wave_lanes, a.max_wave_lanes), (b.min_wave_lanes, b.max_wave_lanes));
    number(20, "least and most lanes", &x, &y, x == y);
    if b.version >= 1 {
        number(28, "stage", &a.stage, &b.stage, a.stage == b.stage);
        number(29, "use of views", &a.uses_view_id, &b.uses_view_id, a.uses_view_id == b.uses_view_id);
        number(30, "data of the stage", &a.stage_half, &b.stage_half, a.stage_half == b.stage_half);
        let same = a.signature_counts == b.signature_counts;
        number(32, "counts of signatures", &a.signature_counts, &b.signature_counts, same);
    }
    if b.version >= 2 {
        number(40, "threads of a group", &a.threads, &b.threads, a.threads == b.threads);
    }
    if b.version >= 3 {
        number(52, "entry point", &a.entry, &b.entry, a.entry == b.entry);
    }
    if b.version >= 4 {
        number(56, "bytes of groupshared memory", &a.groupshared, &b.groupshared, a.groupshared == b.groupshared);
    }
}

/// Texts and indices that nothing refers to. A compute shader refers to the name of its entry point alone.
fn unused(cx: &mut Cx<'_>, shape: &Shape<'_>, stored: &Psv) {
    if stored.signature_counts != [0; 8] {
        return;
    }
    let mut at = 0;
    let mut used = stored.version < 3;
    // Zeros at the end fill up to four bytes; an empty text at the beginning is always there.
    let filled = shape.strings.len() - shape.strings.iter().rev().take_while(|b| **b == 0).take(4).count();
    for text in shape.strings.split(|&b| b == 0) {
        if at >= filled {
            break;
        }
        let is_entry = !used && text == stored.entry.as_bytes();
        used |= is_entry;
        let empty_start = at == 0 && text.is_empty();
        if !is_entry && !empty_start {
            let name = String::from_utf8_lossy(text).escape_debug().to_string();
            cx.part(rule::UNUSED_ITEM, "PSV0", shape.strings_at + at, format!("has the text `{name}`, which nothing uses"));
        }
        at += text.len() + 1;
    }
    if shape.indices > 0 {
        let at = shape.strings_at + shape.strings.len();
        cx.part(rule::UNUSED_ITEM, "PSV0", at, format!("has {} semantic indices, which nothing uses", shape.indices));
    }
}

impl Shape<'_> {
    /// Goes through the part, whatever the validator version.
    fn read(data: &[u8]) -> Result<Shape<'_>, FormatError> {
        let b = Bytes::new("PSV0", data);
        let info = b.u32(0)? as usize;
        b.slice(4, info as u64)?;
        let mut at = 4 + info;
        let count = b.u32(at)?;
        at += 4;
        let mut stride = None;
        if count > 0 {
            let size = b.u32(at)? as usize;
            b.slice(at + 4, u64::from(count) * size as u64)?;
            at += 4 + count as usize * size;
            stride = Some(size);
        }
        let mut shape = Shape { info, stride, strings: &[], strings_at: at, indices: 0, element: None };
        if info >= INFO[1] {
            let size = b.u32(at)?;
            if !size.is_multiple_of(4) {
                return Err(b.error(at, format!("has {size} bytes of texts, which is no multiple of four")));
            }
            shape.strings_at = at + 4;
            b.slice(at + 4, size.into())?;
            shape.strings = &data[at + 4..][..size as usize];
            at += 4 + size as usize;
            shape.indices = b.u32(at)?;
            b.slice(at + 4, u64::from(shape.indices) * 4)?;
            at += 4 + shape.indices as usize * 4;
            let elements: u64 = b.slice(4 + 28, 3)?.iter().map(|&n| u64::from(n)).sum();
            if elements > 0 {
                let size = b.u32(at)?;
                shape.element = Some(size as usize);
                b.slice(at + 4, elements * u64::from(size))?;
                at += 4 + (elements * u64::from(size)) as usize;
            }
        }
        if at != data.len() && shape.element.is_none() {
            return Err(b.error(at, format!("has {} bytes after its end", data.len() - at)));
        }
        Ok(shape)
    }
}
