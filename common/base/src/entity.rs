//! Entities: typed 32-bit indices into arenas. A value, a region, a struct type is one; its data is in a
//! [`PrimaryMap`], facts that are computed later in a [`SecondaryMap`]. [`entity!`](crate::entity!) declares the type together with its text prefix, so
//! that printer and parser agree by construction.

pub use crate::set::{BitSet, EntitySet};
pub use cranelift_entity::packed_option::{PackedOption, ReservedValue};
pub use cranelift_entity::{EntityList, EntityRef, Iter, Keys, ListPool, PrimaryMap, SecondaryMap};

#[doc(hidden)]
pub use cranelift_entity;

/// Declares entity types: `entity! { /// An SSA value. pub struct Value = "v"; }` declares a 32-bit index
/// whose `Display` prints `v7` and whose `PREFIX` is `"v"`.
#[macro_export]
macro_rules! entity {
    ($($(#[$meta:meta])* pub struct $name:ident = $prefix:literal;)*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);
        $crate::entity::cranelift_entity::entity_impl!($name, $prefix);
        impl $name {
            /// The prefix of this kind of entity in text.
            pub const PREFIX: &'static str = $prefix;
            /// The entity number `n`, in constants.
            pub const fn number(n: u32) -> Self {
                Self(n)
            }
        }
    )*};
}
