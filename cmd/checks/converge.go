package checks

import (
	"fmt"
	"io"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/author"
	"chant/engine/spec/next"
	"chant/text"

	"github.com/spf13/cobra"
)

// NewConverge returns the command "chant converge".
func NewConverge(a *console.App) *cobra.Command {
	var in author.ConvergeInput
	var exit bool
	c := &cobra.Command{
		Use:   "converge [ID]...",
		Short: "Compare completed specs with the code as it is, and propose what is missing",
		Long: `Compare completed specs with the code as it is: run their criteria on the target, and list
those that do not hold any more and those that are proven in an earlier wording only. With
--provider an agent also reads each spec and lists requirements of its text that no criterion
covers, each with a criterion that would.

No spec is changed. With --add, each gap with a criterion becomes a new spec, once; one that an
agent has found waits for approval.`,
		Example: "chant converge 001\nchant converge --all --exit-code\nchant converge 001 --provider claude --add",
		Args:    cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			in.IDs = args
			if len(args) == 0 && !in.All {
				return &engine.Error{Code: engine.Usage, Next: next.Converge.Help(), Message: "name specs, or all with --all"}
			}
			in.Limit = a.AllInText(in.Limit)
			p, err := a.Open()
			if err != nil {
				return err
			}
			result, err := author.Converge(c.Context(), p, in)
			if err != nil {
				return err
			}
			if err := console.Show(a, result, renderConverged); err != nil || !exit || result.Gaps == 0 {
				return err
			}
			return &engine.Error{Code: engine.Unverified, Next: next.Converge.On(result.Specs[0].ID).Flag("add"), Message: fmt.Sprintf("%s between specs and code", console.Plural(result.Gaps, "gap"))}
		},
	}
	f := c.Flags()
	f.BoolVar(&in.All, "all", false, "every completed spec that is not archived")
	f.StringVar(&in.Provider, "provider", "", "agent that lists what no criterion covers")
	f.BoolVar(&in.Add, "add", false, "add a spec for each gap that has a criterion")
	f.BoolVar(&exit, "exit-code", false, "exit with 9 if there is a gap")
	console.PageFlags(c, &in.Limit, &in.Cursor, "specs (default: all, with --json 100)")
	return c
}

func renderConverged(w io.Writer, r author.ConvergeResult) {
	for _, s := range r.Specs {
		fmt.Fprintf(w, "%s  %s\n", s.ID, text.Quote(s.Title))
		for _, g := range s.Gaps {
			fmt.Fprintf(w, "  %-10s %s\n", g.Kind, text.Quote(g.Text))
			if g.Kind == author.UncoveredGap {
				fmt.Fprintf(w, "  %-10s - [ ] %s\n", "", text.Quote(g.Criterion))
			}
			if g.Spec != "" {
				fmt.Fprintf(w, "  %-10s spec %s\n", "", g.Spec)
			}
		}
	}
	if r.Returned < r.Total {
		fmt.Fprintf(w, "%d of %d specs\n", r.Returned, r.Total)
	}
	fmt.Fprintf(w, "%s compared: %s\n", console.Plural(r.Checked, "completed spec"), console.Plural(r.Gaps, "gap"))
}
