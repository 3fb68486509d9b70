package cmd

import (
	"fmt"
	"io"
	"strings"

	"chant/cmd/console"
	"chant/engine/format/tracker"
	"chant/engine/task/exchange"
	"chant/text"

	"github.com/spf13/cobra"
)

// newImport returns the command "chant import".
func newImport(a *console.App) *cobra.Command {
	var in exchange.ImportFromInput
	c := &cobra.Command{
		Use:   "import TOOL PATH",
		Short: "Make specs of the tasks of Backlog.md, beads, task-master or GitHub",
		Long: `Make specs of the tasks and issues of another tool, in one commit.

backlog      the folder of Backlog.md
beads        the JSON lines that "bd export" writes, or a folder with .beads
task-master  tasks.json, or a folder with .taskmaster
github       what "gh issue list --json ..." prints; - reads it from stdin

Specs keep the ids that they had there as aliases, which every command accepts. A later
import adds what is new and merges the rest: what changed there comes, what changed here
stays. Nothing is imported if a file cannot be read. "chant task import" reads lotar.`,
		Example: `chant import backlog . --dry-run
chant import beads .beads/issues.jsonl
gh issue list --state all --limit 1000 \
  --json number,title,body,state,stateReason,labels,assignees,author,comments,createdAt,closedAt,milestone,url |
  chant import github -`,
		Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) (err error) {
			in.Tool, in.Path = tracker.Tool(args[0]), args[1]
			if in.Path == "-" {
				in.Path = "stdin"
				if in.Content, err = exchange.ReadStream(c.Context(), in.Path, a.In); err != nil {
					return err
				}
			} else {
				in.Path = a.Below(in.Path)
			}
			return console.Do(a, c, exchange.ImportFrom, in, func(w io.Writer, r exchange.ImportFromResult) { renderImport(w, a.Err, r) })
		},
	}
	for _, tool := range tracker.Tools() {
		c.ValidArgs = append(c.ValidArgs, string(tool))
	}
	c.Flags().BoolVar(&in.DryRun, "dry-run", false, "only show what would be imported")
	return c
}

func renderImport(w, errs io.Writer, r exchange.ImportFromResult) {
	verb := "Imported"
	if r.DryRun {
		verb = "Would import"
	}
	for _, it := range r.Added {
		fmt.Fprintf(w, "%s  %s  %s (%s)\n", text.Quote(it.Item), it.ID, text.Quote(it.Title), describeItem(it))
	}
	for _, it := range r.Changed {
		fmt.Fprintf(w, "%s  %s  %s (changed there)\n", text.Quote(it.Item), it.ID, text.Quote(it.Title))
		if len(it.Conflicts) > 0 {
			fmt.Fprintf(errs, "warning: %s changed here and there, and stays as it is here: %s\n", text.Quote(it.Item), strings.Join(it.Conflicts, ", "))
		}
	}
	for _, it := range r.LeftAlone {
		fmt.Fprintf(errs, "left alone: %s changed there, but %s\n", text.Quote(it.Item), it.WhyLeftAlone)
	}
	for _, what := range r.Left {
		fmt.Fprintf(errs, "not imported: %s\n", text.Quote(what))
	}
	for _, why := range r.Warnings {
		fmt.Fprintf(errs, "warning: %s\n", text.Quote(why))
	}
	fmt.Fprintf(w, "%s %s of %s; %d changed, %d unchanged\n", verb, console.Plural(len(r.Added), "new item"), r.Tool.Name(), len(r.Changed), r.Unchanged)
}

// describeItem describes what a new spec has.
func describeItem(it exchange.ImportedItem) string {
	out := string(it.Status)
	for _, part := range []struct {
		count int
		what  string
	}{{it.Members, "members"}, {it.DependsOn, "dependencies"}, {it.Criteria, "acceptance criteria"}, {it.Comments, "comments"}} {
		if part.count > 0 {
			out += fmt.Sprintf(", %s: %d", part.what, part.count)
		}
	}
	return out
}
