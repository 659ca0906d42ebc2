//! Judging DXIL containers, any compiler's, by the rules of DXIL.

pub use rtc_dxil::validate::{Finding, Place, Report, container};
