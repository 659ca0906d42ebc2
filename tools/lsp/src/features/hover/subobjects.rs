//! Subobjects: what each type is for, and what its values mean.

use rtc_frontend::lex::Kind;
use rtc_tables::subobjects::{Expected, subobject};

use crate::features::cursor::Cursor;
use crate::features::describe::function;
use crate::snapshot::Snapshot;

/// A type of subobjects.
pub fn of_type(word: &str) -> Option<String> {
    let row = subobject(word)?;
    let mut text = format!("subobject `{word}`\n\n{}\n", row.about);
    for (n, slot) in row.slots.iter().enumerate() {
        text += &format!("\n{}. {}: {}", n + 1, slot.name, slot.about);
    }
    Some(text)
}

/// A value of a subobject; `c` is around it.
pub fn value(s: &Snapshot, c: &Cursor<'_>, written: &str) -> Option<String> {
    let (open, slot) = c.open_brace()?;
    let head = c.cut(open);
    let row = subobject(head.word(2)).filter(|_| head.kind(0) == Some(Kind::Assign))?;
    let value = row.slots.get(slot)?;
    let mut text = format!("{} of `{}`\n\n{}", value.name, head.word(1), value.about);
    if matches!(value.expected, Expected::Shader(_) | Expected::Exports) {
        for name in written.split(';').map(str::trim).filter(|n| !n.is_empty()) {
            let found = s.analysis.module.funcs.values().find(|f| f.is_entry() && f.qualified == name);
            text += &match found {
                Some(f) => format!("\n\n```hlsl\n[shader(\"{}\")]\n{}\n```", f.stage.info().attribute, function(s, f).0),
                None => format!("\n\n`{name}` is not a shader of this source."),
            };
        }
    }
    Some(text)
}
