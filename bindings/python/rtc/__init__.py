"""Compiles HLSL to DXIL and SPIR-V, and reads, links and checks what was compiled.

    import rtc

    result = rtc.compile("[numthreads(1, 1, 1)] void main() {}", profile="cs_6_6")
    result.object          # bytes of a DXIL container

A source is a text, bytes, or a path (`pathlib.Path`). `options` are arguments of the command line of dxc: `["-Zi", "-D", "N=4"]`.
A `Session` keeps what compilations have in common: files that are included are read once, texts are lexed once. Several threads may use one at the
same time; the lock of the interpreter is not held while the compiler works.
"""

import json as _json
import os as _os
from dataclasses import dataclass as _dataclass
from dataclasses import field as _field
from functools import cached_property as _cached_property

from ._rtc import CancelToken
from ._rtc import Session as _Session
from ._rtc import __version__

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


class Error(Exception):
    """What this package raises for reasons of its own."""


class OptionError(Error, ValueError):
    """An option is unknown, malformed, or contradicts another."""


class CompileError(Error):
    """The source has errors. `diagnostics` has them, `result` has everything that there is."""

    def __init__(self, message, result):
        super().__init__(message)
        self.result = result

    @property
    def diagnostics(self):
        return self.result.diagnostics

    def __reduce__(self):
        return (type(self), (str(self), self.result))


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


_FAILURES = {
    "options": OptionError,
    "file": FileError,
    "link": LinkError,
    "cancelled": Cancelled,
    "time": TimeLimit,
    "memory": MemoryLimit,
    "internal": InternalError,
}


@_dataclass(frozen=True)
class Place:
    """A place in a source; lines and columns begin with 1."""

    file: str
    line: int
    column: int

    def __str__(self):
        return f"{self.file}:{self.line}:{self.column}"


@_dataclass(frozen=True)
class Diagnostic:
    """An error, a warning or a note."""

    severity: str
    code: str
    message: str
    place: object
    others: tuple
    notes: tuple
    rendered: str

    @property
    def is_error(self):
        return self.severity == "error"

    def __str__(self):
        return self.rendered.rstrip("\n")


@_dataclass(frozen=True)
class Finding:
    """A rule of DXIL that a container violates."""

    rule: str
    message: str
    place: object
    rendered: str

    def __str__(self):
        return self.rendered


@_dataclass(frozen=True)
class Validation:
    """What the validator says of a container; it is true if the container is valid."""

    valid: bool
    findings: tuple
    notes: tuple

    def __bool__(self):
        return self.valid


@_dataclass(frozen=True)
class Statistics:
    """What a session saved."""

    reads: int
    reads_saved: int
    lexed: int
    lexed_saved: int
    preambles_saved: int


@_dataclass(frozen=True)
class Result:
    """What an operation made."""

    kind: str = ""
    object: object = None
    text: object = None
    diagnostics: tuple = ()
    includes: tuple = ()
    pdb: object = None
    pdb_name: object = None
    hash: object = None
    root_signature: object = None
    reflection_data: object = None
    _session: object = _field(default=None, repr=False, compare=False)

    @property
    def warnings(self):
        return tuple(d for d in self.diagnostics if d.severity == "warning")

    @property
    def spirv(self):
        """The SPIR-V module; None if the result is something else."""
        return self.object if self.kind == "spirv" else None

    @_cached_property
    def reflection(self):
        """The reflection of the object, as `reflect` gives it."""
        return self._of_session().reflect(self._bytes())

    @_cached_property
    def listing(self):
        """The listing of the object."""
        return self._of_session().disassemble(self._bytes())

    def _bytes(self):
        if self.object is None:
            raise FileError("nothing was compiled")
        return self.object

    def _of_session(self):
        return self._session if self._session is not None else Session()

    def __getstate__(self):
        # A session stays where it is.
        return {k: v for k, v in self.__dict__.items() if k != "_session"} | {"_session": None}

    def __setstate__(self, state):
        self.__dict__.update(state)


@_dataclass(frozen=True)
class _Limits:
    cancel: object = None
    time_limit: object = None
    memory_limit: object = None
    progress: object = None


def _limits(cancel=None, time_limit=None, memory_limit=None, progress=None):
    if time_limit is not None and not time_limit >= 0:
        raise ValueError(f"time_limit must be a number of seconds, not {time_limit!r}")
    if memory_limit is not None and memory_limit < 0:
        raise ValueError(f"memory_limit must be a number of bytes, not {memory_limit!r}")
    return _Limits(cancel, time_limit, memory_limit, progress)


def _read(source, name):
    """The bytes of a source and its name."""
    if isinstance(source, _os.PathLike):
        path = _os.fspath(source)
        with open(path, "rb") as file:
            return file.read(), name if name is not None else _os.fsdecode(path)
    text = source.encode() if isinstance(source, str) else _data(source)
    return text, name if name is not None else "source.hlsl"


def _data(data):
    """The bytes of a compiled file: bytes, a buffer, a path, or a result."""
    if isinstance(data, bytes):
        return data
    if isinstance(data, Result):
        return data._bytes()
    if isinstance(data, _os.PathLike):
        with open(data, "rb") as file:
            return file.read()
    if isinstance(data, (bytearray, memoryview)):
        return bytes(data)
    raise TypeError(f"expected bytes, a buffer, a path or a Result, not {type(data).__name__}")


def _listed(options):
    if isinstance(options, (str, bytes)):
        raise TypeError("options are a list of arguments, not one text; shlex.split makes a list")
    return [_os.fspath(o) for o in options]


def _folders(includes):
    """The folders of `includes`, if it is one or several; None if it is something else."""
    if isinstance(includes, (str, _os.PathLike)):
        return [_os.fsdecode(includes)]
    if isinstance(includes, (list, tuple)):
        return [_os.fsdecode(i) for i in includes]
    return None


def _values(values):
    kind = values.get("failure")
    if kind is not None:
        raise _FAILURES[kind](values["message"])
    return values


def _place(place):
    return None if place is None else Place(*place)


def _diagnostic(d):
    return Diagnostic(
        severity=d["severity"],
        code=d["code"],
        message=d["message"],
        place=_place(d["place"]),
        others=tuple((Place(*o[:3]), o[3]) for o in d["others"]),
        notes=tuple(d["notes"]),
        rendered=d["rendered"],
    )


class Session:
    """Compilations that share files and tokens. `includes` says where files come from: nothing for the disk, one or several folders, a dictionary of
    paths and contents, or a function that is called with a path and returns `str`, `bytes` or None.
    """

    def __init__(self, includes=None):
        folders = _folders(includes)
        self._arguments = [word for folder in folders or () for word in ("-I", folder)]
        if includes is None or folders is not None:
            given = None
        elif callable(includes):
            given = includes
        elif hasattr(includes, "items"):
            given = {_os.fsdecode(k): v.encode() if isinstance(v, str) else bytes(v) for k, v in includes.items()}
        else:
            raise TypeError(f"includes are a folder, folders, a dictionary or a function, not {type(includes).__name__}")
        self._native = _Session(given)

    def _all(self, profile, entry, defines, options):
        out = list(self._arguments)
        if profile is not None:
            out += ["-T", profile]
        if entry is not None:
            out += ["-E", entry]
        for name, value in dict(defines or {}).items():
            out += ["-D", name if value is None else f"{name}={_text_of(value)}"]
        return out + _listed(options)

    def compile(self, source, *, profile=None, entry=None, defines=None, options=(), name=None, check=True, **limits):
        text, name = _read(source, name)
        arguments = self._all(profile, entry, defines, options)
        values = _values(self._native.compile(name, text, arguments, _limits(**limits)))
        result = self._result(values)
        if values["failed"] and check:
            raise CompileError(_errors(result), result)
        return result

    def preprocess(self, source, *, profile=None, defines=None, options=(), name=None, check=True, **limits):
        text, name = _read(source, name)
        arguments = self._all("lib_6_6" if profile is None else profile, None, defines, options)
        values = _values(self._native.preprocess(name, text, arguments, _limits(**limits)))
        result = self._result(values)
        if values["failed"] and check:
            raise CompileError(_errors(result), result)
        return result

    def link(self, libraries, *, profile, entry=None, options=(), **limits):
        pairs = libraries.items() if hasattr(libraries, "items") else ((f"library {n}", l) for n, l in enumerate(libraries))
        pairs = [(name, _data(data)) for name, data in pairs]
        arguments = ["-link", "-T", profile] + (["-E", entry] if entry is not None else []) + _listed(options)
        # The arguments of a link name its libraries; these are in memory.
        values = _values(self._native.link(pairs, arguments, _limits(**limits)))
        warnings = tuple(Diagnostic("warning", "", w, None, (), (), f"warning: {w}\n") for w in values.get("warnings", ()))
        return self._result(values, warnings)

    def reflect(self, data, **limits):
        return _json.loads(_values(self._native.reflect(_data(data), _limits(**limits)))["text"])

    def disassemble(self, data, **limits):
        return _values(self._native.disassemble(_data(data), _limits(**limits)))["text"]

    def validate(self, data, **limits):
        values = _values(self._native.validate(_data(data), _limits(**limits)))
        found = (Finding(f["rule"], f["message"], _place(f["place"]), f["rendered"]) for f in values["findings"])
        return Validation(values["valid"], tuple(found), tuple(values["notes"]))

    def forget_files(self):
        self._native.forget_files()

    @property
    def statistics(self):
        return Statistics(*self._native.statistics())

    def _result(self, values, diagnostics=()):
        return Result(
            kind=values.get("kind", ""),
            object=values.get("object"),
            text=values.get("text"),
            diagnostics=diagnostics + tuple(_diagnostic(d) for d in values.get("diagnostics", ())),
            includes=tuple(values.get("includes", ())),
            pdb=values.get("pdb"),
            pdb_name=values.get("pdb_name"),
            hash=values.get("hash"),
            root_signature=values.get("root_signature"),
            reflection_data=values.get("reflection_data"),
            _session=self,
        )


def _text_of(value):
    """The value of a macro: true and false are those of HLSL."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _errors(result):
    errors = [str(d) for d in result.diagnostics if d.is_error]
    return "\n".join(errors)


def compile(source, *, includes=None, **arguments):
    return Session(includes).compile(source, **arguments)


def preprocess(source, *, includes=None, **arguments):
    return Session(includes).preprocess(source, **arguments)


def link(libraries, **arguments):
    return Session({}).link(libraries, **arguments)


def reflect(data, **limits):
    return Session({}).reflect(data, **limits)


def disassemble(data, **limits):
    return Session({}).disassemble(data, **limits)


def validate(data, **limits):
    return Session({}).validate(data, **limits)
