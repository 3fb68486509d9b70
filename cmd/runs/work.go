package runs

import (
	"context"
	"fmt"
	"io"
	"strings"

	"chant/cmd/board"
	"chant/cmd/console"
	"chant/cmd/tui"
	"chant/cmd/wizard"
	"chant/engine"
	"chant/engine/evidence/criteria"
	"chant/engine/spec/next"
	"chant/engine/view"
	"chant/engine/work"
	"chant/engine/work/questions"
	"chant/engine/work/queue"

	tea "charm.land/bubbletea/v2"
	"github.com/spf13/cobra"
)

// NewWork returns the command "chant work".
func NewWork(a *console.App) *cobra.Command {
	var in work.WorkInput
	var many queue.WorkAllInput
	var how workMode
	c := &cobra.Command{
		Use:   "work [ID]...",
		Short: "Run specs: agents work, criteria are checked, results land",
		Long: `Work a spec: make its branch and worktree, run the agent, check the criteria,
and land code and status in one merge commit. An interrupted run resumes, and
Ctrl-C pauses it. If it fails, "chant diagnose" says why and what to do next.
Several IDs, a driver, --all or --label work many specs: chant guide many.`,
		Example: `chant work 001
chant work 001 --provider claude --model sonnet
chant work --all --parallel 4
chant work 001 002 003 --chain`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			many.IDs, many.Options = args, in.Options
			return workSpecs(a, c, in, many, how)
		},
	}
	f := c.Flags()
	f.BoolVar(&many.All, "all", false, "every ready spec, after the named ones")
	how.widthOfSettings = console.Width(c, &many.Parallel, "specs side by side; without N as the settings say")
	f.StringArrayVarP(&many.Labels, "label", "l", nil, "only specs with this label; may be repeated")
	f.Var(console.AtLeast(0, &many.Max), "max", "start at most this many specs")
	f.BoolVar(&many.Chain, "chain", false, "one after another, up to the first failure")
	f.BoolVar(&many.KeepGoing, "keep-going", false, "continue after a failure that would stop a chain")
	f.BoolVar(&many.AllowOverlap, "allow-overlap", false, "also side by side where target_files overlap")
	f.StringVar(&in.Provider, "provider", "", "provider to use")
	f.StringVar(&in.Model, "model", "", "model to use")
	f.StringVar(&in.Prompt, "prompt", "", "prompt to use, or a command as C1/C2/C3")
	f.StringVar(&in.Timeout, "timeout", "", "time limit of the agent, such as 30m")
	f.BoolVar(&in.DryRun, "dry-run", false, "only print prompt and command (one spec)")
	addContinue(c, &in)
	f.BoolVar(&in.Replay, "replay", false, "work a completed spec again, in a new run (one spec)")
	f.BoolVar(&in.NoMerge, "no-merge", false, "complete it on its branch, and do not merge")
	f.StringVar(&in.Onto, "onto", "", "branch on which it lands, written into the spec")
	f.BoolVar(&in.KeepWorktree, "keep-worktree", false, "leave worktree and branch in place after landing")
	f.BoolVar(&how.detach, "detach", false, "return when it has started, in a separate process")
	f.BoolVar(&in.SkipDeps, "skip-deps", false, "work despite open dependencies (one spec)")
	f.BoolVar(&in.SkipApproval, "skip-approval", false, "work despite a missing approval (one spec)")
	c.AddCommand(newWorkList(a))
	return c
}

// workMode has the flags that are not part of the operations' inputs.
type workMode struct {
	detach          bool
	widthOfSettings *bool // --parallel was given without a number
}

// workSpecs works one spec or many, as the flags ask.
func workSpecs(a *console.App, c *cobra.Command, in work.WorkInput, many queue.WorkAllInput, how workMode) error {
	p, err := a.Open()
	if err != nil {
		return err
	}
	if *how.widthOfSettings {
		many.Parallel = queue.SettingsWidth(p)
	}
	if screen, asks := wizard.On(a); asks && selectsNone(many) {
		if many.IDs, err = chooseReady(c, screen, p); err != nil {
			return err
		}
	}
	several, err := queue.NamesMany(c.Context(), p, many)
	switch {
	case err != nil:
		return err
	case several && (in.DryRun || in.SkipDeps || in.SkipApproval || in.Continue || in.Replay):
		return onlyForOne(a, c, p, in, many)
	case several && how.detach:
		return detachMany(a, c, in, many)
	case several:
		return workAll(a, c, p, many)
	case many.Max > 0 || many.KeepGoing || many.AllowOverlap:
		return console.UsageError(c, "--max, --keep-going and --allow-overlap are for many specs")
	}
	in.ID = many.IDs[0]
	if how.detach {
		return console.Do(a, c, queue.WorkStart, queue.WorkStartInput{WorkInput: in}, renderStarted)
	}
	return workOne(a, c, p, in)
}

// selectsNone reports whether the flags name no specs at all.
func selectsNone(many queue.WorkAllInput) bool {
	return len(many.IDs) == 0 && !many.All && !many.Chain && many.Parallel == 0 && len(many.Labels) == 0
}

// workOne works one spec in this process, and prints what it used.
func workOne(a *console.App, c *cobra.Command, p *engine.Project, in work.WorkInput) error {
	began := p.Now()
	op := func(ctx context.Context, p *engine.Project) (work.WorkResult, error) { return work.Work(ctx, p, in) }
	return runWith(a, c, p, op, func(w io.Writer, r work.WorkResult) {
		renderWork(w, r)
		// A plan has used nothing.
		if r.Plan == nil {
			fmt.Fprintln(w, accountText(queue.AccountOf(p, r.ID, began)))
		}
	})
}

// chooseReady asks which of the ready specs are to be worked.
func chooseReady(c *cobra.Command, screen wizard.Screen, p *engine.Project) ([]string, error) {
	ready, err := view.Ready(c.Context(), p, view.ReadyInput{})
	if err != nil || len(ready.Specs) == 0 {
		// That nothing is named is reported as ever.
		return nil, err
	}
	ids, err := wizard.Specs(c.Context(), screen, "Which specs are to be worked?", ready.Specs)
	if err == nil {
		screen.Same(next.Work.On(ids...))
	}
	return ids, err
}

// detachMany starts a process that works one spec first and then all ready ones.
func detachMany(a *console.App, c *cobra.Command, in work.WorkInput, many queue.WorkAllInput) error {
	more := len(many.Labels) > 0 || many.Max > 0 || many.KeepGoing || many.AllowOverlap
	// The process of its own takes no other selection.
	if len(many.IDs) != 1 || !many.All || !many.Chain && many.Parallel == 0 || more {
		return console.UsageError(c, "--detach takes one spec; for more, name the first one and add --all and either --chain or --parallel N")
	}
	in.ID = many.IDs[0]
	return console.Do(a, c, queue.WorkStart, queue.WorkStartInput{WorkInput: in, Chain: many.Chain, Parallel: many.Parallel}, renderStarted)
}

// runWork is runWith for operations of which nothing but the result is printed.
func runWork(a *console.App, c *cobra.Command, p *engine.Project, op func(context.Context, *engine.Project) (work.WorkResult, error)) error {
	return runWith(a, c, p, op, renderWork)
}

// runWith runs an operation that takes its time, with its progress live on a
// terminal and in plain lines elsewhere.
func runWith(a *console.App, c *cobra.Command, p *engine.Project, op func(context.Context, *engine.Project) (work.WorkResult, error), render console.Render[work.WorkResult]) error {
	var result work.WorkResult
	work := func(ctx context.Context, progress func(engine.Event)) error {
		var err error
		result, err = op(ctx, p.WithProgress(progress, nil))
		return err
	}
	var err error
	if isLive(a) {
		err = tui.Watch(c.Context(), a.In, a.Screen.Err, personOf(c.Context(), a, p), work)
	} else {
		err = work(c.Context(), a.Line)
	}
	if result.ID == "" {
		return err
	}
	// The result is printed even when the run failed, since it shows the state of every spec.
	if printErr := console.Show(a, result, render); printErr != nil && err == nil {
		return printErr
	}
	return err
}

// personOf returns how the view of runs reaches the person in front of it.
func personOf(ctx context.Context, a *console.App, p *engine.Project) tui.Person {
	show := func(id string) tea.ExecCommand { return board.Within(ctx, a, id) }
	title := func(id string) string {
		s, err := p.Store.Get(ctx, id)
		if err != nil {
			// The run reports it.
			return ""
		}
		return s.Title
	}
	return tui.Person{Bell: p.Config.Work.Bell, Board: show, Title: title, Answer: func(id string, question int, text string) error {
		return questions.AnswerOnBoard(ctx, p, id, question, text)
	}}
}

func renderWork(w io.Writer, r work.WorkResult) {
	if r.Plan != nil {
		renderPlan(w, r)
		return
	}
	console.RenderVerdicts(w, r.Criteria)
	switch {
	case r.Verification == criteria.Nothing:
		fmt.Fprintln(w, r.Verification)
	case r.Verdict == criteria.RegressionOnly || r.Verdict == criteria.NothingToVerify:
		fmt.Fprintf(w, "NOTE  %s\n", r.Verdict.Words())
	}
	switch {
	case r.Landed && r.Landing != "":
		fmt.Fprintf(w, "Landed %s on %s as %s%s\n", r.ID, r.Target, r.Landing[:7], changedText(r))
		if r.Signature != nil {
			fmt.Fprintf(w, "evidence %s\n", r.Signature)
		}
	case r.Landed:
		fmt.Fprintf(w, "Completed %s, landed on %s\n", r.ID, r.Target)
	case r.Status == "completed":
		fmt.Fprintf(w, "Completed %s on %s, not landed\n", r.ID, r.Branch)
		if r.Waits != "" {
			fmt.Fprintf(w, "it %s\nnext: chant approve %s\n", r.Waits, r.ID)
		}
	default:
		fmt.Fprintf(w, "%s is %s\n", r.ID, r.Status)
	}
	if r.Worktree != "" {
		fmt.Fprintf(w, "worktree: %s\n", r.Worktree)
	}
	for _, place := range r.Rescued {
		fmt.Fprintf(w, "kept: %s\n", place)
	}
}

// changedText says how much has landed, such as " (3 files, +40 −2)".
func changedText(r work.WorkResult) string {
	if r.Changed == nil {
		return ""
	}
	return fmt.Sprintf(" (%s, +%d −%d)", console.Plural(r.Changed.Files, "file"), r.Changed.Added, r.Changed.Removed)
}

func renderPlan(w io.Writer, r work.WorkResult) {
	fmt.Fprintf(w, "%s: %s\n", r.ID, r.Title)
	fmt.Fprintf(w, "attempt %d on %s, from %s of %s\n", r.Attempt, r.Branch, r.Plan.Base[:7], r.Target)
	fmt.Fprintf(w, "command: %s\n", strings.Join(r.Plan.Command, " "))
	if r.Plan.Stdin != "" {
		fmt.Fprintf(w, "stdin: %s\n", r.Plan.Stdin)
	}
	for _, f := range r.Plan.Config {
		fmt.Fprintf(w, "config: %s\n%s\n", f.Path, f.Text)
	}
	fmt.Fprintf(w, "environment: %s\n\n%s", strings.Join(r.Plan.Env, " "), r.Plan.Prompt)
}
