package cmd

import (
	"fmt"
	"io"
	"path/filepath"

	"chant/cmd/console"
	"chant/engine/feature"
	"chant/text"

	"github.com/spf13/cobra"
)

// NewAdopt returns the command "chant adopt".
func NewAdopt(a *console.App) *cobra.Command {
	var in feature.AdoptInput
	c := &cobra.Command{
		Use:   "adopt [FOLDER...]",
		Short: "Make specs of folders of spec-kit, Kiro and OpenSpec, where they are",
		Long: `Make specs of features of spec-kit (specs/NNN-name) and Kiro (.kiro/specs/NAME), and of changes of OpenSpec
(openspec/changes/NAME).

Each folder stays where it is and is not changed. Its spec names it, and has its tasks, checklists, scenarios, requirements
and success criteria as acceptance criteria. Without a folder, all are adopted that are not yet.`,
		Example: "chant adopt\nchant adopt --dry-run\nchant adopt specs/009-user-directory\nchant adopt .kiro/specs/user-directory\nchant adopt openspec/changes/add-search",
		RunE: func(c *cobra.Command, args []string) error {
			in.Paths = nil
			for _, folder := range args {
				if !filepath.IsAbs(folder) {
					folder = filepath.Join(a.Dir, folder)
				}
				in.Paths = append(in.Paths, folder)
			}
			return console.Do(a, c, feature.Adopt, in, renderAdopt)
		},
	}
	c.Flags().BoolVar(&in.DryRun, "dry-run", false, "only print what would be adopted")
	return c
}

func renderAdopt(w io.Writer, r feature.AdoptResult) {
	word := "Adopted"
	if r.DryRun {
		word = "Would adopt"
	}
	for _, f := range r.Adopted {
		if f.Problem != "" {
			fmt.Fprintf(w, "Cannot adopt %s: %s\n", text.Quote(f.Source), text.Quote(f.Problem))
			continue
		}
		fmt.Fprintf(w, "%s %s", word, text.Quote(f.Source))
		if f.ID != "" {
			fmt.Fprintf(w, " as %s", f.ID)
		}
		fmt.Fprintf(w, ": %s (%s)\n", text.Quote(f.Title), progressText(f))
	}
	for _, f := range r.Known {
		fmt.Fprintf(w, "%s is %s already (%s)\n", text.Quote(f.Source), f.ID, progressText(f))
	}
}

// progressText describes how far a folder is.
func progressText(f feature.AdoptedFolder) string {
	out := string(f.Status)
	if f.Phase != "" {
		out += ", phase " + f.Phase
	}
	return fmt.Sprintf("%s, %d of %d tasks done, acceptance criteria: %d", out, f.Done, f.Tasks, f.Criteria)
}
