package verify

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"chant/engine"
	"chant/engine/evidence/attest"
	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/store/local"
	"chant/gitops"
)

// RecordedEvidence is the result of verification when a spec was completed, read from the git note of that commit.
type RecordedEvidence struct {
	Commit      string              `json:"commit"` // the commit with the note
	Tree        string              `json:"tree,omitempty"`
	At          time.Time           `json:"at"`
	Status      criteria.Status     `json:"verification_status"`
	Verdict     criteria.Conclusion `json:"verdict"`            // what it proves
	Accepted    bool                `json:"accepted,omitempty"` // a person accepted changes that a run may not make
	HeldOut     string              `json:"held_out,omitempty"` // SHA-256 of the encrypted file of held-out criteria
	Readable    string              `json:"readable,omitempty"` // a commit in which agents could read them
	Edited      bool                `json:"edited,omitempty"`   // the note was edited by hand: its seal does not match
	Programs    []string            `json:"programs,omitempty"` // files of the change that other programs run or trust
	Environment map[string]string   `json:"environment,omitempty"`
	Weakened    []criteria.Weakened `json:"weakened,omitempty"` // checks that the work weakens
	Criteria    []criteria.Verdict  `json:"criteria"`
	Strength    *criteria.Strength  `json:"strength,omitempty"` // which wrong versions of the work its criteria notice; null if that was not measured
	Signature   attest.Signature    `json:"signature"`

	verified    bool
	about       string              // the commit that was verified, as the note has it
	attestation *attest.Attestation // nil for evidence of earlier versions
}

// StatusText is the status in words, with the verdict where that says more: evidence from before verdicts has none.
func (r *RecordedEvidence) StatusText() string {
	if r.Status == criteria.Passed && r.Verdict != "" && r.Verdict != criteria.Verified {
		return string(r.Status) + ", " + r.Verdict.Words()
	}
	return string(r.Status)
}

// NotesRefs lists the refs with evidence: this repository's, then those fetched from others as refs/notes/chant-NAME.
func NotesRefs(ctx context.Context, p *engine.Project) ([]string, error) {
	refs, err := p.Repo.Refs(ctx, "refs/notes/")
	var out []string
	for _, ref := range refs {
		if ref.Name == attempt.NotesRef {
			// This repository's own evidence comes first.
			out = slices.Insert(out, 0, ref.Name)
		} else if strings.HasPrefix(ref.Name, attempt.NotesRef+"-") {
			out = append(out, ref.Name)
		}
	}
	return out, err
}

// evidences finds the evidence of specs. It reads all notes at most once.
type evidences struct {
	p      *engine.Project
	newest map[string]*RecordedEvidence // by spec, nil before all notes were read
	trusts map[string]trust             // by the commit before a range, "" without a range
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
		about, found, err := readEvidence(gitops.Note{Commit: commit, Text: text})
		if err != nil || found != nil && about == id {
			return found, err
		}
	}
	return nil, nil
}

// find returns the evidence about a spec in the notes of the first of these commits that has some, or else the newest in
// the notes of any commit, which is needed after a squash. It returns nil if there is none.
func (e *evidences) find(ctx context.Context, id string, commits ...string) (*RecordedEvidence, error) {
	for _, commit := range commits {
		if found, err := evidenceAt(ctx, e.p, id, commit); found != nil || err != nil {
			return found, err
		}
	}
	// After a squash the evidence is in the note of a commit that the range does not have.
	if e.newest == nil {
		if err := e.readAll(ctx); err != nil {
			return nil, err
		}
	}
	return e.newest[id], nil
}

// readAll reads the newest evidence of each spec.
func (e *evidences) readAll(ctx context.Context) error {
	refs, err := NotesRefs(ctx, e.p)
	if err != nil {
		return err
	}
	newest := map[string]*RecordedEvidence{}
	for _, ref := range refs {
		notes, err := e.p.Repo.Notes(ctx, ref)
		if err != nil {
			return err
		}
		for _, note := range notes {
			id, found, err := readEvidence(note)
			if err != nil {
				return err
			}
			// The notes of a complete commit and of its landing are of the same time.
			if found != nil && (newest[id] == nil || found.At.After(newest[id].At) || found.At.Equal(newest[id].At) && newest[id].Strength == nil) {
				newest[id] = found
			}
		}
	}
	e.newest = newest
	return nil
}

// newestEvidence is evidences.of for a single spec.
func newestEvidence(ctx context.Context, p *engine.Project, id string, commits ...string) (*RecordedEvidence, error) {
	return (&evidences{p: p}).find(ctx, id, commits...)
}

// readEvidence reads a note and returns the spec that it is about; nil if it is not evidence. Error: *local.FormatError, because
// what a newer chant has written must not count as missing or edited.
func readEvidence(note gitops.Note) (id string, found *RecordedEvidence, err error) {
	r, err := criteria.ReadNote(note.Text)
	if newer, ok := errors.AsType[*local.FormatError](err); ok {
		return "", nil, newer
	}
	if r.SpecID == "" {
		return "", nil, nil
	}
	return r.SpecID, &RecordedEvidence{
		Commit: note.Commit, Tree: r.Tree, At: r.At, Status: criteria.Sum(r.Criteria), Verdict: r.Conclusion(), Accepted: r.Accepted, HeldOut: r.HeldOut, Readable: r.Readable,
		Edited: err != nil, Programs: r.Programs, Weakened: r.Weakened, Environment: r.Environment, Criteria: r.Criteria, Strength: r.Strength, Signature: attest.Signature{State: attest.Unsigned},
		verified: r.Verified, about: r.Commit, attestation: r.Attestation,
	}, nil
}

// Recorded is Evidence that this repository's journal leads to, with a signature that is not checked; nil in a clone, where
// all notes would have to be read.
func Recorded(ctx context.Context, p *engine.Project, id string, h *journal.History) (*RecordedEvidence, error) {
	for _, commit := range commitsOf(h) {
		if found, err := evidenceAt(ctx, p, id, commit); found != nil || err != nil {
			return found, errors.Join(err, found.markNoticed(ctx, p))
		}
	}
	return nil, nil
}

// Evidence returns the evidence recorded for the completion of a spec, nil if there is none. Its signature is checked
// with the keys that the target trusts now.
func Evidence(ctx context.Context, p *engine.Project, id string, h *journal.History) (*RecordedEvidence, error) {
	found, err := newestEvidence(ctx, p, id, commitsOf(h)...)
	if found == nil || err != nil {
		return nil, err
	}
	trusted, err := readTrusted(ctx, p)
	if err != nil {
		return nil, err
	}
	return found, errors.Join(found.checkSignature(ctx, p, trusted), found.markNoticed(ctx, p))
}

// commitsOf returns the commits on which a run has recorded evidence last.
func commitsOf(h *journal.History) []string {
	last := h.Last()
	if last == nil {
		return nil
	}
	return slices.DeleteFunc([]string{last.Landing, last.Commit}, func(commit string) bool { return commit == "" })
}

// EvidenceOfAll returns the newest evidence that is recorded for the completion of each spec. It reads all notes once.
// Signatures are checked with the keys that the target trusts now.
func EvidenceOfAll(ctx context.Context, p *engine.Project) (map[string]*RecordedEvidence, error) {
	all := &evidences{p: p}
	if err := all.readAll(ctx); err != nil {
		return nil, err
	}
	trusted, err := readTrusted(ctx, p)
	if err != nil {
		return nil, err
	}
	for _, found := range all.newest {
		if err := errors.Join(found.checkSignature(ctx, p, trusted), found.markNoticed(ctx, p)); err != nil {
			return nil, err
		}
	}
	return all.newest, nil
}
