package moves

import (
	"context"
	"fmt"
	"strings"

	"chant/engine/evidence/attest"
	"chant/engine/evidence/criteria"
	"chant/engine/run/attempt"
	"chant/gitops"
)

// evidence finds evidence of other specs that was removed or replaced. A process that resumes another run writes the
// evidence of its commit again.
func (w Watch) evidence(ctx context.Context, m gitops.RefMove, out *Found) error {
	if m.From == "" {
		return nil
	}
	if m.To == "" {
		out.Stops = append(out.Stops, "all evidence was removed: "+attempt.NotesRef+" is gone")
		return nil
	}
	diff, err := w.Repo.Diff(ctx, m.From, m.To)
	if err != nil {
		out.Stops = append(out.Stops, fmt.Sprintf("the evidence in %s was replaced by something that cannot be read", attempt.NotesRef))
		return nil
	}
	added := map[string]bool{} // git moves notes to other folders as they grow in number
	for _, ch := range diff {
		added[noted(ch.Path)] = added[noted(ch.Path)] || ch.Status != 'D'
	}
	for _, ch := range diff {
		if ch.Status == 'A' || ch.Status == 'D' && added[noted(ch.Path)] {
			continue
		}
		how, sealed, err := w.lost(ctx, m, ch)
		switch {
		case err != nil:
			return err
		case sealed:
			out.Seen = append(out.Seen, how)
		case how != "":
			out.Stops = append(out.Stops, how)
		}
	}
	return nil
}

// noted returns the commit that a note is about.
func noted(path string) string { return strings.ReplaceAll(path, "/", "") }

// lost describes what became of a note, "" if it still says what it said or is about the run's own spec. sealed
// reports that the note in its place is evidence of the same spec with its seal, as a process leaves that resumes
// another run and judges again.
func (w Watch) lost(ctx context.Context, m gitops.RefMove, ch gitops.Change) (how string, sealed bool, err error) {
	src, err := w.Repo.ReadFile(ctx, m.From, ch.Path)
	if err != nil {
		return "", false, err
	}
	was, err := criteria.ReadNote(src)
	if err != nil && was.SpecID == "" || was.SpecID == w.Job.ID {
		return "", false, nil // not evidence, or that of this run, which the landing compares
	}
	what := fmt.Sprintf("the evidence of spec %q at commit %s was ", was.SpecID, attempt.Short(noted(ch.Path)))
	if ch.Status == 'D' {
		return what + "removed", false, nil
	}
	src, err = w.Repo.ReadFile(ctx, m.To, ch.Path)
	if err != nil {
		return "", false, err
	}
	now, err := criteria.ReadNote(src)
	sealed = err == nil && now.SpecID == was.SpecID
	same := now.Tree == was.Tree && now.Commit == was.Commit && now.Verified == was.Verified
	if sealed && same && signature(ctx, now, noted(ch.Path)) == signature(ctx, was, noted(ch.Path)) {
		return "", false, nil
	}
	return what + "replaced", sealed, nil
}

// signature says by which key a note about a commit is signed.
func signature(ctx context.Context, n criteria.Note, commit string) attest.Signature {
	if n.Attestation == nil {
		return attest.Signature{State: attest.Unsigned}
	}
	return n.Attestation.Check(ctx, commit, "", nil)
}
