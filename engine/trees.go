package engine

import (
	"context"
	"path/filepath"
	"strings"

	"chant/engine/checktree"
	"chant/engine/store"
	"chant/gitops"
)

// TreeOf is the worktree of a spec's run, "" when it has none.
func TreeOf(ctx context.Context, p *Project, id string) (string, error) {
	trees, err := p.Repo.Worktrees(ctx)
	if err != nil {
		return "", err
	}
	for _, t := range trees {
		if of, ok := RunOfTree(p, t); !ok || of != id {
			continue
		}
		if _, err := p.Repo.GitDir(t.Path); err == nil { // else someone broke it
			return t.Path, nil
		}
	}
	return "", nil
}

// checkDirs are the folders in which check trees may lie, also where earlier versions put them.
func checkDirs(p *Project) []string {
	return append(checktree.CheckDirs(p.Repo, p.Environ), TreesDir(p))
}

// TreesDir is the folder in which the worktrees of runs stand.
func TreesDir(p *Project) string {
	if dir := p.Config.Worktree.Dir; dir != "" {
		return dir
	}
	return filepath.Join(Home(p), store.Dir, string(store.Worktrees))
}

// RealDir is a folder without symbolic links, as git names those of worktrees.
func RealDir(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
}

// RunOfTree tells whose run a worktree belongs to: by its branch, or by its place.
func RunOfTree(p *Project, t gitops.Worktree) (string, bool) {
	if t.Main {
		return "", false
	}
	if id, ok := strings.CutPrefix(t.Branch, p.Config.Defaults.BranchPrefix); ok && id != "" {
		return id, true
	}
	if filepath.Dir(t.Path) == RealDir(TreesDir(p)) {
		return filepath.Base(t.Path), true
	}
	return "", false
}
