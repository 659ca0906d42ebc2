//! The buffers of the contract ([`rtc_tables::wavefront`]) in code: control words, where a thread's ray is kept, its key, its index in the dispatch.

use rtc_ir::{Binding, Builder, Global, GlobalData, GlobalKind, Module, Opcode, ResourceDecl, ResourceType, Type, Value};
use rtc_tables::resources::{CompType, ResourceClass, ResourceFlags, ResourceKind};
use rtc_tables::wavefront as contract;

/// Which of the functions that a shader is divided into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Entry {
    /// The one that starts rays.
    Start,
    /// The one that resumes those of a point.
    Resume(u32),
    /// A shader that both run: of hits, misses, or a callable one.
    Other,
}

/// The declared buffers.
#[derive(Clone, Copy)]
pub(super) struct Buffers {
    control: Global,
    state: Global,
    keys: Global,
    slots: Global,
    ty: Type,
}

impl Buffers {
    /// Declares those that `m` does not have yet.
    pub fn declare(m: &mut Module) -> Buffers {
        let ty = m.types.resource(ResourceType {
            class: ResourceClass::Uav,
            kind: ResourceKind::RawBuffer,
            elem: None,
            comp: CompType::Invalid,
            stride: 0,
            samples: 0,
            flags: ResourceFlags::empty(),
        });
        let [control, state, keys, slots] =
            [contract::CONTROL, contract::STATE, contract::KEYS, contract::SLOTS].map(|name| declare(m, name, ty));
        Buffers { control, state, keys, slots, ty }
    }
}

fn declare(m: &mut Module, name: &str, ty: Type) -> Global {
    if let Some((g, _)) = m.globals.iter().find(|(_, g)| g.name == name && g.resource().is_some_and(|r| r.ty == ty)) {
        return g;
    }
    let decl = ResourceDecl {
        ty,
        count: Some(1),
        array: false,
        binding: Binding::default(),
        kind: rtc_ir::DeclKind::Variable,
        layout: None,
        element: None,
        host: None,
        hlsl: "RWByteAddressBuffer".into(),
    };
    let kind = GlobalKind::Resource(decl);
    m.globals.push(GlobalData {
        name: name.into(),
        symbol: name.into(),
        kind,
        decorations: Vec::new(),
        span: rtc_base::Span::NONE,
        precise: false,
    })
}

/// Writes code of one entry.
pub(super) struct Code<'a, 'b> {
    pub b: &'a mut Builder<'b>,
    pub buffers: Buffers,
    pub entry: Entry,
    /// Words of a ray's record in the state buffer.
    pub record: u32,
}

/// Where a ray's state and key are.
#[derive(Clone, Copy)]
pub(super) struct Ray {
    /// The first word of its record.
    record: Value,
}

impl Code<'_, '_> {
    fn handle(&mut self, g: Global) -> Value {
        self.b.resource(g, None, false, self.buffers.ty)
    }

    fn load(&mut self, g: Global, byte: Value, ty: Type) -> Value {
        let handle = self.handle(g);
        self.b.many_value(Opcode::raw_load, 4, &[handle, byte], ty)
    }

    fn store(&mut self, g: Global, byte: Value, v: Value) {
        let handle = self.handle(g);
        self.b.many(Opcode::raw_store, 4, &[handle, byte, v], &[]);
    }

    fn control(&mut self, word: u32, ty: Type) -> Value {
        let byte = self.b.func.const_u32(4 * word);
        self.load(self.buffers.control, byte, ty)
    }

    fn bytes(&mut self, words: Value) -> Value {
        let two = self.b.func.const_u32(2);
        self.b.binary(Opcode::shl, words, two)
    }

    /// `x + width * (y + height * z)` of a vector in a box.
    fn linear(&mut self, v: Value, size: Value) -> Value {
        let [x, y, z] = [0, 1, 2].map(|n| self.b.extract(v, n));
        let [width, height] = [0, 1].map(|n| self.b.extract(size, n));
        let rows = self.b.binary(Opcode::imul, z, height);
        let rows = self.b.binary(Opcode::iadd, rows, y);
        let rows = self.b.binary(Opcode::imul, rows, width);
        self.b.binary(Opcode::iadd, rows, x)
    }

    /// Whether reorder points stop.
    pub fn stop(&mut self) -> Value {
        let (word, zero) = (self.control(contract::CONTROL_STOP, Type::I32), self.b.func.const_u32(0));
        self.b.binary(Opcode::ine, word, zero)
    }

    /// The position of the thread in its launch.
    pub fn position(&mut self) -> Value {
        let launch = self.b.nullary(Opcode::dispatch_rays_index);
        match self.entry {
            Entry::Start => {
                let size = self.control(contract::CONTROL_SIZE, Type::I32X3);
                self.linear(launch, size)
            }
            Entry::Resume(point) => {
                let base = self.control(contract::CONTROL_POINTS + 2 * point, Type::I32);
                let x = self.b.extract(launch, 0);
                self.b.binary(Opcode::iadd, base, x)
            }
            Entry::Other => unreachable!("only ray generation shaders write keys and state"),
        }
    }

    /// The slot of the ray of the thread at this position.
    fn slot(&mut self, position: Value) -> Value {
        match self.entry {
            Entry::Start => position,
            Entry::Resume(_) | Entry::Other => {
                let byte = self.bytes(position);
                self.load(self.buffers.slots, byte, Type::I32)
            }
        }
    }

    /// Where the ray of the thread at this position is.
    pub fn ray(&mut self, position: Value) -> Ray {
        let (slot, words) = (self.slot(position), self.b.func.const_u32(self.record));
        Ray { record: self.b.binary(Opcode::imul, slot, words) }
    }

    fn word(&mut self, ray: Ray, word: u32) -> Value {
        let word = self.b.func.const_u32(word);
        let word = self.b.binary(Opcode::iadd, ray.record, word);
        self.bytes(word)
    }

    /// Saves a word of a ray.
    pub fn save(&mut self, ray: Ray, word: u32, v: Value) {
        let byte = self.word(ray, word);
        self.store(self.buffers.state, byte, v);
    }

    /// A saved word of a ray.
    pub fn saved(&mut self, ray: Ray, word: u32) -> Value {
        let byte = self.word(ray, word);
        self.load(self.buffers.state, byte, Type::I32)
    }

    /// Writes the key of the thread at this position.
    pub fn key(&mut self, position: Value, key: Value) {
        let byte = self.bytes(position);
        self.store(self.buffers.keys, byte, key);
    }

    /// `DispatchRaysIndex()`.
    pub fn index(&mut self) -> Value {
        let origin = self.control(contract::CONTROL_ORIGIN, Type::I32X3);
        let inside = match self.entry {
            Entry::Start => self.b.nullary(Opcode::dispatch_rays_index),
            Entry::Resume(_) => {
                let position = self.position();
                self.inside(position)
            }
            Entry::Other => self.inside_either(),
        };
        self.b.binary(Opcode::iadd, origin, inside)
    }

    /// The place in its tile of the resumed ray at this position.
    fn inside(&mut self, position: Value) -> Value {
        let slot = self.slot(position);
        let size = self.control(contract::CONTROL_SIZE, Type::I32X3);
        let [width, height] = [0, 1].map(|n| self.b.extract(size, n));
        let x = self.b.binary(Opcode::urem, slot, width);
        let rows = self.b.binary(Opcode::udiv, slot, width);
        let y = self.b.binary(Opcode::urem, rows, height);
        let z = self.b.binary(Opcode::udiv, rows, height);
        self.b.construct(&[x, y, z])
    }

    /// The place in its tile of a ray that started or was resumed, which the launch tells.
    fn inside_either(&mut self) -> Value {
        let (index, resumed) = (self.b.nullary(Opcode::dispatch_rays_index), self.control(contract::CONTROL_LAUNCH, Type::I32));
        let zero = self.b.func.const_u32(0);
        let is_resumed = self.b.binary(Opcode::ine, resumed, zero);
        let (then_, else_) = (self.b.func.add_region(), self.b.func.add_region());
        let i = self.b.if_(is_resumed, then_, else_, &[Type::I32X3]);
        let outer = std::mem::replace(&mut self.b.region, else_);
        self.b.exit(Opcode::yield_, &[index]);
        self.b.region = then_;
        // Two words for a point, the first of which belongs to `resumed` 1.
        let (three, first) = (self.b.func.const_u32(3), self.b.func.const_u32(4 * (contract::CONTROL_POINTS - 2)));
        let byte = self.b.binary(Opcode::shl, resumed, three);
        let byte = self.b.binary(Opcode::iadd, byte, first);
        let base = self.load(self.buffers.control, byte, Type::I32);
        let x = self.b.extract(index, 0);
        let position = self.b.binary(Opcode::iadd, base, x);
        let inside = self.inside(position);
        self.b.exit(Opcode::yield_, &[inside]);
        self.b.region = outer;
        self.b.func.result(i)
    }

    /// `DispatchRaysDimensions()`: where no rays are sorted, the control block is empty and the launch is the dispatch.
    pub fn dimensions(&mut self) -> Value {
        let given = self.control(contract::CONTROL_DIMENSIONS, Type::I32X3);
        match self.entry {
            Entry::Start | Entry::Other => {
                let launch = self.b.nullary(Opcode::dispatch_rays_dim);
                let (x, zero) = (self.b.extract(given, 0), self.b.func.const_u32(0));
                let sorted = self.b.binary(Opcode::ine, x, zero);
                self.b.select(sorted, given, launch)
            }
            Entry::Resume(_) => given,
        }
    }
}
