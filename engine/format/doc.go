// Package format is the domain of documents that other tools define: OpenSpec, spec-kit, lists of tasks, lotar, prompts of
// climpt, configuration of agents, reports for CI. Each package below reads and writes one of them to the byte, and knows
// nothing of a project. What chant does with such a document belongs to the operation that does it.
//
// The package itself has what several of them write: a finished plan, and the Markdown of texts that must not change the
// document around them.
package format
