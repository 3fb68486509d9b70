// Package toolset describes the tools of MCP as values: a set of tools is a name, a sentence, instructions for a
// model and rows, and each row names an operation. It derives the schema of a tool's arguments from the Input struct
// of its operation and checks arguments against that schema.
//
// It knows nothing of the protocol and serves no one: package mcp lists and calls the tools, and packages such as
// mcp/tools contain the rows of one family.
//
// # Rules
//
//   - The Input struct is the only description of a tool's arguments. Its json tag names a property, its jsonschema
//     tag describes it, and its schema tag limits it: `schema:"min=0,max=9,default=2"` or `schema:"enum=a|b"`. The
//     keys are enum, default, min, max, minlen, maxlen, minitems and maxitems. Of a list, all but the last two limit
//     the items.
//   - A row selects the properties that a tool takes. What depends on the settings, such as an enum, is added to a
//     property by Param.Refine.
//   - A row whose operation can be a next step names it in NextOp. Errors then name the call of the tool, where it takes
//     all that the step says.
//   - A property that is not in the schema is refused, at every level, and null means a property that is absent.
//   - A tool of a dialect may be lenient (Foreign.Lenient): its arguments are not checked against its schema, and operations report what
//     they cannot read. The schema is then only what clients see.
//   - A set for clients of another server with plain MCP has the names of that server where it is served alone
//     (Alone): its rows, its instructions and the texts of its rows use the long names, which are replaced. Texts of
//     struct tags name no tool. Its rows report failures in the form of that server (Foreign.Failure).
//   - The content of a reply is a list of blocks (Block): texts, links and recordings, with annotations. Package mcp
//     writes them in the version of the protocol that the client knows.
//   - A call may run as a task (Tool.Task) where it can take long and stops when its context is done.
//   - Schemas are derived when they are needed, never when the program starts.
//
// # Adding a toolset
//
// Write a package mcp/<family> with a function that returns its Set, add that to the list in mcp/server.go, the
// package to the table of e2e/layers_test.go and a case for each tool to mcp/parity_test.go, then run UPDATE=1 go
// test ./mcp -run Toolsets_guide. A tool is one row; its operation's Input struct needs json, jsonschema and, for
// limits, schema tags.
//
// # Decisions
//
// 2026-11-23: google/jsonschema-go derives the schemas, but the check of arguments is ours, on its Schema. Rejected:
// its own Validate, which reports the first problem as prose without the value, has no place for what is allowed, and
// knows nothing of null for absent or of 1e1 for 10; validating there and again here for a better text.
//
// 2026-11-23: limits are a struct tag of our own beside jsonschema, whose text is the description and nothing else in
// that library. Rejected: limits in the rows, since the command line and the tool share the Input struct.
//
// 2026-11-23: lists of tools leave out "additionalProperties": false, which holds for every object. Rejected:
// repeating it in each schema, which every conversation would pay for.
//
// 2026-11-23: output schemas describe the first level only, derived here. Rejected: the library's, which describes
// all levels and fails on a result that contains itself.
package toolset
