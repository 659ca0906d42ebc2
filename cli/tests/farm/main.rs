//! `rtc build` with other machines: caches that are shared through real servers, and remote execution.

#![cfg(unix)]

mod caches;
#[path = "../shared/folder.rs"]
mod folder;
mod remote;
mod servers;
