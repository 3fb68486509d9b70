package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"chant/engine/run"
	"chant/engine/verify"
	"chant/gitops"
)

// RecordedEvidence is what was found when a spec was completed, as the git note of
// that commit tells.
type RecordedEvidence struct {
	Commit      string            `json:"commit"` // the one that has the note
	Tree        string            `json:"tree,omitempty"`
	At          time.Time         `json:"at"`
	Status      verify.Status     `json:"verification_status"`
	Accepted    bool              `json:"accepted,omitempty"` // a person accepted what the run had changed
	Edited      bool              `json:"edited,omitempty"`   // by hand, since: its seal does not match
	Environment map[string]string `json:"environment,omitempty"`
	Criteria    []verify.Verdict  `json:"criteria"`

	verified bool
	about    string // the commit that it says it speaks of
}

// notesRefs are the refs of evidence: this repository's, then those fetched beside it
// as refs/notes/chant-NAME.
func (e *Engine) notesRefs(ctx context.Context) ([]string, error) {
	refs, err := e.repo.Refs(ctx, "refs/notes/")
	var out []string
	for _, ref := range refs {
		if ref.Name == run.NotesRef {
			out = slices.Insert(out, 0, ref.Name)
		} else if strings.HasPrefix(ref.Name, run.NotesRef+"-") {
			out = append(out, ref.Name)
		}
	}
	return out, err
}

// recordedAt is the evidence about a spec beside one commit, nil when there is none.
func (e *Engine) recordedAt(ctx context.Context, id, commit string) (*RecordedEvidence, error) {
	refs, err := e.notesRefs(ctx)
	if err != nil {
		return nil, err
	}
	for _, ref := range refs {
		text, err := e.repo.ReadNote(ctx, ref, commit)
		if errors.Is(err, gitops.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if found := readEvidence(id, gitops.Note{Commit: commit, Text: text}); found != nil {
			return found, nil
		}
	}
	return nil, nil
}

// recorded is the newest evidence about a spec, nil when there is none: beside the
// commits in question, else beside any, as after a squash.
func (e *Engine) recorded(ctx context.Context, id string, commits ...string) (*RecordedEvidence, error) {
	for _, commit := range commits {
		if found, err := e.recordedAt(ctx, id, commit); found != nil || err != nil {
			return found, err
		}
	}
	refs, err := e.notesRefs(ctx)
	if err != nil {
		return nil, err
	}
	var newest *RecordedEvidence
	for _, ref := range refs {
		notes, err := e.repo.Notes(ctx, ref)
		if err != nil {
			return nil, err
		}
		for _, note := range notes {
			if found := readEvidence(id, note); found != nil && (newest == nil || found.At.After(newest.At)) {
				newest = found
			}
		}
	}
	return newest, nil
}

// readEvidence reads a note; nil when it does not speak of the spec.
func readEvidence(id string, note gitops.Note) *RecordedEvidence {
	r, err := verify.Decode(note.Text)
	if r.SpecID != id {
		return nil
	}
	return &RecordedEvidence{
		Commit: note.Commit, Tree: r.Tree, At: r.At, Status: verify.Sum(r.Criteria), Accepted: r.Accepted,
		Edited: err != nil, Environment: r.Environment, Criteria: r.Criteria,
		verified: r.Verified, about: r.Commit,
	}
}

// evidence is what a spec's completion rests on, nil when nothing tells.
func (e *Engine) evidence(ctx context.Context, id string, h *run.History) (*RecordedEvidence, error) {
	var commits []string
	if last := h.Last(); last != nil {
		for _, c := range []string{last.Landing, last.Commit} {
			if c != "" {
				commits = append(commits, c)
			}
		}
	}
	return e.recorded(ctx, id, commits...)
}
