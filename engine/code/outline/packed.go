package outline

import (
	"encoding/binary"

	"chant/engine/code/chunk"
	"chant/engine/packed"
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
