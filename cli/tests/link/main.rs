//! `rtc link`: linking parts gives the same as compiling the whole.

mod debug;
mod declared;
mod facts;
mod nodes;
mod parts;
mod stages;
mod tools;
mod variables;
