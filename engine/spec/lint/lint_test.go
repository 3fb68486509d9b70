package lint

import (
	"fmt"
	"strings"
	"testing"

	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

const (
	titled = "# T\n"
	whole  = "# T\n\n## Acceptance Criteria\n\n- [ ] one is so\n- [x] two is so\n"
)

// read parses a spec from front matter and a body.
func read(t testing.TB, id, front, body string) *spec.File {
	t.Helper()
	s, err := spec.Parse(id, id+".md", []byte("---\n"+strings.TrimSpace(front)+"\n---\n"+body))
	assert.NoError(t, err)
	return s
}

// among returns a project with the spec and others: a, which is ready, and b, which waits for a.
func among(t testing.TB, s *spec.File, more ...*spec.File) *Project {
	t.Helper()
	others := append([]*spec.File{s, read(t, "a", "status: pending", whole), read(t, "b", "depends_on: "+s.ID, whole)}, more...)
	return &Project{Graph: spec.GraphOf(others, []string{"gone"}), Settings: Defaults()}
}

// brief returns each finding as "rule severity line".
func brief(t testing.TB, s *spec.File, found []Finding) []string {
	t.Helper()
	var out []string
	for _, f := range found {
		out = append(out, fmt.Sprintf("%s %s %d", f.Rule, f.Severity, f.Line))
		assert.Equal(t, s.ID, f.ID)
		assert.Equal(t, s.Doc.Path(), f.Path)
		assert.NotEqual(t, "", f.Message)
		_, known := ruleNamed(f.Rule)
		assert.True(t, known, "%s: rule %q is not listed", s.ID, f.Rule)
	}
	return out
}

// lint checks x among others.
func lint(t *testing.T, id, front, body string) ([]string, []Finding) {
	t.Helper()
	s := read(t, id, front, body)
	all := among(t, s).Check(s)
	return brief(t, s, all), all
}

func TestCheck_rules(t *testing.T) {
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
		"none, but a driver":    {"type: driver\nmembers: [a]", titled, nil},
		"open when completed":   {"status: completed", whole, []string{"open_criterion warning 8"}},
		"open when in progress": {"status: in_progress", whole, []string{"open_criterion warning 8"}},
		"approval pending":      {"approval: {required: true}", whole, nil},
		"approval given":        {"approval: {status: approved, by: ann, at: 2026-11-20}", whole, nil},
		"approval by nobody":    {"type: code\napproval: {status: approved, at: 2026-11-20}", whole, []string{"approval error 3"}},
		"approval at no time":   {"approval: {status: rejected, by: ann}", whole, []string{"approval error 2"}},
		"approval of a name":    {"approval: {status: pending, by: ann}", whole, []string{"approval error 2"}},
		"done, but rejected":    {"status: completed\napproval: {status: rejected, by: ann, at: x}", titled, []string{"approval error 3"}},
		"done, work waits":      {"status: completed\napproval: {required: true, status: pending, work: abc}", titled, []string{"approval error 3"}},
		"done, perhaps waived":  {"status: completed\napproval: {required: true}", titled, []string{"approval warning 3"}},
		"approval unknown":      {"approval: {status: maybe}", whole, []string{"approval error 2"}},
		"several at once":       {"type: poem\ndepends_on: none", "", []string{"title error 1", "type warning 2", "dependency error 3", "criteria warning 1"}},
	} {
		got, all := lint(t, "x", c.front, c.body)
		assert.Equal(t, c.want, got, "%s: %+v", name, all)
	}
}

func TestCheck_messagesName(t *testing.T) {
	t.Parallel()
	for front, want := range map[string]string{
		"depends_on: none":                    `depends on "none", which does not exist`,
		"members: [none]":                     `has a member "none", which does not exist`,
		"depends_on: b":                       "waits for itself: ",
		"type: poem":                          `unknown type "poem" is treated as code`,
		"approval: {status: approved, at: x}": "approval is approved but does not say by whom and when",
	} {
		_, all := lint(t, "x", front, whole)
		assert.Equal(t, 1, len(all), "%s", front)
		assert.Contains(t, all[0].Message, want, "%s", front)
	}
}

func TestCheck_archived(t *testing.T) {
	t.Parallel()
	s := read(t, "x", "status: completed", whole)
	s.Archived = true
	p := &Project{Graph: spec.GraphOf(nil, []string{"x"}), Settings: Defaults()}
	assert.Zero(t, p.Check(s))
}
