package prove

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"sync"
	"time"

	"chant/engine"
	"chant/engine/code/mutant"
	"chant/engine/evidence/criteria"
	"chant/engine/run"
	"chant/engine/run/judge"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store/message"
	"chant/engine/verify"
	"chant/gitops"
)

// Input selects the spec whose criteria are measured, and how long that may take.
type Input struct {
	ID     string `json:"id,omitempty" jsonschema:"Spec ID (full or partial); without it the last one that landed"`
	Budget string `json:"budget,omitempty" jsonschema:"How long it may take, such as 30s or 5m; without it as long as it needs"`
	Seed   int    `json:"seed,omitempty" jsonschema:"Chooses which wrong versions come first where not all are tried"`
	Agent  string `json:"agent,omitempty" jsonschema:"Provider whose agent also thinks of wrong versions"`
	Count  int    `json:"count,omitempty" jsonschema:"How many wrong versions the agent is asked for (default 5)"`
}

// DefaultCount is how many wrong versions an agent is asked for.
const DefaultCount = 5

// Result says which wrong versions of a change the criteria of its spec do not notice.
type Result struct {
	ID   string `json:"id"`
	Base string `json:"base"` // before the change
	criteria.Strength
	Recorded string   `json:"recorded,omitempty"` // the commit whose evidence has it now
	Notes    []string `json:"notes"`              // what was left out, and why

	Commands []criteria.Step `json:"-"` // of the criteria, cheapest first
}

// manyLines is how many changed lines are too many to try all of their wrong versions, and sample how many of these are
// tried instead.
const (
	manyLines = 20_000
	sample    = 1_000
)

// Prove makes wrong versions of what a spec has changed, and returns those that its criteria do not notice. It changes
// nothing. Errors: State for a spec without work, Unverified if it has no criteria with commands or if one of them fails on
// the unchanged tree.
func Prove(ctx context.Context, p *engine.Project, in Input) (Result, error) {
	r := Result{Strength: criteria.Strength{Survivors: []criteria.Survivor{}, Unexecuted: []criteria.Line{}}, Notes: []string{}}
	// An agent could have any command run as a criterion.
	if err := engine.MayInside(p, "prove", in.ID); err != nil {
		return r, err
	}
	begun := p.Now()
	r.At = begun.UTC()
	budget, err := in.budget()
	if err != nil {
		return r, err
	}
	s, err := find(ctx, p, in.ID)
	if err != nil {
		return r, engine.Wrap(err, in.ID)
	}
	if r.ID = s.ID; budget > 0 {
		limited, cancel := context.WithTimeout(ctx, budget)
		defer cancel()
		err = r.prove(limited, p, s, in)
		// A stop of the caller ends the limited context as well.
		if err != nil && ctx.Err() == nil && limited.Err() != nil {
			err = engine.Fail(engine.Unverified, next.Prove.On(s.ID), "the criteria of spec %q take longer on its own commit than the budget of %s, so nothing is proven", s.ID, budget)
		}
	} else {
		err = r.prove(ctx, p, s, in)
	}
	r.conclude(p.Now().Sub(begun))
	if err == nil && s.Status == spec.Completed && r.Score != nil {
		err = r.Record(ctx, p)
	}
	return engine.Done(r, err, s.ID)
}

// Record adds the result to the evidence of the spec. What keeps it from that is a note.
func (r *Result) Record(ctx context.Context, p *engine.Project) error {
	commits, err := verify.RecordStrength(ctx, p, r.ID, r.Strength)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		r.Notes = append(r.Notes, "not recorded: "+err.Error())
	} else if len(commits) > 0 {
		r.Recorded = commits[0]
	}
	return nil
}

// budget returns how long it may take, 0 without a limit. Error: Usage for an invalid one.
func (in Input) budget() (time.Duration, error) {
	if in.Budget == "" {
		return 0, nil
	}
	limit, err := time.ParseDuration(in.Budget)
	if err != nil || limit <= 0 {
		return 0, engine.Fail(engine.Usage, next.Prove.Help(), "invalid budget %q (use 90s, 10m or 1h30m)", spec.Echo(in.Budget))
	}
	return limit, nil
}

// find returns a spec, or without an ID the one that landed last.
func find(ctx context.Context, p *engine.Project, id string) (*spec.File, error) {
	if id != "" {
		return engine.FindAny(ctx, p, id)
	}
	target, err := engine.Target(ctx, p)
	if err != nil {
		return nil, err
	}
	commits, err := p.Repo.Saying(ctx, "refs/heads/"+target, "^Chant-Event: (land|complete)$")
	if err != nil {
		return nil, err
	}
	for _, c := range commits {
		for _, event := range message.Records(c) {
			if event.Event != "land" && event.Event != string(spec.Complete) {
				continue
			}
			s, err := engine.FindAny(ctx, p, event.ID)
			// It may have been undone or removed since.
			if err == nil && s.Status == spec.Completed && !s.Fields.Type.Container() {
				return s, nil
			}
		}
	}
	return nil, engine.Fail(engine.NotFound, next.List.On(), "no spec has landed on %q yet", target)
}

// prove measures the criteria of a spec.
func (r *Result) prove(ctx context.Context, p *engine.Project, s *spec.File, in Input) error {
	work, err := run.WorkOf(ctx, p, &s.Spec)
	if err != nil {
		return err
	}
	r.Commit, r.Base = work.To, work.From
	if _, err := p.Repo.ReadCommit(ctx, work.From); errors.Is(err, gitops.ErrNotFound) {
		return engine.Fail(engine.NotFound, next.Shell("git fetch --unshallow"), "commit %s, on which the work of spec %q began, is missing here", work.From, s.ID)
	} else if err != nil {
		return err
	}
	changes, notes, err := readChange(ctx, p, work)
	r.Notes = append(r.Notes, notes...)
	if err != nil {
		return err
	}
	in.Count = cmp.Or(in.Count, DefaultCount)
	p = p.WithSerialProgress()
	made, err := verify.NewJudging(onlyWarnings(p), s, func(plan *run.Plan) {
		plan.Asked, plan.Job.Provider = true, in.Agent
		// The model of the settings is one of their provider.
		if in.Agent == p.Config.Defaults.Provider {
			plan.Job.Model = p.Config.Defaults.Model
		}
	})
	if err == nil && in.Agent != "" {
		err = letAsk(p, made, s, in.Agent)
	}
	if err != nil {
		return err
	}
	start, err := made.Judge.StartOf(ctx, s)
	if err != nil {
		return err
	}
	plan := commandsOf(criteria.PlanFor(start, s, made.Judge.Settings.Verify))
	if !plan.Any() {
		return engine.Fail(engine.Unverified, next.Edit.On(s.ID), "no criterion of spec %q has a command that could notice a wrong change", s.ID)
	}
	var hunks []*version
	for _, c := range changes {
		hunks = append(hunks, c.hunkVersions()...)
	}
	// Without anything to try, no criterion needs to run.
	if len(hunks) == 0 && !slices.ContainsFunc(changes, func(c *change) bool { return len(c.hunks) > 0 }) {
		r.Notes = append(r.Notes, "nothing that the spec has changed can be made wrong")
		return nil
	}
	t := &trial{p: p, judge: made.Judge, launcher: made.Launcher, s: s, of: work.To, result: r, times: times{}}
	return t.run(ctx, plan, hunks, changes, in)
}

// onlyWarnings returns the project without reports of each command.
func onlyWarnings(p *engine.Project) *engine.Project {
	report := p.Progress
	if report == nil {
		return p
	}
	return p.WithProgress(func(ev engine.Event) {
		if ev.Kind == "warning" {
			report(ev)
		}
	}, p.Interrupts)
}

// commandsOf is the part of a plan that runs commands, one after the other.
func commandsOf(plan criteria.Plan) criteria.Plan {
	plan.Items = slices.DeleteFunc(plan.Items, func(item criteria.Item) bool { return len(item.Steps) == 0 })
	plan.Parallel = false
	return plan
}

// conclude fills in what follows from what was counted.
func (r *Result) conclude(took time.Duration) {
	r.Seconds = took.Round(time.Millisecond).Seconds()
	r.Conclude()
	slices.SortFunc(r.Survivors, func(a, b criteria.Survivor) int {
		return cmp.Or(cmp.Compare(a.File, b.File), a.Line-b.Line, cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Diff, b.Diff))
	})
	slices.SortFunc(r.Unexecuted, func(a, b criteria.Line) int { return cmp.Or(cmp.Compare(a.File, b.File), a.Line-b.Line) })
	r.Unexecuted = slices.Compact(r.Unexecuted)
}

// unbuilt matches what compilers and interpreters print of a file that they do not understand.
var unbuilt = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\[build failed\]|\[setup failed\]|(?m)^\S+\.go:\d+:\d+: (?:syntax error|undefined|declared and not used|.* redeclared|cannot use )` +
		`|error TS\d+|error\[E\d+\]|could not compile |COMPILATION ERROR|\.java:\d+: error:|error CS\d+|^e: .*\.kts?|\.swift:\d+:\d+: error:|: (?:fatal )?error: .*\n.*\||PHP Parse error|SyntaxError`)
})

// notices says how the criteria take a wrong version.
type notices int

const (
	survived notices = iota
	killed
	notBuilt
	notParsed
)

// noticeOf says what a verdict means for a version.
func noticeOf(v criteria.Verdict) notices {
	if v.Holds {
		return survived
	}
	if len(v.Evidence) > 0 && unbuilt().MatchString(v.Evidence[len(v.Evidence)-1].Tail) {
		return notBuilt
	}
	return killed
}

// byCost returns the items of a plan, the cheapest first.
func byCost(plan criteria.Plan, verdicts []criteria.Verdict) []criteria.Item {
	cost := map[string]float64{}
	for _, v := range verdicts {
		for _, ev := range v.Evidence {
			cost[v.ID] += ev.Seconds
		}
	}
	items := slices.Clone(plan.Items)
	slices.SortStableFunc(items, func(a, b criteria.Item) int { return cmp.Compare(cost[a.ID], cost[b.ID]) })
	return items
}

// withoutNetwork returns the items, of which commands that reached nothing on the unchanged tree run without a network alone.
// Otherwise each would run a second time, with one, whenever it notices a wrong version.
func withoutNetwork(items []criteria.Item, verdicts []criteria.Verdict) []criteria.Item {
	passed := map[[2]string]bool{}
	for _, v := range verdicts {
		for _, ev := range v.Evidence {
			passed[[2]string{ev.Command, ev.Dir}] = ev.Network == spec.NetworkLoopback
		}
	}
	items = slices.Clone(items)
	for i := range items {
		items[i].Steps = slices.Clone(items[i].Steps)
		for n, step := range items[i].Steps {
			if passed[[2]string{step.Line, step.Options.Dir}] && step.Options.Network == spec.NetworkIfNeeded {
				items[i].Steps[n].Options.Network = spec.NetworkLoopback
			}
		}
	}
	return items
}

// unmet returns the error for criteria that fail on the unchanged tree.
func unmet(id string, verdicts []criteria.Verdict) error {
	f := judge.Unmet(verdicts)
	return engine.Fail(engine.Unverified, next.Verify.On(id), "nothing is proven, since the criteria of spec %q fail on its own commit: %s", id, f.Message)
}

// shuffle orders versions by a seed.
func shuffle(all []*version, seed int) {
	r := rand.New(rand.NewPCG(uint64(seed), 0))
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
}

// linesIn counts the changed lines.
func linesIn(changes []*change) (n int) {
	for _, c := range changes {
		n += c.Added + c.Removed
	}
	return n
}

// whyNoMutants says why a file has only hunks; err is that of package mutant.
func whyNoMutants(path string, err error) string {
	why := "cannot be parsed"
	if errors.Is(err, mutant.ErrUnknownLanguage) {
		why = "is in a language without a grammar"
	}
	return fmt.Sprintf("only hunks were tried: %q %s", path, why)
}
