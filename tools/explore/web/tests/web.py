"""Uses the page without a server in headless Chromium as a person does: types, follows lines, adds files, shares and exports.

web.py FOLDER OUT     the folder that `cargo xtask web` built; OUT has request.json and answer.json, and gets screenshots
Exit code 77: a browser is missing, and standard output says which.
"""
import functools
import hashlib
import http.server
import pathlib
import sys
import threading
import time
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "tests"))
from browser import contrast, expect, launch, sync_playwright, watched  # noqa: E402

TRACES = (pathlib.Path(__file__).parents[2] / "tests/traces.hlsl").read_text()


class Quiet(http.server.SimpleHTTPRequestHandler):
    """The server of `python3 -m http.server`, without its log."""

    def log_message(self, *_):
        pass


def serve(folder):
    handler = functools.partial(Quiet, directory=folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}/"


def until(page, holds, why):
    """Looks at the page until something holds, for a minute: a busy machine is slow."""
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end, why()
        page.wait_for_timeout(50)


def status(page):
    return page.locator("#status").inner_text()


def settled(page):
    """The listings are those of the text. An expectation of `main` would describe all of its lines each time that it is not met, which takes seconds."""
    until(page, lambda: page.get_attribute("main", "aria-busy") == "false", lambda: status(page))


def compiled(page):
    settled(page)
    expect(page.locator("#status")).to_have_text("Compiled.")


def lines(page, pane, text):
    return page.locator(f"#{pane} .line", has_text=text)


def shown(page, pane, text):
    """A listing has a line with this text. With an expectation in place of this, many runs saw no such line for a minute, for a reason that was not found; runs
    that looked saw it at once."""
    until(page, lambda: lines(page, pane, text).count(), lambda: f"{pane} has no line with {text!r}: {status(page)}")


def put(page, text):
    """Gives the editor a text. Typing or pasting many lines takes Chromium seconds in any text field."""
    page.evaluate("(text) => { const field = document.getElementById('editor'); field.value = text; field.dispatchEvent(new Event('input')); }", text)


def replace(page, old, new):
    """Chooses a text in the editor, and types another."""
    page.evaluate(
        """(old) => {
          const field = document.getElementById('editor');
          const at = field.value.indexOf(old);
          if (at < 0) throw new Error('the editor does not have ' + old);
          field.focus();
          field.setSelectionRange(at, at + old.length);
        }""",
        old,
    )
    page.keyboard.type(new)


def first_sample(page, out):
    """The page begins with a sample, and shows the bytes that the compiler makes outside of a browser."""
    start = time.monotonic()
    shown(page, "first", "dx.op.traceRay")
    shown(page, "second", "OpTraceRayKHR")
    print(f"first listing after {time.monotonic() - start:.2f} s")
    compiled(page)
    made = page.evaluate(
        """async (request) => {
          const module = await WebAssembly.compileStreaming(fetch('rtc.wasm'));
          const worker = new Worker('worker.js');
          const answer = await new Promise((resolve) => { worker.onmessage = (e) => resolve(e.data.answer); worker.postMessage({ module, request }); });
          worker.terminate();
          return answer;
        }""",
        (out / "request.json").read_text(),
    )
    assert made == (out / "answer.json").read_text(), "the browser's module makes another model than this machine"


def typing(page, out, theme):
    # Without the options of the sample.
    page.fill("#arguments", "")
    put(page, TRACES)
    shown(page, "first", "3.500000e+00")
    compiled(page)
    # Half-typed: an error with its line, until it is typed to its end.
    replace(page, "return n * 3.5 + 1;", "return n * 7.25 + ")
    expect(page.locator("#source .mark.error").first).to_be_attached()
    expect(page.locator("#first .missing")).to_be_visible()
    expect(page.locator("#tab-messages")).not_to_have_text("Messages (0)")
    page.screenshot(path=out / f"{theme}-error.png")
    page.keyboard.type("1;")
    shown(page, "first", "7.250000e+00")
    expect(page.locator("#source .mark.error")).to_have_count(0)
    compiled(page)
    # A new line moves what is below it, with its colours, at once.
    before = page.locator("#source .line.from").count()
    page.keyboard.press("Control+Home")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    at = lines(page, "source", "TraceRay(Scene").get_attribute("data-n")
    wanted = TRACES.split("\n").index(next(l for l in TRACES.split("\n") if "TraceRay(Scene" in l)) + 1
    assert int(at) == wanted, (at, wanted)
    assert page.locator("#source .line.from").count() == before
    # Undo is that of the field.
    page.keyboard.press("Control+z")
    assert page.input_value("#editor").count("\n") == TRACES.count("\n")
    compiled(page)


def links(page, out, theme):
    # The caret chooses its line.
    replace(page, "TraceRay(Scene", "TraceRay(Scene")
    expect(page.locator("#source .line.current.linked")).to_contain_text("TraceRay(Scene")
    compiled(page)
    expect(page.locator("#source .line.current.linked")).to_contain_text("TraceRay(Scene")
    expect(page.locator("#first .line.linked", has_text="dx.op.traceRay").first).to_be_in_viewport()
    expect(page.locator("#second .line.linked", has_text="OpTraceRayKHR").first).to_be_in_viewport()
    page.screenshot(path=out / f"{theme}.png")
    # Text and lines lie on each other, wherever the editor is scrolled to.
    assert page.evaluate(
        """() => {
          const [field, box] = ['editor', 'source'].map((id) => document.getElementById(id));
          const line = box.querySelectorAll('.line');
          const height = parseFloat(getComputedStyle(field).lineHeight);
          return Math.abs(line[9].getBoundingClientRect().top - line[0].getBoundingClientRect().top - 9 * height) < 0.5
            && Math.abs(line[0].querySelector('.text').getBoundingClientRect().left - field.getBoundingClientRect().left - parseFloat(getComputedStyle(field).paddingLeft)) < 0.5
            && field.clientWidth === box.clientWidth && field.scrollTop === box.scrollTop;
        }"""
    ), "the text is not on its lines"
    # A line of a listing leads to its line of the source; Enter to the editor there, Control and Enter back.
    lines(page, "first", "7.250000e+00").first.click()
    expect(page.locator("#source .line.current")).to_contain_text("n * 7.25")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "editor"
    assert page.evaluate("document.getElementById('editor').value.slice(0, document.getElementById('editor').selectionStart).split('\\n').length") == 8
    page.keyboard.press("Control+Enter")
    assert page.evaluate("document.activeElement.id") == "first"
    expect(page.locator("#first .line.current")).to_be_in_viewport()
    for selector in ("#editor", "button.file[aria-pressed=true]", ".file small", "#source .number"):
        found = contrast(page, selector)
        assert found >= 4.5, f"{theme}: the contrast of {selector} is {found:.2f}"


def includes(page, out):
    page.click("#add-file")
    name = page.locator("input.file")
    for wrong, why in (("../k.hlsli", "not a path below"), ("a\\b", "has a character"), (page.locator("button.file").first.get_attribute("data-name"), "already")):
        name.fill(wrong)
        name.press("Enter")
        expect(page.locator("#status")).to_contain_text(why)
    name.fill("common/k.hlsli")
    name.press("Enter")
    expect(page.locator("button.file[aria-pressed=true]")).to_have_text("common/k.hlsli")
    page.keyboard.type("float faded(float x) { return x * 0.125; }\n")
    assert page.input_value("#editor") == "float faded(float x) { return x * 0.125; }\n"
    page.click("button.file >> nth=0")
    main = page.get_attribute("button.file[aria-pressed=true]", "data-name")
    depth = "../" * main.count("/")
    replace(page, "return n * 7.25 + 1;", "return faded(n);")
    replace(page, "float scale(uint n)", f'#include "{depth}common/k.hlsli"\nfloat scale(uint n)')
    shown(page, "first", "1.250000e-01")
    # A line of the listing leads to the included file, and back.
    lines(page, "first", "1.250000e-01").first.click()
    expect(page.locator("button.file[aria-pressed=true]")).to_have_text("common/k.hlsli")
    expect(page.locator("#source .line.current")).to_contain_text("0.125")
    assert "0.125" in page.input_value("#editor")
    # Changes of an include are changes of the source.
    replace(page, "0.125", "0.375")
    shown(page, "first", "3.750000e-01")
    expect(page.locator("button.file[aria-pressed=true]")).to_have_text("common/k.hlsli")
    page.screenshot(path=out / "includes.png")
    page.click("#rename-file")
    name.fill("common/other.hlsli")
    name.press("Enter")
    expect(page.locator("#messages")).to_contain_text("k.hlsli")
    page.click("#rename-file")
    name.fill("common/k.hlsli")
    name.press("Enter")
    expect(page.locator("#messages")).to_contain_text("No errors")
    page.click("#add-file")
    name.press("Escape")
    page.keyboard.type("RWByteAddressBuffer Out; [numthreads(1, 1, 1)] void main() { Out.Store(0, 4711); }")
    page.click("#compile-file")
    page.fill("#arguments", "-T cs_6_6")
    page.keyboard.press("Enter")
    shown(page, "first", "4711")
    page.click("#remove-file")
    page.fill("#arguments", "")
    page.keyboard.press("Enter")
    shown(page, "first", "3.750000e-01")
    compiled(page)


def options(page):
    page.focus("#level")
    page.select_option("#level", "-Od")
    expect(page.locator("#arguments")).to_have_value("-T lib_6_9 -Od")
    compiled(page)
    page.select_option("#profile", "lib_6_6")
    expect(page.locator("#name")).to_contain_text("lib_6_6")
    page.fill("#arguments", '-T lib_6_9 "-open')
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_contain_text("quote that does not end")
    page.fill("#arguments", "-T lib_6_9 -ftime-report")
    page.keyboard.press("Enter")
    compiled(page)


def share(page, browser, url):
    page.click("#share")
    expect(page.locator("#status")).to_contain_text("address of the page holds the files")
    address = page.url
    assert "#z=" in address and len(address) < 4000, address
    other = browser.new_page()
    other.goto(address)
    shown(other, "first", "3.750000e-01")
    assert other.locator("button.file").count() == page.locator("button.file").count()
    expect(other.locator("#arguments")).to_have_value("-T lib_6_9 -ftime-report")
    # Changes survive a reload.
    replace(other, "p.color = 0.25", "p.color = 0.75")
    shown(other, "first", "7.500000e-01")
    other.reload()
    shown(other, "first", "7.500000e-01")
    other.close()
    for wrong, why in (("#z=AAAA", "does not hold files"), ("#z=" + "A" * 50000, "does not hold files"), ("#j=e30", "does not hold files"), ("#elsewhere", None)):
        other = browser.new_page()
        other.goto(url + wrong)
        shown(other, "first", "dx.op.traceRay")
        expect(other.locator("#status")).to_contain_text(why or "Compiled")
        other.close()
    # What does not fit is not put there.
    large = "".join(f"// {hashlib.sha256(bytes([n % 256, n // 256])).hexdigest()}\n" for n in range(2000))
    text = page.input_value("#editor")
    put(page, large + text)
    compiled(page)
    page.click("#share")
    expect(page.locator("#status")).to_contain_text("too large for an address")
    put(page, text)
    compiled(page)


def export(page, browser, out):
    with page.expect_download() as download:
        page.click("#export")
    path = out / download.value.suggested_filename
    download.value.save_as(path)
    expect(page.locator("#status")).to_contain_text("Exported")
    alone = browser.new_page()
    alone.goto(path.as_uri())
    shown(alone, "first", "3.750000e-01")
    expect(alone.locator("#options")).to_be_hidden()
    assert alone.locator("#editor").count() == 0
    alone.close()


def files_of_the_machine(page, out):
    (out / "opened.hlsl").write_bytes(b"\xef\xbb\xbf// rtc -T cs_6_6\r\n#include \"opened.hlsli\"\r\nRWByteAddressBuffer Out;\r\n[numthreads(1, 1, 1)] void main() { Out.Store(0, N); }\r\n")
    (out / "opened.hlsli").write_text("#define N 815\n")
    page.set_input_files("#open", [out / "opened.hlsli", out / "opened.hlsl"])
    page.fill("#arguments", "")
    page.keyboard.press("Enter")
    shown(page, "first", "815")
    expect(page.locator("button.file[aria-pressed=true]")).to_have_text("opened.hlsl compiled")
    assert "\r" not in page.input_value("#editor")


def slow():
    """A source that takes the compiler longer than a test types."""
    functions = "".join(f"float f{n}(float x) {{ for (int i = 0; i < 9; i++) x = sin(x) * {n} + cos(x * x); return x; }}\n" for n in range(600))
    calls = " + ".join(f"f{n}(n)" for n in range(600))
    return f"// rtc -T cs_6_6\nRWByteAddressBuffer Out;\n{functions}[numthreads(1, 1, 1)] void main(uint n : SV_GroupIndex) {{ Out.Store(0, asuint({calls})); }}\n"


def without_end(browser, url):
    """A compilation that takes longer than a minute is stopped, and the next one is right."""
    page = browser.new_page()
    page.clock.install()
    # The first worker never answers. Time is counted from when it is asked for, which is after the module was compiled.
    asked = []

    def silent(route):
        asked.append(route)
        route.fulfill(content_type="text/javascript", body="onmessage = () => {};")

    page.route("**/worker.js", silent, times=1)
    page.goto(url)
    until(page, lambda: asked, lambda: "the page started no worker")
    expect(page.locator("#status")).to_have_text("Compiling…")
    page.clock.fast_forward(61_000)
    expect(page.locator("#status")).to_contain_text("did not end within 60 seconds")
    put(page, "// rtc -T cs_6_6\nRWByteAddressBuffer Out;\n[numthreads(1, 1, 1)] void main() { Out.Store(0, 1919); }\n")
    page.clock.run_for(1000)
    shown(page, "first", "1919")
    page.close()


def absent_files(browser, url):
    """A host that lacks a file: the page says which."""
    for name, why in (("rtc.wasm", "rtc.wasm: 404"), ("worker.js", "worker ended"), ("samples.json", None)):
        page = browser.new_page()
        page.route(f"**/{name}", lambda route: route.fulfill(status=404, body="absent"))
        page.goto(url)
        if why:
            expect(page.locator("#status")).to_contain_text(why)
        else:
            compiled(page)
        page.close()


def hard_sources(page):
    """What is too deep is a message, and the page goes on; while the compiler is busy, typing is not."""
    main = "// rtc -T cs_6_6\nRWByteAddressBuffer Out;\n[numthreads(1, 1, 1)] void main() { Out.Store(0, %s); }\n"
    for depth in (150, 250, 1000, 200000):
        put(page, main % ("(" * depth + "1" + ")" * depth))
        settled(page)
        print(f"{depth} parentheses: {page.locator('#status').inner_text()} {page.locator('#messages').inner_text().splitlines()[0][:120]}")
    put(page, main % "1717")
    shown(page, "first", "1717")
    # What the page says while it is busy may be gone before a test looks.
    page.evaluate(
        """() => {
          const status = document.getElementById('status');
          window.said = [];
          new MutationObserver(() => window.said.push(status.textContent)).observe(status, { childList: true, characterData: true, subtree: true });
        }"""
    )
    put(page, slow())
    page.wait_for_timeout(500)
    assert "Compiling…" in page.evaluate("window.said"), page.evaluate("window.said")
    worst = 0
    page.focus("#editor")
    page.keyboard.press("Control+End")
    for _ in range(10):
        start = time.monotonic()
        page.keyboard.type("//")
        page.evaluate("new Promise((done) => requestAnimationFrame(() => done(1)))")
        worst = max(worst, time.monotonic() - start)
    print(f"typing while the compiler works: at most {worst * 1000:.0f} ms for two characters and a frame")
    assert worst < 2, worst
    put(page, main % "1818")
    shown(page, "first", "1818")


def samples(page):
    page.once("dialog", lambda d: d.accept())
    page.select_option("#samples", label="ambient-occlusion")
    expect(page.locator("button.file[aria-pressed=true]")).to_contain_text("ambient-occlusion/ambient-occlusion.hlsl")
    shown(page, "first", "dx.op.traceRay")
    compiled(page)
    assert page.locator("button.file").count() > 1
    start = time.monotonic()
    page.evaluate("document.getElementById('editor').focus()")
    page.keyboard.press("Control+End")
    page.keyboard.type("\n// one more line")
    compiled(page)
    print(f"another sample: shown {time.monotonic() - start:.2f} s after typing")


def whole(playwright, folder, out):
    browser = launch(playwright)
    url = serve(folder)
    for theme in ("light", "dark"):
        page, said = watched(browser, color_scheme=theme, accept_downloads=True)
        page.goto(url)
        first_sample(page, out)
        typing(page, out, theme)
        links(page, out, theme)
        if theme == "light":
            includes(page, out)
            options(page)
            share(page, browser, url)
            export(page, browser, out)
            files_of_the_machine(page, out)
            hard_sources(page)
            samples(page)
            without_end(browser, url)
            absent_files(browser, url)
        assert not said, said
        page.close()
    browser.close()


with sync_playwright() as playwright:
    try:
        whole(playwright, *(pathlib.Path(a) for a in sys.argv[1:3]))
    except AssertionError as e:
        # An expectation ends with a description of the whole page, thousands of lines.
        place = [f"{f.name}, line {f.lineno}" for f in traceback.extract_tb(e.__traceback__) if f.filename == __file__]
        print("\n".join([f"in {' of '.join(reversed(place))}:", *str(e).splitlines()[:20]]), file=sys.stderr)
        sys.exit(1)
