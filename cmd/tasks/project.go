package tasks

import (
	"fmt"
	"io"
	"strings"

	"chant/cmd/console"
	"chant/engine/task/tasks"
	"chant/text"

	"github.com/spf13/cobra"
)

func newProjects(a *console.App) *cobra.Command {
	var in tasks.ProjectsInput
	c := &cobra.Command{
		Use:     "projects [NAME]",
		Short:   "List projects, or count the tasks of one",
		Example: "chant task projects\nchant task projects AUTH --json",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				return do(a, c, reads, tasks.Stats, tasks.ProjectStatsInput{Name: args[0]}, renderStats)
			}
			return do(a, c, reads, tasks.Projects, in, func(w io.Writer, r tasks.ProjectsResult) {
				for _, one := range r.Projects {
					fmt.Fprintf(w, "%s  %s\n", text.Quote(one.Prefix), text.Quote(one.Name))
				}
			})
		},
	}
	c.Flags().VarP(console.AtLeast(0, &in.Limit), "limit", "n", "projects on a page, at most 200 (default 50)")
	c.Flags().Var(console.AtLeast(0, &in.Cursor), "cursor", "first project of the page, from 0")
	return c
}

func renderStats(w io.Writer, r tasks.ProjectStats) {
	fmt.Fprintf(w, "%s: %d open, %d done\n", text.Quote(r.Name), r.OpenCount, r.DoneCount)
	if r.RecentModified != nil {
		fmt.Fprintf(w, "last change  %s\n", *r.RecentModified)
	}
	for _, tag := range r.TagsTop {
		fmt.Fprintf(w, "%5d  %s\n", tag.Count, text.Quote(tag.Tag))
	}
}

func newConfig(a *console.App) *cobra.Command {
	var in tasks.ConfigShowInput
	c := &cobra.Command{
		Use:     "config",
		Short:   "Show the settings of tasks, or set them",
		Example: "chant task config\nchant task config set default_assignee=@me issue_types=Feature,Bug",
		Args:    console.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return do(a, c, reads, tasks.ConfigShow, in, func(w io.Writer, r map[string]any) {
				// Show reports an error of w.
				_ = console.WriteJSON(w, r, "  ")
			})
		},
	}
	c.Flags().BoolVar(&in.Global, "global", false, "those of the workspace alone")
	c.Flags().StringVarP(&in.Project, "project", "p", "", "those of this project")
	c.AddCommand(newConfigSet(a))
	return c
}

func newConfigSet(a *console.App) *cobra.Command {
	in := tasks.ConfigSetInput{Values: map[string]string{}}
	c := &cobra.Command{
		Use:     "set KEY=VALUE...",
		Short:   "Set settings of tasks, all or none",
		Example: "chant task config set default_priority=High --global",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			for _, arg := range args {
				key, value, ok := strings.Cut(arg, "=")
				if !ok {
					return console.UsageError(c, fmt.Sprintf("invalid setting %q (use KEY=VALUE)", arg))
				}
				in.Values[key] = value
			}
			return do(a, c, writes, tasks.ConfigSet, in, func(w io.Writer, r tasks.ConfigSetResult) {
				if len(r.Files) == 0 {
					fmt.Fprintln(w, "The settings already say so")
				} else {
					fmt.Fprintf(w, "Set in %s\n", strings.Join(r.Files, ", "))
				}
				for _, note := range append(r.Warnings, r.Info...) {
					fmt.Fprintln(w, note)
				}
			})
		},
	}
	c.Flags().BoolVar(&in.Global, "global", false, "for the workspace")
	c.Flags().StringVarP(&in.Project, "project", "p", "", "for this project")
	return c
}
