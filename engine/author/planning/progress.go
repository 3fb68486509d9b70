package planning

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/run/usage"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/spec/task"
	"chant/engine/store"
	"chant/gitops"
)

// ListResult has all plans, those that wait for a decision first.
type ListResult struct {
	Plans []Summary `json:"plans"`
}

// Summary is a plan in a list.
type Summary struct {
	Plan    string    `json:"plan"`
	Title   string    `json:"title"`
	Status  Status    `json:"status"`
	Created time.Time `json:"created"`
	Counts  Count     `json:"counts"`
	Progress
	Cost     Cost        `json:"cost"`               // of planning
	Spent    Cost        `json:"spent"`              // of planning and of the work on its specs
	Estimate string      `json:"estimate,omitempty"` // of all its specs, as 16.00h or 3pt; "" if one has none
	Next     next.Advice `json:"next,omitzero"`
	Invalid  string      `json:"invalid,omitempty"` // why it cannot be read
}

// Progress counts the specs of an accepted plan by what has become of them. Those that were cancelled count as nothing.
type Progress struct {
	Done    int `json:"done"`
	Running int `json:"running"`
	Blocked int `json:"blocked"`
	Open    int `json:"open"` // neither of these
}

// List lists all plans. One that cannot be read is in the list with the reason.
func List(ctx context.Context, p *engine.Project, _ struct{}) (_ ListResult, err error) {
	defer convert(&err)
	refs, err := drafts(ctx, p)
	if err != nil {
		return ListResult{}, err
	}
	ids, err := accepted(p)
	if err != nil {
		return ListResult{}, err
	}
	_, g, err := engine.Graph(ctx, p)
	if err != nil {
		return ListResult{}, err
	}
	all, err := summaries(ctx, p, g, refs, ids)
	return ListResult{all}, err
}

// Unfinished lists the plans that wait for a decision, and those with specs that are neither done nor cancelled. Where there are
// none it reads the names of branches and no files.
func Unfinished(ctx context.Context, p *engine.Project, specs []*spec.Spec, g *spec.Graph) ([]Summary, error) {
	refs, err := drafts(ctx, p)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, s := range specs {
		if s.Status == spec.Completed || s.Status == spec.Cancelled {
			continue
		}
		// A spec of a plan names it, so that no plan is read to learn that it is done.
		for _, file := range s.Fields.Context {
			if id, is := strings.CutSuffix(path.Base(file), ".md"); is && path.Dir(file) == store.PlansDir && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	if len(refs)+len(ids) == 0 {
		return nil, nil
	}
	return summaries(ctx, p, g, refs, ids)
}

// summaries describes drafts and accepted plans, those that wait for a decision first.
func summaries(ctx context.Context, p *engine.Project, g *spec.Graph, refs []gitops.Ref, ids []string) ([]Summary, error) {
	out := []Summary{}
	refs = slices.DeleteFunc(slices.Clone(refs), func(r gitops.Ref) bool { return isLeftOver(p, r) })
	for _, r := range refs {
		d, err := draft{document: document{ID: r.Name}, branch: p.Store.PlanBranch(r.Name), tip: r.Hash}.read(ctx, p)
		if _, none := errors.AsType[errNoPlan](err); none {
			continue
		}
		if err != nil {
			out = append(out, Summary{Plan: r.Name, Status: Draft, Invalid: err.Error()})
			continue
		}
		one, err := d.summary(p, g)
		if err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	for _, id := range ids {
		// Of a plan that is revised, the draft is shown.
		if slices.ContainsFunc(refs, func(r gitops.Ref) bool { return r.Name == id }) {
			continue
		}
		d, err := loadAccepted(p, id)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			// A person has removed it, or named a file that never was.
			continue
		case err != nil:
			out = append(out, Summary{Plan: id, Status: Accepted, Invalid: err.Error()})
			continue
		}
		one, err := d.summary(p, g)
		if err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	slices.SortFunc(out, func(a, b Summary) int {
		waits := func(s Summary) int { return map[bool]int{true: 0, false: 1}[s.Status == Draft || s.Status == Drafting] }
		return cmp.Or(cmp.Compare(waits(a), waits(b)), b.Created.Compare(a.Created), strings.Compare(a.Plan, b.Plan))
	})
	return out, ctx.Err()
}

// summary describes one plan.
func (d *draft) summary(p *engine.Project, g *spec.Graph) (Summary, error) {
	one := Summary{
		Plan: d.ID, Title: d.Title, Status: d.Status, Created: d.Created, Counts: countOf(d.Tried, len(d.specs)),
		Cost: d.Cost, Spent: d.Cost, Estimate: estimateOf(d.specs),
	}
	if d.Status == Draft || d.Status == Drafting {
		one.Next = d.next()
	}
	if d.Status == Accepted {
		one.Progress = progressOf(d.document.Specs, g)
	}
	for _, id := range d.document.Specs {
		h, err := journal.ReadHistory(p.Store, id)
		if err != nil {
			return one, err
		}
		one.Spent = one.Spent.plus(usage.UsageOf(h, time.Time{}))
	}
	one.Spent.USD = usage.RoundCost(one.Spent.USD)
	return one, nil
}

// estimateOf adds up the estimates of specs. There is no sum of hours and points, and none if an estimate is missing.
func estimateOf(specs []planned) string {
	var sum task.Effort
	for _, s := range specs {
		one, err := task.ParseEffort(effortOf(s.doc))
		if err != nil || sum.Kind != "" && sum.Kind != one.Kind {
			return ""
		}
		sum = task.Effort{Hours: sum.Hours + one.Hours, Points: sum.Points + one.Points, Kind: one.Kind}
	}
	return sum.String()
}

// progressOf counts specs. One that is no longer active is archived, and so done.
func progressOf(ids []string, g *spec.Graph) Progress {
	var n Progress
	for _, id := range ids {
		s := g.Spec(id)
		switch {
		case s == nil, s.Status == spec.Completed:
			n.Done++
		case s.Status == spec.Cancelled:
		case s.Status == spec.InProgress || s.Status == spec.Paused:
			n.Running++
		case g.Blocked(id):
			n.Blocked++
		default:
			n.Open++
		}
	}
	return n
}

// Words is the progress as people read it: "2 of 5 done, 1 running, 1 blocked".
func (n Progress) Words() string {
	out := fmt.Sprintf("%d of %d done", n.Done, n.Done+n.Running+n.Blocked+n.Open)
	if n.Running > 0 {
		out += fmt.Sprintf(", %d running", n.Running)
	}
	if n.Blocked > 0 {
		out += fmt.Sprintf(", %d blocked", n.Blocked)
	}
	return out
}

// String is a plan in one line: "plan ID: 2 of 5 done, 1 running, $0.42 and 3m12s so far, estimate 9.00h".
func (s Summary) String() string {
	out := "plan " + s.Plan + ": "
	switch {
	case s.Invalid != "":
		return out + "invalid: " + spec.OneLine(s.Invalid)
	case s.Status == Accepted:
		out += s.Progress.Words()
	default:
		out += string(s.Status) + ", " + plural(s.Counts.Specs, "spec", "specs")
	}
	var used []string
	if s.Spent.USD != nil {
		used = append(used, fmt.Sprintf("$%.2f", *s.Spent.USD))
	}
	if took := time.Duration(s.Spent.Seconds * float64(time.Second)).Round(time.Second); took > 0 {
		used = append(used, took.String())
	}
	if len(used) > 0 {
		out += ", " + strings.Join(used, " and ") + " so far"
	}
	if s.Estimate != "" {
		out += ", estimate " + s.Estimate
	}
	return out
}
