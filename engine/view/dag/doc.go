// Package dag is the graph of specs as data: which exist and which must be done before which. It selects parts of the
// graph, and writes it as text, Mermaid, DOT and SVG.
//
// It decides nothing: what a spec waits for, and whether it is ready, is the answer of engine/spec.
//
// # Rules
//
//   - The needs of a graph lead to the same order as spec.Graph.WaitsFor and Members, but a need that follows from others
//     is left out: of lower siblings, of members of a driver, and of what a member inherits from its driver. Those that
//     a spec names in depends_on are all there.
//   - A need that closes a cycle and one that does not exist are shown, never dropped.
//   - The same graph gives the same bytes in every format.
//
// # Decisions
//
// 2026-11-29: a picture has the order and the lanes of the text: one row for each spec, arrows along lanes. Rejected: boxes
// in layers with crossings reduced and rows by least squares, 550 lines that were here until then, for the same needs in
// another place; github.com/goccy/go-graphviz, which brings a WebAssembly runtime and Graphviz along; drawing Mermaid in
// the reader's browser, since no page carries its 3 MB and pictures are files, too.
//
// 2026-11-26: in text, each vertex has a line and each source one lane. Rejected: boxes joined by lines, because lines that
// meet before a box cannot be told from lines that part, and a graph of more than four layers is wider than a terminal.
//
// 2026-11-26: needs that follow are left out. Rejected: all of them, since a driver with a hundred members in order has
// five thousand, which nobody can read or draw.
package dag
