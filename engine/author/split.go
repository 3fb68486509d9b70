package author

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"chant/engine"
	"chant/engine/advice"
	"chant/engine/lint"
	"chant/engine/next"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/markdown"
)

// SplitInput says which spec to split, and how.
type SplitInput struct {
	ID        string `json:"id" jsonschema:"Spec ID (full or partial)"`
	Force     bool   `json:"force,omitempty" jsonschema:"Also a spec that failed or needs attention"`
	Recursive bool   `json:"recursive,omitempty" jsonschema:"Split large members again"`
	MaxDepth  int    `json:"max_depth,omitempty" schema:"min=0" jsonschema:"Levels of members with recursive (default: 2)"`
	ByHeading bool   `json:"by_heading,omitempty" jsonschema:"A member for each section, without an agent"`
	DryRun    bool   `json:"dry_run,omitempty" jsonschema:"Show the members, write nothing"`
	Model     string `json:"model,omitempty" jsonschema:"Model to use instead of the project's"`
	Provider  string `json:"provider,omitempty" jsonschema:"Provider to use instead of the spec's or the project's"`

	Planned *SplitResult `json:"-"` // a dry run's result, to be written as it is
}

// SplitResult lists the members into which a spec was split, or would be.
type SplitResult struct {
	ID       string        `json:"id"`
	Title    string        `json:"title"`
	Members  []SplitMember `json:"members"`            // each followed by its own members
	Repaired []string      `json:"repaired,omitempty"` // what was corrected in the proposal
	Provider string        `json:"provider,omitempty"` // of the agent that was asked
	Model    string        `json:"model,omitempty"`
	DryRun   bool          `json:"dry_run,omitempty"`
	Waits    string        `json:"waits,omitempty"` // the approval that is missing now
	Commit   string        `json:"commit,omitempty"`

	source string        // the spec as it was read
	first  []string      // its own members
	adds   []store.Added // every new spec
}

// SplitMember is one member.
type SplitMember struct {
	ID          string     `json:"id"`
	Title       string     `json:"title"`
	DependsOn   []string   `json:"depends_on"`
	Criteria    []string   `json:"criteria"`
	TargetFiles []string   `json:"target_files,omitempty"`
	Members     []string   `json:"members,omitempty"` // when it was split again
	Text        string     `json:"text,omitempty"`    // the file, of a dry run
	Lint        lint.Score `json:"lint"`
}

// Split turns a spec into a group with members, in one commit. The members are proposed by
// an agent or are the sections of the spec. The agent reads in a clean worktree of the
// target and changes nothing. Its proposal is checked against a schema; unambiguous mistakes
// are corrected, for others the agent is asked once more. Errors: State for a spec that has
// members or a run, or is not pending; Conflict for uncommitted edits; Agent if the agent
// proposes nothing usable; Usage.
func Split(ctx context.Context, p *engine.Project, in SplitInput) (SplitResult, error) {
	if in.MaxDepth < 0 || in.MaxDepth > 0 && !in.Recursive {
		return SplitResult{}, engine.Fail(engine.Usage, next.Split.Help(), "a depth is a number from 1 and can only be used with recursive")
	}
	return advice.WithHold(ctx, p, in.ID, "split", func(h *engine.Held) (SplitResult, error) { return splitHeld(ctx, p, in, h) })
}

func splitHeld(ctx context.Context, p *engine.Project, in SplitInput, h *engine.Held) (SplitResult, error) {
	set, g, err := engine.Graph(ctx, p)
	if err != nil {
		return SplitResult{}, err
	}
	s, err := engine.ReadableFile(ctx, p, set, g, h.ID)
	if err != nil {
		return SplitResult{}, err
	}
	if err := maySplit(ctx, p, in, g, s); err != nil {
		return SplitResult{}, err
	}
	result := SplitResult{DryRun: in.DryRun}
	if planned := in.Planned; planned != nil {
		if planned.source != string(s.Doc.Bytes()) {
			return SplitResult{}, engine.Fail(engine.Conflict, next.Split.On(s.ID), "spec %q has changed since its members were shown", s.ID)
		}
		result = *planned
	} else if result, err = planMembers(ctx, p, in, s); err != nil {
		return SplitResult{}, err
	}
	if result.DryRun = in.DryRun; in.DryRun {
		return result, nil
	}
	return writeSplit(ctx, p, s, result)
}

// maySplit refuses a spec that cannot be split, and one with work or edits that would be lost.
func maySplit(ctx context.Context, p *engine.Project, in SplitInput, g *spec.Graph, s *spec.File) error {
	forced := []spec.Status{spec.Pending, spec.Failed, spec.NeedsAttention, spec.InProgress, spec.Paused}
	switch {
	case g.Container(s.ID):
		if edited, err := engine.Uncommitted(ctx, p, s.ID); err != nil || edited {
			return cmp.Or(err, error(engine.Fail(engine.Conflict, next.Shell("git status %s", store.SpecsDir), "spec %q holds members that are not committed: a split was interrupted, or another process is working on it; commit them, or restore its file and remove theirs", s.ID)))
		}
		return engine.Fail(engine.State, next.Deps.On(s.ID), "spec %q holds members already", s.ID)
	case s.Branch != "":
		return engine.Fail(engine.State, next.Reset.On(s.ID), "spec %q has a run; it is split only without one", s.ID)
	case s.Status != spec.Pending && slices.Contains(forced, s.Status) && !in.Force:
		return engine.Fail(engine.State, next.Split.On(s.ID).Flag("force"), "spec %q is %s, not pending", s.ID, s.Status)
	case !slices.Contains(forced, s.Status):
		return engine.Fail(engine.State, next.Show.On(s.ID), "spec %q is %s: there is nothing left to split", s.ID, s.Status)
	}
	edited, err := engine.Uncommitted(ctx, p, s.ID)
	if err == nil && edited {
		err = engine.Fail(engine.Conflict, engine.CommitStep(s.ID), "spec %q has edits that are not committed", s.ID)
	}
	return err
}

// writeSplit writes the group and its members in one commit.
func writeSplit(ctx context.Context, p *engine.Project, s *spec.File, r SplitResult) (SplitResult, error) {
	change := store.Change{
		ID: s.ID, Word: "split", AtHome: true, Adds: r.adds, Why: fmt.Sprintf("Into %d members.", len(r.Members)),
		Edits: []markdown.Edit{markdown.Set("type", string(spec.Group)), markdown.Set("members", r.first)},
	}
	if s.Status != spec.Pending {
		change.Event = spec.Reset
		change.Edits = append(change.Edits, spec.ClearReason()...)
	}
	out, err := p.Store.Transition(ctx, change)
	if err != nil {
		return SplitResult{}, err
	}
	r.Commit = out.Commit
	if now, err := p.Store.Get(ctx, s.ID); err == nil { // else the result describes only what was written
		r.Waits = now.ApprovalBlock().String()
	}
	return r, nil
}
