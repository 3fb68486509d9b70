package verify

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"chant/engine"
	"chant/engine/evidence/attest"
	"chant/engine/evidence/criteria"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/engine/store/touched"
	"chant/gitops"
)

// findForgery returns the reasons not to trust a completion in a range of commits: there is no evidence of chant for
// it, the evidence is about something else, or approval is missing. There are none for a spec that was completed before
// the range.
func findForgery(ctx context.Context, e *evidences, sub subject) (doubts, error) {
	p := e.p
	was, err := p.Store.At(ctx, sub.changes.from, sub.s.ID)
	if err != nil && !errors.Is(err, gitops.ErrNotFound) {
		return doubts{}, err
	}
	if was != nil && was.Status == spec.Completed {
		return doubts{}, nil
	}
	var out doubts
	byMembers, err := judgedByMembersOnly(ctx, p, sub.s, was)
	if err != nil {
		return doubts{}, err
	}
	if !byMembers && criteria.PlanFor(sub.s, sub.s, sub.checks).Any() {
		if out, err = checkEvidence(ctx, e, sub, was); err != nil {
			return doubts{}, err
		}
	}
	out.add(approvalDoubts(sub.s)...)
	return out, nil
}

// doubts are the reasons not to trust a completion.
type doubts struct {
	why        []string
	noEvidence bool // one of the reasons is that no evidence was found

	signature *attest.Signature // of the evidence, nil without any
}

func (d *doubts) add(why ...string) { d.why = append(d.why, why...) }

// checkEvidence returns the reasons for which evidence does not support a completion. was is the spec before the range,
// nil for a new one.
func checkEvidence(ctx context.Context, e *evidences, sub subject, was *spec.File) (doubts, error) {
	p := e.p
	r, err := runOf(ctx, p, sub)
	if err != nil {
		return doubts{}, err
	}
	found, err := e.of(ctx, sub.s.ID, hashes(r.land, r.complete)...)
	if err != nil {
		return doubts{}, err
	}
	out := found.doubtsAbout(sub.s)
	if found != nil {
		t, err := e.trustFor(ctx, sub)
		if err == nil {
			err = found.checkSignature(ctx, p, t.keys)
		}
		if err != nil {
			return doubts{}, err
		}
		out.signature = &found.Signature
		out.add(found.signatureDoubts(t.required)...)
		fits, err := matchesRange(ctx, p, found, sub.changes)
		if err != nil {
			return doubts{}, err
		}
		if !fits && !found.onlyRuns() {
			out.add(fmt.Sprintf("the evidence of commit %.7s is about other work, and ticked boxes cannot be verified again", found.Commit))
		}
		if fits && found.Accepted {
			return out, nil
		}
	}
	if was == nil && r.start != nil {
		was, err = p.Store.At(ctx, r.start.Hash, sub.s.ID)
	}
	if was != nil && err == nil {
		out.add(spec.WeakenedChecks(was, sub.s)...)
	}
	beyond, err := changesBesideSpec(ctx, p, sub, r)
	out.add(beyond...)
	return out, err
}

// doubtsAbout returns the ways in which evidence does not match the spec that it is about. A nil r means that no
// evidence was found.
func (r *RecordedEvidence) doubtsAbout(s *spec.File) doubts {
	if r == nil {
		why := fmt.Sprintf("no evidence was recorded for its completion: no git note in %s is about it", attempt.NotesRef)
		return doubts{why: []string{why}, noEvidence: true}
	}
	var out doubts
	if r.Edited {
		out.add(fmt.Sprintf("the evidence of commit %.7s was edited by hand: its seal does not match", r.Commit))
	}
	if r.Status != criteria.Nothing && (!r.verified || r.Status != criteria.Passed) {
		out.add(fmt.Sprintf("the evidence of commit %.7s records that verification did not pass", r.Commit))
	}
	judged := map[string]bool{}
	for _, v := range r.Criteria {
		judged[v.ID] = true
	}
	for _, c := range s.Criteria() {
		if !judged[c.ID] {
			out.add(fmt.Sprintf("the evidence does not include criterion %d: %s", c.Number, c.Text))
		}
	}
	return out
}

// changesBesideSpec describes what a run itself changed below .chant apart from its own spec, and of protected files.
func changesBesideSpec(ctx context.Context, p *engine.Project, sub subject, r runCommits) ([]string, error) {
	if r.start == nil || r.complete == nil {
		return nil, nil
	}
	own, err := changedByRun(ctx, p, sub.changes, r)
	if err != nil {
		return nil, err
	}
	things, err := thingsOfRun(ctx, p, sub, r)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, ch := range own {
		if touched.InChant(ch.Path) && ch.Path != store.SpecPath(sub.s.ID) {
			out = append(out, ch.Path+" was changed by its run")
		}
	}
	for _, t := range things {
		if t.Kind == touched.Protected || t.Kind == touched.Outward {
			out = append(out, t.String()+", by its run")
		}
	}
	return out, nil
}

func hashes(commits ...*gitops.Commit) []string {
	var out []string
	for _, c := range commits {
		if c != nil {
			out = append(out, c.Hash)
		}
	}
	return out
}

// weakenedSince describes the checks that a range has weakened in a spec that was completed before it.
func weakenedSince(ctx context.Context, p *engine.Project, sub subject) ([]string, error) {
	was, err := p.Store.At(ctx, sub.changes.from, sub.s.ID)
	if errors.Is(err, gitops.ErrNotFound) || err == nil && was.Status != spec.Completed {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return spec.WeakenedChecks(was, sub.s), nil
}

// matchesRange reports whether evidence is about the work in a range: it is recorded in the note of a commit of the
// range and about that commit, or its tree equals that of a commit of the range except for .chant.
func matchesRange(ctx context.Context, p *engine.Project, found *RecordedEvidence, c *changes) (bool, error) {
	for _, commit := range c.commits {
		if commit.Hash == found.Commit {
			return found.about == found.Commit, nil
		}
	}
	for _, commit := range c.commits {
		same, err := sameWork(ctx, p, found.Tree, commit.Tree)
		if same || err != nil {
			return same, err
		}
	}
	return false, nil
}

// sameWork reports whether two trees are equal except for .chant. A missing tree equals no other.
func sameWork(ctx context.Context, p *engine.Project, a, b string) (bool, error) {
	diff, err := p.Repo.Diff(ctx, a, b)
	if errors.Is(err, gitops.ErrNotFound) {
		return false, nil
	}
	for _, ch := range diff {
		if !strings.HasPrefix(ch.Path, store.Dir+"/") {
			return false, err
		}
	}
	return err == nil, err
}

// onlyRuns reports whether all criteria in the evidence were checked by commands and none by a box. Commands can be run
// again.
func (r *RecordedEvidence) onlyRuns() bool {
	for _, v := range r.Criteria {
		if len(v.Evidence) == 0 {
			return false
		}
	}
	return true
}

// approvalDoubts returns the doubt that the spec was rejected or that its work is not approved. A missing approval of
// the spec itself is not a doubt, because it may have been skipped with --skip-approval, which no commit records.
// Neither are edits since the approval, because they concern future work.
func approvalDoubts(s *spec.File) []string {
	switch hold := s.ApprovalBlock(); hold.Kind {
	case spec.HeldByRejection:
		return []string{"it " + hold.String()}
	case spec.HeldForWork:
		return []string{"its work waits for approval" + hold.More}
	}
	return nil
}
