package verify

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"chant/engine"
	"chant/engine/criteria"
	"chant/engine/journal"
	"chant/engine/run/attempt"
	"chant/gitops"
)

// RecordedEvidence is what was found when a spec was completed, as the git note of
// that commit tells.
type RecordedEvidence struct {
	Commit      string             `json:"commit"` // the one that has the note
	Tree        string             `json:"tree,omitempty"`
	At          time.Time          `json:"at"`
	Status      criteria.Status    `json:"verification_status"`
	Accepted    bool               `json:"accepted,omitempty"` // a person accepted what the run had changed
	Edited      bool               `json:"edited,omitempty"`   // by hand, since: its seal does not match
	Environment map[string]string  `json:"environment,omitempty"`
	Criteria    []criteria.Verdict `json:"criteria"`

	verified bool
	about    string // the commit that it says it speaks of
}

// NotesRefs are the refs of evidence: this repository's, then those fetched beside it
// as refs/notes/chant-NAME.
func NotesRefs(ctx context.Context, p *engine.Project) ([]string, error) {
	refs, err := p.Repo.Refs(ctx, "refs/notes/")
	var out []string
	for _, ref := range refs {
		if ref.Name == attempt.NotesRef {
			out = slices.Insert(out, 0, ref.Name)
		} else if strings.HasPrefix(ref.Name, attempt.NotesRef+"-") {
			out = append(out, ref.Name)
		}
	}
	return out, err
}

// recordedAt is the evidence about a spec beside one commit, nil when there is none.
func recordedAt(ctx context.Context, p *engine.Project, id, commit string) (*RecordedEvidence, error) {
	refs, err := NotesRefs(ctx, p)
	if err != nil {
		return nil, err
	}
	for _, ref := range refs {
		text, err := p.Repo.ReadNote(ctx, ref, commit)
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
func recorded(ctx context.Context, p *engine.Project, id string, commits ...string) (*RecordedEvidence, error) {
	for _, commit := range commits {
		if found, err := recordedAt(ctx, p, id, commit); found != nil || err != nil {
			return found, err
		}
	}
	refs, err := NotesRefs(ctx, p)
	if err != nil {
		return nil, err
	}
	var newest *RecordedEvidence
	for _, ref := range refs {
		notes, err := p.Repo.Notes(ctx, ref)
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
	r, err := criteria.Decode(note.Text)
	if r.SpecID != id {
		return nil
	}
	return &RecordedEvidence{
		Commit: note.Commit, Tree: r.Tree, At: r.At, Status: criteria.Sum(r.Criteria), Accepted: r.Accepted,
		Edited: err != nil, Environment: r.Environment, Criteria: r.Criteria,
		verified: r.Verified, about: r.Commit,
	}
}

// Evidence is what a spec's completion rests on, nil when nothing tells.
func Evidence(ctx context.Context, p *engine.Project, id string, h *journal.History) (*RecordedEvidence, error) {
	var commits []string
	if last := h.Last(); last != nil {
		for _, c := range []string{last.Landing, last.Commit} {
			if c != "" {
				commits = append(commits, c)
			}
		}
	}
	return recorded(ctx, p, id, commits...)
}
