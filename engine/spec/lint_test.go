package spec

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

const (
	titled = "# T\n"
	whole  = "# T\n\n## Acceptance Criteria\n\n- [ ] one\n- [x] two\n"
)

// lint checks x among others and prints "rule severity line" of each finding.
func lint(t *testing.T, id, front, body string) (brief []string, all []Finding) {
	t.Helper()
	s := read(t, id, front, body)
	g := NewGraph([]*Spec{s, read(t, "a", "status: pending", whole), read(t, "b", "depends_on: "+id, whole)}, []string{"gone"})
	all = Lint(g, s)
	for _, f := range all {
		brief = append(brief, fmt.Sprintf("%s %s %d", f.Rule, f.Severity, f.Line))
		if f.ID != id || f.Path != id+".md" || f.Message == "" {
			t.Errorf("%s: %+v", id, f)
		}
	}
	return brief, all
}

func TestLint_rules(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		front, body string
		want        []string
	}{
		"nothing to say":        {"type: code\ndepends_on: [a, gone]", whole, nil},
		"no title":              {"type: code", strings.TrimPrefix(whole, "# T"), []string{"title error 1"}},
		"unknown type":          {"status: pending\ntype: poem", whole, []string{"type warning 3"}},
		"missing dependency":    {"labels: [a]\ndepends_on: [a, none]", whole, []string{"dependency error 3"}},
		"missing member":        {"members: [a, none, gone]", titled, []string{"member error 2"}},
		"waits for itself":      {"depends_on: x", whole, []string{"cycle error 2"}},
		"waits in a circle":     {"type: code\ndepends_on: b", whole, []string{"cycle error 3"}},
		"no criteria":           {"type: task", titled, []string{"criteria warning 1"}},
		"none, but cancelled":   {"status: cancelled", titled, nil},
		"none, but completed":   {"status: completed", titled, nil},
		"none, but a driver":    {"type: driver", titled, nil},
		"open when completed":   {"status: completed", whole, []string{"open-criterion warning 8"}},
		"open when in progress": {"status: in_progress", whole, nil},
		"approval pending":      {"approval: {required: true}", whole, nil},
		"approval given":        {"approval: {status: approved, by: ann, at: 2026-11-20}", whole, nil},
		"approval by nobody":    {"type: code\napproval: {status: approved, at: 2026-11-20}", whole, []string{"approval error 3"}},
		"approval at no time":   {"approval: {status: rejected, by: ann}", whole, []string{"approval error 2"}},
		"approval of a name":    {"approval: {status: pending, by: ann}", whole, []string{"approval warning 2"}},
		"approval unknown":      {"approval: {status: maybe}", whole, []string{"approval error 2"}},
		"several at once":       {"type: poem\ndepends_on: none", "", []string{"title error 1", "type warning 2", "dependency error 3", "criteria warning 1"}},
	} {
		if got, all := lint(t, "x", c.front, c.body); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q\n%+v", name, got, c.want, all)
		}
	}
}

func TestLint_name(t *testing.T) {
	t.Parallel()
	got, all := lint(t, "two words", "type: code", whole)
	if !slices.Equal(got, []string{"id error 1"}) || !strings.Contains(all[0].Message, `"two words"`) {
		t.Errorf("%q %+v", got, all)
	}
}

func TestLint_messagesName(t *testing.T) {
	t.Parallel()
	for front, want := range map[string]string{
		"depends_on: none":                    `depends on "none", which does not exist`,
		"members: [none]":                     `has a member "none", which does not exist`,
		"depends_on: b":                       "waits for itself: ",
		"type: poem":                          `unknown type "poem" is treated as code`,
		"approval: {status: approved, at: x}": "approval is approved but does not say by whom and when",
	} {
		if _, all := lint(t, "x", front, whole); len(all) != 1 || !strings.Contains(all[0].Message, want) {
			t.Errorf("%s: %+v", front, all)
		}
	}
}

func TestLint_archived(t *testing.T) {
	t.Parallel()
	s := read(t, "x", "status: completed", whole)
	s.Archived = true
	if all := Lint(NewGraph(nil, []string{"x"}), s); len(all) != 0 {
		t.Errorf("%+v", all)
	}
}
