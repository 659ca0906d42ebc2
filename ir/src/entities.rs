//! The entities of the IR, as typed indices into arenas. The prefix is the entity's spelling in text, and the number in text is
//! the number in memory.

rtc_base::entity! {
    /// An SSA value: a constant, an instruction's result or a region's parameter.
    pub struct Value = "v";
    /// An instruction.
    pub struct Inst = "i";
    /// A list of instructions with one entry and parameters.
    pub struct Region = "r";
    /// A function.
    pub struct Func = "fn";
    /// A resource or variable of the module.
    pub struct Global = "g";
    /// A variable of a function.
    pub struct Local = "l";
    /// A payload, callable parameter or hit attribute structure of a function.
    pub struct Slot = "pl";
    /// An input or output of a shader.
    pub struct Element = "el";
    /// A structure type.
    pub struct Struct = "s";
    /// A type made of an instruction of SPIR-V.
    pub struct SpirvType = "sv";
    /// A type.
    pub struct Type = "ty";
    /// A place in a variable: its root and the steps from there, without index values.
    pub struct Place = "place";
    /// The cases of one `switch`.
    pub struct Cases = "cases";
}
