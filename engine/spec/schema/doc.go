// Package schema reads JSON Schemas of the drafts 4, 6, 7, 2019-09 and 2020-12, and reports where a JSON value violates
// one. It is pure: it opens, fetches and starts nothing.
//
// # Rules
//
//   - A schema is self-contained. It refers only to its own parts and to the drafts' own
//     meta-schemas, which are written here; a reference to the network, to a file
//     or to another document is a *RefersError.
//   - keywords lists each keyword with the drafts that know it and the form of its value. The meta-schemas are made of
//     this list, when they are needed.
//   - Reading is bounded: a schema by schemaLimit, an agent's text by textLimit,
//     the problems of one value by problemLimit.
//   - Find returns the agent's own bytes and repairs nothing; Broken describes what is wrong.
//
// # Decisions
//
// 2026-11-20: a schema without "$schema" is read as draft 2020-12, the newest.
// Rejected: requiring the key, which most schemas written by hand do not have.
//
// 2026-11-20: "format" is checked in every draft. Rejected: the drafts' own rule, by
// which it is checked or ignored depending on the year of the schema.
//
// 2026-11-20: references to files beside the schema are refused like any other.
// Rejected: reading them from the commit of the schema. A run would then be judged by
// files that no spec names.
//
// 2026-11-29: the evaluation is our own, after trying again what was rejected on 2026-11-23.
// Rejected: santhosh-tekuri/jsonschema v6.0.3. It compiles the meta-schemas of all drafts in an init that no setting avoids:
// 4.4 ms of each start (a program that imports it takes 5.5 ms, an empty one 1.1; chant --version took 9.3 ms beside other
// work), and a copy without that is 4,200 lines.
// Rejected: google/jsonschema-go v0.4.3, which package mcp/toolset uses to derive schemas. The schema {"$ref":"#"} ends the
// whole process with a stack overflow, which Go cannot recover; {"type":"objekt"} is accepted; the first problem is all that
// it reports, as a sentence with the place in the schema and not in the value; formats are not checked, and drafts 4, 6 and
// 2019-09 are unknown.
// Rejected: kaptinlin/jsonschema (draft 2020-12 only) and xeipuuv/gojsonschema (no draft after 7).
//
// 2026-11-23: a format is checked as its standard describes it, except that addresses may contain characters that
// browsers escape, and a duration may leave out a unit in the middle (P1Y2D). Both are common.
package schema
