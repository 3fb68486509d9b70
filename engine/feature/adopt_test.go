package feature

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/spec"
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
	if err != nil || len(r.Adopted) != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	row := r.Adopted[0]
	if row.Status != spec.Completed || row.Title != "A cart" || row.Phase != "plan" || row.Done != 1 || row.Criteria != 2 || row.Files == "" || row.Commit == "" {
		t.Errorf("%+v", row)
	}
	s, err := p.Store.Get(t.Context(), row.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range s.Criteria() {
		if !c.Checked {
			t.Errorf("open: %s", c.Text)
		}
	}
	if got := enginetest.Read(t, dir, "specs/001-cart/tasks.md"); got != doneTask {
		t.Errorf("%q", got)
	}
	if left := enginetest.Git(t, dir, "status", "--porcelain"); left != "" {
		t.Errorf("left: %s", left)
	}
}

// A dry run writes nothing, and a second adoption finds the first.
func TestAdopt_again(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	enginetest.Write(t, dir, "apps/web/specs/20260319-143022-cart/tasks.md", openTask)
	before := enginetest.Snapshot(t, dir)
	r, err := Adopt(t.Context(), p, AdoptInput{DryRun: true})
	if err != nil || len(r.Adopted) != 1 || r.Adopted[0].ID != "" || !r.DryRun {
		t.Fatalf("%+v, %v", r, err)
	}
	if after := enginetest.Snapshot(t, dir); len(after) != len(before) {
		t.Errorf("a dry run wrote files")
	}
	first, err := Adopt(t.Context(), p, AdoptInput{Paths: []string{"apps/web/specs/20260319-143022-cart/"}})
	if err != nil || len(first.Adopted) != 1 {
		t.Fatalf("%+v, %v", first, err)
	}
	second, err := Adopt(t.Context(), p, AdoptInput{})
	if err != nil || len(second.Adopted) != 0 || len(second.Known) != 1 || second.Known[0].ID != first.Adopted[0].ID {
		t.Errorf("%+v, %v", second, err)
	}
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
	if err != nil || len(r.Adopted) != 3 {
		t.Fatalf("%+v, %v", r, err)
	}
	if bell := r.Adopted[0]; bell.ID != "" || bell.Files != "" || bell.Problem != "its title holds the control character U+0007" {
		t.Errorf("%+v", bell)
	}
	if a, b := r.Adopted[1], r.Adopted[2]; a.ID == "" || a.Title != "État" || b.ID == "" || b.Title != "Caf\uFFFD" {
		t.Errorf("%+v, %+v", a, b)
	}
	if _, err := Adopt(t.Context(), p, AdoptInput{Paths: []string{"specs/001-bell"}}); enginetest.CodeOf(t, err) != engine.Invalid {
		t.Error(err)
	}
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
		if r, err := Adopt(t.Context(), p, AdoptInput{Paths: []string{path}}); enginetest.CodeOf(t, err) != want {
			t.Errorf("%s: %+v, %v", path, r, err)
		}
	}
	r, err := Adopt(t.Context(), p, AdoptInput{})
	if err != nil || len(r.Adopted) != 1 || r.Adopted[0].Source != "specs/001-cart" {
		t.Fatalf("%+v, %v", r, err)
	}
	s, err := p.Store.Get(t.Context(), r.Adopted[0].ID)
	if err != nil || strings.Contains(strings.Join(s.Adopted().Files, " "), "secret") {
		t.Errorf("%+v, %v", s.Adopted(), err)
	}
}
