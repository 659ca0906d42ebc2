//! What client and server send each other: frames of a kind, a length and bytes, and what is in them.
//!
//! ```text
//! client ──► Job      arguments, folder, what its streams are
//! server ──► Alive    once in a while, as long as it works
//! server ──► Done     effects and the end     or  Declined   the client compiles itself
//!                                             or  NeedsInput the client sends the job again, with its standard input
//! ```
//!
//! Nothing that arrives is believed: a length is compared with a limit and with what is there before it is used.

use std::io::{self, Read};

/// What both sides must agree on. It is part of the socket's name too, so that it differs only where something else uses the socket.
pub const VERSION: u32 = 1;

/// The first bytes of a request.
const MAGIC: [u8; 8] = *b"rtcserve";

/// The longest request, and the longest reply.
pub const MAX_BYTES: usize = 256 << 20;

/// The bytes before the contents of a frame.
pub const HEADER: usize = 5;

/// What a frame is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Frame {
    /// A request to compile.
    Job = 1,
    /// A request for a line about the server.
    Status = 2,
    /// A request to end.
    Stop = 3,
    /// The server works.
    Alive = 4,
    /// The outcome of a job.
    Done = 5,
    /// The server does not do this job; the reason is text.
    Declined = 6,
    /// The job reads standard input.
    NeedsInput = 7,
    /// Text about the server.
    Text = 8,
}

impl Frame {
    fn of(byte: u8) -> Option<Frame> {
        use Frame::*;
        [Job, Status, Stop, Alive, Done, Declined, NeedsInput, Text].into_iter().find(|f| *f as u8 == byte)
    }

    /// A frame with these contents.
    pub fn with(self, contents: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(HEADER + contents.len());
        out.push(self as u8);
        out.extend((contents.len() as u32).to_le_bytes());
        out.extend(contents);
        out
    }

    /// The kind and the length that a header says; nothing if it is none.
    pub fn header(bytes: [u8; HEADER]) -> Option<(Frame, usize)> {
        let [kind, length @ ..] = bytes;
        let length = u32::from_le_bytes(length) as usize;
        Frame::of(kind).filter(|_| length <= MAX_BYTES).map(|kind| (kind, length))
    }

    /// Reads a frame.
    ///
    /// # Errors
    /// The stream ends or fails, or what it has is no frame.
    pub fn read(stream: &mut impl Read) -> io::Result<(Frame, Vec<u8>)> {
        let mut header = [0; HEADER];
        stream.read_exact(&mut header)?;
        let (kind, length) = Frame::header(header).ok_or(io::ErrorKind::InvalidData)?;
        // Beyond this, memory grows with what arrives, not with what a header promises.
        let mut contents = Vec::with_capacity(length.min(1 << 20));
        stream.take(length as u64).read_to_end(&mut contents)?;
        if contents.len() == length { Ok((kind, contents)) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }
}

/// A job: what a process of the compiler is started with.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Job {
    /// The arguments, without the name of the program.
    pub arguments: Vec<String>,
    /// The working folder, as the bytes of its path.
    pub folder: Vec<u8>,
    /// Device and number of the folder: where they are others, the client sees other files.
    pub folder_id: (u64, u64),
    /// Whether the program is called `dxc`.
    pub dxc: bool,
    /// Whether standard error is a terminal.
    pub terminal: bool,
    /// Whether messages have colours there.
    pub colours: bool,
    /// Standard input, once it was requested.
    pub input: Option<Vec<u8>>,
}

/// What a job does to the world, in its order. The process of the client does it, with its rights, its folder and its streams.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Writes to standard output.
    Out(Vec<u8>),
    /// Writes to standard error.
    Err(String),
    /// Writes a file.
    File(String, Vec<u8>),
    /// Writes files, all or none.
    Files(Vec<(String, Vec<u8>)>),
}

/// Effects, and whether the job is a success.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outcome {
    /// What the job does.
    pub effects: Vec<Effect>,
    /// Whether it succeeded.
    pub success: bool,
}

/// The answer to a job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// It was done.
    Done(Outcome),
    /// It was not, for this reason: the client does it itself.
    Declined(String),
    /// It reads standard input.
    NeedsInput,
}

impl Reply {
    /// Its frame. An outcome that is too long is declined.
    pub fn frame(&self) -> Vec<u8> {
        match self {
            Reply::Done(outcome) => match outcome.bytes() {
                Some(bytes) => Frame::Done.with(&bytes),
                None => Frame::Declined.with(b"the result is too long"),
            },
            Reply::Declined(reason) => Frame::Declined.with(reason.as_bytes()),
            Reply::NeedsInput => Frame::NeedsInput.with(&[]),
        }
    }
}

/// Writes numbers and strings of bytes.
#[derive(Default)]
struct Writer(Vec<u8>);

impl Writer {
    fn number(&mut self, n: u64) {
        self.0.extend(n.to_le_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend(bytes);
    }
}

/// Reads what [`Writer`] wrote; nothing where that is not there.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1)?.first().copied()
    }

    fn number(&mut self) -> Option<u64> {
        self.take(8)?.try_into().ok().map(u64::from_le_bytes)
    }

    fn bytes(&mut self) -> Option<&'a [u8]> {
        let count = usize::try_from(self.number()?).ok()?;
        self.take(count)
    }

    fn text(&mut self) -> Option<String> {
        String::from_utf8(self.bytes()?.to_vec()).ok()
    }

    /// A list whose elements each have a byte at least.
    fn list<T>(&mut self, mut element: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = usize::try_from(self.number()?).ok().filter(|c| *c <= self.0.len())?;
        (0..count).map(|_| element(self)).collect()
    }

    fn end<T>(&self, value: T) -> Option<T> {
        self.0.is_empty().then_some(value)
    }
}

impl Job {
    /// As bytes.
    pub fn bytes(&self) -> Vec<u8> {
        let mut w = Writer::default();
        w.0.extend(MAGIC);
        w.0.extend(VERSION.to_le_bytes());
        w.number(self.arguments.len() as u64);
        for argument in &self.arguments {
            w.bytes(argument.as_bytes());
        }
        w.bytes(&self.folder);
        w.number(self.folder_id.0);
        w.number(self.folder_id.1);
        w.0.push(u8::from(self.dxc) | u8::from(self.terminal) << 1 | u8::from(self.input.is_some()) << 2 | u8::from(self.colours) << 3);
        if let Some(input) = &self.input {
            w.bytes(input);
        }
        w.0
    }

    /// The job of these bytes; nothing if they are none.
    pub fn read(bytes: &[u8]) -> Option<Job> {
        let mut r = Reader(bytes);
        if r.take(MAGIC.len())? != MAGIC || r.take(4)? != VERSION.to_le_bytes() {
            return None;
        }
        let arguments = r.list(Reader::text)?;
        let folder = r.bytes()?.to_vec();
        let folder_id = (r.number()?, r.number()?);
        let flags = r.byte().filter(|f| *f < 16)?;
        let input = if flags & 4 != 0 { Some(r.bytes()?.to_vec()) } else { None };
        r.end(Job { arguments, folder, folder_id, dxc: flags & 1 != 0, terminal: flags & 2 != 0, colours: flags & 8 != 0, input })
    }
}

impl Outcome {
    /// As bytes; nothing if they are more than a frame has.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        let mut w = Writer::default();
        w.0.push(u8::from(self.success));
        w.number(self.effects.len() as u64);
        for effect in &self.effects {
            match effect {
                Effect::Out(bytes) => {
                    w.0.push(1);
                    w.bytes(bytes);
                }
                Effect::Err(text) => {
                    w.0.push(2);
                    w.bytes(text.as_bytes());
                }
                Effect::File(path, bytes) => {
                    w.0.push(3);
                    w.bytes(path.as_bytes());
                    w.bytes(bytes);
                }
                Effect::Files(files) => {
                    w.0.push(4);
                    w.number(files.len() as u64);
                    for (path, bytes) in files {
                        w.bytes(path.as_bytes());
                        w.bytes(bytes);
                    }
                }
            }
        }
        Some(w.0).filter(|bytes| bytes.len() <= MAX_BYTES)
    }

    /// The outcome of these bytes; nothing if they are none.
    pub fn read(bytes: &[u8]) -> Option<Outcome> {
        let mut r = Reader(bytes);
        let success = r.byte()? != 0;
        let file = |r: &mut Reader<'_>| Some((r.text()?, r.bytes()?.to_vec()));
        let effects = r.list(|r| {
            Some(match r.byte()? {
                1 => Effect::Out(r.bytes()?.to_vec()),
                2 => Effect::Err(r.text()?),
                3 => file(r).map(|(path, bytes)| Effect::File(path, bytes))?,
                4 => Effect::Files(r.list(file)?),
                _ => return None,
            })
        })?;
        r.end(Outcome { effects, success })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job() -> Job {
        Job {
            arguments: vec!["-T".into(), "lib_6_6".into(), String::new(), "ä.hlsl".into()],
            folder: b"/a/\xff b".to_vec(),
            folder_id: (1, u64::MAX),
            dxc: true,
            terminal: false,
            colours: true,
            input: Some(b"float x;".to_vec()),
        }
    }

    fn outcome() -> Outcome {
        let files = vec![("a".to_owned(), vec![1, 2]), ("b/c".to_owned(), Vec::new())];
        let effects = vec![Effect::Err("e".into()), Effect::Out(vec![0]), Effect::File("f".into(), vec![9; 3]), Effect::Files(files)];
        Outcome { effects, success: true }
    }

    #[test]
    fn what_is_written_is_read() {
        assert_eq!(Job::read(&job().bytes()), Some(job()));
        let without = Job { input: None, ..job() };
        assert_eq!(Job::read(&without.bytes()), Some(without));
        let bytes = outcome().bytes().expect("it is short");
        assert_eq!(Outcome::read(&bytes), Some(outcome()));
        let frame = Reply::Done(outcome()).frame();
        assert_eq!(Frame::read(&mut frame.as_slice()).expect("a frame"), (Frame::Done, bytes));
    }

    /// Every part, every bit that is another, and what is appended: an error or another value, and no panic, and no memory for lengths that are wrong.
    #[test]
    fn damage_is_found_or_harmless() {
        for bytes in [job().bytes(), outcome().bytes().expect("it is short")] {
            for end in 0..bytes.len() {
                assert!(Job::read(&bytes[..end]).is_none() && Outcome::read(&bytes[..end]).is_none(), "a part of {end} bytes");
            }
            for at in 0..bytes.len() {
                for bit in 0..8 {
                    let mut other = bytes.clone();
                    other[at] ^= 1 << bit;
                    _ = (Job::read(&other), Outcome::read(&other));
                }
            }
            let longer = [&bytes[..], &[0]].concat();
            assert!(Job::read(&longer).is_none() && Outcome::read(&longer).is_none());
        }
        for header in [[0, 0, 0, 0, 0], [9, 0, 0, 0, 0], [1, 0xff, 0xff, 0xff, 0xff]] {
            assert_eq!(Frame::header(header), None);
        }
        assert!(Frame::read(&mut [5u8, 10, 0, 0, 0, 1].as_slice()).is_err(), "it ends early");
    }
}
