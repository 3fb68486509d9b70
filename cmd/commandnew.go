package cmd

import (
	"fmt"
	"io"
	"os"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/author/commands"
	"chant/engine/spec/next"

	"github.com/spf13/cobra"
)

func newNew(a *console.App) *cobra.Command {
	var in commands.NewInput
	from := ""
	c := &cobra.Command{
		Use:   "new C1 C2 C3",
		Short: "Write the prompt of a new command",
		Long: `Write the prompt of a new command, and add it to the registry where there is one. Nothing
is committed. The text is an outline unless --from names a file; - is stdin.`,
		Example: `chant command new go review package --description "Review a Go package for races and leaks" --uv "package=Path of the package"
chant command new docs write changelog --description "Write the changelog of a release" --file draft.md`,
		RunE: func(c *cobra.Command, args []string) error {
			name, err := nameArgs(c, args)
			if err != nil {
				return err
			}
			in.C1, in.C2, in.C3 = name.C1, name.C2, name.C3
			if in.Text, err = readText(a, from); err != nil {
				return err
			}
			return doInFolder(a, c, commands.New, in, renderNew)
		},
	}
	agentFlag(c, &in.Agent)
	f := c.Flags()
	f.StringVar(&in.Description, "description", "", "what it does, in one line; by this it is found")
	f.StringVar(&in.Title, "title", "", "title (default: the description)")
	f.StringVarP(&in.Edition, "edition", "e", "", "edition of the prompt")
	f.StringVarP(&in.Adaptation, "adaptation", "a", "", "adaptation of the edition")
	f.StringArrayVar(&in.Variables, "uv", nil, "variable, NAME or NAME=DESCRIPTION; may be repeated")
	f.StringVarP(&from, "file", "f", "", "file with the text, - for stdin")
	console.Renamed(c, "from", "file")
	c.ValidArgsFunction = completeName(a, &in.Agent)
	return c
}

// readText reads the text of a new prompt; none without a file.
func readText(a *console.App, from string) (string, error) {
	switch from {
	case "":
		return "", nil
	case "-":
		return commands.ReadInput(a.In, "stdin")
	}
	in, err := os.Open(a.Below(from))
	if err != nil {
		return "", &engine.Error{Code: engine.Usage, Message: fmt.Sprintf("cannot read %q: %v", from, err), Next: next.Op("command new").Help(), Err: err}
	}
	defer in.Close()
	return commands.ReadInput(in, fmt.Sprintf("file %q", from))
}

func renderNew(w io.Writer, r commands.NewResult) {
	fmt.Fprintf(w, "Created %s\n", r.Path)
	if r.Registry != "" {
		fmt.Fprintf(w, "Added to %s\n", r.Registry)
	}
}
