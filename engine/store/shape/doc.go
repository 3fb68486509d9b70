// Package shape reads YAML into a Go value and reports every unknown key and every wrong value, where decoding
// ends at the first. It is pure: it opens, fetches and starts nothing.
//
// # Rules
//
//   - Every fault has a line and the name of its key from the top, with dots.
//   - A field is a row of the table of settings: its yaml tag is the key, its rule tag names the function that reads
//     a single value, and its type is the form of everything else.
//   - A type with an UnmarshalYAML is decoded by it. Where such a type has an outline, its keys and values are checked
//     against the outline too, so that each fault is reported with its own key.
//   - What is wrong is removed from the given tree, so that the rest of it can be decoded.
//
// # Decisions
//
// 2026-11-29: looked at again for yaml.v3 3.0.6 with KnownFields, which reports unknown keys and wrong values of plain fields
// in one pass. Rejected as before: it names a Go type and a field ("field tme not found in type config.limits") where people
// get limits.tme; it finds no unknown key below a type with an UnmarshalYAML, because Node.Decode does not know the
// setting; and the first error of an UnmarshalYAML ends it, so that of {limits: {time: 7q}, nope: 1} only the first fault
// is reported. With a pass of our own for these, nothing would be saved.
//
// 2026-11-20: the Go type is the schema. Rejected: a schema beside it, in JSON Schema or
// otherwise, which would agree with what is read until someone forgets it.
//
// 2026-11-23: rules of single values are functions that a tag names, and reading and checking are one pass. Rejected:
// a type with an UnmarshalYAML for each format, whose values callers convert back, and a check beside the decoder;
// and a list of rows {key path, pointer to the field, rule}, which names every key a second time.
package shape
