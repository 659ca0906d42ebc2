//! `--window`: a window that shows a scene frame by frame, to look around in.
//!
//! One thread has the device and runs frames (`render`); the main thread has the window (`screen`). They share the state of keys and mouse,
//! and the picture. What needs no display (`look`, `title`, `fit`) is tested in every build; the rest is there with the feature `window`.

mod fit;
mod look;
#[cfg(feature = "window")]
mod render;
#[cfg(feature = "window")]
mod screen;
#[cfg(feature = "window")]
mod shared;
mod title;

#[cfg(feature = "window")]
pub use screen::show;
