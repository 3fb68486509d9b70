package engine

import (
	"time"

	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops"
)

// Row is one spec in a list.
type Row struct {
	ID        string          `json:"id"`
	Title     string          `json:"title"`
	Status    string          `json:"status"` // one of the seven, or "invalid"
	Type      string          `json:"type"`
	DependsOn spec.StringList `json:"depends_on,omitempty"`
	Labels    spec.StringList `json:"labels,omitempty"`
	Ready     bool            `json:"ready,omitempty"`
	Blocked   bool            `json:"blocked,omitempty"`
	Landed    *bool           `json:"landed,omitempty"`   // only on completed specs
	Branch    string          `json:"branch,omitempty"`   // of the run that speaks for it
	Run       string          `json:"run,omitempty"`      // running or interrupted
	RetryAt   string          `json:"retry_at,omitempty"` // when its run goes on by itself
	Archived  bool            `json:"archived,omitempty"`
	Error     string          `json:"error,omitempty"` // what is wrong with an invalid one
}

// row describes one spec in the light of the graph.
func (e *Engine) row(g *spec.Graph, s *spec.Spec) Row {
	r := e.bareRow(s)
	if !s.Archived {
		r.Ready, r.Blocked = g.Ready(s.ID), g.Blocked(s.ID)
	}
	return r
}

// bareRow describes one spec by itself.
func (e *Engine) bareRow(s *spec.Spec) Row {
	r := Row{
		ID: s.ID, Title: s.Title, Status: string(s.Status), Type: string(s.Fields.Type),
		DependsOn: s.Fields.DependsOn, Labels: s.Fields.Labels, Branch: s.Branch, Archived: s.Archived,
	}
	if s.Archived {
		return r
	}
	if s.Status == spec.Completed {
		landed := s.Landed
		r.Landed = &landed
	}
	r.Run = e.runState(s)
	if s.AwaitsRetry() {
		r.RetryAt = s.Fields.Retry.Due().UTC().Format(time.RFC3339)
	}
	return r
}

// The states of a run that a reader can tell without its journal.
const (
	running     = "running"
	interrupted = "interrupted"
)

// runState tells whether a process is at work on the spec's run, or one died
// over it. Only specs that have a run are looked at.
func (e *Engine) runState(s *spec.Spec) string {
	if s.Branch == "" || e.store.RunOf() == s.ID {
		return ""
	}
	if _, held := gitops.HeldBy(e.store.LockPath(s.ID)); held {
		return running
	}
	if s.Status == spec.InProgress {
		return interrupted
	}
	h, err := run.ReadHistory(e.store, s.ID)
	if err == nil && h.Open() != nil {
		return interrupted
	}
	return ""
}

// invalidRow describes a file that could not be read.
func invalidRow(bad store.Invalid) Row {
	return Row{ID: bad.ID, Status: "invalid", Error: bad.Err.Error()}
}
