//! Older spellings of intrinsics that are in people's code: accepted, with a warning that names today's.

use super::Scope;
use super::objects::Object;

/// One older spelling.
#[derive(Debug)]
pub struct Spelling {
    /// Where it was found. Functions of namespace `dx` were free once.
    pub scope: Scope,
    /// As it was.
    pub old: &'static str,
    /// As it is, in the same scope.
    pub new: &'static str,
}

const fn old(scope: Scope, old: &'static str, new: &'static str) -> Spelling {
    Spelling { scope, old, new }
}

/// The older spellings.
#[rustfmt::skip]
pub const SPELLINGS: &[Spelling] = &[
    old(Scope::Dx,                        "ReorderThread", "MaybeReorderThread"),
    old(Scope::Method(Object::HitObject), "GetClusterId",  "GetClusterID"),
];

/// The row for `name` in `scope`.
pub fn of_old(scope: Scope, name: &str) -> Option<&'static Spelling> {
    SPELLINGS.iter().find(|s| s.scope == scope && s.old == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intrinsics::find;

    #[test]
    fn an_old_spelling_is_no_name_and_its_new_one_is() {
        for s in SPELLINGS {
            assert!(find(s.scope, s.old).next().is_none(), "{}", s.old);
            assert!(find(s.scope, s.new).next().is_some(), "{}", s.new);
        }
    }
}
