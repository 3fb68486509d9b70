package cmd

import (
	"fmt"
	"io"
	"strings"

	"chant/engine"
	"chant/engine/verify"

	"github.com/spf13/cobra"
)

func newVerify(a *app) *cobra.Command {
	in := engine.VerifyInput{Run: true}
	return &cobra.Command{
		Use:   "verify ID",
		Short: "Run the criteria of a spec and change nothing",
		Long: `Run the criteria of a spec in a clean worktree and change nothing.

What is checked is the run's branch if there is one, else the target branch. Exits
with 9 when a criterion does not hold, or there is none.`,
		Example: "chant verify 001\nchant verify 001 --json",
		Args:    oneID,
		RunE: func(c *cobra.Command, args []string) error {
			in.ID = args[0]
			e, err := a.open()
			if err != nil {
				return err
			}
			result, err := e.Verify(c.Context(), in)
			if err != nil {
				return err
			}
			if err := show(a, result, renderVerify); err != nil || result.Verified {
				return err
			}
			return &engine.Error{
				Code: engine.Unverified, Hint: "chant show " + result.SpecID,
				Message: fmt.Sprintf("spec %q is not verified: %s", result.SpecID, result.Notes),
			}
		},
	}
}

func renderVerify(w io.Writer, r engine.VerifyResult) {
	renderVerdicts(w, r.Verdicts)
	fmt.Fprintf(w, "%d of %d criteria hold\n", r.Criteria.Checked, r.Criteria.Total)
}

// renderVerdicts prints a line for each criterion, and for one that does not
// hold why, with the end of what its command printed.
func renderVerdicts(w io.Writer, verdicts []verify.Verdict) {
	for _, v := range verdicts {
		if v.Holds {
			fmt.Fprintf(w, "ok    %s\n", v.Text)
			continue
		}
		fmt.Fprintf(w, "FAIL  %s\n      %s\n", v.Text, v.Why)
		if n := len(v.Evidence); n > 0 && v.Evidence[n-1].Tail != "" {
			fmt.Fprintf(w, "      %s\n", strings.ReplaceAll(strings.TrimSpace(v.Evidence[n-1].Tail), "\n", "\n      "))
		}
	}
}
