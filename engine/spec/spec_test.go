package spec

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine/spec/fileset"
	"chant/markdown"

	"github.com/alecthomas/assert/v2"
)

func odd(t *testing.T, name string) *File {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("testdata", "odd", name+".md"))
	assert.NoError(t, err)
	s, err := Parse(name, name+".md", src)
	assert.NoError(t, err)
	assert.Equal(t, src, s.Doc.Bytes(), "%s: reading changed the bytes", name)
	return s
}

// read parses a spec from lines of front matter and a body.
func read(t testing.TB, id, front, body string) *File {
	t.Helper()
	s, err := Parse(id, id+".md", []byte("---\n"+strings.TrimSpace(front)+"\n---\n"+body))
	assert.NoError(t, err)
	return s
}

func TestParse_oddities(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]struct {
		title  string
		status Status
		kind   Type
		boxes  int
	}{
		"crlf":    {"Print receipts on both tills", Pending, Code, 1},
		"bom":     {"Begins with a mark of its byte order", Failed, Code, 0},
		"plain":   {"A note that nobody gave a front matter", Pending, Code, 0},
		"old":     {"The title comes late", Pending, Code, 3},
		"dashes":  {"Dashes inside a value end nothing", Completed, Code, 0},
		"scalars": {"One word where others write a list", Pending, "poem", 0},
	} {
		s := odd(t, name)
		assert.Equal(t, want.title, s.Title, "%v", name)
		assert.Equal(t, want.status, s.Status, "%v", name)
		assert.Equal(t, want.kind, s.Fields.Type, "%v", name)
		assert.Equal(t, want.boxes, len(Criteria(s.Doc)), "%v", name)
		assert.Equal(t, name, s.ID)
		assert.Equal(t, s.Status == Completed, s.Landed)
		assert.Equal(t, "", s.Branch)
		assert.False(t, s.Archived, "%s: %+v", name, s)
	}
}

func TestParse_stringOrList(t *testing.T) {
	t.Parallel()
	f := odd(t, "scalars").Fields
	want := Fields{
		Type: "poem", DependsOn: StringList{"one-before"}, Labels: StringList{"a", "b c"}, Context: StringList{},
		Model: "4.5", Approval: &Approval{Required: true},
	}
	assert.Equal(t, want, f)
	for front, wantNil := range map[string]bool{"x: 1": true, "depends_on:": true, "depends_on: ~": true, "depends_on: []": false, "depends_on: [a]": false} {
		assert.Equal(t, wantNil, read(t, "x", front, "").Fields.DependsOn == nil, "%q reads", front)
	}
}

func TestParse_broken(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		src  string
		line int
	}{
		"unknown status":        {"---\ntype: code\n# so\nstatus: done\n---\n# T\n", 4},
		"unknown status, CRLF":  {"---\r\ntype: code\r\nstatus: done\r\n---\r\n", 3},
		"status in a flow":      {"---\n{status: done}\n---\n", 2},
		"list of maps":          {"---\ntype: code\ndepends_on:\n  - {a: b}\n---\n", 4},
		"no end":                {"---\nstatus: pending\n", 1},
		"key twice":             {"---\nstatus: pending\nstatus: failed\n---\n", 3},
		"approval is no map":    {"---\napproval: yes please\n---\n", 2},
		"front matter of words": {"---\njust words\n---\n", 2},
	} {
		s, err := Parse("x", "dir/x.md", []byte(c.src))
		bad, ok := errors.AsType[*markdown.SyntaxError](err)
		assert.True(t, ok, "%s: %v, want line %d", name, err, c.line)
		assert.True(t, s == nil, "%s: %v, want line %d", name, err, c.line)
		assert.Equal(t, "dir/x.md", bad.Path, "%s: %v, want line", name, err)
		assert.Equal(t, c.line, bad.Line, "%s: %v, want line", name, err)
	}
}

func TestApply_onlyTheStatus(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		event    Event
		old, new string
	}{
		"crlf": {Start, "status: pending  # not yet\r\n", "status: in_progress  # not yet\r\n"},
		"bom":  {Start, `status: "failed"`, `status: "in_progress"`},
		"old":  {Cancel, "status: blocked", "status: cancelled"},
	} {
		s := odd(t, name)
		doc, err := s.Apply(c.event)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want := strings.Replace(string(s.Doc.Bytes()), c.old, c.new, 1)
		assert.Equal(t, want, string(doc.Bytes()), "%s:", name)
	}
}

func TestApply_edits(t *testing.T) {
	t.Parallel()
	s := read(t, "x", "status: in_progress\nreason: slow", "# T\n")
	doc, err := s.Apply(Complete, markdown.Set("commits", []string{"abc"}), markdown.Unset("reason"))
	assert.NoError(t, err)
	got := string(doc.Bytes())
	assert.HasPrefix(t, got, "---\nstatus: completed\ncommits:")
	assert.NotContains(t, got, "reason")
	_, err = s.Apply(Start)
	assert.Error(t, err, "the machine was not asked")
}

func TestHasLabel_oneOfThem(t *testing.T) {
	t.Parallel()
	s := &Spec{Fields: Fields{Labels: []string{"api", "slow"}}}
	for want, filters := range map[bool][][]string{
		true:  {nil, {}, {"api"}, {"web", "slow"}},
		false: {{"web"}, {"API"}, {""}},
	} {
		for _, labels := range filters {
			assert.Equal(t, want, s.HasLabel(labels), "%q", labels)
		}
	}
}

// TestPriority: words and numbers are read, 0 is the most urgent, no priority means medium, and a spec with an invalid
// priority can still be read.
func TestPriority(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		text  string
		level int
		ok    bool
	}{
		{"", 2, true}, {"null", 2, true}, {"~", 2, true},
		{"Critical", 0, true}, {"high", 1, true}, {"MEDIUM", 2, true}, {"Low", 3, true}, {"lowest", 4, true},
		{"0", 0, true}, {"1", 1, true}, {"17", 17, true}, {"P0", 0, true}, {`"p3"`, 3, true},
		{"-1", 2, false}, {"1.5", 2, false}, {"soon", 2, false}, {"[high]", 2, false}, {"{a: 1}", 2, false},
	} {
		s, err := Parse("a", "a.md", []byte("---\nstatus: pending\npriority: "+tc.text+"\n---\n# A\n"))
		if err != nil {
			t.Errorf("priority %q loses the spec: %v", tc.text, err)
			continue
		}
		level, ok := s.Fields.Priority.Level()
		assert.Equal(t, tc.level, level, "priority %q is level", tc.text)
		assert.Equal(t, tc.ok, ok, "priority %q is level", tc.text)
	}
}

// TestSpec_AwaitsRetry: a spec that a person paused is not retried.
func TestSpec_AwaitsRetry(t *testing.T) {
	t.Parallel()
	const state = "retry_state: {attempts: 2, last_retry_time: -1000, next_retry_time: 1795186126301}\n"
	for text, want := range map[string]bool{
		"status: paused\n" + state: true,
		"status: paused\n":         false,
		"status: failed\n" + state: false, // as the older chant wrote it: nothing is scheduled
	} {
		s, err := Parse("a", "a.md", []byte("---\n"+text+"---\n# A\n"))
		if err != nil || s.AwaitsRetry() != want {
			t.Errorf("%q: %v, want %v, %v", text, s.AwaitsRetry(), want, err)
		}
		assert.False(t, want && (s.Fields.Retry.Due().UnixMilli() != 1795186126301 || s.Fields.Retry.Attempts != 2), "%+v", s.Fields.Retry)
	}
}

func TestDigests_inFrontMatter(t *testing.T) {
	t.Parallel()
	doc, err := markdown.Parse("x.md", []byte("---\nstatus: completed # so\nother: [1]\n---\n# A\n"))
	assert.NoError(t, err)
	want := fileset.Digests{{Entry: "**/*.md", Sum: "0123456789"}, {Entry: "a: b #c", Sum: fileset.NoFiles}, {Entry: "z", Sum: "1e5"}, {Entry: "a", Sum: "true"}}
	doc, err = doc.Apply(markdown.Set(HashesKey, want))
	assert.NoError(t, err)
	assert.Equal(t, 2+1+len(want), strings.Count(string(doc.FrontMatter()), "\n"), "not a line for each entry:\n%s", doc.Bytes())
	s, err := FromDocument("x", doc)
	assert.NoError(t, err)
	assert.Equal(t, want, s.Fields.Hashes)
	for _, odd := range []string{"content_hashes: [1]", "content_hashes: text", "content_hashes:"} {
		s, err := Parse("x", "x.md", []byte("---\n"+odd+"\n---\n# A\n"))
		assert.NoError(t, err, "%s", odd)
		assert.Zero(t, s.Fields.Hashes, "%s", odd)
	}
}

func TestFields_sources(t *testing.T) {
	t.Parallel()
	f := Fields{Tracks: StringList{"a", " "}, Origin: StringList{"b", "a"}, InformedBy: StringList{"c"}, TargetFiles: StringList{"d", "b"}}
	assert.Equal(t, []string{"a", "b", "c", "d"}, f.Sources())
}
