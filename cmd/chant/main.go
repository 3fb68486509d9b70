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
	surroundings := cmd.Process()
	surroundings.Interrupts = interrupts
	code := cmd.Main(ctx, os.Args[1:], surroundings)
	stop()
	os.Exit(code)
}
