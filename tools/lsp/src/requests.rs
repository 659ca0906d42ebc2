//! Requests: what the server offers, and which feature answers which request.

use crossbeam_channel::Sender;
use lsp_server::{Connection, ErrorCode, Message, RequestId, Response};
use lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionProviderCapability, CodeLens, CodeLensOptions, Command, CompletionOptions,
    CompletionParams, DeclarationCapability, DocumentLinkOptions, ExecuteCommandOptions, FoldingRangeProviderCapability,
    HoverProviderCapability, ImplementationProviderCapability, InitializeParams, InitializeResult, InlayHint, InlayHintKind,
    InlayHintLabel, InlayHintTooltip, MarkupContent, MarkupKind, OneOf, PositionEncodingKind, RenameOptions, SemanticTokens,
    SemanticTokensFullOptions, SemanticTokensOptions, ServerCapabilities, ServerInfo, SignatureHelpOptions, TextDocumentPositionParams,
    TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions, TextEdit, TypeDefinitionProviderCapability, Uri,
    WorkDoneProgressOptions, WorkspaceFoldersServerCapabilities, WorkspaceServerCapabilities,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::features::completion::{Prepared, Purpose};
use crate::features::format::Formatting;
use crate::features::{actions, completion, folding, format, hover, navigate, rename, signature, symbols, tokens};
use crate::paths::{of_uri, to_uri};
use crate::snapshot::Snapshot;
use crate::text::Columns;
use crate::workspace::{Choice, Workspace};

/// Why a request has no answer.
pub type Failure = (ErrorCode, String);
/// An answer.
pub type Answer = Result<Value, Failure>;

/// A request about a document whose root is current.
pub struct Question<'a> {
    /// Its id.
    pub id: RequestId,
    /// Its method.
    pub method: &'a str,
    /// Its parameters.
    pub params: Value,
    /// The path of the document.
    pub path: &'a str,
    /// The snapshot of its root; `None` if the analysis failed.
    pub snapshot: Option<&'a Snapshot>,
}

/// The command that gives the listing of a compiled document.
const LISTING: &str = "rtc.listing";
/// The command that lists the sources and configurations in which a document can be seen.
const CHOICES: &str = "rtc.choices";
/// The command that chooses one of them.
const CHOOSE: &str = "rtc.choose";

/// A choice of the user.
#[derive(Debug)]
pub struct Chosen {
    /// The document.
    pub path: String,
    /// The source in which it is to be seen.
    pub root: String,
    /// The configuration of that; empty if it has one only.
    pub configuration: String,
}

/// Whether a request is the command that chooses.
pub fn is_choice(method: &str, params: &Value) -> bool {
    method == "workspace/executeCommand" && params.get("command").is_some_and(|c| c == CHOOSE)
}

/// The choice of a request: the URIs of document and source, and the name of the configuration, which may be left out.
///
/// # Errors
/// The parameters are wrong.
pub fn chosen(params: Value) -> Result<Chosen, Failure> {
    let p: lsp_types::ExecuteCommandParams = read(params)?;
    let mut arguments = p.arguments.into_iter();
    let mut next = || arguments.next().unwrap_or_default();
    let (path, root): (Uri, Uri) = (read(next())?, read(next())?);
    let configuration: Option<String> = read(next())?;
    Ok(Chosen { path: of_uri(&path), root: of_uri(&root), configuration: configuration.unwrap_or_default() })
}

/// Waits for the request `initialize`. Everything else is refused, as the protocol demands; `None`: the client left.
pub fn wait_for_initialize(connection: &Connection) -> Option<(RequestId, InitializeParams)> {
    let refuse = |id, code: ErrorCode, message: String| connection.sender.send(Response::new_err(id, code as i32, message).into()).ok();
    for message in &connection.receiver {
        match message {
            Message::Request(r) if r.method == "initialize" => match serde_json::from_value(r.params) {
                Ok(params) => return Some((r.id, params)),
                Err(e) => refuse(r.id, ErrorCode::InvalidParams, format!("parameters of `initialize`: {e}"))?,
            },
            Message::Request(r) => refuse(r.id, ErrorCode::ServerNotInitialized, "the first request is `initialize`".into())?,
            Message::Notification(n) if n.method == "exit" => return None,
            Message::Notification(_) | Message::Response(_) => {}
        }
    }
    None
}

/// The unit of columns: bytes, if the client offers them.
pub fn columns(params: &InitializeParams) -> Columns {
    let offered = params.capabilities.general.as_ref().and_then(|g| g.position_encodings.as_ref());
    if offered.is_some_and(|o| o.contains(&PositionEncodingKind::UTF8)) { Columns::Utf8 } else { Columns::Utf16 }
}

/// The folders that the client has open.
#[allow(deprecated)]
pub fn folders(params: &InitializeParams) -> Vec<String> {
    match &params.workspace_folders {
        Some(folders) => folders.iter().map(|f| of_uri(&f.uri)).collect(),
        None => params.root_uri.iter().map(of_uri).collect(),
    }
}

/// Whether the client reports changes of files.
pub fn can_watch(params: &InitializeParams) -> bool {
    let workspace = params.capabilities.workspace.as_ref();
    workspace.and_then(|w| w.did_change_watched_files).and_then(|d| d.dynamic_registration).unwrap_or(false)
}

/// Whether the client creates files that an edit names.
pub fn can_create(params: &InitializeParams) -> bool {
    let edits = params.capabilities.workspace.as_ref().and_then(|w| w.workspace_edit.as_ref());
    let all = edits.filter(|e| e.document_changes == Some(true)).and_then(|e| e.resource_operations.as_ref());
    all.is_some_and(|all| all.contains(&lsp_types::ResourceOperationKind::Create))
}

/// Whether the client takes the report that there are new hints, and new lenses.
pub fn can_refresh(params: &InitializeParams) -> (bool, bool) {
    let workspace = params.capabilities.workspace.as_ref();
    let hints = workspace.and_then(|w| w.inlay_hint.as_ref()).and_then(|i| i.refresh_support);
    let lenses = workspace.and_then(|w| w.code_lens.as_ref()).and_then(|c| c.refresh_support);
    (hints.unwrap_or(false), lenses.unwrap_or(false))
}

/// The request that makes the client report changes of shaders and descriptions.
pub fn watch() -> lsp_server::Request {
    let watchers: Vec<Value> =
        ["**/*.{hlsl,hlsli,h,inc,fxh,usf,ush}", "**/rtc.toml", "**/compile_commands.json"].map(|p| json!({ "globPattern": p })).into();
    let registration =
        json!({ "id": "rtc.watch", "method": "workspace/didChangeWatchedFiles", "registerOptions": { "watchers": watchers } });
    lsp_server::Request {
        id: "rtc.watch".to_owned().into(),
        method: "client/registerCapability".into(),
        params: json!({ "registrations": [registration] }),
    }
}

/// What the server offers.
pub fn initialize_result(columns: Columns) -> InitializeResult {
    let words = |list: &[&str]| Some(list.iter().map(|s| (*s).to_owned()).collect());
    let encoding = match columns {
        Columns::Utf8 => PositionEncodingKind::UTF8,
        Columns::Utf16 => PositionEncodingKind::UTF16,
    };
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::INCREMENTAL),
        save: Some(lsp_types::TextDocumentSyncSaveOptions::Supported(true)),
        ..TextDocumentSyncOptions::default()
    };
    let folders = WorkspaceFoldersServerCapabilities { supported: Some(true), change_notifications: Some(OneOf::Left(true)) };
    let capabilities = ServerCapabilities {
        position_encoding: Some(encoding),
        text_document_sync: Some(TextDocumentSyncCapability::Options(sync)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        completion_provider: Some(CompletionOptions {
            trigger_characters: words(&[".", ":", "[", "#", "\"", "/", "<", "(", ",", "{"]),
            ..CompletionOptions::default()
        }),
        signature_help_provider: Some(SignatureHelpOptions {
            trigger_characters: words(&["(", ","]),
            retrigger_characters: words(&[")"]),
            ..SignatureHelpOptions::default()
        }),
        declaration_provider: Some(DeclarationCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        type_definition_provider: Some(TypeDefinitionProviderCapability::Simple(true)),
        implementation_provider: Some(ImplementationProviderCapability::Simple(true)),
        references_provider: Some(OneOf::Left(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        workspace_symbol_provider: Some(OneOf::Left(true)),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QUICKFIX]),
            ..CodeActionOptions::default()
        })),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        document_formatting_provider: Some(OneOf::Left(true)),
        document_range_formatting_provider: Some(OneOf::Left(true)),
        document_link_provider: Some(DocumentLinkOptions {
            resolve_provider: Some(false),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        }),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        })),
        folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
        inlay_hint_provider: Some(OneOf::Left(true)),
        semantic_tokens_provider: Some(
            SemanticTokensOptions {
                legend: tokens::legend(),
                range: Some(true),
                full: Some(SemanticTokensFullOptions::Bool(true)),
                ..SemanticTokensOptions::default()
            }
            .into(),
        ),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: [LISTING, CHOICES, CHOOSE].map(str::to_owned).to_vec(),
            ..ExecuteCommandOptions::default()
        }),
        workspace: Some(WorkspaceServerCapabilities { workspace_folders: Some(folders), file_operations: None }),
        ..ServerCapabilities::default()
    };
    let info = ServerInfo { name: "rtc".to_owned(), version: Some(env!("CARGO_PKG_VERSION").to_owned()) };
    InitializeResult { capabilities, server_info: Some(info) }
}

/// The document that a request is about.
pub fn document(params: &Value) -> Option<Uri> {
    serde_json::from_value(params.get("textDocument")?.get("uri")?.clone()).ok()
}

/// The requests about a document.
const OF_DOCUMENTS: &[&str] = &[
    "textDocument/codeAction",
    "textDocument/codeLens",
    COMPLETION,
    "textDocument/declaration",
    "textDocument/definition",
    "textDocument/documentHighlight",
    "textDocument/documentLink",
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/formatting",
    "textDocument/hover",
    "textDocument/implementation",
    "textDocument/inlayHint",
    "textDocument/prepareRename",
    "textDocument/rangeFormatting",
    "textDocument/references",
    "textDocument/rename",
    "textDocument/semanticTokens/full",
    "textDocument/semanticTokens/range",
    "textDocument/signatureHelp",
    "textDocument/typeDefinition",
];

const COMPLETION: &str = "textDocument/completion";

/// Whether there is such a request.
pub fn is_known(method: &str) -> bool {
    OF_DOCUMENTS.contains(&method) || ["workspace/symbol", "workspace/executeCommand", STATISTICS].contains(&method)
}

/// The request that tells what the server has done.
pub const STATISTICS: &str = "rtc/statistics";

/// Whether an answer is of all sources that are analysed.
pub fn is_of_all(method: &str) -> bool {
    ["textDocument/references", "textDocument/rename"].contains(&method)
}

/// Whether a request may need an analysis with a probe.
pub fn needs_probe(method: &str) -> bool {
    method == COMPLETION
}

fn read<P: DeserializeOwned>(params: Value) -> Result<P, Failure> {
    serde_json::from_value(params).map_err(|e| (ErrorCode::InvalidParams, format!("wrong parameters: {e}")))
}

fn write(value: impl Serialize) -> Answer {
    serde_json::to_value(value).map_err(|e| (ErrorCode::InternalError, e.to_string()))
}

/// What a completion needs.
///
/// # Errors
/// The parameters are wrong.
pub fn prepare(w: &Workspace, path: &str, params: &Value) -> Result<Option<Prepared>, Failure> {
    let p: CompletionParams = read(params.clone())?;
    let trigger = p.context.and_then(|c| c.trigger_character);
    Ok(completion::prepare(w, path, p.text_document_position.position, trigger.as_deref()))
}

/// A completion that needs no analysis.
///
/// # Errors
/// It cannot be written as JSON.
pub fn answer_ready(list: lsp_types::CompletionList) -> Answer {
    write(list)
}

/// The answer to a request whose probe is analysed.
///
/// # Errors
/// It cannot be written as JSON.
pub fn answer_probe(snapshot: &Snapshot, path: &str, purpose: &Purpose) -> Answer {
    write(completion::complete(snapshot, path, purpose))
}

/// The answer to a request that is about no document.
///
/// # Errors
/// The parameters are wrong.
pub fn answer_without_document(w: &Workspace, method: &str, params: Value) -> Answer {
    match method {
        "workspace/symbol" => write(symbols::workspace(w, &read::<lsp_types::WorkspaceSymbolParams>(params)?.query)),
        "workspace/executeCommand" => {
            let p: lsp_types::ExecuteCommandParams = read(params)?;
            if ![LISTING, CHOICES].contains(&p.command.as_str()) {
                return Err((ErrorCode::InvalidParams, format!("there is no command `{}`", p.command)));
            }
            let uri: Uri = read(p.arguments.first().cloned().unwrap_or_default())?;
            let path = of_uri(&uri);
            if p.command == LISTING { listing(w, &path) } else { choices(w, &path) }
        }
        _ => Err((ErrorCode::InvalidParams, format!("`{method}` needs a member `textDocument`"))),
    }
}

/// The sources and configurations in which a document can be seen.
fn choices(w: &Workspace, path: &str) -> Answer {
    if !w.documents.contains_key(path) {
        return Err((ErrorCode::RequestFailed, format!("`{path}` is not open")));
    }
    let one = |c: &Choice| json!({ "source": to_uri(&c.root), "configuration": c.configuration, "active": c.active });
    Ok(w.choices(path).iter().map(one).collect())
}

/// A lens over the first line of what can be seen in several ways, which says in which it is seen and chooses the next one.
fn choice_lens(w: &Workspace, path: &str) -> Option<CodeLens> {
    let all = w.choices(path);
    let active = all.iter().position(|c| c.active).filter(|_| all.len() > 1)?;
    let name = |c: &Choice| {
        let file = c.root.rsplit('/').next().unwrap_or(&c.root).to_owned();
        match (c.root == path, c.configuration.as_str()) {
            (true, configuration) => format!("configuration {configuration}"),
            (false, "") => format!("as {file} sees it"),
            (false, configuration) => format!("as {file} sees it, configuration {configuration}"),
        }
    };
    let (own, next) = (&all[active], &all[(active + 1) % all.len()]);
    let title = format!("{} ({} of {})", name(own), active + 1, all.len());
    let arguments = vec![json!(w.documents.get(path)?.uri), json!(to_uri(&next.root)?), json!(next.configuration)];
    let start = lsp_types::Position::new(0, 0);
    let command = Command { title, command: CHOOSE.to_owned(), arguments: Some(arguments) };
    Some(CodeLens { range: lsp_types::Range::new(start, start), command: Some(command), data: None })
}

fn listing(w: &Workspace, path: &str) -> Answer {
    let root = w.root_of(path);
    let object = w.roots.get(&root).and_then(|r| r.compiled()).and_then(|c| c.object.as_deref());
    let Some(object) = object else {
        return Err((ErrorCode::RequestFailed, format!("`{path}` is not compiled, or has errors")));
    };
    rtc::dis::disassemble(object).map(Value::String).map_err(|e| (ErrorCode::RequestFailed, e.to_string()))
}

/// The answer to a request about a document; `None`: another thread sends it to `answers`.
///
/// # Errors
/// The parameters are wrong, or the request cannot be fulfilled.
pub fn answer(w: &Workspace, q: Question<'_>, answers: &Sender<Response>) -> Result<Option<Value>, Failure> {
    let Question { id, method, params, path, snapshot } = q;
    // What needs the text alone.
    let text = || w.documents.get(path).map(|d| d.text.clone()).unwrap_or_default();
    let value = match method {
        "textDocument/foldingRange" => write(folding::ranges(&text()))?,
        "textDocument/codeAction" => {
            let p: lsp_types::CodeActionParams = read(params)?;
            write(actions::actions(w, path, p.range))?
        }
        "textDocument/formatting" | "textDocument/rangeFormatting" => {
            if w.settings.clang_format.is_empty() {
                return Ok(Some(Value::Null));
            }
            let range: Option<lsp_types::Range> = params.get("range").map(|r| read(r.clone())).transpose()?;
            let lines = range.map(|r| (r.start.line.saturating_add(1), r.end.line.saturating_add(1)));
            let (program, path, text) = (w.settings.clang_format.clone(), path.to_owned(), text().to_string());
            let f = Formatting { program, path, text, lines, columns: w.columns };
            format::start(f, id, answers.clone()).map_err(|e| (ErrorCode::InternalError, e.to_string()))?;
            return Ok(None);
        }
        "textDocument/inlayHint" => write(hints(w, path, read(params)?))?,
        "textDocument/codeLens" => write(lenses(w, path))?,
        _ => match snapshot {
            Some(s) => about_snapshot(w, s, method, params, path)?,
            None => Value::Null,
        },
    };
    Ok(Some(value))
}

fn about_snapshot(w: &Workspace, s: &Snapshot, method: &str, params: Value, path: &str) -> Answer {
    let position = |params: &Value| read::<TextDocumentPositionParams>(params.clone()).map(|p| p.position);
    match method {
        "textDocument/hover" => write(hover::hover(w, s, path, position(&params)?)),
        "textDocument/definition" | "textDocument/implementation" => write(navigate::definition(w, s, path, position(&params)?, false)),
        "textDocument/declaration" => write(navigate::definition(w, s, path, position(&params)?, true)),
        "textDocument/typeDefinition" => write(navigate::type_definition(w, s, path, position(&params)?)),
        "textDocument/references" => {
            let p: lsp_types::ReferenceParams = read(params)?;
            let at = p.text_document_position.position;
            write(navigate::references(w, s, path, at, p.context.include_declaration))
        }
        "textDocument/documentHighlight" => write(navigate::highlights(w, s, path, position(&params)?)),
        "textDocument/documentLink" => write(navigate::links(w, s, path)),
        "textDocument/prepareRename" => write(rename::prepare(w, s, path, position(&params)?)),
        "textDocument/rename" => {
            let p: lsp_types::RenameParams = read(params)?;
            let edit = rename::rename(w, s, path, p.text_document_position.position, &p.new_name);
            write(edit.map_err(|e| (ErrorCode::RequestFailed, e))?)
        }
        "textDocument/documentSymbol" => write(symbols::document(w, s, path)),
        "textDocument/signatureHelp" => write(signature::help(w, s, path, position(&params)?)),
        "textDocument/semanticTokens/full" => write(semantic(tokens::tokens(w, s, path, None))),
        "textDocument/semanticTokens/range" => {
            let p: lsp_types::SemanticTokensRangeParams = read(params)?;
            write(semantic(tokens::tokens(w, s, path, Some((p.range.start.line, p.range.end.line)))))
        }
        _ => Err((ErrorCode::MethodNotFound, format!("there is no request `{method}`"))),
    }
}

fn semantic(data: Option<Vec<lsp_types::SemanticToken>>) -> Option<SemanticTokens> {
    Some(SemanticTokens { result_id: None, data: data? })
}

/// The hints in a range of a document. While it is edited there are none until it is compiled again.
fn hints(w: &Workspace, path: &str, p: lsp_types::InlayHintParams) -> Vec<InlayHint> {
    if !w.settings.inlay_hints {
        return Vec::new();
    }
    let all = w.roots.values().filter(|r| !r.outdated.contains(path)).filter_map(|r| r.compiled()).flat_map(|c| &c.hints.hints);
    let here = all.filter(|h| h.path == path && h.position >= p.range.start && h.position <= p.range.end);
    let mut out: Vec<InlayHint> = Vec::new();
    let mut seen: Vec<&crate::hints::Hint> = Vec::new();
    for h in here {
        // Several roots may say the same of a header.
        if seen.contains(&h) {
            continue;
        }
        seen.push(h);
        out.push(InlayHint {
            position: h.position,
            label: InlayHintLabel::String(h.label.clone()),
            kind: Some(InlayHintKind::TYPE),
            text_edits: h
                .insert
                .as_ref()
                .map(|text| vec![TextEdit { range: lsp_types::Range::new(h.position, h.position), new_text: text.clone() }]),
            tooltip: Some(InlayHintTooltip::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value: h.tooltip.clone() })),
            padding_left: Some(true),
            padding_right: Some(false),
            data: None,
        });
    }
    out
}

fn lenses(w: &Workspace, path: &str) -> Vec<CodeLens> {
    if !w.settings.code_lenses {
        return Vec::new();
    }
    let all = w.roots.values().filter(|r| !r.outdated.contains(path)).filter_map(|r| r.compiled()).flat_map(|c| &c.hints.lenses);
    let uri = w.documents.get(path).map(|d| d.uri.clone());
    let lens = |l: &crate::hints::Lens| CodeLens {
        range: lsp_types::Range::new(l.position, l.position),
        command: Some(Command { title: l.title.clone(), command: LISTING.to_owned(), arguments: uri.clone().map(|u| vec![json!(u)]) }),
        data: None,
    };
    choice_lens(w, path).into_iter().chain(all.filter(|l| l.path == path).map(lens)).collect()
}
