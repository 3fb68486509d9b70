package openspec

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/alecthomas/assert/v2"
	"github.com/rogpeppe/go-internal/txtar"
)

// project is a folder openspec in memory.
type project map[string]string

func (p project) fs() fstest.MapFS {
	m := fstest.MapFS{}
	for name, text := range p {
		m[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return m
}

// loadProject reads an archive of testdata/cases. Words behind a file's name say how it is
// written: crlf, or bom.
func loadProject(t testing.TB, name string) project {
	t.Helper()
	ar, err := txtar.ParseFile(filepath.Join("testdata", "cases", name+".txtar"))
	assert.NoError(t, err)
	p := project{}
	for _, f := range ar.Files {
		words := strings.Fields(f.Name)
		text := string(f.Data)
		if slices.Contains(words[1:], "crlf") {
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		if slices.Contains(words[1:], "bom") {
			text = "\uFEFF" + text
		}
		_, twice := p[words[0]]
		assert.False(t, twice, "%s: %q is there twice", name, words[0])
		p[words[0]] = text
	}
	return p
}

// record is what the tool, or this package, makes of a change.
type record struct {
	Done, Total int
	Findings    []Finding `json:",omitempty"`
	Refused     bool      `json:",omitempty"` // it cannot be archived
	Folder      string    `json:",omitempty"`
	Totals      Counts    `json:",omitzero"`
	Warnings    []string  `json:",omitempty"`
	// Changed are the specs that differ afterwards. A deleted one is null.
	Changed map[string]*string `json:",omitempty"`
}

// recordOf asks this package.
func recordOf(t testing.TB, p project, id string) record {
	t.Helper()
	s, err := Summarize(p.fs(), id)
	assert.NoError(t, err, "%s", id)
	r := record{Done: s.Done, Total: s.Total}
	r.Findings, err = Validate(p.fs(), id)
	assert.NoError(t, err, "%s", id)
	for i, f := range r.Findings {
		r.Findings[i].Message = regexp.MustCompile(`(?s)Fix the metadata \(.*`).ReplaceAllString(f.Message, "Fix the metadata (…)")
	}
	date := time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)
	before := p.only(id)
	plan, err := Archive(before.fs(), id, date)
	if _, refused := errors.AsType[*RefusedError](err); refused {
		r.Refused = true
		return r
	}
	assert.NoError(t, err, "%s", id)
	r.Folder = strings.Replace(path.Base(plan.Folder), date.Format(time.DateOnly), "DATE", 1)
	r.Warnings, r.Changed = plan.Warnings, changedSpecs(before, before.with(t, plan))
	for _, o := range plan.Outcomes {
		r.Totals.Added += o.Counts.Added
		r.Totals.Modified += o.Counts.Modified
		r.Totals.Removed += o.Counts.Removed
		r.Totals.Renamed += o.Counts.Renamed
	}
	return r
}

// changeIDs lists the changes of a project.
func changeIDs(p project) []string {
	ids := map[string]bool{}
	for name := range p {
		if parts := strings.Split(name, "/"); len(parts) > 2 && parts[0] == "changes" && parts[1] != "archive" && !strings.HasPrefix(parts[1], ".") {
			ids[parts[1]] = true
		}
	}
	return slices.Sorted(maps.Keys(ids))
}

// only is the project without other changes and the specs that only those are about, and with the tasks done. One spec
// is kept in any case, which must not change.
func (p project) only(id string) project {
	kept := project{}
	for name, text := range p {
		_, about := p["changes/"+id+"/"+name]
		if strings.HasPrefix(name, "changes/"+id+"/") || about || name == "specs/auth/spec.md" || name == "changes/archive/2026-03-05-taken/proposal.md" {
			if !strings.HasPrefix(strings.TrimPrefix(name, "changes/"+id+"/"), "specs/") {
				text = regexp.MustCompile(`\[\s*[^xX]?\s*\]`).ReplaceAllString(text, "[x]")
			}
			kept[name] = text
		}
	}
	return kept
}

// with is the project after a plan.
func (p project) with(t testing.TB, plan Plan) project {
	t.Helper()
	writes, deletes, err := plan.Files(p.fs())
	assert.NoError(t, err)
	after := maps.Clone(p)
	for _, name := range deletes {
		delete(after, name)
	}
	for _, f := range writes {
		after[f.Path] = string(f.Data)
	}
	return after
}

// changedSpecs compares the specs of a project before and after.
func changedSpecs(before, after project) map[string]*string {
	changed := map[string]*string{}
	for name := range before {
		if _, kept := after[name]; !kept && strings.HasPrefix(name, "specs/") {
			changed[name] = nil
		}
	}
	for name, text := range after {
		if old, there := before[name]; (!there || old != text) && strings.HasPrefix(name, "specs/") {
			changed[name] = &text
		}
	}
	return changed
}

// TestGolden compares this package with what the tool (1.13.2) said and wrote, but for its remarks and for what it says
// when it refuses to archive. Lines that the tool does not know may be known here.
func TestGolden(t *testing.T) {
	t.Parallel()
	for _, name := range projects {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(filepath.Join("testdata", "golden", name+".json"))
			assert.NoError(t, err)
			var want map[string]record
			assert.NoError(t, json.Unmarshal(data, &want))
			p := loadProject(t, name)
			if ids := changeIDs(p); !slices.Equal(ids, slices.Sorted(maps.Keys(want))) {
				t.Fatalf("changes %q, want %q", ids, slices.Sorted(maps.Keys(want)))
			}
			for id, w := range want {
				got := recordOf(t, p, id)
				for i, f := range w.Findings {
					if f.Line == 0 && i < len(got.Findings) {
						got.Findings[i].Line = 0
					}
				}
				g, w := printJSON(t, got), printJSON(t, w)
				assert.Equal(t, w, g, "%s:", id)
			}
		})
	}
}

func printJSON(t testing.TB, v any) string {
	t.Helper()
	out, err := json.MarshalIndent(v, "", "  ")
	assert.NoError(t, err)
	return string(out)
}

// projects are the archives of testdata/cases.
var projects = []string{"broken", "deltas", "schemas"}
