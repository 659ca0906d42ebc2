//! What a shared cache asks of a service: bytes by name.

use std::fmt;

/// A service that keeps bytes by name. Each call ends within the time limit that the service was opened with.
pub trait Store: Send + Sync + fmt::Debug {
    /// The bytes of a name; `None` if there are none.
    ///
    /// # Errors
    /// The service does not answer, or refuses.
    fn get(&self, name: &str) -> Result<Option<Vec<u8>>, Problem>;

    /// Stores bytes.
    ///
    /// # Errors
    /// The service does not answer, or refuses.
    fn put(&self, name: &str, bytes: Vec<u8>) -> Result<(), Problem>;

    /// All names; `None` if the service cannot list them.
    ///
    /// # Errors
    /// The service does not answer, or refuses.
    fn list(&self) -> Result<Option<Vec<Item>>, Problem>;

    /// Removes a name, which may be missing.
    ///
    /// # Errors
    /// The service does not answer, or refuses.
    fn remove(&self, name: &str) -> Result<(), Problem>;

    /// Whether the service can be written.
    fn can_write(&self) -> bool {
        true
    }
}

/// A name of a service.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// The name.
    pub name: String,
    /// How many bytes it has.
    pub size: u64,
}

/// Why a service did not do what was requested: one sentence without a full stop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem(pub String);

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Problem {}
