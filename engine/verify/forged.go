package verify

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/evidence/attest"
	"chant/engine/evidence/criteria"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/engine/store/message"
	"chant/engine/store/touched"
	"chant/gitops"
)

// findForgery returns the reasons not to trust a completion in a range of commits: there is no evidence of chant for
// it, the evidence is about something else, or approval is missing. There are none for a spec that was completed before
// the range: only what its evidence recorded is returned.
func findForgery(ctx context.Context, e *evidences, sub subject, weak weakenedWork) (forgeryFindings, error) {
	p := e.p
	was, err := p.Store.ReadAt(ctx, sub.changes.from, sub.s.ID)
	if err != nil && !errors.Is(err, gitops.ErrNotFound) {
		return forgeryFindings{}, err
	}
	if was != nil && was.Status == spec.Completed {
		// Its proof is that of the evidence of its completion.
		found, err := e.find(ctx, sub.s.ID)
		if found == nil || err != nil {
			return forgeryFindings{}, err
		}
		t, err := e.trustFor(ctx, sub)
		if err == nil {
			err = found.checkSignature(ctx, p, t.keys)
		}
		if err != nil || len(found.signatureFindings(t.required)) > 0 {
			return forgeryFindings{}, err
		}
		return forgeryFindings{recorded: found}, nil
	}
	var out forgeryFindings
	byMembers, err := judgedByMembersOnly(ctx, p, sub.s, was)
	if err != nil {
		return forgeryFindings{}, err
	}
	if !byMembers && criteria.PlanFor(sub.s, sub.s, sub.checks).Any() {
		if out, err = checkEvidence(ctx, e, sub, was, weak); err != nil {
			return forgeryFindings{}, err
		}
	}
	out.add(weak.unaccepted()...)
	out.add(approvalFindings(sub.s)...)
	return out, nil
}

// forgeryFindings are the reasons not to trust a completion.
type forgeryFindings struct {
	why        []string
	noEvidence bool // one of the reasons is that no evidence was found

	loosened  []string          // which checks were weakened after the completion, in a wording that has evidence of its own
	signature *attest.Signature // of the evidence, nil without any
	recorded  *RecordedEvidence // nil without any
}

func (d *forgeryFindings) add(why ...string) { d.why = append(d.why, why...) }

// checkEvidence returns the reasons for which evidence does not support a completion. was is the spec before the range,
// nil for a new one.
func checkEvidence(ctx context.Context, e *evidences, sub subject, was *spec.File, weak weakenedWork) (forgeryFindings, error) {
	p := e.p
	r, err := runOf(ctx, p, sub)
	if err != nil {
		return forgeryFindings{}, err
	}
	found, err := e.find(ctx, sub.s.ID, commitHashes(r.land, r.complete)...)
	if err != nil {
		return forgeryFindings{}, err
	}
	// The keys are those from before the range, which could have added its own.
	t, err := e.trustFor(ctx, sub)
	if err != nil {
		return forgeryFindings{}, err
	}
	completed, err := wordingAtCompletion(ctx, p, found, sub, t)
	if err != nil {
		return forgeryFindings{}, err
	}
	out := found.findingsAbout(completed)
	out.recorded, out.loosened = found, spec.WeakenedChecks(completed, sub.s)
	if found != nil {
		if err := found.checkSignature(ctx, p, t.keys); err != nil {
			return forgeryFindings{}, err
		}
		out.signature = &found.Signature
		out.add(found.signatureFindings(t.required)...)
		fits, err := matchesRange(ctx, p, found, sub.changes)
		if err != nil {
			return forgeryFindings{}, err
		}
		// Commands run again on this tree, but a ticked box is only worth something for the work that it was ticked for.
		if !fits && !found.hasOnlyCommands() {
			out.add(fmt.Sprintf("the evidence of commit %.7s is about other work, and ticked boxes cannot be verified again", found.Commit))
		}
		if fits {
			out.add(weak.unlike(found)...)
		}
		// A person has accepted weakened checks, so they are not looked for.
		if fits && found.Accepted {
			return out, nil
		}
	}
	// A spec that the range adds is compared with the start commit of its run.
	if was == nil && r.start != nil {
		was, err = p.Store.ReadAt(ctx, r.start.Hash, sub.s.ID)
	}
	if was != nil && err == nil {
		out.add(spec.WeakenedChecks(was, completed)...)
	}
	beyond, err := changesBesideSpec(ctx, p, sub, r)
	out.add(beyond...)
	return out, err
}

// wordingAtCompletion returns the spec that the evidence of a completion has to be about: as the range has it in the end or, if
// later evidence of the range is about that wording, as it was completed.
func wordingAtCompletion(ctx context.Context, p *engine.Project, found *RecordedEvidence, sub subject, t trust) (*spec.File, error) {
	if found == nil {
		return sub.s, nil
	}
	completed, err := p.Store.FindAt(ctx, found.Commit, sub.s.ID)
	if errors.Is(err, gitops.ErrNotFound) || isUnreadable(err) {
		return sub.s, nil
	}
	if err != nil || len(found.findingsAbout(sub.s).why)+len(spec.WeakenedChecks(completed, sub.s)) == 0 {
		return sub.s, err
	}
	// The newest comes first.
	for _, commit := range sub.changes.commits {
		if commit.Hash == found.Commit {
			break
		}
		renewed, err := evidenceAt(ctx, p, sub.s.ID, commit.Hash)
		if err != nil {
			return nil, err
		}
		if renewed == nil || renewed.about != commit.Hash || renewed.Status != criteria.Passed {
			continue
		}
		if err := renewed.checkSignature(ctx, p, t.keys); err != nil {
			return nil, err
		}
		if len(renewed.signatureFindings(t.required))+len(renewed.findingsAbout(sub.s).why) == 0 {
			return completed, nil
		}
	}
	return sub.s, nil
}

// findingsAbout returns the ways in which evidence does not match the spec that it is about. A nil r means that no
// evidence was found.
func (r *RecordedEvidence) findingsAbout(s *spec.File) forgeryFindings {
	if r == nil {
		why := fmt.Sprintf("no evidence was recorded for its completion: no git note in %s is about it", attempt.NotesRef)
		return forgeryFindings{why: []string{why}, noEvidence: true}
	}
	var out forgeryFindings
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
	more, err := changesOfLanding(ctx, p, sub, r, things, own)
	return append(out, more...), err
}

// changesOfLanding describes what the merge of a run changed on the target of what no run may change, beyond what the run
// changed itself: a merge can follow files that were renamed, and a run can have merged older versions of files.
func changesOfLanding(ctx context.Context, p *engine.Project, sub subject, r runCommits, things []touched.Thing, own []gitops.Change) ([]string, error) {
	if r.land == nil || len(r.land.Parents) < 2 {
		return nil, nil
	}
	before, side := r.land.Parents[0], r.land.Parents[1]
	landed, err := p.Repo.Diff(ctx, before, r.land.Hash)
	if err != nil {
		return nil, err
	}
	// A landing completes drivers as well, or says of them why they stay open.
	further, err := p.Repo.Log(ctx, r.complete.Hash, side)
	if err != nil {
		return nil, err
	}
	// A run that begins with the failing tests of another spec lands with that.
	if len(r.start.Parents) == 2 {
		tests, err := p.Repo.Log(ctx, r.start.Parents[0], r.start.Parents[1])
		if err != nil {
			return nil, err
		}
		further = append(further, tests...)
	}
	drivers := map[string]bool{}
	for _, c := range further {
		for _, rec := range message.Records(c) {
			if rec.Event == string(spec.Complete) || rec.Event == string(spec.Flag) {
				drivers[store.SpecPath(rec.ID)] = true
			}
		}
	}
	// It applies the changes of an OpenSpec folder, and archives it.
	living := "\x00"
	if a := sub.s.Adopted(); a != nil {
		living = path.Dir(path.Dir(a.Dir)) + "/"
	}
	var out []string
	for _, ch := range landed {
		known := slices.ContainsFunc(own, func(o gitops.Change) bool { return o.Path == ch.Path })
		if !known && touched.InChant(ch.Path) && ch.Path != store.SpecPath(r.id) && !drivers[ch.Path] {
			out = append(out, ch.Path+" was changed by its landing")
		}
	}
	protect, err := protectedAt(ctx, p, before)
	if err != nil {
		return nil, err
	}
	guarded, err := touched.Commits{Repo: p.Repo, Store: p.Store}.Guarded(ctx, before, r.land.Hash, touched.Rules{Protect: protect})
	for _, t := range guarded {
		known := slices.ContainsFunc(things, func(o touched.Thing) bool { return o.Kind == t.Kind && o.Path == t.Path })
		if !known && !strings.HasPrefix(t.Path, living) {
			out = append(out, t.String()+", by its landing")
		}
	}
	return out, err
}

func commitHashes(commits ...*gitops.Commit) []string {
	var out []string
	for _, c := range commits {
		if c != nil {
			out = append(out, c.Hash)
		}
	}
	return out
}

// weakenedChecks describes the checks that a range has weakened in a spec that was completed before it.
func weakenedChecks(ctx context.Context, p *engine.Project, sub subject) ([]string, error) {
	was, err := p.Store.ReadAt(ctx, sub.changes.from, sub.s.ID)
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
			// A note can be copied to another commit.
			return found.about == found.Commit, nil
		}
	}
	for _, commit := range c.commits {
		same, err := isSameWork(ctx, p, found.Tree, commit.Tree)
		if same || err != nil {
			return same, err
		}
	}
	return false, nil
}

// isSameWork reports whether two trees are equal except for .chant. A missing tree equals no other.
func isSameWork(ctx context.Context, p *engine.Project, a, b string) (bool, error) {
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

// hasOnlyCommands reports whether all criteria in the evidence were checked by commands and none by a box. Commands can be run
// again.
func (r *RecordedEvidence) hasOnlyCommands() bool {
	for _, v := range r.Criteria {
		if len(v.Evidence) == 0 {
			return false
		}
	}
	return true
}

// approvalFindings returns the doubt that the spec was rejected or that its work is not approved. A missing approval of
// the spec itself is not a doubt, because it may have been skipped with --skip-approval, which no commit records.
// Neither are edits since the approval, because they concern future work.
func approvalFindings(s *spec.File) []string {
	switch hold := s.ApprovalBlock(); hold.Kind {
	case spec.HeldByRejection:
		return []string{"it " + hold.String()}
	case spec.HeldForWork:
		return []string{"its work waits for approval" + hold.More}
	}
	return nil
}
