package cmd

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"chant/cmd/console"
	"chant/cmd/wizard"
	"chant/engine"
	"chant/engine/format/report"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/view"
	"chant/text"

	"github.com/spf13/cobra"
)

func newExport(a *console.App) *cobra.Command {
	var in view.ExportInput
	format, file := "json", ""
	c := &cobra.Command{
		Use:   "export",
		Short: "Export specs as JSON, CSV, a Markdown table or tasks of lotar",
		Long: `Write specs as JSON, CSV or a Markdown table, for other programs and for people.
With --format lotar all specs and sprints become a .tasks directory, which lotar can read.
Without flags, it asks for everything on a terminal.

Fields: all, or some of id, type, status, title, labels, priority, task, task_status,
task_type, assignee, reporter, due_date, effort, sprints, custom_fields, comments, model,
provider, runs_on, prompt, depends_on, members, target_files, context, branch, commits,
completed_at, landed, verification_status, reason, reason_code, ready, blocked, archived,
approval, criteria, criteria_checked, attempts, tokens_in, tokens_cached,
tokens_cache_write, tokens_out, tokens_unknown, turns, cost_usd, cost_unknown,
seconds and the keys that the project requires or derives. In JSON a field without a value is
absent. tokens_unknown and cost_unknown count the agents that the sums leave out.`,
		Example: `chant export --status completed --from 2026-01-01 --format csv -o done.csv
chant export --label api --fields id,title,status,cost_usd --format markdown
chant export --fields all --archived
chant export --format lotar -o tasks-for-lotar`,
		Args: console.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if screen, asks := wizard.On(a); asks && console.Terminal(a.Screen.Out) && !wizard.Begun(c) {
				chosen, err := exportByQuestions(a, c, screen)
				if err != nil {
					return err
				}
				format, in, file = chosen.Format, chosen.Input, chosen.File
			}
			if format == lotarFormat {
				return exportToLotar(a, c, file)
			}
			write, err := exportFormat(format)
			if err != nil {
				return err
			}
			return export(a, c, in, file, write)
		},
	}
	f := c.Flags()
	f.StringVarP(&format, "format", "f", format, "one of json, csv, markdown, lotar")
	f.StringSliceVarP(&in.Statuses, "status", "s", nil, "only specs in one of these statuses (also ready, blocked)")
	f.StringVarP(&in.Type, "type", "t", "", "only this type")
	f.StringSliceVarP(&in.Labels, "label", "l", nil, "only specs with one of these labels")
	f.BoolVar(&in.Ready, "ready", false, "only specs that can be worked now")
	f.StringVar(&in.From, "from", "", "only ids of this day or later, such as 2026-01-31")
	f.StringVar(&in.To, "to", "", "only ids of this day or earlier")
	f.BoolVar(&in.Archived, "archived", false, "also archived specs")
	f.StringSliceVar(&in.Fields, "fields", nil, "fields to write, in this order, or all (default: id, type, status, title, labels, model, completed_at, verification_status)")
	f.StringVarP(&file, "output", "o", "", "write to this file (of lotar, to this directory), completely or not at all")
	return c
}

// exportByQuestions asks what is exported.
func exportByQuestions(a *console.App, c *cobra.Command, screen wizard.Screen) (wizard.Exported, error) {
	p, err := a.Open()
	if err != nil {
		return wizard.Exported{}, err
	}
	k := wizard.Exportable{Statuses: view.ExportStatuses(), Labels: a.Labels(c.Context()), Below: a.Below, Refused: func(path string) error { return refuseKept(a, path) }}
	k.Fields, k.Usual = view.ExportFields(p)
	chosen, err := wizard.Export(c.Context(), screen, k)
	if err == nil {
		screen.Same(wizard.ExportStep(chosen))
	}
	return chosen, err
}

// refuseKept refuses to write to a path inside a folder of git or of chant.
func refuseKept(a *console.App, path string) error {
	if kept, is := keptFolder(a.Below(path)); is {
		return &engine.Error{Code: engine.Usage, Next: next.Export.Help(), Message: fmt.Sprintf("%q is inside %s, which belongs to git and chant", path, kept)}
	}
	return nil
}

// exportWriter writes a result in a format.
type exportWriter func(io.Writer, view.ExportResult) error

func exportFormat(name string) (exportWriter, error) {
	switch name {
	case "json":
		return exportJSON, nil
	case "csv":
		return func(w io.Writer, r view.ExportResult) error { return report.CSV(w, exportTable(r)) }, nil
	case "markdown":
		return func(w io.Writer, r view.ExportResult) error { return report.Markdown(w, exportTable(r)) }, nil
	}
	return nil, &engine.Error{Code: engine.Usage, Next: next.Export.Help(), Message: spec.Unknown("format", name, []string{"json", "csv", "markdown", "lotar"})}
}

// export prints specs, or writes them to a file.
func export(a *console.App, c *cobra.Command, in view.ExportInput, file string, write exportWriter) error {
	p, err := a.Open()
	if err != nil {
		return err
	}
	r, err := view.Export(c.Context(), p, in)
	if err != nil {
		return err
	}
	// They are missing in every format, so that is said beside it.
	for _, why := range r.Invalid {
		fmt.Fprintf(a.Err, "not exported: %s\n", text.Quote(why))
	}
	var out bytes.Buffer
	if err := write(text.NewVisibleWriter(&out), r); err != nil {
		return err
	}
	// Only after everything was written in memory, so that a failure leaves the old file.
	if file != "" {
		if err := refuseKept(a, file); err != nil {
			return err
		}
		if err := replaceFile(a.Below(file), out.Bytes()); err != nil {
			return &engine.Error{Code: engine.Usage, Message: err.Error(), Next: next.Export.Help(), Err: err}
		}
		out.Reset()
	}
	return console.Show(a, r, func(w io.Writer, r view.ExportResult) {
		if file != "" {
			fmt.Fprintf(w, "Wrote %s to %s\n", console.Plural(len(r.Specs), "spec"), file)
		}
		// Show reports an error.
		_, _ = out.WriteTo(w)
	})
}

// keptFolder is the folder of git or of chant in which a file would be replaced, links followed.
func keptFolder(file string) (string, bool) {
	dir, err := filepath.EvalSymlinks(filepath.Dir(file))
	if err != nil {
		// Writing reports the error.
		return "", false
	}
	if real, err := filepath.EvalSymlinks(file); err == nil {
		dir = filepath.Dir(real)
	}
	parts := strings.Split(filepath.ToSlash(dir), "/")
	for i, part := range parts {
		// A run's worktree is below the folder of chant, but does not count as part of it.
		inTree := len(parts) > i+2 && parts[i+1] == "worktrees"
		if part == ".git" || part == ".chant" && !inTree && isTop(strings.Join(parts[:i], "/")) {
			return part, true
		}
	}
	return "", false
}

// isTop reports whether a folder is the top of a worktree: elsewhere .chant is but a name.
func isTop(folder string) bool {
	_, err := os.Lstat(filepath.Join(filepath.FromSlash(folder), ".git"))
	return err == nil
}

func exportJSON(w io.Writer, r view.ExportResult) error {
	return console.WriteJSON(w, r.Specs, "  ")
}

func exportTable(r view.ExportResult) report.Table {
	t := report.Table{Columns: r.Fields}
	for _, row := range r.Specs {
		var cells []any
		for _, c := range row {
			cells = append(cells, c.Value)
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}
