package board

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"strings"

	"chant/cmd/tui/board"
	"chant/engine"
	"chant/engine/spec/next"
	"chant/engine/work"
	"chant/engine/work/node"

	tea "charm.land/bubbletea/v2"
)

// Program returns the program that carries out an order on the terminal, which the board gives up meanwhile.
func (d *desk) Program(ctx context.Context, o board.Order) (tea.ExecCommand, error) {
	p, id := d.find(o.ID)
	o.ID = id
	if o.Act == board.Edit || o.Act == board.Review {
		c := exec.CommandContext(ctx, d.app.Executable, string(o.Act), o.ID)
		if c.Dir, c.Env = d.app.Dir, d.app.Environ; d.places != nil {
			c.Dir = engine.Home(p)
		}
		// A review asks on all of its streams, so nothing is copied from them.
		return &program{Cmd: c, reports: o.Act == board.Edit}, nil
	}
	dir, command := "", ""
	if o.Act == board.Takeover {
		r, err := node.Takeover(ctx, p, work.TakeoverInput{ID: o.ID})
		if err != nil {
			return nil, err
		}
		dir, command = r.Worktree, r.Command
	} else {
		var err error
		if dir, err = engine.TreeOf(ctx, p, o.ID); err != nil {
			return nil, engine.Wrap(err, o.ID)
		}
		dir = cmp.Or(dir, engine.Home(p))
	}
	shell := d.shell()
	args := []string{}
	if command != "" && runtime.GOOS != "windows" {
		shell, args = "sh", []string{"-c", command}
	}
	path, err := exec.LookPath(shell)
	if err != nil {
		return nil, &engine.Error{Code: engine.Usage, Message: fmt.Sprintf("the shell %q cannot be started", shell), Next: next.Shell("export SHELL=/bin/sh"), Err: err}
	}
	c := exec.CommandContext(ctx, path, args...)
	c.Dir, c.Env = dir, d.app.Environ
	return &program{Cmd: c, hello: fmt.Sprintf("%s\nexit returns to the board\n", dir)}, nil
}

// shell is the person's shell.
func (d *desk) shell() string {
	name, usual := "SHELL=", "sh"
	if runtime.GOOS == "windows" {
		name, usual = "COMSPEC=", "cmd"
	}
	for _, kv := range d.app.Environ {
		// Windows takes names of variables in any case.
		if len(kv) > len(name) && strings.EqualFold(kv[:len(name)], name) {
			return kv[len(name):]
		}
	}
	return usual
}

// program is a process that has the terminal to itself.
type program struct {
	*exec.Cmd
	hello   string // is printed first
	reports bool   // its failure is reported in the words that it prints; else its exit code means nothing
	errs    strings.Builder
}

// SetStdin, SetStdout and SetStderr give it the terminal.
func (p *program) SetStdin(r io.Reader) { p.Stdin = r }

// SetStdout implements tea.ExecCommand.
func (p *program) SetStdout(w io.Writer) { p.Stdout = w }

// SetStderr implements tea.ExecCommand.
func (p *program) SetStderr(w io.Writer) {
	p.Stderr = w
	if p.reports {
		p.Stderr = io.MultiWriter(w, &p.errs)
	}
}

// Run runs the program to its end.
func (p *program) Run() error {
	if p.hello != "" {
		fmt.Fprint(p.Stdout, p.hello)
	}
	err := p.Cmd.Run()
	// A program that was killed, or that could not start, has printed nothing about it.
	if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() < 0 {
		return err
	}
	// The exit code of a shell is that of its last command.
	if !p.reports {
		return nil
	}
	e := &engine.Error{Code: engine.Usage, Message: err.Error(), Err: err}
	for line := range strings.Lines(p.errs.String()) {
		line = strings.TrimSpace(line)
		if said, ok := strings.CutPrefix(line, "error: "); ok {
			e.Message = said
		}
		if said, ok := strings.CutPrefix(line, "hint: "); ok {
			e.Next = next.Parse(said)
		}
	}
	return e
}
