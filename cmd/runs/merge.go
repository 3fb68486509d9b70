package runs

import (
	"context"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/work"

	"github.com/spf13/cobra"
)

// NewMerge returns the command "chant merge".
func NewMerge(a *console.App) *cobra.Command {
	var in work.MergeInput
	c := &cobra.Command{
		Use:   "merge ID",
		Short: "Land a completed spec: merge its branch",
		Long: `Land a spec that is completed on its branch, in one merge commit.

If the branch conflicts with the target, --rebase replays it there first, and
--agent has an agent resolve the conflicts in the worktree. The criteria run again
before anything lands. If anything fails, the branch is left unchanged.`,
		Example: "chant merge 001\nchant merge 001 --rebase\nchant merge 001 --agent --provider claude",
		Args:    console.OneID,
		RunE: func(c *cobra.Command, args []string) error {
			in.ID = args[0]
			p, err := a.Open()
			if err != nil {
				return err
			}
			return runWork(a, c, p, func(ctx context.Context, p *engine.Project) (work.WorkResult, error) { return work.Merge(ctx, p, in) })
		},
	}
	f := c.Flags()
	f.BoolVar(&in.KeepWorktree, "keep-worktree", false, "leave worktree and branch in place")
	f.BoolVar(&in.Rebase, "rebase", false, "rebase the branch onto the target first")
	f.BoolVar(&in.Agent, "agent", false, "merge the target into the branch first; an agent resolves conflicts")
	f.StringVar(&in.Provider, "provider", "", "provider of that agent")
	f.StringVar(&in.Model, "model", "", "model of that agent")
	return c
}
