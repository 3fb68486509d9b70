package cmd

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"chant/cmd/console"
	"chant/cmd/console/screen"
	"chant/engine"
	"chant/engine/run/advice"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/view"
	"chant/text"

	"github.com/spf13/cobra"
)

func newList(a *console.App) *cobra.Command {
	var in view.ListInput
	var count, again bool
	var asked []string
	c := &cobra.Command{
		Use:     "list",
		Short:   "List all specs, or those with a status, label, person and so on",
		Example: "chant list --status failed --label api --json\nchant list --since yesterday --sort updated --reverse\nchant list --columns number,status,cost\nchant list --global --status failed",
		Args:    console.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := checkColumns(asked); err != nil {
				return err
			}
			// What only people ask for by name is not read for them otherwise.
			in.Details = a.JSON || needsDetails(asked)
			on := a.Canvas()
			text := func(w io.Writer, r view.ListResult) {
				renderRows(w, r, on, asked)
				if r.Near != "" {
					fmt.Fprintf(c.ErrOrStderr(), "no spec has the label%s\n", spec.DidYouMean(r.Near))
				}
			}
			if count {
				text = func(w io.Writer, r view.ListResult) { fmt.Fprintln(w, r.Total) }
			}
			return refreshed(a, c, again, func() error { return scopedDo(a, c, in.Scope, view.ListAll, in, text) })
		},
	}
	f := c.Flags()
	f.VarP(&optional{&in.Status}, "status", "s", "only this status (also ready, blocked, invalid)")
	f.BoolVar(&in.Ready, "ready", false, "only specs that can be worked now")
	selectionFlags(c, &in.Selection)
	console.ScopeFlags(c, &in.Scope)
	f.BoolVar(&in.Archived, "archived", false, "archived specs too")
	f.StringVar(&in.Mentions, "mentions", "", "only specs whose approval or discussion names this person")
	f.StringVar(&in.Sort, "sort", "", "one of "+strings.Join(view.Sorts(), ", "))
	f.BoolVar(&in.Reverse, "reverse", false, "the last first")
	f.StringSliceVar(&asked, "columns", nil, "one of "+strings.Join(columnNames(), ", ")+" (or several, in their order)")
	console.PageFlags(c, &in.Limit, &in.Cursor, "specs, 0 for all")
	f.BoolVar(&count, "count", false, "print only the number of matches")
	f.BoolVar(&again, "watch", false, "print it again every 5 seconds, until Ctrl-C")
	return c
}

// column is a column of a list that is asked for by name.
type column struct {
	name  string
	value func(view.Row, console.Canvas) string
}

// columns are those of --columns.
func columns() []column {
	list := func(of func(view.Row) []string) func(view.Row, console.Canvas) string {
		return func(r view.Row, _ console.Canvas) string { return strings.Join(of(r), ",") }
	}
	plain := func(of func(view.Row) string) func(view.Row, console.Canvas) string {
		return func(r view.Row, _ console.Canvas) string { return of(r) }
	}
	return []column{
		{"id", plain(func(r view.Row) string { return r.ID })},
		{"repo", plain(func(r view.Row) string { return r.Repo })},
		{"project", plain(func(r view.Row) string { return r.Project })},
		{"number", plain(func(r view.Row) string { return r.Number })},
		{"task", plain(func(r view.Row) string { return r.Task })},
		{"status", plain(func(r view.Row) string { return r.Status })},
		{"state", plain(stateOf)},
		{"title", plain(titleOf)},
		{"type", plain(func(r view.Row) string { return r.Type })},
		{"labels", list(func(r view.Row) []string { return r.Labels })},
		{"priority", plain(func(r view.Row) string { return r.Priority })},
		{"assignee", plain(func(r view.Row) string { return r.Assignee })},
		{"provider", plain(func(r view.Row) string { return r.Provider })},
		{"depends_on", list(func(r view.Row) []string { return r.DependsOn })},
		{"driver", plain(func(r view.Row) string { return r.Driver })},
		{"members", list(func(r view.Row) []string { return r.Members })},
		{"source", plain(func(r view.Row) string { return r.Source })},
		{"branch", plain(func(r view.Row) string { return r.Branch })},
		{"target", plain(func(r view.Row) string { return r.Target })},
		{"created", func(r view.Row, on console.Canvas) string { return on.Time(r.Created) }},
		{"updated", func(r view.Row, on console.Canvas) string { return on.Time(r.Updated) }},
		{"cost", plain(costText)},
	}
}

func columnNames() []string {
	var names []string
	for _, c := range columns() {
		names = append(names, c.name)
	}
	return names
}

// checkColumns refuses columns that no list has.
func checkColumns(asked []string) error {
	for _, name := range asked {
		if !slices.Contains(columnNames(), name) {
			return engine.Fail(engine.Usage, next.List.Help(), "%s", spec.Unknown("column", name, columnNames()))
		}
	}
	return nil
}

// needsDetails reports whether a column shows what is read only where it is asked for.
func needsDetails(asked []string) bool {
	return slices.ContainsFunc(asked, func(name string) bool { return name == "created" || name == "updated" || name == "cost" })
}

func costText(r view.Row) string {
	if r.Cost == nil {
		return ""
	}
	return fmt.Sprintf("$%.2f", *r.Cost)
}

// renderRows prints the columns that are asked for, with their names on a terminal; or those of every list.
func renderRows(w io.Writer, r view.ListResult, on console.Canvas, asked []string) {
	if len(asked) == 0 {
		renderList(w, r, on)
		return
	}
	all := columns()
	cells := func(i int) []screen.Cell {
		var row []screen.Cell
		for _, name := range asked {
			c := all[slices.Index(columnNames(), name)]
			// Programs read only the values.
			if i < 0 {
				row = append(row, screen.Cell{Text: strings.ToUpper(name), Style: screen.Dim})
			} else {
				row = append(row, screen.Cell{Text: text.Quote(c.value(r.Specs[i], on))})
			}
		}
		return row
	}
	first := 0
	if on.Rich {
		first = -1
	}
	widths := on.Columns(len(r.Specs)-first, func(i int) []screen.Cell { return cells(i + first) })
	for i := first; i < len(r.Specs); i++ {
		on.WriteRow(w, widths, cells(i))
	}
	renderLimit(w, r)
}

// renderLimit says how many of all rows were printed, if not all were.
func renderLimit(w io.Writer, r view.ListResult) {
	if r.Returned < r.Total {
		fmt.Fprintf(w, "%d of %d\n", r.Returned, r.Total)
	}
}

// renderList prints a line for each spec in columns. It is not done by text/tabwriter, which keeps every cell of long
// lists.
func renderList(w io.Writer, r view.ListResult, on console.Canvas) {
	tasks := slices.ContainsFunc(r.Specs, func(row view.Row) bool { return row.Task != "" })
	cells := func(i int) []screen.Cell {
		all := rowCells(r.Specs[i], on)
		if tasks {
			all = slices.Insert(all, 1, screen.Cell{Text: text.Quote(r.Specs[i].Task), Style: screen.Dim})
		}
		return all
	}
	widths := on.Columns(len(r.Specs), cells)
	// The cells are made a second time, because those of long lists would take much memory.
	for i := range r.Specs {
		on.WriteRow(w, widths, cells(i))
	}
	renderLimit(w, r)
}

// rowCells are the columns of a spec in a list: id, state and title.
func rowCells(row view.Row, on console.Canvas) []screen.Cell {
	row.RetryAt = on.Time(row.RetryAt)
	state := stateOf(row)
	return []screen.Cell{{Text: text.Quote(row.ID), Style: screen.Dim}, {Text: state, Style: screen.StatusStyle(state)}, {Text: text.Quote(titleOf(row))}}
}

// stateOf is a row's status with what a person has to know beside it.
func stateOf(row view.Row) string {
	switch {
	case row.NeedsInput > 0:
		return row.Status + " (needs input)"
	case row.Node != "":
		return row.Status + " (" + strings.TrimSpace(row.Run+" on "+row.Node) + ")"
	case row.Run != "":
		return row.Status + " (" + row.Run + ")"
	case row.RetryAt != "":
		return row.Status + " (" + retryText(row.RetryAt) + ")"
	case row.Archived:
		return row.Status + " (archived)"
	case len(row.WaitsFor) > 0:
		return row.Status + " (" + waitsText(row) + ")"
	case row.Landed != nil && !*row.Landed:
		return row.Status + " (not landed)"
	case row.Nothing != "":
		return row.Status + " (" + string(row.Nothing) + ")"
	case row.Ready:
		return row.Status + " (ready)"
	case row.Blocked:
		return row.Status + " (blocked)"
	}
	return row.Status
}

// waitsText says what a spec waits for: "needs approval", "needs acceptance criteria", or after which other specs it starts.
func waitsText(row view.Row) string {
	var after []string
	for _, wait := range row.WaitsFor {
		switch {
		case wait.ID != "":
			after = append(after, shortID(wait.ID, row.ID))
		case strings.HasPrefix(wait.Why, "approval"), wait.Why == advice.NeedsCriteria:
			return "needs " + wait.Why
		default:
			return wait.Why
		}
	}
	const most = 2
	if more := len(after) - most; more > 0 {
		after = append(after[:most:most], fmt.Sprintf("%d more", more))
	}
	return "after " + strings.Join(after, ", ")
}

// shortID leaves out of an id what it has in common with one beside it: the number of 2026-01-22-003-x7m is enough beside
// another id of that day.
func shortID(id, beside string) string {
	day := len(spec.DateLayout) + 1
	if len(id) <= day || len(beside) <= day || id[:day] != beside[:day] {
		return id
	}
	if _, err := time.Parse(spec.DateLayout+"-", id[:day]); err != nil {
		return id
	}
	number, _, found := strings.Cut(id[day:], "-")
	// A member of the same group has the number too.
	if !found || strings.HasPrefix(beside[day:], number+"-") {
		return id
	}
	return number
}

// retryText says when the next attempt is due: at a time, or in relation to now.
func retryText(at string) string {
	if strings.HasPrefix(at, "in ") {
		return "retry " + at
	}
	if strings.HasSuffix(at, " ago") || at == "just now" {
		return "retry due"
	}
	return "retry at " + at
}

func titleOf(row view.Row) string {
	switch {
	case row.Error != "":
		return row.Error
	case row.LastLine != "":
		return row.Title + ": " + row.LastLine
	case row.Title == "":
		return "(untitled)"
	}
	return row.Title
}
