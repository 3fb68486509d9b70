package elsewhere

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine/fleet"
	"chant/engine/work"
)

// TestTakeover: the run ends on its machine, and a person continues it here from what was pushed.
func TestTakeover(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.work()
	s.fetch()
	if err := s.q.takeOver(t.Context()); err != nil {
		t.Fatal(err)
	}
	r, err := work.Takeover(t.Context(), s.home, work.TakeoverInput{ID: id})
	if err != nil || r.Status != "paused" || r.Branch != "chant/"+id || r.OpenAll != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	text, err := os.ReadFile(filepath.Join(r.Worktree, ".chant", "specs", id+".md"))
	if err != nil || !strings.Contains(string(text), "status: paused") {
		t.Errorf("%s, %v", text, err)
	}
	s.fetch()
	if c, err := s.q.remote.Claim(t.Context(), id); err != nil || c.State != fleet.Ended || c.Reason != "it was taken over on hub" {
		t.Errorf("%+v, %v", c, err)
	}
	// What the person completes here is completed here.
	s.open()
	done, err := work.Work(t.Context(), s.home, work.WorkInput{ID: id, Options: work.Options{NoMerge: true}})
	if err != nil || done.Status != "completed" {
		t.Errorf("%+v, %v", done, err)
	}
}

// TestTakeover_refused: what is completed, or has no branch, is not taken over.
func TestTakeover_refused(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	l := s.claim("w")
	if err := l.Push(t.Context(), l.Pushed(), func(c *fleet.Claim) { c.State = fleet.Completed }); err != nil {
		t.Fatal(err)
	}
	s.fetch()
	if err := s.q.takeOver(t.Context()); codeOf(err) != "state" || !strings.Contains(err.Error(), "completed") {
		t.Errorf("completed: %v", err)
	}
	s.Git("update-ref", "-d", "refs/heads/chant/"+id)
	if err := l.Push(t.Context(), l.Pushed(), func(c *fleet.Claim) { c.State = fleet.Ended }); err != nil {
		t.Fatal(err)
	}
	s.fetch()
	if err := s.q.takeOver(t.Context()); codeOf(err) != "state" || !strings.Contains(err.Error(), "no branch") {
		t.Errorf("without a branch: %v", err)
	}
}
