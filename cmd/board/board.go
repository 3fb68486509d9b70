// Package board is the command that shows the board of a project, a screen to work in.
//
// What the board shows is decided in cmd/tui/board. This package connects that to the engine, to
// the changes that the system reports, and to the terminal.
//
// # Decisions
//
//   - 2026-11-26: a run that the board starts is a process of its own, and continues when the
//     board is closed. Rejected: runs in the process of the board, which a closed terminal would
//     pause. What ends soon, such as a merge, runs in the board, which waits for it.
//
//   - 2026-11-26: 45 frames a second at most. An idle board costs nothing but the wake-ups of the
//     renderer, which looks for a new frame that often: as much as an empty program with such a
//     ticker (0.67 % of a core at 60, measured beside each other over 60 s on a busy machine, where
//     the board took 0.67 % at 60, 0.48 % at 40, 0.38 % at 30 and 0.03 % at 1). A key waits for
//     half a frame more than it takes: 10.5 ms (median of 100) at 60, 16.9 ms at 40. Rejected: 60,
//     the default; and 30, where a key is seen to be late.
//
//   - 2026-11-26: the editor is started by the command that edits a spec, in the terminal that the
//     board gives up meanwhile. Rejected: doing here what that command does.
package board

import (
	"context"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"chant/cmd/console"
	"chant/cmd/tui/board"
	"chant/engine"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/engine/view"

	tea "charm.land/bubbletea/v2"
	"github.com/spf13/cobra"
)

// framesPerSecond is how often the renderer looks for a new frame, at most.
const framesPerSecond = 45

// New returns the command `chant board`.
func New(a *console.App) *cobra.Command {
	plain := false
	var scope view.Scope
	c := &cobra.Command{
		Use:   "board [ID]",
		Short: "Open the board of all specs: follow runs, read diffs, decide",
		Long: `Show all specs in columns, or in a list on a narrow terminal, live. A spec opens into its
text, criteria with evidence, log, diff, history and dependencies. Keys work, pause, answer,
approve, merge and more; ? lists them, and so does "chant guide board".

In a pipe, with --plain or with TERM=dumb, the board is printed once as text; with an ID, what
its tabs show.`,
		Example: "chant board\nchant board 001\nchant board --plain\nchant board --global\nchant board --json",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return show(a, c, scope, strings.Join(args, ""), plain)
		},
	}
	console.ScopeFlags(c, &scope)
	c.Flags().BoolVar(&plain, "plain", false, "print the board once as text")
	return c
}

// Opens reports whether chant without arguments opens the board: on a terminal, inside a project, outside of runs.
func Opens(s console.Env) bool {
	if !isUsableTerminal(s.In, s.Out, s.Environ) {
		return false
	}
	p, err := engine.Open(s.Dir, engine.Options{Environ: s.Environ, Executable: s.Executable})
	return err == nil && view.MayWorkOnBoard(p) == nil
}

// isUsableTerminal reports whether the streams and the environment are those of a terminal on which the board can be drawn.
func isUsableTerminal(in io.Reader, out io.Writer, environ []string) bool {
	return !slices.Contains(environ, "TERM=dumb") && console.Terminal(in) && console.Terminal(out)
}

func show(a *console.App, c *cobra.Command, scope view.Scope, id string, plain bool) error {
	options := a.Options(nil)
	if !scope.IsHere() {
		if id != "" {
			return &engine.Error{Code: engine.Usage, Message: "an ID is of one project (leave out --repo, --project and --global)", Next: next.Show.On(id)}
		}
		// Projects that are left out are reported.
		options = a.Options(a.Line)
	}
	// The board reads all specs again after each change, and remembers those that have not changed.
	p, err := openScope(c.Context(), a.Dir, scope, withRecall(options))
	if err != nil {
		return err
	}
	d := &desk{app: a, p: p, scope: scope}
	if !scope.IsHere() {
		if d.places, err = view.Places(c.Context(), p, scope); err != nil {
			return err
		}
	}
	if id != "" {
		if id, err = engine.Find(c.Context(), p, id); err != nil {
			return engine.Wrap(err, id)
		}
	}
	plain = plain || !isUsableTerminal(a.In, a.Screen.Out, a.Environ)
	switch {
	case a.JSON && id != "":
		return &engine.Error{Code: engine.Usage, Message: "--json prints the whole board; show prints one spec", Next: next.Show.On(id)}
	case a.JSON, id == "" && plain:
		r, err := d.Board(c.Context())
		if err != nil {
			return err
		}
		return console.Page(a, a.Canvas(), r, func(w io.Writer, r view.BoardResult) { board.Plain(w, r) })
	case plain:
		return board.PlainSpec(c.Context(), a.Out, d, id)
	}
	if err := view.MayWorkOnBoard(p); err != nil {
		return err
	}
	// A Ctrl-C in a program that has the terminal is for that program.
	a.Stop.Take()
	return d.open(c.Context(), id, a.In, a.Screen.Out)
}

// openScope opens the project of a folder, or any of its repository for a scope of several.
func openScope(ctx context.Context, dir string, scope view.Scope, o engine.Options) (*engine.Project, error) {
	if scope.IsHere() {
		return engine.Open(dir, o)
	}
	return engine.OpenAny(ctx, dir, o)
}

func withRecall(o engine.Options) engine.Options {
	o.Recall = &store.Cache{}
	return o
}

// open shows the board until its person quits. Then it waits for what is still being carried out, which is stopped.
func (d *desk) open(outer context.Context, id string, in io.Reader, out io.Writer) error {
	ctx, stop := d.begin(outer)
	defer stop()
	program := tea.NewProgram(board.New(ctx, d, filepath.Base(engine.Home(d.p)), id),
		tea.WithContext(outer), tea.WithFPS(framesPerSecond), tea.WithInput(in), tea.WithOutput(out), tea.WithEnvironment(d.app.Environ), tea.WithoutSignalHandler())
	watched := d.watch(ctx, program)
	_, err := program.Run()
	// What is still being carried out would otherwise continue behind a prompt that looks as if nothing ran.
	stop()
	<-watched
	if outer.Err() != nil {
		return outer.Err()
	}
	return err
}
