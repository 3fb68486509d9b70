package shape

import (
	"testing"

	"github.com/alecthomas/assert/v2"
	"go.yaml.in/yaml/v3"
)

// FuzzRead: what is wrong is reported for any YAML, and what is left can be decoded.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"name: a\ninner: {key: k, n: odd}\nlist: [a, {n: ab}]\nnamed: {x: {must: m}}\nown: {a: {n: odd}}\n",
		"inner: &a {key: k}\nlist:\n- <<: *a\n  n: ab\n- *a\n", "? [a]\n: b\n", "- a\n", "a: b\na: c\n", "count: !!str 3\n", "list: &l [*l]\n", "inner: ~\n? name\n",
		"a: &a {<<: *a, inner: {key: k}}\n<<: [*a, *a]\n", "ruled: 3k\nmany: [1k, x]\nspan: {from: 2, to: 1}\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		var doc yaml.Node
		if yaml.Unmarshal([]byte(src), &doc) != nil || len(doc.Content) != 1 {
			return
		}
		root := doc.Content[0]
		whole := root.Decode(&settings{})
		wrong := 0
		for _, fault := range Read(root, new(settings), schema()) {
			assert.NotEqual(t, "", fault.Msg)
			assert.True(t, fault.Line >= 0, "%+v", fault)
			if !fault.Unknown {
				wrong++
			}
		}
		assert.False(t, whole != nil && wrong == 0, "decoding says %v", whole)
		err := root.Decode(&settings{})
		assert.False(t, err != nil && root.Kind == yaml.MappingNode && wrong == 0, "what is left cannot be decoded: %v", err)
	})
}
