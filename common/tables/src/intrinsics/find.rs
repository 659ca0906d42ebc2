//! Lookup of rows by scope and name: a hash table that is built at compile time of this crate, since building it at start-up
//! would take a tenth of the time of compiling a small shader.

use super::{FAMILIES, Intrinsic, Scope};

/// The number of rows.
const COUNT: usize = {
    let (mut sum, mut family) = (0, 0);
    while family < FAMILIES.len() {
        sum += FAMILIES[family].len();
        family += 1;
    }
    sum
};

const BUCKETS: usize = 2048;
/// No row.
const NONE: u16 = u16::MAX;

/// The first row of each bucket, and the row after each one in its bucket: both in table order.
struct Table {
    first: [u16; BUCKETS],
    next: [u16; COUNT],
}

static TABLE: Table = fill();

const fn scope_number(scope: Scope) -> u32 {
    match scope {
        Scope::Free => 0,
        Scope::Dx => 1,
        Scope::Vk => 2,
        Scope::Method(object) => 3 + 2 * object as u32,
        Scope::Static(object) => 4 + 2 * object as u32,
    }
}

const fn bucket(scope: Scope, name: &[u8]) -> usize {
    // FNV-1a.
    let mut hash = 0x811c_9dc5_u32 ^ scope_number(scope);
    let mut at = 0;
    while at < name.len() {
        hash = (hash ^ name[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    ((hash ^ (hash >> 15)) as usize) % BUCKETS
}

const fn fill() -> Table {
    assert!(COUNT < NONE as usize);
    let mut table = Table { first: [NONE; BUCKETS], next: [NONE; COUNT] };
    // Backwards: each row is prepended to its bucket.
    let (mut family, mut number) = (FAMILIES.len(), COUNT);
    while family > 0 {
        family -= 1;
        let mut row = FAMILIES[family].len();
        while row > 0 {
            row -= 1;
            number -= 1;
            let intrinsic = &FAMILIES[family][row];
            let at = bucket(intrinsic.scope, intrinsic.name.as_bytes());
            table.next[number] = table.first[at];
            table.first[at] = number as u16;
        }
    }
    table
}

fn row(mut number: usize) -> Option<&'static Intrinsic> {
    for family in FAMILIES {
        match family.get(number) {
            Some(row) => return Some(row),
            None => number -= family.len(),
        }
    }
    None
}

/// The overloads of `name` in `scope`, in table order; none if there is no such intrinsic.
pub fn find(scope: Scope, name: &str) -> impl Iterator<Item = &'static Intrinsic> {
    let first = TABLE.first[bucket(scope, name.as_bytes())];
    std::iter::successors(Some(first), |&at| TABLE.next.get(usize::from(at)).copied())
        .map_while(|at| row(usize::from(at)))
        .filter(move |row| row.scope == scope && row.name == name)
}

/// Whether there is an intrinsic `name` in `scope`.
pub fn exists(scope: Scope, name: &str) -> bool {
    find(scope, name).next().is_some()
}

#[cfg(test)]
mod tests {
    use super::super::all;
    use super::*;

    #[test]
    fn every_row_is_found_in_its_place() {
        for row in all() {
            // Compared by contents: the compiler may duplicate a constant table.
            let text = |r: &Intrinsic| format!("{r:?}");
            let found: Vec<_> = find(row.scope, row.name).map(text).collect();
            let there: Vec<_> = all().filter(|r| r.scope == row.scope && r.name == row.name).map(text).collect();
            assert_eq!(found, there, "{}", row.name);
        }
    }

    #[test]
    fn what_is_not_there_is_not_found() {
        assert!(!exists(Scope::Free, "no_such_thing"));
        assert!(!exists(Scope::Free, ""));
        assert!(!exists(Scope::Dx, "mul"));
    }
}
