package outline

import (
	"encoding/binary"

	"chant/engine/code/chunk"
	"chant/engine/store/packed"
)

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
	r := reader{packed.Read(string(data))}
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
	r := packed.Read(data)
	language = string(r.Text())
	r.Text() // why it was left out
	if n := r.Uvarint(); number < 0 || uint64(number) >= n {
		return "", chunk.Chunk{}, false
	}
	for range number {
		skipChunk(&r)
		if r.Failed() {
			return "", chunk.Chunk{}, false
		}
	}
	rest := r.Rest()
	skipChunk(&r)
	one := reader{packed.Read(string(rest[:len(rest)-r.Len()]))}
	c = one.chunk()
	return language, c, !r.Failed() && !one.Failed() && one.Len() == 0
}

// skipChunk reads a chunk as reader.chunk does, without keeping it.
func skipChunk(r *packed.Reader[[]byte]) {
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

type reader struct{ packed.Reader[string] }

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
		if c.Edges[i].Kind > chunk.References {
			r.Fail()
		}
	}
	return c
}
