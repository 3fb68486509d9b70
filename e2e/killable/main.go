// Command killable is chant with additions for tests. It kills itself after the journal record that CHANT_E2E_KILL_AT names as
// "step:state", it runs the shell commands in CHANT_E2E_RUN after each of the records that CHANT_E2E_RUN_AT names, separated by
// commas, and it adds to the file that CHANT_E2E_VIOLATIONS names what is wrong with its output for --json.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"chant/cmd"
	"chant/e2e/outputs"
	"chant/engine/evidence/journal"
	"chant/providers/relay"
)

func main() {
	cmd.CollectLate()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGHUP)
	interrupts := make(chan os.Signal, 2)
	signal.Notify(interrupts, os.Interrupt)
	s := cmd.Process()
	s.Interrupts = interrupts
	killAt, runAt := os.Getenv("CHANT_E2E_KILL_AT"), strings.Split(os.Getenv("CHANT_E2E_RUN_AT"), ",")
	if killAt != "" || runAt[0] != "" {
		s.OnStep = func(step journal.Step, state journal.State) {
			at := fmt.Sprintf("%s:%s", step, state)
			if slices.Contains(runAt, at) {
				run(os.Getenv("CHANT_E2E_RUN"))
			}
			if killAt == at {
				die()
			}
		}
	}
	args, violations := os.Args[1:], os.Getenv("CHANT_E2E_VIOLATIONS")
	// Behind the wall of a run another process prints.
	if violations == "" || !slices.Contains(args, "--json") || os.Getenv(relay.SocketKey) != "" {
		code := cmd.Main(ctx, args, s)
		stop()
		os.Exit(code)
	}
	var out, errs bytes.Buffer
	s.Out, s.Err = io.MultiWriter(s.Out, &out), io.MultiWriter(s.Err, &errs)
	code := cmd.Main(ctx, args, s)
	stop()
	if err := outputs.Check(args, code, out.String(), errs.String()); err != nil {
		report(violations, fmt.Sprintf("chant %q: %v\n", args, err))
	}
	os.Exit(code)
}

// report adds a text to a file. Where it cannot, the process fails.
func report(path, text string) {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err == nil {
		_, err = f.WriteString(text)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "%v\n%s", err, text)
		os.Exit(70)
	}
}

// run runs commands to their end. Their failure ends the process as a crash does: the test has not set up what it is about.
func run(commands string) {
	if out, err := exec.Command("sh", "-c", commands).CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "CHANT_E2E_RUN: %v\n%s", err, out)
		die()
	}
}

// die ends the process as a crash does: nothing of it is cleaned up.
func die() {
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = self.Kill()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	select {} // until the kernel gets to it
}
