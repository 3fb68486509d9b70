package view

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"chant/engine"
	"chant/engine/author/planning"
	"chant/engine/evidence/journal"
	"chant/engine/evidence/sandbox"
	"chant/engine/run/advice"
	"chant/engine/run/usage"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/engine/store/local"
	"chant/engine/work/questions"
)

// StatusInput chooses what the result includes.
type StatusInput struct {
	Brief    bool  `json:"brief,omitempty" jsonschema:"Return brief single-line output (e.g., '3 pending | 2 in_progress | 15 completed')"`
	Usage    bool  `json:"include_usage,omitempty" jsonschema:"Include the total of what agents have used"`
	Scope    Scope `json:"-"` // of StatusAll
	Activity bool  `json:"include_activity,omitempty" jsonschema:"Include activity info for in_progress specs (last modified time, log activity)"`
}

// StatusResult counts specs. Pending does not include blocked specs.
type StatusResult struct {
	Total          int `json:"total"`
	Pending        int `json:"pending"`
	InProgress     int `json:"in_progress"`
	Paused         int `json:"paused"`
	Completed      int `json:"completed"`
	Failed         int `json:"failed"`
	Blocked        int `json:"blocked"`
	Cancelled      int `json:"cancelled"`
	NeedsAttention int `json:"needs_attention"`
	Ready          int `json:"ready"`
	NeedCriteria   int `json:"need_criteria,omitempty"` // pending tasks that start only when they are named, until they have acceptance criteria
	Invalid        int `json:"invalid"`

	Questions     []questions.OpenQuestion `json:"questions,omitempty"`      // that wait for a person, oldest first, at most 50
	QuestionsMore int                      `json:"questions_more,omitempty"` // how many more

	LandedElsewhere int `json:"landed_elsewhere,omitempty"` // specs that have landed in the remote of a fleet, and not here

	HeldQueues []HeldQueue        `json:"held_queues,omitempty"` // in which nothing lands
	Plans      []planning.Summary `json:"plans,omitempty"`       // that wait for a decision or are not done

	Runs     []RunView       `json:"runs,omitempty"`      // running, waiting, interrupted, postponed, not landed
	Open     []OpenSpec      `json:"open,omitempty"`      // specs that make no progress by themselves, at most 50
	OpenMore int             `json:"open_more,omitempty"` // how many more
	Activity []Activity      `json:"in_progress_activity,omitempty"`
	Today    *usage.Spending `json:"today,omitempty"` // what agents have used since midnight
	Limit    string          `json:"limit,omitempty"` // of the day, that was reached: no agent starts before midnight
	Usage    *usage.Spending `json:"usage,omitempty"` // what agents have used in total, if asked for
	Sandbox  sandbox.State   `json:"sandbox"`         // whether agents and criteria run behind a wall
	Brief    string          `json:"brief"`

	Projects []ProjectStatus `json:"projects,omitempty"` // where several are counted
}

// RunView is a run that is under way or has not landed.
type RunView struct {
	ID            string       `json:"id"`
	Title         string       `json:"title"`
	Status        spec.Status  `json:"status"`
	advice.Glance              // State may also be "waits for …" or "not landed"
	Node          string       `json:"node,omitempty"` // the machine of the fleet that it is on, "" for this clone
	Attempt       int          `json:"attempt,omitempty"`
	Step          journal.Step `json:"step,omitempty"` // the last one begun
	Next          next.Advice  `json:"next,omitzero"`
}

// Activity says when the file and the log of a spec in progress were last written, in local time.
type Activity struct {
	ID           string `json:"id"`
	Title        string `json:"title"`
	SpecModified string `json:"spec_modified"`
	LogModified  string `json:"log_modified,omitempty"`
	HasLog       bool   `json:"has_log"`
}

// Status counts specs by status, lists the runs that are under way, whose agents wait
// for a person, that were interrupted or that wait to land, and explains the specs that
// make no progress by themselves.
func Status(ctx context.Context, p *engine.Project, in StatusInput) (StatusResult, error) {
	set, g, err := engine.Graph(ctx, p)
	if err != nil {
		return StatusResult{}, engine.Wrap(err, "")
	}
	set, g, there := seeElsewhere(ctx, p, set, g)
	r := StatusResult{Total: len(set.Specs) + len(set.Invalid), Invalid: len(set.Invalid), Sandbox: p.Sandbox().State(), LandedElsewhere: there.LandedThere()}
	journals, err := p.Store.JournalFiles()
	if err != nil {
		return r, engine.Wrap(err, "")
	}
	var open []openSpec
	for _, s := range set.Specs {
		blocked := r.countSpec(p, g, s)
		n := urgency(g, s, blocked)
		// Few pending specs have a journal, so the others cost no file.
		if _, tried := journals[s.ID]; tried && n == 0 && s.Status == spec.Pending {
			h, err := journal.ReadHistory(p.Store, s.ID)
			if err != nil {
				return r, engine.Wrap(err, s.ID)
			}
			if advice.EarlyEnd(p, s, h) != "" {
				n = failedUrgency
			}
		}
		if n > 0 {
			open = append(open, openSpec{s, n})
		}
		if view, ok := runView(ctx, p, g, s, there); ok {
			r.Runs = append(r.Runs, view)
		}
		if in.Activity && s.Status == spec.InProgress {
			r.Activity = append(r.Activity, activity(p, s))
		}
	}
	if r.HeldQueues, err = heldQueues(p); err != nil {
		return r, engine.Wrap(err, "")
	}
	if r.Plans, err = planning.Unfinished(ctx, p, set.Specs, g); err != nil {
		return r, engine.Wrap(err, "")
	}
	if err := addQuestions(p, &r, there); err != nil {
		return r, engine.Wrap(err, "")
	}
	r.Brief = r.brief()
	if err := countUsage(p, &r, in.Usage); err != nil {
		return r, engine.Wrap(err, "")
	}
	err = addOpenSpecs(ctx, p, &r, set, g, open, there)
	return engine.Done(r, err, "")
}

// countSpec counts one spec, and reports whether it waits for something.
func (r *StatusResult) countSpec(p *engine.Project, g *spec.Graph, s *spec.Spec) (blocked bool) {
	switch s.Status {
	case spec.Pending:
		ready, blocked := advice.ReadyOrBlocked(p, g, s)
		if blocked {
			r.Blocked++
			return true
		}
		r.Pending++
		switch {
		case ready:
			r.Ready++
		case g.Ready(s.ID):
			r.NeedCriteria++
		}
	case spec.InProgress:
		r.InProgress++
	case spec.Paused:
		r.Paused++
	case spec.Completed:
		r.Completed++
	case spec.Failed:
		r.Failed++
	case spec.Cancelled:
		r.Cancelled++
	case spec.NeedsAttention:
		r.NeedsAttention++
	}
	return false
}

func (r *StatusResult) brief() string {
	var parts []string
	for _, c := range []struct {
		n    int
		word string
	}{
		{r.Pending, "pending"}, {r.InProgress, "in_progress"}, {r.Paused, "paused"}, {r.Completed, "completed"}, {r.Failed, "failed"},
		{r.Blocked, "blocked"}, {r.NeedsAttention, "needs_attention"}, {r.Cancelled, "cancelled"}, {r.Invalid, "invalid"},
	} {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c.n, c.word))
		}
	}
	if len(parts) == 0 {
		parts = []string{"No specs"}
	}
	if n := len(r.Questions) + r.QuestionsMore; n > 0 {
		parts = append(parts, fmt.Sprintf("%d needs_input", n))
	}
	return strings.Join(parts, " | ")
}

// notLanded is the state of a completed run that merge lands.
const notLanded = "not landed"

func runView(ctx context.Context, p *engine.Project, g *spec.Graph, s *spec.Spec, there advice.Elsewhere) (RunView, bool) {
	if _, is := there[s.ID]; is {
		return runElsewhere(s, there)
	}
	v := RunView{ID: s.ID, Title: s.Title, Status: s.Status, Glance: advice.GlanceAt(p, s)}
	switch {
	case v.State != "":
	case s.AwaitsRetry():
		v.State = "waits for " + advice.RetryText(s)
	case s.Status == spec.Completed && !s.Landed:
		v.State = notLanded
	default:
		return v, false
	}
	l, err := advice.Gather(ctx, p, g, s)
	if err != nil {
		// addOpenSpecs reports it.
		return v, false
	}
	v.Next = l.Conclude().Advice()
	if last := l.History.Last(); last != nil {
		v.Attempt, v.Step = last.Number, last.Last
		if hold := advice.MissingApproval(s, l.History); hold.Exists() && v.State == notLanded {
			v.State = hold.String()
		}
	}
	return v, true
}

func activity(p *engine.Project, s *spec.Spec) Activity {
	const layout = "2006-01-02 15:04:05"
	a := Activity{ID: s.ID, Title: s.Title}
	tree, err := defaultTree(p, s.ID)
	// The file in the worktree is the one that the agent edits.
	if err != nil || !engine.Exists(tree) {
		tree = engine.Home(p)
	} else {
		tree = filepath.Join(tree, filepath.FromSlash(p.Repo.Folder()))
	}
	if info, err := os.Stat(filepath.Join(tree, filepath.FromSlash(store.SpecPath(s.ID)))); err == nil {
		a.SpecModified = info.ModTime().In(time.Local).Format(layout)
	}
	if info, err := os.Stat(p.Store.LogPath(s.ID)); err == nil {
		a.LogModified, a.HasLog = info.ModTime().In(time.Local).Format(layout), true
	}
	return a
}

// defaultTree returns the path of a run's worktree, unless a person has moved it.
func defaultTree(p *engine.Project, id string) (string, error) {
	if dir := p.Config.Worktree.Dir; dir != "" {
		return filepath.Join(dir, id), nil
	}
	return filepath.Join(engine.Home(p), store.Dir, string(local.Worktrees), id), nil
}

// countUsage adds up what agents have used today and, if total is set, ever: then every
// journal is read.
func countUsage(p *engine.Project, r *StatusResult, total bool) error {
	day := usage.Midnight(p.Now())
	since := day
	if total {
		// A total needs every journal.
		since = time.Time{}
	}
	journals, err := p.Store.Journals(since)
	if err != nil {
		return err
	}
	var today, all usage.Spending
	for id := range journals {
		h, err := journal.ReadHistory(p.Store, id)
		if err != nil {
			return err
		}
		all, today = all.Plus(usage.UsageOf(h, time.Time{})), today.Plus(usage.UsageOf(h, day))
	}
	if today.Agents > 0 {
		r.Limit = p.Config.Limits.Day.LimitReached("day", today.Use(), today.Took())
		today = today.Rounded()
		r.Today = &today
	}
	if total {
		all = all.Rounded()
		r.Usage = &all
	}
	return nil
}

// maxOpen is how many open specs are listed.
const maxOpen = 50

// OpenSpec is a spec that makes no progress by itself, and why.
type OpenSpec struct {
	ID     string      `json:"id"`
	Title  string      `json:"title"`
	Status spec.Status `json:"status"`
	Node   string      `json:"node,omitempty"` // the machine of the fleet that has worked on it, "" for this clone
	Why    string      `json:"why"`
	Next   next.Advice `json:"next,omitzero"`
}

// addOpenSpecs adds the specs that make no progress by themselves: those that cannot be read,
// then those that need attention, that failed, that were stopped and that wait for others. It
// leaves out runs that are listed already.
func addOpenSpecs(ctx context.Context, p *engine.Project, r *StatusResult, set *store.Set, g *spec.Graph, open []openSpec, there advice.Elsewhere) error {
	for _, bad := range set.Invalid[:min(len(set.Invalid), maxOpen)] {
		r.Open = append(r.Open, OpenSpec{ID: bad.ID, Status: spec.Invalid, Why: bad.Err.Error(), Next: next.Edit.On(bad.ID).Because("the file is invalid")})
	}
	// Runs are listed already.
	open = slices.DeleteFunc(open, func(o openSpec) bool {
		return slices.ContainsFunc(r.Runs, func(v RunView) bool { return v.ID == o.ID })
	})
	r.OpenMore = max(0, len(open)-maxOpen)
	// Stable, so that specs of the same urgency stay in the order of their ids.
	slices.SortStableFunc(open, func(a, b openSpec) int { return cmp.Compare(a.urgency, b.urgency) })
	for _, s := range open[:min(len(open), maxOpen)] {
		if _, is := there[s.ID]; is {
			r.Open = append(r.Open, openElsewhere(s.Spec, there))
			continue
		}
		// Gathering reads a journal and asks git, so it is done for the listed specs only.
		l, err := advice.Gather(ctx, p, g, s.Spec)
		if err != nil {
			return err
		}
		conclusion := l.Conclude()
		r.Open = append(r.Open, OpenSpec{ID: s.ID, Title: s.Title, Status: s.Status, Why: conclusion.Why, Next: stepElsewhere(g, s.ID, conclusion.Advice(), there)})
	}
	return nil
}

// openSpec is a spec that makes no progress by itself. The smaller its number, the earlier it is listed.
type openSpec struct {
	*spec.Spec
	urgency int
}

// failedUrgency is the urgency of a spec whose last attempt failed.
const failedUrgency = 2

// urgency returns by what open specs are sorted, 0 for a spec that is not open.
func urgency(g *spec.Graph, s *spec.Spec, blocked bool) int {
	switch {
	case s.Status == spec.NeedsAttention:
		return 1
	case s.Status == spec.Failed:
		return failedUrgency
	case s.Status == spec.Paused, s.Status == spec.Pending && s.Branch != "":
		return 3
	case s.Status == spec.Pending && (blocked || g.OpenDriver(s.ID)):
		return 4
	}
	return 0
}
