package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/engine/store/message"
	"chant/engine/store/touched"
	"chant/gitops"
)

// Notice is something in the checked commits that a person should see: it changes how work is made and judged, or a
// person has let it pass.
type Notice struct {
	Kind   NoticeKind `json:"kind"`
	SpecID string     `json:"spec_id,omitempty"` // the spec whose run it is about, "" outside of runs
	Path   string     `json:"path,omitempty"`    // of the file, "" for a decision
	Commit string     `json:"commit,omitempty"`  // the commit that makes the change outside of runs, or records the decision
	Text   string     `json:"text"`
}

// NoticeKind says what a notice is about: one of the kinds of package engine/store/touched for a changed file, or a decision.
type NoticeKind string

// The kinds of decisions.
const (
	NoticeAccepted NoticeKind = "accepted" // a change that a run may not make, and that a person accepted
	NoticeWaived   NoticeKind = "waived"   // an approval that is required and was waived

	NoticeUnverified NoticeKind = "unverified" // a commit outside of runs, which chant has not verified
)

// Decision reports whether the notice is about what a person decided, not about a changed file.
func (n Notice) Decision() bool { return n.Kind == NoticeAccepted || n.Kind == NoticeWaived }

// runCommits are the commits of a completed run in a range.
type runCommits struct {
	id                    string
	start, complete, land *gitops.Commit
	inside                map[string]bool // the commits behind start, up to complete
	line                  map[string]bool // start, complete and those of them on the first-parent line
}

// runOf returns the commits of a spec's run in the range of a subject; start or complete is nil if the range lacks it.
func runOf(ctx context.Context, p *engine.Project, sub subject) (runCommits, error) {
	c := sub.changes
	r := runCommits{
		id: sub.s.ID, start: c.findEvent(sub.s.ID, string(spec.Start)), complete: c.findEvent(sub.s.ID, string(spec.Complete)),
		land: c.findEvent(sub.s.ID, attempt.LandWord), inside: map[string]bool{}, line: map[string]bool{},
	}
	if r.start == nil || r.complete == nil {
		return r, nil
	}
	commits, err := p.Repo.Log(ctx, r.start.Hash, r.complete.Hash)
	parent := map[string]string{}
	for _, commit := range commits {
		r.inside[commit.Hash] = true
		if len(commit.Parents) > 0 {
			parent[commit.Hash] = commit.Parents[0]
		}
	}
	for at := r.complete.Hash; r.inside[at]; at = parent[at] {
		r.line[at] = true
	}
	r.line[r.start.Hash] = true
	return r, err
}

// noticesIn returns what a range changes and decides, found from its commits alone. Changes by runs come first, in the
// order of the specs, then those outside of runs, newest first.
func noticesIn(ctx context.Context, p *engine.Project, in VerifyAllInput, subjects []subject) ([]Notice, error) {
	// Read again, since there may be no subject.
	c, err := readRange(ctx, p, in.Changed)
	if err != nil {
		return nil, err
	}
	var out []Notice
	var runs []runCommits
	for _, sub := range subjects {
		r, err := runOf(ctx, p, sub)
		if err != nil {
			return nil, err
		}
		if r.start == nil || r.complete == nil {
			// It was squashed, or completed without a run, so its changes are in a commit outside of runs.
			continue
		}
		runs = append(runs, r)
		found, err := noticesOfRun(ctx, p, sub, r)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	beside, err := noticesBeside(ctx, p, c, runs, in.Beside)
	return append(out, beside...), err
}

// noticesOfRun returns what a run changed, and the decisions of people about it.
func noticesOfRun(ctx context.Context, p *engine.Project, sub subject, r runCommits) ([]Notice, error) {
	things, err := thingsOfRun(ctx, p, sub, r)
	if err != nil {
		return nil, err
	}
	var out []Notice
	for _, t := range things {
		if t.Kind != touched.Completed || t.Path != store.SpecPath(r.id) {
			out = append(out, Notice{Kind: NoticeKind(t.Kind), SpecID: r.id, Path: t.Path, Text: t.String()})
		}
	}
	waived := false
	for _, commit := range slices.Backward(sub.changes.commits) {
		if !r.inside[commit.Hash] || !recordsCompletion(commit, r.id) {
			continue
		}
		for _, what := range message.Lines(commit, message.AcceptedTrailer) {
			out = append(out, Notice{Kind: NoticeAccepted, SpecID: r.id, Commit: commit.Hash, Text: what})
		}
		for _, what := range message.Lines(commit, message.WaivedTrailer) {
			out, waived = append(out, Notice{Kind: NoticeWaived, SpecID: r.id, Commit: commit.Hash, Text: what}), true
		}
	}
	if waived {
		return out, nil
	}
	// Older versions of chant, and forgeries, do not record a waiver.
	hold, err := unapprovedStart(ctx, p, sub, r)
	if hold.Exists() {
		out = append(out, Notice{Kind: NoticeWaived, SpecID: r.id, Commit: r.complete.Hash, Text: "the spec " + hold.String()})
	}
	return out, err
}

// recordsCompletion reports whether a commit says that it completes a spec.
func recordsCompletion(c gitops.Commit, id string) bool {
	return slices.Contains(message.Records(c), message.Record{ID: id, Event: string(spec.Complete)})
}

// decisionsOf returns the decisions about specs that the whole history of their commit records.
func decisionsOf(ctx context.Context, p *engine.Project, subjects []subject) ([]Notice, error) {
	if len(subjects) == 0 {
		return nil, nil
	}
	commits, err := p.Repo.Saying(ctx, subjects[0].commit, "^("+message.AcceptedTrailer+"|"+message.WaivedTrailer+"): ")
	var out []Notice
	for _, c := range commits {
		for _, sub := range subjects {
			if !recordsCompletion(c, sub.s.ID) {
				continue
			}
			for key, kind := range map[string]NoticeKind{message.AcceptedTrailer: NoticeAccepted, message.WaivedTrailer: NoticeWaived} {
				for _, what := range message.Lines(c, key) {
					out = append(out, Notice{Kind: kind, SpecID: sub.s.ID, Commit: c.Hash, Text: what})
				}
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Notice) int { return cmp.Or(cmp.Compare(a.SpecID, b.SpecID), cmp.Compare(a.Kind, b.Kind)) })
	return out, err
}

// unapprovedStart returns the hold that the spec had when its run started and still has, if it could be waived: older
// versions of chant, and forgeries, do not say that it was.
func unapprovedStart(ctx context.Context, p *engine.Project, sub subject, r runCommits) (spec.Hold, error) {
	start, err := p.Store.ReadAt(ctx, r.start.Hash, r.id)
	if errors.Is(err, gitops.ErrNotFound) {
		return spec.Hold{}, nil
	}
	if err != nil {
		return spec.Hold{}, err
	}
	hold, still := start.ApprovalBlock(), sub.s.ApprovalBlock()
	if !hold.Waivable() || !still.Exists() || still.Kind == spec.HeldByChange {
		return spec.Hold{}, nil
	}
	return hold, nil
}

// thingsOfRun returns what a run changed itself of what decides how work is made and judged.
func thingsOfRun(ctx context.Context, p *engine.Project, sub subject, r runCommits) ([]touched.Thing, error) {
	protect, err := protectedAt(ctx, p, r.start.Hash)
	if err != nil {
		return nil, err
	}
	// Otherwise the run has added the spec.
	if start, err := p.Store.ReadAt(ctx, r.start.Hash, r.id); err == nil {
		protect = slices.Concat(protect, start.Checks().Protect)
	}
	things, err := touched.Commits{Repo: p.Repo, Store: p.Store}.Changes(ctx, r.start.Hash, r.complete.Hash, touched.Rules{Protect: protect})
	if err != nil || len(things) == 0 {
		return nil, err
	}
	own, err := changedByRun(ctx, p, sub.changes, r)
	return slices.DeleteFunc(things, func(t touched.Thing) bool {
		return !slices.ContainsFunc(own, func(ch gitops.Change) bool { return ch.Path == t.Path })
	}), err
}

// changedByRun returns the files that a run changed itself: not those that have the content of a merged-in commit of the
// target.
func changedByRun(ctx context.Context, p *engine.Project, c *changes, r runCommits) ([]gitops.Change, error) {
	own, err := p.Repo.Diff(ctx, r.start.Hash, r.complete.Hash)
	if err != nil || len(own) == 0 {
		return nil, err
	}
	brought, err := mergedTargetCommits(ctx, p, c, r)
	if err != nil {
		return nil, err
	}
	for _, commit := range brought {
		diff, err := p.Repo.Diff(ctx, commit, r.complete.Hash)
		if err != nil {
			return nil, err
		}
		own = slices.DeleteFunc(own, func(o gitops.Change) bool {
			return !slices.ContainsFunc(diff, func(ch gitops.Change) bool { return ch.Path == o.Path })
		})
	}
	return own, nil
}

// mergedTargetCommits returns the commits of the target that were merged into a run. A commit that only the run has is its own work,
// however it got there.
func mergedTargetCommits(ctx context.Context, p *engine.Project, c *changes, r runCommits) ([]string, error) {
	trunk := []string{c.from}
	if r.land != nil && len(r.land.Parents) > 1 {
		trunk = append(trunk, r.land.Parents[0])
	}
	var out []string
	for _, commit := range c.commits {
		if !r.inside[commit.Hash] || len(commit.Parents) < 2 {
			continue
		}
		for _, parent := range commit.Parents[1:] {
			for _, of := range trunk {
				// Only what the target itself has counts as merged in: an agent can merge a branch of its own.
				on, err := p.Repo.IsAncestor(ctx, parent, of)
				if err != nil {
					return nil, err
				}
				if on {
					out = append(out, parent)
				}
			}
		}
	}
	return out, nil
}

// noticesBeside returns what commits outside of runs changed on the first-parent line of a range, and with all, which
// these commits are.
func noticesBeside(ctx context.Context, p *engine.Project, c *changes, runs []runCommits, all bool) ([]Notice, error) {
	byHash := map[string]*gitops.Commit{}
	for i := range c.commits {
		byHash[c.commits[i].Hash] = &c.commits[i]
	}
	protect, err := protectedAt(ctx, p, c.from)
	if err != nil {
		return nil, err
	}
	var out []Notice
	for at := byHash[c.to]; at != nil && len(at.Parents) > 0; at = byHash[at.Parents[0]] {
		if slices.ContainsFunc(runs, func(r runCommits) bool { return r.line[at.Hash] }) {
			continue
		}
		things, err := touched.Commits{Repo: p.Repo, Store: p.Store}.Changes(ctx, at.Parents[0], at.Hash, touched.Rules{Protect: protect})
		if err != nil {
			return nil, err
		}
		if things, err = withoutRun(ctx, p, at, runs, things, func(t touched.Thing) string { return t.Path }); err != nil {
			return nil, err
		}
		if all {
			n, err := noticeOfCommit(ctx, p, at, runs)
			if err != nil {
				return nil, err
			}
			out = append(out, n...)
		}
		for _, t := range things {
			// The completion itself is checked elsewhere.
			if t.Kind != touched.Completed {
				out = append(out, Notice{Kind: NoticeKind(t.Kind), Path: t.Path, Commit: at.Hash, Text: fmt.Sprintf("%s, in commit %.7s", t, at.Hash)})
			}
		}
	}
	return out, nil
}

// noticeOfCommit returns a notice of a commit outside of runs if it changes files outside of .chant.
func noticeOfCommit(ctx context.Context, p *engine.Project, at *gitops.Commit, runs []runCommits) ([]Notice, error) {
	files, err := p.Repo.Diff(ctx, at.Parents[0], at.Hash)
	if err != nil {
		return nil, err
	}
	files = slices.DeleteFunc(files, func(ch gitops.Change) bool { return strings.HasPrefix(ch.Path, store.Dir+"/") })
	files, err = withoutRun(ctx, p, at, runs, files, func(ch gitops.Change) string { return ch.Path })
	if err != nil || len(files) == 0 {
		return nil, err
	}
	text := fmt.Sprintf("commit %.7s (%s) by %s changes %s", at.Hash, at.Subject, at.Author, files[0].Path)
	if more := len(files) - 1; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return []Notice{{Kind: NoticeUnverified, Commit: at.Hash, Text: text}}, nil
}

// withoutRun leaves out what a merge brought from a run of the range: what it has as the complete commit has it.
func withoutRun[T any](ctx context.Context, p *engine.Project, at *gitops.Commit, runs []runCommits, things []T, path func(T) string) ([]T, error) {
	for _, side := range at.Parents[1:] {
		for _, r := range runs {
			if len(things) == 0 {
				return nil, nil
			}
			brings, err := p.Repo.IsAncestor(ctx, r.complete.Hash, side)
			if err != nil {
				return nil, err
			}
			if !brings {
				continue
			}
			diff, err := p.Repo.Diff(ctx, r.complete.Hash, at.Hash)
			if err != nil {
				return nil, err
			}
			things = slices.DeleteFunc(things, func(t T) bool {
				return !slices.ContainsFunc(diff, func(ch gitops.Change) bool { return ch.Path == path(t) })
			})
		}
	}
	return things, nil
}
