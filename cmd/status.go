package cmd

import (
	"cmp"
	"fmt"
	"io"
	"path"

	"chant/cmd/console"
	"chant/cmd/console/screen"
	"chant/engine/view"
	"chant/text"

	"github.com/spf13/cobra"
)

func newStatus(a *console.App) *cobra.Command {
	var in view.StatusInput
	again := false
	c := &cobra.Command{
		Use:     "status",
		Short:   "Give an overview: specs by status, and the runs that need you",
		Example: "chant status\nchant status --brief\nchant status --usage\nchant status --json\nchant status --global --brief",
		Args:    console.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			on := a.Canvas()
			render := func(w io.Writer, r view.StatusResult) {
				fmt.Fprintln(w, r.Brief)
				for _, one := range r.Projects {
					fmt.Fprintf(w, "  %s: %s\n", text.Quote(cmp.Or(path.Join(one.Repo, one.Project), one.Name)), one.Brief)
				}
				if !in.Brief {
					renderStatus(w, r, on)
				}
			}
			return refreshed(a, c, again, func() error { return scopedDo(a, c, in.Scope, view.StatusAll, in, render) })
		},
	}
	console.ScopeFlags(c, &in.Scope)
	c.Flags().BoolVar(&in.Brief, "brief", false, "one line")
	c.Flags().BoolVar(&in.Usage, "usage", false, "print what agents have used in total, not only today")
	c.Flags().BoolVar(&in.Activity, "activity", false, "print when specs in progress last showed activity")
	c.Flags().BoolVar(&again, "watch", false, "print it again every 5 seconds, until Ctrl-C")
	return c
}

func renderStatus(w io.Writer, r view.StatusResult, on console.Canvas) {
	if r.Ready > 0 {
		fmt.Fprintln(w, on.Paint(screen.Blue, fmt.Sprintf("%d ready", r.Ready)))
	}
	if r.NeedCriteria > 0 {
		fmt.Fprintf(w, "%s without acceptance criteria, which work starts only by name\n", console.Plural(r.NeedCriteria, "task"))
	}
	for _, q := range r.HeldQueues {
		fmt.Fprintf(w, "\n%s\n  next: %s\n", q, q.Next)
	}
	for _, plan := range r.Plans {
		fmt.Fprintf(w, "\n%s\n", plan)
		if !plan.Next.IsZero() {
			fmt.Fprintf(w, "  next: %s\n", plan.Next)
		}
	}
	for _, q := range r.Questions {
		fmt.Fprintln(w)
		renderQuestion(w, q)
		fmt.Fprintf(w, "  next: %s\n", q.Next)
	}
	if r.QuestionsMore > 0 {
		fmt.Fprintf(w, "\n%d more questions are open; chant answer lists them\n", r.QuestionsMore)
	}
	for _, v := range r.Runs {
		title := v.Title
		if v.Attempt > 0 && v.Step != "" {
			title += fmt.Sprintf(" (attempt %d, step %s)", v.Attempt, v.Step.Word())
		}
		state := v.State
		if v.Node != "" {
			state += " on " + v.Node
		}
		if v.Queue != nil {
			state += ", " + v.Queue.String()
		}
		fmt.Fprintf(w, "\n%s", headline(v.ID, "in_progress ("+v.State+")", state, title, on))
		if v.LastLine != "" {
			fmt.Fprintf(w, "\n  quiet for %s, last line: %s", console.Age(v.Quiet), v.LastLine)
		}
		fmt.Fprintf(w, "\n  next: %s\n", v.Next)
	}
	for _, o := range r.Open {
		fmt.Fprintf(w, "\n%s\n  %s\n  next: %s\n", headline(o.ID, string(o.Status), string(o.Status), o.Title, on), o.Why, o.Next)
	}
	if r.OpenMore > 0 {
		fmt.Fprintf(w, "\n%d more are stalled; chant list shows them\n", r.OpenMore)
	}
	if r.LandedElsewhere > 0 {
		fmt.Fprintf(w, "\n%s landed in the remote and not here\n  next: git pull\n", console.Plural(r.LandedElsewhere, "spec"))
	}
	if r.Today != nil {
		fmt.Fprintf(w, "\ntoday: %s\n", usageText(*r.Today))
	}
	if r.Limit != "" {
		fmt.Fprintf(w, "%s: no agent starts before midnight, unless limits.day is raised\n", r.Limit)
	}
	if r.Usage != nil {
		fmt.Fprintf(w, "\nin total: %s\n", usageText(*r.Usage))
	}
	fmt.Fprintf(w, "\nsandbox   %s\n", r.Sandbox)
	for _, act := range r.Activity {
		fmt.Fprintf(w, "%s  spec %s  log %s\n", act.ID, on.Time(act.SpecModified), on.Time(act.LogModified))
	}
}

// headline is the line of a spec in an overview. state decides on the style of the word for it.
func headline(id, state, word, title string, on console.Canvas) string {
	line := on.Paint(screen.Dim, id) + "  " + on.Paint(screen.StatusStyle(state), word) + ": " + title
	if on.Styled {
		return on.Fit(line)
	}
	return line
}
