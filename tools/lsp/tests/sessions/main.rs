//! Protocol sessions, one for each feature: the server runs in this process.

mod answers;
mod client;
mod completing;
mod configurations;
mod diagnostics;
mod guessed;
mod headers;
mod hovering;
mod latency;
mod navigate;
mod nonsense;
mod project;
mod recovery;
mod streams;
