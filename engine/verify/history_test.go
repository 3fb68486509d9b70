package verify

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/evidence/criteria"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/store/message"
)

// history is a project whose commits are made one by one by the test.
type history struct {
	t   *testing.T
	p   *engine.Project
	dir string
}

func newHistory(t *testing.T) *history {
	t.Helper()
	p, dir := enginetest.Project(t)
	return &history{t, p, dir}
}

// at creates a branch at a commit and checks it out.
func (h *history) at(branch, commit string) {
	h.t.Helper()
	enginetest.Git(h.t, h.dir, "checkout", "-q", "-B", branch, commit)
}

// commit commits files; a file with an empty text is removed.
func (h *history) commit(message string, files map[string]string) string {
	h.t.Helper()
	for name, text := range files {
		if text == "" {
			if err := os.Remove(filepath.Join(h.dir, filepath.FromSlash(name))); err != nil {
				h.t.Fatal(err)
			}
			continue
		}
		enginetest.Write(h.t, h.dir, name, text)
	}
	enginetest.Git(h.t, h.dir, "add", "-A", "-f", ".")
	enginetest.Git(h.t, h.dir, "commit", "-q", "--allow-empty", "-m", message)
	return h.rev("HEAD")
}

func (h *history) git(args ...string) string { return enginetest.Git(h.t, h.dir, args...) }

func (h *history) rev(name string) string { return enginetest.Git(h.t, h.dir, "rev-parse", name) }

// says returns the message of a commit with which chant records an event of a spec.
func says(id, event string) string { return message.Commit{ID: id, Event: event}.String() }

// idOf returns the id of the n-th spec.
func idOf(n int) string { return fmt.Sprintf("2026-01-02-%03d-abc", n) }

// file returns a spec's file with this front matter and body.
func file(front, body string) string { return "---\n" + front + "---\n" + body }

// asked is a body with two criteria: one with a box only, one with a command.
const asked = "# A\n\n## Acceptance Criteria\n\n- [x] a claim\n- [x] a result `$ true`\n"

// proof writes evidence for a body whose criteria all pass into the note of a commit, and returns it.
func (h *history) proof(id, commit, body string) criteria.Report {
	h.t.Helper()
	s, err := spec.Parse(id, "x.md", []byte(file("status: completed\n", body)))
	if err != nil {
		h.t.Fatal(err)
	}
	r := criteria.Report{SpecID: id, Commit: commit, Tree: h.rev(commit + "^{tree}"), At: time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC), Verified: true}
	for _, c := range spec.Criteria(s.Doc) {
		v := criteria.Verdict{ID: c.ID, Number: c.Number, Text: c.Text, How: box, Holds: true}
		if c.Runs() {
			v.How, v.Evidence = ran, []criteria.Evidence{{Command: "true"}}
		}
		r.Criteria = append(r.Criteria, v)
	}
	return r
}

// note writes a report into the note of a commit.
func (h *history) note(commit string, r criteria.Report) {
	h.t.Helper()
	text, err := r.Encode()
	if err != nil {
		h.t.Fatal(err)
	}
	h.noteText(attempt.NotesRef, commit, text)
}

func (h *history) noteText(ref, commit string, text []byte) {
	h.t.Helper()
	if err := h.p.Repo.AddNote(h.t.Context(), ref, commit, text); err != nil {
		h.t.Fatal(err)
	}
}

// brought returns a spec at the end of the range from a commit to HEAD.
func (h *history) brought(id, from string) subject {
	h.t.Helper()
	c, err := readRange(h.t.Context(), h.p, from+"..HEAD")
	if err != nil {
		h.t.Fatal(err)
	}
	s, err := h.p.Store.ReadAt(h.t.Context(), c.to, id)
	if err != nil {
		h.t.Fatal(err)
	}
	return subject{s: s, commit: c.to, changes: c}
}
