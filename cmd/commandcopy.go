package cmd

import (
	"context"
	"fmt"
	"io"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/author/commands"

	"github.com/atotto/clipboard"
	"github.com/charmbracelet/x/ansi"
)

// executeAndCopy renders a command and copies the prompt to the clipboard of the system. Where that has none, as over
// SSH, the terminal is asked to do it; where there is no terminal either, the prompt is left to be printed.
func executeAndCopy(a *console.App, copied *bool) func(context.Context, *engine.Project, commands.ExecuteInput) (commands.ExecuteResult, error) {
	return func(ctx context.Context, p *engine.Project, in commands.ExecuteInput) (commands.ExecuteResult, error) {
		r, err := commands.Execute(ctx, p, in)
		if err != nil {
			return r, err
		}
		size := console.Plural(len(r.Text), "byte")
		switch *copied = true; {
		// Over SSH there is no clipboard of the system, and only the terminal can set the one of the person.
		case clipboard.WriteAll(r.Text) == nil:
			fmt.Fprintf(a.Err, "copied %s to the clipboard\n", size)
		case console.Terminal(a.Screen.Err):
			// Not through a.Err, which would spell the sequence out.
			fmt.Fprint(a.Screen.Err, ansi.SetSystemClipboard(r.Text))
			fmt.Fprintf(a.Err, "sent %s to the clipboard of the terminal\n", size)
		default:
			*copied = false
			fmt.Fprintln(a.Err, "warning: there is no clipboard, so the prompt is printed")
		}
		return r, nil
	}
}

// renderCopied prints the prompt unless it was copied.
func renderCopied(a *console.App, copied *bool) console.Render[commands.ExecuteResult] {
	return func(w io.Writer, r commands.ExecuteResult) {
		if *copied {
			warn(a, r)
			return
		}
		renderRun(a)(w, r)
	}
}
