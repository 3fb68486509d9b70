package verify

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/run"
	"chant/engine/run/advice"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/spec/task"
	"chant/engine/store"
	"chant/gitops"
	"chant/text"
)

// Rewording is a change of what a spec asks for.
type Rewording struct {
	What   string `json:"what"`             // criterion, or text for all else that the spec says
	Number int    `json:"number,omitempty"` // of the criterion: as it is now, or as it was if it is removed
	Change string `json:"change"`           // reworded, added or removed
	Words  string `json:"words"`            // word by word: [-was-] {+is+}
}

// The changes of a Rewording.
const (
	Reworded = "reworded"
	AddedNow = "added"
	Removed  = "removed"
)

// String is the rewording in one line.
func (r Rewording) String() string {
	if r.What == "criterion" {
		return fmt.Sprintf("criterion %d %s: %s", r.Number, r.Change, r.Words)
	}
	return fmt.Sprintf("%s %s: %s", r.What, r.Change, r.Words)
}

// sameCriterion is the part of its words that a criterion keeps if it is reworded, and not another one.
const sameCriterion = 0.5

// Rewordings lists what has changed between two versions of a spec in its criteria and the rest of its text, in the order of the
// later one. Boxes and front matter do not count.
func Rewordings(was, now *spec.File) []Rewording {
	var out []Rewording
	gone := slices.DeleteFunc(was.Criteria(), func(c spec.Criterion) bool { return hasCriterion(now, c.ID) })
	for _, c := range now.Criteria() {
		if hasCriterion(was, c.ID) {
			continue
		}
		best, most := -1, sameCriterion
		for i, old := range gone {
			if shared := text.SharedWords(old.Text, c.Text); shared >= most {
				best, most = i, shared
			}
		}
		if best < 0 {
			out = append(out, Rewording{"criterion", c.Number, AddedNow, text.DiffWords("", c.Text)})
			continue
		}
		out = append(out, Rewording{"criterion", c.Number, Reworded, text.DiffWords(gone[best].Text, c.Text)})
		gone = slices.Delete(gone, best, best+1)
	}
	for _, c := range gone {
		out = append(out, Rewording{"criterion", c.Number, Removed, text.DiffWords(c.Text, "")})
	}
	if words := text.DiffWords(proseOf(was), proseOf(now)); words != "" {
		out = append(out, Rewording{What: "text", Change: Reworded, Words: words})
	}
	return out
}

func hasCriterion(s *spec.File, id string) bool {
	return slices.ContainsFunc(s.Criteria(), func(c spec.Criterion) bool { return c.ID == id })
}

// proseOf is what a spec asks for beside its criteria, without what runs and people add to it later.
func proseOf(s *spec.File) string {
	doc := task.DropComments(s.WithoutRunSections().DropSections(spec.CriteriaHeading, spec.DiscussionHeading))
	return string(spec.Untick(doc).Body())
}

// maxRenewals is how many commits of a spec's file are looked through for newer evidence.
const maxRenewals = 20

// RewordingsOf compares a completed spec with what it said where its evidence was recorded. If it was verified in a later wording,
// that evidence is returned in place of the one of its completion.
func RewordingsOf(ctx context.Context, p *engine.Project, s *spec.File, recorded *RecordedEvidence) (*RecordedEvidence, []Rewording, error) {
	if recorded == nil || s.Status != spec.Completed || !s.Landed {
		return recorded, nil, nil
	}
	found, err := rewordingsSince(ctx, p, s, recorded.Commit)
	if len(found) == 0 || err != nil {
		return recorded, nil, err
	}
	commits, err := p.Repo.Touching(ctx, "HEAD", store.Places(s.ID)...)
	if err != nil {
		return recorded, found, err
	}
	for _, c := range commits[:min(len(commits), maxRenewals)] {
		if c.Hash == recorded.Commit {
			break
		}
		later, err := evidenceAt(ctx, p, s.ID, c.Hash)
		if err != nil {
			return recorded, found, err
		}
		if later != nil && later.At.After(recorded.At) {
			trusted, err := readTrusted(ctx, p)
			if err == nil {
				err = later.checkSignature(ctx, p, trusted)
			}
			if err == nil {
				found, err = rewordingsSince(ctx, p, s, c.Hash)
			}
			return later, found, err
		}
	}
	return recorded, found, nil
}

// rewordingsSince compares a spec with its text in a commit. There are none if that is not there, as after a squash.
func rewordingsSince(ctx context.Context, p *engine.Project, s *spec.File, commit string) ([]Rewording, error) {
	was, err := p.Store.FindAt(ctx, commit, s.ID)
	if errors.Is(err, gitops.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return Rewordings(was, s), nil
}

// renew records evidence for a completed spec that was verified in a wording that has none, with the commit that says so. What
// its commands do without the work is known only of those that have not changed.
func renew(ctx context.Context, p *engine.Project, sub subject, one *VerifyResult) error {
	lead, err := NewJudging(p, sub.s, func(plan *run.Plan) { plan.Settings.Verify = sub.checks })
	if err != nil {
		return err
	}
	report := one.report
	report.Criteria, report.Verdict = one.Verdicts, one.Verdict
	_, err = advice.WithHold(ctx, p, sub.s.ID, "verify", func(h *engine.Held) (VerifyResult, error) {
		out, err := p.Store.Transition(ctx, store.Change{ID: h.ID, Word: "verify", Edits: attempt.Summary(p.Now(), one.Status, nil)})
		if err == nil {
			one.Renewed, err = out.Commit, lead.Judge.NoteOf(ctx, report, out.Commit, journal.Trusted{}, nil)
		}
		return *one, err
	})
	return err
}
