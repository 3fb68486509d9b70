package exact

import (
	"encoding/binary"

	"chant/engine/code/chunk"
	"chant/engine/store/record"
)

// Bytes returns the facts for Open.
func (f *Facts) Bytes() []byte {
	var w writer
	w.number(f.Until)
	w.number(int64(len(f.Notices)))
	for _, notice := range f.Notices {
		w.text(notice)
	}
	w.number(int64(len(f.Beside)))
	for _, b := range f.Beside {
		w.text(b.Path)
		w.number(b.Size)
		w.number(b.Modified)
	}
	w.number(int64(len(f.Targets)))
	for _, t := range f.Targets {
		w.text(t.Path)
		w.number(int64(t.At))
		w.text(t.Name)
		w.text(t.Package)
		w.text(t.Of)
		w.text(string(t.Kind))
	}
	w.number(int64(len(f.Implements)))
	for _, p := range f.Implements {
		w.number(int64(p.From))
		w.number(int64(p.To))
	}
	w.number(int64(len(f.Runs)))
	for _, one := range f.Runs {
		w.number(int64(one.Through))
		w.number(int64(one.Method))
		w.number(int64(one.Runs))
	}
	w.number(int64(len(f.Files)))
	for _, file := range f.Files {
		w.file(file)
	}
	return w
}

type writer []byte

func (w *writer) number(n int64) { *w = binary.AppendVarint(*w, n) }

func (w *writer) text(s string) {
	w.number(int64(len(s)))
	*w = append(*w, s...)
}

func (w *writer) file(f File) {
	w.text(f.Path)
	whole := int64(0)
	if f.Whole {
		whole = 1
	}
	w.number(whole)
	w.number(int64(len(f.Uses)))
	at := 0
	for _, u := range f.Uses {
		w.number(int64(u.Kind))
		// Uses are sorted, so the distance to the last one is short.
		w.number(int64(u.At - at))
		w.number(int64(u.To))
		w.number(int64(u.Through + 1))
		at = u.At
	}
	w.number(int64(len(f.Unknown)))
	for _, u := range f.Unknown {
		w.text(u.Name)
		w.number(int64(u.At))
	}
}

// Open reads facts; false if the bytes are none.
func Open(data []byte) (*Facts, bool) {
	r := reader{record.Read(string(data))}
	f := &Facts{Until: r.Varint()}
	for range r.count() {
		f.Notices = append(f.Notices, r.text())
	}
	for range r.count() {
		f.Beside = append(f.Beside, Beside{Path: r.text(), Size: r.Varint(), Modified: r.Varint()})
	}
	targets := r.count()
	f.Targets = make([]Target, 0, targets)
	for range targets {
		f.Targets = append(f.Targets, Target{Path: r.text(), At: r.place(), Name: r.text(), Package: r.text(), Of: r.text(), Kind: chunk.Kind(r.text())})
	}
	for range r.count() {
		f.Implements = append(f.Implements, Pair{r.target(targets), r.target(targets)})
	}
	for range r.count() {
		f.Runs = append(f.Runs, Run{r.target(targets), r.target(targets), r.target(targets)})
	}
	for range r.count() {
		f.Files = append(f.Files, r.file(targets))
		// Find searches by halves, so files in another order are broken.
		if n := len(f.Files); n > 1 && f.Files[n-2].Path >= f.Files[n-1].Path {
			r.Fail()
		}
	}
	return f, !r.Failed() && r.Len() == 0
}

type reader struct{ record.Reader[string] }

// count reads how many values follow, of which each takes a byte at least.
func (r *reader) count() int {
	n := r.Varint()
	// Each value takes a byte at least, so a greater number is broken and must not be allocated.
	if n < 0 || n > int64(r.Len()) {
		r.Fail()
		return 0
	}
	return int(n)
}

func (r *reader) text() string { return r.Take(uint64(r.count())) }

// place reads a byte of a file.
func (r *reader) place() int {
	n := r.Varint()
	if n < 0 || n > 1<<40 {
		r.Fail()
		return 0
	}
	return int(n)
}

// target reads the number of one of n targets.
func (r *reader) target(n int) int {
	t := r.Varint()
	if t < 0 || t >= int64(n) {
		r.Fail()
		return 0
	}
	return int(t)
}

func (r *reader) file(targets int) File {
	f := File{Path: r.text(), Whole: r.Varint() != 0}
	n, at := r.count(), 0
	f.Uses = make([]Use, 0, n)
	for range n {
		kind := r.Varint()
		if kind < 0 || kind > int64(chunk.References) {
			r.Fail()
			break
		}
		step := r.place()
		// A sum that overflows would be a place before the last one.
		if at += step; at < step {
			r.Fail()
			break
		}
		f.Uses = append(f.Uses, Use{chunk.EdgeKind(kind), at, r.target(targets), r.target(targets+1) - 1})
	}
	for range r.count() {
		f.Unknown = append(f.Unknown, Unknown{Name: r.text(), At: r.place()})
	}
	return f
}
