package engine

import (
	"context"
	"path/filepath"
	"strings"

	"chant/engine/evidence/sandbox"
	"chant/engine/store"
	"chant/engine/store/disk"
	"chant/engine/store/local"
	"chant/gitops"
)

// TreeOf is the worktree of a spec's run, "" if it has none.
func TreeOf(ctx context.Context, p *Project, id string) (string, error) {
	trees, err := p.Repo.Worktrees(ctx)
	if err != nil {
		return "", err
	}
	for _, t := range trees {
		if of, ok := RunOfTree(p, t); !ok || of != id {
			continue
		}
		// A worktree whose link to git is broken is left over.
		if _, err := p.Repo.GitDir(t.Path); err == nil {
			return t.Path, nil
		}
	}
	return "", nil
}

// checkDirs lists the folders that may contain check trees, including that of earlier versions.
func checkDirs(p *Project) []string {
	return append(sandbox.CheckDirs(p.Repo, p.Environ), TreesDir(p))
}

// TreesDir is the folder of the worktrees of runs.
func TreesDir(p *Project) string {
	if dir := p.Config.Worktree.Dir; dir != "" {
		return dir
	}
	return filepath.Join(Home(p), store.Dir, string(local.Worktrees))
}

// RunOfTree returns the id of the spec whose run a worktree belongs to: by its branch, or by its path.
func RunOfTree(p *Project, t gitops.Worktree) (string, bool) {
	if t.Main {
		return "", false
	}
	if id, ok := strings.CutPrefix(t.Branch, p.Config.Defaults.BranchPrefix); ok && id != "" {
		return id, true
	}
	// In the middle of a rebase a worktree has no branch checked out, but still the path of its run.
	if filepath.Dir(t.Path) == disk.RealPath(TreesDir(p)) {
		return filepath.Base(t.Path), true
	}
	return "", false
}
