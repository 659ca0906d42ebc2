//! Control flow and calls.

super::rules! {
    FLOW_REDUCIBLE "FLOW.REDUCIBLE" "every loop is entered at one block";
    FLOW_NO_RECURSION "FLOW.NORECURSION" "no function calls itself, directly or through others";
    FLOW_DEAD_LOOP "FLOW.DEADLOOP" "every loop can be left";
    FLOW_FUNCTION_CALL "FLOW.FUNCTIONCALL" "an entry point without payload or attributes has no parameters";
}
