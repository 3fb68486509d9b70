package runs

import (
	"fmt"
	"io"
	"text/tabwriter"

	"chant/cmd/console"
	"chant/engine/work"
	"chant/text"

	"github.com/spf13/cobra"
)

// NewWorktree returns the command "chant worktree".
func NewWorktree(a *console.App) *cobra.Command {
	c := &cobra.Command{
		Use:     "worktree",
		Short:   "List the worktrees of runs",
		Example: "chant worktree status",
		Args:    console.NoArgs,
	}
	c.AddCommand(newWorktreeStatus(a))
	return c
}

func newWorktreeStatus(a *console.App) *cobra.Command {
	var in work.WorktreeInput
	c := &cobra.Command{
		Use:     "status",
		Short:   "List the worktrees of runs: spec, status, size and age",
		Example: "chant worktree status\nchant worktree status --json",
		Args:    console.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return console.Do(a, c, work.Worktrees, in, renderWorktrees)
		},
	}
	console.PageFlags(c, &in.Limit, &in.Cursor, "worktrees (default: 100)")
	return c
}

func renderWorktrees(w io.Writer, r work.WorktreeResult) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, v := range r.Worktrees {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", text.Quote(v.SpecID), v.Branch, treeState(v), byteCount(v.Bytes), console.Age(v.Age), treeNote(v), v.Path)
	}
	t.Flush()
	if shown := len(r.Worktrees); shown < r.Total {
		fmt.Fprintf(w, "%d of %d\n", shown, r.Total)
	}
}

func treeState(v work.TreeView) string {
	if v.Run == "" {
		return v.Status
	}
	return v.Status + " (" + v.Run + ")"
}

// treeNote says what is uncommitted or wrong in a tree, and who holds it.
func treeNote(v work.TreeView) string {
	note := fmt.Sprintf("%d uncommitted", v.Uncommitted)
	if v.Problem != "" {
		note = v.Problem
	}
	if v.Holder != 0 {
		note += fmt.Sprintf(", process %d since %s", v.Holder, v.Since)
	}
	return note
}

// byteCount spells a size as people do.
func byteCount(n int64) string {
	const unit = 1 << 10
	if n < unit {
		return fmt.Sprintf("%d B", n)
	}
	size, step := float64(n)/unit, 0
	for size >= unit && step < 3 {
		size, step = size/unit, step+1
	}
	return fmt.Sprintf("%.1f %ciB", size, "KMGT"[step])
}
