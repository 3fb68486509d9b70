package work

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/run/advice"
	"chant/engine/spec/next"
	"chant/gitops"
)

// defaultTrees is how many worktrees are examined by default: each requires a walk over
// its files.
const defaultTrees = 100

// WorktreeInput limits the list.
type WorktreeInput struct {
	Limit  int           `json:"limit,omitempty" jsonschema:"Maximum number of worktrees to look at (default: 100)"`
	Cursor engine.Cursor `json:"cursor,omitempty" jsonschema:"Where the list continues: next_cursor of the result before"`
}

// WorktreeResult lists the trees of runs, at most as many as were asked for.
type WorktreeResult struct {
	Worktrees []TreeView `json:"worktrees"`
	engine.Page
}

// TreeView is one worktree of a run.
type TreeView struct {
	Path        string `json:"path"`
	Branch      string `json:"branch"`
	SpecID      string `json:"spec_id"`
	Status      string `json:"status,omitempty"`  // of the spec
	Run         string `json:"run,omitempty"`     // running, waiting or interrupted
	Bytes       int64  `json:"bytes"`             // of its files; links count as themselves
	Created     string `json:"created,omitempty"` // when its run began, RFC 3339, UTC
	Age         int64  `json:"age_seconds"`
	Uncommitted int    `json:"uncommitted"`
	Holder      int    `json:"holder_pid,omitempty"` // the process that holds the run's lock
	Since       string `json:"since,omitempty"`      // since when it has held it, RFC 3339, UTC
	Problem     string `json:"problem,omitempty"`
}

// Worktrees lists the worktrees of runs with their size and age, the process that holds
// each, and what is wrong with it. It reads the names of all files in them, so it is
// slower than Status.
func Worktrees(ctx context.Context, p *engine.Project, in WorktreeInput) (WorktreeResult, error) {
	trees, err := p.Repo.Worktrees(ctx)
	if err != nil {
		return WorktreeResult{}, engine.Wrap(err, "")
	}
	start, err := in.Cursor.Start(next.Op("worktree status").Help())
	if err != nil {
		return WorktreeResult{}, err
	}
	result, total := WorktreeResult{Worktrees: []TreeView{}}, 0
	for _, t := range trees {
		id, ok := engine.RunOfTree(p, t)
		if !ok {
			continue
		}
		// Each look walks all files of a worktree.
		if total++; total > start && len(result.Worktrees) < cmp.Or(max(0, in.Limit), defaultTrees) {
			result.Worktrees = append(result.Worktrees, treeView(ctx, p, t, id))
		}
	}
	result.Page = engine.PageAt(start, len(result.Worktrees), total)
	return engine.Done(result, ctx.Err(), "")
}

func treeView(ctx context.Context, p *engine.Project, t gitops.Worktree, id string) TreeView {
	v := TreeView{Path: t.Path, Branch: t.Branch, SpecID: id}
	if s, err := p.Store.Get(ctx, id); err == nil {
		v.Status, v.Run = string(s.Status), advice.RunState(p, &s.Spec)
	}
	if holder, held := p.Store.Holder(id); held {
		v.Holder, v.Since = holder.PID, holder.Since.UTC().Format(time.RFC3339)
	}
	if created := treeCreated(p, id, t.Path); !created.IsZero() {
		v.Created, v.Age = created.Format(time.RFC3339), int64(p.Now().Sub(created).Seconds())
	}
	if t.Prunable || !engine.Exists(t.Path) {
		v.Problem = "its folder is gone"
		return v
	}
	// An agent at work can keep git waiting there for as long as git may wait, such as by a pipe in the place of .gitignore.
	limited, cancel := context.WithTimeoutCause(ctx, maxLook, fmt.Errorf("no answer within %s", maxLook))
	defer cancel()
	size, sizeErr := treeSize(limited, t.Path)
	dirty, err := p.Repo.Status(limited, t.Path)
	if err = cmp.Or(err, sizeErr); err != nil {
		v.Problem = err.Error()
	}
	v.Bytes, v.Uncommitted = size, len(dirty)
	return v
}

// maxLook is how long the look at one worktree may take.
const maxLook = 5 * time.Second

// treeSize adds up the sizes of the files below a folder, in bytes. A link counts with
// its own size; a file that is removed meanwhile counts as 0.
func treeSize(ctx context.Context, folder string) (int64, error) {
	var total int64
	err := filepath.WalkDir(folder, func(_ string, entry fs.DirEntry, err error) error {
		// An agent at work creates and removes files all the time.
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || entry.IsDir() {
			return errors.Join(err, ctx.Err())
		}
		info, err := entry.Info()
		if err == nil {
			total += info.Size()
		}
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return err
	})
	return total, err
}

// treeCreated returns when the run of a tree began or, without a journal, when git created
// the tree; zero if neither is known.
func treeCreated(p *engine.Project, id, folder string) time.Time {
	// The journal knows when the run began; the folder may have been made again since.
	if h, err := journal.ReadHistory(p.Store, id); err == nil {
		for _, a := range h.Attempts {
			if !a.Gone {
				return a.Opened.UTC()
			}
		}
	}
	if info, err := os.Lstat(filepath.Join(folder, ".git")); err == nil {
		return info.ModTime().UTC()
	}
	return time.Time{}
}
