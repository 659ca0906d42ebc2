//! What depends on the shader model and the stage.

super::rules! {
    SM_OPCODE "SM.OPCODE" "the shader model has the operation";
}
