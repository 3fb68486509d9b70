// Command chant turns Markdown specs into verified, merged commits.
//
// This file holds what only a program can: streams, signals and the exit code.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"chant/cmd"
)

func main() {
	// Before anything is allocated.
	cmd.CollectLate()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGHUP)
	interrupts := make(chan os.Signal, 2)
	signal.Notify(interrupts, os.Interrupt)
	env := cmd.Process()
	env.Interrupts = interrupts
	code := cmd.Main(ctx, os.Args[1:], env)
	stop()
	os.Exit(code)
}
