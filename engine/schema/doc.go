// Package schema reads JSON Schemas and reports where a JSON value violates one. It
// wraps the library that implements the drafts. It is pure: it opens, fetches and
// starts nothing.
//
// # Rules
//
//   - A schema is self-contained. It refers only to its own parts and to the drafts' own
//     meta-schemas, which are part of the library; a reference to the network, to a file
//     or to another document is a *RefersError.
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
// 2026-11-23: santhosh-tekuri/jsonschema stays, although loading its meta-schemas takes 4 ms of each start. Rejected:
// google/jsonschema-go, which package mcp/toolset uses to derive schemas. It knows draft 7 and 2020-12 only, reports
// the first problem as a sentence without a place, does not check formats or the schema itself, and has no meta-schemas
// to refer to.
package schema
