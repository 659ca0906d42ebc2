//! What edits of a header cost that many sources include: analyses are counted, not timed.

use lsp_server::Message;
use serde_json::{Value, json};

use crate::client::{Client, find, settings};

/// How many sources include the header.
const USERS: usize = 20;

const HEADER: &str = "// A function.\nfloat half_of(float x) { return x / 2; }\n#if PLATFORM == 7\nfloat other(float x) { return x; }\n#elif defined(THIRD)\nfloat third(float x) { return x / 3; }\n#endif\n";

fn user(n: usize) -> String {
    let define = if n == 3 { "#define THIRD 1\n" } else { "" };
    format!("{define}#include \"common.hlsli\"\n[shader(\"raygeneration\")] void Start{n}() {{ float x = half_of({n}); }}\n")
}

fn name(n: usize) -> String {
    format!("user{n:02}.hlsl")
}

/// A session with all of them open, and the header.
struct Session {
    c: Client,
    header: String,
    analyses: u64,
}

impl Session {
    fn start(test: &str) -> Session {
        let mut c = Client::start(test, settings(false));
        c.write("common.hlsli", HEADER);
        (0..USERS).for_each(|n| c.write(&name(n), &user(n)));
        for n in 0..USERS {
            c.open(&name(n), &user(n));
        }
        let mut s = Session { c, header: HEADER.to_owned(), analyses: 0 };
        assert_eq!(s.cost(), USERS as u64, "opening one is no change for the others");
        s.c.open("common.hlsli", HEADER);
        assert_eq!(s.c.diagnostics("common.hlsli"), [""; 0]);
        assert_eq!(s.cost(), 0, "they have read what is open");
        s
    }

    /// How many analyses there were since the last call, once all are done.
    fn cost(&mut self) -> u64 {
        loop {
            let s = self.c.request("rtc/statistics", Value::Null).expect("an answer");
            if s["left"] == 0 {
                let all = s["analyses"].as_u64().expect("a number");
                return all - std::mem::replace(&mut self.analyses, all);
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    }

    /// Edits the header. What was published before is forgotten.
    fn edit(&mut self, from: &str, to: &str) {
        assert_eq!(self.header.matches(from).count(), 1, "{from}");
        let (line, column) = find(&self.header, from, 0);
        let end = find(&format!("{}\u{1}", self.header.replace(from, &format!("{from}\u{1}"))), "\u{1}", 0);
        self.header = self.header.replace(from, to);
        self.c.inbox.clear();
        self.c.change("common.hlsli", &[((line, column, end.0, end.1), to)]);
    }

    /// For how many sources something was published since.
    fn published_for_users(&self) -> usize {
        let of_user = |m: &&Message| match m {
            Message::Notification(n) => {
                n.method == "textDocument/publishDiagnostics" && n.params["uri"].as_str().is_some_and(|uri| uri.contains("/user"))
            }
            _ => false,
        };
        self.c.inbox.iter().filter(of_user).count()
    }

    /// Where the function of the header is declared, as a source says.
    fn declared(&mut self, n: usize) -> u64 {
        let at = find(&user(n), "half_of", 0);
        let found = self.c.ask_at("textDocument/definition", &name(n), at);
        let place = found.as_array().and_then(|a| a.first()).unwrap_or(&found);
        let range = if place["targetSelectionRange"].is_null() { &place["range"] } else { &place["targetSelectionRange"] };
        range["start"]["line"].as_u64().unwrap_or_else(|| panic!("{found}"))
    }
}

#[test]
fn an_edit_of_a_header_costs_what_it_changes() {
    let mut s = Session::start("header-costs");
    // In a comment: the header is seen in one source.
    s.edit("// A function.\n", "// A function.\n// It divides.\n");
    assert_eq!((s.cost(), s.published_for_users()), (1, 0));
    // Another source is analysed when something is to be known of it: then it has the lines of now.
    assert_eq!(s.declared(7), 2);
    assert_eq!((s.cost(), s.published_for_users()), (1, 0));
    assert_eq!(s.declared(7), 2);
    assert_eq!(s.cost(), 0);
    // In a group that no source reads, with lines that are no program.
    s.edit("return x; }\n#elif", "return it's; }\n\n#elif");
    assert_eq!((s.cost(), s.published_for_users()), (1, 0));
    // In a group that one of them reads.
    s.edit("x / 3", "x / 3.0");
    assert_eq!((s.cost(), s.published_for_users()), (2, 0));
    // A change of the program: all are analysed, and those that say the same as before are not published again.
    s.edit("x / 2", "x / 2.0");
    assert_eq!((s.cost(), s.published_for_users()), (USERS as u64, 0));
    s.edit("half_of(float x)", "halved(float x)");
    assert_eq!(s.cost(), USERS as u64);
    assert_eq!(s.published_for_users(), USERS, "all have an error now");
    s.edit("halved(float x)", "half_of(float x)");
    assert_eq!((s.cost(), s.published_for_users()), (USERS as u64, USERS));
    s.c.end();
}

#[test]
fn what_is_requested_of_all_sources_has_the_positions_of_now() {
    let mut s = Session::start("header-references");
    s.edit("// A function.\n", "// A function.\n\n\n");
    assert_eq!(s.cost(), 1);
    let mut p = s.c.at("common.hlsli", find(&s.header, "half_of", 0));
    p["context"] = json!({ "includeDeclaration": true });
    let found = s.c.request("textDocument/references", p).expect("an answer");
    let places: Vec<(bool, u64)> = found
        .as_array()
        .expect("places")
        .iter()
        .map(|l| (l["uri"].as_str().is_some_and(|u| u.ends_with("common.hlsli")), l["range"]["start"]["line"].as_u64().expect("a number")))
        .collect();
    assert_eq!(places.iter().filter(|p| p.0).collect::<Vec<_>>(), [&(true, 3)]);
    assert_eq!(places.iter().filter(|p| !p.0).count(), USERS);
    assert_eq!(s.cost(), USERS as u64 - 1);
    // Symbols are there once.
    s.edit("\n\n\n", "\n");
    assert_eq!(s.cost(), 1);
    let found = s.c.request("workspace/symbol", json!({ "query": "half_of" })).expect("an answer");
    let lines: Vec<u64> =
        found.as_array().expect("symbols").iter().filter_map(|s| s["location"]["range"]["start"]["line"].as_u64()).collect();
    assert_eq!(lines, [1]);
    s.c.end();
}

/// A finding in the header itself moves with its lines, whichever source says it.
#[test]
fn diagnostics_in_the_header_follow_its_lines() {
    let mut s = Session::start("header-diagnostics");
    s.edit("x / 3;", "missing;");
    assert_eq!(s.cost(), 2);
    let before = s.c.diagnostics("common.hlsli");
    assert!(before.len() == 1 && before[0].starts_with("5:"), "{before:?}");
    s.edit("// A function.\n", "// A function.\n// It divides.\n");
    assert_eq!(s.cost(), 2, "the source that says it is analysed, too");
    let after = s.c.published(|p| {
        p["uri"].as_str().is_some_and(|u| u.ends_with("common.hlsli")) && p["diagnostics"][0]["range"]["start"]["line"] == 6
    });
    assert_eq!(after.len(), 1, "{after:?}");
    s.c.end();
}

/// Analyses that take much memory are dropped where they are not in use; answers and diagnostics are the same.
#[test]
fn analyses_of_what_is_not_in_use_are_dropped() {
    let header = format!("{HEADER}{}", "// A line of text that takes memory.\n".repeat(4000));
    let mut c = Client::start("header-memory", settings(false));
    c.write("common.hlsli", &header);
    (0..USERS).for_each(|n| c.write(&name(n), &user(n)));
    for n in 0..USERS {
        c.open(&name(n), &user(n));
    }
    let mut s = Session { c, header, analyses: 0 };
    assert_eq!(s.cost(), USERS as u64);
    let kept = |s: &mut Session| s.c.request("rtc/statistics", Value::Null).expect("an answer")["kept"].as_u64().expect("a number");
    let few = kept(&mut s);
    assert!((2..USERS as u64 / 2).contains(&few), "{few} are kept");
    // One that was dropped is analysed for a request, and nothing is published for that.
    s.c.inbox.clear();
    let dropped: Vec<usize> = (0..USERS).filter(|n| s.declared(*n) == 1 && s.cost() == 1).collect();
    assert!(dropped.len() >= USERS / 2 && s.published_for_users() == 0, "{dropped:?}");
    assert_eq!(kept(&mut s), few);
    // Names of all are found, and changed.
    let mut p = s.c.at(&name(19), find(&user(19), "half_of", 0));
    p["context"] = json!({ "includeDeclaration": true });
    p["newName"] = json!("halved");
    let found = s.c.request("textDocument/references", p.clone()).expect("an answer");
    assert_eq!(found.as_array().map(Vec::len), Some(USERS + 1), "{found}");
    let edit = s.c.request("textDocument/rename", p.clone()).expect("an answer").to_string();
    assert_eq!(edit.matches("halved").count(), USERS + 1, "{edit}");
    // A name that is a macro in one that was dropped.
    p["newName"] = json!("THIRD");
    let refused = s.c.request("textDocument/rename", p).expect_err("it means something else");
    assert!(refused.contains("THIRD"), "{refused}");
    // Edits of the header reach all.
    let header = s.header.clone();
    s.c.open("common.hlsli", &header);
    assert!(s.cost() <= 1, "the source in which it is seen may have been dropped");
    s.edit("// A function.\n", "");
    assert_eq!(s.cost(), 1);
    s.edit("half_of(float x)", "halved(float x)");
    assert_eq!((s.cost(), s.published_for_users()), (USERS as u64, USERS));
    s.c.end();
}

/// Of many sources that are out of date, the one that a request waits for is first.
#[test]
fn requests_are_answered_before_other_sources_are_analysed() {
    let mut s = Session::start("header-order");
    let mut least = usize::MAX;
    // Where the request comes late, several analyses are over: it is tried again.
    for n in 0..10 {
        let (from, to) = [("half_of(float x)", "halved(float x)"), ("halved(float x)", "half_of(float x)")][n % 2];
        s.edit(from, to);
        let at = find(&user(1), "half_of", 0);
        _ = s.c.ask_at("textDocument/definition", &name(1), at);
        least = least.min(s.published_for_users());
        if least < USERS / 2 {
            break;
        }
        s.cost();
    }
    assert!(least < USERS / 2, "{least} of {USERS} sources were analysed before");
    s.cost();
    s.c.end();
}
