#!/usr/bin/env node
// A stand-in for the program rtc in tests: `lsp` is the server next to it, `explain` knows E0704, `explore` serves nothing but says where,
// and everything else prints its arguments. `-D FAIL` makes a compilation fail.

const args = process.argv.slice(2);
switch (args[0]) {
  case "lsp":
    require("./server.js");
    break;
  case "explain":
    if (args.at(-1) === "E0704") {
      process.stdout.write("# E0704: a payload access qualifier outside of a payload structure\n\nError.\n");
    } else {
      process.stderr.write(`rtc: error: there is no diagnostic \`${args.at(-1)}\`\n`);
      process.exitCode = 1;
    }
    break;
  case "explore":
    process.stdout.write("exploring at http://127.0.0.1:4711/?t=1\n");
    setInterval(() => {}, 1000);
    break;
  default:
    process.stderr.write(`${args.join(" ")}\n`);
    process.exitCode = args.includes("FAIL") ? 1 : 0;
}
