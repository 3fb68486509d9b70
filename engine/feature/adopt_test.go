package feature

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// spec-kit's files of a feature with one story.
const (
	storySpec = "# Feature Specification: A cart\n\n### User Story 1 - Fill it (Priority: P1)\n\n**Acceptance Scenarios**:\n\n1. **Given** a good, **When** it is put in, **Then** it is in it\n"
	openTask  = "- [ ] T001 [US1] Write cart.sh\n"
	doneTask  = "- [x] T001 [US1] Write cart.sh\n"
)

// A feature whose tasks are done is adopted as completed, with its criteria met; then nothing doubts that.
func TestAdopt_completed(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	enginetest.Write(t, dir, "specs/001-cart/spec.md", storySpec)
	enginetest.Write(t, dir, "specs/001-cart/tasks.md", doneTask)
	r, err := Adopt(t.Context(), p, AdoptInput{})
	assert.NoError(t, err, "%+v", r)
	assert.Equal(t, 1, len(r.Adopted), "%+v", r)
	row := r.Adopted[0]
	assert.Equal(t, spec.Completed, row.Status)
	assert.Equal(t, "A cart", row.Title)
	assert.Equal(t, "plan", row.Phase)
	assert.Equal(t, 1, row.Done)
	assert.Equal(t, 2, row.Criteria)
	assert.NotEqual(t, "", row.Files)
	assert.NotEqual(t, "", row.Commit)
	s, err := p.Store.Get(t.Context(), row.ID)
	assert.NoError(t, err)
	for _, c := range s.Criteria() {
		assert.True(t, c.Checked, "open: %s", c.Text)
	}
	assert.Equal(t, doneTask, enginetest.Read(t, dir, "specs/001-cart/tasks.md"))
	assert.Equal(t, "", enginetest.Git(t, dir, "status", "--porcelain"))
}

// A dry run writes nothing, and a second adoption finds the first.
func TestAdopt_again(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	enginetest.Write(t, dir, "apps/web/specs/20260319-143022-cart/tasks.md", openTask)
	before := enginetest.Snapshot(t, dir)
	r, err := Adopt(t.Context(), p, AdoptInput{DryRun: true})
	assert.NoError(t, err)
	assert.Equal(t, 1, len(r.Adopted))
	assert.Equal(t, "", r.Adopted[0].ID)
	assert.True(t, r.DryRun, "%+v, %v", r, err)
	assert.Equal(t, len(before), len(enginetest.Snapshot(t, dir)), "a dry run wrote files")
	first, err := Adopt(t.Context(), p, AdoptInput{Paths: []string{"apps/web/specs/20260319-143022-cart/"}})
	assert.NoError(t, err, "%+v", first)
	assert.Equal(t, 1, len(first.Adopted), "%+v", first)
	second, err := Adopt(t.Context(), p, AdoptInput{})
	assert.NoError(t, err)
	assert.Zero(t, second.Adopted)
	assert.Equal(t, 1, len(second.Known))
	assert.Equal(t, first.Adopted[0].ID, second.Known[0].ID)
}

// Two processes that adopt the same folder make one spec.
func TestAdopt_atOnce(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	enginetest.Write(t, dir, "specs/001-cart/tasks.md", openTask)
	results := make(chan error, 4)
	for range cap(results) {
		go func() {
			own, err := engine.Open(dir, p.Options)
			if err == nil {
				_, err = Adopt(t.Context(), own, AdoptInput{})
			}
			results <- err
		}()
	}
	for range cap(results) {
		if err := <-results; err != nil { // the others report the spec of the first as known
			t.Error(err)
		}
	}
	if specs, err := os.ReadDir(filepath.Join(dir, ".chant", "specs")); err != nil || len(specs) != 2 { // one is .gitkeep
		t.Errorf("%v, %v", specs, err)
	}
}

// A feature that cannot be a spec is reported, and keeps no other one from being adopted.
func TestAdopt_others(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	enginetest.Write(t, dir, "specs/001-bell/spec.md", "# Feature Specification: A \a bell\n")
	enginetest.Write(t, dir, "specs/002-état/tasks.md", openTask)
	enginetest.Write(t, dir, "specs/003-latin/spec.md", "# Feature Specification: Caf\xe9\n")
	r, err := Adopt(t.Context(), p, AdoptInput{})
	assert.NoError(t, err, "%+v", r)
	assert.Equal(t, 3, len(r.Adopted), "%+v", r)
	bell := r.Adopted[0]
	assert.Equal(t, "", bell.ID)
	assert.Equal(t, "", bell.Files)
	assert.Equal(t, "its title holds the control character U+0007", bell.Problem)
	a, b := r.Adopted[1], r.Adopted[2]
	assert.NotEqual(t, "", a.ID)
	assert.Equal(t, "État", a.Title)
	assert.NotEqual(t, "", b.ID)
	assert.Equal(t, "Caf\uFFFD", b.Title)
	_, err = Adopt(t.Context(), p, AdoptInput{Paths: []string{"specs/001-bell"}})
	assert.Equal(t, engine.Invalid, enginetest.CodeOf(t, err))
}

// Links that lead out of the repository are not followed, and what cannot be read is not adopted.
func TestAdopt_refused(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	elsewhere := t.TempDir()
	enginetest.Write(t, elsewhere, "tasks.md", openTask)
	enginetest.Write(t, dir, "specs/001-cart/tasks.md", openTask)
	for name, target := range map[string]string{"specs/002-away": elsewhere, "specs/001-cart/secret.md": filepath.Join(elsewhere, "tasks.md")} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	for path, want := range map[string]engine.Code{"specs/002-away": engine.NotFound, "specs/003-none": engine.NotFound, "../x": engine.Usage, "/": engine.Usage, ".": engine.Usage} {
		r, err := Adopt(t.Context(), p, AdoptInput{Paths: []string{path}})
		assert.Equal(t, want, enginetest.CodeOf(t, err), "%s: %+v", path, r)
	}
	r, err := Adopt(t.Context(), p, AdoptInput{})
	assert.NoError(t, err)
	assert.Equal(t, 1, len(r.Adopted))
	assert.Equal(t, "specs/001-cart", r.Adopted[0].Source)
	s, err := p.Store.Get(t.Context(), r.Adopted[0].ID)
	if err != nil || strings.Contains(strings.Join(s.Adopted().Files, " "), "secret") {
		t.Errorf("%+v, %v", s.Adopted(), err)
	}
}
