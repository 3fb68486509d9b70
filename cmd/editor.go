package cmd

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/spec/next"

	"github.com/spf13/cobra"
)

// editor is the command line of the person's editor. Error: Usage where it could not be used: there is no
// such program, or it needs a terminal that is missing. path is the file below home that is edited.
func editor(a *console.App, id, path string) ([]string, error) {
	words := wantedEditor(a)
	chosen := len(words) > 0
	if !chosen {
		words = []string{"vi"}
	}
	screened := console.Terminal(a.In) && (console.Terminal(a.Screen.Err) || console.Terminal(a.Screen.Out))
	// An editor of a window works without a terminal.
	if !screened && (!chosen || slices.Contains(screenEditors(), filepath.Base(words[0]))) {
		return nil, editorError(id, fmt.Sprintf("the editor %q needs a terminal, which is missing here; edit %s in your checkout, or set EDITOR to a program without one", words[0], path), "")
	}
	_, err := exec.LookPath(words[0])
	switch {
	case err == nil:
		return words, nil
	case chosen:
		return nil, editorError(id, fmt.Sprintf("the editor %q, named by VISUAL or EDITOR, cannot be started: %s", words[0], errors.Unwrap(err)), firstInstalled(screenEditors()))
	}
	return nil, editorError(id, fmt.Sprintf("neither VISUAL nor EDITOR is set, and vi is not installed; edit %s in your checkout, or set EDITOR", path), firstInstalled(screenEditors()))
}

// screenEditors are the usual editors that draw on a terminal.
func screenEditors() []string {
	return []string{"vi", "vim", "nvim", "nano", "emacs", "micro", "hx", "pico", "joe"}
}

// firstInstalled is the first program that is on PATH, "" for none.
func firstInstalled(names []string) string {
	for _, name := range names {
		if _, err := exec.LookPath(name); err == nil {
			return name
		}
	}
	return ""
}

// editorError is the refusal to open an editor. The next step is one that is there, else to read the spec.
func editorError(id, message, other string) error {
	step := next.Show.On(id)
	if other != "" {
		step = next.Shell("EDITOR=%s %s", other, next.Edit.On(id))
	}
	return &engine.Error{Code: engine.Usage, Message: message, Next: step}
}

// wantedEditor are the words of VISUAL, else of EDITOR; none where neither is set.
func wantedEditor(a *console.App) []string {
	var words []string
	// VISUAL comes last, since the last one found counts.
	for _, name := range []string{"EDITOR=", "VISUAL="} {
		for _, kv := range a.Environ {
			if v, ok := strings.CutPrefix(kv, name); ok && strings.TrimSpace(v) != "" {
				words = strings.Fields(v)
			}
		}
	}
	return words
}

func openEditor(a *console.App, c *cobra.Command, words []string, file string) error {
	cmd := exec.CommandContext(c.Context(), words[0], append(words[1:], file)...)
	// stdout is for the result, so an editor draws on stderr unless stdout is the terminal too.
	cmd.Stdin, cmd.Stdout, cmd.Stderr = a.In, a.Screen.Err, a.Screen.Err
	if console.Terminal(a.Screen.Out) && !a.JSON {
		cmd.Stdout = a.Screen.Out
	}
	if err := cmd.Run(); err != nil {
		return &engine.Error{Code: engine.Usage, Message: fmt.Sprintf("editor %q: %s", strings.Join(words, " "), err), Next: next.Shell("export EDITOR=vi"), Err: err}
	}
	return nil
}
