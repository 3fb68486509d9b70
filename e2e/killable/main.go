// Command killable is chant with two additions for tests of what can happen between two steps of a run. It kills itself
// after the journal record that CHANT_E2E_KILL_AT names as "step:state", and it runs the shell commands in CHANT_E2E_RUN
// after each of the records that CHANT_E2E_RUN_AT names, separated by commas.
package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"chant/cmd"
	"chant/engine/evidence/journal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
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
	code := cmd.Main(ctx, os.Args[1:], s)
	stop()
	os.Exit(code)
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
