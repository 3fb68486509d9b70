package fleet

import (
	"context"
	"fmt"
	"io"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/work/node"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newUp(a *console.App) *cobra.Command {
	var in node.UpInput
	c := &cobra.Command{
		Use:   "up",
		Short: "Be the hub of a fleet: offer specs, land what is completed",
		Long: `Be the hub of a fleet until Ctrl-C: offer the specs that are ready on the target of the git remote, and
land there what other machines complete. Push specs to the remote to have them worked.

Without fleet.url in the settings it starts a server for the queue, on 127.0.0.1:4222. On any other
address than loopback the server uses TLS with a certificate of its own, which invitations contain.
Only machines that were invited can connect. This checkout is not touched: the hub works in a clone
in git's folder.`,
		Example: "chant fleet up\nchant fleet up --listen 0.0.0.0:4222 --host hub.example.com\nchant fleet up --slots 2",
		Args:    console.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			in.Ready = func(r node.UpResult) { announce(a, r, renderUp) }
			// The first Ctrl-C lets what runs end, and the second stops it.
			a.Stop.Take()
			p, err := engine.Open(a.Dir, a.Options(a.LineOf))
			if err != nil {
				return err
			}
			in.Start, in.Observe = a.StartServer, a.Observe
			if in.Start == nil && p.Config.Fleet.URL == "" || lacksExporter(a, in.Observation) {
				if err := become(a.Executable, a.Environ); err != nil {
					return err
				}
			}
			_, err = node.Up(c.Context(), p, in)
			return ignoreExpectedEnd(c.Context(), err)
		},
	}
	f := c.Flags()
	f.StringVar(&in.Listen, "listen", "", "host:port of the server (default: that of the last time, else 127.0.0.1:4222)")
	f.StringArrayVar(&in.Hosts, "host", nil, "further name or address by which machines reach the hub (may be repeated)")
	f.Var(console.AtLeast(0, &in.Slots), "slots", "specs to work at once on this machine, too")
	f.StringSliceVarP(&in.Labels, "label", "l", nil, "label of this machine, which specs name under runs_on")
	console.Renamed(c, "labels", "label")
	f.StringVar(&in.Name, "name", "", "name of this machine in the fleet (default: its host name)")
	f.StringVar(&in.Project, "project", "", "name of the queue on the server (default: the last part of the remote's address)")
	observeFlags(f, &in.Observation)
	return c
}

// observeFlags adds the flags for what a machine exports.
func observeFlags(f *pflag.FlagSet, o *node.Observation) {
	f.StringVar(&o.Metrics, "metrics", "", "port, or host:port, on which Prometheus finds metrics (a port alone: loopback)")
	f.StringVar(&o.Traces, "traces", "", "address to which OpenTelemetry traces are sent (default: OTEL_EXPORTER_OTLP_ENDPOINT)")
}

// lacksExporter reports whether this program cannot export what is asked for.
func lacksExporter(a *console.App, o node.Observation) bool {
	return a.Observe == nil && (o.Metrics != "" || o.Traces != "")
}

// server is the program that has the server of a queue.
const server = "chant-fleet"

// announce prints what a process that keeps running has begun: JSON as one line.
func announce[R any](a *console.App, r R, text console.Render[R]) {
	if a.JSON {
		// A reader that has gone ends it by a signal.
		_ = console.WriteJSON(a.Out, r, "")
		return
	}
	text(a.Out, r)
}

// ignoreExpectedEnd returns no error for a process that was to end.
func ignoreExpectedEnd(ctx context.Context, err error) error {
	// The process was asked to end by an order, not by a signal, and that is what it did.
	if err != nil && ctx.Err() == nil && isCanceled(err) {
		return nil
	}
	return err
}

func renderMetrics(w io.Writer, address string) {
	if address != "" {
		fmt.Fprintf(w, "metrics: %s\n", address)
	}
}

func isCanceled(err error) bool {
	known, ok := err.(*engine.Error) //nolint:errorlint // an operation returns this type itself
	return ok && known.Code == engine.Canceled
}

func renderUp(w io.Writer, r node.UpResult) {
	fmt.Fprintf(w, "hub %s of %s: specs on %s of %s are offered and landed\n", r.Node, r.Project, r.Target, r.Remote)
	fmt.Fprintf(w, "queue: %s (%s)\n", r.URL, r.Server)
	renderMetrics(w, r.Metrics)
	if r.Join != "" {
		fmt.Fprintf(w, "on this machine, in another folder:  %s\n", r.Join)
		if r.Local {
			fmt.Fprintln(w, "on another machine: this hub listens on loopback; end it, and start it with --listen 0.0.0.0:4222")
			return
		}
		fmt.Fprintln(w, "on another machine: chant fleet invite NAME here, and chant fleet join NAME.fleet there")
		return
	}
	fmt.Fprintf(w, "on another machine: chant fleet join %s --remote %s --slots 4 --credentials FILE\n", r.URL, r.Remote)
}
