package toolset

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// words reads a string or a list, and remembers null.
type words struct {
	list []string
	null bool
}

func (w *words) UnmarshalJSON(raw []byte) error {
	if string(raw) == "null" {
		w.null = true
		return nil
	}
	var one string
	if json.Unmarshal(raw, &one) == nil {
		w.list = []string{one}
		return nil
	}
	if json.Unmarshal(raw, &w.list) != nil {
		return errors.New("words must be a string or array of strings")
	}
	return nil
}

type loose struct {
	ID    string   `json:"id"`
	Limit int      `json:"limit,omitempty" schema:"default=50"`
	From  *int64   `json:"from,omitempty"`
	Share float64  `json:"share,omitempty"`
	On    bool     `json:"on,omitempty"`
	Names []string `json:"names,omitempty"`
	Words words    `json:"words,omitzero"`
}

// whole reads its arguments itself.
type whole struct{ raw string }

func (w *whole) UnmarshalJSON(raw []byte) error {
	w.raw = string(raw)
	return nil
}

func TestDecode_lenient(t *testing.T) {
	t.Parallel()
	row := rowOf[loose]()
	row.Lenient = true
	from := int64(7)
	for in, want := range map[string]any{
		`{}`:                                      loose{Limit: 50},
		`{"id":null,"limit":null,"zeta":1}`:       loose{Limit: 50},
		`{"id":12,"limit":"3","from":" 7 "}`:      loose{ID: "12", Limit: 3, From: &from},
		`{"limit":3.0,"share":"0.5","on":"TRUE"}`: loose{Limit: 3, Share: 0.5, On: true},
		`{"names":"a","words":"b"}`:               loose{Limit: 50, Names: []string{"a"}, Words: words{list: []string{"b"}}},
		`{"names":["a"],"words":["b","c"]}`:       loose{Limit: 50, Names: []string{"a"}, Words: words{list: []string{"b", "c"}}},
		`{"id":true,"words":null}`:                loose{ID: "true", Limit: 50, Words: words{null: true}},
		`{"names":[1,"b",true]}`:                  loose{Limit: 50, Names: []string{"1", "b", "true"}},
		`{"names":[{}]}`:                          `Invalid parameter: names has an invalid value [{}]`,
		`{"limit":"many"}`:                        `Invalid parameter: limit has an invalid value "many"`,
		`{"limit":1.5}`:                           `Invalid parameter: limit has an invalid value 1.5`,
		`{"id":{}}`:                               `Invalid parameter: id has an invalid value {}`,
		`{"words":1}`:                             `words must be a string or array of strings`,
	} {
		got, err := decode(row, in)
		text, fails := want.(string)
		assert.False(t, fails && (err == nil || err.Error() != text), "%s: got %+v, %v, want %q", in, got, err, text)
		assert.False(t, !fails && (err != nil || !reflect.DeepEqual(got, want)), "%s: got %+v, %v, want %+v", in, got, err, want)
	}
	row.Params = []Param{{Name: "id"}, {Name: "on", Executes: true}}
	got, err := decode(row.ReadOnly(), `{"id":"a","on":true}`)
	assert.NoError(t, err)
	assert.True(t, reflect.DeepEqual(got, loose{ID: "a", Limit: 50}), "read only: got %+v, %v", got, err)
	at := rowOf[struct {
		Index int `json:"index"`
	}]()
	at.Lenient = true
	for _, in := range []string{`{}`, `{"index":null}`} {
		got, err := decode(at, in)
		assert.Error(t, err, "%s: got %+v", in, got)
		assert.Equal(t, "Missing index", err.Error(), "%s: got %+v", in, got)
	}
	own := rowOf[whole]()
	own.Lenient = true
	got, err = decode(own, `{"a":null,"b":[1]}`)
	assert.NoError(t, err)
	assert.True(t, got == (whole{`{"a":null,"b":[1]}`}), "got %+v, %v", got, err)
}

// FuzzDecode_lenient checks that no arguments break it.
func FuzzDecode_lenient(f *testing.F) {
	f.Add(`{"id":12,"limit":"3","from":" 7 ","on":1,"names":{}}`)
	row := rowOf[loose]()
	row.Lenient = true
	f.Fuzz(func(t *testing.T, in string) {
		got, err := decode(row, in)
		_, ok := got.(loose)
		assert.False(t, err == nil && !ok, "%q: got %T", in, got)
	})
}

func TestCanonical(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"tools_call": "tools/call", "task_create": "task/create", "task_bulk_update": "task/bulk_update",
		"task/bulk_update": "task/bulk_update", "task/bulk/update": "task/bulk/update", "initialize": "initialize", "": "",
	} {
		assert.Equal(t, want, Canonical(name), "%q", name)
	}
}

// TestTool_Changes: a tool that reads changes something if a parameter says so.
func TestTool_Changes(t *testing.T) {
	t.Parallel()
	reads := Tool{Effect: Reads, Params: []Param{{Name: "id"}, {Name: "clean", Executes: true}}}
	for _, tt := range []struct {
		tool Tool
		args Arguments
		want bool
	}{
		{reads, nil, false},
		{reads, Arguments{"id": "1"}, false},
		{reads, Arguments{"clean": false}, false},
		{reads, Arguments{"clean": "false"}, false},
		{reads, Arguments{"clean": nil}, false},
		{reads, Arguments{"clean": true}, true},
		{reads, Arguments{"clean": "true"}, true},
		{Tool{Effect: Adds}, nil, true},
	} {
		assert.Equal(t, tt.want, tt.tool.Changes(tt.args), "effect %v, %v", tt.tool.Effect, tt.args)
	}
}
