//! Payload structures and their access qualifiers: where each is allowed, and in which order stages read and write.

// CASE payload_qualifier_missing -T lib_6_7
struct [raypayload] P { float a; };
//                            ^ E0606 `a` of the payload `P` has no access qualifiers
// = note: every field of a payload requires `read(…)` and `write(…)`; `rtc paq` infers them
// = note: fix: insert ` : read(caller, anyhit, closesthit, miss) : write(caller, anyhit, closesthit, miss)`
[shader("miss")] void Main(inout P p) { }
// CASE payload_attribute_missing -T lib_6_7
struct P { float a; };
[shader("miss")] void Main(inout P p) { }
//                         ^^^^^^^^^ E0706 `P` is used as a payload but not declared `[raypayload]`
// = 1:8: note: declared here
// = note: from shader model 6.7 on payloads need it, unless -disable-payload-qualifiers is given
// = note: fix: replace `P` with `[raypayload] P`
// CASE payload_qualifier_unknown_stage -T lib_6_7
struct [raypayload] P { float a : read(caller, miss) : write(everyone); };
//                                                           ^^^^^^^^ E0702 unknown stage `everyone` in a payload access qualifier
// = here: one of caller, anyhit, closesthit, miss
[shader("miss")] void Main(inout P p) { }
// CASE payload_qualifier_twice -T lib_6_7
struct [raypayload] P { float a : read(caller) : read(miss) : write(caller); };
//                                               ^^^^^^^^^^ E0703 duplicate qualifier `read`
// = 1:35: note: first used here
// = note: each field has one `read` and one `write`, which list all stages
[shader("miss")] void Main(inout P p) { }
// CASE payload_qualifier_without_effect -T lib_6_5
struct [raypayload] P { float a : read(caller) : write(miss); };
//                  ^ W0601 the access qualifiers of `P` have no effect
// = note: they come with shader model 6.6
[shader("miss")] void Main(inout P p) { p.a = 1; }
// CASE stage_reads_what_nobody_wrote -T lib_6_7
struct [raypayload] P { float a : read(miss) : write(); };
//                                     ^^^^ E0700 `a` is read in `miss`, but no stage before writes it
// = 1:48: note: could be written by caller, anyhit
// = note: DXR, payload access qualifiers, rule 1: a stage that reads comes after one that writes
// = note: fix: replace `write()` with `write(caller)`
[shader("miss")] void Main(inout P p) { }
// CASE miss_reads_what_closesthit_wrote -T lib_6_7 errors=2
struct [raypayload] P { float a : write(closesthit) : read(miss); };
//                                                         ^^^^ E0700 `a` is read in `miss`, but no stage before writes it
// = 1:35: note: could be written by caller, anyhit
// = note: DXR, payload access qualifiers, rule 1: a stage that reads comes after one that writes
// = note: fix: replace `write(closesthit)` with `write(caller, closesthit)`
//                                      ^^^^^^^^^^ E0701 `a` is written in `closesthit`, but no stage after reads it
// = 1:55: note: could be read by caller
// = note: DXR, payload access qualifiers, rule 2: a stage that writes comes before one that reads
// = note: fix: replace `read(miss)` with `read(caller, miss)`
[shader("miss")] void Main(inout P p) { }
// CASE two_stages_read_what_nobody_wrote -T lib_6_7
struct [raypayload] P { float a : read(anyhit, closesthit, caller) : write(miss); };
//                                     ^^^^^^ E0700 `a` is read in `anyhit` and `closesthit`, but no stage before writes it
// = 1:48: note: here too
// = 1:70: note: could be written by caller, anyhit
// = note: DXR, payload access qualifiers, rule 1: a stage that reads comes after one that writes
// = note: fix: replace `write(miss)` with `write(caller, miss)`
[shader("miss")] void Main(inout P p) { }
// CASE caller_reads_what_nobody_wrote -T lib_6_7
struct [raypayload] P { float a : read(caller) : write(); };
//                                     ^^^^^^ E0700 `a` is read in `caller`, but no stage before writes it
// = 1:50: note: could be written by caller, anyhit, closesthit, miss
// = note: DXR, payload access qualifiers, rule 1: a stage that reads comes after one that writes
// = note: fix: replace `write()` with `write(closesthit, miss)`
[shader("miss")] void Main(inout P p) { }
// CASE stage_writes_what_nobody_reads -T lib_6_7
struct [raypayload] P { float a : read() : write(caller); };
//                                               ^^^^^^ E0701 `a` is written in `caller`, but no stage after reads it
// = 1:35: note: could be read by caller, anyhit, closesthit, miss
// = note: DXR, payload access qualifiers, rule 2: a stage that writes comes before one that reads
// = note: fix: replace `read()` with `read(closesthit, miss)`
[shader("miss")] void Main(inout P p) { }
// CASE closesthit_writes_after_all_reads -T lib_6_7
struct [raypayload] P { float a : read(anyhit) : write(caller, closesthit); };
//                                                             ^^^^^^^^^^ E0701 `a` is written in `closesthit`, but no stage after reads it
// = 1:35: note: could be read by caller
// = note: DXR, payload access qualifiers, rule 2: a stage that writes comes before one that reads
// = note: fix: replace `read(anyhit)` with `read(caller, anyhit)`
[shader("miss")] void Main(inout P p) { }
// CASE stage_in_capitals -T lib_6_7 errors=2
struct [raypayload] P { float a : read(Caller) : write(ClosestHit); };
//                                     ^^^^^^ E0702 unknown stage `Caller` in a payload access qualifier
// = here: one of caller, anyhit, closesthit, miss
// = note: fix: replace `Caller` with `caller`
//                                                     ^^^^^^^^^^ E0702 unknown stage `ClosestHit` in a payload access qualifier
// = here: one of caller, anyhit, closesthit, miss
// = note: fix: replace `ClosestHit` with `closesthit`
[shader("miss")] void Main(inout P p) { }
// CASE qualifier_twice_with_another_list -T lib_6_7
struct [raypayload] P { float a : write(caller) : read(caller) : write(miss); };
//                                                               ^^^^^^^^^^^ E0703 duplicate qualifier `write`
// = 1:35: note: first used here
// = note: each field has one `read` and one `write`, which list all stages
[shader("miss")] void Main(inout P p) { }
// CASE stage_twice -T lib_6_7
struct [raypayload] P { float a : read(caller, caller) : write(miss); };
//                                             ^^^^^^ W0700 duplicate stage `caller`
// = 1:40: note: first used here
[shader("miss")] void Main(inout P p) { p.a = 1; }
// CASE stage_twice_and_nobody_reads -T lib_6_7
struct [raypayload] P { float a : read() : write(miss, miss); };
//                                                     ^^^^ W0700 duplicate stage `miss`
// = 1:50: note: first used here
//                                               ^^^^ E0701 `a` is written in `miss`, but no stage after reads it
// = 1:35: note: could be read by caller
// = note: DXR, payload access qualifiers, rule 2: a stage that writes comes before one that reads
// = note: fix: replace `read()` with `read(caller)`
[shader("miss")] void Main(inout P p) { }
// CASE only_read -T lib_6_7
struct [raypayload] P { float a : read(caller); };
//                            ^ E0606 `a` has no `write` qualifier
// = note: DXR, payload access qualifiers: each field has one `read` and one `write`; their lists may be empty
// = note: fix: replace `read(caller)` with `read(caller) : write(closesthit, miss)`
[shader("miss")] void Main(inout P p) { }
// CASE only_write -T lib_6_7
struct [raypayload] P { float a : write(caller, anyhit); };
//                            ^ W0704 `a` has no `read` qualifier: no stage reads it
// = note: DXR, payload access qualifiers: each field has one `read` and one `write`; their lists may be empty
// = note: fix: replace `write(caller, anyhit)` with `read(caller) : write(caller, anyhit)`
[shader("miss")] void Main(inout P p) { }
// CASE only_an_empty_list -T lib_6_7
struct [raypayload] P { float a : read(); };
//                            ^ W0704 `a` has no `write` qualifier: no stage reads or writes it
// = note: DXR, payload access qualifiers: each field has one `read` and one `write`; their lists may be empty
// = note: fix: replace `read()` with `read() : write()`
[shader("miss")] void Main(inout P p) { }
// CASE bit_field_without_qualifiers -T lib_6_7
struct [raypayload] P { uint a : 4; };
//                           ^ E0606 `a` of the payload `P` has no access qualifiers
// = note: every field of a payload requires `read(…)` and `write(…)`; `rtc paq` infers them
// = note: fix: insert ` : read(caller, anyhit, closesthit, miss) : write(caller, anyhit, closesthit, miss)`
[shader("miss")] void Main(inout P p) { }
// CASE second_declarator_without_qualifiers -T lib_6_7
struct [raypayload] P { float a : read(caller) : write(miss), b; };
//                                                            ^ E0606 `b` of the payload `P` has no access qualifiers
// = note: every field of a payload requires `read(…)` and `write(…)`; `rtc paq` infers them
// = note: fix: insert ` : read(caller, anyhit, closesthit, miss) : write(caller, anyhit, closesthit, miss)`
[shader("miss")] void Main(inout P p) { }
// CASE qualifiers_in_a_macro -T lib_6_7
#define OUT : write(miss)
struct [raypayload] P { float a OUT; };
//                            ^ W0704 `a` has no `read` qualifier: no stage reads it
// = note: DXR, payload access qualifiers: each field has one `read` and one `write`; their lists may be empty
[shader("miss")] void Main(inout P p) { }
//                    ^^^^ W0716 `a` is undefined when `Main` ends: it is never written
// = note: write it, or remove miss from its writers
// = note: `a` is `write(miss) : read()`: each miss shader overwrites it, whether it assigns a value or not
// = note: rule: DXR, payload access qualifiers, detailed semantics
// CASE qualifiers_in_a_plain_structure -T lib_6_7
struct Q { float a : read(caller) : write(miss); };
//               ^ W0703 `a` has payload access qualifiers, but `Q` is not declared `[raypayload]`
// = note: the qualifiers have no effect
// = note: fix: replace `Q` with `[raypayload] Q`
// CASE qualifiers_on_a_parameter -T lib_6_7
void f(float a : read(caller)) { }
//               ^^^^^^^^^^^^ E0704 payload access qualifiers are only allowed on members of payload structures, not on parameters and results
// CASE qualifiers_on_a_function -T lib_6_7
float f() : read(caller) { return 1; }
//          ^^^^^^^^^^^^ E0704 payload access qualifiers are only allowed on members of payload structures, not on parameters and results
// CASE qualifiers_on_a_global -T lib_6_7
float g : write(caller);
//        ^^^^^^^^^^^^^ E0704 payload access qualifiers are only allowed on members of payload structures, not on global variables and constant buffers
// CASE qualifiers_in_a_cbuffer -T lib_6_7
cbuffer C { float g : write(caller); }
//                    ^^^^^^^^^^^^^ E0704 payload access qualifiers are only allowed on members of payload structures, not on global variables and constant buffers
// CASE qualifiers_on_a_static_member -T lib_6_7
struct [raypayload] P { float a : read(caller) : write(miss); static const float b : read(caller) = 1; };
//                                                                                   ^^^^^^^^^^^^ E0704 payload access qualifiers are only allowed on members of payload structures, not on a static variable
// CASE qualifiers_on_a_local -T lib_6_7
void f() { float a : read(caller) = 1; }
//                   ^^^^^^^^^^^^ E0704 payload access qualifiers are only allowed on members of payload structures, not on a local variable
// CASE qualifiers_on_a_nested_payload -T lib_6_7
struct [raypayload] Inner { float a : read(caller) : write(miss); };
struct [raypayload] P { Inner i : read(caller) : write(miss); };
//                            ^ E0705 `i` cannot have qualifiers: the fields of `Inner` have their own
// = 1:21: note: `Inner` is a payload itself
// = note: DXR, payload access qualifiers
[shader("miss")] void Main(inout P p) { }
// CASE qualifiers_on_a_nested_payload_in_a_template -T lib_6_7
struct [raypayload] Inner { float a : read(caller) : write(miss); };
template<typename T> struct [raypayload] P { T v : read(caller) : write(miss); };
//                                             ^ E0705 `v` cannot have qualifiers: the fields of `Inner` have their own
// = 1:21: note: `Inner` is a payload itself
// = 3:34: note: in `P<Inner>`, needed here
// = note: DXR, payload access qualifiers
[shader("miss")] void Main(inout P<Inner> p) { }
// CASE qualifiers_on_an_array_of_payloads -T lib_6_7
struct [raypayload] Inner { float a : read(caller) : write(miss); };
struct [raypayload] P { Inner i[2] : read(caller) : write(miss); };
//                            ^ W0701 the qualifiers of `i` apply to all of it; those inside of `Inner` have no effect
// = 1:21: note: `Inner` has qualifiers
[shader("miss")] void Main(inout P p) { p.i[0].a = 1; p.i[1].a = 2; }
// CASE fields_without_qualifiers_of_structures_inside -T lib_6_7 errors=2
struct [raypayload] Unused { float a; };
struct [raypayload] Inner { float b; };
//                                ^ E0606 `b` of the payload `Inner` has no access qualifiers
// = note: every field of a payload requires `read(…)` and `write(…)`; `rtc paq` infers them
// = note: fix: insert ` : read(caller, anyhit, closesthit, miss) : write(caller, anyhit, closesthit, miss)`
struct [raypayload] Base { float c; };
//                               ^ E0606 `c` of the payload `Base` has no access qualifiers
// = note: every field of a payload requires `read(…)` and `write(…)`; `rtc paq` infers them
// = note: fix: insert ` : read(caller, anyhit, closesthit, miss) : write(caller, anyhit, closesthit, miss)`
struct [raypayload] P : Base { Inner i[2]; };
RaytracingAccelerationStructure S;
[shader("raygeneration")] void Main() { RayDesc r = (RayDesc)0; P p = (P)0; TraceRay(S, 0, 1, 0, 0, 0, r, p); }
// CASE payload_inside_of_a_qualified_member -T lib_6_7
struct [raypayload] Inner { float a : read(caller) : write(miss); };
struct Mid { Inner i; };
struct [raypayload] P { Mid m : read(caller) : write(miss); };
//                          ^ W0701 the qualifiers of `m` apply to all of it; those inside of `Inner` have no effect
// = 1:21: note: `Inner` has qualifiers
[shader("miss")] void Main(inout P p) { p.m.i.a = 1; }
// CASE field_of_an_instance_without_qualifiers -T lib_6_7
template<typename T> struct [raypayload] P { T a : read(caller) : write(miss); T b; };
//                                                                               ^ E0606 `b` of the payload `P<float>` has no access qualifiers
// = 2:34: note: in `P<float>`, needed here
// = note: every field of a payload requires `read(…)` and `write(…)`; `rtc paq` infers them
// = note: fix: insert ` : read(caller, anyhit, closesthit, miss) : write(caller, anyhit, closesthit, miss)`
[shader("miss")] void Main(inout P<float> p) { }
// CASE plain_base_of_a_payload -T lib_6_7
struct Base { float a; };
struct [raypayload] P : Base { float b : read(caller) : write(miss); };
//                      ^^^^ E0707 the payload `P` inherits from `Base`, which is not declared `[raypayload]`
// = 1:8: note: declared here
// = note: every field of a payload requires access qualifiers, inherited ones too
// = note: fix: replace `Base` with `[raypayload] Base`
[shader("miss")] void Main(inout P p) { }
// CASE plain_heir_of_a_payload -T lib_6_7
struct [raypayload] Base { float a : read(caller) : write(miss); };
struct P : Base { float b; };
[shader("miss")] void Main(inout P p) { }
//                         ^^^^^^^^^ E0706 `P` is used as a payload but not declared `[raypayload]`
// = 2:8: note: declared here
// = note: from shader model 6.7 on payloads need it, unless -disable-payload-qualifiers is given
// = note: fix: replace `P` with `[raypayload] P`
// CASE attribute_missing_where_asked_for -T lib_6_6 -enable-payload-qualifiers
struct P { float a; };
[shader("miss")] void Main(inout P p) { }
//                         ^^^^^^^^^ E0706 `P` is used as a payload but not declared `[raypayload]`
// = 1:8: note: declared here
// = note: with -enable-payload-qualifiers payloads need it
// = note: fix: replace `P` with `[raypayload] P`
// CASE attribute_missing_in_a_trace -T lib_6_7
struct P { float a; };
RaytracingAccelerationStructure Scene;
[shader("raygeneration")] void Main() { P p; p.a = 1; RayDesc r = (RayDesc)0; TraceRay(Scene, 0, 255, 0, 0, 0, r, p); }
//                                                                                                                ^ E0706 `P` is used as a payload but not declared `[raypayload]`
// = 1:8: note: declared here
// = note: from shader model 6.7 on payloads need it, unless -disable-payload-qualifiers is given
// = note: fix: replace `P` with `[raypayload] P`
// CASE empty_payload -T lib_6_3
struct P { };
[shader("miss")] void Main(inout P p) { }
//                         ^^^^^^^^^ E0708 the payload `P` has no members
// = 1:8: note: declared here
// = note: DXR, ray payload structure: a payload has at least one member
// CASE empty_payload_in_a_trace -T lib_6_7
struct [raypayload] P { };
RaytracingAccelerationStructure Scene;
[shader("raygeneration")] void Main() { P p; RayDesc r = (RayDesc)0; TraceRay(Scene, 0, 255, 0, 0, 0, r, p); }
//                                                                                                       ^ E0708 the payload `P` has no members
// = 1:21: note: declared here
// = note: DXR, ray payload structure: a payload has at least one member
// CASE payload_of_an_empty_structure -T lib_6_7
struct E { };
struct [raypayload] P { E e : read(caller) : write(miss); };
[shader("miss")] void Main(inout P p) { }
//                         ^^^^^^^^^ E0708 the payload `P` has no members
// = 2:21: note: declared here
// = note: DXR, ray payload structure: a payload has at least one member
// CASE word_that_is_no_qualifier -T lib_6_7
struct [raypayload] P { float a : wirte(caller) : read(caller); };
//                                ^^^^^ E0709 expected `read(…)` or `write(…)`, found `wirte(…)`
// = note: fix: replace `wirte` with `write`
[shader("miss")] void Main(inout P p) { }
// CASE qualifier_in_capitals -T lib_6_7 errors=2
struct [raypayload] P { float a : Read(caller) : WRITE(caller); };
//                                ^^^^ E0709 expected `read(…)` or `write(…)`, found `Read(…)`
// = note: fix: replace `Read` with `read`
//                                               ^^^^^ E0709 expected `read(…)` or `write(…)`, found `WRITE(…)`
// = note: fix: replace `WRITE` with `write`
// CASE word_like_nothing -T lib_6_7
struct [raypayload] P { float a : qualifier1(caller) : read(caller); };
//                                ^^^^^^^^^^ E0709 expected `read(…)` or `write(…)`, found `qualifier1(…)`
[shader("miss")] void Main(inout P p) { }
// CASE texture_in_a_payload -T lib_6_7
struct [raypayload] P { Texture2D<float4> t : read(caller) : write(caller); };
//                                        ^ E0710 `t` of the payload `P` contains an object, `Texture2D<float4>`
// = note: DXR, ray payload structure: a payload consists of numbers; it cannot contain resources, hit objects or ray queries
[shader("miss")] void Main(inout P p) { }
// CASE hit_object_in_a_payload -T lib_6_9
struct S { dx::HitObject h; };
struct [raypayload] P { S s : read(caller) : write(caller); };
//                        ^ E0710 `s` of the payload `P` contains an object, `S`
// = note: DXR, ray payload structure: a payload consists of numbers; it cannot contain resources, hit objects or ray queries
[shader("miss")] void Main(inout P p) { }
// CASE hit_object_in_a_nested_payload -T lib_6_9
struct [raypayload] Inner { dx::HitObject h : read(caller) : write(caller); };
//                                        ^ E0710 `h` of the payload `Inner` contains an object, `dx::HitObject`
// = note: DXR, ray payload structure: a payload consists of numbers; it cannot contain resources, hit objects or ray queries
struct [raypayload] P { Inner i[3]; };
[shader("miss")] void Main(inout P p) { }
// CASE attribute_with_arguments -T lib_6_7
struct [raypayload(4)] P { float a : read(caller) : write(miss); };
//      ^^^^^^^^^^^^^ E0711 `[raypayload]` takes no arguments
// = note: DXR, payload access qualifiers
[shader("miss")] void Main(inout P p) { }
// CASE attribute_after_the_definition -T lib_6_7
struct P { float a; };
struct [raypayload] P;
//      ^^^^^^^^^^ E0711 `[raypayload]` comes after the definition of the structure, where it belongs
// = note: DXR, payload access qualifiers
// CASE attribute_without_effect_in_6_6 -T lib_6_6
struct [raypayload] P { float a : read(caller) : write(miss); };
//                  ^ W0601 the access qualifiers of `P` have no effect
// = note: in shader model 6.6 -enable-payload-qualifiers turns them on
[shader("miss")] void Main(inout P p) { }
// CASE recursive_payload -T lib_6_7
struct [raypayload] P { P p; };
//                        ^ E0307 incomplete type `P`
// CASE recursive_payload_in_an_array -T lib_6_7
struct [raypayload] P { P p[2]; };
//                        ^ E0307 incomplete type `P[2]`
// CASE sixty_five_levels_of_payloads -T lib_6_7
struct [raypayload] A0 { float x : read(caller) : write(miss); };
struct [raypayload] A1 { A0 a; };
struct [raypayload] A2 { A1 a; };
struct [raypayload] A3 { A2 a; };
struct [raypayload] A4 { A3 a; };
struct [raypayload] A5 { A4 a; };
struct [raypayload] A6 { A5 a; };
struct [raypayload] A7 { A6 a; };
struct [raypayload] A8 { A7 a; };
struct [raypayload] A9 { A8 a; };
struct [raypayload] A10 { A9 a; };
struct [raypayload] A11 { A10 a; };
struct [raypayload] A12 { A11 a; };
struct [raypayload] A13 { A12 a; };
struct [raypayload] A14 { A13 a; };
struct [raypayload] A15 { A14 a; };
struct [raypayload] A16 { A15 a; };
struct [raypayload] A17 { A16 a; };
struct [raypayload] A18 { A17 a; };
struct [raypayload] A19 { A18 a; };
struct [raypayload] A20 { A19 a; };
struct [raypayload] A21 { A20 a; };
struct [raypayload] A22 { A21 a; };
struct [raypayload] A23 { A22 a; };
struct [raypayload] A24 { A23 a; };
struct [raypayload] A25 { A24 a; };
struct [raypayload] A26 { A25 a; };
struct [raypayload] A27 { A26 a; };
struct [raypayload] A28 { A27 a; };
struct [raypayload] A29 { A28 a; };
struct [raypayload] A30 { A29 a; };
struct [raypayload] A31 { A30 a; };
struct [raypayload] A32 { A31 a; };
struct [raypayload] A33 { A32 a; };
struct [raypayload] A34 { A33 a; };
struct [raypayload] A35 { A34 a; };
struct [raypayload] A36 { A35 a; };
struct [raypayload] A37 { A36 a; };
struct [raypayload] A38 { A37 a; };
struct [raypayload] A39 { A38 a; };
struct [raypayload] A40 { A39 a; };
struct [raypayload] A41 { A40 a; };
struct [raypayload] A42 { A41 a; };
struct [raypayload] A43 { A42 a; };
struct [raypayload] A44 { A43 a; };
struct [raypayload] A45 { A44 a; };
struct [raypayload] A46 { A45 a; };
struct [raypayload] A47 { A46 a; };
struct [raypayload] A48 { A47 a; };
struct [raypayload] A49 { A48 a; };
struct [raypayload] A50 { A49 a; };
struct [raypayload] A51 { A50 a; };
struct [raypayload] A52 { A51 a; };
struct [raypayload] A53 { A52 a; };
struct [raypayload] A54 { A53 a; };
struct [raypayload] A55 { A54 a; };
struct [raypayload] A56 { A55 a; };
struct [raypayload] A57 { A56 a; };
struct [raypayload] A58 { A57 a; };
struct [raypayload] A59 { A58 a; };
struct [raypayload] A60 { A59 a; };
struct [raypayload] A61 { A60 a; };
struct [raypayload] A62 { A61 a; };
struct [raypayload] A63 { A62 a; };
struct [raypayload] A64 { A63 a; };
//                            ^ E0340 `A64` is too large with this member
// = note: structures nest up to 64 levels and have up to 65536 members, those inside counted
// CASE doubled_at_each_level -T lib_6_7
struct A0 { float x; };
struct A1 { A0 a, b; };
struct A2 { A1 a, b; };
struct A3 { A2 a, b; };
struct A4 { A3 a, b; };
struct A5 { A4 a, b; };
struct A6 { A5 a, b; };
struct A7 { A6 a, b; };
struct A8 { A7 a, b; };
struct A9 { A8 a, b; };
struct A10 { A9 a, b; };
struct A11 { A10 a, b; };
struct A12 { A11 a, b; };
struct A13 { A12 a, b; };
struct A14 { A13 a, b; };
struct A15 { A14 a, b; };
//                  ^ E0340 `A15` is too large with this member
// = note: structures nest up to 64 levels and have up to 65536 members, those inside counted
struct A16 { A15 a, b; };
struct A17 { A16 a, b; };
struct A18 { A17 a, b; };
struct A19 { A18 a, b; };
struct A20 { A19 a, b; };
struct A21 { A20 a, b; };
struct A22 { A21 a, b; };
struct A23 { A22 a, b; };
struct A24 { A23 a, b; };
struct A25 { A24 a, b; };
struct A26 { A25 a, b; };
struct A27 { A26 a, b; };
struct A28 { A27 a, b; };
struct A29 { A28 a, b; };
struct A30 { A29 a, b; };
struct A31 { A30 a, b; };
struct A32 { A31 a, b; };
struct A33 { A32 a, b; };
struct A34 { A33 a, b; };
struct A35 { A34 a, b; };
struct A36 { A35 a, b; };
struct A37 { A36 a, b; };
struct A38 { A37 a, b; };
struct A39 { A38 a, b; };
// CASE example_of_the_specification_as_printed -T lib_6_7 errors=3
struct Nested { float a, b, c; }
//                              ^ E0202 expected `;` after `}`
// = note: fix: insert `;`

struct [raypayload] MyPayload
{
    float4 irradiance : read(caller) : write(closesthit, miss);
    uint seed : read(anyhit,closesthit,miss) : write(caller);
    uint seed : read(anyhit,closesthit,miss,caller) : write(caller);
//       ^^^^ E0304 redeclaration of `seed` in the same scope
// = 6:10: note: previously declared here
    MyBasePayload base;
//  ^^^^^^^^^^^^^ E0301 unknown type name `MyBasePayload`
};
// CASE example_of_the_specification_with_the_semicolon -T lib_6_7 errors=2
struct Nested { float a, b, c; };
struct [raypayload] MyPayload
{
    // "Pure" output from closesthit or miss:
    float4 irradiance : read(caller) : write(closesthit, miss);
    // "Pure" input into all stages, not preserved over TraceRay
    uint seed : read(anyhit,closesthit,miss) : write(caller);
    // Simple input into all stages, preserved over TraceRay
    uint seed : read(anyhit,closesthit,miss,caller) : write(caller);
//       ^^^^ E0304 redeclaration of `seed` in the same scope
// = 7:10: note: previously declared here
    // In-out flag, overwritten by miss (e.g. for shadow/visibility):
    bool hasHit : read(caller) : write(caller,miss);
    // Anyhits communicating amongst themselves, with initialization from caller
    float a : read(anyhit) : write(caller,anyhit);
    // Nested struct which itself does not have PAQs:
    Nested n : read(caller) : write(closesthit,miss);
    // Nested payload struct which itself has PAQs:
    MyBasePayload base;
//  ^^^^^^^^^^^^^ E0301 unknown type name `MyBasePayload`
};
// CASE syntax_of_the_specification_as_printed -T lib_6_7
struct [raypayload] P { float Field : qualifier1([s0, s1]) : qualifier2([s0, s1]); };
//                                               ^ E0201 expected a name or `)`, found `[`
// CASE stage_unquoted_in_an_example -T lib_6_7
struct [raypayload] MyPayload { float a : write(caller, closesthit, miss) : read(caller); };
void foo(inout MyPayload p) { p.a = 123; }
[shader(closesthit)] void ClosestHit(inout MyPayload p, BuiltInTriangleIntersectionAttributes a) { foo(p); }
//      ^^^^^^^^^^ E0405 the name of a stage must be in quotation marks
// = note: fix: replace `closesthit` with `"closesthit"`
// CASE attribute_missing_in_a_trace_of_a_hit_object -T lib_6_9
struct P { float a; };
RaytracingAccelerationStructure Scene;
[shader("raygeneration")] void Main() { P p; p.a = 1; RayDesc r; r.Origin = 0; r.TMin = 0; r.Direction = 1; r.TMax = 1; dx::HitObject h = dx::HitObject::TraceRay(Scene, 0, 255, 0, 0, 0, r, p); }
//                                                                                                                                                                                           ^ E0706 `P` is used as a payload but not declared `[raypayload]`
// = 1:8: note: declared here
// = note: from shader model 6.7 on payloads need it, unless -disable-payload-qualifiers is given
// = note: fix: replace `P` with `[raypayload] P`
// CASE attribute_missing_in_invoke -T lib_6_9
struct P { float a; };
[shader("raygeneration")] void Main() { P p; p.a = 1; dx::HitObject h; dx::HitObject::Invoke(h, p); }
//                                                                                              ^ E0706 `P` is used as a payload but not declared `[raypayload]`
// = 1:8: note: declared here
// = note: from shader model 6.7 on payloads need it, unless -disable-payload-qualifiers is given
// = note: fix: replace `P` with `[raypayload] P`
// CASE empty_payload_in_invoke -T lib_6_9
struct [raypayload] P { };
[shader("raygeneration")] void Main() { P p; dx::HitObject h; dx::HitObject::Invoke(h, p); }
//                                                                                     ^ E0708 the payload `P` has no members
// = 1:21: note: declared here
// = note: DXR, ray payload structure: a payload has at least one member
// CASE object_in_the_payload_of_invoke -T lib_6_9 -disable-payload-qualifiers
struct P { Texture2D t; };
[shader("raygeneration")] void Main() { P p; dx::HitObject h; dx::HitObject::Invoke(h, p); }
//                                                                                     ^ E0601 the payload must consist of numbers; `P` contains an object
// CASE anonymous_structure_in_a_payload -T lib_6_7
struct [raypayload] P { float4 c : read(caller) : write(caller, miss); struct { float d; }; };
//                                                                     ^^^^^^^^^^^^^^^^^^^ E0606 `(anonymous structure)` of the payload `P` has no access qualifiers
// = note: every field of a payload requires `read(…)` and `write(…)`; `rtc paq` infers them
// = note: fix: insert ` : read(caller, anyhit, closesthit, miss) : write(caller, anyhit, closesthit, miss)`
[shader("miss")] void Main(inout P p) { p.c = 1; }
