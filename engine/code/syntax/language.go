package syntax

import (
	"chant/engine/code/chunk"
	"chant/grammars"
)

// Language is a language that Chunks reads.
type Language = grammars.Language

// Languages that Chunks reads.
const (
	Swift      = grammars.Swift
	TypeScript = grammars.TypeScript
	TSX        = grammars.TSX
	JavaScript = grammars.JavaScript
	Python     = grammars.Python
	Rust       = grammars.Rust
	Java       = grammars.Java
	Kotlin     = grammars.Kotlin
	C          = grammars.C
	CPP        = grammars.CPP
	CSharp     = grammars.CSharp
	Ruby       = grammars.Ruby
	PHP        = grammars.PHP
	Bash       = grammars.Bash
)

// role is the meaning of a kind of node for the walker.
type role uint8

const (
	declares role = iota + 1 // a chunk
	wraps                    // a declaration with what belongs to it: decorators, "export"
	comments                 // documentation of what follows
	attaches                 // an attribute before a declaration
	marks                    // an attribute within a declaration, left out of its signature
	imports                  // names other files
	calls                    // calls what its first child or a field names
	passes                   // names a function without a call
	bases                    // contains the types that a type extends
	names                    // names a type
	holds                    // declares names that are no chunks: variables, fields
	enters                   // may contain declarations
)

// rule is the row of a kind of node in the table of a language.
type rule struct {
	role role
	kind chunk.Kind // of what a node declares
	// field is the field with the name of a declaration, the callee of a call or the path of an import. Kinds of children
	// serve, too. "" means name, or the first child of a call.
	field string
	// needs is what a node must contain besides, to be a declaration: the kind or field of a child; "" if nothing.
	needs string
}

// table describes a language by kinds of nodes.
type table map[string]rule

func declare(kind chunk.Kind) rule             { return rule{role: declares, kind: kind} }
func named(kind chunk.Kind, field string) rule { return rule{role: declares, kind: kind, field: field} }
func call(field string) rule                   { return rule{role: calls, field: field} }

func does(r role, kinds ...string) table {
	t := table{}
	for _, k := range kinds {
		t[k] = rule{role: r}
	}
	return t
}

// join returns a table with the rows of all; later ones win.
func join(tables ...table) table {
	all := table{}
	for _, t := range tables {
		for k, r := range t {
			all[k] = r
		}
	}
	return all
}

// tableOf returns the table of a language.
func tableOf(l Language) table {
	switch l {
	case Swift:
		return swift()
	case TypeScript, TSX, JavaScript:
		return script()
	case Python:
		return python()
	case Rust:
		return rust()
	case Java:
		return java()
	case Kotlin:
		return kotlin()
	case C, CPP:
		return cFamily()
	case CSharp:
		return csharp()
	case Ruby:
		return ruby()
	case PHP:
		return php()
	case Bash:
		return bash()
	default:
		return nil
	}
}
