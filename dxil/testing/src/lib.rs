//! What the tests of the DXIL crates share: containers of the reference compiler ([`corpus`]) and reproducible random damage
//! ([`Random`]). A dev-dependency only.

pub mod corpus;
mod random;

pub use random::Random;
