package cmd

import (
	"fmt"
	"io"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/spec/next"
	"chant/engine/task/exchange"
	"chant/text"

	"github.com/spf13/cobra"
)

// lotarFormat is the format that writes a directory instead of a file.
const lotarFormat = "lotar"

// exportToLotar writes all specs as a directory of lotar.
func exportToLotar(a *console.App, c *cobra.Command, dir string) error {
	// A filter that is ignored would look as if it had been applied.
	for _, name := range []string{"status", "type", "label", "ready", "from", "to", "archived", "fields"} {
		if c.Flags().Changed(name) {
			return &engine.Error{Code: engine.Usage, Next: next.Export.Help(), Message: fmt.Sprintf("--%s does not go with --format lotar, which writes all specs", name)}
		}
	}
	if dir == "" {
		return &engine.Error{Code: engine.Usage, Next: next.Export.Help(), Message: "--format lotar writes a directory: name it with -o"}
	}
	if err := refuseKept(a, dir); err != nil {
		return err
	}
	return console.Do(a, c, exchange.Export, exchange.ExportInput{Dir: a.Below(dir)}, func(w io.Writer, r exchange.ExportResult) {
		fmt.Fprintf(w, "Wrote %s and %s to %s\n", console.Plural(r.Tasks, "task"), console.Plural(r.Sprints, "sprint"), dir)
		for _, given := range r.Numbered {
			fmt.Fprintf(w, "  %s there\n", given)
		}
		for _, why := range r.Invalid {
			fmt.Fprintf(a.Err, "not exported: %s\n", text.Quote(why))
		}
	})
}
