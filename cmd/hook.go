package cmd

import (
	"fmt"
	"io"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/feature"
	"chant/engine/spec/next"
	"chant/text"

	"github.com/spf13/cobra"
)

// NewHook returns the command "chant hook".
func NewHook(a *console.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "hook",
		Short: "Run commands of the project by their names: lint, test, format",
		Long: `Run commands of the project by their names.

They are in .rstn/hooks.yaml, otherwise in .rstn/hooks.json: each hook has a command, and may have timeout_secs (120), cwd
(below the worktree) and env. Inside a run, only the file of the commit counts that the run began from.

Git hooks, which run by themselves at a commit, are managed by "chant hooks".`,
		Example: "chant hook list\nchant hook run lint\nchant hook run test -- -v --tb=short",
	}
	c.AddCommand(newHookList(a), newHookRun(a))
	return c
}

func newHookList(a *console.App) *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List the hooks of the project",
		Example: "chant hook list\nchant hook list --json",
		Args:    console.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return doInFolder(a, c, feature.ListHooks, feature.ListHooksInput{}, renderHooks)
		},
	}
}

func renderHooks(w io.Writer, r feature.ListHooksResult) {
	if len(r.Hooks) == 0 {
		fmt.Fprintln(w, "There are no hooks: add them to .rstn/hooks.yaml")
	}
	for _, h := range r.Hooks {
		fmt.Fprintf(w, "%s: %s (at most %d s)\n", text.Quote(h.Name), text.Quote(h.Command), h.Timeout)
	}
}

func newHookRun(a *console.App) *cobra.Command {
	return &cobra.Command{
		Use:   "run NAME [-- ARGS...]",
		Short: "Run a hook, with arguments behind --",
		Long: `Run a hook in this worktree. Arguments behind -- reach the command as they are, and no shell reads them.

Exits with 9 if the hook fails, cannot be started or meets its limit.`,
		Example: "chant hook run lint\nchant hook run test -- -v --tb=short",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			r, err := resultInFolder(a, c, feature.RunHook, feature.RunHookInput{Name: args[0], Args: args[1:]})
			if err != nil {
				return err
			}
			err = console.Show(a, r, func(w io.Writer, r feature.RunHookResult) {
				printLines(w, r.Stdout)
				printLines(a.Err, r.Stderr)
			})
			if err == nil && r.ExitCode != 0 {
				err = hookFailed(r)
			}
			return err
		},
	}
}

// printLines prints what a hook has printed.
func printLines(w io.Writer, out string) {
	if out != "" {
		fmt.Fprintln(w, out)
	}
}

// hookFailed is the error of a hook with another exit code than 0.
func hookFailed(r feature.RunHookResult) error {
	if r.ExitCode < 0 {
		return engine.Fail(engine.Unverified, next.HookList.On(), "hook %q could not be started, or was stopped at its limit", r.Name)
	}
	return engine.Fail(engine.Unverified, next.HookList.On(), "hook %q exited with %d", r.Name, r.ExitCode)
}
