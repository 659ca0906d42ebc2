//! COM without a runtime: identifiers, result codes, objects with counts, interfaces as tables.

pub mod guard;
pub mod guid;
pub mod hresult;
pub mod interface;
pub mod object;
pub mod reference;
pub mod table;
