package record

import (
	"reflect"
	"testing"

	"github.com/alecthomas/assert/v2"
	"pgregory.net/rapid"
)

// sample has a field of every kind that can be stored.
type sample struct {
	Text    string
	Flag    bool
	Number  int64
	Small   uint8
	Share   float64
	List    []string
	Lists   [][]string
	Map     map[string]string
	Pointer *inner
	Inner   inner
	Inners  []inner
	Next    *sample
}

type inner struct {
	Name  string
	Again *bool
}

func anyText() *rapid.Generator[string] { return rapid.StringN(0, 8, -1) }

// anyList returns nil, empty and filled lists.
func anyList() *rapid.Generator[[]string] {
	return rapid.OneOf(rapid.Just[[]string](nil), rapid.SliceOfN(anyText(), 0, 3))
}

func anySample(t *rapid.T, depth int) sample {
	yes := rapid.Bool().Draw(t, "flag")
	s := sample{
		Text: anyText().Draw(t, "text"), Flag: yes, Number: rapid.Int64().Draw(t, "number"), Small: rapid.Uint8().Draw(t, "small"),
		Share: rapid.Float64().Draw(t, "share"), List: anyList().Draw(t, "list"),
		Lists: rapid.SliceOfN(anyList(), 0, 2).Draw(t, "lists"),
		Map:   rapid.MapOfN(anyText(), anyText(), 0, 3).Draw(t, "map"),
		Inner: inner{Name: anyText().Draw(t, "name")},
	}
	if yes {
		s.Pointer, s.Map, s.Inners = &inner{Again: &yes}, nil, []inner{{}, {Name: "x"}}
	}
	if depth > 0 && rapid.Bool().Draw(t, "next") {
		next := anySample(t, depth-1)
		s.Next = &next
	}
	return s
}

// TestDecode_whatWasEncoded: nil and empty lists stay apart.
func TestDecode_whatWasEncoded(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := anySample(t, 2)
		var got sample
		if err := Decode(string(Encode(want)), &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v, %v; want %+v", got, err, want)
		}
	})
}

func TestDecode_otherBytes(t *testing.T) {
	t.Parallel()
	data := Encode(sample{Text: "text", List: []string{"a"}, Share: 1})
	for n := range data {
		var got sample
		assert.IsError(t, Decode(string(data[:n]), &got), ErrFormat, "%d of %d bytes", n, len(data))
	}
	var got sample
	assert.IsError(t, Decode(string(data)+"\x00", &got), ErrFormat, "a byte too many")
}

func FuzzDecode(f *testing.F) {
	f.Add(string(Encode(sample{Text: "text", Map: map[string]string{"a": "b"}, Next: &sample{Flag: true}})))
	f.Fuzz(func(_ *testing.T, data string) {
		var got sample
		if Decode(data, &got) == nil {
			Encode(got) // it is a value
		}
	})
}

func TestFormat_changesWithTheType(t *testing.T) {
	t.Parallel()
	type a struct{ X, Y string }
	type b struct{ X, Z string }
	type c struct {
		X string
		Y []string
	}
	type d struct{ Inner a }
	seen := map[string]any{}
	for _, v := range []any{a{}, b{}, c{}, d{}, sample{}} {
		was, ok := seen[Format(v)]
		assert.False(t, ok, "%T and %T have one format", was, v)
		seen[Format(v)] = v
	}
	if Format(a{}) != Format(a{X: "x"}) {
		t.Error("the format changes with the value")
	}
}

func TestEncode_panicsForWhatItWouldLose(t *testing.T) {
	t.Parallel()
	for _, v := range []any{struct{ hidden string }{"x"}, func() {}, struct{ Any any }{1}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%T was written", v)
				}
			}()
			Encode(v)
		}()
	}
}
