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

// RecordedEvidence is the result of verification when a spec was completed, read from the git note of that commit.
type RecordedEvidence struct {
	Commit      string             `json:"commit"` // the commit with the note
	Tree        string             `json:"tree,omitempty"`
	At          time.Time          `json:"at"`
	Status      criteria.Status    `json:"verification_status"`
	Accepted    bool               `json:"accepted,omitempty"` // a person accepted changes that a run may not make
	Edited      bool               `json:"edited,omitempty"`   // the note was edited by hand: its seal does not match
	Environment map[string]string  `json:"environment,omitempty"`
	Criteria    []criteria.Verdict `json:"criteria"`

	verified bool
	about    string // the commit that was verified, as the note has it
}

// NotesRefs lists the refs with evidence: this repository's, then those fetched from others as refs/notes/chant-NAME.
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

// evidenceAt returns the evidence about a spec in the notes of one commit, nil if there is none.
func evidenceAt(ctx context.Context, p *engine.Project, id, commit string) (*RecordedEvidence, error) {
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

// newestEvidence returns the evidence about a spec in the notes of the first of these commits that has some, or else
// the newest in the notes of any commit, which is needed after a squash. It returns nil if there is none.
func newestEvidence(ctx context.Context, p *engine.Project, id string, commits ...string) (*RecordedEvidence, error) {
	for _, commit := range commits {
		if found, err := evidenceAt(ctx, p, id, commit); found != nil || err != nil {
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

// readEvidence reads a note; it returns nil if the note is about another spec.
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

// Evidence returns the evidence recorded for the completion of a spec, nil if there is none.
func Evidence(ctx context.Context, p *engine.Project, id string, h *journal.History) (*RecordedEvidence, error) {
	var commits []string
	if last := h.Last(); last != nil {
		for _, c := range []string{last.Landing, last.Commit} {
			if c != "" {
				commits = append(commits, c)
			}
		}
	}
	return newestEvidence(ctx, p, id, commits...)
}
