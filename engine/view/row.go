package view

import (
	"cmp"
	"time"

	"chant/engine"
	"chant/engine/evidence/criteria"
	"chant/engine/run/advice"
	"chant/engine/spec"
	"chant/engine/store"
)

// Row is one spec in a list.
type Row struct {
	ID         string          `json:"id"`
	Title      string          `json:"title"`
	Task       string          `json:"task,omitempty"` // its number, if it is a task
	Status     string          `json:"status"`         // one of the seven, or "invalid"
	Type       string          `json:"type"`
	DependsOn  spec.StringList `json:"depends_on,omitempty"`
	Labels     spec.StringList `json:"labels,omitempty"`
	Ready      bool            `json:"ready,omitempty"`
	Blocked    bool            `json:"blocked,omitempty"`
	WaitsFor   []Wait          `json:"waits_for,omitempty"`   // what a blocked spec, or one that has not landed, waits for
	Landed     *bool           `json:"landed,omitempty"`      // only on completed specs
	Branch     string          `json:"branch,omitempty"`      // of its run
	Run        string          `json:"run,omitempty"`         // running, waiting or interrupted; on another machine also that it waits for its landing or for a machine
	Node       string          `json:"node,omitempty"`        // the machine of the fleet that works on it, or has
	LastLine   string          `json:"last_line,omitempty"`   // what the agent of a waiting run printed last
	NeedsInput int             `json:"needs_input,omitempty"` // how many questions about it wait for a person
	RetryAt    string          `json:"retry_at,omitempty"`    // the time of the next attempt of a postponed run
	Archived   bool            `json:"archived,omitempty"`
	Nothing    criteria.Status `json:"verification_status,omitempty"` // only where there was nothing to verify
	Error      string          `json:"error,omitempty"`               // what is wrong with an invalid one

	unapproved bool // it lacks an approval that it needs
}

// Wait is what a spec waits for: another spec, or with an empty ID something of its own, such as "approval".
type Wait struct {
	ID  string `json:"id,omitempty"`
	Why string `json:"why"`
}

// row describes one spec, including what the graph says about it.
func row(p *engine.Project, g *spec.Graph, s *spec.Spec) Row {
	r := bareRow(p, s)
	if s.Archived {
		return r
	}
	if r.Ready, r.Blocked = g.ReadyOrBlocked(s.ID); r.Blocked {
		for _, b := range g.Blockers(s.ID) {
			r.WaitsFor = append(r.WaitsFor, waitOf(s.ID, b))
		}
	} else if hold := s.ApprovalBlock(); hold.Exists() && r.Landed != nil && !*r.Landed {
		r.WaitsFor = []Wait{waitOf(s.ID, spec.Blocker{ID: s.ID, Why: hold.String(), Hold: hold})}
	}
	return r
}

// waitOf describes what a spec waits for.
func waitOf(id string, b spec.Blocker) Wait {
	if b.ID != id {
		return Wait{b.ID, b.Why}
	}
	return Wait{Why: cmp.Or(b.Hold.Reason(), b.Why)}
}

// bareRow describes one spec without the graph.
func bareRow(p *engine.Project, s *spec.Spec) Row {
	r := Row{
		ID: s.ID, Title: s.Title, Task: string(s.Fields.Task), Status: string(s.Status), Type: string(s.Fields.Type),
		DependsOn: s.Fields.DependsOn, Labels: s.Fields.Labels, Branch: s.Branch, Archived: s.Archived,
	}
	if s.Archived {
		return r
	}
	r.unapproved = s.ApprovalBlock().Exists()
	if s.Status == spec.Completed {
		// A copy, because the result must not point into the index.
		landed := s.Landed
		r.Landed = &landed
		if advice.NothingToVerify(p, s) {
			r.Nothing = criteria.Nothing
		}
	}
	seen := advice.GlanceAt(p, s)
	r.Run, r.LastLine = seen.State, seen.LastLine
	if s.AwaitsRetry() {
		r.RetryAt = s.Fields.Retry.Due().UTC().Format(time.RFC3339)
	}
	return r
}

// invalidRow describes a file that could not be read.
func invalidRow(bad store.Invalid) Row {
	return Row{ID: bad.ID, Status: invalid, Error: bad.Err.Error()}
}
