package board

import (
	"context"
	"io"

	"chant/cmd/console"
	"chant/engine"

	tea "charm.land/bubbletea/v2"
)

// Within returns the board for a view that gives the terminal to it, such as that of a run in this process, and gets the
// terminal back when the person quits the board. With an id, that spec is open.
func Within(ctx context.Context, a *console.App, id string) tea.ExecCommand {
	return &within{ctx: ctx, app: a, id: id}
}

type within struct {
	ctx context.Context //nolint:containedctx // of Run, which takes none
	app *console.App
	id  string
	in  io.Reader
	out io.Writer
}

// SetStdin implements tea.ExecCommand.
func (w *within) SetStdin(r io.Reader) { w.in = r }

// SetStdout implements tea.ExecCommand.
func (w *within) SetStdout(out io.Writer) { w.out = out }

// SetStderr implements tea.ExecCommand; the board reports its errors itself.
func (w *within) SetStderr(io.Writer) {}

// Run shows the board until the person quits it.
func (w *within) Run() error {
	p, err := engine.Open(w.app.Dir, withRecall(w.app.Options(nil)))
	if err != nil {
		return err
	}
	return (&desk{app: w.app, p: p}).open(w.ctx, w.id, w.in, w.out)
}
