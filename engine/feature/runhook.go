package feature

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"chant/engine"
	"chant/engine/evidence/sandbox"

	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store/disk"
	"chant/providers"
)

// maxOutput is how much of each output stream of a hook is kept, in bytes: the beginning and the end.
const maxOutput = 32 << 10

// notRun is the exit code of a hook that did not start or had to be stopped.
const notRun = -1

// RunHookInput names a hook.
type RunHookInput struct {
	Name string   `json:"hook_name" jsonschema:"Name of the hook (e.g., lint, test, format)"`
	Args []string `json:"args,omitempty" jsonschema:"Additional arguments to pass to the hook"`
}

// RunHookResult is what came of a hook.
type RunHookResult struct {
	Name     string  `json:"hook_name"`
	ExitCode int     `json:"exit_code"` // -1 if it could not be started or met its limit
	Stdout   string  `json:"stdout"`    // without the line ends behind the last line, as the next
	Stderr   string  `json:"stderr"`
	Duration float64 `json:"duration_secs"`
}

// RunHook runs a command of the project by its name, in the worktree of the caller. Arguments reach it as they are. A
// hook that fails, cannot be started or meets its limit is a result. Errors: NotFound for an unknown name; Invalid for a
// broken file of hooks.
func RunHook(ctx context.Context, p *engine.Project, in RunHookInput) (RunHookResult, error) {
	if in.Name == "" {
		return RunHookResult{}, errMissing("hook_name")
	}
	w, err := openWorktree(ctx, p)
	if err != nil {
		return RunHookResult{}, engine.Wrap(err, "")
	}
	result, err := w.run(ctx, p, in)
	return engine.Done(result, errors.Join(err, w.close()), "")
}

func (w *worktree) run(ctx context.Context, p *engine.Project, in RunHookInput) (RunHookResult, error) {
	r := RunHookResult{Name: in.Name}
	known, err := w.hooks(ctx, p)
	if err != nil {
		return r, err
	}
	h, ok := FindHook(known.list, in.Name)
	if !ok {
		return r, contractError(engine.NotFound, next.HookList.On(), fmt.Sprintf("Hook not found: %s. Available: %s", spec.Echo(in.Name), HookNames(known.list)))
	}
	// Checked here, since the system's error would not say which argument it is.
	for _, arg := range in.Args {
		if strings.ContainsRune(arg, 0) {
			return r, engine.Fail(engine.Usage, next.Step{}, "an argument has a zero byte")
		}
	}
	// Arguments must not become commands.
	line, ok := h.Line(len(in.Args) > 0)
	if !ok {
		return r, engine.Fail(engine.Usage, engine.EditStep(known.file), "hook %q takes no arguments as it is: write \"$@\" into its command where they belong", h.Name)
	}
	dir, err := w.folderOf(h)
	if err == nil {
		err = w.start(ctx, p, providers.Command{Line: line, Dir: dir, Env: h.Env, Timeout: h.Timeout}, in.Args, &r)
	}
	switch {
	case ctx.Err() != nil:
		return r, ctx.Err()
	case errors.Is(err, disk.ErrOutside):
		return r, engine.Fail(engine.Invalid, engine.EditStep(known.file), "%s: cwd of hook %q leads out of the worktree: %q", known.file, h.Name, h.Dir)
	case err != nil:
		r.ExitCode, r.Stderr = notRun, p.Secrets.Text("Hook execution failed: "+describeError(err))
	}
	return r, nil
}

// folderOf returns the folder in which a hook runs.
func (w *worktree) folderOf(h Hook) (string, error) {
	if h.Dir == "" {
		return w.root, nil
	}
	// A link in the worktree can lead out of it.
	rel, err := disk.RealBelow(w.root, h.Dir)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(w.root, rel)
	// The error of a start in a file would name the program instead.
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return "", &fs.PathError{Op: "chdir", Path: dir, Err: errors.New("not a folder")}
	}
	return dir, nil
}

// start runs the command of a hook, whose variables are added to those of the caller.
func (w *worktree) start(ctx context.Context, p *engine.Project, c providers.Command, args []string, r *RunHookResult) error {
	// Cut, so that the variables of the caller are not overwritten.
	c.Env, c.Secrets = append(p.Environ[:len(p.Environ):len(p.Environ)], c.Env...), p.Secrets
	bounds, err := w.bounds(ctx, p)
	if err == nil {
		err = bounds.Prepare()
	}
	if err != nil {
		return err
	}
	c.Env, c.Wall = append(c.Env, bounds.Env...), bounds.Wall
	out, err := providers.RunApart(ctx, c, maxOutput, r.Name, args...)
	if err = errors.Join(err, bounds.ClearOwn()); err != nil {
		return err
	}
	plain := func(text string) string { return strings.TrimRight(text, "\r\n") }
	r.ExitCode, r.Stdout, r.Stderr, r.Duration = out.ExitCode, plain(out.Stdout), plain(out.Stderr), math.Round(out.Duration.Seconds()*1000)/1000
	// The exit code of a program that was killed says nothing.
	if out.TimedOut {
		r.ExitCode, r.Stderr = notRun, fmt.Sprintf("Hook timed out after %ds", int(c.Timeout.Seconds()))
	}
	return nil
}

// bounds returns what a hook may do, none only where nothing of an agent decides that: outside of runs, in a worktree of a
// person, at a commit that has landed. Which branch is checked out says nothing, since an agent can set HEAD.
func (w *worktree) bounds(ctx context.Context, p *engine.Project) (sandbox.Bounds, error) {
	id, err := engine.RunAbove(p)
	if err != nil {
		return sandbox.Bounds{}, err
	}
	box := p.Sandbox()
	switch {
	case box.OfOthers(w.root):
		return box.ForCriteria(w.root)
	case id != "":
		return box.ForCriteria(cmp.Or(engine.Variable(p, sandbox.TreeKey), filepath.Join(engine.TreesDir(p), id)))
	// Without a commit, nothing in the worktree can have come from an agent.
	case w.commit == "":
		return sandbox.Bounds{}, nil
	}
	target, err := engine.Target(ctx, p)
	if err == nil {
		landed, err := p.Repo.IsAncestor(ctx, w.commit, "refs/heads/"+target)
		// What has landed was judged.
		if err == nil && landed {
			return sandbox.Bounds{}, nil
		}
	}
	return box.ForFolder(w.root)
}

// describeError words an error without the name of the operation.
func describeError(err error) string {
	if where, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Sprintf("%s: %s", where.Path, where.Err)
	}
	return err.Error()
}
