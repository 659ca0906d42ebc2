//! What tests of several crates share: a random generator whose sequences never change, and folders that are empty at the start.

mod folder;
mod random;

pub use folder::{Folder, clean};
pub use random::Random;
