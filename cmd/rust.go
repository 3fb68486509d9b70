package cmd

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/spec/next"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// This file has the spellings of the Rust chant that this one answers without listing them in its help. A flag that means
// what a flag of ours means sets that. One that names what chant does anyway is answered by a line on stderr, and the command
// is carried out; one that chant never does is refused with the step that does it here.

// rustFlag is a flag of the Rust chant. Exactly one of same, note, refused and run is set.
type rustFlag struct {
	command, name, short string
	value                string // the value that it has if it is given without one; with valued, it needs one

	same    string // the flag of ours that it sets
	note    string // what holds without it
	refused string // why there is nothing like it
	step    next.Step
	run     string // the command that is carried out instead, with its flags
}

// valued marks a flag that takes a value, which ours does not use.
const valued = "\x00"

// rustFlags lists the flags in the order of their commands.
func rustFlags() []rustFlag {
	neverAsks := "this command never asks"
	return []rustFlag{
		{command: "init", name: "force-overwrite", note: "init replaces no file; it adds what is missing"},
		{command: "init", name: "merge-driver", note: "init always sets up the merge driver"},
		{command: "list", name: "summary", run: "status"},
		{command: "list", name: "brief", run: "status --brief"},
		{command: "list", name: "main-only", refused: "the version of a spec that counts is on the branch of its run, and there is no list without it", step: next.List.On()},
		{command: "show", name: "body", note: "show always prints the text of the spec"},
		{command: "show", name: "raw", run: "prep"},
		{command: "show", name: "clean", run: "prep --clean"},
		{command: "work", name: "skip-criteria", refused: "work lands only if its criteria hold; change or remove those that do not apply", step: next.Edit.On()},
		{command: "work", name: "finalize", run: "finalize"},
		{command: "work", name: "allow-no-commits", note: "a run that changes nothing fails, unless its result is text in the spec"},
		{command: "work", name: "cleanup", note: "work that lands leaves no worktree behind"},
		{command: "work", name: "no-cleanup", note: "nothing is asked after a run; --keep-worktree keeps its worktree"},
		{command: "work", name: "chain-max", same: "max"},
		{command: "work", name: "no-rebase", note: "work never rebases; chant merge --rebase does"},
		{command: "work", name: "no-watch", note: "work starts no watch; chant watch start does"},
		{command: "work", name: "yes", note: neverAsks},
		{command: "status", name: "worktrees", run: "worktree status"},
		{command: "status", name: "disk", run: "worktree status"},
		{command: "lint", name: "verbose", short: "v", note: "lint always prints the grades"},
		{command: "log", name: "no-follow", note: "log ends at the end of the log; --follow waits for more"},
		{command: "split", name: "force-status", same: "force"},
		{command: "archive", name: "commit", note: "archive always makes a commit"},
		{command: "archive", name: "no-commit", refused: "archiving is a commit, so that it can be taken back", step: next.Undo.On()},
		{command: "archive", name: "no-stage", refused: "archiving is a commit, so that it can be taken back", step: next.Undo.On()},
		{command: "archive", name: "force", note: "a spec with a branch that has not landed is not archived"},
		{command: "merge", name: "all-completed", same: "all"},
		{command: "merge", name: "delete-branch", note: "the branch is removed when it has landed; --keep-worktree keeps it"},
		{command: "merge", name: "yes", note: neverAsks},
		{command: "merge", name: "finalize", note: "only completed work lands; chant finalize completes it"},
		{command: "reset", name: "branch", value: " ", note: "each run has a branch of its own"},
		{command: "pause", name: "force", note: neverAsks},
		{command: "takeover", name: "force", note: "a run whose agent has ended is taken over as well"},
		{command: "cancel", name: "delete-branch", note: "cancel always drops the branch; a ref below refs/chant/rescue/ keeps its work"},
		{command: "cancel", name: "yes", note: neverAsks},
		{command: "verify", name: "dry-run", same: "no-write"},
		{command: "verify", name: "prompt", value: valued, refused: "the agent of --provider judges by the prompt \"verify\", which a file .chant/prompts/verify.md replaces", step: next.PromptList.On()},
		{command: "cleanup", name: "worktrees", note: "cleanup removes worktrees together with their branches and caches"},
	}
}

// addRustFlags adds the flags to the commands below root.
func addRustFlags(a *console.App, root *cobra.Command) {
	all := rustFlags()
	// Made together: every start of the program makes them.
	given := make([]givenFlag, len(all))
	for len(all) > 0 {
		name := all[0].command
		n := slices.IndexFunc(all, func(f rustFlag) bool { return f.command != name })
		if n < 0 {
			n = len(all)
		}
		// Not by Find, which allocates, at every start.
		if at := slices.IndexFunc(root.Commands(), func(c *cobra.Command) bool { return c.Name() == name }); at >= 0 {
			answerRustFlags(a, root.Commands()[at], all[:n], given[:n])
		}
		all, given = all[n:], given[n:]
	}
}

// answerRustFlags adds its flags to a command, and has it answer them before it does anything.
func answerRustFlags(a *console.App, c *cobra.Command, flags []rustFlag, given []givenFlag) {
	for i, f := range flags {
		g := &given[i]
		g.Name, g.Shorthand, g.Usage, g.Hidden = f.name, f.short, f.note+f.refused+f.run, true
		g.Value, g.NoOptDefVal = &g.rustValue, "true"
		switch {
		case f.same != "":
			ours := c.Flags().Lookup(f.same)
			g.Value, g.DefValue, g.NoOptDefVal = ours.Value, ours.DefValue, ours.NoOptDefVal
		case f.value != "":
			g.takesText = true
			g.NoOptDefVal = strings.Trim(f.value, valued)
		}
		c.Flags().AddFlag(&g.Flag)
	}
	own := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		instead := ""
		for i, f := range flags {
			switch {
			case !given[i].Changed || given[i].Value.String() == "false":
			case f.refused != "":
				step := f.step
				if len(args) > 0 && step.Op == next.Edit {
					step = step.Arg(args[0])
				}
				return engine.Fail(engine.Usage, step, "--%s: %s", f.name, f.refused)
			case f.note != "" && !a.Quiet && !a.JSON:
				fmt.Fprintf(a.Err, "--%s: %s\n", f.name, f.note)
			case f.run != "":
				instead = f.run
			}
		}
		if instead != "" {
			return runInstead(c, strings.Fields(instead), args)
		}
		return own(c, args)
	}
}

// givenFlag is a flag of a command and its value.
type givenFlag struct {
	pflag.Flag
	rustValue
}

// rustValue is the value of a flag that only has to be answered.
type rustValue struct {
	text      string
	takesText bool
}

// String is the value as it was given.
func (v *rustValue) String() string { return v.text }

// Set takes the value: true or false unless it takes a text.
func (v *rustValue) Set(text string) error {
	v.text = text
	if v.takesText {
		return nil
	}
	is, err := strconv.ParseBool(text)
	v.text = strconv.FormatBool(is)
	return err
}

// Type names the value in help.
func (v *rustValue) Type() string {
	if v.takesText {
		return "string"
	}
	return "bool"
}

// runInstead carries out another command instead of c, given by its words and flags, with these arguments and those flags of c
// that both have.
func runInstead(c *cobra.Command, words, args []string) error {
	other, rest, err := c.Root().Find(words)
	if err != nil {
		return err
	}
	if err := other.ParseFlags(rest); err != nil {
		return console.FlagError(other, err)
	}
	c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if shared := other.LocalNonPersistentFlags().Lookup(f.Name); shared != nil && f.Changed && err == nil {
			err = shared.Value.Set(f.Value.String())
		}
	})
	if err != nil {
		return console.FlagError(other, err)
	}
	if err := other.ValidateArgs(args); err != nil {
		return err
	}
	other.SetContext(c.Context())
	return other.RunE(other, args)
}

// newRefresh is the command of the Rust chant that writes which specs are ready, which is computed here.
func newRefresh(a *console.App) *cobra.Command {
	c := &cobra.Command{
		Use: "refresh", Short: "Print the status: what is ready is computed by each command", Example: "chant refresh", Args: console.NoArgs, Hidden: true,
		RunE: func(c *cobra.Command, _ []string) error {
			if !a.Quiet && !a.JSON {
				fmt.Fprintln(a.Err, "which specs are ready or blocked is computed by each command; nothing has to be refreshed")
			}
			return runInstead(c, []string{"status"}, nil)
		},
	}
	c.Flags().BoolP("verbose", "v", false, "as without it")
	return c
}
