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

// Row is one spec in a list. What every spec can have is there even if it is empty, so that scripts need not ask for it.
type Row struct {
	ID         string          `json:"id"`                // where several projects are listed, repo:id, repo/project:id or project:id
	Repo       string          `json:"repo,omitempty"`    // the name of its repository, where several projects are listed
	Project    string          `json:"project,omitempty"` // the folder of its project, likewise
	Title      string          `json:"title"`
	Number     string          `json:"number"`         // of its day, by which commands find it, such as 003 or 003.1
	Task       string          `json:"task,omitempty"` // its number, if it is a task
	Status     string          `json:"status"`         // one of the seven, or "invalid"
	Type       string          `json:"type"`
	DependsOn  spec.StringList `json:"depends_on"`
	Labels     spec.StringList `json:"labels"`
	Priority   string          `json:"priority"`
	Assignee   string          `json:"assignee"`
	Provider   string          `json:"provider"` // that its file names
	Source     string          `json:"source"`   // the folder of spec-kit, OpenSpec or Kiro that it adopts
	Driver     string          `json:"driver"`   // of which it is a member
	Members    spec.StringList `json:"members"`
	Ready      bool            `json:"ready"`
	Blocked    bool            `json:"blocked"`
	BlockedBy  []string        `json:"blocked_by"`            // the specs that it waits for
	WaitsFor   []Wait          `json:"waits_for"`             // what a spec waits for that is blocked, has not landed or needs criteria
	Landed     *bool           `json:"landed"`                // null unless it is completed
	Branch     string          `json:"branch"`                // of its run
	Target     string          `json:"target"`                // the branch on which it lands
	Created    string          `json:"created"`               // the time of its first commit; only where details are asked for
	Updated    string          `json:"updated"`               // the time of its last commit, likewise
	Cost       *float64        `json:"cost"`                  // of its agents in US dollars, where it is known, likewise
	Run        string          `json:"run,omitempty"`         // running, waiting or interrupted; on another machine also that it waits for its landing or for a machine
	Node       string          `json:"node,omitempty"`        // the machine of the fleet that works on it, or has
	LastLine   string          `json:"last_line,omitempty"`   // what the agent of a waiting run printed last
	Queue      *advice.Place   `json:"queue,omitempty"`       // its place among the branches that wait to land, while a process lands it
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
	if drivers := g.Drivers(s.ID); len(drivers) > 0 {
		r.Driver = drivers[0]
	}
	r.Members = orEmpty(spec.StringList(g.Members(s.ID)))
	if r.Ready, r.Blocked = advice.ReadyOrBlocked(p, g, s); r.Blocked {
		for _, b := range g.Blockers(s.ID) {
			wait := waitOf(s.ID, b)
			r.WaitsFor = append(r.WaitsFor, wait)
			if wait.ID != "" {
				r.BlockedBy = append(r.BlockedBy, wait.ID)
			}
		}
	} else if hold := s.ApprovalBlock(); hold.Exists() && r.Landed != nil && !*r.Landed {
		r.WaitsFor = []Wait{waitOf(s.ID, spec.Blocker{ID: s.ID, Why: hold.String(), Hold: hold})}
	} else if s.WaitsToTurnGreen() {
		r.WaitsFor = []Wait{{s.Fields.RedFor, "lands with it"}}
	} else if !r.Ready && g.Ready(s.ID) {
		r.WaitsFor = []Wait{{Why: advice.NeedsCriteria}}
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
		DependsOn: orEmpty(s.Fields.DependsOn), Labels: orEmpty(s.Fields.Labels), Branch: s.Branch, Archived: s.Archived, Number: spec.NumberOf(s.ID),
		Priority: string(s.Fields.Priority), Assignee: string(s.Fields.Assignee), Provider: s.Fields.Provider,
		Source: s.Fields.Source, Target: s.Target, Members: spec.StringList{}, BlockedBy: []string{}, WaitsFor: []Wait{},
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
	r.Run, r.LastLine, r.Queue = seen.State, seen.LastLine, seen.Queue
	if r.Queue != nil {
		r.WaitsFor = queueWaits(r.Queue.Before, r.Queue.State)
	}
	if s.AwaitsRetry() {
		r.RetryAt = s.Fields.Retry.Due().UTC().Format(time.RFC3339)
	}
	return r
}

// invalidRow describes a file that could not be read.
func invalidRow(bad store.Invalid) Row {
	return Row{
		ID: bad.ID, Status: invalid, Error: bad.Err.Error(), Number: spec.NumberOf(bad.ID),
		DependsOn: spec.StringList{}, Labels: spec.StringList{}, Members: spec.StringList{}, BlockedBy: []string{}, WaitsFor: []Wait{},
	}
}

// orEmpty returns a list that JSON writes as one, even without entries.
func orEmpty[L ~[]E, E any](all L) L {
	if all == nil {
		return L{}
	}
	return all
}
