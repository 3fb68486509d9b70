package engine

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"chant/engine/store"
	"chant/gitops"
)

// WorktreeInput has no fields.
type WorktreeInput struct{}

// WorktreeResult lists the trees of runs.
type WorktreeResult struct {
	Worktrees []TreeView `json:"worktrees"`
}

// TreeView is one worktree of a run.
type TreeView struct {
	Path        string `json:"path"`
	Branch      string `json:"branch"`
	SpecID      string `json:"spec_id"`
	Status      string `json:"status,omitempty"` // of the spec
	Run         string `json:"run,omitempty"`    // running or interrupted
	Holder      int    `json:"holder_pid,omitempty"`
	Uncommitted int    `json:"uncommitted"`
	Since       string `json:"since,omitempty"`
	Problem     string `json:"problem,omitempty"`
}

// Worktrees lists the worktrees of runs and what is wrong with them.
func (e *Engine) Worktrees(ctx context.Context, _ WorktreeInput) (WorktreeResult, error) {
	trees, err := e.repo.Worktrees(ctx)
	if err != nil {
		return WorktreeResult{}, wrap(err, "")
	}
	result := WorktreeResult{Worktrees: []TreeView{}}
	for _, t := range trees {
		if id, ok := e.runOfTree(t); ok {
			result.Worktrees = append(result.Worktrees, e.treeView(ctx, t, id))
		}
	}
	return result, nil
}

// runOfTree tells whose run a worktree belongs to: by its branch, or by its place.
func (e *Engine) runOfTree(t gitops.Worktree) (string, bool) {
	if t.Main {
		return "", false
	}
	if id, ok := strings.CutPrefix(t.Branch, e.config.Defaults.BranchPrefix); ok && id != "" {
		return id, true
	}
	dir := e.config.Worktree.Dir
	if dir == "" {
		dir = filepath.Join(e.Home(), store.Dir, string(store.Worktrees))
	}
	if filepath.Dir(t.Path) == dir {
		return filepath.Base(t.Path), true
	}
	return "", false
}

func (e *Engine) treeView(ctx context.Context, t gitops.Worktree, id string) TreeView {
	v := TreeView{Path: t.Path, Branch: t.Branch, SpecID: id}
	if s, err := e.store.Get(ctx, id); err == nil {
		v.Status, v.Run = string(s.Status), e.runState(s)
	}
	if holder, held := gitops.HeldBy(e.store.LockPath(id)); held {
		v.Holder, v.Since = holder.PID, holder.Since.UTC().Format(time.RFC3339)
	}
	if t.Prunable || !exists(t.Path) {
		v.Problem = "its folder is gone"
		return v
	}
	dirty, err := e.repo.Status(ctx, t.Path)
	if err != nil {
		v.Problem = err.Error()
	}
	v.Uncommitted = len(dirty)
	return v
}
