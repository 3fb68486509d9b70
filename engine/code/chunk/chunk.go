package chunk

// MaxBytes is how long a chunk may be.
const MaxBytes = 16 << 10

// Chunk is a piece of a file.
type Chunk struct {
	Kind       Kind
	Symbols    []string // the names that it declares, its own first; none for text
	Signature  string   // of functions and types, on one line; "" for others
	Breadcrumb string   // "Server > handle" or "Guide > Install > Linux"; "" at the top level
	Doc        string   // the text of the doc comment without its marks
	// Start and End are the bytes of the file that it consists of, from Start to before End, with its doc comment. They
	// start and end at the boundaries of lines, unless a line has several chunks.
	Start, End int
	// StartLine and EndLine are its first and last line, counted from 1.
	StartLine, EndLine int
	Inherits           []string // types that a type extends, implements, embeds or conforms to, as written without arguments
	Edges              []Edge   // what it uses, each once, in the order of the first use
}

// Name returns the first symbol, or "" if the chunk declares nothing.
func (c Chunk) Name() string {
	if len(c.Symbols) == 0 {
		return ""
	}
	return c.Symbols[0]
}

// Edge is a use of something by its name.
type Edge struct {
	Kind EdgeKind
	Name string // the last part of the name: "Open" of os.Open; the whole path for imports
	Of   string // its qualifier: "os" of os.Open, the type of the receiver if it is known; "" if nothing
	Line int    // of the first use, counted from 1
}

// EdgeKind is how a chunk uses what an edge names.
type EdgeKind uint8

// Kinds of edges.
const (
	Calls      EdgeKind = iota // a function or method is called, a value of a type is created
	Imports                    // a package, module or header
	Inherits                   // extends, implements, embeds, conforms to
	References                 // a type is named, a function is passed on
)

// String returns "calls", "imports", "inherits" or "references".
func (k EdgeKind) String() string {
	names := [...]string{"calls", "imports", "inherits", "references"}
	if int(k) >= len(names) {
		return "uses"
	}
	return names[k]
}
