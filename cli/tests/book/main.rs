//! The book: code blocks do what they say, links lead somewhere, and the error index has a page for each code of a diagnostic.
//!
//! A code block says in its information string what it is:
//!
//! | block | the test |
//! |---|---|
//! | `hlsl` | compiles without a diagnostic, with the options of its first line (`// rtc -T …`), else as `lib_6_9` |
//! | `hlsl,fails=E0704` | is an error, and gives exactly the codes named |
//! | `hlsl,warns=W0301` | compiles, and gives exactly the codes named |
//! | any, with `file=a.hlsl` | is that file for the shell blocks of the page |
//! | `console` | its commands, after `$`, print what follows them; `...` stands for anything |
//! | `sh` | its commands succeed |
//! | `toml`, `json` | parses |
//! | `lua`, `text`, none | is not run, and has no line that begins with `rtc` |
//!
//! `RTC_BLESS=1` writes what follows from the table of diagnostics: the first lines of each page of the index, its list, and its part of the
//! table of contents.

mod data;
mod devices;
mod examples;
mod index;
mod links;
mod mdbook;
mod pages;
mod shell;
