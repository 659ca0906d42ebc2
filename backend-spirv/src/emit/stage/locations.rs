//! The locations of signature elements.

use rtc_ir::{ElementData, ElementRole, Stage};
use rtc_tables::signature::{Semantic, SigPoint};
use spirv::StorageClass;

use super::StageOptions;
use super::builtins::{class_of, has_location, is_passed_on};

/// Member `n` of a spread element, as an element of its own.
pub(super) fn spread_member(e: &ElementData, n: u32) -> ElementData {
    ElementData { index: e.index_of(n), numbered: true, count: 1, spread: None, ..e.clone() }
}

/// Location, number and data of each element of an entry point that has a location. A spread element gives one entry for each member.
pub(crate) fn located(f: &rtc_ir::Function, options: StageOptions) -> impl Iterator<Item = (u32, usize, ElementData)> {
    let numbered = f.elements.values().enumerate();
    locations(f, options).into_iter().zip(numbered).filter_map(|(at, (n, e))| Some((at?.0, n, e))).flat_map(|(at, n, e)| {
        let Some(spread) = &e.spread else { return vec![(at, n, e.clone())] };
        let members = spread.locations.iter().enumerate();
        members.map(|(m, plus)| (at + plus, n, spread_member(e, m as u32))).collect()
    })
}

/// The locations of the elements of `f` that have some. Elements of one storage class either all have `[[vk::location]]` or none. Between
/// hull and domain shaders, whose patch constants and control points are declared apart, the order is always that of semantics.
/// Each comes with the first component, which is not 0 only if variables share locations.
pub(super) fn locations(f: &rtc_ir::Function, options: StageOptions) -> Vec<Option<(u32, u32)>> {
    let mut out = vec![None; f.elements.len()];
    for class in [StorageClass::Input, StorageClass::Output] {
        let mut all: Vec<(usize, &ElementData)> =
            f.elements.values().enumerate().filter(|(_, e)| class_of(e, f.stage) == class && has_location(e, f.stage)).collect();
        if f.stage == Stage::Mesh {
            // Vertices first, then primitives.
            all.sort_by_key(|(_, e)| e.role == ElementRole::Patch);
        }
        // The stage before may have written a builtin, which takes no location: those of the others do not depend on it.
        let passed_on = |(_, e): &(usize, &ElementData)| e.location.is_none() && is_passed_on(e, f.stage);
        let tessellation = matches!((f.stage, class), (Stage::Hull, StorageClass::Output) | (Stage::Domain, StorageClass::Input));
        let kept = |e: &ElementData| e.location.is_some() || matches!(e.point, SigPoint::VsIn | SigPoint::PsOut);
        if options.packed && !options.alphabetical && !all.iter().any(|(_, e)| kept(e)) {
            all.sort_by_key(passed_on);
            pack(&mut all, &mut out);
            continue;
        }
        if options.alphabetical || tessellation {
            all.sort_by_key(|(_, e)| first_of_array(f, e).written());
        }
        all.sort_by_key(passed_on);
        let mut next = 0;
        let mut arrays: Vec<(u32, u32)> = Vec::new();
        for (n, e) in all {
            if let Some(s) = &e.spread {
                // The elements of an array of structures share its locations.
                let base = match arrays.iter().find(|a| a.0 == s.array) {
                    Some(a) => a.1,
                    None => {
                        let base = e.location.unwrap_or(next);
                        next += s.size;
                        arrays.push((s.array, base));
                        base
                    }
                };
                out[n] = Some((base, 0));
                continue;
            }
            let own = e.location.or((e.semantic == Semantic::Target).then_some(e.index));
            out[n] = Some((own.unwrap_or(next), 0));
            next += e.locations();
        }
    }
    out
}

/// Locations that elements share: each goes to the first ones with enough free components, after those of the elements before. Patch
/// constants come first.
fn pack(all: &mut [(usize, &ElementData)], out: &mut [Option<(u32, u32)>]) {
    const COMPONENTS: u32 = 4;
    all.sort_by_key(|(_, e)| !matches!(e.point, SigPoint::PcOut | SigPoint::DsIn));
    // The first free component of each location.
    let mut free: Vec<u32> = Vec::new();
    let mut arrays: Vec<(u32, u32)> = Vec::new();
    for &mut (n, e) in all {
        if let Some(s) = &e.spread {
            let known = arrays.iter().find(|a| a.0 == s.array).map(|a| a.1);
            let base = known.unwrap_or_else(|| {
                free.extend((0..s.size).map(|_| COMPONENTS));
                free.len() as u32 - s.size
            });
            arrays.push((s.array, base));
            out[n] = Some((base, 0));
            continue;
        }
        let size = e.locations() as usize;
        // Components of 64 bits are two, and begin at an even one.
        let (columns, align) = match e.scalar().bits() {
            64 => (2 * e.columns / e.row_locations(), 2),
            _ => (e.columns, 1),
        };
        let found = (0..free.len()).find_map(|at| {
            let list = free.get(at..at + size)?;
            let first = list.iter().copied().max().unwrap_or(0).next_multiple_of(align);
            (e.row_locations() == 1 && first + columns <= COMPONENTS).then_some((at, first))
        });
        let (at, first) = found.unwrap_or_else(|| {
            free.extend((0..size).map(|_| 0));
            (free.len() - size, 0)
        });
        free[at..at + size].fill(if e.row_locations() > 1 { COMPONENTS } else { first + columns });
        out[n] = Some((at as u32, first));
    }
}

/// The first element of the array of structures that an element is a part of; it itself if it is none.
fn first_of_array<'f>(f: &'f rtc_ir::Function, e: &'f ElementData) -> &'f ElementData {
    let array = |e: &ElementData| e.spread.as_ref().map(|s| s.array);
    match array(e) {
        Some(_) => f.elements.values().find(|o| array(o) == array(e)).unwrap_or(e),
        None => e,
    }
}
