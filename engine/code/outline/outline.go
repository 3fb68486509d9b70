package outline

import (
	"context"
	"encoding/binary"
	"time"

	"chant/engine/code/chunk"
	"chant/engine/code/syntax"
	"chant/engine/store/record"
)

// Version is raised when the same file gets other chunks.
const Version = "3"

// Outline is what a file consists of.
type Outline struct {
	Language string
	Chunks   []chunk.Chunk
	Skipped  string // why the file is left out because of its content; then it has no chunks
}

// Divide divides a file into chunks. It fails only if the context has ended.
func Divide(ctx context.Context, name string, text []byte) (Outline, error) {
	language := Language(name, text)
	return Outline{Language: language, Chunks: divide(ctx, language, text)}, ctx.Err()
}

func divide(ctx context.Context, language string, text []byte) []chunk.Chunk {
	d := divider{src: text}
	switch grammar, ok := Grammar(language); {
	case language == "markdown":
		return sections(text)
	case isDocs(language), isData(language):
		d.windows(0, len(text), chunk.Document)
		return d.chunks
	case language == "go":
		// What the parser gives up is divided by lines.
		if chunks, err := GoChunks(text); err == nil {
			return chunks
		}
	case ok:
		// Hostile or machine-made files can take a parser very long.
		limited, cancel := context.WithTimeout(ctx, maxTime)
		defer cancel()
		// After the end of the context nothing else is tried: the result is not used.
		if chunks, err := syntax.Chunks(limited, grammar, text); err == nil || ctx.Err() != nil {
			return chunks
		}
	}
	return scanChunks(language, text)
}

// maxTime limits the time of a grammar's parser for a file.
const maxTime = 2 * time.Second

// Grammar returns the grammar of a language, false if there is none.
func Grammar(language string) (syntax.Language, bool) {
	switch language {
	case "swift":
		return syntax.Swift, true
	case "typescript":
		return syntax.TypeScript, true
	case "tsx":
		return syntax.TSX, true
	case "javascript":
		return syntax.JavaScript, true
	case "python":
		return syntax.Python, true
	case "rust":
		return syntax.Rust, true
	case "java":
		return syntax.Java, true
	case "kotlin":
		return syntax.Kotlin, true
	case "c":
		return syntax.C, true
	case "cpp":
		return syntax.CPP, true
	case "csharp":
		return syntax.CSharp, true
	case "ruby":
		return syntax.Ruby, true
	case "php":
		return syntax.PHP, true
	case "bash":
		return syntax.Bash, true
	}
	return syntax.Swift, false
}

// IsDocs reports whether the file is documentation rather than code or data.
func (o Outline) IsDocs() bool { return isDocs(o.Language) }

// Bytes returns the outline for Open.
func (o Outline) Bytes() []byte {
	var w writer
	w.text(o.Language)
	w.text(o.Skipped)
	w.number(len(o.Chunks))
	for _, c := range o.Chunks {
		w.chunk(c)
	}
	return w
}

type writer []byte

func (w *writer) number(n int) { *w = binary.AppendUvarint(*w, uint64(max(n, 0))) }

func (w *writer) text(s string) {
	w.number(len(s))
	*w = append(*w, s...)
}

func (w *writer) texts(list []string) {
	w.number(len(list))
	for _, s := range list {
		w.text(s)
	}
}

func (w *writer) chunk(c chunk.Chunk) {
	w.text(string(c.Kind))
	w.texts(c.Symbols)
	w.text(c.Signature)
	w.text(c.Breadcrumb)
	w.text(c.Doc)
	for _, n := range []int{c.Start, c.End - c.Start, c.StartLine, c.EndLine - c.StartLine} {
		w.number(n)
	}
	w.texts(c.Inherits)
	w.number(len(c.Edges))
	for _, e := range c.Edges {
		w.number(int(e.Kind))
		w.text(e.Name)
		w.text(e.Of)
		w.number(e.Line)
	}
}

// Open reads an outline; false if the bytes are not one.
func Open(data []byte) (Outline, bool) {
	r := reader{record.Read(string(data))}
	o := Outline{Language: r.Text(), Skipped: r.Text()}
	n := r.count()
	o.Chunks = make([]chunk.Chunk, 0, n)
	for range n {
		o.Chunks = append(o.Chunks, r.chunk())
		if r.Failed() {
			return Outline{}, false
		}
	}
	return o, !r.Failed() && r.Len() == 0
}

// OpenChunk reads one chunk of an outline, by its number, and the language; false if the bytes are not an outline, as far
// as they are read, or it has no such chunk. Nothing is copied but the chunk.
func OpenChunk(data []byte, number int) (language string, c chunk.Chunk, ok bool) {
	r := record.Read(data)
	language = string(r.Text())
	r.Text() // why it was left out
	if n := r.Uvarint(); number < 0 || uint64(number) >= n {
		return "", chunk.Chunk{}, false
	}
	// Chunks have no index, but skipping them copies nothing.
	for range number {
		skipChunk(&r)
		if r.Failed() {
			return "", chunk.Chunk{}, false
		}
	}
	rest := r.Rest()
	skipChunk(&r)
	one := reader{record.Read(string(rest[:len(rest)-r.Len()]))}
	c = one.chunk()
	return language, c, !r.Failed() && !one.Failed() && one.Len() == 0
}

// skipChunk reads a chunk as reader.chunk does, without keeping it.
func skipChunk(r *record.Reader[[]byte]) {
	skipTexts := func() {
		for n := r.Uvarint(); n > 0 && !r.Failed(); n-- {
			r.Text()
		}
	}
	r.Text() // its kind
	skipTexts()
	for range 3 { // signature, breadcrumb and doc comment
		r.Text()
	}
	for range 4 { // bytes and lines
		r.Uvarint()
	}
	skipTexts()
	for n := r.Uvarint(); n > 0 && !r.Failed(); n-- {
		r.Byte()
		r.Text()
		r.Text()
		r.Uvarint()
	}
}

type reader struct{ record.Reader[string] }

// count reads how many of something follow, each of which has a byte at least.
func (r *reader) count() int {
	n := r.Uvarint()
	if n > uint64(r.Len()) {
		r.Fail()
		return 0
	}
	return int(n)
}

func (r *reader) texts() []string {
	n := r.count()
	if n == 0 {
		return nil
	}
	list := make([]string, n)
	for i := range list {
		list[i] = r.Text()
	}
	return list
}

func (r *reader) number() int { return int(r.Uvarint() & (1<<31 - 1)) }

func (r *reader) chunk() chunk.Chunk {
	c := chunk.Chunk{Kind: chunk.Kind(r.Text()), Symbols: r.texts(), Signature: r.Text(), Breadcrumb: r.Text(), Doc: r.Text()}
	c.Start = r.number()
	c.End = c.Start + r.number()
	c.StartLine = r.number()
	c.EndLine = c.StartLine + r.number()
	c.Inherits = r.texts()
	if n := r.count(); n > 0 {
		c.Edges = make([]chunk.Edge, n)
	}
	for i := range c.Edges {
		c.Edges[i] = chunk.Edge{Kind: chunk.EdgeKind(r.Byte()), Name: r.Text(), Of: r.Text(), Line: r.number()}
		// Another kind is of a newer format, or broken.
		if c.Edges[i].Kind > chunk.References {
			r.Fail()
		}
	}
	return c
}
