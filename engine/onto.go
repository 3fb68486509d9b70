package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops"
	"chant/markdown"
)

// currentBranch is the value of main_branch that stands for whatever branch is checked out.
const currentBranch = "current"

// ontoKey is the front-matter key that names the branch on which a spec lands.
const ontoKey = "onto"

// targetOf is the branch on which the work of a spec lands: the one that its key onto names, as a
// person has written it, else that of the project. Of a completed spec whose branch has gone since,
// it is the project's. Error: NotFound where there is no such branch.
func (e *Engine) targetOf(ctx context.Context, s *spec.Spec, h *run.History) (string, error) {
	onto, err := e.ontoOf(ctx, s, h)
	if err != nil {
		return "", err
	}
	if onto == "" {
		return e.target(ctx)
	}
	_, err = e.repo.Resolve(ctx, "refs/heads/"+onto)
	switch {
	case errors.Is(err, gitops.ErrNotFound) && s.Status == spec.Completed && s.Branch == "":
		return e.target(ctx)
	case errors.Is(err, gitops.ErrNotFound):
		return "", noBranch(onto, fmt.Sprintf("named by %s in spec %q", ontoKey, s.ID))
	}
	return onto, err
}

// ontoOf reads the key from the copy of the spec that can be believed: an agent may have changed
// that of its run.
func (e *Engine) ontoOf(ctx context.Context, s *spec.Spec, h *run.History) (string, error) {
	if s.Branch == "" || h == nil || h.Trusted == nil {
		return s.Fields.Onto, nil
	}
	start, err := e.started(ctx, s, &held{id: s.ID, history: h})
	if errors.Is(err, gitops.ErrNotFound) {
		return s.Fields.Onto, nil
	}
	if err != nil {
		return "", err
	}
	return start.Fields.Onto, nil
}

// targetFor is targetOf for callers without the journal of the spec.
func (e *Engine) targetFor(ctx context.Context, s *spec.Spec) (string, error) {
	h, err := run.ReadHistory(e.store, s.ID)
	if err != nil {
		return "", err
	}
	return e.targetOf(ctx, s, h)
}

func noBranch(name, named string) error {
	return fail(NotFound, "git branch "+name, "branch %q, %s, does not exist", name, named)
}

// redirect has a spec land on the branch that a command names from now on: the key is written into
// home's copy, so that every later command knows it. A run that began for another branch is refused.
func (e *Engine) redirect(ctx context.Context, in WorkInput, g *spec.Graph, s *spec.Spec, h *held) (*spec.Graph, *spec.Spec, error) {
	if in.Onto == "" {
		return g, s, nil
	}
	if err := e.mayLandOn(ctx, in.Onto); err != nil {
		return g, s, err
	}
	now, err := e.targetOf(ctx, s, h.history)
	known, _ := errors.AsType[*Error](err)
	switch {
	case err != nil && (known == nil || known.Code != NotFound && known.Code != State):
		return g, s, err // else it names no branch that is there, which is mended here
	case now == in.Onto:
		return g, s, nil
	case s.Branch == "" && (s.Status == spec.Completed || s.Status == spec.Cancelled):
		return g, s, nil // nothing of it will land: what refuses to work it says why
	case s.Branch != "":
		return g, s, fail(State, "chant reset "+s.ID, "the run of spec %q lands on %q; a run that has begun keeps its target", s.ID, now)
	}
	if !in.DryRun {
		if err := e.setOnto(ctx, s.ID, in.Onto); err != nil {
			return g, s, err
		}
	}
	set, _, err := e.graph(ctx)
	if err != nil {
		return g, s, err
	}
	for _, one := range set.Specs {
		if one.ID == s.ID {
			one.Fields.Onto, one.Target = in.Onto, in.Onto
		}
	}
	if err := e.store.Reach(ctx, set); err != nil {
		return g, s, err
	}
	g = set.Graph()
	return g, g.Spec(s.ID), nil
}

// redirectAll is redirect for the specs that a command works: before any of them starts, so that
// what waits for another of them is judged by the branch on which both land. A driver that is named
// takes its members along.
func (e *Engine) redirectAll(ctx context.Context, in WorkAllInput) error {
	if in.Onto == "" {
		return nil
	}
	if err := e.mayLandOn(ctx, in.Onto); err != nil {
		return err
	}
	_, g, err := e.graph(ctx)
	if err != nil {
		return err
	}
	ids, err := e.redirected(ctx, in, g)
	if err != nil {
		return err
	}
	for _, id := range ids {
		s := g.Spec(id)
		if s == nil || s.Branch != "" || s.Target == in.Onto || s.Status != spec.Pending && s.Status != spec.NeedsAttention {
			continue
		}
		if err := e.setOnto(ctx, id, in.Onto); err != nil {
			return err
		}
		if _, g, err = e.graph(ctx); err != nil { // members have inherited it
			return err
		}
	}
	return nil
}

// setOnto commits the branch on which a spec lands to home's copy.
func (e *Engine) setOnto(ctx context.Context, id, branch string) error {
	_, err := e.store.Transition(ctx, store.Change{ID: id, Word: ontoKey, Edits: []markdown.Edit{markdown.Set(ontoKey, branch)}})
	return err
}

// redirected lists what a command works, drivers before their members.
func (e *Engine) redirected(ctx context.Context, in WorkAllInput, g *spec.Graph) ([]string, error) {
	named, err := e.findEach(ctx, in.IDs)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, id := range named {
		ids = append(ids, id)
		if g.Container(id) {
			ids = append(ids, g.Members(id)...)
		}
	}
	if in.All || len(in.IDs) == 0 {
		sc := &scope{labels: in.Labels}
		for _, s := range g.Specs() {
			if sc.labelled(s) && !g.Done(s.ID) {
				ids = append(ids, s.ID)
			}
		}
	}
	return ids, nil
}

// sayTargets is sayTarget for the specs that were named, before the first of them starts.
func (e *Engine) sayTargets(ctx context.Context, sc *scope) error {
	_, g, err := e.graph(ctx)
	if err != nil {
		return err
	}
	for _, id := range sc.named() {
		s := g.Spec(id)
		if s == nil {
			continue
		}
		target, err := e.targetFor(ctx, s)
		if err != nil {
			continue // its own run reports it
		}
		e.sayTarget(ctx, &run.Run{Job: run.Job{ID: id, Target: target}})
	}
	return nil
}

// mayLandOn checks a branch that a command names.
func (e *Engine) mayLandOn(ctx context.Context, name string) error {
	if err := e.repo.ValidBranch(name); err != nil {
		return fail(Usage, "chant work --help", "invalid branch %q for --onto", spec.Echo(name))
	}
	_, err := e.repo.Resolve(ctx, "refs/heads/"+name)
	if errors.Is(err, gitops.ErrNotFound) {
		return noBranch(name, "named by --onto")
	}
	return err
}

// pinned is what the start commit of a run notes as its target: a branch that was only checked out
// may not be when the run lands.
func (e *Engine) pinned(target string) string {
	if e.config.Defaults.MainBranch == currentBranch {
		return target
	}
	return ""
}

// notes remembers what an operation has said, so that it says it once however many specs it works.
type notes struct {
	mu   sync.Mutex
	said []string
}

func (n *notes) first(text string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if slices.Contains(n.said, text) {
		return false
	}
	n.said = append(n.said, text)
	return true
}

// sayTarget says where work will land, before it starts, unless that is what is checked out.
func (e *Engine) sayTarget(ctx context.Context, r *run.Run) {
	head, err := e.repo.Head(ctx, e.repo.Home())
	if err != nil || head.Branch == r.Job.Target {
		return
	}
	here, hint := fmt.Sprintf("%q is checked out", head.Branch), fmt.Sprintf("; --onto %s lands there", head.Branch)
	if head.Branch == "" {
		here, hint = "no branch is checked out", ""
	}
	text := fmt.Sprintf("work will land on %q, while %s%s", r.Job.Target, here, hint)
	if e.notes.first(text) {
		e.warn(r.Job.ID, text)
	}
}
