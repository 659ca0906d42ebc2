//! Test support of the DXIL crates: containers of the reference compiler ([`corpus`]) and a seeded random number generator that
//! corrupts bytes ([`Random`]). A dev-dependency only.

pub mod corpus;

pub use rtc_test_support::Random;
