// Package linter is the operation Lint: it reads the specs, prompts and settings of a project and checks them by the
// rules of package engine/spec/lint, which are pure and read nothing themselves. It gives these rules access to the
// project's files, schemas, providers and settings, and writes the fixes that they suggest.
//
// It starts no process, except git once, to read what is staged.
package linter
