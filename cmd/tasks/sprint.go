package tasks

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/spec/next"
	"chant/engine/spec/sprint"
	"chant/engine/store/disk"
	"chant/engine/task/sprints"

	"github.com/spf13/cobra"
)

// NewSprint returns the command "chant sprint".
func NewSprint(a *console.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "sprint",
		Short: "Plan sprints and report on them",
		Long: `Plan sprints and report on them. A sprint is a file in .chant/sprints; which tasks it has is
recorded in the specs (key sprints). Sprints are named by their ids, such as 3 or #3.`,
		Example: "chant sprint create \"Search\" --starts-at 2026-12-01 --length 2w\nchant sprint add AUTH-1 AUTH-2 --to 1\nchant sprint start 1\nchant sprint burndown 1",
	}
	c.AddCommand(
		newSprintList(a), newSprintShow(a), newSprintCreate(a), newSprintUpdate(a), newSprintStart(a), newSprintClose(a),
		newSprintAdd(a), newSprintRemove(a), newSprintDelete(a), newSprintBacklog(a), newSprintSummary(a), newSprintBurndown(a), newSprintVelocity(a),
	)
	return c
}

// oneSprint is the argument rule of commands about one sprint.
func oneSprint(c *cobra.Command, args []string) error {
	if len(args) == 1 {
		return nil
	}
	return console.UsageError(c, c.CommandPath()+" takes the id of one sprint")
}

// pickByID names a sprint by an argument.
func pickByID(arg string) sprints.Pick { return sprints.Pick{SprintID: sprint.Ref(arg)} }

// warn prints what of a sprint does not count.
func warn(w io.Writer, warnings []sprint.Warning) {
	for _, one := range warnings {
		fmt.Fprintf(w, "warning: %s\n", one.Message)
	}
}

// writeChart writes a chart as a file of SVG. It follows links and refuses anything but a regular file.
func writeChart(a *console.App, file string, draw chart) error {
	path := a.Below(file)
	// Replacing a link would leave the file that it names as it was.
	if at, err := filepath.EvalSymlinks(path); err == nil {
		path = at
	}
	info, err := os.Stat(path)
	// A device or a pipe would be replaced by a file.
	if err == nil && !info.Mode().IsRegular() {
		return engine.Fail(engine.Usage, next.Help(), "%q is not a regular file", file)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return engine.Wrap(err, "")
	}
	if err := disk.Write(path, draw.svg(), disk.Options{}); err != nil {
		return engine.Fail(engine.Usage, next.Help(), "cannot write %q: %s", file, err)
	}
	return nil
}

// sprintList is a flag with the numbers of sprints: 2, "#2" or 2,3. An empty value is an empty list.
type sprintList struct {
	to    *[]int
	given bool
}

func sprintsVar(to *[]int) *sprintList { return &sprintList{to: to} }

// String returns the value as help shows it.
func (l *sprintList) String() string {
	if l.to == nil {
		return ""
	}
	return numberList(*l.to)
}

// Set adds the numbers of a value.
func (l *sprintList) Set(text string) error {
	// The first value replaces the default; an empty one gives an empty list.
	if !l.given {
		*l.to, l.given = []int{}, true
	}
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimPrefix(strings.TrimSpace(part), "#"); part == "" {
			continue
		}
		n, err := strconv.Atoi(part)
		if err != nil || n < 1 {
			return fmt.Errorf("%q is not the number of a sprint (use 2 or 2,3)", part)
		}
		if !slices.Contains(*l.to, n) {
			*l.to = append(*l.to, n)
		}
	}
	return nil
}

// Type names the value in help.
func (l *sprintList) Type() string { return "sprints" }
