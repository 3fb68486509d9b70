#!/usr/bin/env node
// Starts the program of this system, which is in a package of its own.
"use strict";
const { spawn } = require("node:child_process");
const { name } = require("./package.json");

const wanted = `${name}-${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${wanted}/bin/chant${process.platform === "win32" ? ".exe" : ""}`);
} catch {
  console.error(`chant: the package "${wanted}" is not installed; either npm was called without optional dependencies, or there is no chant for this system`);
  process.exit(1);
}
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
// A terminal sends Ctrl-C to both; chant decides when it ends, and what else is sent to this process is meant for it.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (err) => {
  console.error(`chant: ${program}: ${err.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  for (const s of ["SIGINT", "SIGTERM", "SIGHUP"]) process.removeAllListeners(s);
  process.kill(process.pid, signal);
});
