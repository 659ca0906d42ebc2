//! The messages of Bazel's `worker_protocol.proto`, in protobuf and in JSON.
//!
//! ```text
//! WorkRequest  { repeated string arguments = 1; repeated Input inputs = 2; int32 request_id = 3; bool cancel = 4; int32 verbosity = 5; string sandbox_dir = 6; }
//! WorkResponse { int32 exit_code = 1; string output = 2; int32 request_id = 3; bool was_cancelled = 4; }
//! ```
//!
//! In protobuf a message follows its length; in JSON one value follows the other, with or without ends of lines: Bazel 4 writes none. Fields that are not there have
//! the default, and those that are not known are skipped; that Bazel does not skip them in responses. Inputs are not read: files are compared when they are used.

use std::io::{self, BufRead, Read};

use serde::{Deserialize, Serialize};

/// The longest request.
const MAX_BYTES: u64 = 64 << 20;

/// How messages are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// Protobuf with lengths.
    Protobuf,
    /// JSON, value after value; responses are a line each.
    Json,
}

/// What is to be done.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Request {
    /// Arguments of the command.
    pub arguments: Vec<String>,
    /// Zero for a request that is alone.
    pub request_id: i32,
    /// The request of this number is to be cancelled.
    pub cancel: bool,
    /// A folder in which paths are relative, below the working folder.
    pub sandbox_dir: String,
}

/// What was done.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Response {
    /// That of the command.
    pub exit_code: i32,
    /// What it printed.
    pub output: String,
    /// That of the request.
    pub request_id: i32,
    /// Whether it was cancelled. It is left out where it is not: Bazel 4 refuses a response with a field that it does not know.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub was_cancelled: bool,
}

fn invalid(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("not a request of a persistent worker: {what}"))
}

impl Protocol {
    /// The one of its name.
    pub fn named(name: &str) -> Option<Protocol> {
        match name {
            "proto" => Some(Protocol::Protobuf),
            "json" => Some(Protocol::Json),
            _ => None,
        }
    }

    /// What the input begins with; nothing if it is empty. The first byte of JSON is a brace, which as a length of protobuf is 123; the next one tells: a field has a
    /// number and a type there, and JSON a quotation mark or the other brace.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn of(input: &mut impl BufRead) -> io::Result<Option<Protocol>> {
        let begin = input.fill_buf()?;
        Ok(match begin {
            [] => None,
            // One byte may be all that there is; a field of 123 bytes is there at once.
            [b'{'] | [b'{', b'"' | b'}' | b' ', ..] => Some(Protocol::Json),
            _ => Some(Protocol::Protobuf),
        })
    }

    /// Reads a request; nothing at the end of the input.
    ///
    /// # Errors
    /// The input cannot be read, or is no request.
    pub fn read(self, input: &mut impl BufRead) -> io::Result<Option<Request>> {
        match self {
            Protocol::Json => {
                skip_space(input)?;
                match input.fill_buf()?.first() {
                    None => return Ok(None),
                    Some(b'{') => {}
                    Some(_) => return Err(invalid("it begins with no brace")),
                }
                // The value ends with its last brace; what follows is not waited for.
                let mut value = serde_json::Deserializer::from_reader(input.take(MAX_BYTES));
                Request::deserialize(&mut value).map(Some).map_err(|e| invalid(&e.to_string()))
            }
            Protocol::Protobuf => {
                if input.fill_buf()?.is_empty() {
                    return Ok(None);
                }
                let length = read_varint(input)?;
                if length > MAX_BYTES {
                    return Err(invalid("its length"));
                }
                let mut bytes = Vec::new();
                input.take(length).read_to_end(&mut bytes)?;
                if bytes.len() as u64 != length {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
                request(&bytes).map(Some).ok_or_else(|| invalid("its fields"))
            }
        }
    }

    /// A response as bytes.
    pub fn write(self, response: &Response) -> Vec<u8> {
        match self {
            Protocol::Json => {
                // Numbers and strings can always be written.
                let mut line = serde_json::to_vec(response).unwrap_or_default();
                line.push(b'\n');
                line
            }
            Protocol::Protobuf => {
                let mut fields = Vec::new();
                for (number, value) in
                    [(1, i64::from(response.exit_code)), (3, response.request_id.into()), (4, response.was_cancelled.into())]
                {
                    // Fields in the order of their numbers, defaults left out.
                    if number == 3 && !response.output.is_empty() {
                        fields.push(2 << 3 | 2);
                        write_varint(&mut fields, response.output.len() as u64);
                        fields.extend(response.output.as_bytes());
                    }
                    if value != 0 {
                        fields.push(number << 3);
                        write_varint(&mut fields, value as u64);
                    }
                }
                let mut out = Vec::with_capacity(fields.len() + 4);
                write_varint(&mut out, fields.len() as u64);
                out.extend(fields);
                out
            }
        }
    }
}

/// Reads over white space, as far as there is some: it does not wait for more after the next value has begun.
fn skip_space(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let here = input.fill_buf()?;
        let count = here.iter().take_while(|b| b.is_ascii_whitespace()).count();
        let all = count == here.len();
        input.consume(count);
        if count == 0 || !all {
            return Ok(());
        }
    }
}

fn read_varint(input: &mut impl Read) -> io::Result<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let mut byte = [0];
        input.read_exact(&mut byte)?;
        value |= u64::from(byte[0] & 0x7f) << shift;
        if byte[0] < 0x80 {
            return Ok(value);
        }
    }
    Err(invalid("a number that does not end"))
}

fn write_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// The request of these bytes; nothing if they are none.
fn request(mut bytes: &[u8]) -> Option<Request> {
    let mut out = Request::default();
    while !bytes.is_empty() {
        let tag = read_varint(&mut bytes).ok()?;
        match (tag >> 3, tag & 7) {
            (field, 0) => {
                let value = read_varint(&mut bytes).ok()?;
                match field {
                    3 => out.request_id = value as i32,
                    4 => out.cancel = value != 0,
                    _ => {}
                }
            }
            (field, 2) => {
                let length = usize::try_from(read_varint(&mut bytes).ok()?).ok()?;
                let (value, rest) = bytes.split_at_checked(length)?;
                bytes = rest;
                let text = || String::from_utf8(value.to_vec()).ok();
                match field {
                    1 => out.arguments.push(text()?),
                    6 => out.sandbox_dir = text()?,
                    _ => {}
                }
            }
            (_, 1) => bytes = bytes.get(8..)?,
            (_, 5) => bytes = bytes.get(4..)?,
            _ => return None,
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A request as protoc encodes it: arguments, an input, a number above 127, verbosity, a sandbox, and a field of another version.
    const REQUEST: &[u8] = b"\x0a\x02-T\x0a\x07lib_6_6\x12\x08\x0a\x01a\x12\x03\x01\x02\x03\x18\xac\x02\x28\x0a\x32\x02s1\x99\x06\x01\x02\x03\x04\x05\x06\x07\x08";

    fn expected() -> Request {
        Request { arguments: vec!["-T".into(), "lib_6_6".into()], request_id: 300, cancel: false, sandbox_dir: "s1".into() }
    }

    #[test]
    fn requests_are_read() {
        assert_eq!(request(REQUEST), Some(expected()));
        let mut stream = [&[REQUEST.len() as u8], REQUEST, &[4, 0x18, 1, 0x20, 1]].concat();
        stream.push(0);
        let mut input = stream.as_slice();
        assert_eq!(Protocol::of(&mut input).expect("no error"), Some(Protocol::Protobuf));
        let mut next = || Protocol::Protobuf.read(&mut input).expect("no error");
        assert_eq!(next(), Some(expected()));
        assert_eq!(next(), Some(Request { request_id: 1, cancel: true, ..Request::default() }));
        assert_eq!((next(), next()), (Some(Request::default()), None));
        let json = "{\"arguments\":[\"-T\",\"lib_6_6\"],\"inputs\":[{\"path\":\"a\",\"digest\":\"AQID\"}],\"requestId\":300,\"sandboxDir\":\"s1\",\"new\":1}\n\n{}";
        let mut input = json.as_bytes();
        assert_eq!(Protocol::of(&mut input).expect("no error"), Some(Protocol::Json));
        let mut next = || Protocol::Json.read(&mut input).expect("no error");
        assert_eq!((next(), next(), next()), (Some(expected()), Some(Request::default()), None));
        // Without ends of lines, and from a pipe that stays open.
        let (from, mut to) = std::io::pipe().expect("a pipe");
        let mut input = io::BufReader::new(from);
        for (n, text) in
            ["{\"arguments\":[\"}\\\"{\"],\"requestId\":0}", "{\"requestId\":1}", "\r\n {\"requestId\":2}"].into_iter().enumerate()
        {
            io::Write::write_all(&mut to, text.as_bytes()).expect("it is read");
            let found = Protocol::Json.read(&mut input).expect("no error").expect("a request");
            assert_eq!((found.request_id as usize, found.arguments.len()), (n, usize::from(n == 0)), "{text}");
        }
        drop(to);
        assert_eq!(Protocol::Json.read(&mut input).expect("no error"), None);
        assert_eq!(Protocol::of(&mut &b""[..]).expect("no error"), None);
    }

    #[test]
    fn responses_are_written() {
        let response = Response { exit_code: 1, output: "no".into(), request_id: 300, was_cancelled: true };
        assert_eq!(Protocol::Protobuf.write(&response), b"\x0b\x08\x01\x12\x02no\x18\xac\x02\x20\x01");
        assert_eq!(Protocol::Protobuf.write(&Response::default()), b"\x00");
        assert_eq!(Protocol::Json.write(&Response::default()), b"{\"exitCode\":0,\"output\":\"\",\"requestId\":0}\n");
        let json = String::from_utf8(Protocol::Json.write(&response)).expect("text");
        assert_eq!(json, "{\"exitCode\":1,\"output\":\"no\",\"requestId\":300,\"wasCancelled\":true}\n");
    }

    #[test]
    fn nonsense_is_an_error() {
        for end in 0..REQUEST.len() {
            _ = request(&REQUEST[..end]);
        }
        for bytes in
            [&b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"[..], b"\x05\x0a", b"\x02\x0a\x05", b"\x01\x07", b"\xff\xff\xff\xff\x0f"]
        {
            assert!(Protocol::Protobuf.read(&mut &*bytes).is_err(), "{bytes:?}");
        }
        assert!(Protocol::Json.read(&mut &b"nonsense\n"[..]).is_err());
    }
}
