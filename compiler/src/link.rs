//! The linker for DXIL libraries: several libraries become one, or one shader.

pub use rtc_dxil_link::{DebugGoes, Export, Input, LinkError, Linked, Options as LinkOptions, Target, link};
