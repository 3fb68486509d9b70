package runs

import (
	"fmt"
	"io"
	"strings"

	"chant/cmd/console"
	"chant/cmd/console/screen"
	"chant/engine"
	"chant/engine/spec/next"
	"chant/engine/work/undo"
	"chant/text"

	"github.com/spf13/cobra"
)

// NewUndo returns the command that takes the last decision back.
func NewUndo(a *console.App) *cobra.Command {
	var id string
	var list, yes bool
	limit := 10
	c := &cobra.Command{
		Use:   "undo [ID]",
		Short: "Undo the last decision: a merge, approval, reset, edit and more",
		Long: `Undo the last decision about specs, or about one spec: an approval, a rejection, the comments of a
review, a merge, a reset, a cancellation, and what added, edited, archived or deleted specs.

It says what it will do and asks; without a terminal it needs --yes. Undoing is a new commit, and no
history is rewritten. A decision on which something depends by now is not undone: the reason is
printed, with what you can do by hand. Another "chant undo" undoes the decision before.

Undoing a merge takes its changes out of the target; its branch is made again with the work.`,
		Example: "chant undo\nchant undo --list\nchant undo 001 --yes\nchant undo --json --yes",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 1 {
				return console.UsageError(c, "undo takes at most one spec ID")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			id = strings.Join(args, "")
			switch {
			case list && yes:
				return console.UsageError(c, "--list does not go with --yes")
			case !list && c.Flags().Changed("limit"):
				return console.UsageError(c, "--limit needs --list")
			case list:
				on := a.Canvas()
				return console.Do(a, c, undo.List, undo.ListInput{ID: id, Limit: limit}, func(w io.Writer, r undo.ListResult) { renderDecisions(w, r, on) })
			}
			return undoLast(a, c, id, yes)
		},
	}
	c.Flags().BoolVar(&list, "list", false, "list the last decisions, and whether they can be undone")
	c.Flags().VarP(console.AtLeast(1, &limit), "limit", "n", "how many decisions --list lists")
	c.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask")
	return c
}

// undoLast shows what would be undone, asks, and undoes it.
func undoLast(a *console.App, c *cobra.Command, id string, yes bool) error {
	p, err := a.Open()
	if err != nil {
		return err
	}
	in := undo.UndoInput{ID: id}
	if !yes {
		d, err := undo.Last(c.Context(), p, id)
		if err != nil {
			return err
		}
		// So that nothing else is undone than what was shown.
		in.Expected = d.Key()
		if d.Undoable {
			step := next.Undo.On().Flag("yes")
			if id != "" {
				step = next.Undo.On(id).Flag("yes")
			}
			describeDecision(a.Err, d)
			if a.JSON || !console.Terminal(a.In) || !console.Terminal(a.Screen.Err) {
				return engine.Fail(engine.Usage, step, "nothing was undone: there is no terminal to ask on")
			}
			if ok, err := console.Confirm(c.Context(), a, "Undo it?"); err != nil || !ok {
				if err == nil {
					err = engine.Fail(engine.Canceled, next.Step{}, "nothing was undone")
				}
				return err
			}
		}
	}
	r, err := undo.Undo(c.Context(), p, in)
	if err != nil {
		return err
	}
	return console.Show(a, r, renderUndone)
}

// describeDecision says what the last decision is and what undoing it does.
func describeDecision(w io.Writer, d undo.Decision) {
	fmt.Fprintf(w, "The last decision is %s, %s\n", d.Name(), whoAndWhen(d))
	fmt.Fprintln(w, "To undo it:")
	for _, does := range d.Does {
		fmt.Fprintf(w, "  %s\n", text.Quote(does))
	}
}

// whoAndWhen names the author, the time and the commit of a decision.
func whoAndWhen(d undo.Decision) string {
	parts := []string{text.LocalTime(d.At)}
	if name, _, _ := strings.Cut(d.By, " <"); name != "" {
		parts = append([]string{"by " + name}, parts...)
	}
	if d.Commit != "" {
		parts = append(parts, fmt.Sprintf("commit %.7s", d.Commit))
	}
	return strings.Join(parts, ", ")
}

func renderUndone(w io.Writer, r undo.UndoResult) {
	fmt.Fprintf(w, "Undid %s", r.Name())
	if r.Undo != "" {
		fmt.Fprintf(w, ", in commit %.7s", r.Undo)
	}
	fmt.Fprintln(w)
	if r.Made != "" {
		fmt.Fprintf(w, "its work is on branch %s again\n", r.Made)
	}
	for _, ref := range r.Rescue {
		fmt.Fprintf(w, "what was not committed in its worktree is kept as %s\n", ref)
	}
	state := string(r.Status)
	if r.Status == "completed" && !r.Landed {
		state = "completed, and not landed"
	}
	if state != "" {
		fmt.Fprintf(w, "%s is %s\n", r.ID, state)
	}
}

// renderDecisions lists decisions, newest first.
func renderDecisions(w io.Writer, r undo.ListResult, on console.Canvas) {
	if len(r.Decisions) == 0 {
		fmt.Fprintln(w, "there is no decision to undo")
	}
	for _, d := range r.Decisions {
		mark := on.Paint(screen.Green, "can be undone")
		if !d.Undoable {
			mark = on.Paint(screen.Dim, "cannot be undone")
		}
		fmt.Fprintf(w, "%s  %s  (%s)\n", on.Paint(screen.Bold, text.Quote(d.Name())), mark, whoAndWhen(d))
		if !d.Undoable {
			fmt.Fprintf(w, "    %s\n", text.Quote(d.Why))
			if !d.Next.IsZero() {
				fmt.Fprintf(w, "    by hand: %s\n", d.Next)
			}
		}
		for _, does := range d.Does {
			fmt.Fprintf(w, "    %s\n", text.Quote(does))
		}
	}
}
