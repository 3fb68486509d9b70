package tasks

import (
	"fmt"
	"io"

	"chant/cmd/console"
	"chant/engine/spec/sprint"
	"chant/engine/task/sprints"
	"chant/text"

	"github.com/spf13/cobra"
)

// planFlags are the flags of create and update for the plan of a sprint.
type planFlags struct {
	goal, length, startsAt, endsAt, overdueAfter, notes string
	points, hours                                       int
}

func (in *planFlags) add(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&in.goal, "goal", "", "what the sprint is for")
	f.StringVar(&in.length, "length", "", "length: 10d, 2w or \"2 weeks\"")
	f.StringVar(&in.startsAt, "starts-at", "", "planned start: 2026-12-01 or 2026-12-01T09:00:00Z")
	f.StringVar(&in.endsAt, "ends-at", "", "planned end; it replaces the length")
	f.StringVar(&in.overdueAfter, "overdue-after", "", "how long after its end the sprint counts as overdue, for reports")
	f.StringVar(&in.notes, "notes", "", "notes in Markdown")
	f.Var(console.AtLeast(0, &in.points), "capacity-points", "capacity in points, 0 for none")
	f.Var(console.AtLeast(0, &in.hours), "capacity-hours", "capacity in hours, 0 for none")
}

func newSprintCreate(a *console.App) *cobra.Command {
	var in sprints.CreateInput
	var plan planFlags
	c := &cobra.Command{
		Use:     "create [LABEL]",
		Short:   "Create a new sprint with a goal, dates and capacity",
		Long:    `Create a sprint. Its id is above those of all sprints, and is not used again when it is deleted. Defaults come from the settings.`,
		Example: "chant sprint create\nchant sprint create Search --goal \"Find anything\" --starts-at 2026-12-01 --length 2w --capacity-points 20",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				in.Label = args[0]
			}
			in.Goal, in.PlanLength, in.StartsAt, in.EndsAt, in.OverdueAfter, in.Notes = plan.goal, plan.length, plan.startsAt, plan.endsAt, plan.overdueAfter, plan.notes
			// 0 is a value of its own.
			if c.Flags().Changed("capacity-points") {
				in.CapacityPoints = &plan.points
			}
			if c.Flags().Changed("capacity-hours") {
				in.CapacityHours = &plan.hours
			}
			return do(a, c, writes, sprints.Create, in, func(w io.Writer, r sprints.CreateResult) { printDone(w, "Created", r.Sprint, r.Warnings) })
		},
	}
	plan.add(c)
	c.Flags().BoolVar(&in.SkipDefaults, "skip-defaults", false, "do not apply the sprint defaults of the settings")
	return c
}

func newSprintUpdate(a *console.App) *cobra.Command {
	var plan planFlags
	var label string
	c := &cobra.Command{
		Use:     "update ID",
		Short:   "Change the plan of a sprint: label, goal, dates, capacity, notes",
		Long:    `Change the plan of a sprint. An empty text removes a value.`,
		Example: "chant sprint update 3 --label Search --length 3w\nchant sprint update 3 --goal \"\"",
		Args:    oneSprint,
		RunE: func(c *cobra.Command, args []string) error {
			in := plan.changes(c, &label)
			in.Pick = pickByID(args[0])
			return do(a, c, writes, sprints.Update, in, func(w io.Writer, r sprints.UpdateResult) { printDone(w, "Updated", r.Sprint, r.Warnings) })
		},
	}
	plan.add(c)
	c.Flags().StringVar(&label, "label", "", "short name")
	return c
}

// changes returns what the flags of a command line change.
func (in *planFlags) changes(c *cobra.Command, label *string) sprints.UpdateInput {
	var out sprints.UpdateInput
	for name, part := range map[string]struct {
		from *string
		to   **string
	}{
		"label": {label, &out.Label}, "goal": {&in.goal, &out.Goal}, "length": {&in.length, &out.Length}, "starts-at": {&in.startsAt, &out.StartsAt},
		"ends-at": {&in.endsAt, &out.EndsAt}, "overdue-after": {&in.overdueAfter, &out.OverdueAfter}, "notes": {&in.notes, &out.Notes},
	} {
		if c.Flags().Changed(name) {
			*part.to = part.from
		}
	}
	if c.Flags().Changed("capacity-points") {
		out.CapacityPoints = &in.points
	}
	if c.Flags().Changed("capacity-hours") {
		out.CapacityHours = &in.hours
	}
	return out
}

func newSprintStart(a *console.App) *cobra.Command {
	var in sprints.StartInput
	c := &cobra.Command{
		Use:     "start ID",
		Short:   "Start a sprint, now or at a given time",
		Example: "chant sprint start 3\nchant sprint start 3 --at 2026-12-01",
		Args:    oneSprint,
		RunE: func(c *cobra.Command, args []string) error {
			in.Pick = pickByID(args[0])
			return do(a, c, writes, sprints.Start, in, func(w io.Writer, r sprints.UpdateResult) { printDone(w, "Started", r.Sprint, r.Warnings) })
		},
	}
	c.Flags().StringVar(&in.At, "at", "", "when it was started (default: now)")
	return c
}

func newSprintClose(a *console.App) *cobra.Command {
	var in sprints.StartInput
	c := &cobra.Command{
		Use:     "close ID",
		Short:   "Close a finished sprint, now or at a given time",
		Example: "chant sprint close 3\nchant sprint close 3 --at 2026-12-14T17:00:00Z",
		Args:    oneSprint,
		RunE: func(c *cobra.Command, args []string) error {
			in.Pick = pickByID(args[0])
			return do(a, c, writes, sprints.Close, in, func(w io.Writer, r sprints.UpdateResult) { printDone(w, "Closed", r.Sprint, r.Warnings) })
		},
	}
	c.Flags().StringVar(&in.At, "at", "", "when it was closed (default: now)")
	return c
}

func newSprintDelete(a *console.App) *cobra.Command {
	var in sprints.DeleteInput
	c := &cobra.Command{
		Use:     "delete ID",
		Short:   "Delete a sprint, but not its tasks",
		Long:    `Delete a sprint. Its tasks stay as they are, unless --cleanup-missing takes them out of it.`,
		Example: "chant sprint delete 3 --cleanup-missing",
		Args:    oneSprint,
		RunE: func(c *cobra.Command, args []string) error {
			in.Pick = pickByID(args[0])
			return do(a, c, writes, sprints.Delete, in, func(w io.Writer, r sprints.DeleteResult) {
				fmt.Fprintln(w, text.Quote(r.Sentence))
				if r.Integrity != nil && r.Integrity.AutoCleanup == nil {
					printIntegrity(w, r.Integrity)
				}
			})
		},
	}
	c.Flags().BoolVar(&in.CleanupMissing, "cleanup-missing", false, "take all tasks out of this sprint and of others that do not exist")
	return c
}

// printDone prints what was done to a sprint.
func printDone(w io.Writer, done string, s sprint.Item, warnings []sprint.Warning) {
	line := fmt.Sprintf("%s sprint #%d", done, s.ID)
	if s.Label != "" {
		line += " (" + text.Quote(s.Label) + ")"
	}
	if during := period(s); during != "" {
		line += ", " + during
	}
	fmt.Fprintln(w, line)
	warn(w, warnings)
}
