package cmd

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"chant/cmd/console"
	"chant/engine/author/commands"
	"chant/engine/format/climpt"

	"github.com/spf13/cobra"
)

// This file contains the command `chant command`: prompts that are found, shown and rendered.
//
// It binds flags to the inputs of operations and renders their results. It decides nothing about commands.

// options are the flags of `chant command run`.
type options struct {
	edition, adaptation, file, destination, id string
	variables                                  []string
}

// Work works a spec with a command as its prompt; the options are those of the command, as JSON.
type Work func(a *console.App, c *cobra.Command, id, prompt, options string) error

func newRun(a *console.App, work Work) *cobra.Command {
	in := commands.ExecuteInput{Files: commands.AnyFile(a.Dir)}
	var o options
	var id string
	var copied bool
	c := &cobra.Command{
		Use:   "run C1 C2 C3",
		Short: "Print the prompt of a command",
		Long: `Print the prompt of a command, with its variables filled in. Nothing of what the prompt
asks for is done, unless --work names a spec: then an agent works that with the prompt.

The text for {input_text} is read from stdin unless that is a terminal or empty, otherwise
from --file. Variables without a value stay as they are, and are named on stderr.`,
		Example: `chant command run git group-commit unstaged-changes
chant command run test/run/specific --uv-target=./engine/...
echo "Purpose: measure complexity" | chant command run meta create instruction
chant command run go review package --uv-package=./engine --copy
chant command run go review package --uv-package=./engine --work-on 001`,
		RunE: func(c *cobra.Command, args []string) error {
			name, err := nameArgs(c, args)
			if err != nil {
				return err
			}
			in.C1, in.C2, in.C3 = name.C1, name.C2, name.C3
			if id != "" {
				if copied || o.id != "" {
					return console.UsageError(c, "cannot use --work with --copy or --spec")
				}
				return o.work(a, c, work, id, in.Agent, name)
			}
			if in.Options, err = o.encode(c, nil); err != nil {
				return err
			}
			// Only where the prompt has a place for it, because reading waits for the end of the input.
			in.Files.Stdin = func() (string, error) { return readInput(a) }
			if copied {
				return doInFolder(a, c, executeAndCopy(a, &copied), in, renderCopied(a, &copied))
			}
			return doInFolder(a, c, commands.Execute, in, renderRun(a))
		},
	}
	agentFlag(c, &in.Agent)
	f := c.Flags()
	f.StringVarP(&o.edition, "edition", "e", "", "edition of the prompt")
	f.StringVarP(&o.adaptation, "adaptation", "a", "", "adaptation of the edition")
	f.StringVarP(&o.file, "file", "f", "", "file for {input_text_file}, and for {input_text} without stdin")
	f.StringVarP(&o.destination, "destination", "o", "", "path for {destination_path}")
	f.StringVar(&o.id, "spec", "", "spec whose fields are filled in")
	f.StringArrayVar(&o.variables, "uv", nil, "value of a variable, NAME=VALUE; may be repeated; also --uv-NAME=VALUE")
	f.BoolVar(&copied, "copy", false, "copy it to the clipboard instead")
	f.StringVar(&id, "work-on", "", "work this spec with it")
	console.Renamed(c, "work", "work-on")
	c.ValidArgsFunction = completeName(a, &in.Agent)
	for _, flag := range []string{"spec", "work-on"} {
		// The flags exist, so it cannot fail.
		_ = c.RegisterFlagCompletionFunc(flag, a.CompleteID)
	}
	return c
}

// work works a spec with the command.
func (o *options) work(a *console.App, c *cobra.Command, work Work, id, agent string, name climpt.Name) error {
	if o.file != "" {
		// An agent works in another folder.
		o.file = a.Below(o.file)
	}
	input, err := readInput(a)
	if err != nil {
		return err
	}
	given, err := o.encode(c, &input)
	if err != nil {
		return err
	}
	prompt := name.String()
	if agent != "" {
		prompt = agent + ":" + prompt
	}
	return work(a, c, id, prompt, string(given))
}

// readInput reads stdin unless it is a terminal.
func readInput(a *console.App) (string, error) {
	if console.Terminal(a.In) {
		return "", nil
	}
	return commands.ReadInput(a.In, "stdin")
}

// encode returns the options, with a text from stdin, as the operation takes them.
func (o *options) encode(c *cobra.Command, stdin *string) (json.RawMessage, error) {
	object := map[string]any{"edition": o.edition, "adaptation": o.adaptation, "file": o.file, "destination": o.destination, "spec": o.id}
	if stdin != nil {
		object["stdin"] = *stdin
	}
	for key, value := range object {
		if value == "" {
			delete(object, key)
		}
	}
	values := map[string]string{}
	for _, each := range o.variables {
		name, value, ok := strings.Cut(each, "=")
		if !ok || name == "" {
			return nil, console.UsageError(c, fmt.Sprintf("invalid --uv %q (use NAME=VALUE)", each))
		}
		// A map would keep one of them without a word.
		if _, twice := values[name]; twice {
			return nil, console.UsageError(c, fmt.Sprintf("variable %q is given twice", name))
		}
		values[name] = value
	}
	if len(values) > 0 {
		object["uv"] = values
	}
	return json.Marshal(object)
}

func renderRun(a *console.App) console.Render[commands.ExecuteResult] {
	return func(w io.Writer, r commands.ExecuteResult) {
		fmt.Fprint(w, r.Text)
		warn(a, r)
	}
}

// valueHint is how a variable gets a value.
func valueHint(name string) string {
	if name == "{input_text}" {
		return "give it on stdin or with --file"
	}
	return "--uv-" + strings.TrimPrefix(strings.Trim(name, "{}"), "uv-") + "=VALUE"
}

// warn names what the prompt lacks, and what it has no place for.
func warn(a *console.App, r commands.ExecuteResult) {
	if a.Quiet {
		return
	}
	for _, name := range r.Unfilled {
		fmt.Fprintf(a.Err, "warning: %s has no value (%s)\n", name, valueHint(name))
	}
	if r.NeedsSpec {
		fmt.Fprintln(a.Err, "warning: the prompt is for a spec, and --spec ID fills that in")
	}
	for _, name := range r.Unused {
		fmt.Fprintf(a.Err, "warning: the prompt has no place for --%s\n", name)
	}
}
