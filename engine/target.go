package engine

import (
	"context"
	"errors"
	"slices"

	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/engine/store/config"
	"chant/gitops"
)

// applyTargetGates adds the gates of the target to the settings while home has another branch checked out. What lands
// must satisfy the target's gates; a branch can require more, but not less. All other settings are home's. Error: the
// config.md of the target is broken, so its gates are unknown.
func applyTargetGates(ctx context.Context, p *Project, target string) error {
	head, err := p.Repo.Head(ctx, p.Repo.Home())
	// With the target checked out, home's settings are those of the target.
	if err != nil || head.Branch == target {
		return err
	}
	src, err := p.Repo.ReadFile(ctx, "refs/heads/"+target, store.ConfigPath)
	if errors.Is(err, gitops.ErrNotFound) {
		// git ignores .chant, or the target has no settings yet.
		return nil
	}
	if err != nil {
		return err
	}
	there := config.DefaultConfig(Home(p))
	if err := there.Read(src, Home(p)); err != nil {
		return Fail(Invalid, next.Shell("git switch %s", target), "the gates of %q cannot be read: %s", target, err)
	}
	// What lands must satisfy the target's gates; the branch can require more, but not less.
	p.Config.Tighten(there)
	p.Store.Rules = p.Config.Approval.SpecRules()
	return nil
}

// Target is the branch on which runs land: the configured one, otherwise main or
// master if it exists, otherwise the branch that home has checked out.
func Target(ctx context.Context, p *Project) (string, error) {
	name := p.Config.Defaults.MainBranch
	if name == CurrentBranch {
		return checkedOutBranch(ctx, p)
	}
	if name != "" {
		if _, err := p.Repo.Resolve(ctx, "refs/heads/"+name); errors.Is(err, gitops.ErrNotFound) {
			return "", Fail(NotFound, next.EditFile(store.ConfigPath), "branch %q, named as main_branch in %s, does not exist", name, store.ConfigPath)
		} else if err != nil {
			return "", err
		}
		return name, nil
	}
	head, err := p.Repo.Head(ctx, p.Repo.Home())
	if err != nil {
		return "", err
	}
	names := []string{"main", "master"}
	// Both main and master may exist; the one that is checked out is meant.
	if slices.Contains(names, head.Branch) {
		return head.Branch, nil
	}
	for _, name := range names {
		if _, err := p.Repo.Resolve(ctx, "refs/heads/"+name); err == nil {
			return name, nil
		}
	}
	if head.Branch == "" {
		return "", Fail(State, next.Shell("git switch main"), "your checkout is on no branch, and %s names no main_branch", store.ConfigPath)
	}
	return head.Branch, nil
}

// checkedOutBranch is the branch that home has checked out, the target with main_branch: current.
func checkedOutBranch(ctx context.Context, p *Project) (string, error) {
	head, err := p.Repo.Head(ctx, p.Repo.Home())
	if err == nil && head.Branch == "" {
		err = Fail(State, next.Shell("git switch main"), "your checkout is on no branch, and main_branch in %s is %q", store.ConfigPath, CurrentBranch)
	}
	return head.Branch, err
}

// CurrentBranch is the value of main_branch for the branch that is checked out.
const CurrentBranch = "current"

// OntoKey is the front-matter key that names the branch on which a spec lands.
const OntoKey = "onto"

// NoBranch is the error NotFound for a branch that does not exist; named says where it is named.
func NoBranch(name, named string) error {
	return Fail(NotFound, next.Shell("git branch %s", name), "branch %q, %s, does not exist", name, named)
}
