package spec

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"chant/markdown"
)

func odd(t *testing.T, name string) *File {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("testdata", "odd", name+".md"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := Parse(name, name+".md", src)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(s.Doc.Bytes(), src) {
		t.Fatalf("%s: reading changed the bytes", name)
	}
	return s
}

// read parses a spec from lines of front matter and a body.
func read(t testing.TB, id, front, body string) *File {
	t.Helper()
	s, err := Parse(id, id+".md", []byte("---\n"+strings.TrimSpace(front)+"\n---\n"+body))
	if err != nil {
		t.Fatal(err)
	}
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
		if s.Title != want.title || s.Status != want.status || s.Fields.Type != want.kind || len(Criteria(s.Doc)) != want.boxes {
			t.Errorf("%s: title %q, %s, %s, %d criteria", name, s.Title, s.Status, s.Fields.Type, len(Criteria(s.Doc)))
		}
		if s.ID != name || s.Landed != (s.Status == Completed) || s.Branch != "" || s.Archived {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

func TestParse_stringOrList(t *testing.T) {
	t.Parallel()
	f := odd(t, "scalars").Fields
	want := Fields{
		Type: "poem", DependsOn: StringList{"one-before"}, Labels: StringList{"a", "b c"}, Context: StringList{},
		Model: "4.5", Approval: &Approval{Required: true},
	}
	if !reflect.DeepEqual(f, want) {
		t.Errorf("got  %#v\nwant %#v", f, want)
	}
	for front, wantNil := range map[string]bool{"x: 1": true, "depends_on:": true, "depends_on: ~": true, "depends_on: []": false, "depends_on: [a]": false} {
		if got := read(t, "x", front, "").Fields.DependsOn; (got == nil) != wantNil {
			t.Errorf("%q reads as %#v", front, got)
		}
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
		if !ok || s != nil || bad.Path != "dir/x.md" || bad.Line != c.line {
			t.Errorf("%s: %v, want line %d", name, err, c.line)
		}
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
		if got := string(doc.Bytes()); got != want {
			t.Errorf("%s:\n%q\nwant\n%q", name, got, want)
		}
	}
}

func TestApply_edits(t *testing.T) {
	t.Parallel()
	s := read(t, "x", "status: in_progress\nreason: slow", "# T\n")
	doc, err := s.Apply(Complete, markdown.Set("commits", []string{"abc"}), markdown.Unset("reason"))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(doc.Bytes()); !strings.HasPrefix(got, "---\nstatus: completed\ncommits:") || strings.Contains(got, "reason") {
		t.Errorf("%q", got)
	}
	if _, err := s.Apply(Start); err == nil {
		t.Error("the machine was not asked")
	}
}

func TestHasLabel_oneOfThem(t *testing.T) {
	t.Parallel()
	s := &Spec{Fields: Fields{Labels: []string{"api", "slow"}}}
	for want, filters := range map[bool][][]string{
		true:  {nil, {}, {"api"}, {"web", "slow"}},
		false: {{"web"}, {"API"}, {""}},
	} {
		for _, labels := range filters {
			if got := s.HasLabel(labels); got != want {
				t.Errorf("%q: %v", labels, got)
			}
		}
	}
}
