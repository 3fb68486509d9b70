package checks

import (
	"fmt"
	"io"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/author"
	"chant/engine/spec/next"
	"chant/engine/verify/prove"

	"github.com/spf13/cobra"
)

// NewProve returns the command "chant prove".
func NewProve(a *console.App) *cobra.Command {
	var in prove.Input
	var strict, add bool
	c := &cobra.Command{
		Use:   "prove [ID]",
		Short: "Measure criteria: which wrong versions of a change do they not notice?",
		Long: `Make wrong versions of what a spec has changed, run its criteria on each, and print those
that no criterion notices: first without each hunk, then with conditions, operators, calls,
results and constants changed in the lines that a criterion depends on. Without an ID it is
the spec that landed last. Tests are left as they are. The result becomes part of the evidence
of a completed spec, unless another key than this machine's has signed that.

With --wrong-agent the agent of another provider also thinks of wrong versions.
With --budget a sample is tried, chosen by --seed. With --add each version that was not
noticed becomes a spec for the test that is missing, whose criterion fails until then.

Exits with 9 if the criteria fail on the change itself or, with --strict, if any version
was not noticed.`,
		Example: "chant prove 001\nchant prove --budget 30s --strict\nchant prove 001 --budget 5m --seed 7 --json\nchant prove 001 --add\nchant prove 001 --wrong-agent codex --wrong 3",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				in.ID = args[0]
			}
			if in.Agent == "" && in.Count > 0 {
				return console.UsageError(c, "--wrong needs --wrong-agent")
			}
			p, err := a.Open()
			if err != nil {
				return err
			}
			result, err := prove.Prove(c.Context(), p, in)
			if err == nil && add {
				result, err = author.FollowUps(c.Context(), p, result)
			}
			if err != nil {
				return err
			}
			on := a.Canvas()
			err = console.Page(a, on, result, func(w io.Writer, r prove.Result) { renderProof(w, r, on) })
			if err != nil || !strict || len(result.Survivors) == 0 {
				return err
			}
			return &engine.Error{Code: engine.Unverified, Next: next.Prove.On(result.ID).Flag("add"), Message: fmt.Sprintf("the criteria of spec %q do not notice %s", result.ID, console.Plural(len(result.Survivors), "wrong version"))}
		},
	}
	f := c.Flags()
	f.StringVar(&in.Budget, "budget", "", "try what can be tried in this time, such as 30s or 5m")
	f.Var(console.AtLeast(0, &in.Seed), "seed", "chooses the sample")
	f.StringVar(&in.Agent, "wrong-agent", "", "also ask an agent of this provider for wrong versions")
	f.Var(console.Between(1, 50, &in.Count), "wrong", fmt.Sprintf("ask the agent for this many (default %d)", prove.DefaultCount))
	f.BoolVar(&strict, "strict", false, "exit with 9 if a wrong version was not noticed")
	f.BoolVar(&add, "add", false, "add a spec for each test that is missing")
	return c
}

// renderProof prints the versions that no criterion noticed, what was left out, and the score.
func renderProof(w io.Writer, r prove.Result, on console.Canvas) {
	for _, s := range r.Survivors {
		console.RenderSurvivor(w, s, on, "")
	}
	for _, note := range r.Notes {
		fmt.Fprintln(w, note)
	}
	if r.Score == nil {
		fmt.Fprintf(w, "%s: no wrong version was tried to its end\n", r.ID)
		return
	}
	fmt.Fprintf(w, "%s: %d of %d wrong versions noticed (%.0f %%)", r.ID, r.Killed, r.Tried(), 100**r.Score)
	if r.Unbuilt > 0 {
		fmt.Fprintf(w, ", %d did not build", r.Unbuilt)
	}
	if r.Sampled {
		fmt.Fprintf(w, ", a sample of %d", r.Total)
	}
	fmt.Fprintf(w, " in %.1f s\n", r.Seconds)
	if r.Recorded != "" {
		fmt.Fprintf(w, "recorded in the evidence of commit %.7s\n", r.Recorded)
	}
}
