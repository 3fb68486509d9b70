package shape

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"
)

// settings have a field of each kind.
type settings struct {
	Name  string         `yaml:"name"`
	Count int            `yaml:"count"`
	On    *bool          `yaml:"on"`
	Even  even           `yaml:"even"`
	Inner inner          `yaml:"inner"`
	List  []inner        `yaml:"list"`
	Named map[string]in2 `yaml:"named"`
	Own   own            `yaml:"own"`
	Bare  float64
	inner `yaml:",inline"`
	None  string `yaml:"-"`

	Ruled    *kilo            `yaml:"ruled" rule:"kilo"`
	Many     []kilo           `yaml:"many" rule:"kilo"`
	ByName   map[string]kilo  `yaml:"by_name" rule:"kilo"`
	Span     span             `yaml:"span"`
	Distinct distinct         `yaml:"distinct"`
	Spans    map[string]span  `yaml:"spans"`
	Bounds   map[string]bound `yaml:"bounds"`
}

// kilo is a number of thousands that a rule reads.
type kilo int

func parseKilo(text string) (int, error) {
	n, err := strconv.Atoi(strings.TrimSuffix(text, "k"))
	if err != nil {
		return 0, fmt.Errorf("%q is not a number of thousands", text)
	}
	return 1000 * n, nil
}

// UnmarshalYAML is what the rule replaces: a whole decoded by the YAML package agrees with one that was read.
func (k *kilo) UnmarshalYAML(node *yaml.Node) error {
	n, err := parseKilo(node.Value)
	*k = kilo(n)
	return err
}

// span is checked as a whole.
type span struct {
	From int `yaml:"from"`
	To   int `yaml:"to"`
}

func (s *span) CheckWhole(node *yaml.Node, report Report) {
	if s.From > s.To {
		report(node.Line, "ends before it begins")
	}
}

// bound must have a value.
type bound struct {
	At int `yaml:"at"`
}

func (b *bound) CheckWhole(node *yaml.Node, report Report) {
	if b.At == 0 {
		report(node.Line, "at is missing")
	}
}

// distinct keeps each text once.
type distinct []string

func (d *distinct) CheckWhole(node *yaml.Node, report Report) {
	kept := (*d)[:0]
	for _, text := range *d {
		if slices.Contains(kept, text) {
			report(node.Line, "%q is not distinct", text)
		} else {
			kept = append(kept, text)
		}
	}
	*d = kept
}

type inner struct {
	Key string `yaml:"key"`
	N   even   `yaml:"n"`
}

type in2 struct {
	Must string `yaml:"must"`
	May  bool   `yaml:"may"`
}

// UnmarshalYAML requires one of the keys.
func (i *in2) UnmarshalYAML(node *yaml.Node) error {
	type plain in2
	if err := node.Decode((*plain)(i)); err != nil {
		return err
	}
	if i.Must == "" {
		return fmt.Errorf("line %d: must is missing", node.Line)
	}
	return nil
}

type even int

func (e *even) UnmarshalYAML(node *yaml.Node) error {
	n := len(node.Value)
	if n%2 != 0 {
		return fmt.Errorf("line %d: %q is odd", node.Line, node.Value)
	}
	*e = even(n)
	return nil
}

// own is written as a mapping and decoded as a list.
type own []string

func (o *own) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind != yaml.MappingNode {
		return fmt.Errorf("line %d: own is no mapping", node.Line)
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		*o = append(*o, node.Content[i].Value)
	}
	return nil
}

func schema() Schema {
	l := Schema{Known: []string{"older", "inner.older"}, Rules: map[string]Rule{"kilo": Parsed(parseKilo)}}
	Outline[own, map[string]inner](&l)
	return l
}

func TestRead(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		src  string
		want []string
	}{
		"all right":       {"name: a\ncount: 1\non: true\neven: ab\ninner: {key: k, n: ab}\nlist: [{key: a}]\nnamed: {x: {must: m}}\nown: {a: {n: ab}}\nbare: 1.5\nkey: inline\nolder: 1\n", nil},
		"nulls":           {"name:\ncount: ~\ninner:\nlist:\nnamed: {x: }\n", nil},
		"unknown":         {"nam: a\ninner:\n  kez: b\n  older: 1\nlist:\n- kex: 1\nnamed: {x: {must: m, mai: 1}}\nown: {a: {b: c}}\nnone: 1\n", []string{"1 nam ?", "3 inner.kez ?", "6 list[0].kex ?", "7 named.x.mai ?", "8 own.a.b ?", "9 none ?"}},
		"values":          {"count: many\non: perhaps\neven: odd\nbare: [1]\nname: {a: b}\n", []string{`1 count "many" is not a whole number`, `2 on "perhaps" is not true or false`, `3 even "odd" is odd`, `4 bare a list is not a number`, `5 name a mapping is not a text`}},
		"deep values":     {"inner: {n: odd}\nlist:\n- {n: ab}\n- {n: odd}\n- text\nnamed: {x: {may: 3}, y: {}}\nown: {a: {n: odd}}\n", []string{`1 inner.n "odd" is odd`, `4 list[1].n "odd" is odd`, `5 list[2] "text" is not a mapping of keys to values`, `6 named.x.may "3" is not true or false`, `6 named.y must is missing`, `7 own.a.n "odd" is odd`}},
		"not a list":      {"list: {a: b}\ninner: text\nown: [a]\nnamed: 3\n", []string{"1 list a mapping is not a list", `2 inner "text" is not a mapping of keys to values`, "3 own own is no mapping", `4 named "3" is not a mapping of keys to values`}},
		"anchors":         {"inner: &a {key: k, n: odd}\nlist: [*a]\n", []string{`1 inner.n "odd" is odd`, `1 list[0].n "odd" is odd`}},
		"shared":          {"inner: &a {key: k, may: true}\nnamed: {x: *a}\n", []string{"1 inner.may ?", "1 named.x.key ?", "1 named.x must is missing"}},
		"merge":           {"inner: &a {key: k}\nlist:\n- <<: *a\n  n: ab\n", nil},
		"merged":          {"inner: &a {key: k, n: ab}\nlist:\n- {<<: [*a, {key: x}], n: odd}\n- {<<: 3}\n- &b {<<: *a}\n- {<<: *b}\n", []string{`3 list[0].n "odd" is odd`, "4 list[1] the values for << cannot be merged (use a mapping or a list of mappings)"}},
		"rules":           {"ruled: k\nmany: [1k, x, [2]]\nby_name: {a: 3k, b: y}\n", []string{`1 ruled "k" is not a number of thousands`, `2 many[1] "x" is not a number of thousands`, "2 many[2] a list is not a single value", `3 by_name.b "y" is not a number of thousands`}},
		"nulls in wholes": {"spans: {a: , b: {from: 1}}\nmany: [~, 1k]\nbounds: {a: ~}\n", []string{"1 spans.b ends before it begins", "3 bounds.a at is missing"}},
		"not of a rule":   {"ruled: [1]\nmany: 1\nby_name: []\n", []string{"1 ruled a list is not a single value", `2 many "1" is not a list`, "3 by_name a list is not a mapping of keys to values"}},
		"wholes":          {"span: {from: 2, to: 1}\ndistinct: [a, b, a]\n", []string{"1 span ends before it begins", `2 distinct "a" is not distinct`}},
		"broken wholes":   {"span: {from: x, to: -1}\ndistinct: [a, {}, a]\n", []string{`1 span.from "x" is not a whole number`, "2 distinct[1] a mapping is not a text", `2 distinct "a" is not distinct`}},
		"twice":           {"inner: {key: a, key: b}\n", []string{"1 inner.key appears twice, first on line 1"}},
		"nothing at all":  {"", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var doc yaml.Node
			assert.NoError(t, yaml.Unmarshal([]byte(test.src), &doc))
			root := &doc
			if len(doc.Content) > 0 {
				root = doc.Content[0]
			}
			var got []string
			for _, f := range Read(root, new(settings), schema()) {
				text := fmt.Sprintf("%d %s %s", f.Line, f.Key, f.Msg)
				if f.Unknown {
					text = fmt.Sprintf("%d %s ?", f.Line, f.Key)
				}
				got = append(got, text)
			}
			assert.Equal(t, test.want, got, "got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			assert.NoError(t, root.Decode(&settings{}), "what is left cannot be decoded")
		})
	}
}

// TestRead_values: what is right is read, and what is wrong or missing stays as it was.
func TestRead_values(t *testing.T) {
	t.Parallel()
	have := settings{Name: "before", Count: 7, Span: span{1, 9}, Inner: inner{Key: "kept"}}
	var doc yaml.Node
	src := "name: [x]\ncount:\neven: ab\ninner: &i {n: abcd}\nruled: 2k\nmany: [1, x, ~, 3k]\nby_name: {a: 4, b: x, c: ~}\nspan: {to: 0}\ndistinct: [a, b, a]\nlist: [{<<: *i, key: z}]\nown: {p: {}}\n"
	assert.NoError(t, yaml.Unmarshal([]byte(src), &doc))
	Read(doc.Content[0], &have, schema())
	two := kilo(2000)
	want := settings{
		Name: "before", Count: 7, Even: 2, Inner: inner{Key: "kept", N: 4}, Ruled: &two, Many: []kilo{1000, 3000}, ByName: map[string]kilo{"a": 4000},
		Span: span{1, 9}, Distinct: distinct{"a", "b"}, List: []inner{{Key: "z", N: 4}}, Own: own{"p"},
	}
	assert.Equal(t, want, have)
}

// TestRead_shared: what one use of an anchor does not know stays there for the others, in any order, also merged.
func TestRead_shared(t *testing.T) {
	t.Parallel()
	for _, src := range []string{
		"inner: &a {key: k, must: m}\nnamed: {x: *a}\n",
		"named: {x: &a {must: m, key: k}}\ninner: *a\n",
		"inner: &a {key: k, must: m}\nnamed: {x: {<<: *a}}\n",
	} {
		var doc yaml.Node
		assert.NoError(t, yaml.Unmarshal([]byte(src), &doc))
		var have settings
		Read(doc.Content[0], &have, schema())
		assert.Equal(t, "k", have.Inner.Key, "%s", src)
		assert.Equal(t, "m", have.Named["x"].Must, "%s", src)
	}
}

// TestRead_aliases ends for anchors that contain themselves, and for aliases of aliases that would fill the memory.
func TestRead_aliases(t *testing.T) {
	t.Parallel()
	bomb := "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := range 12 {
		bomb += fmt.Sprintf("a%d: &a%d [%s]\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i), 10), ", "))
	}
	for _, src := range []string{bomb, "inner: &a {key: k, <<: *a}\n", "list: &a [*a]\n", "named: &a {x: {must: m}, y: *a}\n"} {
		var doc yaml.Node
		assert.NoError(t, yaml.Unmarshal([]byte(src), &doc))
		var have settings
		assert.NotEqual(t, 0, len(Read(doc.Content[0], &have, schema())), "%.40s: no fault", src)
	}
}

// TestRead_strict: a type that decodes itself refuses what it does not know, and its outline only adds unknown keys.
func TestRead_strict(t *testing.T) {
	t.Parallel()
	for _, strict := range []bool{false, true} {
		var doc yaml.Node
		assert.NoError(t, yaml.Unmarshal([]byte("own: {a: {b: c}}\nnamed: {x: {must: m, mai: 1}, y: {may: 3}}\n"), &doc))
		s := schema()
		s.Strict = strict
		var have settings
		unknown := 0
		for _, f := range Read(doc.Content[0], &have, s) {
			if f.Unknown {
				unknown++
			}
		}
		assert.Equal(t, 2, unknown, "strict %v: %+v", strict, have)
		assert.Equal(t, 1, len(have.Named), "strict %v: %+v", strict, have)
		assert.Equal(t, 1, len(have.Own), "strict %v: %+v", strict, have)
	}
}

// TestRead_agrees: a fault is found exactly if the whole cannot be decoded, and what is left
// always can.
func TestRead_agrees(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		value := func() string {
			return rapid.SampledFrom([]string{"ab", "odd", "3", "true", "[a]", "{key: a}", "{n: odd}", "[{n: ab}]", "{x: {must: a}}", "{x: {n: ab}}", "~", "1.5"}).Draw(t, "value")
		}
		var b strings.Builder
		for _, key := range []string{"name", "count", "on", "even", "inner", "list", "named", "own", "bare", "key", "older"} {
			if rapid.Bool().Draw(t, key) {
				fmt.Fprintf(&b, "%s: %s\n", key, value())
			}
		}
		var doc yaml.Node
		if err := yaml.Unmarshal([]byte(b.String()), &doc); err != nil {
			t.Fatal(err)
		}
		if len(doc.Content) == 0 {
			return
		}
		whole := doc.Content[0].Decode(&settings{})
		wrong := slices.ContainsFunc(Read(doc.Content[0], new(settings), schema()), func(f Fault) bool { return !f.Unknown })
		if whole != nil && !wrong {
			t.Fatalf("decoding says %v of\n%s", whole, &b)
		}
		if err := doc.Content[0].Decode(&settings{}); err != nil {
			t.Fatalf("what is left cannot be decoded: %v of\n%s", err, &b)
		}
	})
}

func TestLine(t *testing.T) {
	t.Parallel()
	var doc yaml.Node
	assert.NoError(t, yaml.Unmarshal([]byte("a: 1\nb:\n  c: 2\n  list:\n  - x\n  - y\n  - {name: z}\n"), &doc))
	for keys, want := range map[string]int{"a": 1, "b.c": 3, "b.list.y": 6, "b.list.z": 7, "b.none": 2, "none": 0, "a.b": 1, "b.list.none": 4} {
		assert.Equal(t, want, Line(doc.Content[0], strings.Split(keys, ".")...), "%s: line", keys)
	}
	assert.Equal(t, 0, Line(nil, "a"), "a line of nothing")
	assert.Equal(t, 0, Line(&yaml.Node{}, "a"), "a line of nothing")
}
