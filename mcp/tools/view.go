package tools

import (
	"cmp"
	"context"
	"strings"

	"chant/engine"
	"chant/engine/evidence/criteria"
	"chant/engine/spec"
	"chant/engine/verify"
	"chant/engine/verify/linter"
	"chant/engine/view"
)

// Bounds of a list, in entries.
const (
	defaultLimit = 50
	maxLimit     = 1000
)

// boundLimit gives a list the limit it has over MCP.
func boundLimit(limit int) int {
	if limit <= 0 {
		return defaultLimit
	}
	return min(limit, maxLimit)
}

func list(ctx context.Context, p *engine.Project, in view.ListInput) (view.ListResult, error) {
	in.Limit = boundLimit(in.Limit)
	in.Details = true
	return view.List(ctx, p, in)
}

func ready(ctx context.Context, p *engine.Project, in view.ReadyInput) (view.ListResult, error) {
	in.Limit = boundLimit(in.Limit)
	in.Details = true
	return view.Ready(ctx, p, in)
}

func search(ctx context.Context, p *engine.Project, in view.SearchInput) (view.SearchResult, error) {
	in.Limit = boundLimit(in.Limit)
	in.Details = true
	return view.Search(ctx, p, in)
}

func lint(ctx context.Context, p *engine.Project, in linter.LintInput) (linter.LintResult, error) {
	in.Limit = min(in.Limit, maxLimit)
	return linter.Lint(ctx, p, in)
}

func deps(ctx context.Context, p *engine.Project, in view.DepsInput) (view.DepsResult, error) {
	in.Limit = min(in.Limit, maxLimit)
	return view.Deps(ctx, p, in)
}

func drift(ctx context.Context, p *engine.Project, in verify.DriftInput) (verify.DriftResult, error) {
	in.Limit = min(in.Limit, maxLimit)
	return verify.Drift(ctx, p, in)
}

// specView is the file of a spec as the contract shows it: flat, with its body
// last. chant_deps reports how it depends on other specs.
type specView struct {
	view.Row
	TargetFiles spec.StringList       `json:"target_files,omitempty"`
	Context     spec.StringList       `json:"context,omitempty"`
	Prompt      string                `json:"prompt,omitempty"`
	Commits     spec.StringList       `json:"commits,omitempty"`
	CompletedAt string                `json:"completed_at,omitempty"`
	Model       string                `json:"model,omitempty"`
	Reason      string                `json:"reason,omitempty"`
	ReasonCode  spec.ReasonCode       `json:"reason_code,omitempty"`
	Approval    *spec.Approval        `json:"approval,omitempty"`
	InformedBy  spec.StringList       `json:"informed_by,omitempty"`
	Origin      spec.StringList       `json:"origin,omitempty"`
	Tracks      spec.StringList       `json:"tracks,omitempty"`
	Verified    string                `json:"last_verified,omitempty"`
	Verdict     string                `json:"verification_status,omitempty"`
	Failures    spec.StringList       `json:"verification_failures,omitempty"`
	Proven      criteria.Conclusion   `json:"verdict,omitempty"`
	Strength    *criteria.Strength    `json:"strength,omitempty"`
	Criteria    []view.ShownCriterion `json:"criteria,omitempty"`
	Body        string                `json:"body"`
}

func get(ctx context.Context, p *engine.Project, in view.ShowInput) (specView, error) {
	in.Details = true
	r, err := view.Get(ctx, p, in)
	f := r.Fields
	return specView{
		Row: r.Row, TargetFiles: f.TargetFiles, Context: f.Context, Prompt: f.Prompt,
		Commits: f.Commits, CompletedAt: f.CompletedAt, Model: f.Model, Reason: f.Reason, ReasonCode: f.ReasonCode, Approval: f.Approval,
		InformedBy: f.InformedBy, Origin: f.Origin, Tracks: f.Tracks,
		Verified: f.LastVerified, Verdict: cmp.Or(string(r.Nothing), f.Verification), Failures: f.Failures, Proven: r.Verdict, Strength: r.Strength,
		// The blank line below the front matter is not part of the body.
		Criteria: r.Criteria, Body: strings.TrimLeft(r.Body, "\r\n"),
	}, err
}
