package prompt

import (
	"slices"
	"testing"
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
		if !slices.ContainsFunc(Variables(), func(v Variable) bool { return v.Name == n.Variable }) {
			t.Errorf("%+v names no variable", n)
		}
		if got := Fill("{"+n.Name+"} {{"+n.Name+"}}", values); got != "<"+n.Variable+"> <"+n.Variable+">" {
			t.Errorf("%+v: %s", n, got)
		}
	}
	few := map[string]string{"spec.id": "x"}
	AddSpecNames(few)
	if len(few) != 2 || few["uv-spec_id"] != "x" {
		t.Errorf("%v", few)
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	got := Names("{{a}} {{b c}} {uv-x} {{a}} ${uv-y} {{uv-x}} {input_text} {other}")
	if want := []string{"a", "uv-x", "input_text"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestParse_command reads the keys that make a prompt a command, and the older key for its description.
func TestParse_command(t *testing.T) {
	t.Parallel()
	p, err := Parse("p", "p.md", []byte("\ufeff---\r\nc1: git\r\nc2: group-commit\r\nc3: unstaged-changes\r\ntitle: T\r\ndescription: D\r\npurpose: P\r\nuv: []\r\n---\r\nText.\r\n"))
	if err != nil || p.C1 != "git" || p.C2 != "group-commit" || p.C3 != "unstaged-changes" || p.Title != "T" || p.Description != "D" {
		t.Errorf("%+v, %v", p, err)
	}
	if p, err = Parse("p", "p.md", []byte("---\npurpose: P\n---\nText.\n")); err != nil || p.Description != "P" {
		t.Errorf("%+v, %v", p, err)
	}
	seen := map[string]bool{}
	for _, name := range ShippedNames() {
		p, err := Shipped(name)
		id := p.C1 + "/" + p.C2 + "/" + p.C3
		if err != nil || p.C1 != "spec" || p.C2 == "" || p.C3 == "" || p.Title == "" || seen[id] {
			t.Errorf("%s: %q, %q, %v", name, id, p.Title, err)
		}
		seen[id] = true
	}
}
