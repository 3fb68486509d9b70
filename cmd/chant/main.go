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
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	code := cmd.Main(ctx, os.Args[1:], cmd.Process())
	stop()
	os.Exit(code)
}
