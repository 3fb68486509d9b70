// Command chant-fleet is chant with the server of a queue in it, for the hub of a fleet, and with what exports metrics
// and traces. "chant fleet up" starts it, and "chant fleet join" where it is asked for those.
//
// This file holds what only a program can: streams, signals and the exit code.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"chant/cmd"
	"chant/engine/work/node/embedded"
	"chant/engine/work/node/telemetry"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGHUP)
	interrupts := make(chan os.Signal, 2)
	signal.Notify(interrupts, os.Interrupt)
	surroundings := cmd.Process()
	surroundings.Interrupts, surroundings.StartServer, surroundings.Observe = interrupts, embedded.Start, telemetry.Start
	code := cmd.Main(ctx, os.Args[1:], surroundings)
	stop()
	os.Exit(code)
}
