package exact_test

import (
	"bytes"
	"reflect"
	"testing"

	"chant/engine/code/chunk"
	"chant/engine/code/exact"

	"github.com/alecthomas/assert/v2"
)

func facts() *exact.Facts {
	return &exact.Facts{
		Files: []exact.File{
			{Path: "a/a.go", Whole: true, Uses: []exact.Use{{Kind: chunk.Calls, At: 3, To: 0, Through: 1}, {Kind: chunk.References, At: 9, To: 1, Through: -1}}},
			{Path: "b.go", Unknown: []exact.Unknown{{Name: "Open", At: 7}}},
		},
		Targets: []exact.Target{
			{Path: "a/a.go", At: 30, Name: "Run"},
			{Name: "Writer", Package: "io", Of: "io", Kind: chunk.Interface},
		},
		Implements: []exact.Pair{{From: 0, To: 1}},
		Runs:       []exact.Run{{Through: 1, Method: 0, Runs: 0}},
		Beside:     []exact.Beside{{Path: "/go/c.go", Size: 5, Modified: -1}},
		Notices:    []string{"One package has errors."},
		Until:      12,
	}
}

func TestOpen(t *testing.T) {
	t.Parallel()
	want := facts()
	data := want.Bytes()
	got, ok := exact.Open(data)
	if !ok || !reflect.DeepEqual(trimmed(got), trimmed(want)) {
		t.Fatalf("read %+v, %v", got, ok)
	}
	for n := range data {
		_, ok := exact.Open(data[:n])
		assert.False(t, ok, "%d of %d bytes were read", n, len(data))
	}
	_, ok = exact.Open(append(bytes.Clone(data), 0))
	assert.False(t, ok, "a byte too many was read")
	for what, change := range map[string]func(f *exact.Facts){
		"files out of order":       func(f *exact.Facts) { f.Files[0], f.Files[1] = f.Files[1], f.Files[0] },
		"uses out of order":        func(f *exact.Facts) { f.Files[0].Uses[0].At = 20 },
		"a use of no target":       func(f *exact.Facts) { f.Files[0].Uses[0].To = 2 },
		"a use through no target":  func(f *exact.Facts) { f.Files[0].Uses[0].Through = 2 },
		"an unknown kind":          func(f *exact.Facts) { f.Files[0].Uses[0].Kind = chunk.References + 1 },
		"a pair of no target":      func(f *exact.Facts) { f.Implements[0].To = 2 },
		"a run of no target":       func(f *exact.Facts) { f.Runs[0].Method = -1 },
		"a target before its file": func(f *exact.Facts) { f.Targets[0].At = -1 },
	} {
		f := facts()
		change(f)
		_, ok := exact.Open(f.Bytes())
		assert.False(t, ok, "%s were read", what)
	}
}

func TestFacts_Find(t *testing.T) {
	t.Parallel()
	f := facts()
	got, ok := f.Find("b.go")
	assert.True(t, ok, "found %+v, %v", got, ok)
	assert.Equal(t, "b.go", got.Path)
	got, ok = f.Find("c.go")
	assert.False(t, ok, "found %+v", got)
	f = nil
	got, ok = f.Find("b.go")
	assert.False(t, ok, "found %+v without facts", got)
}

// trimmed returns facts in which what is empty is nil.
func trimmed(f *exact.Facts) exact.Facts {
	out := *f
	out.Files = nil
	for _, file := range f.Files {
		if len(file.Uses) == 0 {
			file.Uses = nil
		}
		out.Files = append(out.Files, file)
	}
	if len(out.Targets) == 0 {
		out.Targets = nil
	}
	return out
}

func FuzzOpen(f *testing.F) {
	f.Add(facts().Bytes())
	f.Add((&exact.Facts{}).Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		read, ok := exact.Open(data)
		if !ok {
			return
		}
		if again, ok := exact.Open(read.Bytes()); !ok || !reflect.DeepEqual(trimmed(again), trimmed(read)) {
			t.Errorf("%+v, read back %+v", read, again)
		}
	})
}
