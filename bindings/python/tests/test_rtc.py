"""The package against what people do with it, and what goes wrong."""

from __future__ import annotations

import os
import pathlib
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

import rtc

GOOD = "RWByteAddressBuffer Out; [numthreads(1, 1, 1)] void main() { Out.Store(0, VALUE); }"
USES = '#include "value.hlsli"\n' + GOOD


def many(functions: int) -> str:
    """A source that takes a while."""
    parts = [
        f"float f{n}(float x) {{ for (int i = 0; i < 9; ++i) x = sin(x * {n}) + cos(x + i); return x; }}" for n in range(functions)
    ]
    calls = "".join(f"x += f{n}(x);" for n in range(functions))
    return (
        "\n".join(parts)
        + "\nRWByteAddressBuffer Out; [numthreads(1, 1, 1)] void main() { float x = Out.Load(0);"
        + calls
        + "Out.Store(0, asuint(x)); }"
    )


class Sources(unittest.TestCase):
    def test_texts_bytes_and_paths_are_the_same(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "é b.hlsl")
            path.write_text(GOOD, encoding="utf-8")
            made = [
                rtc.compile(source, profile="cs_6_6", defines={"VALUE": 3}).object
                for source in (GOOD, GOOD.encode(), bytearray(GOOD.encode()), memoryview(GOOD.encode()), path)
            ]
            self.assertEqual(len(set(made)), 1)
            with self.assertRaises(rtc.CompileError) as raised:
                rtc.compile(path, profile="cs_6_6")
            place = raised.exception.diagnostics[0].place
            assert place is not None
            self.assertEqual(place.file, str(path))
        with self.assertRaises(FileNotFoundError):
            rtc.compile(path, profile="cs_6_6")
        for wrong in (None, 3, ["a"]):
            with self.assertRaises(TypeError):
                rtc.compile(wrong, profile="cs_6_6")  # type: ignore[arg-type]

    def test_odd_sources(self) -> None:
        for source in ("", "\0", "\ufeff" + GOOD, "é", b"\xff\xfe\0", b"\x80", "(" * 100_000, "/*"):
            result = rtc.compile(source, profile="lib_6_6", check=False)
            self.assertEqual(result.object is None, any(d.is_error for d in result.diagnostics), source[:20])

    def test_options(self) -> None:
        for options in (["-nonsense"], ["-T", "cs_6_6"], ["-spirv", "-fvk-t-shift"], ["-P"], ["-M"], ["--help"], ["-verify"]):
            if options[0] != "-T":
                with self.assertRaises(rtc.OptionError):
                    rtc.compile(GOOD, profile="cs_6_6", options=options)
        with self.assertRaises(rtc.OptionError):
            rtc.compile(GOOD)
        with self.assertRaises(ValueError):
            rtc.compile(GOOD, profile="cs_9_9")
        with self.assertRaises(TypeError):
            rtc.compile(GOOD, profile="cs_6_6", options="-Zi")
        self.assertIsNotNone(rtc.compile(GOOD, options=["-T", "cs_6_6", "-DVALUE=1"]).object)
        for value, word in ((True, "true"), (1.5, "1.5"), ("a b", "a b"), (7, "7")):
            self.assertIn(word, rtc.preprocess("VALUE", defines={"VALUE": value}).text or "")
        self.assertIn("1", rtc.preprocess("VALUE", defines={"VALUE": None}).text or "")

    def test_debug_information(self) -> None:
        result = rtc.compile(GOOD, profile="cs_6_6", defines={"VALUE": 1}, options=["-Zi"])
        assert result.pdb is not None and result.pdb_name is not None and result.hash is not None
        self.assertTrue(result.pdb.startswith(b"Microsoft C/C++ MSF"))
        self.assertTrue(result.pdb_name.endswith(".pdb"))
        self.assertEqual(len(result.hash), 20)
        self.assertEqual(rtc.reflect(result.pdb)["stage"], "compute")

    def test_warnings(self) -> None:
        source = "[numthreads(1, 1, 1)] void main() { int x = 1.5; }"
        result = rtc.compile(source, profile="cs_6_6")
        self.assertTrue(result.warnings)
        self.assertEqual(result.warnings[0].severity, "warning")
        with self.assertRaises(rtc.CompileError):
            rtc.compile(source, profile="cs_6_6", options=["-WX"])


class Includes(unittest.TestCase):
    def test_every_kind_gives_the_same(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "value.hlsli").write_text("#define VALUE 5\n", encoding="utf-8")
            kinds: list[object] = [
                folder,
                pathlib.Path(folder),
                [pathlib.Path(folder, "none"), folder],
                {"value.hlsli": "#define VALUE 5\n"},
                {"value.hlsli": b"#define VALUE 5\n"},
                lambda path: "#define VALUE 5\n" if path == "value.hlsli" else None,
            ]
            made = set()
            for kind in kinds:
                result = rtc.compile(USES, profile="cs_6_6", includes=kind)  # type: ignore[arg-type]
                self.assertEqual(len(result.includes), 1)
                made.add(result.object)
            self.assertEqual(made, {rtc.compile(GOOD, profile="cs_6_6", defines={"VALUE": 5}).object})
        with self.assertRaises(rtc.CompileError):
            rtc.compile(USES, profile="cs_6_6", includes={})
        with self.assertRaises(TypeError):
            rtc.Session(3)  # type: ignore[arg-type]

    def test_exceptions_come_out_as_they_are(self) -> None:
        class Mine(Exception):
            pass

        def raises(path: str) -> str:
            raise Mine(path)

        session = rtc.Session(raises)
        for _ in range(2):
            with self.assertRaises(Mine):
                session.compile(USES, profile="cs_6_6")
        with self.assertRaises(TypeError):
            rtc.compile(USES, profile="cs_6_6", includes=lambda path: 3)  # type: ignore[arg-type, return-value]
        self.assertIsNotNone(session.compile(GOOD, profile="cs_6_6", defines={"VALUE": 5}).object)

    def test_a_function_may_compile(self) -> None:
        def find(path: str) -> "str | None":
            inner = rtc.preprocess("#define V 5\n#define VALUE V", options=["-DA"])
            assert inner.text is not None
            return "#define VALUE 5\n" if path == "value.hlsli" else None

        session = rtc.Session(find)
        with ThreadPoolExecutor(4) as threads:
            made = set(threads.map(lambda _: session.compile(USES, profile="cs_6_6").object, range(8)))
        self.assertEqual(len(made), 1)

    def test_deep_recursion_of_the_program(self) -> None:
        def find(path: str) -> "str | None":
            def down(n: int) -> int:
                return 0 if n == 0 else 1 + down(n - 1)

            down(500)
            return "#define VALUE 5\n" if path == "value.hlsli" else None

        self.assertIsNotNone(rtc.compile(USES, profile="cs_6_6", includes=find).object)

    def test_files_are_forgotten_on_request(self) -> None:
        values = ["#define VALUE 1\n", "#define VALUE 2\n"]
        session = rtc.Session(lambda path: values[0] if path == "value.hlsli" else None)
        first = session.compile(USES, profile="cs_6_6").object
        del values[0]
        self.assertEqual(session.compile(USES, profile="cs_6_6").object, first)
        session.forget_files()
        self.assertNotEqual(session.compile(USES, profile="cs_6_6").object, first)


class Limits(unittest.TestCase):
    def test_each_stops(self) -> None:
        session = rtc.Session()
        source = many(200)
        with self.assertRaises(rtc.TimeLimit):
            session.compile(source, profile="cs_6_6", time_limit=0.001)
        with self.assertRaises(rtc.MemoryLimit):
            session.compile(source, profile="cs_6_6", memory_limit=50_000)
        token = rtc.CancelToken()
        token.cancel()
        self.assertTrue(token.cancelled)
        with self.assertRaises(rtc.Cancelled):
            session.compile(source, profile="cs_6_6", cancel=token)
        with self.assertRaises(rtc.Cancelled):
            session.disassemble(session.compile(GOOD, profile="cs_6_6", defines={"VALUE": 1}), cancel=token)
        for seconds in (-1, float("nan")):
            with self.assertRaises(ValueError):
                session.compile(source, profile="cs_6_6", time_limit=seconds)
        with self.assertRaises(ValueError):
            session.compile(source, profile="cs_6_6", memory_limit=-1)
        self.assertIsNotNone(session.compile(GOOD, profile="cs_6_6", defines={"VALUE": 1}, time_limit=1e300).object)

    def test_another_thread_cancels(self) -> None:
        token = rtc.CancelToken()
        phases = []

        def progress(phase: str, detail: str) -> None:
            phases.append(phase)
            if len(phases) == 20:
                threading.Thread(target=token.cancel).start()

        with self.assertRaises(rtc.Cancelled):
            rtc.compile(many(2000), profile="cs_6_6", cancel=token, progress=progress)
        self.assertGreaterEqual(len(phases), 20)

    def test_progress_may_raise(self) -> None:
        def progress(phase: str, detail: str) -> None:
            raise KeyError(phase)

        with self.assertRaises(KeyError):
            rtc.compile(GOOD, profile="cs_6_6", defines={"VALUE": 1}, progress=progress)

    def test_other_threads_run_meanwhile(self) -> None:
        done = threading.Event()
        count = 0

        def work() -> None:
            rtc.compile(many(400), profile="cs_6_6", options=["-Od"])
            done.set()

        thread = threading.Thread(target=work)
        thread.start()
        while not done.is_set():
            count += 1
            time.sleep(0.001)
        thread.join()
        self.assertGreater(count, 10)

    @unittest.skipIf(os.name == "nt", "signals are those of Unix")
    def test_an_interrupt_stops(self) -> None:
        def alarm(number: int, frame: object) -> None:
            raise KeyboardInterrupt

        before = signal.signal(signal.SIGALRM, alarm)
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            start = time.monotonic()
            with self.assertRaises(KeyboardInterrupt):
                for _ in range(1000):
                    rtc.compile(many(2000), profile="cs_6_6")
            self.assertLess(time.monotonic() - start, 120)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)


class Files(unittest.TestCase):
    def test_damaged_files(self) -> None:
        good = rtc.compile(GOOD, profile="cs_6_6", defines={"VALUE": 1}).object
        assert good is not None
        for data in (b"", b"DXBC", b"nothing", good[: len(good) // 2], good[:-1]):
            with self.assertRaises(rtc.FileError):
                rtc.reflect(data)
            with self.assertRaises(rtc.FileError):
                rtc.disassemble(data)
            with self.assertRaises(rtc.LinkError):
                rtc.link([data], profile="lib_6_6")
        with self.assertRaises(rtc.FileError):
            rtc.validate(b"nothing")
        self.assertFalse(rtc.validate(good[:-1]))
        self.assertTrue(rtc.validate(good[:-1]).findings[0].rule)
        broken = bytearray(good)
        broken[len(broken) // 2] ^= 0xFF
        self.assertIn(bool(rtc.validate(bytes(broken))), (True, False))
        with self.assertRaises(TypeError):
            rtc.reflect("a text")  # type: ignore[arg-type]
        with self.assertRaises(rtc.FileError):
            rtc.reflect(rtc.compile("float f() { return b; }", profile="lib_6_6", check=False))

    def test_a_path_is_read(self) -> None:
        good = rtc.compile(GOOD, profile="cs_6_6", defines={"VALUE": 1})
        assert good.object is not None
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "a.dxil")
            path.write_bytes(good.object)
            self.assertEqual(rtc.reflect(path), good.reflection)
            self.assertEqual(rtc.disassemble(memoryview(good.object)), good.listing)

    def test_linking_nothing(self) -> None:
        with self.assertRaises(rtc.LinkError):
            rtc.link({}, profile="lib_6_6")
        with self.assertRaises(rtc.OptionError):
            rtc.link({}, profile="nonsense")


class Values(unittest.TestCase):
    def test_results_and_errors_are_pickled(self) -> None:
        result = rtc.compile(GOOD, profile="cs_6_6", defines={"VALUE": 1})
        again = pickle.loads(pickle.dumps(result))
        self.assertEqual(again, result)
        self.assertEqual(again.reflection, result.reflection)
        try:
            rtc.compile("x", profile="lib_6_6")
        except rtc.CompileError as e:
            same = pickle.loads(pickle.dumps(e))
            self.assertEqual((str(same), same.diagnostics), (str(e), e.diagnostics))

    def test_threads_end_before_the_interpreter(self) -> None:
        code = (
            "import rtc, threading\n"
            "s = rtc.Session(lambda p: '#define VALUE 1' if p == 'value.hlsli' else None)\n"
            f"def f(): s.compile({USES!r}, profile='cs_6_6')\n"
            "for _ in range(8): threading.Thread(target=f).start()\n"
        )
        subprocess.run([sys.executable, "-c", code], check=True, timeout=120)

    def test_the_version(self) -> None:
        self.assertRegex(rtc.__version__, r"^\d+\.\d+\.\d+")


if __name__ == "__main__":
    unittest.main()
