// Package jsonschema has the names of github.com/santhosh-tekuri/jsonschema/v6 that mcp-go needs to compile, and
// nothing behind them. The go.mod file of chant puts it in place of that package.
//
// # Rules
//
//   - Using it is a mistake, and it panics. mcp-go uses it only if a server is created with input or output validation.
//     chant never does: package mcp/toolset checks the arguments of tools, and engine/spec/schema the answers of agents.
//
// # Decisions
//
// 2026-11-29, tried again: v6.0.3 of the real package compiles the meta-schemas of five drafts when the program starts, 4.4 ms
// of a start of 9.3 ms, whether a schema is used or not. Rejected: another MCP library.
package jsonschema

import (
	"fmt"
	"io"
)

// Schema would be a compiled schema.
type Schema struct{}

// Compiler would compile schemas.
type Compiler struct{}

// ValidationError would describe a violation.
type ValidationError struct {
	InstanceLocation []string
	ErrorKind        fmt.Stringer
	Causes           []*ValidationError
}

// Error implements error.
func (*ValidationError) Error() string { return "this package validates nothing" }

// unused is the panic of each function.
const unused = "the validation of mcp-go is switched on, but chant leaves out its validator (see mcp/novalidator)"

// NewCompiler panics.
func NewCompiler() *Compiler { panic(unused) }

// UnmarshalJSON panics.
func UnmarshalJSON(io.Reader) (any, error) { panic(unused) }

// AddResource panics.
func (*Compiler) AddResource(string, any) error { panic(unused) }

// Compile panics.
func (*Compiler) Compile(string) (*Schema, error) { panic(unused) }

// Validate panics.
func (*Schema) Validate(any) error { panic(unused) }
