//! Interprets a ray-generation shader from its SPIR-V words. Hit objects are variables, as in SPIR-V, and everything
//! that SPIR-V leaves undefined about them is a panic: reading an object that was never recorded, reading the instance of a miss,
//! executing an object without a shader.

use std::collections::HashMap;

use spirv::Op;

use super::objects::{FAR, Object, hash, of_instance, record_word, trace};

type Words = Vec<u32>;

/// Where a pointer points.
#[derive(Clone, Debug)]
enum Pointer {
    /// Words of a variable, from one on.
    Variable(u32, usize),
    /// A word of the output buffer.
    Output(u32),
    /// A word of a shader record.
    Record { hit: bool, record: u32, word: u32 },
}

pub struct Machine<'a> {
    id: u32,
    instructions: Vec<&'a [u32]>,
    labels: HashMap<u32, usize>,
    types: HashMap<u32, &'a [u32]>,
    values: HashMap<u32, Words>,
    pointers: HashMap<u32, Pointer>,
    variables: HashMap<u32, Words>,
    objects: HashMap<u32, Object>,
    /// Scene, flags and start of each query's ray.
    queries: HashMap<u32, (u32, u32, u32)>,
    names: HashMap<u32, String>,
    inputs: Vec<u32>,
    output: Vec<u32>,
    scenes: HashMap<u32, u32>,
    pub events: Vec<String>,
}

/// Runs the only function of a module for one thread. Gives what was seen from outside.
pub fn run(words: &[u32], id: u32) -> Vec<String> {
    let mut m = Machine {
        id,
        instructions: Vec::new(),
        labels: HashMap::new(),
        types: HashMap::new(),
        values: HashMap::new(),
        pointers: HashMap::new(),
        variables: HashMap::new(),
        objects: HashMap::new(),
        queries: HashMap::new(),
        names: HashMap::new(),
        inputs: Vec::new(),
        output: Vec::new(),
        scenes: HashMap::new(),
        events: Vec::new(),
    };
    let mut rest = &words[5..];
    while let Some(&first) = rest.first() {
        let (inst, after) = rest.split_at((first >> 16) as usize);
        rest = after;
        m.instructions.push(inst);
    }
    m.declare();
    m.function();
    m.events
}

/// The hit object of traces that name none.
const PLAIN: u32 = u32::MAX;

fn op(i: &[u32]) -> Op {
    Op::from_u32(i[0] & 0xffff).expect("a known instruction")
}

impl<'a> Machine<'a> {
    /// How many words a type has.
    fn size(&self, ty: u32) -> usize {
        let t = self.types[&ty];
        match op(t) {
            Op::TypeVector | Op::TypeMatrix => t[3] as usize * self.size(t[2]),
            Op::TypeArray => self.values[&t[3]][0] as usize * self.size(t[2]),
            Op::TypeStruct => t[2..].iter().map(|&m| self.size(m)).sum(),
            _ => 1,
        }
    }

    fn declare(&mut self) {
        for n in 0..self.instructions.len() {
            let i = self.instructions[n];
            match op(i) {
                Op::Label => _ = self.labels.insert(i[1], n),
                Op::Name => {
                    let bytes: Vec<u8> = i[2..].iter().flat_map(|w| w.to_le_bytes()).take_while(|&b| b != 0).collect();
                    self.names.insert(i[1], String::from_utf8_lossy(&bytes).into_owned());
                }
                Op::Constant => _ = self.values.insert(i[2], vec![i[3]]),
                Op::ConstantTrue => _ = self.values.insert(i[2], vec![1]),
                Op::ConstantFalse => _ = self.values.insert(i[2], vec![0]),
                Op::ConstantComposite => {
                    let x = i[3..].iter().flat_map(|c| self.values[c].clone()).collect();
                    self.values.insert(i[2], x);
                }
                Op::Undef => _ = self.values.insert(i[2], vec![hash(&[i[2]]); self.size(i[1])]),
                Op::Variable => {
                    let to = self.types[&i[1]][3];
                    match spirv::StorageClass::from_u32(i[3]).expect("a class") {
                        spirv::StorageClass::Input => self.inputs.push(i[2]),
                        spirv::StorageClass::StorageBuffer => self.output.push(i[2]),
                        spirv::StorageClass::UniformConstant => {
                            let plain = self.names.get(&i[2]).is_some_and(|n| n == "Scene");
                            self.scenes.insert(i[2], u32::from(!plain));
                        }
                        _ if op(self.types[&to]) == Op::TypeArray || self.types.contains_key(&to) => {
                            let opaque = matches!(op(self.types[&to]), Op::TypeHitObjectNV | Op::TypeHitObjectEXT | Op::TypeRayQueryKHR);
                            let size = if opaque { 0 } else { self.size(to) };
                            // An uninitialised value is arbitrary.
                            self.variables.insert(i[2], (0..size as u32).map(|n| hash(&[i[2], n])).collect());
                        }
                        _ => {}
                    }
                }
                o if (Op::TypeVoid..=Op::TypePipe).contains(&o)
                    || matches!(o, Op::TypeAccelerationStructureKHR | Op::TypeRayQueryKHR | Op::TypeHitObjectNV | Op::TypeHitObjectEXT) =>
                {
                    self.types.insert(i[1], i);
                }
                _ => {}
            }
        }
    }

    fn get(&self, id: u32) -> Words {
        self.values.get(&id).unwrap_or_else(|| panic!("%{id} has no value")).clone()
    }

    fn word(&self, id: u32) -> u32 {
        self.get(id)[0]
    }

    fn function(&mut self) {
        let mut at = self.instructions.iter().position(|i| op(i) == Op::Label).expect("a body");
        let (mut block, mut before) = (self.instructions[at][1], 0);
        for _ in 0..200_000 {
            at += 1;
            let i = self.instructions[at];
            let target = match op(i) {
                Op::Phi => {
                    // All of a block at once.
                    let mut new = Vec::new();
                    while op(self.instructions[at]) == Op::Phi {
                        let p = self.instructions[at];
                        let from = p[3..].chunks(2).find(|c| c[1] == before).expect("a way in");
                        new.push((p[2], self.get(from[0])));
                        at += 1;
                    }
                    at -= 1;
                    self.values.extend(new);
                    continue;
                }
                Op::Branch => i[1],
                Op::BranchConditional => {
                    if self.word(i[1]) != 0 {
                        i[2]
                    } else {
                        i[3]
                    }
                }
                Op::Switch => {
                    let on = self.word(i[1]);
                    i[3..].chunks(2).find(|c| c[0] == on).map_or(i[2], |c| c[1])
                }
                Op::Return => return,
                _ => {
                    self.inst(i);
                    continue;
                }
            };
            (before, block) = (block, target);
            at = self.labels[&block];
        }
        panic!("it does not end");
    }

    fn pointer(&self, id: u32) -> Pointer {
        self.pointers.get(&id).cloned().unwrap_or(Pointer::Variable(id, 0))
    }

    fn inst(&mut self, i: &'a [u32]) {
        let bits = |b: bool| vec![u32::from(b)];
        let o = op(i);
        let a = |n: usize| self.get(i[n]);
        let each = |f: &dyn Fn(u32, u32) -> u32| -> Words { a(3).iter().zip(a(4)).map(|(&x, y)| f(x, y)).collect() };
        let float = f32::from_bits;
        let x = match o {
            Op::SelectionMerge | Op::LoopMerge | Op::Variable => return,
            Op::IAdd => each(&u32::wrapping_add),
            Op::ISub => each(&u32::wrapping_sub),
            Op::IMul => each(&u32::wrapping_mul),
            Op::UMod => each(&|x, y| x % y),
            Op::BitwiseAnd | Op::LogicalAnd => each(&|x, y| x & y),
            Op::BitwiseOr | Op::LogicalOr => each(&|x, y| x | y),
            Op::ShiftLeftLogical => each(&|x, y| x.checked_shl(y).expect("a defined shift")),
            Op::ShiftRightLogical => each(&|x, y| x.checked_shr(y).expect("a defined shift")),
            Op::IEqual | Op::LogicalEqual => each(&|x, y| u32::from(x == y)),
            Op::INotEqual | Op::LogicalNotEqual | Op::BitwiseXor => each(&|x, y| u32::from(x != y)),
            Op::ULessThan => each(&|x, y| u32::from(x < y)),
            Op::UGreaterThanEqual => each(&|x, y| u32::from(x >= y)),
            Op::FOrdLessThan => each(&|x, y| u32::from(float(x) < float(y))),
            Op::LogicalNot => bits(a(3)[0] == 0),
            Op::Not => a(3).iter().map(|x| !x).collect(),
            Op::ConvertUToF => a(3).iter().map(|&x| (x as f32).to_bits()).collect(),
            Op::Select => {
                if a(3)[0] != 0 {
                    a(4)
                } else {
                    a(5)
                }
            }
            Op::Bitcast => match self.types[&i[1]].first().map(|t| t & 0xffff) {
                Some(t) if t == Op::TypePointer as u32 => {
                    let at = a(3);
                    self.pointers.insert(i[2], Pointer::Record { hit: at[0] != 0, record: at[1], word: 0 });
                    return;
                }
                _ => a(3),
            },
            Op::CompositeConstruct => i[3..].iter().flat_map(|&c| self.get(c)).collect(),
            Op::CompositeExtract => {
                let all = a(3);
                // Columns of three, or components.
                let at = if i.len() == 6 { i[4] * 3 + i[5] } else { i[4] } as usize;
                vec![all[at]]
            }
            Op::ExtInst => vec![a(5)[0].trailing_zeros() | if a(5)[0] == 0 { u32::MAX } else { 0 }],
            Op::AccessChain | Op::InBoundsAccessChain => return self.access_chain(i),
            Op::Load => match self.load(i) {
                Some(x) => x,
                None => return,
            },
            Op::Store => {
                let x = self.get(i[2]);
                match self.pointer(i[1]) {
                    Pointer::Output(at) => self.events.push(format!("{at}: {}", x[0])),
                    Pointer::Variable(v, at) => {
                        let var = self.variables.get_mut(&v).expect("a variable");
                        var[at..at + x.len()].copy_from_slice(&x);
                    }
                    Pointer::Record { .. } => panic!("records are read"),
                }
                return;
            }
            Op::RayQueryInitializeKHR => {
                self.queries.insert(i[1], (self.word(i[2]), self.word(i[3]), self.word(i[6])));
                return;
            }
            _ => match self.query_inst(o, i).or_else(|| self.object_inst(o, i)) {
                Some(x) => x,
                None => return,
            },
        };
        self.values.insert(i[2], x);
    }

    fn access_chain(&mut self, i: &[u32]) {
        let indices: Vec<u32> = i[4..].iter().map(|&n| self.word(n)).collect();
        let base = self.pointer(i[3]);
        let p = match base {
            Pointer::Record { hit, record, .. } => Pointer::Record { hit, record, word: indices[1] },
            Pointer::Variable(v, _) if self.output.contains(&v) => Pointer::Output(indices[1]),
            Pointer::Variable(v, _) if self.scenes.contains_key(&v) => {
                let scene = self.scenes[&v] << 8 | indices[0];
                self.scenes.insert(i[2], scene);
                return;
            }
            // Everything else here has members of one word, or is a structure of one member.
            Pointer::Variable(v, at) => {
                assert_eq!(indices.len(), 1);
                let step = self.size(self.types[&i[1]][3]);
                Pointer::Variable(v, at + indices[0] as usize * step)
            }
            Pointer::Output(_) => panic!("a word has no parts"),
        };
        self.pointers.insert(i[2], p);
    }

    fn load(&mut self, i: &[u32]) -> Option<Words> {
        if let Some(&scene) = self.scenes.get(&i[3]) {
            return Some(vec![scene]);
        }
        if self.inputs.contains(&i[3]) {
            return Some(vec![self.id, 0, 0]);
        }
        Some(match self.pointer(i[3]) {
            Pointer::Variable(v, at) => self.variables[&v][at..at + self.size(i[1])].to_vec(),
            Pointer::Record { hit, record, word } => vec![record_word(hit, record, word)],
            Pointer::Output(_) => panic!("the output is never read"),
        })
    }

    fn found(&self, q: u32) -> Object {
        let (scene, flags, tmin) = self.queries[&q];
        trace(scene, flags, tmin, 0)
    }

    fn query_inst(&mut self, o: Op, i: &[u32]) -> Option<Words> {
        let getters = Op::RayQueryGetRayTMinKHR..=Op::RayQueryGetIntersectionWorldToObjectKHR;
        if o != Op::RayQueryGetIntersectionTypeKHR && !getters.contains(&o) {
            return None;
        }
        let (_, flags, start) = self.queries[&i[3]];
        let found = self.found(i[3]);
        Some(vec![match (o, found) {
            (Op::RayQueryGetIntersectionTypeKHR, Object::Hit { kind, .. }) => {
                if kind >= 0xfe {
                    1
                } else {
                    2
                }
            }
            (Op::RayQueryGetIntersectionTypeKHR, _) => 0,
            (Op::RayQueryGetRayFlagsKHR, _) => flags,
            (Op::RayQueryGetRayTMinKHR, _) => start,
            (Op::RayQueryGetWorldRayOriginKHR | Op::RayQueryGetWorldRayDirectionKHR, _) => return Some(vec![start; 3]),
            (Op::RayQueryGetIntersectionTKHR, Object::Hit { t, .. }) => t,
            (Op::RayQueryGetIntersectionInstanceIdKHR, Object::Hit { instance, .. }) => instance,
            (Op::RayQueryGetIntersectionPrimitiveIndexKHR, Object::Hit { primitive, .. }) => primitive,
            (Op::RayQueryGetIntersectionGeometryIndexKHR, Object::Hit { geometry, .. }) => geometry,
            (Op::RayQueryGetIntersectionFrontFaceKHR, Object::Hit { kind: kind @ 0xfe.., .. }) => u32::from(kind == 0xfe),
            (Op::RayQueryGetIntersectionBarycentricsKHR, Object::Hit { kind: 0xfe.., attributes, .. }) => {
                return Some(attributes.to_vec());
            }
            (o, found) => panic!("{o:?} of {found:?}"),
        }])
    }

    fn object(&self, h: u32) -> Object {
        *self.objects.get(&h).unwrap_or_else(|| panic!("%{h} was never recorded"))
    }

    fn invoke(&mut self, h: u32, payload: u32) {
        let object = self.object(h);
        assert!(!matches!(object, Object::Nop | Object::Hit { bound: false, .. }), "executes {object:?}");
        let p = self.variables[&payload][0];
        self.events.push(format!("invoke {} with {p}", object.seen()));
        self.variables.insert(payload, vec![hash(&[p, 8])]);
    }

    fn reorder(&mut self, h: u32, rest: &[u32]) {
        let hint: Vec<u32> = rest.iter().map(|&n| self.word(n)).collect();
        self.events.push(format!("reorder {} {hint:?}", self.object(h).seen()));
    }

    /// What is traced by operands from the hit object on.
    fn traced(&mut self, i: &[u32]) {
        let object = trace(self.word(i[1]), self.word(i[2]), self.word(i[8]), self.word(i[6]));
        self.objects.insert(i[0], object);
        // Any-hit shaders write the payload.
        let p = self.variables[&i[11]][0];
        self.variables.insert(i[11], vec![hash(&[p, self.word(i[8])])]);
    }

    fn object_inst(&mut self, o: Op, i: &[u32]) -> Option<Words> {
        use Op::*;
        let attributes = |m: &Self, v: u32| [m.variables[&v][0], m.variables[&v][1]];
        match o {
            HitObjectRecordEmptyNV | HitObjectRecordEmptyEXT => _ = self.objects.insert(i[1], Object::Nop),
            HitObjectTraceRayNV | HitObjectTraceRayEXT => self.traced(&i[1..]),
            HitObjectTraceReorderExecuteEXT => {
                self.traced(&i[1..]);
                self.reorder(i[1], &i[13..]);
                self.invoke(i[1], i[12]);
            }
            HitObjectReorderExecuteShaderEXT => {
                self.reorder(i[1], &i[3..]);
                self.invoke(i[1], i[2]);
            }
            TraceRayKHR => {
                let operands: Vec<u32> = std::iter::once(PLAIN).chain(i[1..].iter().copied()).collect();
                self.traced(&operands);
                self.invoke(PLAIN, i[11]);
            }
            HitObjectExecuteShaderNV | HitObjectExecuteShaderEXT => self.invoke(i[1], i[2]),
            ReorderThreadWithHitObjectNV | ReorderThreadWithHitObjectEXT => self.reorder(i[1], &i[2..]),
            ReorderThreadWithHintNV | ReorderThreadWithHintEXT => {
                let (hint, n) = (self.word(i[1]), self.word(i[2]));
                self.events.push(format!("reorder nop [{hint}, {n}]"));
            }
            HitObjectRecordMissNV | HitObjectRecordMissEXT => {
                let (flags, i2) = if o == HitObjectRecordMissNV { (0xdead, &i[2..]) } else { (self.word(i[2]), &i[3..]) };
                let object = Object::Miss { flags, record: self.word(i2[0]), tmin: self.word(i2[2]), t: self.word(i2[4]) };
                assert!(self.word(i2[0]) <= 0xffff);
                self.objects.insert(i[1], object);
            }
            HitObjectRecordHitWithIndexNV => {
                let w = |n: usize| self.word(i[n]);
                let object = Object::Hit {
                    flags: 0xdead,
                    scene: w(2),
                    instance: w(3),
                    primitive: w(4),
                    geometry: w(5),
                    kind: w(6),
                    record: w(7),
                    tmin: w(9),
                    t: w(11),
                    attributes: attributes(self, i[12]),
                    bound: true,
                };
                self.objects.insert(i[1], object);
            }
            HitObjectRecordFromQueryEXT => {
                let mut object = self.found(i[2]);
                let Object::Hit { kind, attributes: at, record, .. } = &mut object else { panic!("nothing committed") };
                if *kind < 0xfe {
                    (*kind, *at) = (self.word(i[5]), attributes(self, i[4]));
                }
                *record = self.word(i[3]);
                self.objects.insert(i[1], object);
            }
            HitObjectSetShaderBindingTableRecordIndexEXT => {
                let index = self.word(i[2]);
                match self.objects.get_mut(&i[1]) {
                    Some(Object::Miss { record, .. } | Object::Hit { record, .. }) => *record = index,
                    other => panic!("sets the record of {other:?}"),
                }
            }
            HitObjectGetAttributesNV | HitObjectGetAttributesEXT => {
                let Object::Hit { attributes, .. } = self.object(i[1]) else { panic!("attributes of no hit") };
                self.variables.insert(i[2], attributes.to_vec());
            }
            _ => return Some(self.getter(o, self.object(i[3]))),
        }
        None
    }

    fn getter(&self, o: Op, object: Object) -> Words {
        use Op::*;
        match (o, object) {
            (HitObjectIsEmptyNV | HitObjectIsEmptyEXT, _) => vec![u32::from(object == Object::Nop)],
            (HitObjectIsMissNV | HitObjectIsMissEXT, _) => vec![u32::from(matches!(object, Object::Miss { .. }))],
            (HitObjectIsHitNV | HitObjectIsHitEXT, _) => vec![u32::from(matches!(object, Object::Hit { .. }))],
            (HitObjectGetRayFlagsEXT, Object::Miss { flags, .. } | Object::Hit { flags, .. }) => vec![flags],
            (HitObjectGetRayTMinNV | HitObjectGetRayTMinEXT, Object::Miss { tmin, .. } | Object::Hit { tmin, .. }) => vec![tmin],
            (HitObjectGetRayTMaxNV | HitObjectGetRayTMaxEXT, Object::Miss { t, .. } | Object::Hit { t, .. }) => {
                assert!(f32::from_bits(t) <= FAR);
                vec![t]
            }
            (
                HitObjectGetWorldRayOriginNV
                | HitObjectGetWorldRayOriginEXT
                | HitObjectGetWorldRayDirectionNV
                | HitObjectGetWorldRayDirectionEXT,
                Object::Miss { tmin, .. } | Object::Hit { tmin, .. },
            ) => vec![tmin; 3],
            (
                HitObjectGetShaderBindingTableRecordIndexNV | HitObjectGetShaderBindingTableRecordIndexEXT,
                Object::Miss { record, .. } | Object::Hit { record, .. },
            ) => vec![record],
            (HitObjectGetShaderRecordBufferHandleNV | HitObjectGetShaderRecordBufferHandleEXT, Object::Miss { record, .. }) => {
                vec![0, record]
            }
            (HitObjectGetShaderRecordBufferHandleNV | HitObjectGetShaderRecordBufferHandleEXT, Object::Hit { record, bound: true, .. }) => {
                vec![1, record]
            }
            (o, Object::Hit { scene, instance, primitive, geometry, kind, .. }) => match o {
                HitObjectGetInstanceIdNV | HitObjectGetInstanceIdEXT => vec![instance],
                HitObjectGetInstanceCustomIndexNV | HitObjectGetInstanceCustomIndexEXT => vec![of_instance(1, scene, instance)],
                HitObjectGetPrimitiveIndexNV | HitObjectGetPrimitiveIndexEXT => vec![primitive],
                HitObjectGetGeometryIndexNV | HitObjectGetGeometryIndexEXT => vec![geometry],
                HitObjectGetHitKindNV | HitObjectGetHitKindEXT => vec![kind],
                HitObjectGetObjectToWorldNV | HitObjectGetObjectToWorldEXT => vec![of_instance(2, scene, instance); 12],
                HitObjectGetObjectRayOriginNV | HitObjectGetObjectRayOriginEXT => vec![of_instance(3, scene, instance); 3],
                o => panic!("{o:?} of a hit"),
            },
            (o, object) => panic!("{o:?} of {object:?}"),
        }
    }
}
