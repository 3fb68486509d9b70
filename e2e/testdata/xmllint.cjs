// Validates the XML file argv[2] against the schema argv[3]; prints what is wrong.
const { readFileSync } = require("node:fs");
const { validateXML } = require("xmllint-wasm");

const read = (name) => readFileSync(name, "utf8");

validateXML({
  xml: [{ fileName: "report.xml", contents: read(process.argv[2]) }],
  schema: [read(process.argv[3])],
}).then((answer) => {
  if (answer.valid) return;
  console.error(answer.rawOutput);
  process.exitCode = 1;
});
