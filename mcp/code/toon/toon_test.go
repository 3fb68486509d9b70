package toon

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
	"pgregory.net/rapid"
)

type person struct {
	Name  string   `json:"name"`
	Age   int      `json:"age"`
	Notes []string `json:"notes,omitempty"`
}

func TestMarshal(t *testing.T) {
	t.Parallel()
	raw := func(text string) any { return json.RawMessage(text) }
	for name, tt := range map[string]struct {
		value any
		want  string
	}{
		"order":                         {Object{{"z", 1}, {"a", nil}, {"m", true}}, "z: 1\na: null\nm: true"},
		"map":                           {map[string]int{"b": 2, "a": 1}, "a: 1\nb: 2"},
		"struct":                        {person{"Ada", 36, []string{"x", "y"}}, "name: Ada\nage: 36\nnotes[2]: x,y"},
		"table":                         {Object{{"people", []person{{"Ada", 36, nil}, {"Bob, Jr", 7, nil}}}}, "people[2]{name,age}:\n  Ada,36\n  \"Bob, Jr\",7"},
		"order of columns":              {raw(`[{"a":1,"b":2},{"b":3,"a":4}]`), "[2]{a,b}:\n  1,2\n  4,3"},
		"different keys":                {raw(`{"items":[{"a":1},{"a":2,"b":true}]}`), "items[2]:\n  - a: 1\n  - a: 2\n    b: true"},
		"same number of different keys": {raw(`[{"a":1},{"b":2}]`), "[2]:\n  - a: 1\n  - b: 2"},
		"nested":                        {raw(`{"a":{"b":{"c":1},"d":{}},"e":2}`), "a:\n  b:\n    c: 1\n  d:\ne: 2"},
		"empty":                         {raw(`{"list":[],"object":{},"text":""}`), "list: []\nobject:\ntext: \"\""},
		"empty at the top":              {Object{}, ""},
		"no elements":                   {[]int{}, "[]"},
		"scalar at the top":             {"a b", "a b"},
		"list of all":                   {raw(`["x",{"id":1,"n":"A"},[{"id":2},{"s":"d"}],[1,2],[],{}]`), "[6]:\n  - x\n  - id: 1\n    n: A\n  - [2]:\n    - id: 2\n    - s: d\n  - [2]: 1,2\n  - [0]:\n  -"},
		"table behind a hyphen":         {raw(`{"items":[{"users":[{"id":1},{"id":2}],"note":"x"}]}`), "items[1]:\n  - users[2]{id}:\n      1\n      2\n    note: x"},
		"list behind a hyphen":          {raw(`{"items":[{"matrix":[[1,2],[3,4]],"name":"grid"}]}`), "items[1]:\n  - matrix[2]:\n      - [2]: 1,2\n      - [2]: 3,4\n    name: grid"},
		"object behind a hyphen":        {raw(`{"items":[{"a":{"x":1},"b":1},{"a":{},"b":1}]}`), "items[2]:\n  - a:\n      x: 1\n    b: 1\n  - a:\n    b: 1"},
		"no table in a list":            {raw(`{"a":[[{"x":1},{"x":2}]]}`), "a[1]:\n  - [2]:\n    - x: 1\n    - x: 2"},
		"keys":                          {raw(`{"a.b":1,"_x9":1,"9":1,"a b":1,"":1,"a-b":1,"é":1,"n\n":1}`), "a.b: 1\n_x9: 1\n\"9\": 1\n\"a b\": 1\n\"\": 1\n\"a-b\": 1\n\"é\": 1\n\"n\\n\": 1"},
		"columns":                       {raw(`[{"a b":1}]`), "[1]{\"a b\"}:\n  1"},
		"strings that need quotes": {[]string{"true", "null", "05", "+1", "1e5", "-", "-x", "#x", " x", "x ", "a:b", "a,b", `a"b`, `a\b`, "a[b", "{", "\u00a0x"},
			`[17]: "true","null","05","+1","1e5","-","-x","#x"," x","x ","a:b","a,b","a\"b","a\\b","a[b","{","` + "\u00a0" + `x"`},
		"strings that need none": {[]string{"a b", "x-1", "1a", "v1.2.3", "True", "e", "a#b", "日本", "a|b", "(x)", "/a/b.go"}, "[11]: a b,x-1,1a,v1.2.3,True,e,a#b,日本,a|b,(x),/a/b.go"},
		"controls":               {"a\x00\x01\n\r\t\x7f\u0085b", `"a\u0000\u0001\n\r\t\u007f\u0085b"`},
		"no UTF-8":               {"a\xffb", "a\ufffdb"},
		"numbers": {raw(`[1.50,1.0,-0,-0.0,1e3,1E-2,0.000001,1e-6,1e-7,1e20,1e21,12345678901234567890,0.1]`),
			"[13]: 1.5,1,0,0,1000,0.01,0.000001,0.000001,1e-7,100000000000000000000,1e21,12345678901234567890,0.1"},
		"hundreds": {raw(`[100,1.0e2,10.10]`), "[3]: 100,100,10.1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := Marshal(tt.value)
			assert.NoError(t, err)
			assert.Equal(t, tt.want, string(got))
		})
	}
}

func TestMarshal_errors(t *testing.T) {
	t.Parallel()
	for name, value := range map[string]any{
		"NaN":      math.NaN(),
		"function": func() {},
		"twice":    Object{{"a", 1}, {"a", 2}},
		"inside":   Object{{"a", Object{{"b", func() {}}}}},
	} {
		got, err := Marshal(value)
		assert.Error(t, err, "%s: %q", name, got)
	}
}

// values generates what JSON can say.
func values() *rapid.Generator[any] {
	text := rapid.OneOf(
		rapid.SampledFrom([]string{"", "a", "b", "true", "null", "-", "- a", "a: b", "[1]: x", "{}", "[]", "#", "05", "1.5", "+1", "1e5", "a,b", `"`, `\`, "x\ny", "\t", " ", "\x00"}),
		rapid.String())
	key := rapid.OneOf(rapid.SampledFrom([]string{"a", "b", "c", "a.b", "a b", "", "-", "[1]", "1", `"`}), rapid.String())
	leaf := rapid.OneOf(
		rapid.Map(text, func(s string) any { return s }),
		rapid.Map(rapid.Float64(), func(f float64) any { return f + 0 }), // TOON has no negative zero
		rapid.Map(rapid.Int64(), func(n int64) any { return n }),
		rapid.Map(rapid.Bool(), func(b bool) any { return b }),
		rapid.Just[any](nil))
	value := leaf
	for range 3 {
		inner := value
		object := rapid.Map(rapid.MapOfN(key, inner, 0, 4), func(m map[string]any) any { return m })
		table := rapid.Custom(func(t *rapid.T) any {
			keys := rapid.SliceOfNDistinct(key, 1, 3, rapid.ID[string]).Draw(t, "columns")
			rows := []any{}
			for range rapid.IntRange(1, 3).Draw(t, "rows") {
				row := map[string]any{}
				for _, k := range keys {
					row[k] = leaf.Draw(t, "cell")
				}
				rows = append(rows, row)
			}
			return rows
		})
		list := rapid.Map(rapid.SliceOfN(inner, 0, 4), func(l []any) any { return l })
		value = rapid.OneOf(leaf, object, list, table)
	}
	return value
}

func TestMarshal_roundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		value := values().Draw(t, "value")
		text, err := Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		back, err := decode(string(text))
		if err != nil {
			t.Fatalf("%s\n%s", err, text)
		}
		want, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		var again any
		if err := json.Unmarshal(want, &again); err != nil {
			t.Fatal(err)
		}
		want, _ = json.Marshal(again)
		got, err := json.Marshal(back)
		if err != nil || string(got) != string(want) {
			t.Fatalf("%s\nis read as %s\nwant %s", text, got, want)
		}
	})
}

// FuzzMarshal writes what any JSON says, and reads it back.
func FuzzMarshal(f *testing.F) {
	f.Add(`{"a":[{"b":1,"c":"x,y"},{"b":2,"c":null}],"d.e":{"":[[],{}]},"f":"- 05"}`)
	f.Add(`["a: b","[1]: x",1e400,true]`)
	f.Fuzz(func(t *testing.T, text string) {
		var value any
		if json.Unmarshal([]byte(text), &value) != nil {
			return
		}
		want, err := json.Marshal(value)
		if err != nil || strings.Contains(string(want), "-0") { // TOON has no negative zero
			return
		}
		out, err := Marshal(value)
		assert.NoError(t, err)
		back, err := decode(string(out))
		assert.NoError(t, err, "%s", out)
		got, err := json.Marshal(back)
		assert.NoError(t, err, "%s\nis read", out)
		assert.Equal(t, string(want), string(got), "%s\nis read", out)
	})
}
