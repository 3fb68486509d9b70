package reviews

import (
	"errors"
	"fmt"
	"io"

	"chant/cmd/console"
	"chant/cmd/wizard"
	"chant/engine/author/review"
	"chant/engine/spec/next"
	"chant/engine/view"

	"github.com/spf13/cobra"
)

// New returns the command.
func New(a *console.App) *cobra.Command {
	in := review.ReviewInput{}
	said := comments{}
	var plain, approve, reject bool
	c := &cobra.Command{
		Use:   "review ID",
		Short: "Review the work on a spec: comment, approve, or send it back",
		Long: `Walk through the work on a spec: how it stands and what it has cost, each criterion with its
evidence, the change of each file, and what it touches that is protected. Comment at any step,
on a file and line if you like, and decide at the end.

Comments stay in the spec, in its section "Review", and the next attempt gets them in its prompt.
Rejecting work that is completed on its branch sends it back: "chant work" then continues on the
branch. A spec that is not completed is rejected as by "chant reject".

In a pipe, and with --plain, all steps are printed. The flags comment and decide without asking.`,
		Example: `chant review 001
chant review 001 --plain
chant review 001 --comment "Use UTC here" --on dates.go:12 --reject
chant review 001 --approve
chant review 001 --json`,
		Args: console.OneID,
		RunE: func(c *cobra.Command, args []string) error {
			in.ID, in.Comments = args[0], said.list
			switch {
			case approve && reject:
				return console.UsageError(c, "--approve does not go with --reject")
			case said.about != "":
				return console.UsageError(c, "--on needs a --comment")
			case approve:
				in.Decision = review.ToApprove
			case reject:
				in.Decision = review.ToReject
			}
			if in.Decision != review.Leave || len(in.Comments) > 0 {
				return console.Do(a, c, review.Review, in, render)
			}
			if in.By != "" {
				return console.UsageError(c, "--by needs a --comment, --approve or --reject")
			}
			return look(a, c, in, plain)
		},
	}
	f := c.Flags()
	f.Var(&said.text, "comment", "a comment; may be repeated")
	f.Var(&said.place, "on", "the FILE or FILE:LINE that the comment before it, or else the next one, is about")
	f.BoolVar(&approve, "approve", false, "approve the spec, or the work on its branch once it is completed")
	f.BoolVar(&reject, "reject", false, "reject it: completed work is sent back to the next attempt")
	f.StringVar(&in.By, "by", "", "who reviews: the name or email address of a committer of this repository (default: you, from git's settings)")
	f.BoolVar(&plain, "plain", false, "print all steps as text, and ask nothing")
	said.text.to, said.place.to = &said, &said
	console.Renamed(c, "at", "on")
	return c
}

// look walks through the steps, with a person or as text.
func look(a *console.App, c *cobra.Command, in review.ReviewInput, plain bool) error {
	p, err := a.Open()
	if err != nil {
		return err
	}
	r, err := view.Walk(c.Context(), p, view.WalkInput{ID: in.ID})
	if err != nil {
		return err
	}
	on := a.Canvas()
	asks, canAsk := wizard.On(a)
	if plain || a.JSON || !canAsk || on.Width == 0 {
		return console.Page(a, on, r, func(w io.Writer, r view.WalkResult) { printAll(w, r, on) })
	}
	// The steps may be read as text inside a run, but not decided about.
	if err := review.MayReview(p); err != nil {
		return err
	}
	in.ID = r.ID
	w := walker{app: a, on: on, asks: asks, r: r, steps: stepsOf(r), in: in}
	in, err = w.walk(c.Context())
	if err != nil {
		return err
	}
	if len(in.Comments) == 0 && in.Decision == review.Leave {
		fmt.Fprintln(a.Err, "nothing was kept: no comment and no decision")
		return nil
	}
	result, err := review.Review(c.Context(), p, in)
	if err != nil {
		// What a person has typed is not lost because it cannot be kept.
		return errors.Join(err, w.keepComments(in))
	}
	asks.Same(sameStep(in))
	return console.Show(a, result, render)
}

// sameStep is the command that keeps the same comments and decision.
func sameStep(in review.ReviewInput) next.Step {
	step := next.Review.On(in.ID)
	for _, c := range in.Comments {
		if step = step.Set("comment", c.Text); c.At != "" {
			step = step.Set("on", c.At)
		}
	}
	switch in.Decision {
	case review.ToApprove:
		step = step.Flag("approve")
	case review.ToReject:
		step = step.Flag("reject")
	case review.Leave, review.ToSendBack:
	}
	return step
}

// render prints what a review has left.
func render(w io.Writer, r review.ReviewResult) {
	kept := ""
	if len(r.Comments) > 0 {
		kept = " with " + console.Plural(len(r.Comments), "comment")
	}
	switch r.Decision {
	case review.ToApprove:
		fmt.Fprintf(w, "Approved %s%s", r.ID, kept)
		if r.Waits != "" {
			fmt.Fprintf(w, "; it still %s", r.Waits)
		}
		fmt.Fprintln(w)
	case review.ToSendBack:
		fmt.Fprintf(w, "Sent the work on %s back%s: the next attempt gets them\n", r.ID, kept)
	case review.ToReject:
		fmt.Fprintf(w, "Rejected %s%s\n", r.ID, kept)
	case review.Leave:
		fmt.Fprintf(w, "Kept %s in the review of %s: the next attempt gets them\n", console.Plural(len(r.Comments), "comment"), r.ID)
		if r.Waits != "" {
			fmt.Fprintf(w, "It %s\n", r.Waits)
		}
	}
	if !r.Next.IsZero() {
		fmt.Fprintf(w, "next: %s\n", r.Next)
	}
}
