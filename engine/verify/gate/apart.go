package gate

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"chant/engine"
	"chant/engine/spec/next"
	"chant/engine/store/disk"
	"chant/gitops"
	"chant/providers"
)

// RunApart runs a program that git would have started by itself in a person's checkout, such as a filter or the hook
// post-merge, and returns its exit code. It is in the sandbox, where it changes nothing of the checkout: what the program
// starts, or finds by searching, can have just landed. words are those of [gitops.Unpack].
func RunApart(ctx context.Context, dir string, o engine.Options, words []string, streams [3]*os.File) (code int, err error) {
	program, ok := gitops.Unpack(words)
	if !ok {
		return 0, engine.Fail(engine.Usage, next.Step{}, "only chant's git starts this command")
	}
	// Git that is called here must not start a program through this command again.
	o.Executable = ""
	p, err := openForHooks(dir, o)
	if err != nil {
		return 0, err
	}
	bounds, err := p.Sandbox().ForProgram(p.Repo.Dir())
	if err == nil {
		err = bounds.Prepare()
	}
	if err != nil {
		return 0, engine.Wrap(err, "")
	}
	// The file in which git expects the output of the program is in the checkout.
	if bounds.Wall != nil && program.Result != "" {
		bounds.Wall.Write = append(bounds.Wall.Write, filepath.Join(disk.RealPath(dir), program.Result))
	}
	env := append(append(p.Environ[:len(p.Environ):len(p.Environ)], bounds.Env...), bounds.NetworkEnv()...)
	sh, err := providers.Find("sh", dir, env)
	if err == nil {
		var exit providers.Exit
		exit, err = providers.Attach(ctx, providers.Launch{Path: sh, Args: append([]string{"-c", program.Command + ` "$@"`, "sh"}, program.Args...), Dir: dir, Env: env, Wall: bounds.Wall}, streams)
		code = exit.Code
		// Only its own: the folder for temporary files is shared with others.
	}
	return code, engine.Wrap(errors.Join(err, bounds.ClearOwn()), "")
}
