package checks

import (
	"fmt"
	"io"
	"strings"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/spec/next"
	"chant/engine/verify"
	"chant/text"

	"github.com/spf13/cobra"
)

// NewDrift returns the command "chant drift".
func NewDrift(a *console.App) *cobra.Command {
	var in verify.DriftInput
	var exit bool
	c := &cobra.Command{
		Use:   "drift [ID]...",
		Short: "Report drift: completed specs that, or whose files, have changed since",
		Long: `Report completed specs that have changed since, or whose files have. The files that match
tracks, origin, informed_by and target_files are compared by content with those at the completion
and the landing of the spec. Uncommitted changes do not count. Criteria and text of the spec
are compared word by word with those that its evidence is about; chant verify ID renews that.`,
		Example: "chant drift\nchant drift 001 --at main\nchant drift --exit-code\nchant drift --flag",
		Args:    cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			in.IDs = args
			in.Limit = a.AllInText(in.Limit)
			p, err := a.Open()
			if err != nil {
				return err
			}
			result, err := verify.Drift(c.Context(), p, in)
			if err != nil {
				return err
			}
			if err := console.Show(a, result, renderDrift); err != nil || !exit || result.Drifted+result.Reworded == 0 {
				return err
			}
			return &engine.Error{
				Code: engine.Unverified, Next: driftNext(result),
				Message: fmt.Sprintf("%d of %d completed specs have drifted", result.Drifted+result.Reworded, result.Checked),
			}
		},
	}
	f := c.Flags()
	f.StringVar(&in.At, "at", "", "commit to compare with (default: the one checked out in the main worktree)")
	f.BoolVar(&in.Archived, "archived", false, "also check archived specs")
	f.BoolVar(&in.Flag, "flag", false, "move drifted specs to needs_attention")
	f.BoolVar(&exit, "exit-code", false, "exit with 9 if a spec has drifted")
	console.PageFlags(c, &in.Limit, &in.Cursor, "specs (default: all, with --json 100)")
	return c
}

// driftNext returns the next step for the first spec that has drifted.
func driftNext(r verify.DriftResult) next.Step {
	for _, s := range r.Specs {
		if s.State == verify.Drifted || s.State == verify.StateReworded {
			return s.Next.Command
		}
	}
	return next.Drift.On()
}

// comparedText counts the specs that were compared: those that have not landed, or name
// no files, are left out.
func comparedText(r verify.DriftResult) string {
	if r.Checked == 0 {
		return "no completed spec has landed"
	}
	return console.Plural(r.Checked, "completed spec") + " compared"
}

func renderDrift(w io.Writer, r verify.DriftResult) {
	for _, s := range r.Specs {
		fmt.Fprintf(w, "%-8s %s  %s\n", s.State, s.ID, s.Title)
		if s.Why != "" {
			fmt.Fprintf(w, "         %s\n", s.Why)
		}
		if s.Target != "" {
			fmt.Fprintf(w, "         compared with branch %s\n", s.Target)
		}
		if len(s.Unmatched) > 0 {
			fmt.Fprintf(w, "         matches no tracked file: %s\n", strings.Join(s.Unmatched, ", "))
		}
		for _, f := range s.Files {
			fmt.Fprintf(w, "         %-8s %s\n", f.Change, f.Path)
		}
		for _, one := range s.Reworded {
			fmt.Fprintf(w, "         %s\n", text.Quote(one.String()))
		}
		if more := s.FilesTotal - len(s.Files); more > 0 {
			fmt.Fprintf(w, "         and %d more\n", more)
		}
	}
	if r.Returned < r.Total {
		fmt.Fprintf(w, "%d of %d specs\n", r.Returned, r.Total)
	}
	fmt.Fprintf(w, "%s: %d drifted, %d reworded, %d unknown\n", comparedText(r), r.Drifted, r.Reworded, r.Unknown)
}
