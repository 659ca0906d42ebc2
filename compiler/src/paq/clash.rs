//! Diagnostics for libraries that declare one payload type differently. They have no span, because the libraries have separate source maps;
//! the text has both source locations.

use rtc_base::{Diagnostic, Span};
use rtc_ir::PaqStage;
use rtc_tables::diagnostics as codes;

use super::{Declared, Member};

/// The members of two declarations differ.
pub fn members(name: &str, first: &str, second: &str, a: &[Member], b: &[Member]) -> Diagnostic {
    let show = |f: Option<&Member>| f.map_or("nothing more".to_owned(), |f| format!("`{} {}`", f.ty, f.name));
    let n = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let message = format!("the payload `{name}` has other members at {second} than at {first}");
    Diagnostic::new(&codes::E0712, Span::NONE, message)
        .note(format!("{first} has {} where {second} has {}", show(a.get(n)), show(b.get(n))))
        .note("DXR, ray payload structure: the caller and the shaders of a trace use the same structure")
}

/// What a payload lacks another one has that has the same members.
pub fn other_name(name: &str, at: &str) -> String {
    format!("`{name}`, declared at {at}, has the same members: a payload is known by its name, so give both the same")
}

/// Two declarations of a field in different files with different qualifiers. (Bit-fields of one number may differ within a
/// declaration.)
pub fn differ(all: &[Declared]) -> Option<(&Declared, &Declared)> {
    let first = all.iter().find(|d| d.paq.is_some())?;
    let other = all.iter().find(|d| d.paq.is_some_and(|q| Some(q) != first.paq) && d.name.file != first.name.file)?;
    Some((first, other))
}

/// The qualifiers of two declarations differ.
pub fn qualifiers(name: &str, a: &Declared, b: &Declared) -> Diagnostic {
    let show = |d: &Declared| {
        let q = d.paq.unwrap_or_default();
        let set = |s: Option<rtc_frontend::hir::PaqStages>| PaqStage::list(s.unwrap_or_default().0, ", ");
        format!("{} has read({}) : write({})", d.at, set(q.read), set(q.write))
    };
    let message = format!("the payload `{name}` has other access qualifiers at {} than at {}", b.at, a.at);
    Diagnostic::new(&codes::W0702, Span::NONE, message).note(format!("{}; {}", show(a), show(b)))
}
