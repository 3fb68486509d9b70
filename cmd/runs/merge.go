package runs

import (
	"context"
	"fmt"
	"io"

	"chant/cmd/console"
	"chant/cmd/wizard"
	"chant/engine"
	"chant/engine/view"
	"chant/engine/work"

	"github.com/spf13/cobra"
)

// NewMerge returns the command "chant merge".
func NewMerge(a *console.App) *cobra.Command {
	var in work.MergeInput
	var many work.MergeManyInput
	var how mergeMode
	c := &cobra.Command{
		Use:   "merge [ID]...",
		Short: "Land completed specs: merge their branches",
		Long: `Land specs that are completed on their branches, each in one merge commit. Several are checked
at the same time, each on the tree that results if those before it land, unless they depend
on each other or are brought up to date first.

If a branch conflicts with the target, --rebase replays it there first, and --auto
has an agent resolve the conflicts in the worktree. The criteria run again before
anything lands. If anything fails, the branch is left unchanged.

--adopt takes over a branch that chant did not start, such as one of the Rust chant:
the criteria decide, and it is checked like a run.`,
		Example: "chant merge 001\nchant merge 001 --rebase\nchant merge 001 --auto --provider claude\nchant merge --all --dry-run\nchant merge --adopt chant/001",
		Args:    cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			many.IDs, many.Each = args, in
			return merge(a, c, many, how)
		},
	}
	f := c.Flags()
	f.BoolVar(&many.All, "all", false, "every completed spec that has not landed")
	f.BoolVar(&many.Ready, "ready", false, "only what merges without a conflict and waits for no approval")
	f.BoolVarP(&how.choose, "interactive", "i", false, "choose from those that have not landed")
	f.BoolVar(&many.DryRun, "dry-run", false, "only print what would land")
	f.BoolVar(&many.KeepGoing, "continue-on-error", false, "continue after one that does not land")
	f.BoolVar(&in.KeepWorktree, "keep-worktree", false, "leave worktree and branch in place")
	f.BoolVar(&in.Rebase, "rebase", false, "rebase the branch onto the target first")
	f.BoolVar(&how.auto, "auto", false, "merge the target into the branch first; an agent resolves conflicts")
	console.Renamed(c, "agent", "auto")
	f.StringVar(&in.Provider, "provider", "", "provider of that agent")
	f.StringVar(&in.Model, "model", "", "model of that agent")
	f.StringVar(&in.Adopt, "adopt", "", "branch to take over and land; ID if its name does not say it")
	// As in the Rust chant.
	f.BoolVar(&how.list, "list", false, "like --all --dry-run")
	_ = f.MarkHidden("list") // it exists
	return c
}

// mergeMode has the flags that are not part of the operations' inputs.
type mergeMode struct{ choose, auto, list bool }

// merge lands one spec or several, as the flags ask.
func merge(a *console.App, c *cobra.Command, many work.MergeManyInput, how mergeMode) error {
	if how.auto {
		// An agent that merges the target leaves nothing to rebase.
		many.Each.Agent, many.Each.Rebase = true, false
	}
	if how.list {
		many.All, many.DryRun = true, true
	}
	several := many.All || many.Ready || many.DryRun || many.KeepGoing || how.choose
	switch n := len(many.IDs); {
	case many.Each.Adopt != "" && (n > 1 || several):
		return console.UsageError(c, "--adopt takes one branch and at most one spec ID")
	case n == 0 && many.Each.Adopt == "" && !many.All && !many.Ready && !how.choose:
		return console.UsageError(c, c.CommandPath()+" takes spec IDs, --all, --ready or --interactive")
	}
	p, err := a.Open()
	if err != nil {
		return err
	}
	if how.choose {
		if many.IDs, err = chooseUnmerged(a, c, p); err != nil {
			return err
		}
	}
	if !several && len(many.IDs) <= 1 {
		if len(many.IDs) == 1 {
			many.Each.ID = many.IDs[0]
		}
		return runWork(a, c, p, func(ctx context.Context, p *engine.Project) (work.WorkResult, error) {
			return work.Merge(ctx, p, many.Each)
		})
	}
	return mergeMany(a, c, p, many)
}

// chooseUnmerged asks which of the completed specs are to land.
func chooseUnmerged(a *console.App, c *cobra.Command, p *engine.Project) ([]string, error) {
	screen, asks := wizard.On(a)
	if !asks {
		return nil, console.UsageError(c, "--interactive needs a terminal; name the specs, or use --all")
	}
	found, err := work.MergeMany(c.Context(), p, work.MergeManyInput{All: true, DryRun: true})
	if err != nil {
		return nil, err
	}
	var rows []view.Row
	for _, one := range found.Plan {
		rows = append(rows, view.Row{ID: one.ID, Title: one.Title, Status: "completed"})
	}
	return wizard.Specs(c.Context(), screen, "Which specs are to land?", rows)
}

// mergeMany lands specs with the progress of each, and prints what became of them also when one has failed.
func mergeMany(a *console.App, c *cobra.Command, p *engine.Project, in work.MergeManyInput) error {
	var result work.MergeManyResult
	do := func(ctx context.Context, progress func(engine.Event)) (err error) {
		result, err = work.MergeMany(ctx, p.WithProgress(progress, nil), in)
		return err
	}
	err := do(c.Context(), a.LineOf)
	if err != nil && len(result.Landed)+len(result.Failed) == 0 {
		return err
	}
	if printErr := console.Show(a, result, renderMerged); printErr != nil && err == nil {
		return printErr
	}
	return err
}

func renderMerged(w io.Writer, r work.MergeManyResult) {
	for _, one := range r.Landed {
		renderWork(w, one)
	}
	for _, one := range r.Failed {
		fmt.Fprintf(w, "failed %s: %s\n", one.ID, one.Why)
	}
	for _, one := range r.Left {
		fmt.Fprintf(w, "left %s: %s\n", one.ID, one.Why)
	}
	for _, one := range r.Plan {
		if one.Why == "" {
			fmt.Fprintf(w, "would land %s on %s: %s\n", one.ID, one.Target, one.Title)
		} else {
			fmt.Fprintf(w, "would not land %s: %s\n", one.ID, one.Why)
		}
	}
	if len(r.Landed)+len(r.Failed)+len(r.Left)+len(r.Plan) == 0 {
		fmt.Fprintln(w, "Nothing to land")
	}
}
