package toolset

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"chant/engine"

	"github.com/alecthomas/assert/v2"
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

// rowOf is a tool that takes these parameters of an input.
func rowOf[I any](params ...Param) Tool {
	return Tool{Name: "row", Params: params, Op: Operation(func(_ context.Context, _ *engine.Project, in I) (I, error) { return in, nil })}
}

// decode reads arguments as a call does.
func decode(t Tool, raw string) (any, error) {
	args, err := ParseArguments([]byte(raw))
	if err != nil {
		return nil, err
	}
	return t.Decode(args)
}

func TestDecode(t *testing.T) {
	t.Parallel()
	row := rowOf[everyKind](Param{Name: "id"}, Param{Name: "count"}, Param{Name: "from"}, Param{Name: "on"}, Param{Name: "names"}, Param{Name: "which", Integer: true})
	const taken = " (allowed: id, count, from, on, names, which)"
	zero := int64(0)
	tests := map[string]struct {
		in   string
		want everyKind
		err  string
	}{
		"all":              {`{"id":"1","count":3,"from":0,"on":true,"names":["a","b"]}`, everyKind{"1", 3, &zero, true, []string{"a", "b"}, "", ""}, ""},
		"text or number":   {`{"id":"1","which":"3"}`, everyKind{ID: "1", Which: "3"}, ""},
		"number or text":   {`{"id":"1","which":3}`, everyKind{ID: "1", Which: "3"}, ""},
		"neither":          {`{"id":"1","which":true}`, everyKind{}, "Invalid parameter: which must be a string or an integer, not true"},
		"fraction as text": {`{"id":"1","which":1.5}`, everyKind{}, "Invalid parameter: which must be a string or an integer, not 1.5"},
		"null is absent":   {`{"id":"1","count":null,"names":null}`, everyKind{ID: "1"}, ""},
		"whole floats":     {`{"id":"1","count":1e1}`, everyKind{ID: "1", Count: 10}, ""},
		"empty list":       {`{"id":"1","names":[]}`, everyKind{ID: "1", Names: []string{}}, ""},
		"missing":          {`{}`, everyKind{}, "Missing required parameter: id"},
		"null as required": {`{"id":null}`, everyKind{}, "Missing required parameter: id"},
		"other case":       {`{"ID":"1"}`, everyKind{}, "Missing required parameter: id"},
		"number as text":   {`{"id":1}`, everyKind{}, "Invalid parameter: id must be a string, not 1"},
		"text as number":   {`{"id":"1","count":"3"}`, everyKind{}, `Invalid parameter: count must be an integer, not "3"`},
		"fraction":         {`{"id":"1","count":1.5}`, everyKind{}, "Invalid parameter: count must be an integer, not 1.5"},
		"huge":             {`{"id":"1","count":1e300}`, everyKind{}, "Invalid parameter: count must be an integer, not 1e300"},
		"too long":         {`{"id":"1","from":99999999999999999999}`, everyKind{}, "Invalid parameter: from must be an integer, not 99999999999999999999"},
		"text as bool":     {`{"id":"1","on":"yes"}`, everyKind{}, `Invalid parameter: on must be a boolean, not "yes"`},
		"text as list":     {`{"id":"1","names":"a"}`, everyKind{}, `Invalid parameter: names must be a list of strings, not "a"`},
		"numbers in list":  {`{"id":"1","names":[1]}`, everyKind{}, "Invalid parameter: names[0] must be a string, not 1"},
		"null in list":     {`{"id":"1","names":["a",null]}`, everyKind{}, "Invalid parameter: names[1] must be a string, not null"},
		"long value":       {`{"id":["` + strings.Repeat("x", 5000) + `"]}`, everyKind{}, `Invalid parameter: id must be a string, not ["` + strings.Repeat("x", 198) + "…"},
		"long unknown":     {`{"id":"1","` + strings.Repeat("x", 5000) + `":1}`, everyKind{}, "Unknown parameter: " + strings.Repeat("x", 200) + "…" + taken},
		"unknown":          {`{"id":"1","zeta":1,"force":true}`, everyKind{}, "Unknown parameter: force" + taken},
		"not taken":        {`{"id":"1","other":"x"}`, everyKind{}, "Unknown parameter: other" + taken},
		"list":             {`[]`, everyKind{}, "Invalid arguments: expected an object"},
		"null":             {`null`, everyKind{}, "Invalid arguments: expected an object"},
		"two objects":      {`{} {}`, everyKind{}, "Invalid arguments: expected an object"},
		"broken":           {`{`, everyKind{}, "Invalid arguments: expected an object"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := decode(row, tt.in)
			if tt.err != "" {
				assert.Error(t, err)
				assert.Equal(t, tt.err, err.Error())
				return
			}
			assert.NoError(t, err)
			assert.True(t, reflect.DeepEqual(got, tt.want), "got %+v, %v, want %+v", got, err, tt.want)
		})
	}
	_, err := decode(rowOf[struct{}](), `{"a":1}`)
	assert.Error(t, err, "a tool without parameters")
	assert.Equal(t, "Unknown parameter: a (allowed: none)", err.Error(), "a tool without parameters")
}

// TestDecode_limits checks enums, bounds, defaults, nested objects and lists of objects.
func TestDecode_limits(t *testing.T) {
	t.Parallel()
	row := rowOf[nested](Param{Name: "title"}, Param{Name: "kind"}, Param{Name: "depth"}, Param{Name: "share"}, Param{Name: "tags"},
		Param{Name: "owner"}, Param{Name: "tasks"}, Param{Name: "fields"})
	depth := 4
	base := nested{Title: "T", Kind: "task", Depth: 2}
	with := func(change func(*nested)) nested {
		out := base
		change(&out)
		return out
	}
	for in, want := range map[string]any{
		`{"title":"T"}`: base,
		`{"title":"T","kind":"bug","depth":9,"tags":["a"]}`:            with(func(n *nested) { n.Kind, n.Depth, n.Tags = "bug", 9, []string{"a"} }),
		`{"title":"T","owner":{"name":"Ada","level":4}}`:               with(func(n *nested) { n.Owner = &person{"Ada", &depth, "main"} }),
		`{"title":"T","owner":{"name":"Ada","level":null,"site":"b"}}`: with(func(n *nested) { n.Owner = &person{"Ada", nil, "b"} }),
		`{"title":"T","tasks":[{"name":"a","level":4e0},{"name":"b"}],"fields":{"x":"y"}}`: with(func(n *nested) {
			n.Tasks, n.Fields = []person{{"a", &depth, "main"}, {"b", nil, "main"}}, map[string]string{"x": "y"}
		}),
		`{"title":"T","share":0.5}`:                    with(func(n *nested) { n.Share = 0.5 }),
		`{"title":""}`:                                 `title must be a string of 1 to 3 characters, not ""`,
		`{"title":"äöüß"}`:                             `title must be a string of 1 to 3 characters, not "äöüß"`,
		`{"title":"T","kind":"epic"}`:                  `kind must be one of task, bug, not "epic"`,
		`{"title":"T","kind":1}`:                       `kind must be one of task, bug, not 1`,
		`{"title":"T","depth":0}`:                      `depth must be an integer from 1 to 9, not 0`,
		`{"title":"T","depth":10}`:                     `depth must be an integer from 1 to 9, not 10`,
		`{"title":"T","share":-0.1}`:                   `share must be a number of at least 0, not -0.1`,
		`{"title":"T","share":1e400}`:                  `share must be a number of at least 0, not 1e400`,
		`{"title":"T","tags":[]}`:                      `tags must be a list of strings of at least 1 item, not []`,
		`{"title":"T","tags":["a","b","c"]}`:           `tags[2] must be one of a, b, not "c"`,
		`{"title":"T","owner":"Ada"}`:                  `owner must be an object, not "Ada"`,
		`{"title":"T","owner":{"level":1}}`:            `Missing required parameter: owner.name`,
		`{"title":"T","owner":{"name":"A","level":5}}`: `owner.level must be an integer of at most 4, not 5`,
		`{"title":"T","owner":{"name":"A","age":5}}`:   `Unknown parameter: owner.age (allowed: name, level, site)`,
		`{"title":"T","tasks":{"name":"a"}}`:           `tasks must be a list of objects, not {"name":"a"}`,
		`{"title":"T","tasks":[{"name":"a"},{}]}`:      `Missing required parameter: tasks[1].name`,
		`{"title":"T","tasks":[{"name":"a","x":1}]}`:   `Unknown parameter: tasks[0].x (allowed: name, level, site)`,
		`{"title":"T","fields":{"x":1}}`:               `fields.x must be a string, not 1`,
	} {
		got, err := decode(row, in)
		text, fails := want.(string)
		if fails && (err == nil || strings.TrimPrefix(err.Error(), "Invalid parameter: ") != text) {
			t.Errorf("%s: got %+v, %v, want %q", in, got, err, text)
		}
		assert.False(t, !fails && (err != nil || !reflect.DeepEqual(got, want)), "%s: got %+v, %v, want %+v", in, got, err, want)
	}
}
