package attempt

import (
	"context"
	"slices"

	"chant/engine/spec"
	"chant/engine/store"
	"chant/engine/store/message"
	"chant/gitops"
)

// Short abbreviates a commit for messages.
func Short(hash string) string { return hash[:min(len(hash), 7)] }

// AgentCommits returns the commits of the branch that are work, oldest first: all but those that only move the spec
// through its states.
func (a *Attempt) AgentCommits(ctx context.Context, tip string) ([]string, error) {
	f, err := a.fork(ctx)
	if err != nil {
		return nil, err
	}
	from := f.base
	// From the target's tip, since commits that came with a merge of the target are not the agent's.
	if f.target != "" && !f.dropped {
		from = f.target
	}
	commits, err := a.Repo.Log(ctx, from, tip)
	if err != nil {
		return nil, err
	}
	if tests, commit, err := a.Tests(ctx); err != nil {
		return nil, err
	} else if tests != "" {
		others, err := a.Repo.Log(ctx, from, commit)
		if err != nil {
			return nil, err
		}
		commits = slices.DeleteFunc(commits, func(c gitops.Commit) bool {
			return c.Hash == a.Journal.history.Trusted.Commit || slices.ContainsFunc(others, func(o gitops.Commit) bool { return o.Hash == c.Hash })
		})
	}
	var out []string
	for i := len(commits) - 1; i >= 0; i-- {
		moves, err := a.OnlyMoves(ctx, commits[i])
		if err != nil {
			return nil, err
		}
		if !moves {
			out = append(out, commits[i].Hash)
		}
	}
	return out, nil
}

// OnlyMoves reports whether the message of a commit says that it moves the spec, and it changes nothing else: an agent
// may have copied the trailers.
func (a *Attempt) OnlyMoves(ctx context.Context, c gitops.Commit) (bool, error) {
	if !Bookkeeping(c) || len(c.Parents) != 1 {
		return false, nil
	}
	changes, err := a.Repo.Diff(ctx, c.Parents[0], c.Hash)
	// An agent can copy the trailers of such a commit, but not what it changes.
	return err == nil && !slices.ContainsFunc(changes, func(ch gitops.Change) bool {
		return ch.Path != store.SpecPath(a.Job.ID)
	}), err
}

// Bookkeeping reports whether the message of a commit says that it only moves a spec through its states, or records a
// person's decision.
func Bookkeeping(c gitops.Commit) bool {
	_, word := message.SpecAndEvent(c)
	return slices.Contains([]string{ApproveWord, RejectWord, ReviewWord, UndoWord}, word) || slices.ContainsFunc(spec.Transitions(), func(t spec.Transition) bool {
		return string(t.Event) == word
	})
}

// Events of commits that are not events of the state machine: a landing and decisions of people.
const (
	LandWord    = "land"
	ApproveWord = "approve"
	RejectWord  = "reject"
	ReviewWord  = "review" // comments
	UndoWord    = "undo"
)
