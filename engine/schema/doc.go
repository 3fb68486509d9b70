// Package schema reads JSON Schemas and says where a JSON value breaks one. It
// wraps the library that knows the drafts, and it is pure: nothing is opened,
// fetched or started.
//
// # Rules
//
//   - A schema stands by itself. What it refers to is inside it or one of the
//     drafts' own meta-schemas, which the library carries; a reference to the
//     network, to a file or to another document is a *RefersError.
//   - Reading is bounded: a schema by schemaLimit, an agent's text by textLimit,
//     the problems of one value by problemLimit.
//   - Found JSON is the agent's own bytes. Nothing in it is mended; Broken says what would
//     have to be.
//
// # Decisions
//
// 2026-11-20: a schema without "$schema" is read as draft 2020-12, the newest.
// Rejected: asking for the key, which most schemas written by hand do not have.
//
// 2026-11-20: "format" is checked in every draft. Rejected: the drafts' own rule, by
// which it means something or nothing depending on the year of the schema.
//
// 2026-11-20: references to files beside the schema are refused like any other.
// Rejected: reading them from the commit of the schema, for then what a run is judged
// by would be spread over files that no one names.
//
// 2026-11-23: santhosh-tekuri/jsonschema stays, although loading its meta-schemas takes 4 ms of each start. Rejected:
// google/jsonschema-go, which package mcp/toolset uses to derive schemas. It knows draft 7 and 2020-12 only, reports the
// first problem as a sentence without a place, does not check formats or the schema itself, and has no
// meta-schemas to refer to.
package schema
