package verify

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"chant/engine"
	"chant/engine/criteria"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops"
)

// forgery tells why a completion that a range brings is not believed: chant has made no
// evidence for it, the evidence speaks of something else, or people have not let it land.
// A spec that was completed before the range is none.
func forgery(ctx context.Context, p *engine.Project, sub subject) (doubts, error) {
	was, err := p.Store.At(ctx, sub.changes.from, sub.s.ID)
	if err != nil && !errors.Is(err, gitops.ErrNotFound) {
		return doubts{}, err
	}
	if was != nil && was.Status == spec.Completed {
		return doubts{}, nil
	}
	var out doubts
	byMembers, err := byMembersAlone(ctx, p, sub.s, was)
	if err != nil {
		return doubts{}, err
	}
	if !byMembers && criteria.PlanFor(sub.s, sub.s, sub.checks).Any() {
		if out, err = unproven(ctx, p, sub, was); err != nil {
			return doubts{}, err
		}
	}
	out.add(heldBack(sub.s)...)
	return out, nil
}

// doubts are the reasons not to believe a completion.
type doubts struct {
	why        []string
	noEvidence bool // no evidence of it was found, which is one of the reasons
}

func (d *doubts) add(why ...string) { d.why = append(d.why, why...) }

// unproven tells what evidence does not bear out of a completion; was is the spec before
// the range, nil where it is new.
func unproven(ctx context.Context, p *engine.Project, sub subject, was *spec.Spec) (doubts, error) {
	start := sub.changes.event(sub.s.ID, string(spec.Start))
	complete := sub.changes.event(sub.s.ID, string(spec.Complete))
	land := sub.changes.event(sub.s.ID, attempt.LandWord)
	found, err := recorded(ctx, p, sub.s.ID, hashes(land, complete)...)
	if err != nil {
		return doubts{}, err
	}
	out := found.doubts(sub.s)
	if found != nil {
		fits, err := fits(ctx, p, found, sub.changes)
		if err != nil {
			return doubts{}, err
		}
		if !fits && !found.onlyRan() {
			out.add(fmt.Sprintf("the evidence beside %.7s speaks of other work, and boxes cannot be run again", found.Commit))
		}
		if fits && found.Accepted {
			return out, nil
		}
	}
	if was == nil && start != nil {
		was, err = p.Store.At(ctx, start.Hash, sub.s.ID)
	}
	if was != nil && err == nil {
		out.add(spec.WeakenedChecks(was, sub.s)...)
	}
	beyond, err := beyond(ctx, p, sub.s.ID, start, complete)
	out.add(beyond...)
	return out, err
}

// doubts are the ways in which evidence does not fit the spec that it is about; a nil r is evidence that was not found.
func (r *RecordedEvidence) doubts(s *spec.Spec) doubts {
	if r == nil {
		why := fmt.Sprintf("no evidence was kept with its completion: no git note in %s speaks of it", attempt.NotesRef)
		return doubts{why: []string{why}, noEvidence: true}
	}
	var out doubts
	if r.Edited {
		out.add(fmt.Sprintf("the evidence beside %.7s was edited by hand: its seal does not match", r.Commit))
	}
	if r.Status != criteria.Nothing && (!r.verified || r.Status != criteria.Passed) {
		out.add(fmt.Sprintf("the evidence beside %.7s says that it did not hold", r.Commit))
	}
	judged := map[string]bool{}
	for _, v := range r.Criteria {
		judged[v.ID] = true
	}
	for _, c := range spec.Criteria(s.Doc) {
		if !judged[c.ID] {
			out.add(fmt.Sprintf("the evidence does not speak of criterion %d: %s", c.Number, c.Text))
		}
	}
	return out
}

// beyond names what the commits of a run changed below .chant that is not its spec.
// Where the branch has taken in the target no one can tell what was whose.
func beyond(ctx context.Context, p *engine.Project, id string, start, complete *gitops.Commit) ([]string, error) {
	if start == nil || complete == nil {
		return nil, nil
	}
	commits, err := p.Repo.Log(ctx, start.Hash, complete.Hash)
	if err != nil {
		return nil, err
	}
	for _, c := range commits {
		if len(c.Parents) > 1 {
			return nil, nil
		}
	}
	diff, err := p.Repo.Diff(ctx, start.Hash, complete.Hash)
	var out []string
	for _, ch := range diff {
		if strings.HasPrefix(ch.Path, store.Dir+"/") && ch.Path != store.SpecPath(id) {
			out = append(out, ch.Path+" was changed by its run")
		}
	}
	return out, err
}

// event is the newest commit of a range that says this of a spec, nil without one.
func (c *changes) event(id, ev string) *gitops.Commit {
	for i, commit := range c.commits {
		if of, what := store.Says(commit); of == id && what == ev {
			return &c.commits[i]
		}
	}
	return nil
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
