// Package cmd is the command line: one file per command, flags bound straight
// into an operation's Input, and text for people.
//
// It decides nothing about specs. Results go to stdout, everything else to
// stderr; with --json stdout carries the Result of the operation alone. Opening
// the project is left until a command needs it, so that help works anywhere.
//
// # Decisions
//
// 2026-11-20: with --json a failure is a JSON object on stderr. Refused: putting
// it on stdout, where a script would have to tell it from a result.
//
// 2026-11-22: what commands print is made printable where it leaves the program, on a
// pipe and in a file of "chant export" as on a terminal. Refused: doing so in each
// command, since one that forgot it gave a file or an agent the terminal; and doing so on
// a terminal only, since what is piped is often shown later. Those who need the bytes of a
// log ask for them with "chant log --raw", which a terminal does not get.
package cmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/journal"
	"chant/providers/text"

	"charm.land/fang/v2"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
)

// Version is what `chant version` prints.
const Version = "0.1.0"

// Surroundings are what a command takes from its process.
type Surroundings struct {
	In         io.Reader
	Out, Err   io.Writer
	Dir        string   // where to look for the project
	Environ    []string // K=V
	Executable string   // this program
	OnStep     func(journal.Step, journal.State)
	Interrupts <-chan os.Signal // Ctrl-C; everything else that stops a process ends the context
}

// Process gives the surroundings of the running process.
func Process() Surroundings {
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	self, err := os.Executable()
	if err != nil {
		self = "chant"
	}
	return Surroundings{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Dir: dir, Environ: os.Environ(), Executable: self}
}

// app is what every command shares. Its Out and Err take what commands print and make it
// printable; screen has the streams as they are.
type app struct {
	Surroundings
	screen screen
	json   bool
	quiet  bool
	ran    bool // a command's own code was reached
	stop   stopper
}

// screen are the streams of the process, for what draws on a terminal, hands it to another
// program or speaks a protocol.
type screen struct{ out, err io.Writer }

func newApp(s Surroundings) *app {
	a := &app{Surroundings: s, screen: screen{s.Out, s.Err}}
	a.Out, a.Err = text.NewVisibleWriter(s.Out), text.NewVisibleWriter(s.Err)
	return a
}

// Main runs one command line and returns its exit code.
func Main(ctx context.Context, args []string, s Surroundings) int {
	a := newApp(s)
	defer a.flush()
	a.json = slices.Contains(args, "--json") // a line that cannot be parsed is answered in its own terms too
	ctx, release := a.stop.listen(ctx, s.Interrupts)
	defer release()
	if err := a.execute(ctx, joinWidth(args)); err != nil {
		e := a.asError(err)
		a.printError(e)
		return exitCode(e.Code)
	}
	return 0
}

// execute runs a command line. What is left to fang is to print help and the manual page:
// it asks the terminal for its colours, also where an error has no use for them.
func (a *app) execute(ctx context.Context, args []string) error {
	help := false
	root := a.commands(args)
	root.Version, root.SilenceErrors, root.SilenceUsage = Version, true, true
	root.SetHelpFunc(func(*cobra.Command, []string) { help = true })
	root.AddCommand(&cobra.Command{Use: "man", Hidden: true, Args: cobra.NoArgs, Run: func(*cobra.Command, []string) { help = true }})
	if err := root.ExecuteContext(ctx); err != nil || !help {
		return err
	}
	return fang.Execute(ctx, a.commands(args), fang.WithVersion(Version), fang.WithErrorHandler(func(io.Writer, fang.Styles, error) {}))
}

// commands is the tree of commands for one command line, on the streams of the process.
func (a *app) commands(args []string) *cobra.Command {
	root := newRoot(a)
	root.SetArgs(args)
	root.SetIn(a.In)
	root.SetOut(a.screen.out)
	root.SetErr(a.screen.err)
	return root
}

// flush writes what an incomplete last character has held back. A stream that takes it no
// more has refused what came before it, which was reported.
func (a *app) flush() {
	for _, w := range []io.Writer{a.Out, a.Err} {
		if v, ok := w.(*text.VisibleWriter); ok {
			_ = v.Flush()
		}
	}
}

// asError gives every failure a code: what the command line itself refused is
// usage, what no operation has named is our bug.
func (a *app) asError(err error) *engine.Error {
	var e *engine.Error
	switch {
	case errors.As(err, &e):
		return e
	case !a.ran:
		return &engine.Error{Code: engine.Usage, Message: err.Error(), Hint: "chant --help", Err: err}
	case errors.Is(err, context.Canceled):
		return &engine.Error{Code: engine.Canceled, Message: "stopped", Err: err}
	}
	return &engine.Error{Code: engine.Internal, Message: err.Error(), Err: err}
}

// printError tells of a failure without the secrets of the environment: files and servers
// that it names may bear them.
func (a *app) printError(e *engine.Error) {
	clean := engine.Redact(a.Environ)
	e = &engine.Error{Code: e.Code, Message: string(clean([]byte(e.Message))), Hint: string(clean([]byte(e.Hint)))}
	if a.json {
		if err := json.NewEncoder(a.Err).Encode(map[string]*engine.Error{"error": e}); err == nil {
			return
		}
	}
	fmt.Fprintf(a.Err, "error: %s\n", e.Message)
	if e.Hint != "" {
		fmt.Fprintf(a.Err, "hint: %s\n", e.Hint)
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

func (a *app) options(progress func(engine.Event)) engine.Options {
	return engine.Options{Environ: a.Environ, Executable: a.Executable, Progress: progress, OnStep: a.OnStep, Interrupts: a.stop.taken()}
}

// open finds the project; progress goes to stderr as plain lines.
func (a *app) open() (*engine.Project, error) {
	p, err := engine.Open(a.Dir, a.options(a.line))
	if err == nil && !a.quiet && !a.json {
		if home := engine.SpecsElsewhere(context.Background(), p); home != "" {
			fmt.Fprintf(a.Err, "specs are read from %s, not from this worktree\n", home)
		}
	}
	return p, err
}

// line prints a piece of progress.
func (a *app) line(ev engine.Event) {
	if text := oneLine(ev); text != "" && !a.quiet {
		fmt.Fprintf(a.Err, "%-8s %s\n", ev.Step, text)
	}
}

// oneLine is what a person reads of an event, "" for what is bulk for the agent.
func oneLine(ev engine.Event) string {
	if ev.Kind == "result" {
		return ""
	}
	line := text.FirstLine(ev.Text)
	if short := text.Head(line, lineWidth); short != strings.TrimSpace(ev.Text) {
		return short + " …"
	}
	return line
}

// lineWidth bounds a line of progress; the log has all of it.
const lineWidth = 160

// render prints a result for people.
type render[R any] func(w io.Writer, result R)

// do opens the project, runs an operation and prints its result.
func do[I, R any](a *app, c *cobra.Command, op func(context.Context, *engine.Project, I) (R, error), in I, text render[R]) error {
	p, err := a.open()
	if err != nil {
		return err
	}
	result, err := op(c.Context(), p, in)
	if err != nil {
		return err
	}
	return show(a, result, text)
}

// allInText is the limit of a list that people read in full: none was given, and
// the result is printed as text.
func (a *app) allInText(limit int) int {
	if limit <= 0 && !a.json {
		return math.MaxInt
	}
	return limit
}

// show prints a result: JSON alone, or text.
func show[R any](a *app, result R, text render[R]) error {
	if !a.json {
		return asText(text)(a.Out, result)
	}
	enc := json.NewEncoder(a.Out)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(result)
}

// asText is a rendering that tells when it could not be written.
func asText[R any](text render[R]) func(io.Writer, R) error {
	return func(w io.Writer, r R) error {
		out := &checked{w: w}
		text(out, r)
		return out.err
	}
}

// checked remembers the first error of a writer whose callers do not look.
type checked struct {
	w   io.Writer
	err error
}

func (c *checked) Write(p []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	n, err := c.w.Write(p)
	c.err = err
	return n, err
}

// terminal reports whether a stream is one a person looks at or types into.
func terminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(f.Fd())
}
