package run

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/gitops"
)

// TargetOf returns the branch on which the work of a spec lands: the one in its key onto, as a person has written it,
// else that of the project. For a completed spec whose onto branch is gone, it is the project's. Error: NotFound if the
// branch does not exist.
func TargetOf(ctx context.Context, p *engine.Project, s *spec.Spec, h *journal.History) (string, error) {
	onto, err := ontoOf(ctx, p, s, h)
	if err != nil {
		return "", err
	}
	if onto == "" {
		return engine.Target(ctx, p)
	}
	_, err = p.Repo.Resolve(ctx, "refs/heads/"+onto)
	switch {
	// Where completed work without a branch has landed does not matter any more.
	case errors.Is(err, gitops.ErrNotFound) && s.Status == spec.Completed && s.Branch == "":
		return engine.Target(ctx, p)
	case errors.Is(err, gitops.ErrNotFound):
		named := fmt.Sprintf("named by %s in spec %q", engine.OntoKey, s.ID)
		// A branch of the old name would be another one, on which nothing else lands.
		switch now, err := renamedTo(ctx, p, onto); {
		case err != nil:
			return "", err
		case now != "":
			return "", engine.Fail(engine.NotFound, renameBack(now, onto), "branch %q, %s, was renamed to %q", onto, named, now)
		}
		return "", engine.NoBranch(onto, named)
	}
	return onto, err
}

// renameBack is the command that gives a branch its old name again.
func renameBack(now, onto string) next.Step {
	// The names come from a reflog and a spec, which anyone can write, and people paste the command into a shell.
	if !plainName().MatchString(now) || !plainName().MatchString(onto) {
		return next.ByHand("give the branch its old name again, by `git branch -m`")
	}
	return next.Shell("git branch -m %s %s", now, onto)
}

var plainName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._/-]*$`) })

// renamedTo returns the name that a branch has since it was renamed while it was checked out, "" if that is not known.
func renamedTo(ctx context.Context, p *engine.Project, branch string) (string, error) {
	entries, err := p.Repo.HeadEntries(p.Repo.Home())
	if err != nil {
		return "", err
	}
	now := branch
	for _, e := range entries {
		if to, ok := strings.CutPrefix(e.Why, "Branch: renamed refs/heads/"+now+" to refs/heads/"); ok {
			now = to
		}
	}
	// Anyone can write a reflog, and the branch may be gone by now.
	if now == branch || p.Repo.ValidBranch(now) != nil {
		return "", nil
	}
	_, err = p.Repo.Resolve(ctx, "refs/heads/"+now)
	if errors.Is(err, gitops.ErrNotFound) {
		return "", nil
	}
	return now, err
}

// ontoOf reads the key from the copy of the spec that is trusted: an agent may have changed the copy of its run.
func ontoOf(ctx context.Context, p *engine.Project, s *spec.Spec, h *journal.History) (string, error) {
	// Without a run, only people have written the copy.
	if s.Branch == "" || h == nil || h.Trusted == nil {
		return s.Fields.Onto, nil
	}
	start, err := StartedSpec(ctx, p, s, h)
	if errors.Is(err, gitops.ErrNotFound) {
		return s.Fields.Onto, nil
	}
	if err != nil {
		return "", err
	}
	return start.Fields.Onto, nil
}

// TargetFor is TargetOf for callers without the journal of the spec.
func TargetFor(ctx context.Context, p *engine.Project, s *spec.Spec) (string, error) {
	h, err := journal.ReadHistory(p.Store, s.ID)
	if err != nil {
		return "", err
	}
	return TargetOf(ctx, p, s, h)
}

// PinnedTarget returns the target that the start commit of a run records. It does so only where the target is the branch that
// is checked out: another one may be checked out when the run lands.
func PinnedTarget(p *engine.Project, target string) string {
	if p.Config.Defaults.MainBranch == engine.CurrentBranch {
		return target
	}
	return ""
}

// WarnTarget reports, before work starts, on which branch it will land, unless that branch is checked out.
func WarnTarget(ctx context.Context, p *engine.Project, id, target string) {
	head, err := p.Repo.Head(ctx, p.Repo.Home())
	if err != nil || head.Branch == target {
		return
	}
	here, hint := fmt.Sprintf("%q is checked out", head.Branch), fmt.Sprintf("; --onto %s lands there", head.Branch)
	if head.Branch == "" {
		here, hint = "no branch is checked out", ""
	}
	text := fmt.Sprintf("work will land on %q, while %s%s", target, here, hint)
	if p.Notes.IsNew(text) {
		engine.Warn(p, id, text)
	}
}
