// Package layered arranges a directed graph for drawing. Arrange puts its vertices in layers, for pictures; Lanes puts
// them in lines with edges as lanes beside them, for text.
//
// It knows vertices by number and nothing of what they mean, how large they are drawn or in which units.
//
// # Rules
//
//   - The same graph always gives the same result. Where several are equally good, the order of vertices and edges
//     decides.
//   - Every edge leads to a later layer or line, except those that close a cycle: these are marked as Back.
//   - No two vertices, and no vertex and an edge that passes its layer, share a spot.
//   - Connected parts are arranged one after the other, and vertices without edges come last.
//   - Time grows with vertices and edges, not with the length of edges: an edge over so many layers that spots for all
//     such edges would be too many takes no spots between its ends (maxPassing).
//
// # Decisions
//
// 2026-11-26: vertices are in layers by their longest way from a source, crossings are reduced by barycentres, and rows
// are the least-squares solution for each layer, all on a grid of whole numbers. Rejected: positions in pixels, which
// every reader of a page, a terminal and a test would have to convert; and network simplex, which is several times as
// long for pictures that look alike.
//
// 2026-11-26: in text, each vertex has a line and each source one lane. Rejected: boxes joined by lines, because lines
// that meet before a box cannot be told from lines that part, and because a graph of more than four layers is wider
// than a terminal.
package layered
