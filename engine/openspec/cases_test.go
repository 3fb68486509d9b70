package openspec

import (
	"encoding/json"
	"errors"
	"io/fs"
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
	if err != nil {
		t.Fatal(err)
	}
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
		if _, twice := p[words[0]]; twice {
			t.Fatalf("%s: %q is there twice", name, words[0])
		}
		p[words[0]] = text
	}
	return p
}

// verdict is what is said about a change or a spec.
type verdict struct {
	Valid    bool
	Strict   bool
	Findings []Finding
}

// attempt is what archiving a change does.
type attempt struct {
	// Code and Message are those of a refusal, and Hint is what is said to do.
	Code     string   `json:",omitempty"`
	Message  string   `json:",omitempty"`
	Hint     string   `json:",omitempty"`
	Folder   string   `json:",omitempty"`
	Totals   Counts   `json:",omitzero"`
	Warnings []string `json:",omitempty"`
	// Changed are the specs that differ afterwards. A deleted one is null.
	Changed map[string]*string `json:",omitempty"`
}

// record is what the tool, or this package, makes of a project.
type record struct {
	Changes map[string]listing
	// Verdicts are by "change/ID", "spec/ID" and "archived/NAME".
	Verdicts map[string]verdict
	Attempts map[string]attempt
}

// listing is a change in a list.
type listing struct {
	Done, Total int
	Status      string
	Nested      []string `json:",omitempty"`
}

func newRecord() record {
	return record{Changes: map[string]listing{}, Verdicts: map[string]verdict{}, Attempts: map[string]attempt{}}
}

// recordOurs asks this package.
func recordOurs(t testing.TB, p project, date time.Time) record {
	t.Helper()
	r := newRecord()
	fsys := p.fs()
	judge := func(kind string, names []string, check func(fs.FS, string) ([]Finding, error)) {
		for _, name := range names {
			found, err := check(fsys, name)
			if err != nil {
				t.Fatalf("%s %s: %v", kind, name, err)
			}
			r.Verdicts[kind+"/"+name] = verdict{Valid: Valid(found, false), Strict: Valid(found, true), Findings: found}
		}
	}
	ids := changeIDs(t, p)
	judge("change", ids, Validate)
	capabilities, err := Capabilities(fsys)
	if err != nil {
		t.Fatal(err)
	}
	judge("spec", capabilities, ValidateSpec)
	archived, err := Archived(fsys)
	if err != nil {
		t.Fatal(err)
	}
	judge("archived", archived, ValidateArchived)
	changes, err := Changes(fsys)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range changes {
		r.Changes[c.ID] = listing{Done: c.Done, Total: c.Total, Status: c.Status(), Nested: c.Nested}
	}
	for _, id := range ids {
		r.Attempts[id], _ = attemptOurs(t, p.only(id), id, date)
	}
	return r
}

func changeIDs(t testing.TB, p project) []string {
	t.Helper()
	changes, err := Changes(p.fs())
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, c := range changes {
		ids = append(ids, c.ID)
	}
	return ids
}

// only is the project without other changes and the specs that only those are about. One
// spec is kept in any case, which must not change.
func (p project) only(id string) project {
	kept := project{}
	for name, text := range p {
		_, about := p["changes/"+id+"/"+name]
		if strings.HasPrefix(name, "changes/"+id+"/") || about || name == "specs/auth/spec.md" || name == "changes/archive/2026-03-05-taken/proposal.md" {
			kept[name] = text
		}
	}
	return kept
}

// attemptOurs archives a change and returns the project afterwards.
func attemptOurs(t testing.TB, p project, id string, date time.Time) (attempt, project) {
	t.Helper()
	plan, err := Archive(p.fs(), id, ArchiveOptions{Date: date, Incomplete: true})
	var refused *ArchiveError
	switch {
	case errors.As(err, &refused):
		a := attempt{Code: refused.Code, Message: refused.Message}
		if e := asApplyError(err); e != nil && len(e.Problems) == 0 {
			a.Hint = e.Invalid[0].Hint
		}
		return a, p
	case err != nil:
		t.Fatalf("%s: %v", id, err)
	}
	writes, deletes, err := plan.Files(p.fs())
	if err != nil {
		t.Fatal(err)
	}
	after := maps.Clone(p)
	for _, name := range deletes {
		delete(after, name)
	}
	for _, f := range writes {
		after[f.Path] = string(f.Data)
	}
	a := attempt{Folder: path.Base(plan.Folder), Totals: plan.Totals(), Warnings: plan.Warnings}
	a.Changed = changedSpecs(p, after)
	return a.undated(date), after
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

// undated replaces the day of the test, so that golden files stay.
func (a attempt) undated(date time.Time) attempt {
	day := date.Format(time.DateOnly)
	a.Folder = strings.Replace(a.Folder, day, "DATE", 1)
	a.Message = strings.Replace(a.Message, day, "DATE", 1)
	return a
}

// compareRecords reports where this package differs from the tool.
func compareRecords(t testing.TB, want, got record) {
	t.Helper()
	if w, g := keys(want.Changes), keys(got.Changes); !slices.Equal(w, g) {
		t.Errorf("listed\n%q, want\n%q", g, w)
	}
	for id, w := range want.Changes {
		if g := got.Changes[id]; printJSON(t, w) != printJSON(t, g) {
			t.Errorf("list %s: %+v, want %+v", id, g, w)
		}
	}
	if w, g := keys(want.Verdicts), keys(got.Verdicts); !slices.Equal(w, g) {
		t.Errorf("judged\n%q, want\n%q", g, w)
	}
	for name, w := range want.Verdicts {
		g := got.Verdicts[name]
		if w.Valid != g.Valid || w.Strict != g.Strict || !sameFindings(w.Findings, g.Findings) {
			t.Errorf("%s:\n%s\nwant\n%s", name, printJSON(t, g), printJSON(t, w))
		}
	}
	if w, g := keys(want.Attempts), keys(got.Attempts); !slices.Equal(w, g) {
		t.Errorf("archived\n%q, want\n%q", g, w)
	}
	for id, w := range want.Attempts {
		if g := got.Attempts[id]; printJSON(t, w) != printJSON(t, g) {
			t.Errorf("archive %s:\n%s\nwant\n%s", id, printJSON(t, g), printJSON(t, w))
		}
	}
}

func keys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// sameFindings compares findings in their order. A line that the tool does not know may be
// known here.
func sameFindings(want, got []Finding) bool {
	return slices.EqualFunc(want, got, func(w, g Finding) bool {
		return w.Level == g.Level && w.Path == g.Path && w.Message == g.Message && (w.Line == 0 || w.Line == g.Line)
	})
}

func printJSON(t testing.TB, v any) string {
	t.Helper()
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// goldenFile holds what the tool said about a project of testdata/cases.
func goldenFile(name string) string { return filepath.Join("testdata", "golden", name+".json") }

// projects are the archives of testdata/cases.
var projects = []string{"broken", "deltas", "schemas"}

// TestGolden compares this package with what the tool said. UPDATE=1 writes the golden
// files in TestOracle, which needs the tool.
func TestGolden(t *testing.T) {
	t.Parallel()
	for _, name := range projects {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(goldenFile(name))
			if err != nil {
				t.Fatal(err)
			}
			var want record
			if err := json.Unmarshal(data, &want); err != nil {
				t.Fatal(err)
			}
			p := loadProject(t, name)
			compareRecords(t, want, recordOurs(t, p, time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)))
		})
	}
}

// TestGolden_covers checks that the cases are as many and as different as they have to be.
func TestGolden_covers(t *testing.T) {
	t.Parallel()
	p := loadProject(t, "broken")
	if n := len(changeIDs(t, p)); n < 60 {
		t.Errorf("%d changes, want at least 60", n)
	}
	said := map[string]bool{}
	for _, v := range recordOurs(t, p, time.Time{}).Verdicts {
		for _, f := range v.Findings {
			said[f.Message] = true
		}
	}
	for _, format := range findingTexts() {
		var parts []string
		for _, part := range regexp.MustCompile(`%(\[\d\])?[sd]`).Split(format, -1) {
			parts = append(parts, regexp.QuoteMeta(part))
		}
		known := regexp.MustCompile(strings.Join(parts, "(?s:.*)"))
		if !slices.ContainsFunc(keys(said), known.MatchString) {
			t.Errorf("no case is about %q", format)
		}
	}
}

// findingTexts are the texts that validation has.
func findingTexts() []string {
	return []string{
		msgNoDeltas, msgSkipConflict, msgSkipAccepted, msgSkipInvalid, msgRootDelta, msgUnreadDelta, msgNoSections, msgNoEntries,
		msgStrayHeading, msgNamelessOne, msgUnpaired, msgOrphan, msgDuplicate, msgDuplicateSide, msgNoText, msgNoScenario,
		msgEmptyScenario, msgInBoth, msgModifiesOld, msgRenamedToAdded, msgSpelled, msgLosesScenarios, msgWouldRefuse,
		msgHeaderOnly, msgGuidance, msgNoPurposeSection, msgNoRequirementsSection, msgMissingSections, msgNoRequirements,
		msgNeedsScenario, msgScenarioFormat, msgLongRequirement, msgBriefPurpose, msgPlaceholder, msgDeltaHeading, msgOutside,
		msgRepeated, msgNested,
	}
}
