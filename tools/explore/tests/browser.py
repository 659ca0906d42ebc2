"""Opens the page in headless Chromium and uses it as a person does: with the mouse, with the keyboard, in both themes, while the source changes.

browser.py alone PAGE.html FOLDER       the page of a file
browser.py served URL SOURCE FOLDER     the page of a server, whose source is edited
Screenshots go to FOLDER. Exit code 77: a browser is missing, and standard output says which.
"""
import pathlib
import shutil
import sys

try:
    from playwright.sync_api import Error, expect, sync_playwright
except ImportError:
    print("the Python package `playwright` (pip install playwright)")
    sys.exit(77)

# An expectation waits so many milliseconds: a busy machine takes its time, and the default of five seconds is too short for one.
expect.set_options(timeout=60_000)


def launch(playwright):
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    try:
        return playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
    except Error as e:
        if found is None:
            print("Chromium (Debian: chromium; or playwright install chromium)")
            sys.exit(77)
        raise e


def watched(browser, **options):
    """A page, and what it complains about or asks the network for."""
    page = browser.new_page(viewport={"width": 1500, "height": 900}, **options)
    said = []
    page.on("console", lambda m: said.append(m.text) if m.type in ("error", "warning") else None)
    page.on("pageerror", lambda e: said.append(str(e)))
    page.on("request", lambda r: said.append(r.url) if not r.url.startswith(("file:", "data:", "http://127.0.0.1:")) else None)
    return page, said


def contrast(page, selector):
    """The contrast of an element's text with what is behind it (WCAG)."""
    return page.evaluate(
        """(selector) => {
          const pixel = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
          const layers = [];
          const element = document.querySelector(selector);
          for (let e = element; e; e = e.parentElement) layers.unshift(getComputedStyle(e).backgroundColor);
          const painted = (colors) => {
            pixel.clearRect(0, 0, 1, 1);
            for (const c of colors) { pixel.fillStyle = c; pixel.fillRect(0, 0, 1, 1); }
            return [...pixel.getImageData(0, 0, 1, 1).data].slice(0, 3);
          };
          const light = (rgb) => {
            const [r, g, b] = rgb.map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
          };
          const [a, b] = [light(painted(layers)), light(painted([...layers, getComputedStyle(element).color]))];
          return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        }""",
        selector,
    )


def alone(browser, path, folder):
    for theme in ("light", "dark"):
        page, said = watched(browser, color_scheme=theme)
        page.goto(pathlib.Path(path).absolute().as_uri())
        expect(page.locator("#source .line").first).to_be_visible()
        # Nothing that cannot work here: without a server there is nothing to compile with.
        expect(page.locator("#options")).to_be_hidden()
        # It opens on the code of the first shader, in colours, with the picture and the reorder points of the scene.
        for pane, text in (("source", 'void Sky'), ("first", "define void"), ("second", "OpFunction")):
            expect(page.locator(f"#{pane} .line", has_text=text).first).to_be_in_viewport()
        for pane, kind, text in (("source", "c-t", "RaytracingAccelerationStructure"), ("first", "c-k", "define"), ("second", "c-k", "OpFunction")):
            expect(page.locator(f"#{pane} .{kind}", has_text=text).first).to_be_attached()
        expect(page.locator("#scene-image")).to_be_in_viewport()
        expect(page.locator("#scene table").first).to_contain_text("TraceRay")
        # The mouse: a line of the source shows its lines in both listings.
        page.locator("#source .line", has_text="TraceRay(Scene").click()
        for pane, instruction in (("first", "dx.op.traceRay"), ("second", "OpTraceRayKHR")):
            linked = page.locator(f"#{pane} .line.linked", has_text=instruction).first
            expect(linked).to_be_in_viewport()
        expect(page.locator("#status")).to_contain_text("of the listings")
        expect(page.locator("#source .mark.reorder")).to_be_in_viewport()
        page.screenshot(path=f"{folder}/{theme}-linked.png")
        # Back: a line of a listing shows its line of the source.
        page.locator("#first .line", has_text="3.500000e+00").first.click()
        expect(page.locator("#source .line.current")).to_contain_text("n * 3.5")
        for selector in ("#source .line.current .text", "#first .line.linked .text", "#status", "#source .number", "#tab-messages"):
            found = contrast(page, selector)
            assert found >= 4.5, f"{theme}: the contrast of {selector} is {found:.2f}"
        # The keyboard: from a listing to the source and back, line by line, place by place.
        page.locator("#first").focus()
        page.keyboard.press("Home")
        page.keyboard.press("ArrowDown")
        assert page.get_attribute("#first", "aria-activedescendant") == "first-1"
        page.keyboard.press("n")
        active = page.get_attribute("#first", "aria-activedescendant")
        expect(page.locator(f"#{active}")).to_have_class("line from current linked")
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "source"
        here = page.locator("#source .line.current").inner_text()
        page.keyboard.press("n")
        assert page.locator("#source .line.current").inner_text() != here
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "first"
        # Each control is reached with Tab.
        reached = set()
        page.locator("a.skip").focus()
        for _ in range(60):
            page.keyboard.press("Tab")
            reached.add(page.evaluate("document.activeElement.id"))
        wanted = {"source", "source-pick", "first", "first-pick", "second", "second-pick", "tab-scene", "scene"}
        assert wanted <= reached, wanted - reached
        # Another listing: the IR after a pass.
        page.select_option("#first-pick", label="IR after inline")
        expect(page.locator("#first .line", has_text="trace_ray").first).to_be_attached()
        expect(page.locator("#first-doc")).to_contain_text("nlining")
        # Reports.
        page.locator("#tab-messages").focus()
        page.keyboard.press("ArrowRight")
        expect(page.locator("#payloads table").first).to_contain_text("color")
        assert page.locator("#payloads td.live").count() > 0
        page.screenshot(path=f"{folder}/{theme}-payloads.png")
        page.keyboard.press("ArrowRight")
        expect(page.locator("#reorder")).to_contain_text("TraceRay")
        expect(page.locator("#reorder th", has_text="divergent").first).to_be_attached()
        page.locator("#reorder button.place").first.click()
        expect(page.locator("#source .line.current")).to_contain_text("TraceRay(Scene")
        page.screenshot(path=f"{folder}/{theme}-reorder.png")
        # What the sanitizer found, with its line.
        page.click("#tab-findings")
        expect(page.locator("#tab-findings")).to_have_text("Findings (1)")
        expect(page.locator("#findings table").first).to_contain_text("texel (160, 0)")
        page.locator("#findings button.place").first.click()
        expect(page.locator("#source .line.current")).to_contain_text("Output[DispatchRaysIndex().xy] =")
        expect(page.locator("#source .line.current")).to_have_class("line from found current linked")
        expect(page.locator("#source .line.current .mark.finding")).to_contain_text("bounds ×120")
        page.screenshot(path=f"{folder}/{theme}-findings.png")
        # The scene: its picture, the coherence over it, and the lines where waves diverge.
        page.click("#tab-scene")
        for image in ("scene-image", "scene-heat"):
            assert page.evaluate("(id) => document.getElementById(id).naturalWidth", image) == 160, image
        assert page.get_attribute("#scene-heat", "style") == "opacity: 0;"
        page.focus("#scene-over")
        for _ in range(10):
            page.keyboard.press("ArrowRight")
        assert page.get_attribute("#scene-heat", "style") == "opacity: 0.5;"
        expect(page.locator("#scene table")).to_contain_text("3.37 → 1.02")
        hot = page.locator("#source .line.hot")
        assert hot.count() == 2
        colors = hot.evaluate_all("(lines) => lines.map((l) => getComputedStyle(l, '::before').backgroundColor)")
        assert len(set(colors)) == 2, colors
        expect(page.locator("#source .mark.coherence").first).to_have_text("▦ 1.5")
        page.locator("#scene button.place").first.click()
        expect(page.locator("#source .line.current")).to_contain_text("TraceRay(Scene")
        page.screenshot(path=f"{folder}/{theme}-scene.png")
        for selector in ("#scene-state", "#scene td.heat", "#source .mark.finding", "#source .mark.coherence"):
            found = contrast(page, selector)
            assert found >= 4.5, f"{theme}: the contrast of {selector} is {found:.2f}"
        # Without a panel, and in other fonts: what the comparison with references must tell, and must not.
        for name, selector in (("source", "#source"), ("first", "#first"), ("second", "#second"), ("scene", "#scene"), ("header", "header")):
            page.evaluate("(s) => (document.querySelector(s).style.visibility = 'hidden')", selector)
            page.screenshot(path=f"{folder}/{theme}-without-{name}.png")
            page.evaluate("(s) => (document.querySelector(s).style.visibility = '')", selector)
        style = page.add_style_tag(content="body, select, input, button { font-family: serif !important; } .code { font-family: monospace !important; }")
        page.screenshot(path=f"{folder}/{theme}-fonts.png")
        style.evaluate("(e) => e.remove()")
        # Permutations, which a page that stands alone cannot compile.
        page.click("#tab-permutations")
        expect(page.locator("#permutations-about")).to_contain_text("rtc.toml has 4000 permutations of this source")
        expect(page.locator("#permutations-filter")).to_be_hidden()
        # A narrow window has one column, and nothing is wider than it.
        page.set_viewport_size({"width": 420, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= 420
        assert not said, said
        page.close()


def served(browser, url, source, folder):
    page, said = watched(browser, color_scheme="light")
    page.goto(url)
    expect(page.locator("#arguments")).to_be_enabled()
    text = pathlib.Path(source).read_text()
    # The page follows the source as it is saved.
    page.locator("#first").evaluate("(e) => (e.scrollTop = 100)")
    pathlib.Path(source).write_text(text.replace("3.5", "7.25"))
    expect(page.locator("#source")).to_contain_text("n * 7.25")
    expect(page.locator("#first")).to_contain_text("7.250000e+00")
    assert page.locator("#first").evaluate("(e) => e.scrollTop") == 100
    # The picture of this source cannot be rendered.
    page.click("#tab-scene")
    expect(page.locator("#tab-scene")).to_have_text("Scene (failed)")
    expect(page.locator("#scene")).to_contain_text("cannot go on")
    expect(page.locator("#source .mark.finding")).to_have_text("✗ stopped here")
    # Another source: its picture comes when it is rendered, and the page does not wait for it.
    pathlib.Path(source).write_text(text.replace("3.5", "6.5"))
    expect(page.locator("#first")).to_contain_text("6.500000e+00")
    expect(page.locator("#scene-state")).to_contain_text("rendered by the CPU device")
    expect(page.locator("#scene-image")).to_be_visible()
    expect(page.locator("#source .line.hot")).to_have_count(2)
    page.click("#tab-messages")
    # An error, and its line.
    pathlib.Path(source).write_text(text.replace("3.5", "undeclared"))
    expect(page.locator("#messages")).to_contain_text("undeclared")
    expect(page.locator("#source .mark.error")).to_be_visible()
    expect(page.locator("#first .missing")).to_be_visible()
    page.screenshot(path=f"{folder}/error.png")
    pathlib.Path(source).write_text(text)
    expect(page.locator("#first")).to_contain_text("3.500000e+00")
    # The file vanishes and returns.
    pathlib.Path(source).unlink()
    expect(page.locator("#messages")).to_contain_text("cannot read")
    pathlib.Path(source).write_text(text)
    expect(page.locator("#first")).to_contain_text("3.500000e+00")
    # Permutations: thousands, filtered, chosen with the keyboard.
    page.click("#tab-permutations")
    expect(page.locator("#permutations-count")).to_have_text("4000 match, the first 200 are shown.")
    page.fill("#permutations-filter", "kind=77 spirv")
    expect(page.locator("#permutations-count")).to_have_text("11 match.")
    page.keyboard.press("Tab")
    # The panel's list is next.
    assert page.evaluate("document.activeElement.textContent") == "traces [spirv] KIND=77"
    page.keyboard.press("Enter")
    expect(page.locator("#arguments")).to_have_value("-T lib_6_9 -D KIND=77")
    expect(page.locator("#permutations-about")).to_contain_text("traces [dxil] KIND=77, traces [spirv] KIND=77")
    expect(page.locator("#first-pick")).to_have_value("spirv")
    expect(page.locator("#second-pick")).to_have_value("dxil")
    expect(page.locator(".permutation[aria-pressed=true]")).to_have_text("traces [spirv] KIND=77")
    page.screenshot(path=f"{folder}/permutations.png")
    page.fill("#permutations-filter", "KIND=78 dxil")
    page.locator(".permutation", has_text="KIND=78").first.click()
    expect(page.locator("#first-pick")).to_have_value("dxil")
    page.fill("#permutations-filter", "nothing of this name")
    expect(page.locator("#permutations-count")).to_have_text("0 match.")
    page.fill("#arguments", "-T lib_6_9")
    page.keyboard.press("Enter")
    expect(page.locator("#permutations-about")).to_contain_text("those of none")
    # Options.
    page.select_option("#level", "-Od")
    expect(page.locator("#arguments")).to_have_value("-T lib_6_9 -Od")
    expect(page.locator("#status")).to_have_text("Compiled.")
    page.select_option("#profile", "lib_6_6")
    expect(page.locator("#name")).to_contain_text("lib_6_6")
    page.fill("#arguments", '-T lib_6_9 "-nonsense"')
    page.keyboard.press("Enter")
    expect(page.locator("#messages")).to_contain_text("nonsense")
    page.fill("#arguments", '-T lib_6_9 "-open')
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_contain_text("quote that does not end")
    complaints = [s for s in said if "400 (Bad Request)" not in s]
    assert not complaints, complaints
    page.close()


if __name__ == "__main__":
    with sync_playwright() as playwright:
        browser = launch(playwright)
        {"alone": alone, "served": served}[sys.argv[1]](browser, *sys.argv[2:])
        browser.close()
