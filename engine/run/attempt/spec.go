package attempt

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/evidence/sandbox"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/engine/store/local"
	"chant/gitops"
	"chant/markdown"
	"chant/text"
)

// SpecFile is the path of the spec's copy that the agent of a worktree reads and ticks.
func (a *Attempt) SpecFile(tree string) string {
	if a.Job.Silent {
		return filepath.Join(a.Store.Home(), filepath.FromSlash(store.SpecPath(a.Job.ID)))
	}
	return filepath.Join(a.Folder(tree), filepath.FromSlash(store.SpecPath(a.Job.ID)))
}

// Folder is the folder of the project in a worktree, in which agents and commands work: its top, but for a project in a folder
// of its repository. An agent may have put a link there.
func (a *Attempt) Folder(tree string) string {
	return filepath.Join(tree, filepath.FromSlash(a.Repo.Folder()))
}

// OnTarget returns the spec as the target has it, nil if it does not have it or git ignores .chant.
func (a *Attempt) OnTarget(ctx context.Context, target string) (*spec.File, error) {
	if a.Job.Silent {
		return nil, nil
	}
	there, err := a.SpecAt(ctx, target)
	if errors.Is(err, gitops.ErrNotFound) {
		return nil, nil
	}
	return there, err
}

// OwnSpec reads the run's spec as its branch has it now, or home's file if git ignores .chant.
func (a *Attempt) OwnSpec(ctx context.Context) (*spec.File, error) {
	s, err := a.SpecAt(ctx, "refs/heads/"+a.Job.Branch)
	if err == nil {
		s.Landed = false
	}
	return s, err
}

// WayOut is the first step by which a person resolves a conflict: to merge the target in the run's worktree. Then
// finalize and merge follow.
func (a *Attempt) WayOut() next.Step {
	tree, err := a.TreePath(a.Job.ID)
	if err != nil || !a.Whole(tree) {
		return next.Step{}
	}
	return next.Shell("git -C %q merge %s", tree, a.Job.Target)
}

// SpecAt reads the run's spec as a commit has it, or home's file if git ignores .chant.
func (a *Attempt) SpecAt(ctx context.Context, commit string) (*spec.File, error) {
	if !a.Job.Silent {
		return a.Store.ReadAt(ctx, commit, a.Job.ID)
	}
	s, err := a.Store.ReadHome(a.Job.ID)
	if err != nil {
		return nil, err
	}
	// The folder that it adopts is on the branch, even where git ignores .chant.
	return s, store.AdoptAt(ctx, a.Store, commit, s)
}

// TreePath returns where a worktree of chant belongs.
func (a *Attempt) TreePath(name string) (string, error) {
	if a.Settings.Dir == "" {
		return a.Store.Local(local.Worktrees, name)
	}
	return filepath.Join(a.Settings.Dir, name), nil
}

// Sandbox returns what builds the policies of the run's processes.
func (a *Attempt) Sandbox() *sandbox.Sandbox {
	return &sandbox.Sandbox{
		Repo: a.Repo, Store: a.Store, Settings: a.Settings.Sandbox, Trees: a.Settings.Dir, Environ: a.Environ, Chant: a.Chant,
	}
}

// Whole reports whether a registered worktree still is one: it is not if its .git is missing, or if an agent has
// replaced it by a repository of its own, or by a link, which may lead to a worktree of a person.
func (a *Attempt) Whole(tree string) bool {
	// A link is not followed, which may lead to a worktree of a person.
	if info, err := os.Lstat(tree); err != nil || !info.IsDir() {
		return false
	}
	at, err := a.Repo.GitDir(tree)
	return err == nil && at == a.Repo.AdminDir(tree)
}

// Summary returns the keys of front matter that sum up a verification. If there was nothing to verify, there is no
// date.
func Summary(at time.Time, status criteria.Status, failures []string) []markdown.Edit {
	verified := markdown.Set("last_verified", at.UTC().Format(time.RFC3339))
	if status == criteria.Nothing {
		verified = markdown.Unset("last_verified")
	}
	edits := []markdown.Edit{verified, markdown.Set("verification_status", string(status))}
	if len(failures) == 0 {
		return append(edits, markdown.Unset("verification_failures"))
	}
	return append(edits, markdown.Set("verification_failures", failures))
}

// FirstLine is the part of a reason that front matter has room for.
func FirstLine(why string) string { return text.Clip(text.FirstLine(why), 300) }

// TamperFailure returns the *journal.Failure for forbidden changes, nil if there are none.
func TamperFailure(found []string) error {
	if len(found) == 0 {
		return nil
	}
	const most = 3
	more := ""
	if left := len(found) - most; left > 0 {
		more = fmt.Sprintf("; and %d more", left)
	}
	return &journal.Failure{
		Kind: spec.ReasonTampered, Details: found,
		Message: "forbidden changes during the run: " + strings.Join(found[:min(len(found), most)], "; ") + more,
	}
}

// ClipList cuts a list to what a message names.
func ClipList(paths []string) []string { return paths[:min(len(paths), MaxNamed)] }

// Differences lists what was added, changed and removed between two readings.
func Differences(was, now map[string]string) []string {
	var out []string
	for _, what := range slices.Sorted(maps.Keys(now)) {
		if before, there := was[what]; !there {
			out = append(out, what+" was added")
		} else if before != now[what] {
			out = append(out, what+" was changed")
		}
	}
	for _, what := range slices.Sorted(maps.Keys(was)) {
		if _, there := now[what]; !there {
			out = append(out, what+" was removed")
		}
	}
	return out
}

// MaxNamed bounds how many things a message names; the details of the failure have all.
const MaxNamed = 10
