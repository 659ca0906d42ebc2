"""Compiles HLSL to DXIL and SPIR-V, and reads, links and checks what was compiled."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import Any, Literal, Union

from ._rtc import CancelToken as CancelToken
from ._rtc import __version__ as __version__

__all__ = [
    "CancelToken",
    "Cancelled",
    "CompileError",
    "Diagnostic",
    "Error",
    "FileError",
    "Finding",
    "InternalError",
    "LinkError",
    "MemoryLimit",
    "OptionError",
    "Place",
    "Result",
    "Session",
    "Statistics",
    "TimeLimit",
    "Validation",
    "__version__",
    "compile",
    "disassemble",
    "link",
    "preprocess",
    "reflect",
    "validate",
]

_Bytes = Union[bytes, bytearray, memoryview]
_Path = Union[str, PathLike[str]]
_Source = Union[str, _Bytes, PathLike[str]]
_Data = Union[_Bytes, PathLike[str], "Result"]
_Includes = Union[_Path, Sequence[_Path], Mapping[str, Union[str, _Bytes]], Callable[[str], Union[str, bytes, None]], None]
_Macros = Union[Mapping[str, Union[str, int, float, bool, None]], None]
_Progress = Union[Callable[[str, str], object], None]

class Error(Exception):
    """What this package raises for reasons of its own."""

class OptionError(Error, ValueError):
    """An option is unknown, malformed, or contradicts another."""

class CompileError(Error):
    """The source has errors. `diagnostics` has them, `result` has everything that there is."""

    result: Result
    def __init__(self, message: str, result: Result) -> None: ...
    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]: ...
    def __reduce__(self) -> tuple[type[CompileError], tuple[str, Result]]: ...

class FileError(Error, ValueError):
    """A compiled file is damaged, or is none that the operation knows."""

class LinkError(Error):
    """Libraries cannot be linked; the message has all reasons."""

class Cancelled(Error):
    """The token of the work was cancelled."""

class TimeLimit(Error, TimeoutError):
    """The work was not finished within its limit."""

class MemoryLimit(Error, MemoryError):
    """The work needs more memory than its limit."""

class InternalError(Error):
    """A mistake of the compiler; please report it."""

@dataclass(frozen=True)
class Place:
    """A place in a source; lines and columns begin with 1."""

    file: str
    line: int
    column: int

@dataclass(frozen=True)
class Diagnostic:
    """An error, a warning or a note."""

    severity: Literal["error", "warning", "note"]
    code: str
    message: str
    place: Place | None
    others: tuple[tuple[Place, str], ...]
    notes: tuple[str, ...]
    rendered: str
    @property
    def is_error(self) -> bool: ...

@dataclass(frozen=True)
class Finding:
    """A rule of DXIL that a container violates."""

    rule: str
    message: str
    place: Place | None
    rendered: str

@dataclass(frozen=True)
class Validation:
    """What the validator says of a container; it is true if the container is valid."""

    valid: bool
    findings: tuple[Finding, ...]
    notes: tuple[str, ...]
    def __bool__(self) -> bool: ...

@dataclass(frozen=True)
class Statistics:
    """What a session saved."""

    reads: int
    reads_saved: int
    lexed: int
    lexed_saved: int
    preambles_saved: int

@dataclass(frozen=True)
class Result:
    """What an operation made."""

    kind: Literal["", "dxil", "spirv", "package", "ir"] = ...
    object: bytes | None = ...
    text: str | None = ...
    diagnostics: tuple[Diagnostic, ...] = ...
    includes: tuple[str, ...] = ...
    pdb: bytes | None = ...
    pdb_name: str | None = ...
    hash: bytes | None = ...
    root_signature: bytes | None = ...
    reflection_data: bytes | None = ...
    _session: Session | None = ...
    @property
    def warnings(self) -> tuple[Diagnostic, ...]: ...
    @property
    def spirv(self) -> bytes | None:
        """The SPIR-V module; None if the result is something else."""
    @cached_property
    def reflection(self) -> dict[str, Any]:
        """The reflection of the object, as `reflect` gives it."""
    @cached_property
    def listing(self) -> str:
        """The listing of the object."""
    def __getstate__(self) -> dict[str, Any]: ...
    def __setstate__(self, state: dict[str, Any]) -> None: ...

class Session:
    """Compilations that share files and tokens. Several threads may use one at the same time."""

    def __init__(self, includes: _Includes = None) -> None: ...
    def compile(
        self,
        source: _Source,
        *,
        profile: str | None = None,
        entry: str | None = None,
        defines: _Macros = None,
        options: Iterable[_Path] = (),
        name: str | None = None,
        check: bool = True,
        cancel: CancelToken | None = ...,
        time_limit: float | None = ...,
        memory_limit: int | None = ...,
        progress: _Progress = ...,
    ) -> Result:
        """Compiles a source. Errors raise `CompileError`, unless `check` is false."""
    def preprocess(
        self,
        source: _Source,
        *,
        profile: str | None = None,
        defines: _Macros = None,
        options: Iterable[_Path] = (),
        name: str | None = None,
        check: bool = True,
        cancel: CancelToken | None = ...,
        time_limit: float | None = ...,
        memory_limit: int | None = ...,
        progress: _Progress = ...,
    ) -> Result:
        """Preprocesses a source: `text` of the result."""
    def link(
        self,
        libraries: Mapping[str, _Data] | Iterable[_Data],
        *,
        profile: str,
        entry: str | None = None,
        options: Iterable[_Path] = (),
        cancel: CancelToken | None = ...,
        time_limit: float | None = ...,
        memory_limit: int | None = ...,
        progress: _Progress = ...,
    ) -> Result:
        """Links DXIL libraries into one, or into a shader."""
    def reflect(
        self,
        data: _Data,
        *,
        cancel: CancelToken | None = ...,
        time_limit: float | None = ...,
        memory_limit: int | None = ...,
        progress: _Progress = ...,
    ) -> dict[str, Any]:
        """The reflection of a compiled file of any compiler; `docs/reflection.schema.json` describes it."""
    def disassemble(
        self,
        data: _Data,
        *,
        cancel: CancelToken | None = ...,
        time_limit: float | None = ...,
        memory_limit: int | None = ...,
        progress: _Progress = ...,
    ) -> str:
        """The listing of a compiled file."""
    def validate(
        self,
        data: _Data,
        *,
        cancel: CancelToken | None = ...,
        time_limit: float | None = ...,
        memory_limit: int | None = ...,
        progress: _Progress = ...,
    ) -> Validation:
        """Validates a DXIL container of any compiler."""
    def forget_files(self) -> None:
        """Forgets the files that were read, because they may have changed."""
    @property
    def statistics(self) -> Statistics: ...

def compile(
    source: _Source,
    *,
    includes: _Includes = None,
    profile: str | None = ...,
    entry: str | None = ...,
    defines: _Macros = ...,
    options: Iterable[_Path] = ...,
    name: str | None = ...,
    check: bool = ...,
    cancel: CancelToken | None = ...,
    time_limit: float | None = ...,
    memory_limit: int | None = ...,
    progress: _Progress = ...,
) -> Result:
    """Compiles a source in a session of its own. Errors raise `CompileError`, unless `check` is false."""

def preprocess(
    source: _Source,
    *,
    includes: _Includes = None,
    profile: str | None = ...,
    defines: _Macros = ...,
    options: Iterable[_Path] = ...,
    name: str | None = ...,
    check: bool = ...,
    cancel: CancelToken | None = ...,
    time_limit: float | None = ...,
    memory_limit: int | None = ...,
    progress: _Progress = ...,
) -> Result:
    """Preprocesses a source in a session of its own: `text` of the result."""

def link(
    libraries: Mapping[str, _Data] | Iterable[_Data],
    *,
    profile: str,
    entry: str | None = ...,
    options: Iterable[_Path] = ...,
    cancel: CancelToken | None = ...,
    time_limit: float | None = ...,
    memory_limit: int | None = ...,
    progress: _Progress = ...,
) -> Result:
    """Links DXIL libraries into one, or into a shader."""

def reflect(
    data: _Data,
    *,
    cancel: CancelToken | None = ...,
    time_limit: float | None = ...,
    memory_limit: int | None = ...,
    progress: _Progress = ...,
) -> dict[str, Any]:
    """The reflection of a compiled file of any compiler; `docs/reflection.schema.json` describes it."""

def disassemble(
    data: _Data,
    *,
    cancel: CancelToken | None = ...,
    time_limit: float | None = ...,
    memory_limit: int | None = ...,
    progress: _Progress = ...,
) -> str:
    """The listing of a compiled file."""

def validate(
    data: _Data,
    *,
    cancel: CancelToken | None = ...,
    time_limit: float | None = ...,
    memory_limit: int | None = ...,
    progress: _Progress = ...,
) -> Validation:
    """Validates a DXIL container of any compiler."""
