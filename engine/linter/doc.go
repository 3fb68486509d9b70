// Package linter checks the specs and prompts of a project by the rules of engine/lint, with what these need to know of the
// project: its files, schemas, providers and settings. It also fixes what has one certain fix.
//
// Linting starts no process, except that git is asked once what is staged.
package linter
