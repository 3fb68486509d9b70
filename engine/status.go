package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/store"
)

// StatusInput chooses how much is told.
type StatusInput struct {
	Brief    bool `json:"brief,omitempty" jsonschema:"Return brief single-line output (e.g., '3 pending | 2 in_progress | 15 completed')"`
	Usage    bool `json:"include_usage,omitempty" jsonschema:"Include what agents have used in all"`
	Activity bool `json:"include_activity,omitempty" jsonschema:"Include activity info for in_progress specs (last modified time, log activity)"`
}

// StatusResult counts specs. Blocked specs are not among the pending ones,
// paused ones are among those in progress.
type StatusResult struct {
	Total          int        `json:"total"`
	Pending        int        `json:"pending"`
	InProgress     int        `json:"in_progress"`
	Completed      int        `json:"completed"`
	Failed         int        `json:"failed"`
	Blocked        int        `json:"blocked"`
	Cancelled      int        `json:"cancelled"`
	NeedsAttention int        `json:"needs_attention"`
	Ready          int        `json:"ready"`
	Invalid        int        `json:"invalid"`
	Runs           []RunView  `json:"runs,omitempty"`      // running, waiting, interrupted, put off, not landed
	Open           []OpenSpec `json:"open,omitempty"`      // stand still, at most 50
	OpenMore       int        `json:"open_more,omitempty"` // how many more
	Activity       []Activity `json:"in_progress_activity,omitempty"`
	Today          *Spending  `json:"today,omitempty"` // what agents have used since midnight
	Limit          string     `json:"limit,omitempty"` // of the day, that was met: no agent begins before midnight
	Usage          *Spending  `json:"usage,omitempty"` // what they have used in all, where it is asked for
	Brief          string     `json:"brief"`
}

// RunView is a run that somebody should know of.
type RunView struct {
	ID      string      `json:"id"`
	Title   string      `json:"title"`
	Status  spec.Status `json:"status"`
	Glance              // State may be "waits for …" or "not landed" too
	Attempt int         `json:"attempt,omitempty"`
	Step    run.Step    `json:"step,omitempty"` // the last one begun
	Next    string      `json:"next"`           // command that goes on
}

// Activity tells when a spec in progress was last heard of, local time.
type Activity struct {
	ID           string `json:"id"`
	Title        string `json:"title"`
	SpecModified string `json:"spec_modified"`
	LogModified  string `json:"log_modified,omitempty"`
	HasLog       bool   `json:"has_log"`
}

// Status counts specs by status and names the runs that are under way, whose agents
// wait for somebody, that were interrupted, or wait to land; and it explains the specs
// that stand still.
func (e *Engine) Status(ctx context.Context, in StatusInput) (StatusResult, error) {
	set, g, err := e.graph(ctx)
	if err != nil {
		return StatusResult{}, wrap(err, "")
	}
	r := StatusResult{Total: len(set.Specs) + len(set.Invalid), Invalid: len(set.Invalid)}
	for _, s := range set.Specs {
		r.countSpec(g, s)
		if view, ok := e.runView(ctx, g, s); ok {
			r.Runs = append(r.Runs, view)
		}
		if in.Activity && s.Status == spec.InProgress {
			r.Activity = append(r.Activity, e.activity(s))
		}
	}
	r.Brief = r.brief()
	if err := e.countUsage(&r, in.Usage); err != nil {
		return r, wrap(err, "")
	}
	err = e.explain(ctx, &r, set, g)
	return done(r, err, "")
}

func (r *StatusResult) countSpec(g *spec.Graph, s *spec.Spec) {
	switch s.Status {
	case spec.Pending:
		if g.Blocked(s.ID) {
			r.Blocked++
			return
		}
		r.Pending++
		if g.Ready(s.ID) {
			r.Ready++
		}
	case spec.InProgress, spec.Paused:
		r.InProgress++
	case spec.Completed:
		r.Completed++
	case spec.Failed:
		r.Failed++
	case spec.Cancelled:
		r.Cancelled++
	case spec.NeedsAttention:
		r.NeedsAttention++
	}
}

func (r *StatusResult) brief() string {
	var parts []string
	for _, c := range []struct {
		n    int
		word string
	}{
		{r.Pending, "pending"}, {r.InProgress, "in_progress"}, {r.Completed, "completed"}, {r.Failed, "failed"},
		{r.Blocked, "blocked"}, {r.NeedsAttention, "needs_attention"}, {r.Cancelled, "cancelled"}, {r.Invalid, "invalid"},
	} {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c.n, c.word))
		}
	}
	if len(parts) == 0 {
		return "No specs"
	}
	return strings.Join(parts, " | ")
}

// notLanded is the state of a completed run that merge lands.
const notLanded = "not landed"

func (e *Engine) runView(ctx context.Context, g *spec.Graph, s *spec.Spec) (RunView, bool) {
	v := RunView{ID: s.ID, Title: s.Title, Status: s.Status, Glance: e.glance(s)}
	switch {
	case v.State != "":
	case s.AwaitsRetry():
		v.State = "waits for " + retryText(s)
	case s.Status == spec.Completed && !s.Landed:
		v.State = notLanded
	default:
		return v, false
	}
	l, err := e.lookAt(ctx, g, s)
	if err != nil {
		return v, false // explain reports it
	}
	v.Next = l.conclude().Next
	if last := l.history.Last(); last != nil {
		v.Attempt, v.Step = last.Number, last.Last
		if hold := unapproved(s, l.history); hold.Exists() && v.State == notLanded {
			v.State = hold.String()
		}
	}
	return v, true
}

func (e *Engine) activity(s *spec.Spec) Activity {
	const layout = "2006-01-02 15:04:05"
	a := Activity{ID: s.ID, Title: s.Title}
	tree, err := e.defaultTree(s.ID)
	if err != nil || !exists(tree) {
		tree = e.Home()
	}
	if info, err := os.Stat(filepath.Join(tree, filepath.FromSlash(store.SpecPath(s.ID)))); err == nil {
		a.SpecModified = info.ModTime().In(time.Local).Format(layout)
	}
	if info, err := os.Stat(e.store.LogPath(s.ID)); err == nil {
		a.LogModified, a.HasLog = info.ModTime().In(time.Local).Format(layout), true
	}
	return a
}

// defaultTree is where a run's worktree stands unless somebody moved it.
func (e *Engine) defaultTree(id string) (string, error) {
	if dir := e.config.Worktree.Dir; dir != "" {
		return filepath.Join(dir, id), nil
	}
	return filepath.Join(e.Home(), store.Dir, string(store.Worktrees), id), nil
}
