package console

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/spec/next"
	"chant/engine/work/node"
	"chant/text"

	"github.com/charmbracelet/x/term"
	mango "github.com/muesli/mango-cobra"
	"github.com/muesli/roff"
	"github.com/spf13/cobra"
)

// Env is the process of a command: its streams, folder and environment.
type Env struct {
	In         io.Reader
	Out, Err   io.Writer
	Dir        string   // where to look for the project
	Environ    []string // K=V
	Executable string   // this program
	OnStep     func(journal.Step, journal.State)
	Interrupts <-chan os.Signal // Ctrl-C; everything else that stops a process ends the context
	// StartServer starts the server of a queue; nil in a program without one.
	StartServer node.StartServer
	// Observe starts the export of metrics and traces; nil in a program without that.
	Observe node.StartObserver
}

// App has what every command shares. Its Out and Err take what commands print and make it
// printable; Screen has the streams as they are.
type App struct {
	Env
	Screen     streams
	JSON       bool
	Quiet      bool
	NoPager    bool
	Ran        bool // a command's own code was reached
	Completing bool // a shell asks for completions
	Bell       bool // the terminal rings when an agent asks a person; from the settings of the project
	Stop       stopper

	lasting context.Context // ends with the process, not with a Ctrl-C
}

// streams are those of the process, for what draws on a terminal, hands it to another
// program or implements a protocol.
type streams struct{ Out, Err io.Writer }

func newApp(s Env) *App {
	a := &App{Env: s, Screen: streams{s.Out, s.Err}}
	a.Out, a.Err = text.NewVisibleWriter(s.Out), text.NewVisibleWriter(s.Err)
	return a
}

// Run runs one command line of the commands below root and returns its exit code.
func Run(ctx context.Context, args []string, s Env, root func(*App) *cobra.Command) int {
	a := newApp(s)
	defer a.flush()
	// Before the parser, since a line that it refuses is answered in JSON too.
	a.JSON = slices.Contains(args, "--json")
	a.lasting = ctx
	ctx, release := a.Stop.listen(ctx, s.Interrupts)
	defer release()
	if err := a.execute(ctx, joinVariables(joinAddress(joinWidth(args))), root); err != nil {
		if code, is := errors.AsType[Exit](err); is {
			return int(code)
		}
		e := a.asError(err)
		a.printError(e)
		return exitCode(e.Code)
	}
	return 0
}

// Exit is the error of a command that exits with the code of another program, which has printed what failed.
type Exit int

// Error names the code.
func (e Exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// execute runs a command line.
func (a *App) execute(ctx context.Context, args []string, root func(*App) *cobra.Command) error {
	var unknown, unwritten error
	top := a.commands(args, root)
	top.Version, top.SilenceErrors, top.SilenceUsage = ThisBuild().String(), true, true
	// A word that is no command is answered below, as it is for commands of commands.
	top.Args = cobra.ArbitraryArgs
	top.SetHelpFunc(func(c *cobra.Command, _ []string) {
		// cobra prints help instead of refusing the word.
		if rest := c.Flags().Args(); !c.Runnable() && len(rest) > 0 {
			unknown = unknownCommand(c, rest[0])
			return
		}
		unwritten = AsText(a.WriteHelp)(c.OutOrStdout(), c)
	})
	top.AddCommand(a.NewMan())
	return cmp.Or(top.ExecuteContext(ctx), unknown, unwritten)
}

// NewMan returns the command that prints all commands as a page for man, or writes it to a folder.
func (a *App) NewMan() *cobra.Command {
	folder := ""
	c := &cobra.Command{Use: "man", Hidden: true, Args: NoArgs, RunE: func(c *cobra.Command, _ []string) error {
		page, err := mango.NewManPage(1, c.Root())
		if err != nil {
			return err
		}
		text := page.Build(roff.NewDocument())
		if folder == "" {
			_, err = io.WriteString(c.OutOrStdout(), text)
			return err
		}
		return a.WriteFile(filepath.Join(folder, "chant.1"), []byte(text))
	}}
	c.Flags().StringVar(&folder, "out-dir", "", "write chant.1 to this folder instead")
	return c
}

// commands is the tree of commands for one command line, on the streams of the process.
func (a *App) commands(args []string, root func(*App) *cobra.Command) *cobra.Command {
	a.Completing = len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd)
	top := root(a)
	top.SetArgs(args)
	top.SetIn(a.In)
	top.SetOut(a.Screen.Out)
	top.SetErr(a.Screen.Err)
	sortByUse(top)
	return top
}

// flush writes what an incomplete last character has held back.
func (a *App) flush() {
	for _, w := range []io.Writer{a.Out, a.Err} {
		if v, ok := w.(*text.VisibleWriter); ok {
			// A stream that takes it no more has refused what came before it, which was reported.
			_ = v.Flush()
		}
	}
}

// asError gives every failure a code: what the command line itself refused is
// usage, what no operation has named is our bug.
func (a *App) asError(err error) *engine.Error {
	var e *engine.Error
	switch {
	case errors.As(err, &e):
		return e
	// Only the parser can have refused a line whose command was never reached.
	case !a.Ran:
		return &engine.Error{Code: engine.Usage, Message: err.Error(), Next: next.Help(), Err: err}
	case errors.Is(err, context.Canceled):
		return &engine.Error{Code: engine.Canceled, Message: "stopped", Err: err}
	}
	return &engine.Error{Code: engine.Internal, Message: err.Error(), Err: err}
}

// printError prints a failure without the secrets of the environment.
func (a *App) printError(e *engine.Error) {
	// Names of files and servers may contain secrets of the environment.
	clean := engine.Redact(a.Environ)
	e = &engine.Error{Code: e.Code, Message: string(clean([]byte(e.Message))), Next: next.Parse(string(clean([]byte(e.Next.String()))))}
	if a.JSON {
		if err := json.NewEncoder(a.Err).Encode(map[string]*engine.Error{"error": e}); err == nil {
			return
		}
	}
	fmt.Fprintf(a.Err, "error: %s\n", e.Message)
	if !e.Next.IsZero() {
		fmt.Fprintf(a.Err, "hint: %s\n", e.Next)
	}
}

// exitCode maps a code to what the process exits with.
func exitCode(c engine.Code) int {
	switch c {
	case engine.Usage:
		return 2
	case engine.NotFound:
		return 3
	case engine.Invalid:
		return 4
	case engine.State:
		return 5
	case engine.Blocked:
		return 6
	case engine.Conflict:
		return 7
	case engine.Agent:
		return 8
	case engine.Unverified:
		return 9
	case engine.Canceled:
		return 130
	case engine.Internal:
		return 1
	}
	return 1
}

// Options are those with which a command opens the project.
func (a *App) Options(progress func(engine.Event)) engine.Options {
	return engine.Options{Environ: a.Environ, Executable: a.Executable, Version: ThisBuild().String(), Progress: progress, OnStep: a.OnStep, Interrupts: a.Stop.Taken()}
}

// Open finds the project; progress goes to stderr as plain lines.
func (a *App) Open() (*engine.Project, error) {
	p, err := engine.Open(a.Dir, a.Options(a.Line))
	if err == nil {
		a.Bell = p.Config.Work.Bell
	}
	if err == nil && !a.Quiet && !a.JSON {
		if home := engine.SpecsElsewhere(context.Background(), p); home != "" {
			fmt.Fprintf(a.Err, "specs are read from %s, not from this worktree\n", home)
		}
	}
	return p, err
}

// Render prints a result for people.
type Render[R any] func(w io.Writer, result R)

// Do opens the project, runs an operation and prints its result.
func Do[I, R any](a *App, c *cobra.Command, op func(context.Context, *engine.Project, I) (R, error), in I, text Render[R]) error {
	p, err := a.Open()
	if err != nil {
		return err
	}
	result, err := op(c.Context(), p, in)
	if err != nil {
		return err
	}
	return Page(a, a.Canvas(), result, text)
}

// Page is Show for results that are complete, on a terminal with its styles and by a pager if they are longer than the
// screen. It is not for commands that print more later.
func Page[R any](a *App, on Canvas, result R, text Render[R]) error {
	if a.JSON {
		return Show(a, result, text)
	}
	out, end := a.Results(on)
	return errors.Join(ShowOn(a, out, result, text), end())
}

// AllInText is the limit of a list that people read in full: none was given, and
// the result is printed as text.
func (a *App) AllInText(limit int) int {
	if limit <= 0 && !a.JSON {
		return math.MaxInt
	}
	return limit
}

// Show prints a result: JSON alone, or text.
func Show[R any](a *App, result R, text Render[R]) error { return ShowOn(a, a.Out, result, text) }

// ShowOn is Show with another stream for text, such as that of Results.
func ShowOn[R any](a *App, out io.Writer, result R, text Render[R]) error {
	if !a.JSON {
		return AsText(text)(out, result)
	}
	return WriteJSON(a.Out, result, "  ")
}

// AsText is a rendering that returns its write error.
func AsText[R any](text Render[R]) func(io.Writer, R) error {
	return func(w io.Writer, r R) error {
		// It returns the first error when it is flushed.
		out := bufio.NewWriterSize(w, 1<<16)
		text(out, r)
		return out.Flush()
	}
}

// Terminal reports whether a stream is one a person looks at or types into.
func Terminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(f.Fd())
}

// Below is a path as seen from where the command was given.
func (a *App) Below(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(a.Dir, path)
}
