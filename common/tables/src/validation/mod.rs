//! The validation rules of DXIL: one row per rule that concerns a stage of rtc, by family.
//!
//! The ids are those that users of other validators know; the texts are ours. [`out_of_scope`] names the rules
//! of stages that rtc does not have, with the reason.

mod container;
mod declarations;
mod flow;
mod instructions;
mod metadata;
mod out_of_scope;
mod pipeline;
mod shader_model;
mod signatures;
mod types;

use out_of_scope::OUT_OF_SCOPE;

/// A rule.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// The id, `SM.OPCODE` say.
    pub id: &'static str,
    /// What it demands.
    pub demands: &'static str,
    /// The minor number of the validator version with which it came, if compilers of older versions may have broken it. A module that
    /// names an older version is not refused for it.
    pub since: Option<u32>,
}

/// Makes a constant of each rule, and the list of them. `since 7` at the end of a row says that the rule came with validator version 1.7.
///
/// Rules that came together with the operations and properties that they are about have no version, nor those about what no compiler
/// writes (an alignment that is no constant, say).
macro_rules! rules {
    ($($name:ident $id:literal $demands:literal $(since $minor:literal)?;)*) => {
        $(#[doc = $demands] pub const $name: &super::Rule =
            &super::Rule { id: $id, demands: $demands, since: [$(Some($minor),)? None][0] };)*
        pub(super) const ALL: &[&super::Rule] = &[$($name),*];
    };
}
use rules;

/// A constant for each rule.
pub mod rule {
    pub use super::container::*;
    pub use super::declarations::*;
    pub use super::flow::*;
    pub use super::instructions::*;
    pub use super::metadata::*;
    pub use super::pipeline::*;
    pub use super::shader_model::*;
    pub use super::signatures::*;
    pub use super::types::*;
}

/// Every rule in scope.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    let module = [container::ALL, metadata::ALL, types::ALL, declarations::ALL, instructions::ALL, flow::ALL, shader_model::ALL];
    let graphics = [signatures::ALL, pipeline::ALL];
    module.into_iter().chain(graphics).flatten().copied()
}

/// Every rule that is not checked, of all families: id, and why.
pub fn out_of_scope() -> impl Iterator<Item = (&'static str, &'static str)> {
    let grouped = OUT_OF_SCOPE.iter().flat_map(|(why, ids)| ids.iter().map(move |id| (*id, *why)));
    grouped.chain(instructions::OUT_OF_SCOPE.iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique() {
        let mut ids: Vec<_> = all().map(|r| r.id).chain(out_of_scope().map(|r| r.0)).collect();
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count);
    }
}
