//! Rules about declarations: functions, their parameters, variables, and their uses.

mod entries;
mod functions;
mod queries;
mod uses;
mod variables;

pub(super) use entries::entries;
pub(super) use functions::functions;
pub(super) use queries::allocate;
pub(super) use uses::Uses;
pub(super) use variables::variables;
