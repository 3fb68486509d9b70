// Package cmd is the command line: one file for each command, its flags bound to the Input of an
// operation, and its result printed as text. newRoot lists the commands.
//
// It decides nothing about specs. What all commands share is in cmd/console; commands of one
// topic are in a package of their own: cmd/checks and cmd/runs.
//
// # Decisions
//
// 2026-11-23: packages by topic, and one list of commands. Rejected: a package for each command,
// which is mostly imports; and commands that register themselves, since then their order depends
// on imports.
package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"chant/cmd/board"
	"chant/cmd/console"
	"chant/gitops"
)

// Env is the process of a command: its streams, folder and environment.
type Env = console.Env

// Process returns the Env of the running process.
func Process() Env {
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	self, err := os.Executable()
	if err != nil {
		self = "chant"
	}
	// Before the environment is read, so that all of chant, its git and its agents have the settings in one form.
	if err := takeParameters(); err != nil {
		fmt.Fprintf(os.Stderr, "warning: settings given by git -c do not apply: %v\n", err)
	}
	return Env{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Dir: dir, Environ: os.Environ(), Executable: self}
}

// takeParameters has the settings of a git that has started this process, as for an alias, in the variables that are passed on.
func takeParameters() (err error) {
	before := os.Environ()
	after := gitops.UnfoldParameters(before)
	for _, pair := range before {
		if name, _, _ := strings.Cut(pair, "="); name != "" && !slices.Contains(after, pair) {
			err = errors.Join(err, os.Unsetenv(name))
		}
	}
	for _, pair := range after {
		if name, value, _ := strings.Cut(pair, "="); !slices.Contains(before, pair) {
			err = errors.Join(err, os.Setenv(name, value))
		}
	}
	return err
}

// Main runs one command line and returns its exit code. Without arguments, chant opens the board where that can be drawn.
func Main(ctx context.Context, args []string, s Env) int {
	// Behind the wall of a run a command cannot write to the repository, so the process of the run carries it out.
	if exit, done := runThroughRelay(ctx, args, s); done {
		return exit
	}
	switch {
	case len(args) > 0:
	case board.Opens(s):
		args = []string{"board"}
	case welcome(s):
		return 0
	}
	return console.Run(ctx, args, s, newRoot)
}
