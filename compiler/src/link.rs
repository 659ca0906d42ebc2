//! Linking DXIL libraries.

pub use rtc_dxil::link::{Export, Input, Linked, Options as LinkOptions, Target, link};
