//! A request of the page, and its answer.

use std::collections::BTreeMap;

use rtc::{Options, Session, Virtual};
use rtc_explore::{Model, model, page, split};
use serde::{Deserialize, Serialize};

use crate::files::Named;

/// What the page asks for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    /// What is made of the source.
    make: Make,
    /// The name of the source, one of `files`.
    name: String,
    /// All files, by name.
    files: BTreeMap<String, String>,
    /// The options, as a person writes them; nothing: those of the source's first line.
    options: Option<String>,
    /// Why the compiler failed at this request before: the model says it, and nothing is compiled.
    failed: Option<String>,
}

/// What is made of a source.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Make {
    /// What the page shows.
    Model,
    /// A page that needs nothing else, in one file.
    Page,
}

/// The answer.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Answer {
    Model(Box<Model>),
    Page(String),
    /// Why there is none.
    Error(String),
}

/// The answer to a request, as JSON: `{"model": …}`, `{"page": "…"}`, or `{"error": "…"}`.
pub fn answer(request: &[u8]) -> Vec<u8> {
    let answer = make(request).unwrap_or_else(Answer::Error);
    // An answer is strings, numbers and lists of them, which JSON has.
    serde_json::to_vec(&answer).unwrap_or_default()
}

fn make(request: &[u8]) -> Result<Answer, String> {
    let request: Request = serde_json::from_slice(request).map_err(|e| format!("the request is malformed: {e}"))?;
    let source = request.files.get(&request.name).ok_or_else(|| format!("there is no file `{}`", request.name))?;
    let files = Virtual::new(request.files.iter().map(|(name, text)| (name.as_str(), text.as_str())));
    let arguments = request.options.as_deref().map_or_else(|| Ok(Vec::new()), split)?;
    // Both targets share what they have in common; nothing stays for the next request.
    let session = Session::new(files.clone());
    let mut compile = |options: &Options| match &request.failed {
        Some(why) => Err(why.clone()),
        None => session.compile(&request.name, source.as_bytes(), options).map_err(|e| e.to_string()),
    };
    let wanted = rtc_explore::Request { name: request.name.clone(), source: source.clone(), arguments };
    let model = model(&wanted, &mut Named(&files), &mut compile);
    Ok(match request.make {
        Make::Model => Answer::Model(Box::new(model)),
        Make::Page => Answer::Page(page(&model, None)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn ask(request: &Value) -> Value {
        serde_json::from_slice(&answer(request.to_string().as_bytes())).expect("JSON")
    }

    fn request(options: &str) -> Value {
        let source = "#include \"../common/two.hlsli\"\nRWByteAddressBuffer Out;\n[numthreads(1, 1, 1)] void main() { Out.Store(0, TWO); }";
        let files = json!({ "a/main.hlsl": source, "common/two.hlsli": "#define TWO 2\n", "more.rsp": "-O1" });
        json!({ "make": "model", "name": "a/main.hlsl", "files": files, "options": options })
    }

    #[test]
    fn files_include_each_other_and_options_name_them() {
        let model = &ask(&request("-T cs_6_6 @more.rsp"))["model"];
        assert_eq!(model["diagnostics"], json!([]));
        assert_eq!(model["files"].as_array().map(Vec::len), Some(2), "{}", model["files"]);
        assert!(model["views"][1]["missing"].is_null());
        let model = &ask(&request("-T cs_6_6 @absent.rsp"))["model"];
        assert!(model["diagnostics"][0]["message"].as_str().expect("a message").contains("absent.rsp"), "{}", model["diagnostics"]);
    }

    #[test]
    fn a_page_holds_its_model() {
        let mut wanted = request("-T cs_6_6");
        wanted["make"] = "page".into();
        let page = ask(&wanted);
        let page = page["page"].as_str().expect("a page");
        assert!(page.starts_with("<!doctype html>") && page.contains("#define TWO 2"));
    }

    #[test]
    fn requests_that_cannot_be_read() {
        for (wrong, why) in [
            (json!({}), "malformed"),
            (json!({ "make": "model", "name": "b", "files": {} }), "there is no file `b`"),
            (request("-T \"cs"), "quote that does not end"),
        ] {
            let got = ask(&wrong);
            assert!(got["error"].as_str().is_some_and(|e| e.contains(why)), "{got}");
        }
        assert!(String::from_utf8_lossy(&answer(b"\xff{")).contains("malformed"));
    }

    #[test]
    fn a_failure_is_a_message_of_the_model() {
        let mut wanted = request("-T cs_6_6");
        wanted["failed"] = "the compiler stopped".into();
        let model = &ask(&wanted)["model"];
        assert_eq!(model["diagnostics"][0]["message"], "the compiler stopped");
        assert_eq!(model["views"][0]["missing"], "the compiler stopped");
        assert!(model["files"][0]["lines"].as_array().is_some_and(|l| l.len() == 3));
    }
}
