//! Modules made by hand: every kind of instruction and constant through builder, bitcode and listing.

mod common;

use rtc_dxil_dis as dis;
use rtc_dxil_module::bitcode;
use rtc_dxil_module::{
    Attr, AttrKind, Attrs, BinOp, CastOp, CmpPred, ConstKind, DebugLoc, FUNCTION_INDEX, MetaNode, Module, Op, Ordering, RmwOp, Tail, Type,
    TypeKind, Value, flags,
};
use rtc_tables::dxil_ops::{DxOp, op};

/// Writes and reads a module; its listing, and that of what was read, must be the same.
fn round_trip(m: &Module) -> Module {
    let bytes = bitcode::write(m);
    let back = bitcode::read(&bytes).expect("what was written can be read");
    assert_eq!(dis::module_text(&back), dis::module_text(m));
    assert_eq!(bitcode::write(&back), bytes, "written twice, two results");
    let again = bitcode::read(&bytes).expect("it can be read again");
    assert!(again == back, "read twice, two results");
    back
}

#[track_caller]
fn has_lines(text: &str, lines: &[&str]) {
    for line in lines {
        assert!(text.lines().any(|l| l.trim_end() == *line), "no line `{line}` in\n{text}");
    }
}

/// LLVM has no data of single bits.
#[test]
fn vectors_of_booleans_are_values_one_by_one() {
    let mut m = Module::new();
    let bit = m.types.i1();
    let bits = m.types.vector(bit, 4);
    let (yes, no, any) = (m.i1(true), m.i1(false), m.undef(bit));
    let ty = m.types.function(bit, &[]);
    let func = m.add_function("f", ty);
    for values in [[yes, no, no, no], [yes, any, no, yes], [no; 4]] {
        let vector = m.aggregate(bits, &values);
        let third = m.i32(3);
        let mut b = m.define(func);
        let out = b.extract_element(vector, third);
        b.ret(Some(out));
        round_trip(&m);
        let Value::Const(c) = vector else { panic!("a constant") };
        assert!(!matches!(m.consts[c].kind, ConstKind::Data(_)), "{:?}", m.consts[c].kind);
    }
}

#[test]
fn every_instruction() {
    let mut m = Module::new();
    let (i32, float, void) = (m.types.i32(), m.types.float(), m.types.void());
    let payload = m.types.named_struct("struct.Payload", &[float, i32]);
    let ptr = m.types.ptr(payload);
    let ty = m.types.function(void, &[ptr, i32, float]);
    let main = m.add_function("\u{1}?Main@@YAXXZ", ty);
    let no_alias = m.attrs.group(1, &[Attr::Flag(AttrKind::NoAlias), Attr::Flag(AttrKind::NoCapture)]);
    let denorm = Attr::Text("fp32-denorm-mode".into(), Some("any".into()));
    let own = m.attrs.group(FUNCTION_INDEX, &[Attr::Flag(AttrKind::NoUnwind), denorm]);
    m.funcs[main].attrs = m.attrs.list(&[no_alias, own]).into();
    let tile_ty = m.types.array(i32, 64);
    let tile = m.add_global("tile", tile_ty, false);
    m.set_space(tile, 3);
    m.globals[tile].align = 4;

    let vec3 = m.types.vector(float, 3);
    let nonuniform = m.meta.kind("dx.nonuniform");
    let one_node = {
        let one = m.meta_i32(1);
        m.meta.node(&[Some(one)])
    };
    let (zero, one, two) = (m.i32(0), m.i32(1), m.i32(2));
    let half_ty = m.types.half();
    let mut b = m.define(main);
    b.set_name(Value::Arg(0), "p");
    let (n, x) = (Value::Arg(1), Value::Arg(2));
    let [then, other, join, done] = [(); 4].map(|()| b.new_block());
    let cond = b.cmp(CmpPred::IUlt, n, two, 0);
    b.cond_br(cond, then, other);

    b.switch_to(then);
    b.set_name(Value::Block(then), "then");
    let sum = b.binary(BinOp::Add, n, one, flags::NUW | flags::NSW);
    let shifted = b.binary(BinOp::LShr, sum, one, flags::EXACT);
    b.br(join);

    b.switch_to(other);
    let y = b.binary(BinOp::SDiv, x, x, flags::FAST);
    let ge = b.cmp(CmpPred::OGe, y, x, flags::FAST);
    let z = b.select(ge, y, x);
    let wide = b.cast(CastOp::FpToSi, z, i32);
    b.br(join);

    b.switch_to(join);
    let phi = b.phi(i32, &[(shifted, then)]);
    let slot = b.alloca(payload, 8);
    let field = b.gep(true, slot, &[zero, one]);
    b.store(Value::Inst(phi), field, 4);
    let got = b.load(field, 4);
    let cell = b.gep(false, Value::Global(tile), &[zero, got]);
    if let Value::Inst(inst) = cell {
        b.body().attach(inst, nonuniform, one_node);
    }
    b.atomic_rmw(RmwOp::UMax, cell, got, Ordering::SeqCst);
    let pair = b.cmpxchg(cell, zero, got, Ordering::Monotonic);
    b.extract_value(pair, 1);
    let none = b.module.undef(payload);
    let with = b.insert_value(none, x, 0);
    b.extract_value(with, 0);
    let zeros = b.module.null(vec3);
    let one_set = b.insert_element(zeros, x, one);
    let mask_ty = b.module.types.vector(i32, 2);
    let mask = b.module.aggregate(mask_ty, &[two, zero]);
    let swizzled = b.shuffle_vector(one_set, zeros, mask);
    b.extract_element(swizzled, zero);
    let small = b.cast(CastOp::FpTrunc, x, half_ty);
    b.binary(BinOp::Mul, small, small, 0);
    b.fence(Ordering::AcqRel);
    let tail = b.call_with(main, &[slot, got, x], Attrs::default(), Tail::Tail);
    assert!(matches!(tail, Value::Inst(_)));
    b.switch(got, done, &[(zero, then), (two, other)]);
    b.body().add_incoming(phi, wide, other);

    b.switch_to(done);
    b.ret(None);

    let back = round_trip(&m);
    let text = dis::module_text(&back);
    has_lines(
        &text,
        &[
            "%struct.Payload = type { float, i32 }",
            "@tile = external addrspace(3) global [64 x i32], align 4",
            "; Function Attrs: nounwind",
            "define void @\"\\01?Main@@YAXXZ\"(%struct.Payload* noalias nocapture %p, i32, float) #0 {",
            "  %3 = icmp ult i32 %0, 2",
            "  br i1 %3, label %then, label %6",
            "  %4 = add nuw nsw i32 %0, 1",
            "  %5 = lshr exact i32 %4, 1",
            "  %7 = fdiv fast float %1, %1",
            "  %8 = fcmp fast oge float %7, %1",
            "  %9 = select i1 %8, float %7, float %1",
            "  %10 = fptosi float %9 to i32",
            "  %12 = phi i32 [ %5, %then ], [ %10, %6 ]",
            "  %13 = alloca %struct.Payload, align 8",
            "  %14 = getelementptr inbounds %struct.Payload, %struct.Payload* %13, i32 0, i32 1",
            "  store i32 %12, i32* %14, align 4",
            "  %15 = load i32, i32* %14, align 4",
            "  %16 = getelementptr [64 x i32], [64 x i32] addrspace(3)* @tile, i32 0, i32 %15, !dx.nonuniform !0",
            "  %17 = atomicrmw umax i32 addrspace(3)* %16, i32 %15 seq_cst",
            "  %18 = cmpxchg i32 addrspace(3)* %16, i32 0, i32 %15 monotonic monotonic",
            "  %19 = extractvalue { i32, i1 } %18, 1",
            "  %20 = insertvalue %struct.Payload undef, float %1, 0",
            "  %22 = insertelement <3 x float> zeroinitializer, float %1, i32 1",
            "  %23 = shufflevector <3 x float> %22, <3 x float> zeroinitializer, <2 x i32> <i32 2, i32 0>",
            "  %26 = fmul half %25, %25",
            "  fence acq_rel",
            "  tail call void @\"\\01?Main@@YAXXZ\"(%struct.Payload* %13, i32 %15, float %1)",
            "  switch i32 %15, label %27 [",
            "    i32 0, label %then",
            "attributes #0 = { nounwind \"fp32-denorm-mode\"=\"any\" }",
            "!0 = !{i32 1}",
        ],
    );
}

#[test]
fn every_constant() {
    let mut m = Module::new();
    let (i8, i32, i64) = (m.types.i8(), m.types.i32(), m.types.i64());
    let (float, double, half) = (m.types.float(), m.types.double(), m.types.half());
    let inner = m.types.named_struct("inner", &[i32, float]);
    let bytes = m.consts.bytes(&mut m.types, b"root\0sig\0");
    let bytes_ty = m.consts[bytes].ty;
    let text = m.add_global("text", bytes_ty, true);
    m.globals[text].init = Some(Value::Const(bytes));
    m.globals[text].linkage = rtc_dxil_module::Linkage::Internal;
    let zero = m.i32(0);
    let element =
        m.consts.intern(m.types.find_named("inner").map(|_| m.globals[text].ptr_ty).expect("a type"), rtc_dxil_module::ConstKind::Null);
    let i8_ptr = m.types.ptr(i8);
    let address = m.consts.intern(
        i8_ptr,
        rtc_dxil_module::ConstKind::Gep { inbounds: true, source: bytes_ty, operands: [Value::Global(text), zero, zero].into() },
    );
    let tenth = m.f32(0.1);
    let minus = m.i32(-5);
    let pair = m.aggregate(inner, &[minus, tenth]);
    let none = m.null(inner);
    let pairs_ty = m.types.array(inner, 2);
    let pairs = m.aggregate(pairs_ty, &[pair, none]);
    let large = m.const_int(64, i64::MIN);
    let nan = m.f64(f64::NAN);
    let h = m.f16_bits(0x3C00);
    let yes = m.i1(true);
    let any = m.undef(double);
    let cast = m.const_cast(CastOp::PtrToInt, Value::Const(address), i64);
    let all = [Value::Const(element), Value::Const(address), pairs, large, nan, h, yes, any, cast];
    let nodes: Vec<_> = all.iter().map(|&v| Some(m.meta.value(v))).collect();
    let name = m.meta.string("a \"quoted\" \\ text\u{e9}");
    let mut elems = nodes.clone();
    elems.extend([None, Some(name)]);
    let node = m.meta.node(&elems);
    let own = m.meta.distinct(&[]);
    m.meta.set_elems(own, &[Some(own), Some(node)]);
    m.meta.add_named("all", own);
    assert!([half, float, i64].iter().all(|&t| m.types.len() > t.as_u32() as usize));
    let back = round_trip(&m);
    has_lines(
        &dis::module_text(&back),
        &[
            "@text = internal constant [9 x i8] c\"root\\00sig\\00\"",
            "!0 = distinct !{!0, !1}",
            "!1 = !{[9 x i8]* null, i8* getelementptr inbounds ([9 x i8], [9 x i8]* @text, i32 0, i32 0), \
             [2 x %inner] [%inner { i32 -5, float 0x3FB99999A0000000 }, %inner zeroinitializer], \
             i64 -9223372036854775808, double 0x7FF8000000000000, half 0xH3C00, i1 true, double undef, \
             i64 ptrtoint (i8* getelementptr inbounds ([9 x i8], [9 x i8]* @text, i32 0, i32 0) to i64), \
             null, !\"a \\22quoted\\22 \\5C text\\C3\\A9\"}",
        ],
    );
}

#[test]
fn a_structure_may_point_to_itself() {
    let mut m = Module::new();
    let list = m.types.named("list");
    let next = m.types.ptr(list);
    let i32 = m.types.i32();
    m.types.named_struct("list", &[i32, next]);
    let opaque = m.types.named("opaque");
    let opaque = m.types.ptr(opaque);
    m.add_global("head", list, false);
    m.add_global("hidden", opaque, false);
    has_lines(&dis::module_text(&round_trip(&m)), &["%list = type { i32, %list* }", "%opaque = type opaque"]);
}

#[test]
fn what_nothing_uses_is_not_written() {
    let mut m = Module::new();
    let empty = bitcode::write(&m);
    let i64 = m.types.i64();
    m.types.array(i64, 1000);
    m.meta.string("a long text that no node refers to");
    m.f32(1.0);
    assert_eq!(bitcode::write(&m), empty);
}

#[test]
fn source_positions() {
    let mut m = Module::new();
    let file_name = m.meta.string("a.hlsl");
    let reference = |meta: rtc_dxil_module::Meta| u64::from(meta.as_u32()) + 1;
    let file = m.meta.push(MetaNode::Debug { code: 16, fields: [0, reference(file_name), 0].into() });
    let scope = m.meta.push(MetaNode::Debug { code: 22, fields: [1, reference(file), reference(file), 3, 9].into() });
    let void = m.types.void();
    let ty = m.types.function(void, &[]);
    let func = m.add_function("main", ty);
    let mut b = m.define(func);
    b.set_loc(Some(DebugLoc { line: 4, column: 2, scope: Some(scope), inlined_at: None }));
    b.dx_call(op::IGNORE_HIT, &[], &[]);
    b.unreachable();
    has_lines(
        &dis::module_text(&round_trip(&m)),
        &[
            "  call void @dx.op.ignoreHit(i32 155), !dbg !0 ; line:4 col:2  ; IgnoreHit()",
            "  unreachable, !dbg !0 ; line:4 col:2",
            "!0 = !DILocation(line: 4, column: 2, scope: !1)",
            "!1 = distinct !DILexicalBlock(scope: !2, file: !2, line: 3, column: 9)",
            "!2 = !DIFile(filename: \"a.hlsl\", directory: \"\")",
        ],
    );
}

#[test]
fn operations_that_do_not_exist_are_refused() {
    let mut m = Module::new();
    let (float, i64) = (m.types.float(), m.types.i64());
    assert!(m.dx_op(op::SIN, &[float]).is_ok());
    let error = m.dx_op(op::SIN, &[i64]).expect_err("no sine of integers");
    assert_eq!(error.to_string(), "DXIL operation Sin has no overload `dx.op.unary.i64`");
    assert!(m.dx_op(op::SIN, &[]).is_err());
    assert!(m.dx_op(op::IGNORE_HIT, &[float]).is_err());
    assert_eq!(m.funcs.len(), 1, "nothing was declared for those");
}

/// The overload types of a declaration, by the name of its function in another module.
fn overload(from: &Module, to: &mut Module, suffix: &str) -> Vec<Type> {
    if suffix.is_empty() {
        return Vec::new();
    }
    let scalar = |to: &mut Module, name: &str| match name {
        "f16" => Some(to.types.half()),
        "f32" => Some(to.types.float()),
        "f64" => Some(to.types.double()),
        _ => name.strip_prefix('i').and_then(|n| n.parse().ok()).map(|bits| to.types.int(bits)),
    };
    if let Some(ty) = scalar(to, suffix) {
        return vec![ty];
    }
    if let Some((len, elem)) = suffix.strip_prefix('v').and_then(|s| s.split_once(['f', 'i'])) {
        let at = suffix.len() - elem.len() - 1;
        if let (Ok(len), Some(elem)) = (len.parse(), scalar(to, &suffix[at..])) {
            return vec![to.types.vector(elem, len)];
        }
    }
    let ty = from.types.find_named(suffix).unwrap_or_else(|| panic!("no type {suffix}"));
    vec![copy_type(from, to, ty)]
}

fn copy_type(from: &Module, to: &mut Module, ty: Type) -> Type {
    let mut copy = |ty: Type| copy_type(from, to, ty);
    match from.types[ty].clone() {
        TypeKind::Pointer { pointee, space } => {
            let pointee = copy(pointee);
            to.types.ptr_in(pointee, space)
        }
        TypeKind::Array { elem, len } => {
            let elem = copy(elem);
            to.types.array(elem, len)
        }
        TypeKind::Vector { elem, len } => {
            let elem = copy(elem);
            to.types.vector(elem, len)
        }
        TypeKind::Named { name: Some(name), body } => {
            let fields = body.expect("fields").types;
            let fields: Vec<Type> = fields.iter().map(|&f| copy(f)).collect();
            to.types.named_struct(&name, &fields)
        }
        kind => to.types.intern(kind),
    }
}

/// The lines of one declaration in a listing.
fn declaration(text: &str, name: &str) -> String {
    let quoted = format!("@\"{name}\"(");
    let plain = format!("@{name}(");
    let lines: Vec<&str> = text.lines().collect();
    let at = lines
        .iter()
        .position(|l| l.starts_with("declare") && (l.contains(&plain) || l.contains(&quoted)))
        .unwrap_or_else(|| panic!("no declaration of {name}"));
    let line = lines[at].rsplit_once(" #").map_or(lines[at], |(line, _)| line);
    format!("{}\n{line}", lines[at - 1])
}

#[test]
fn declarations_are_those_of_the_reference_compiler() {
    let mut compared = 0;
    for (name, container) in common::containers() {
        let bytes = common::bitcode(&container, b"DXIL").expect("a module");
        let theirs = bitcode::read(bytes).expect("a module");
        let mut ours = Module::new();
        for function in theirs.funcs.values() {
            let Some(body) = &function.body else { continue };
            for inst in body.insts.values() {
                let Op::Call { callee: Value::Func(callee), args, .. } = inst.op else {
                    continue;
                };
                let callee = &theirs.funcs[callee].name;
                if !callee.starts_with("dx.op.") {
                    continue;
                }
                let Value::Const(opcode) = body.values(args)[0] else { panic!("{callee}") };
                let rtc_dxil_module::ConstKind::Int(opcode) = theirs.consts[opcode].kind else {
                    panic!("{callee}");
                };
                let op = DxOp::from_u32(opcode as u32).expect("an opcode").row();
                let suffix = &callee["dx.op.".len() + op.function.len()..];
                let dims = if op.is_plain() { "" } else { &suffix[1..] };
                let dims = overload(&theirs, &mut ours, dims);
                let func = ours.dx_op(op.opcode, &dims).unwrap_or_else(|e| panic!("{e}"));
                assert_eq!(ours.funcs[func].name, *callee, "{name}");
            }
        }
        let (ours_text, theirs_text) = (dis::module_text(&ours), dis::module_text(&theirs));
        for function in ours.funcs.values() {
            let pair = [&ours_text, &theirs_text].map(|text| declaration(text, &function.name));
            assert_eq!(pair[0], pair[1], "{name}");
            compared += 1;
        }
        // Types too: those of the operations are declared the same.
        for line in ours_text.lines().filter(|l| l.starts_with("%dx.types.")) {
            assert!(theirs_text.lines().any(|l| l == line), "{name}: `{line}`");
        }
    }
    assert!(compared > 200, "only {compared} declarations compared");
}
