package verify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sync"

	"chant/engine"
	"chant/engine/evidence/attest"
	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/evidence/keyfile"
	"chant/engine/run"
	"chant/engine/run/advice"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/spec/task"
	"chant/engine/store"
	"chant/gitops"
	"chant/markdown"
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

// maxWords limits the characters of a rewording.
const maxWords = 2000

// Rewordings lists what has changed between two versions of a spec in its criteria and the rest of its text, in the order of the
// later one. Boxes and front matter do not count.
func Rewordings(was, now *spec.File) []Rewording {
	out := rewordedCriteria(was.Criteria(), now.Criteria())
	if words := text.DiffWords(proseOf(was), proseOf(now)); words != "" {
		out = append(out, Rewording{What: "text", Change: Reworded, Words: text.Clip(words, maxWords)})
	}
	return out
}

// rewordedCriteria is Rewordings for criteria alone.
func rewordedCriteria(was, now []spec.Criterion) (out []Rewording) {
	add := func(number int, change, before, after string) {
		out = append(out, Rewording{"criterion", number, change, text.Clip(text.DiffWords(before, after), maxWords)})
	}
	gone := slices.DeleteFunc(slices.Clone(was), func(c spec.Criterion) bool { return hasCriterion(now, c.ID) })
	for _, c := range now {
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
			add(c.Number, AddedNow, "", c.Text)
			continue
		}
		add(c.Number, Reworded, gone[best].Text, c.Text)
		gone = slices.Delete(gone, best, best+1)
	}
	for _, c := range gone {
		add(c.Number, Removed, c.Text, "")
	}
	return out
}

func hasCriterion(all []spec.Criterion, id string) bool {
	return slices.ContainsFunc(all, func(c spec.Criterion) bool { return c.ID == id })
}

// proseOf is what a spec asks for beside its criteria, without what runs and people add to it later.
func proseOf(s *spec.File) string {
	doc := task.DropComments(s.WithoutRunSections().DropSections(spec.CriteriaHeading, spec.DiscussionHeading))
	return htmlComment().ReplaceAllString(string(spec.Untick(doc).Body()), "")
}

var htmlComment = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)<!--.*?-->`) })

// RewordingsOf compares a completed spec with what it said where its evidence was recorded. If it was verified in another wording
// since, the evidence of its present one, or else the newest, is returned in place of the one that was given.
func RewordingsOf(ctx context.Context, p *engine.Project, s *spec.File, recorded *RecordedEvidence) (*RecordedEvidence, []Rewording, error) {
	if recorded == nil || s.Status != spec.Completed || !s.Landed {
		return recorded, nil, nil
	}
	found, err := recorded.rewordings(ctx, p, s)
	if len(found) == 0 || err != nil {
		return recorded, nil, err
	}
	commits, err := p.Repo.Touching(ctx, "HEAD", store.Places(s.ID)...)
	if err != nil {
		return recorded, found, err
	}
	for _, c := range commits {
		other, err := evidenceAt(ctx, p, s.ID, c.Hash)
		if err != nil {
			return recorded, found, err
		}
		if other == nil || c.Hash == recorded.Commit {
			continue
		}
		differs, err := other.rewordings(ctx, p, s)
		if err != nil {
			return recorded, found, err
		}
		if len(differs) > 0 && !other.At.After(recorded.At) {
			continue
		}
		trusted, err := readTrusted(ctx, p)
		if err == nil {
			err = other.checkSignature(ctx, p, trusted)
		}
		if recorded, found = other, differs; len(found) == 0 || err != nil {
			break
		}
	}
	return recorded, found, err
}

// rewordings compares a spec with its text in the commit of the evidence or, where that is not in this clone, with the criteria in
// the evidence.
func (r *RecordedEvidence) rewordings(ctx context.Context, p *engine.Project, s *spec.File) ([]Rewording, error) {
	was, err := p.Store.FindAt(ctx, r.Commit, s.ID)
	if err == nil {
		return Rewordings(was, s), nil
	}
	if !errors.Is(err, gitops.ErrNotFound) && !isUnreadable(err) {
		return nil, err
	}
	var all []spec.Criterion
	for _, v := range r.Criteria {
		if v.Source == criteria.FromCriteria {
			all = append(all, spec.Criterion{ID: v.ID, Number: v.Number, Text: v.Text})
		}
	}
	return rewordedCriteria(all, s.Criteria()), nil
}

// isUnreadable reports whether a version of a spec is no valid spec.
func isUnreadable(err error) bool {
	_, is := errors.AsType[*markdown.SyntaxError](err)
	return is
}

// whyNotRenewed returns why a wording gets no evidence of its own, "" if it may: that of before must not be hidden by less.
func (r *VerifyResult) whyNotRenewed(ctx context.Context, p *engine.Project, sub subject, recorded *RecordedEvidence) (string, error) {
	if r.HeldOut != "" {
		return "its held-out criteria were not run here", nil
	}
	if committed, err := isCommitted(ctx, p, sub.s); err != nil || !committed {
		return "its text is not committed", err
	}
	if recorded.Signature.State != attest.Signed {
		return "", nil
	}
	own, err := keyfile.Load(p.Environ)
	if err != nil {
		return "", err
	}
	trusted, err := readTrusted(ctx, p)
	if own == nil || !slices.ContainsFunc(trusted, func(t attest.Trusted) bool { return t.Key.Equal(own.Public) }) {
		return "its evidence is signed, and this machine has no key that the project trusts", err
	}
	return "", err
}

// isCommitted reports whether the commit that is checked out has a spec's present text, or git ignores the spec. What is not
// committed may still change, and chant must not commit it for its author.
func isCommitted(ctx context.Context, p *engine.Project, s *spec.File) (bool, error) {
	committed, err := p.Store.FindAt(ctx, "HEAD", s.ID)
	switch {
	case errors.Is(err, gitops.ErrNotFound):
		tracked, err := p.Store.Tracked(ctx)
		return !tracked, err
	case isUnreadable(err):
		return false, nil
	case err != nil:
		return false, err
	}
	// A checkout can have other line ends than the commit, which are nobody's edit.
	unix := func(doc *markdown.Document) []byte {
		return bytes.ReplaceAll(doc.Bytes(), []byte("\r\n"), []byte("\n"))
	}
	return bytes.Equal(unix(committed.Doc), unix(s.Doc)), nil
}

// renew records evidence for a completed spec that was verified in a wording that has none, with the commit that says so. What
// its commands do without the work is known only of those that have not changed.
func renew(ctx context.Context, p *engine.Project, sub subject, one *VerifyResult) error {
	lead, err := NewJudging(p, sub.s, func(plan *run.Plan) { plan.Settings.Verify, plan.Settings.Unread = sub.checks, nil })
	if err != nil {
		return err
	}
	report := one.report
	report.Criteria, report.Verdict, report.Strength = one.Verdicts, one.Verdict, one.Strength
	_, err = advice.WithHold(ctx, p, sub.s.ID, "verify", func(h *engine.Held) (VerifyResult, error) {
		out, err := p.Store.Transition(ctx, store.Change{ID: h.ID, Word: "verify", Edits: attempt.Summary(p.Now(), one.Status, nil)})
		if err == nil {
			one.Renewed, err = out.Commit, lead.Judge.NoteOf(ctx, report, out.Commit, journal.Trusted{}, nil)
		}
		return *one, err
	})
	return err
}
