package site

import (
	"encoding/xml"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"chant/engine/evidence/attest"
	"chant/engine/evidence/criteria"
	"chant/engine/spec"
	"chant/engine/spec/taskfields"
	"chant/engine/store/history"
	"chant/engine/verify"
	"chant/engine/view/pages"
	"chant/gitops"

	"github.com/alecthomas/assert/v2"
)

// sample is a site with a spec of each kind.
func sample() pages.Site {
	at := func(day, hour int) time.Time { return time.Date(2026, 1, day, hour, 30, 0, 0, time.UTC) }
	verdict := criteria.Verdict{ID: "1", Text: "It holds `$ true`", How: criteria.ByRunning, Holds: true, Evidence: []criteria.Evidence{{Command: "true <x>", Seconds: 1.25, Tail: "out <b>\n"}}}
	failed := criteria.Verdict{ID: "2", Text: "It fails", How: criteria.ByBox, Why: "the box is not ticked"}
	return pages.Site{
		Name: "Sample", Invalid: []pages.Broken{{ID: "2026-01-02-009-abc", Error: ".chant/specs/2026-01-02-009-abc.md:2: <broken>"}},
		Specs: []pages.Page{
			{
				ID: "2026-01-02-001-abc", Title: "Done <b>", Status: spec.Completed, Archived: true, Landed: true, Fields: spec.Fields{Type: "code", Labels: []string{"api", "B c"}, Model: "large"},
				Body: "# Done <b>\n\nText with `code`, a [spec](2026-01-02-002-abc.md) and <i>HTML</i>.\n", Dependents: []string{"2026-01-02-002-abc"},
				Criteria: []pages.Criterion{{Text: "It holds `$ true`", Checked: true, Commands: []string{"true"}, Verdict: &verdict}, {Text: "It fails", Verdict: &failed}, {Text: "*open*"}},
				Evidence: &verify.RecordedEvidence{Commit: "0123456789", At: at(3, 4), Status: criteria.Passed, Signature: attest.Signature{State: attest.Unsigned},
					Strength: &criteria.Strength{Killed: 1, Survivors: []criteria.Survivor{{Kind: "off_by_one", File: "a b.go", Line: 3, Diff: "-a < 1\n+a < 2\n"}}}},
				Work:      &pages.Work{From: "a", To: "abcdef0123", Landing: true, Files: []gitops.FileSize{{Path: "a b.go", Added: 3, Removed: 1}, {Path: "x.png", Binary: true}}},
				Completed: at(3, 4), Created: at(2, 1), Updated: at(4, 1),
				History: []history.Entry{
					{Commit: "1111111111", At: at(2, 1), Actor: "Ada", Events: []string{"add"}},
					{Commit: "2222222222", At: at(3, 4), Actor: "Ada & Bob", Events: []string{"complete"}, Changes: []taskfields.FieldChange{{Field: "status", Old: "in_progress", New: "completed"}}},
					{Commit: "3333333333", At: at(4, 1).AddDate(0, 1, 0), Actor: "Bob"},
				},
			},
			{
				ID: "2026-01-02-002-abc", Title: "Blocked", Status: spec.Pending, Blocked: true, Fields: spec.Fields{Labels: []string{"api"}, Approval: &spec.Approval{Required: true}},
				DependsOn: []string{"2026-01-02-001-abc", "2026-01-02-404-abc"}, Drivers: []string{"2026-01-02-003-abc"},
			},
			{ID: "2026-01-02-003-abc", Title: "Driver", Status: spec.Pending, Ready: true, Fields: spec.Fields{Type: "driver"}, Members: []string{"2026-01-02-002-abc"}},
			{ID: "2026-01-02-004-abc", Title: "Failed", Status: spec.Failed, Fields: spec.Fields{Reason: "it <broke>"}},
			{ID: "2026-01-02-005-abc", Title: "Not landed", Status: spec.Completed},
		},
	}
}

func rendererOf(t *testing.T, o Options, s pages.Site) *Renderer {
	t.Helper()
	th, err := NewTheme(nil)
	assert.NoError(t, err)
	return NewRenderer(th, o, s)
}

// TestFiles_golden compares each page of the sample with a file.
func TestFiles_golden(t *testing.T) {
	t.Parallel()
	r := rendererOf(t, Options{Title: "Sample", URL: "https://example.com/"}, sample())
	var names []string
	for _, f := range r.Files() {
		if strings.HasPrefix(f.Path, "static/") {
			continue
		}
		names = append(names, f.Path)
		got, err := f.Render()
		if err != nil {
			t.Errorf("%s: %v", f.Path, err)
			continue
		}
		compare(t, f.Path, got)
	}
	if len(names) != 6+2+2+5 { // shared pages, months, labels, specs
		t.Errorf("%d pages: %q", len(names), names)
	}
}

// TestSpec_live compares the page of a spec as a person sees it who can act.
func TestSpec_live(t *testing.T) {
	t.Parallel()
	s := sample()
	r := rendererOf(t, Options{Title: "Sample", Live: true}, s)
	got, err := r.Spec(&s.Specs[4], &LiveSpec{
		Actions: Actions{
			Path: "../act/x", Said: "Approved.", Questions: []AskedQuestion{{2, "Which <port>?"}}, CanWork: true, CanApprove: true, CanReject: true,
			ApproveWord: "Approve the work", Seen: "abc", Next: "chant merge x",
		},
		Run: LiveRun{ID: "x", State: "Running.", Cost: "Used: 1 agent", Failed: []FailedText{{"go test", "FAIL <x>"}}, Attempts: []string{"Attempt 1"}, HasLog: true, Earlier: true, Log: "a <b>\n", Offset: 6},
	})
	assert.NoError(t, err)
	compare(t, "live.html", got)
}

// compare compares a page with a file of testdata, or writes that with UPDATE=1.
func compare(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", strings.ReplaceAll(name, "/", "_"))
	if os.Getenv("UPDATE") == "1" {
		assert.NoError(t, os.WriteFile(file, got, 0o644))
		return
	}
	want, err := os.ReadFile(file)
	assert.NoError(t, err, "%s is not as in %s (UPDATE=1 writes it)", name, file)
	assert.Equal(t, string(want), string(got), "%s is not as in %s (UPDATE=1 writes it)", name, file)
}

// TestFiles_empty renders a site without specs.
func TestFiles_empty(t *testing.T) {
	t.Parallel()
	for _, f := range rendererOf(t, Options{Title: "None"}, pages.Site{}).Files() {
		got, err := f.Render()
		assert.NoError(t, err, "%s", f.Path)
		assert.NotEqual(t, 0, len(got), "%s", f.Path)
	}
}

// TestFeed reads the feeds again.
func TestFeed(t *testing.T) {
	t.Parallel()
	r := rendererOf(t, Options{Title: "Sample & \x01more"}, sample())
	for name, render := range map[string]func() ([]byte, error){"feed": r.Feed, "activity": r.Activity} {
		src, err := render()
		var read atomFeed
		if err == nil {
			err = xml.Unmarshal(src, &read)
		}
		assert.NoError(t, err, "%s: %s", name, src)
		assert.NotEqual(t, 0, len(read.Entries), "%s: %s", name, src)
		assert.Equal(t, read.Entries[0].Updated, read.Updated, "%s: %s", name, src)
		assert.Equal(t, "spec/2026-01-02-001-abc.html", read.Entries[0].Link.Href, "%s: %s", name, src)
		var ids []string
		for _, e := range read.Entries {
			ids = append(ids, e.ID)
		}
		if slices.Sort(ids); len(slices.Compact(ids)) != len(read.Entries) {
			t.Errorf("%s: entries share ids: %q", name, ids)
		}
	}
}

// TestNewTheme_own: a file replaces the one of the same name, and others stay.
func TestNewTheme_own(t *testing.T) {
	t.Parallel()
	th, err := NewTheme(fstest.MapFS{
		"changelog.html": {Data: []byte(`{{define "main"}}<h1>Mine</h1>{{end}}`)}, ".hidden.html": {}, "static/style.css": {Data: []byte("mine")}, "static/more.css": {Data: []byte("more")},
	})
	assert.NoError(t, err)
	r := NewRenderer(th, Options{Title: "Sample"}, sample())
	changelog, err := r.Changelog()
	assert.NoError(t, err, "%s", changelog)
	assert.Contains(t, string(changelog), "<h1>Mine</h1>")
	assert.HasPrefix(t, string(th.Static("style.css")), "mine.chant-picture", "%s", changelog)
	assert.Equal(t, "more", string(th.Static("more.css")), "%s", changelog)
	assert.True(t, th.Static("search.js") != nil, "%v\n%s", err, changelog)
	assert.True(t, th.Static("none") == nil, "%v\n%s", err, changelog)
	for name, own := range map[string]fstest.MapFS{
		"not a template": {"spec.html": {Data: []byte("{{if}}")}},
		"no page":        {"other.html": {Data: []byte("x")}},
	} {
		_, err := NewTheme(own)
		bad := (*ThemeError)(nil)
		assert.True(t, errors.As(err, &bad), "%s: %v", name, err)
		assert.HasSuffix(t, bad.File, ".html", "%s", name)
	}
	th, err = NewTheme(fstest.MapFS{"graph.html": {Data: []byte(`{{define "main"}}{{.Content.None}}{{end}}`)}})
	assert.NoError(t, err)
	_, err = NewRenderer(th, Options{}, sample()).Graph()
	assert.True(t, errors.As(err, new(*ThemeError)), "a field that does not exist: %v", err)
}

func TestLabelPath(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, l := range []string{"api", "API", "a b", "a-b", "a/b", "../x", "größe", "Größe", "con.", "", strings.Repeat("x", 300), strings.Repeat("x", 301), "a--b", "x.y", "index"} {
		p := LabelPath(l)
		other, taken := seen[strings.ToLower(p)]
		assert.False(t, taken, "%q and %q have the same page %s", l, other, p)
		seen[strings.ToLower(p)] = l
		assert.Equal(t, 1, strings.Count(p, "/"), "%q", l)
		assert.NotContains(t, p, "..", "%q", l)
		assert.True(t, len(p) <= 100, "%q: %s", l, p)
	}
	if LabelPath("api") != "label/api.html" || SpecPath("a b%#?") != "spec/a%20b%25%23%3F.html" {
		t.Errorf("%s, %s", LabelPath("api"), SpecPath("a b%#?"))
	}
}

// TestGroupRows_everyStatus: no spec is missing on the page because its status has no group.
func TestGroupRows_everyStatus(t *testing.T) {
	t.Parallel()
	for _, status := range spec.Statuses() {
		groups := GroupRows([]Row{NewRow("001", "", StateOf(status, false, false, false), "")})
		assert.Equal(t, 1, len(groups), "%s is in no group", status)
	}
}
