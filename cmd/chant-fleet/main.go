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
	"chant/engine/fleet/hub"
	"chant/engine/fleet/jetstream"
	"chant/engine/work/node"
	"chant/engine/work/node/telemetry"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGHUP)
	interrupts := make(chan os.Signal, 2)
	signal.Notify(interrupts, os.Interrupt)
	env := cmd.Process()
	env.Interrupts, env.StartServer, env.Observe = interrupts, startServer, telemetry.Start
	code := cmd.Main(ctx, os.Args[1:], env)
	stop()
	os.Exit(code)
}

func startServer(ctx context.Context, o jetstream.ServerOptions) (node.Server, error) {
	s, err := hub.Start(ctx, o)
	// An interface with a nil pointer in it would look like a server.
	if err != nil {
		return nil, err
	}
	return s, nil
}
