//! Subobjects of several libraries: by name, in the order of the inputs.

use rustc_hash::FxHashMap;

use super::library::Library;
use rtc_dxil_container::rdat::Subobject;

/// All of them. One that several libraries have alike is there once.
///
/// # Errors
/// Subobjects of one name that say different things.
pub fn merge(libraries: &[Library]) -> Result<Vec<Subobject>, Vec<String>> {
    let mut out: Vec<Subobject> = Vec::new();
    let mut at: FxHashMap<&str, (usize, usize)> = FxHashMap::default();
    let mut wrong = Vec::new();
    for (n, library) in libraries.iter().enumerate() {
        for s in &library.subobjects {
            match at.get(&*s.name) {
                None => {
                    at.insert(&s.name, (n, out.len()));
                    out.push(s.clone());
                }
                Some(&(_, row)) if out[row] == *s => {}
                Some(&(other, row)) => {
                    let (a, b) = (out[row].value.kind(), s.value.kind());
                    let how = if a == b { format!("as {a}, with other contents") } else { format!("as {a} and as {b}") };
                    wrong.push(format!("subobject `{}` is defined in `{}` and in `{}` {how}", s.name, libraries[other].name, library.name));
                }
            }
        }
    }
    if wrong.is_empty() { Ok(out) } else { Err(wrong) }
}
