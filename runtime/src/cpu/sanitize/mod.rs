//! The sanitizer: what shaders do that has no defined result, told with shader, line and thread.
//!
//! Nothing here changes what is computed. Each mistake is told once for each place, with the smallest thread that makes it and
//! how many do.

pub mod payload;
pub mod shadow;

use super::machine::Machine;
use rustc_hash::FxHashMap;
use std::sync::Mutex;

/// What is found, by place and kind of mistake.
#[derive(Default)]
pub struct Sanitizer {
    found: Mutex<FxHashMap<(u32, usize, &'static str), Finding>>,
}

/// A mistake at one place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The kind of mistake, for those who look for it.
    pub kind: &'static str,
    /// The place, as a number of the program's.
    pub site: u32,
    /// The shader.
    pub shader: usize,
    /// The smallest thread that makes it.
    pub index: [u32; 3],
    /// What it is, in words, as that thread makes it.
    pub message: String,
    /// How often it was made.
    pub times: u64,
}

impl Sanitizer {
    /// Notes a mistake.
    pub fn note(&self, kind: &'static str, site: u32, shader: usize, index: [u32; 3], message: impl FnOnce() -> String) {
        let mut found = self.found.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let order = |i: [u32; 3]| [i[2], i[1], i[0]];
        match found.get_mut(&(site, shader, kind)) {
            None => {
                let finding = Finding { kind, site, shader, index, message: message(), times: 1 };
                found.insert((site, shader, kind), finding);
            }
            Some(known) => {
                known.times += 1;
                if order(index) < order(known.index) {
                    (known.index, known.message) = (index, message());
                }
            }
        }
    }

    /// All that was found, by shader and place.
    pub fn take(&self) -> Vec<Finding> {
        let mut found = self.found.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut all: Vec<Finding> = found.drain().map(|f| f.1).collect();
        all.sort_by_key(|f| (f.shader, f.site, f.kind));
        all
    }
}

/// A finding for people: `file.hlsl:12:3: closest hit shader…`.
pub fn describe(machine: &Machine<'_>, f: &Finding) -> String {
    let shader = machine.program.shaders.get(f.shader).map_or("?", |s| s.name.as_str());
    let [x, y, z] = f.index;
    let site = machine.program.sites.get(f.site as usize);
    let place = match site.and_then(|s| s.place.as_ref()) {
        Some(p) => format!("{}:{}:{}: ", p.file, p.line, p.column),
        None => String::new(),
    };
    let op = site.map_or(String::new(), |s| format!(", {}", s.op));
    let more = match f.times {
        1 => String::new(),
        n => format!(" ({n} times)"),
    };
    format!("{place}{}: `{shader}`{op}, thread ({x}, {y}, {z}): {}{more}", f.kind, f.message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_thread_is_told_and_all_are_counted() {
        let s = Sanitizer::default();
        s.note("bounds", 3, 0, [5, 1, 0], || "far".into());
        s.note("bounds", 3, 0, [9, 0, 0], || "near".into());
        s.note("bounds", 4, 0, [0; 3], || "other".into());
        let all = s.take();
        assert_eq!((all.len(), all[0].times, all[0].index, all[0].message.as_str()), (2, 2, [9, 0, 0], "near"));
        assert!(s.take().is_empty());
    }
}
