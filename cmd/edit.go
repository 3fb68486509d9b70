package cmd

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"chant/engine"

	"github.com/spf13/cobra"
)

func newEdit(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "edit ID",
		Short: "Edit a spec in $VISUAL or $EDITOR and commit it",
		Long: `Edit a spec in $VISUAL or $EDITOR (vi when neither is set) and commit it.

A text that cannot be read is not taken over; it is kept in a file whose name is
printed.`,
		Example: "chant edit 001\nEDITOR='code --wait' chant edit 001",
		Args:    oneID,
		RunE: func(c *cobra.Command, args []string) error {
			e, err := a.open()
			if err != nil {
				return err
			}
			result, err := runEditor(a, c, e, args[0])
			if err != nil {
				return err
			}
			return show(a, result, func(w io.Writer, r engine.StateResult) {
				if r.Commit == "" {
					fmt.Fprintf(w, "Unchanged %s\n", r.ID)
					return
				}
				fmt.Fprintf(w, "Edited %s\n", r.ID)
			})
		},
	}
}

// runEditor edits a copy of the spec, so that a half-written text is never where
// chant reads, and hands the result to the engine.
func runEditor(a *app, c *cobra.Command, e *engine.Engine, id string) (engine.StateResult, error) {
	src, err := e.Draft(c.Context(), id)
	if err != nil {
		return engine.StateResult{}, err
	}
	dir, err := os.MkdirTemp("", "chant-edit-")
	if err != nil {
		return engine.StateResult{}, err
	}
	file := filepath.Join(dir, src.ID+".md")
	if err := os.WriteFile(file, src.Text, 0o600); err != nil {
		return engine.StateResult{}, err
	}
	if err := openEditor(a, c, file); err != nil {
		return engine.StateResult{}, errors.Join(err, os.RemoveAll(dir))
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return engine.StateResult{}, err
	}
	if bytes.Equal(text, src.Text) && !src.Clash {
		return engine.StateResult{ID: src.ID}, os.RemoveAll(dir)
	}
	result, err := e.Edit(c.Context(), engine.EditInput{ID: src.ID, Old: src.Text, New: text})
	if err != nil {
		fmt.Fprintf(a.Err, "your text is kept in %s\n", file)
		return result, err
	}
	return result, os.RemoveAll(dir)
}

func openEditor(a *app, c *cobra.Command, file string) error {
	words := strings.Fields(a.editor())
	cmd := exec.CommandContext(c.Context(), words[0], append(words[1:], file)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = a.In, a.screen.err, a.screen.err
	if terminal(a.screen.out) && !a.json {
		cmd.Stdout = a.screen.out
	}
	if err := cmd.Run(); err != nil {
		return &engine.Error{Code: engine.Usage, Message: fmt.Sprintf("editor %q: %s", a.editor(), err), Hint: "export EDITOR=vi", Err: err}
	}
	return nil
}

// editor is the command line of the person's editor.
func (a *app) editor() string {
	found := "vi"
	for _, name := range []string{"EDITOR=", "VISUAL="} {
		for _, kv := range a.Environ {
			if v, ok := strings.CutPrefix(kv, name); ok && strings.TrimSpace(v) != "" {
				found = v
			}
		}
	}
	return found
}
