//! What a job does to the world, collected while it works and performed at its end: in its own process, or in that of a client whose server did the job.

use rtc::output_files::Files;
use rtc_serve::Effect;

use crate::error::Result;
use crate::output;

/// Effects in their order.
#[derive(Default)]
pub struct Effects(pub Vec<Effect>);

impl Effects {
    /// Prints to standard output.
    pub fn print(&mut self, bytes: Vec<u8>) {
        if !bytes.is_empty() {
            self.0.push(Effect::Out(bytes));
        }
    }

    /// Prints to standard error.
    pub fn error(&mut self, text: String) {
        if !text.is_empty() {
            self.0.push(Effect::Err(text));
        }
    }

    /// Writes a file; `-` is standard output.
    pub fn write(&mut self, path: &str, bytes: Vec<u8>) {
        match path {
            "-" => self.print(bytes),
            _ => self.0.push(Effect::File(path.to_owned(), bytes)),
        }
    }

    /// Writes the requested files, all or none, after the listing.
    pub fn write_files(&mut self, files: Files) {
        if let Some(missing) = files.missing {
            self.error(format!("rtc: warning: {missing}\n"));
        }
        if let Some(listing) = files.listing {
            self.print(listing.into_bytes());
        }
        if !files.files.is_empty() {
            self.0.push(Effect::Files(files.files));
        }
    }

    /// Performs them until one fails.
    ///
    /// # Errors
    /// What is printed or written cannot be.
    pub fn perform(&self) -> Result<()> {
        self.0.iter().try_for_each(perform)
    }
}

/// Performs an effect.
///
/// # Errors
/// What is printed or written cannot be.
pub fn perform(effect: &Effect) -> Result<()> {
    match effect {
        Effect::Out(bytes) => output::print(bytes),
        Effect::Err(text) => {
            eprint!("{text}");
            Ok(())
        }
        Effect::File(path, bytes) => output::write(path, bytes),
        Effect::Files(files) => output::write_all(files),
    }
}
