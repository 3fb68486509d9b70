package cmd

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/author"
	"chant/engine/spec"

	"github.com/spf13/cobra"
)

func newEdit(a *console.App) *cobra.Command {
	return &cobra.Command{
		Use:   "edit ID",
		Short: "Edit a spec in your editor ($VISUAL, $EDITOR) and commit it",
		Long: `Edit a spec in $VISUAL or $EDITOR (vi when neither is set) and commit it.

A text with invalid front matter is not saved as the spec; it is kept in a file whose
name is printed. Held-out criteria are at the end of the text, and are moved back to where
no agent reads them: chant guide proof.`,
		Example: "chant edit 001\nEDITOR='code --wait' chant edit 001",
		Args:    console.OneID,
		RunE: func(c *cobra.Command, args []string) error {
			p, err := a.Open()
			if err != nil {
				return err
			}
			result, err := runEditor(a, c, p, args[0])
			if err != nil {
				return err
			}
			return console.Show(a, result, func(w io.Writer, r engine.StateResult) {
				if r.Commit == "" {
					fmt.Fprintf(w, "Unchanged %s\n", r.ID)
					return
				}
				fmt.Fprintf(w, "Edited %s\n", r.ID)
			})
		},
	}
}

// runEditor edits a copy of the spec and hands the result to the engine.
func runEditor(a *console.App, c *cobra.Command, p *engine.Project, id string) (engine.StateResult, error) {
	src, err := author.Draft(c.Context(), p, id)
	if err != nil {
		return engine.StateResult{}, err
	}
	words, err := editor(a, src.ID, src.Path)
	if err != nil {
		return engine.StateResult{}, err
	}
	// A copy, so that a half-written text is never where chant reads.
	around := ""
	if src.HeldOut {
		// Agents at work can read temporary files, but not this folder.
		if around, err = p.Store.CacheDir(".edit"); err != nil {
			return engine.StateResult{}, err
		}
	}
	dir, err := os.MkdirTemp(around, "chant-edit-")
	if err != nil {
		return engine.StateResult{}, err
	}
	file := filepath.Join(dir, src.ID+".md")
	if err := os.WriteFile(file, src.Text, 0o600); err != nil {
		return engine.StateResult{}, err
	}
	if err := openEditor(a, c, words, file); err != nil {
		return engine.StateResult{}, errors.Join(err, os.RemoveAll(dir))
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return engine.StateResult{}, err
	}
	// A text with marks of a conflict is not accepted unchanged.
	if bytes.Equal(text, src.Text) && !src.Clash {
		return engine.StateResult{ID: src.ID, Status: cmp.Or(src.Status, spec.Invalid)}, os.RemoveAll(dir)
	}
	result, err := author.Edit(c.Context(), p, author.EditInput{ID: src.ID, Old: src.Text, New: text})
	// The text of a person is never lost because it cannot be saved.
	if err != nil {
		fmt.Fprintf(a.Err, "your text is kept in %s\n", file)
		return result, err
	}
	return result, os.RemoveAll(dir)
}
