// Command chant-fleet is chant with the server of a queue in it, for the hub of a fleet. "chant fleet up" starts it.
//
// This file holds what only a program can: streams, signals and the exit code.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"chant/cmd"
	"chant/engine/fleets/embedded"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGHUP)
	interrupts := make(chan os.Signal, 2)
	signal.Notify(interrupts, os.Interrupt)
	surroundings := cmd.Process()
	surroundings.Interrupts, surroundings.StartServer = interrupts, embedded.Start
	code := cmd.Main(ctx, os.Args[1:], surroundings)
	stop()
	os.Exit(code)
}
