package specs

import (
	"cmp"
	"context"
	"strings"

	"chant/engine"
	"chant/engine/spec"
)

// Bounds of a list, in entries.
const (
	usualLimit = 50
	most       = 1000
)

// bound gives a list the limit it has over MCP.
func bound(limit int) int {
	if limit <= 0 {
		return usualLimit
	}
	return min(limit, most)
}

func list(e *engine.Engine, ctx context.Context, in engine.ListInput) (engine.ListResult, error) {
	in.Limit = bound(in.Limit)
	return e.List(ctx, in)
}

func ready(e *engine.Engine, ctx context.Context, in engine.ReadyInput) (engine.ListResult, error) {
	in.Limit = bound(in.Limit)
	return e.Ready(ctx, in)
}

func search(e *engine.Engine, ctx context.Context, in engine.SearchInput) (engine.ListResult, error) {
	in.Limit = bound(in.Limit)
	return e.Search(ctx, in)
}

func lint(e *engine.Engine, ctx context.Context, in engine.LintInput) (engine.LintResult, error) {
	in.Limit = min(in.Limit, most)
	return e.Lint(ctx, in)
}

func deps(e *engine.Engine, ctx context.Context, in engine.DepsInput) (engine.DepsResult, error) {
	in.Limit = min(in.Limit, most)
	return e.Deps(ctx, in)
}

func drift(e *engine.Engine, ctx context.Context, in engine.DriftInput) (engine.DriftResult, error) {
	in.Limit = min(in.Limit, most)
	return e.Drift(ctx, in)
}

// specView is the file of a spec as the contract shows it: flat, with its body
// last. chant_deps reports how it depends on other specs.
type specView struct {
	engine.Row
	TargetFiles spec.StringList  `json:"target_files,omitempty"`
	Context     spec.StringList  `json:"context,omitempty"`
	Prompt      string           `json:"prompt,omitempty"`
	Provider    string           `json:"provider,omitempty"`
	Commits     spec.StringList  `json:"commits,omitempty"`
	CompletedAt string           `json:"completed_at,omitempty"`
	Model       string           `json:"model,omitempty"`
	Reason      string           `json:"reason,omitempty"`
	ReasonCode  spec.ReasonCode  `json:"reason_code,omitempty"`
	Approval    *spec.Approval   `json:"approval,omitempty"`
	InformedBy  spec.StringList  `json:"informed_by,omitempty"`
	Origin      spec.StringList  `json:"origin,omitempty"`
	Tracks      spec.StringList  `json:"tracks,omitempty"`
	Verified    string           `json:"last_verified,omitempty"`
	Verdict     string           `json:"verification_status,omitempty"`
	Failures    spec.StringList  `json:"verification_failures,omitempty"`
	Criteria    []spec.Criterion `json:"criteria,omitempty"`
	Body        string           `json:"body"`
}

func get(e *engine.Engine, ctx context.Context, in engine.ShowInput) (specView, error) {
	r, err := e.Get(ctx, in)
	f := r.Fields
	return specView{
		Row: r.Row, TargetFiles: f.TargetFiles, Context: f.Context, Prompt: f.Prompt, Provider: f.Provider,
		Commits: f.Commits, CompletedAt: f.CompletedAt, Model: f.Model, Reason: f.Reason, ReasonCode: f.ReasonCode, Approval: f.Approval,
		InformedBy: f.InformedBy, Origin: f.Origin, Tracks: f.Tracks,
		Verified: f.LastVerified, Verdict: cmp.Or(string(r.Nothing), f.Verification), Failures: f.Failures,
		Criteria: r.Criteria, Body: strings.TrimLeft(r.Body, "\r\n"), // the blank line below the front matter is none of it
	}, err
}
