//! Deprecated spellings of intrinsics: accepted, with a warning that names the present spelling.

use super::Scope;
use super::objects::Object;

/// One older spelling.
#[derive(Debug)]
pub struct Spelling {
    /// The scope that declares it. Functions of namespace `dx` were declared in the global scope.
    pub scope: Scope,
    /// The deprecated name.
    pub old: &'static str,
    /// The present name, in the same scope.
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
