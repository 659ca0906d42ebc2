//! Linking DXIL libraries.

pub use rtc_dxil::link::{DebugGoes, Export, Input, Linked, Options as LinkOptions, Target, link};
