package feature

import (
	"context"
	"errors"
	"io/fs"

	"chant/engine"
	"chant/engine/evidence/journal"

	"chant/gitops"
)

// ListHooksInput has no members: the worktree of the caller decides.
type ListHooksInput struct{}

// ListHooksResult lists the hooks of a project in the order of their file.
type ListHooksResult struct {
	File   string     `json:"file,omitempty"`   // that they are in; absent without one
	Commit string     `json:"commit,omitempty"` // whose file counts, inside a run
	Hooks  []HookInfo `json:"hooks"`
	engine.Page
}

// HookInfo is one hook.
type HookInfo struct {
	Name    string `json:"name"`
	Command string `json:"command"`
	Timeout int    `json:"timeout_secs"`
	Dir     string `json:"cwd,omitempty"`
}

// ListHooks lists the hooks that RunHook can run. Error: Invalid for a broken file.
func ListHooks(ctx context.Context, p *engine.Project, _ ListHooksInput) (ListHooksResult, error) {
	r := ListHooksResult{Hooks: []HookInfo{}}
	w, err := openWorktree(ctx, p)
	if err != nil {
		return r, engine.Wrap(err, "")
	}
	found, err := w.hooks(ctx, p)
	r.File, r.Commit = found.file, found.commit
	for _, h := range found.list {
		r.Hooks = append(r.Hooks, HookInfo{h.Name, h.Command, int(h.Timeout.Seconds()), h.Dir})
	}
	r.Page = engine.Whole(len(r.Hooks))
	return engine.Done(r, errors.Join(err, w.close()), "")
}

// hooks are those that count for a caller.
type hooks struct {
	file, commit string
	list         []Hook
}

// hooks reads the hooks of the worktree. Inside a run they are those of the commit that the run began from, because the
// agent can write the file in its worktree.
func (w *worktree) hooks(ctx context.Context, p *engine.Project) (hooks, error) {
	var h hooks
	read := func(file string) ([]byte, error) { return readFile(w, file) }
	run, err := engine.RunAbove(p)
	if err != nil {
		return h, err
	}
	// The agent can write the file in its worktree.
	if run != "" {
		if h.commit, err = baseOf(ctx, p, run); err != nil {
			return h, err
		}
		read = func(file string) ([]byte, error) { return p.Repo.ReadFile(ctx, h.commit, file) }
	}
	// The first that exists counts, even if it has no hooks.
	for _, file := range []string{HookYAML, JSON} {
		src, err := read(file)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, gitops.ErrNotFound) {
			continue
		}
		if err != nil {
			return h, err
		}
		h.file = file
		h.list, err = ParseHooks(file, src)
		return h, err
	}
	return h, nil
}

// baseOf returns the commit that the run of a spec began from.
func baseOf(ctx context.Context, p *engine.Project, id string) (string, error) {
	h, err := journal.ReadHistory(p.Store, id)
	if err != nil {
		return "", err
	}
	last := h.Last()
	if last == nil {
		return "", errors.New("the run of " + id + " has no journal")
	}
	// Older journals do not have it.
	if last.Job.Base != "" {
		return last.Job.Base, nil
	}
	return p.Repo.MergeBase(ctx, "refs/heads/"+last.Job.Target, "refs/heads/"+last.Job.Branch)
}

// readFile reads a regular file: a link to a device would never end.
func readFile(files fs.FS, name string) ([]byte, error) {
	// Looked at first, since reading a pipe would block.
	info, err := fs.Stat(files, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: name, Err: errors.New("not a regular file")}
	}
	return fs.ReadFile(files, name)
}
