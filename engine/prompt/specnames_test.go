package prompt

import (
	"slices"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestSpecNames: each name equals a variable that exists, and its values are filled in.
func TestSpecNames(t *testing.T) {
	t.Parallel()
	values := map[string]string{}
	for _, v := range Variables() {
		values[v.Name] = "<" + v.Name + ">"
	}
	AddSpecNames(values)
	for _, n := range SpecNames() {
		assert.True(t, slices.ContainsFunc(Variables(), func(v Variable) bool { return v.Name == n.Variable }), "%+v names no variable", n)
		assert.Equal(t, "<"+n.Variable+"> <"+n.Variable+">", Fill("{"+n.Name+"} {{"+n.Name+"}}", values), "%+v", n)
	}
	few := map[string]string{"spec.id": "x"}
	AddSpecNames(few)
	assert.Equal(t, 2, len(few))
	assert.Equal(t, "x", few["uv-spec_id"])
}

func TestNames(t *testing.T) {
	t.Parallel()
	got := Names("{{a}} {{b c}} {uv-x} {{a}} ${uv-y} {{uv-x}} {input_text} {other}")
	assert.Equal(t, []string{"a", "uv-x", "input_text"}, got)
}

// TestParse_command reads the keys that make a prompt a command, and the older key for its description.
func TestParse_command(t *testing.T) {
	t.Parallel()
	p, err := Parse("p", "p.md", []byte("\ufeff---\r\nc1: git\r\nc2: group-commit\r\nc3: unstaged-changes\r\ntitle: T\r\ndescription: D\r\npurpose: P\r\nuv: []\r\n---\r\nText.\r\n"))
	assert.NoError(t, err)
	assert.Equal(t, "git", p.C1)
	assert.Equal(t, "group-commit", p.C2)
	assert.Equal(t, "unstaged-changes", p.C3)
	assert.Equal(t, "T", p.Title)
	assert.Equal(t, "D", p.Description)
	p, err = Parse("p", "p.md", []byte("---\npurpose: P\n---\nText.\n"))
	assert.NoError(t, err)
	assert.Equal(t, "P", p.Description)
	seen := map[string]bool{}
	for _, name := range ShippedNames() {
		p, err := Shipped(name)
		id := p.C1 + "/" + p.C2 + "/" + p.C3
		assert.NoError(t, err, "%s: %q", name, id)
		assert.Equal(t, "spec", p.C1, "%s: %q", name, id)
		assert.NotEqual(t, "", p.C2, "%s: %q", name, id)
		assert.NotEqual(t, "", p.C3, "%s: %q", name, id)
		assert.NotEqual(t, "", p.Title, "%s: %q", name, id)
		assert.False(t, seen[id], "%s: %q, %q, %v", name, id, p.Title, err)
		seen[id] = true
	}
}
