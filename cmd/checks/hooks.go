package checks

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/verify/gate"

	"github.com/spf13/cobra"
)

// NewHooks returns the command "chant hooks".
func NewHooks(a *console.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "hooks",
		Short: "Install git hooks that check commits and pushes",
		Long: `Install git hooks. Before a commit they check the staged specs, and the trailers of a
message that begins with "chant(<id>):". Before a push they verify the completed specs
that it changes. Existing hooks still run.`,
		Example: "chant hooks install\nchant hooks status\nchant hooks remove",
	}
	c.AddCommand(
		newHooksVerb(a, "install", "Install git hooks that run chant, beside those that are there", gate.HooksInstall),
		newHooksVerb(a, "remove", "Remove chant from the git hooks again", gate.HooksRemove),
		newHooksVerb(a, "status", "Report which git hooks call chant", gate.HooksStatus),
		newHooksRun(a),
	)
	return c
}

func newHooksVerb(a *console.App, verb, short string, op func(context.Context, string, engine.Options, gate.HooksInput) (gate.HooksResult, error)) *cobra.Command {
	var in gate.HooksInput
	c := &cobra.Command{
		Use: verb, Short: short, Example: "chant hooks " + verb, Args: console.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			r, err := op(c.Context(), a.Dir, a.Options(a.Line), in)
			if err != nil {
				return err
			}
			return console.Show(a, r, renderHooks)
		},
	}
	if verb != "status" {
		c.Example += "\nchant hooks " + verb + " --tracked"
		c.Flags().BoolVar(&in.Tracked, "tracked", false, "also write into hooks that are files of the repository, such as .husky/pre-commit")
	}
	return c
}

func renderHooks(w io.Writer, r gate.HooksResult) {
	for _, h := range r.Hooks {
		fmt.Fprintf(w, "%-10s %-9s %s\n", h.Name, h.State, h.Path)
		switch h.State {
		case gate.HookDisplaced:
			fmt.Fprintf(w, "           another program replaced it: chant hooks install\n")
		case gate.HookIdle:
			fmt.Fprintf(w, "           it calls chant if that is installed: chant hooks install\n")
		}
	}
	for _, s := range r.Settings {
		fmt.Fprintf(w, "%s = %s\n", s.Key, s.Value)
	}
	for _, note := range r.Notes {
		fmt.Fprintln(w, note)
	}
}

// newHooksRun is the command that hooks call. It prints everything to stderr, which git
// shows whatever the program that commits.
func newHooksRun(a *console.App) *cobra.Command {
	return &cobra.Command{
		Use: "run HOOK [ARGS]...", Short: "Run the checks of a hook; git calls this",
		Example: "chant hooks run pre-commit", Hidden: true, Args: cobra.MinimumNArgs(1), DisableFlagParsing: true,
		RunE: func(c *cobra.Command, args []string) error {
			in := gate.HookRunInput{Name: args[0], Args: args[1:]}
			if err := hookInput(a, &in); err != nil {
				return err
			}
			// What is verified has a repository of its own, and git would use that of the hook.
			if in.Name == "pre-push" {
				a.Environ = slices.DeleteFunc(a.Environ, ofRepository)
			}
			r, err := gate.HookRun(c.Context(), a.Dir, a.Options(a.Line), in)
			for _, f := range r.Lint.Findings {
				fmt.Fprintf(a.Err, "%s:%d: %s: %s (%s)\n", f.Path, f.Line, f.Severity, f.Message, f.Rule)
			}
			for _, v := range r.Verified {
				renderVerifyAll(a.Err, v)
			}
			return err
		},
	}
}

// ofRepository reports whether git sets this variable to name the repository of a hook.
func ofRepository(pair string) bool {
	name, _, _ := strings.Cut(pair, "=")
	return slices.Contains([]string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY"}, name)
}

// hookInput reads what git hands to a hook beside its arguments.
func hookInput(a *console.App, in *gate.HookRunInput) error {
	switch {
	case in.Name == "pre-push":
		text, err := io.ReadAll(io.LimitReader(a.In, maxHookInput))
		in.Stdin = string(text)
		return err
	case in.Name == "commit-msg" && len(in.Args) > 0:
		path := in.Args[0]
		// git names the file relative to the top.
		if !filepath.IsAbs(path) {
			path = filepath.Join(a.Dir, path)
		}
		text, err := os.ReadFile(path)
		in.Message = string(text)
		return err
	}
	return nil
}

// maxHookInput bounds what is read of a push: a line for each ref.
const maxHookInput = 16 << 20
