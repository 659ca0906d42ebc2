//! The compiler for the page of `rtc explore` in a browser, without a server: requests and answers in JSON.
//!
//! [`answer`] is the whole interface. As WebAssembly (`abi.rs`) the page calls it from a worker; everywhere else it is an ordinary function, so that what a
//! browser shows can be compared with what this machine makes.

#[cfg(target_family = "wasm")]
mod abi;
mod files;
mod request;

pub use request::answer;
