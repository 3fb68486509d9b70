package speckit

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"chant/markdown"

	"github.com/alecthomas/assert/v2"
)

// loans is the feature in testdata.
const loans = "specs/014-library-loans"

// files returns a repository with these files, each with its name as content.
func files(names ...string) fstest.MapFS {
	m := fstest.MapFS{}
	for _, name := range names {
		m[name] = &fstest.MapFile{Data: []byte(name)}
	}
	return m
}

// describe writes all that is known of a feature.
func describe(f Feature) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %s\n%q\n", f.Number, f.Name, f.Phase, f.Title)
	for _, s := range f.Stories {
		fmt.Fprintf(&b, "%s\n", s.ID)
		for _, c := range s.Scenarios {
			fmt.Fprintf(&b, "  %d: %s\n", c.Line, c.Text)
		}
	}
	for _, s := range f.SuccessCriteria {
		fmt.Fprintf(&b, "%d: %s %s\n", s.Line, s.ID, s.Text)
	}
	return b.String()
}

const wantLoans = `014 library-loans tasks
"Library loans"
US1
  25: **Given** a copy is on the shelf, **When** a member borrows it, **Then** it is out until the due date.
  27: **Given** a copy is out, **When** another member borrows it, **Then** the loan is refused.
US2
  35: **Given** a copy is out **When** it is returned **Then** it is on the shelf **And** the reader is thanked
  39: **Given** a copy is late **When** it is returned **Then** a fee is due
US3
  49: **Given** I have loans, **When** I open my account, **Then** I see when each is due.
  55: Loans are listed by due date
  56: Overdue loans are marked
84: SC-001 95% of loans take less than a minute
85: SC-002 No copy is lent twice
`

func TestOpen(t *testing.T) {
	t.Parallel()
	repo := os.DirFS("testdata")
	f, err := Open(repo, loans)
	got := describe(f)
	assert.NoError(t, err)
	assert.Equal(t, wantLoans, got)
	src, err := fs.ReadFile(repo, loans+"/spec.md")
	assert.NoError(t, err)
	crlf := append([]byte("\ufeff"), bytes.ReplaceAll(src, []byte("\n"), []byte("\r\n"))...)
	f, err = Open(fstest.MapFS{loans + "/spec.md": {Data: crlf}, loans + "/plan.md": {}}, loans)
	got = describe(f)
	assert.NoError(t, err)
	assert.Equal(t, wantLoans, got)
}

func TestOpen_phase(t *testing.T) {
	t.Parallel()
	tests := []struct {
		files string
		want  Phase
	}{
		{"research.md", Specify},
		{"plan.md tasks.md", Specify},
		{"spec.md", Plan},
		{"spec.md tasks.md", Plan},
		{"spec.md plan.md", Tasks},
		{"spec.md plan.md tasks.md", Implement},
		{"spec.md plan.md tasks.md checklist.md", Implement},
		{"spec.md/x plan.md tasks.md", Specify},
	}
	for _, tt := range tests {
		repo := files()
		for name := range strings.FieldsSeq(tt.files) {
			repo["specs/001-a/"+name] = &fstest.MapFile{}
		}
		f, err := Open(repo, "specs/001-a")
		assert.NoError(t, err, "%s", tt.files)
		assert.Equal(t, tt.want, f.Phase, "%s", tt.files)
	}
}

func TestOpen_names(t *testing.T) {
	t.Parallel()
	tests := []struct{ base, number, name string }{
		{"014-library-loans", "014", "library-loans"},
		{"1200-a", "1200", "a"},
		{"014", "014", ""},
		{"20260319-143022-loans", "20260319-143022", "loans"},
		{"20260319-143022", "20260319-143022", ""},
		{"20260319-loans", "20260319", "loans"},
		{"20260319-14302-loans", "20260319", "14302-loans"},
		{"loans", "", "loans"},
	}
	for _, tt := range tests {
		f, err := Open(files("specs/"+tt.base+"/plan.md"), "specs/"+tt.base)
		assert.NoError(t, err, "%s", tt.base)
		assert.Equal(t, tt.number, f.Number, "%s", tt.base)
		assert.Equal(t, tt.name, f.Name, "%s", tt.base)
	}
}

func TestOpen_title(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"# Feature Spec 001: Loans & fees\n": "Loans & fees", "# Feature 060: Loans\n": "Loans", "# Loans\n": "Loans", "# Features: a\n": "Features: a", "": "",
	} {
		f, err := Open(fstest.MapFS{"specs/001-a/spec.md": {Data: []byte(src)}}, "specs/001-a")
		assert.NoError(t, err, "%q", src)
		assert.Equal(t, want, f.Title, "%q", src)
	}
}

func TestOpen_errors(t *testing.T) {
	t.Parallel()
	repo := files("specs/001-a/plan.md", "specs/file")
	for _, dir := range []string{"specs/002-b", "specs/file", "none"} {
		_, err := Open(repo, dir)
		_, ok := errors.AsType[*NotFoundError](err)
		assert.True(t, ok, "%s: %v", dir, err)
	}
	for _, src := range []string{"---\nno end\n", "---\na: [\n---\n# Feature Specification: A\n", "---\n# Feature Specification: A\ntext\n---\n"} {
		f, err := Open(fstest.MapFS{"specs/001-a/spec.md": {Data: []byte(src)}}, "specs/001-a")
		broken, ok := errors.AsType[*markdown.SyntaxError](err)
		assert.True(t, ok, "%q: %v, %+v", src, err, f)
		assert.Equal(t, "specs/001-a/spec.md", broken.Path, "%q: %v", src, err)
		assert.Equal(t, "001", f.Number, "%q: %v", src, err)
	}
	_, err := Open(repo, "../outside")
	assert.Error(t, err, "a path outside of the repository was read")
}
