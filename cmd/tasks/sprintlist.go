package tasks

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"chant/cmd/console"
	"chant/engine/spec/sprint"
	"chant/engine/task/sprints"
	"chant/text"

	"github.com/spf13/cobra"
)

func newSprintList(a *console.App) *cobra.Command {
	var limit, offset int
	c := &cobra.Command{
		Use:     "list",
		Short:   "List all sprints with their state",
		Example: "chant sprint list\nchant sprint list --limit 10 --offset 20 --json",
		Args:    console.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return do(a, c, reads, sprints.List, sprints.ListInput{Page: page(c, &limit, &offset)}, renderSprints)
		},
	}
	addPage(c, &limit, &offset, "sprints (default: 50, at most 200)")
	return c
}

// addPage adds the flags that select part of a list.
func addPage(c *cobra.Command, limit, offset *int, what string) {
	c.Flags().VarP(console.AtLeast(1, limit), "limit", "n", "at most this many "+what)
	c.Flags().Var(console.AtLeast(0, offset), "offset", "leave out this many at the start")
}

// page returns the part of a list that the flags select.
func page(c *cobra.Command, limit, offset *int) sprints.Page {
	var in sprints.Page
	if c.Flags().Changed("limit") {
		in.Limit = limit
	}
	if c.Flags().Changed("offset") {
		in.Cursor = offset
	}
	return in
}

func renderSprints(w io.Writer, r sprints.ListResult) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, s := range r.Sprints {
		line := fmt.Sprintf("#%d\t%s\t%s", s.ID, s.State, text.Quote(s.DisplayName))
		if during := period(s); during != "" {
			line += "\t" + during
		}
		fmt.Fprintln(t, line)
	}
	// The writer below returns the error.
	_ = t.Flush()
	for _, s := range r.Sprints {
		for _, one := range s.Warnings {
			fmt.Fprintf(w, "warning: #%d: %s\n", s.ID, one.Message)
		}
	}
	if r.HasMore {
		fmt.Fprintf(w, "%d of %d\n", r.Count, r.Total)
	}
	printIntegrity(w, r.Integrity)
}

// period is the time from the start of a sprint to its end, as far as they are known.
func period(s sprint.Item) string {
	start, end := dateOf(firstOf(s.ActualStart, s.PlannedStart)), dateOf(firstOf(s.ActualEnd, s.ComputedEnd))
	switch {
	case start == "" && end == "":
		return ""
	case end == "":
		return "from " + start
	case start == "":
		return "until " + end
	}
	return start + " -> " + end
}

// dateOf is the date of a time.
func dateOf(at string) string {
	date, _, _ := strings.Cut(at, "T")
	return date
}

func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// printIntegrity says which tasks are in sprints that do not exist.
func printIntegrity(w io.Writer, i *sprint.Integrity) {
	switch {
	case i == nil:
	case i.AutoCleanup != nil && i.AutoCleanup.RemovedReferences > 0:
		fmt.Fprintf(w, "%s taken out of sprints that do not exist\n", console.Plural(i.AutoCleanup.UpdatedTasks, "task"))
	case i.AutoCleanup == nil:
		fmt.Fprintf(w, "%s in sprints that do not exist: %s\n", console.Plural(i.TasksWithMissing, "task"), idList(i.MissingSprints))
	}
}

func idList(ids []int) string {
	var names []string
	for _, id := range ids {
		names = append(names, fmt.Sprintf("#%d", id))
	}
	return strings.Join(names, ", ")
}

func newSprintShow(a *console.App) *cobra.Command {
	return &cobra.Command{
		Use:     "show ID",
		Short:   "Show a sprint: its plan and what happened",
		Example: "chant sprint show 3\nchant sprint show 3 --json",
		Args:    oneSprint,
		RunE: func(c *cobra.Command, args []string) error {
			return do(a, c, reads, sprints.Get, sprints.GetInput{Pick: pickByID(args[0])}, func(w io.Writer, r sprints.GetResult) { renderSprint(w, r.Sprint) })
		},
	}
}

func renderSprint(w io.Writer, s sprint.Item) {
	fmt.Fprintf(w, "#%d  %s  %s\n", s.ID, text.Quote(s.DisplayName), s.State)
	number := func(n int) string {
		if n == 0 {
			return ""
		}
		return fmt.Sprint(n)
	}
	for _, line := range []struct{ name, value string }{
		{"goal", s.Goal}, {"planned start", s.PlannedStart}, {"planned end", s.PlannedEnd}, {"length", s.PlanLength}, {"started", s.ActualStart},
		{"closed", s.ActualEnd}, {"computed end", s.ComputedEnd}, {"capacity in points", number(s.CapacityPoints)},
		{"capacity in hours", number(s.CapacityHours)}, {"overdue after", s.OverdueAfter},
	} {
		if line.value != "" {
			fmt.Fprintf(w, "  %-18s  %s\n", line.name, text.Quote(line.value))
		}
	}
	if s.Notes != "" {
		fmt.Fprintf(w, "\n%s\n", s.Notes)
	}
	warn(w, s.Warnings)
}
