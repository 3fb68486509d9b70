// Command killable is chant, which kills itself after the journal record that
// CHANT_E2E_KILL_AT names as "step:state": what a crash leaves there is looked at.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"chant/cmd"
	"chant/engine/journal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	interrupts := make(chan os.Signal, 2)
	signal.Notify(interrupts, os.Interrupt)
	s := cmd.Process()
	s.Interrupts = interrupts
	if at := os.Getenv("CHANT_E2E_KILL_AT"); at != "" {
		s.OnStep = func(step journal.Step, state journal.State) {
			if at == fmt.Sprintf("%s:%s", step, state) {
				die()
			}
		}
	}
	code := cmd.Main(ctx, os.Args[1:], s)
	stop()
	os.Exit(code)
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
