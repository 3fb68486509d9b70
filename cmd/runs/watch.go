package runs

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/spec/next"
	"chant/engine/work/queue"

	"github.com/spf13/cobra"
)

// NewWatch returns the command "chant watch".
func NewWatch(a *console.App) *cobra.Command {
	var in queue.WatchInput
	c := &cobra.Command{
		Use:   "watch",
		Short: "Recover crashed runs, run due retries, and start ready specs",
		Long: `Recover crashed runs, run due retries, and with --work start specs as they become
ready. A repository has one watch at a time; a broken spec never ends it. It ends when
there was nothing to do for the idle time.

After the first Ctrl-C nothing further starts, the second pauses the running specs. The
exit code is 0 even if specs have failed; "chant status" lists them.`,
		Example: "chant watch --work --parallel 4\nchant watch --once\nchant watch --once --dry-run\nchant watch start --work",
		Args:    console.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return watch(a, c, in) },
	}
	watchFlags(c, &in)
	f := c.Flags()
	f.BoolVar(&in.Once, "once", false, "end as soon as there is nothing to do")
	f.BoolVar(&in.DryRun, "dry-run", false, "print what would be done, and do nothing")
	c.AddCommand(newWatchStart(a), newWatchStatus(a), newWatchStop(a))
	return c
}

// watchFlags are those of a watch here and of one in a process of its own.
func watchFlags(c *cobra.Command, in *queue.WatchInput) {
	f := c.Flags()
	f.BoolVar(&in.Work, "work", false, "also work specs as they become ready")
	console.Width(c, &in.Parallel, "runs side by side; without a number, or without this flag, as many as the settings say (guide many)")
	f.StringArrayVarP(&in.Labels, "label", "l", nil, "work only specs with this label; may be repeated")
	f.BoolVar(&in.AllowOverlap, "allow-overlap", false, "work specs side by side although their target_files overlap")
	f.StringVar(&in.IdleTimeout, "idle-timeout", "", "end after this time with nothing to do, such as 30m; 0 = never (default: watch.idle_timeout_minutes of the settings, else 5m)")
	f.Var(&milliseconds{&in.Poll}, "poll-interval", "like --poll, in milliseconds as in the Rust chant")
	_ = f.MarkHidden("poll-interval") // it exists
	f.StringVar(&in.Poll, "poll", "", "how often to look if the system does not report changes (default: watch.poll_interval_ms of the settings, else 5s)")
}

// milliseconds is a duration that is given as a number of milliseconds.
type milliseconds struct{ to *string }

// String is the value as help shows it.
func (m *milliseconds) String() string { return "" }

// Set takes the value.
func (m *milliseconds) Set(text string) error {
	var n int
	if err := console.AtLeast(1, &n).Set(text); err != nil {
		return err
	}
	*m.to = strconv.Itoa(n) + "ms"
	return nil
}

// Type names the value in help.
func (m *milliseconds) Type() string { return "int" }

func watch(a *console.App, c *cobra.Command, in queue.WatchInput) error {
	// After the first Ctrl-C nothing further starts, and the second pauses what runs.
	a.Stop.Take()
	p, err := engine.Open(a.Dir, a.Options(progressPrinter(a)))
	if err != nil {
		return err
	}
	a.Bell = p.Config.Work.Bell
	var result queue.WatchResult
	run := func(ctx context.Context, progress func(engine.Event)) error {
		result, err = queue.Watch(ctx, p.WithProgress(progress, a.Stop.Taken()), in)
		return err
	}
	if in.DryRun {
		err = run(c.Context(), progressPrinter(a))
	} else {
		err = watchMany(a, c.Context(), p, run)
	}
	// Without a result there is nothing to print but the error.
	if result.Ended == "" && !result.DryRun {
		return err
	}
	printErr := error(nil)
	if a.JSON {
		printErr = a.Streamed(result)
	} else {
		printErr = console.Show(a, result, func(w io.Writer, r queue.WatchResult) { renderWatch(w, r, in) })
	}
	// The error of the work matters more than that of printing.
	if err != nil {
		return err
	}
	return printErr
}

func renderWatch(w io.Writer, r queue.WatchResult, in queue.WatchInput) {
	for _, f := range r.Recovered {
		fmt.Fprintf(w, "recovered  %s  died at %s: %s\n", f.ID, f.Step, f.What)
	}
	for _, c := range r.Cleaned {
		fmt.Fprintf(w, "cleaned    %s %s: %s\n", c.What, c.Name, c.Why)
	}
	if !r.DryRun {
		renderWorkAll(w, r.WorkAllResult)
		if len(r.Ready) > 0 && !in.Work {
			step := next.Watch.On().Flag("work")
			// Without the labels it would start what was not asked for.
			for _, label := range in.Labels {
				step = step.Set("label", label)
			}
			fmt.Fprintf(w, "%s left alone; next: %s\n", console.Plural(len(r.Ready), "ready spec"), step)
		}
		return
	}
	for _, s := range r.Waiting {
		fmt.Fprintf(w, "waiting    %s  for %s\n", s.ID, s.For)
	}
	for _, id := range r.Ready {
		fmt.Fprintf(w, "would work %s\n", id)
	}
}

func newWatchStart(a *console.App) *cobra.Command {
	var in queue.WatchInput
	c := &cobra.Command{
		Use:     "start",
		Short:   "Start a watch in the background, as a separate process",
		Example: "chant watch start --work --parallel 4\nchant watch status",
		Args:    console.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return console.Do(a, c, queue.WatchStart, in, func(w io.Writer, r queue.WatchStartResult) {
				fmt.Fprintf(w, "Started watch process (PID: %d)\noutput: %s\n", r.PID, r.Output)
			})
		},
	}
	watchFlags(c, &in)
	return c
}

func newWatchStatus(a *console.App) *cobra.Command {
	return &cobra.Command{
		Use:     "status",
		Short:   "Report whether a watch is running, and list the runs",
		Example: "chant watch status\nchant watch status --json",
		Args:    console.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return console.Do(a, c, queue.WatchStatus, queue.WatchStatusInput{}, renderWatchStatus)
		},
	}
}

func renderWatchStatus(w io.Writer, r queue.WatchStatusResult) {
	if r.Running {
		fmt.Fprintf(w, "watch is running: process %d since %s\n", r.PID, r.Since)
	} else {
		fmt.Fprintln(w, "no watch is running")
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, v := range r.Worktrees {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", v.SpecID, v.Status, v.Run, console.Plural(v.Commits, "commit"), v.Error)
	}
	t.Flush()
}

func newWatchStop(a *console.App) *cobra.Command {
	var in queue.WatchStopInput
	c := &cobra.Command{
		Use:     "stop",
		Short:   "Stop the watch after the specs that are running",
		Example: "chant watch stop\nchant watch stop --now",
		Args:    console.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return console.Do(a, c, queue.WatchStop, in, func(w io.Writer, r queue.WatchStopResult) {
				fmt.Fprintf(w, "Sent stop signal to watch process (PID: %d)\n", r.PID)
			})
		},
	}
	c.Flags().BoolVar(&in.Now, "now", false, "pause the running specs instead of waiting for them")
	return c
}
