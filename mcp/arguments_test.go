package mcp

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"chant/engine"
)

type everyKind struct {
	ID    string   `json:"id"`
	Count int      `json:"count,omitempty"`
	From  *int64   `json:"from,omitempty"`
	On    bool     `json:"on,omitempty"`
	Names []string `json:"names,omitempty"`
	Which string   `json:"which,omitempty"` // an integer does as well
	Other string   `json:"other,omitempty"` // not taken
}

func TestDecode(t *testing.T) {
	t.Parallel()
	row := tool{
		takes: []param{{name: "id"}, {name: "count"}, {name: "from"}, {name: "on"}, {name: "names"}, {name: "which", number: true}},
		op: operation(func(_ *engine.Engine, _ context.Context, in everyKind) (everyKind, error) {
			return in, nil
		}),
	}
	zero := int64(0)
	tests := map[string]struct {
		in   string
		want everyKind
		err  string
	}{
		"all":              {`{"id":"1","count":3,"from":0,"on":true,"names":["a","b"]}`, everyKind{"1", 3, &zero, true, []string{"a", "b"}, "", ""}, ""},
		"text or number":   {`{"id":"1","which":"3"}`, everyKind{ID: "1", Which: "3"}, ""},
		"number or text":   {`{"id":"1","which":3}`, everyKind{ID: "1", Which: "3"}, ""},
		"neither":          {`{"id":"1","which":true}`, everyKind{}, "Invalid parameter: which must be a string or an integer"},
		"fraction as text": {`{"id":"1","which":1.5}`, everyKind{}, "Invalid parameter: which must be a string or an integer"},
		"null is absent":   {`{"id":"1","count":null,"names":null}`, everyKind{ID: "1"}, ""},
		"whole floats":     {`{"id":"1","count":1e1}`, everyKind{ID: "1", Count: 10}, ""},
		"empty list":       {`{"id":"1","names":[]}`, everyKind{ID: "1", Names: []string{}}, ""},
		"missing":          {`{}`, everyKind{}, "Missing required parameter: id"},
		"null as required": {`{"id":null}`, everyKind{}, "Missing required parameter: id"},
		"other case":       {`{"ID":"1"}`, everyKind{}, "Missing required parameter: id"},
		"number as text":   {`{"id":1}`, everyKind{}, "Invalid parameter: id must be a string"},
		"text as number":   {`{"id":"1","count":"3"}`, everyKind{}, "Invalid parameter: count must be an integer"},
		"fraction":         {`{"id":"1","count":1.5}`, everyKind{}, "Invalid parameter: count must be an integer"},
		"huge":             {`{"id":"1","count":1e300}`, everyKind{}, "Invalid parameter: count must be an integer"},
		"text as bool":     {`{"id":"1","on":"yes"}`, everyKind{}, "Invalid parameter: on must be a boolean"},
		"text as list":     {`{"id":"1","names":"a"}`, everyKind{}, "Invalid parameter: names must be a list of strings"},
		"numbers in list":  {`{"id":"1","names":[1]}`, everyKind{}, "Invalid parameter: names must be a list of strings"},
		"null in list":     {`{"id":"1","names":["a",null]}`, everyKind{}, "Invalid parameter: names must be a list of strings"},
		"long unknown":     {`{"id":"1","` + strings.Repeat("x", 5000) + `":1}`, everyKind{}, "Unknown parameter: " + strings.Repeat("x", 200) + "…"},
		"unknown":          {`{"id":"1","zeta":1,"force":true}`, everyKind{}, "Unknown parameter: force"},
		"not taken":        {`{"id":"1","other":"x"}`, everyKind{}, "Unknown parameter: other"},
		"list":             {`[]`, everyKind{}, "Invalid arguments: expected an object"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := row.decode([]byte(tt.in))
			if tt.err != "" {
				if err == nil || err.Error() != tt.err {
					t.Errorf("got %v, want %q", err, tt.err)
				}
				return
			}
			if err != nil || !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %+v, %v, want %+v", got, err, tt.want)
			}
		})
	}
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{`{"id":"1","limit":3}`, `{"labels":["a",1]}`, `{"description":"x","criteria":null}`, `[]`, `{"id":{}}`, `{"offset":-1e9}`} {
		f.Add([]byte(seed))
	}
	rows := table()
	f.Fuzz(func(t *testing.T, in []byte) {
		for _, row := range rows {
			got, err := row.decode(in)
			if err == nil && reflect.TypeOf(got) != row.op.input {
				t.Errorf("%s: %T", row.name, got)
			}
		}
	})
}
