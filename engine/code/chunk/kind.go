package chunk

// Kind says what a chunk is.
type Kind string

// Kinds of chunks. A language uses those that it has a word for.
const (
	Function      Kind = "function"
	Method        Kind = "method"
	Initializer   Kind = "initializer"   // and constructor
	Deinitializer Kind = "deinitializer" // and destructor
	Subscript     Kind = "subscript"
	Class         Kind = "class"
	Struct        Kind = "struct"
	Enum          Kind = "enum"
	Protocol      Kind = "protocol"
	Interface     Kind = "interface" // and trait
	Extension     Kind = "extension" // and impl
	Actor         Kind = "actor"
	Macro         Kind = "macro"
	TypeAlias     Kind = "typealias"
	Variable      Kind = "variable"
	Constant      Kind = "constant"
	Namespace     Kind = "namespace" // and module
	File          Kind = "file"      // what a file has beside its declarations: imports, statements
	Section       Kind = "markdownSection"
	Document      Kind = "document" // text without a structure, data
	Unknown       Kind = "unknown"
)

// IsType reports whether the kind is one of types, of which other types may inherit.
func (k Kind) IsType() bool {
	switch k {
	case Class, Struct, Enum, Protocol, Interface, Extension, Actor, TypeAlias:
		return true
	default:
		return false
	}
}

// IsCallable reports whether what is of this kind can be called.
func (k Kind) IsCallable() bool {
	switch k {
	case Function, Method, Initializer, Deinitializer, Subscript, Macro:
		return true
	default:
		return false
	}
}

// IsText reports whether the chunk is documentation rather than code.
func (k Kind) IsText() bool { return k == Section || k == Document }
