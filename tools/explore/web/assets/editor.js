// The editor: a text field over the pane of the source. The pane below shows what it always does (numbers, the colours of linked lines, marks), and scrolls along.

/** Puts an editor over the pane of the source. `changed` is called with the text after each change. */
export class Editor {
  constructor(page, changed) {
    this.page = page;
    this.pane = page.panes.source;
    this.changed = changed;
    const { box } = this.pane;
    this.field = page.make("textarea", {
      id: "editor", spellcheck: "false", autocomplete: "off", autocapitalize: "off", autocorrect: "off", wrap: "off", "aria-label": "Source", "aria-describedby": "status",
    });
    const around = page.make("div", { class: "editor" });
    box.replaceWith(around);
    around.append(box, this.field);
    // The field takes the place of the list of lines; what goes to the list goes to the field.
    box.tabIndex = -1;
    box.setAttribute("aria-hidden", "true");
    box.addEventListener("focus", () => {
      this.going = true;
      this.field.focus();
    });
    this.pane.onselect = (n) => {
      if (this.going && n >= 0) this.caretTo(n);
      this.going = false;
    };
    this.lines = [""];
    this.listen();
  }

  get text() {
    return this.field.value;
  }

  /** Shows a text; the pane is filled by its owner. */
  set(text) {
    this.field.value = text;
    this.lines = this.text.split("\n");
    this.field.setSelectionRange(0, 0);
    this.field.scrollTo(0, 0);
  }

  listen() {
    const { field, pane } = this;
    field.addEventListener("input", () => {
      this.follow();
      this.changed(this.text);
    });
    // Each scrolls the other; what one was set to is not news.
    const sync = (from, to) => from.addEventListener("scroll", () => {
      if (Math.abs(to.scrollTop - from.scrollTop) >= 1) to.scrollTop = from.scrollTop;
      if (Math.abs(to.scrollLeft - from.scrollLeft) >= 1) to.scrollLeft = from.scrollLeft;
    });
    sync(field, pane.box);
    sync(pane.box, field);
    document.addEventListener("selectionchange", () => this.caretMoved());
    field.addEventListener("keydown", (e) => this.onKey(e));
    field.addEventListener("mousemove", (e) => {
      if (!e.movementX && !e.movementY) return;
      const n = this.lineAt(e);
      this.page.link(pane.at[n]);
      const marks = pane.lines[n] ? [...pane.lines[n].querySelectorAll(".mark")] : [];
      field.title = marks.map((m) => m.title).join("\n");
    });
    field.addEventListener("mouseleave", () => this.page.link(pane.at[this.caretLine()]));
  }

  /** After a change the lines below have the numbers and colours that belong to them, as well as can be known before the compiler has seen them. */
  follow() {
    const [old, now] = [this.lines, this.text.split("\n")];
    this.lines = now;
    if (old.length === now.length) return;
    const { pane } = this;
    let [front, back] = [0, 0];
    const least = Math.min(old.length, now.length);
    while (front < least && old[front] === now[front]) front += 1;
    while (back < least - front && old[old.length - 1 - back] === now[now.length - 1 - back]) back += 1;
    const at = now.map((_, n) => (n < front ? pane.at[n] : n >= now.length - back ? pane.at[n - now.length + old.length] : undefined));
    pane.fill(now, at);
    this.filled();
  }

  /** After the pane is filled: it is scrolled as the text is, and its line is that of the caret. */
  filled() {
    const { pane, field } = this;
    pane.box.scrollTo(field.scrollLeft, field.scrollTop);
    pane.select(this.caretLine());
  }

  caretLine() {
    return this.text.slice(0, this.field.selectionStart).split("\n").length - 1;
  }

  caretTo(n) {
    if (this.caretLine() === n) return;
    const start = this.lines.slice(0, n).reduce((sum, l) => sum + l.length + 1, 0);
    this.field.setSelectionRange(start, start);
  }

  caretMoved() {
    if (document.activeElement !== this.field) return;
    const n = this.caretLine();
    if (n === this.pane.current || !this.pane.lines[n]) return;
    this.page.choose(this.pane, n);
  }

  lineAt(e) {
    const style = getComputedStyle(this.field);
    return Math.floor((e.offsetY + this.field.scrollTop - parseFloat(style.paddingTop)) / parseFloat(style.lineHeight));
  }

  onKey(e) {
    const control = e.ctrlKey || e.metaKey;
    if (control && e.key === "Enter") {
      e.preventDefault();
      const goal = this.page.panes.first;
      goal.box.focus();
      const at = this.pane.at[this.caretLine()];
      const found = at && goal.byPlace?.get(`${at[0]}:${at[1]}`);
      if (found) this.page.choose(goal, found[0]);
    } else if (control && (e.key === "]" || e.key === "[")) {
      e.preventDefault();
      this.indent(e.key === "]");
    } else if (e.key === "Enter" && !control && !e.shiftKey && !e.altKey && !e.isComposing) {
      e.preventDefault();
      const line = this.lines[this.caretLine()].slice(0, this.field.selectionStart - this.text.lastIndexOf("\n", this.field.selectionStart - 1) - 1);
      const blank = /^[ \t]*/.exec(line)[0];
      this.insert(`\n${blank}${/\{\s*$/.test(line) ? "    " : ""}`);
    }
  }

  /** Inserts a text as if it was typed, so that it can be undone. */
  insert(text) {
    if (!document.execCommand("insertText", false, text)) this.field.setRangeText(text, this.field.selectionStart, this.field.selectionEnd, "end");
  }

  /** Moves the chosen lines to the right or to the left. */
  indent(right) {
    const { field } = this;
    const first = this.text.lastIndexOf("\n", field.selectionStart - 1) + 1;
    const end = this.text.indexOf("\n", Math.max(field.selectionEnd - 1, field.selectionStart));
    const last = end < 0 ? this.text.length : end;
    const moved = this.text.slice(first, last).split("\n").map((l) => (right ? (l ? `    ${l}` : l) : l.replace(/^( {1,4}|\t)/, ""))).join("\n");
    field.setSelectionRange(first, last);
    this.insert(moved);
    field.setSelectionRange(first, first + moved.length);
  }
}
