//! `rtc link`: what is linked of parts is what compiling the whole gives.

mod debug;
mod declared;
mod parts;
mod tools;
