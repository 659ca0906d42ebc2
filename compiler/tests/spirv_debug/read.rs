//! A reader of debug information in SPIR-V modules, as a debugger needs it: independent of the code that writes it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

/// An instruction: opcode and operands.
type Words = [u32];

/// Opcodes of SPIR-V.
pub mod op {
    pub const STRING: u32 = 7;
    pub const LINE: u32 = 8;
    pub const EXT_INST_IMPORT: u32 = 11;
    pub const EXT_INST: u32 = 12;
    pub const CONSTANT: u32 = 43;
    pub const FUNCTION: u32 = 54;
    pub const FUNCTION_END: u32 = 56;
    pub const VARIABLE: u32 = 59;
    pub const PHI: u32 = 245;
    pub const LOOP_MERGE: u32 = 246;
    pub const SELECTION_MERGE: u32 = 247;
    pub const ACCESS_CHAIN: u32 = 65;
    pub const LABEL: u32 = 248;
    pub const NO_LINE: u32 = 317;
}

/// Numbers of debug instructions.
pub mod info {
    pub const NONE: u32 = 0;
    pub const UNIT: u32 = 1;
    pub const BASIC: u32 = 2;
    pub const QUALIFIER: u32 = 4;
    pub const ARRAY: u32 = 5;
    pub const VECTOR: u32 = 6;
    pub const ENUM: u32 = 9;
    pub const COMPOSITE: u32 = 10;
    pub const MEMBER: u32 = 11;
    pub const TEMPLATE: u32 = 14;
    pub const GLOBAL: u32 = 18;
    pub const FUNCTION: u32 = 20;
    pub const BLOCK: u32 = 21;
    pub const SCOPE: u32 = 23;
    pub const NO_SCOPE: u32 = 24;
    pub const INLINED_AT: u32 = 25;
    pub const LOCAL: u32 = 26;
    pub const DECLARE: u32 = 28;
    pub const VALUE: u32 = 29;
    pub const SOURCE: u32 = 35;
    pub const DEFINITION: u32 = 101;
    pub const SOURCE_CONTINUED: u32 = 102;
    pub const LINE: u32 = 103;
    pub const NO_LINE: u32 = 104;
    pub const MATRIX: u32 = 108;
}

/// A local variable.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Local {
    /// The function that it is of.
    pub function: String,
    /// Its name.
    pub name: String,
    /// The line of its declaration.
    pub line: u32,
    /// Its type.
    pub ty: String,
    /// The number of the parameter that it is.
    pub arg: u32,
}

/// What is in a module.
#[derive(Default, Debug)]
pub struct Module {
    /// Whether numbers are constants and lines are debug instructions.
    of_shaders: bool,
    strings: HashMap<u32, String>,
    constants: HashMap<u32, u32>,
    /// Debug instructions: number and operands.
    infos: BTreeMap<u32, (u32, Vec<u32>)>,
    /// Lines that instructions are of: file and line.
    pub lines: BTreeSet<(String, u32)>,
    /// Chains of functions that instructions are in: inlined ones first, the function with the code last.
    pub chains: BTreeSet<Vec<String>>,
    /// Variables that are declared or have a value in code.
    pub located: BTreeSet<Local>,
    /// Opcodes and lengths of the code, without debug information and the addresses that only it uses.
    pub code: Vec<(u32, usize)>,
    /// Values that variables are described by.
    values: BTreeSet<u32>,
    /// What is wrong.
    pub wrong: Vec<String>,
}

fn text(words: &Words) -> (String, usize) {
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    let end = bytes.iter().position(|&b| b == 0).expect("strings end with zero");
    (String::from_utf8(bytes[..end].to_vec()).expect("UTF-8"), end / 4 + 1)
}

/// The state of reading a function.
#[derive(Default)]
struct Reader {
    function: u32,
    definition: u32,
    scope: Option<(u32, u32)>,
    line: Option<(String, u32)>,
    merge: bool,
}

impl Module {
    /// Reads a module.
    pub fn read(words: &[u32]) -> Module {
        let mut m = Module::default();
        let (mut set, mut all) = (0, Vec::new());
        let mut at = 5;
        while at < words.len() {
            let length = (words[at] >> 16) as usize;
            all.push(&words[at..at + length]);
            at += length;
        }
        let mut reader: Option<Reader> = None;
        let mut code_ids = Vec::new();
        for i in all {
            let code = i[0] & 0xffff;
            match code {
                op::STRING => _ = m.strings.insert(i[1], text(&i[2..]).0),
                op::CONSTANT => _ = m.constants.insert(i[2], i[3]),
                op::EXT_INST_IMPORT => {
                    let name = text(&i[2..]).0;
                    if name.contains("DebugInfo") {
                        (set, m.of_shaders) = (i[1], name.starts_with("NonSemantic"));
                    }
                }
                op::EXT_INST if i[3] == set && set != 0 => {
                    let (id, number, operands) = (i[2], i[4], &i[5..]);
                    m.infos.insert(id, (number, operands.to_vec()));
                    if let Some(p) = &mut reader {
                        m.in_code(p, number, operands);
                    }
                    continue;
                }
                op::FUNCTION => reader = Some(Reader { function: i[2], ..Reader::default() }),
                op::FUNCTION_END => reader = None,
                _ => {}
            }
            let Some(p) = &mut reader else { continue };
            match code {
                op::LINE => {
                    p.line = Some((m.strings[&i[1]].clone(), i[2]));
                    continue;
                }
                op::NO_LINE => {
                    p.line = None;
                    continue;
                }
                _ => {}
            }
            m.code.push((code, i.len()));
            code_ids.push(if code == op::ACCESS_CHAIN { i[2] } else { 0 });
            if code == op::LABEL {
                (p.scope, p.line) = (None, None);
            }
            if matches!(code, op::FUNCTION | op::LABEL | op::VARIABLE | op::PHI) {
                continue;
            }
            p.merge = matches!(code, op::LOOP_MERGE | op::SELECTION_MERGE);
            m.lines.extend(p.line.clone());
            if let Some((scope, inlined)) = p.scope {
                m.chain(p.definition, scope, inlined);
            }
        }
        let mut ids = code_ids.into_iter();
        let values = std::mem::take(&mut m.values);
        m.code.retain(|_| ids.next().is_none_or(|id| !values.contains(&id)));
        m
    }

    /// A number of a debug instruction.
    fn number(&self, operand: u32) -> u32 {
        if self.of_shaders { self.constants[&operand] } else { operand }
    }

    fn in_code(&mut self, p: &mut Reader, number: u32, operands: &[u32]) {
        if p.merge {
            self.wrong.push(format!("a debug instruction is between a merge and its branch in function {}", p.function));
        }
        match number {
            info::DEFINITION => {
                p.definition = operands[0];
                if operands[1] != p.function {
                    self.wrong.push("a definition is of another function".into());
                }
            }
            info::SCOPE => p.scope = Some((operands[0], operands.get(1).copied().unwrap_or(0))),
            info::NO_SCOPE => p.scope = None,
            info::LINE => {
                let (of, source) = &self.infos[&operands[0]];
                assert_eq!(*of, info::SOURCE);
                let file = self.strings[&source[0]].clone();
                let [first, last] = [operands[1], operands[2]].map(|n| self.number(n));
                if first > last {
                    self.wrong.push(format!("{file}: line {first} ends at {last}"));
                }
                p.line = Some((file, first));
            }
            info::NO_LINE => p.line = None,
            info::DECLARE | info::VALUE => {
                let local = self.local(operands[0]);
                let scope = self.infos[&operands[0]].1[5];
                match p.scope {
                    Some((at, _)) if at == scope => {}
                    other => self.wrong.push(format!("{} is described in scope {other:?}, not {scope}", local.name)),
                }
                self.located.insert(local);
                self.values.insert(operands[1]);
            }
            other => self.wrong.push(format!("debug instruction {other} is in a function")),
        }
    }

    /// The function that a scope is in.
    fn function(&mut self, mut scope: u32) -> Option<u32> {
        for _ in 0..256 {
            match &self.infos.get(&scope)? {
                (info::FUNCTION, _) => return Some(scope),
                (info::BLOCK, operands) => scope = operands[3],
                _ => return None,
            }
        }
        None
    }

    fn name(&self, function: u32) -> String {
        self.strings[&self.infos[&function].1[0]].clone()
    }

    /// Notes the functions that an instruction is in, and checks that they nest.
    fn chain(&mut self, definition: u32, scope: u32, inlined: u32) {
        let Some(mut function) = self.function(scope) else { return self.wrong.push(format!("scope {scope} is in no function")) };
        let mut chain = vec![self.name(function)];
        let mut at = inlined;
        while at != 0 {
            let Some((info::INLINED_AT, operands)) = self.infos.get(&at).cloned() else {
                return self.wrong.push(format!("{at} is no inlined call"));
            };
            if self.number(operands[0]) == 0 {
                self.wrong.push(format!("the call of {chain:?} has no line"));
            }
            let Some(outer) = self.function(operands[1]) else { return self.wrong.push("a call is in no function".into()) };
            function = outer;
            chain.push(self.name(function));
            at = operands.get(2).copied().unwrap_or(0);
        }
        if self.of_shaders && function != definition {
            self.wrong.push(format!("{chain:?} does not end in function {}", self.name(definition)));
        }
        self.chains.insert(chain);
    }

    fn local(&mut self, id: u32) -> Local {
        let (number, operands) = self.infos[&id].clone();
        assert_eq!(number, info::LOCAL);
        let function = self.function(operands[5]).map_or(String::new(), |f| self.name(f));
        Local {
            function,
            name: self.strings[&operands[0]].clone(),
            line: self.number(operands[3]),
            ty: self.ty(operands[1]),
            arg: operands.get(7).map_or(0, |&n| self.number(n)),
        }
    }

    /// All local variables, with and without a value.
    pub fn locals(&mut self) -> BTreeSet<Local> {
        let all: Vec<u32> = self.infos.iter().filter(|i| i.1.0 == info::LOCAL).map(|i| *i.0).collect();
        all.into_iter().map(|id| self.local(id)).collect()
    }

    /// Global variables: name, type, and whether they have a variable or value.
    pub fn globals(&self) -> BTreeMap<String, (String, bool)> {
        let all = self.infos.values().filter(|i| i.0 == info::GLOBAL);
        let has_home = |id: u32| self.infos.get(&id).is_none_or(|i| i.0 != info::NONE);
        all.map(|(_, o)| (self.strings[&o[0]].clone(), (self.ty(o[1]), has_home(o[7])))).collect()
    }

    /// Files with their texts.
    pub fn sources(&self) -> BTreeMap<String, String> {
        let mut out: BTreeMap<String, String> = BTreeMap::new();
        let mut last = String::new();
        for (number, operands) in self.infos.values() {
            match *number {
                info::SOURCE => {
                    last.clone_from(&self.strings[&operands[0]]);
                    out.insert(last.clone(), operands.get(1).map_or(String::new(), |t| self.strings[t].clone()));
                }
                info::SOURCE_CONTINUED => *out.get_mut(&last).expect("a source is before it") += &self.strings[&operands[0]],
                _ => {}
            }
        }
        out
    }

    /// A type as text: structures with the offsets of their members in bits.
    pub fn ty(&self, id: u32) -> String {
        let Some((number, o)) = self.infos.get(&id) else { return "void".into() };
        let name = || self.strings[&o[0]].clone();
        match *number {
            info::BASIC | info::ENUM => name(),
            info::QUALIFIER => format!("const {}", self.ty(o[0])),
            info::VECTOR => format!("{}{}", self.ty(o[0]), self.number(o[1])),
            info::MATRIX => format!("{}[{}]", self.ty(o[0]), self.number(o[1])),
            info::ARRAY => o[1..].iter().fold(self.ty(o[0]), |t, n| format!("{t}[{}]", self.constants[n])),
            info::TEMPLATE => self.ty(o[0]),
            info::COMPOSITE => {
                let members: Vec<String> = o[9..].iter().map(|&m| self.member(m)).collect();
                if members.is_empty() { name() } else { format!("{} {{ {} }}", name(), members.join(", ")) }
            }
            other => format!("?{other}"),
        }
    }

    fn member(&self, id: u32) -> String {
        let (number, o) = &self.infos[&id];
        let more = usize::from(!self.of_shaders);
        match *number {
            info::MEMBER => format!("{} {} @{}", self.ty(o[1]), self.strings[&o[0]], self.constants[&o[5 + more]]),
            other => format!("?{other}"),
        }
    }

    /// Whether every scope's parents lead to the compilation unit.
    pub fn check_scopes(&mut self) {
        let all: Vec<u32> = self.infos.iter().filter(|i| [info::BLOCK, info::FUNCTION].contains(&i.1.0)).map(|i| *i.0).collect();
        for id in all {
            let Some(function) = self.function(id) else {
                self.wrong.push(format!("block {id} is in no function"));
                continue;
            };
            let parent = self.infos[&function].1[5];
            if !self.infos.get(&parent).is_some_and(|i| [info::UNIT, info::COMPOSITE, info::TEMPLATE].contains(&i.0)) {
                self.wrong.push(format!("function {function} is in nothing"));
            }
        }
    }
}
