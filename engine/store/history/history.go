package history

import (
	"context"
	"slices"
	"strings"
	"time"

	"chant/engine/spec"
	"chant/engine/spec/taskfields"
	"chant/engine/store"
	"chant/engine/store/message"
	"chant/gitops"
)

// Entry is one commit in the history of a spec.
type Entry struct {
	Commit  string
	At      time.Time // of the commit, in UTC
	Actor   string    // the name of the author
	Agent   string    // that made the commit for the author, "" if it did not
	Events  []string  // that the commit records for the spec; none if it was made by hand
	Changes []taskfields.FieldChange
}

// Span is the time from the first to the last commit of a spec. Modified is zero if the spec was only imported.
type Span struct{ Created, Modified time.Time }

// Import is the event of commits that add tasks from elsewhere.
const Import = "import"

// Find returns the histories of specs, oldest entries first; a spec without commits is missing.
func Find(ctx context.Context, st *store.Store, repo *gitops.Repo, ids ...string) (found map[string][]Entry, err error) {
	err = Ask(ctx, st, repo, func(l *Log) error {
		found, err = l.Find(ctx, ids...)
		return err
	})
	return found, err
}

// Spans returns when specs were created and modified in the commits of home, without those on branches of runs. A spec
// without commits is missing.
func Spans(ctx context.Context, st *store.Store, repo *gitops.Repo, ids ...string) (found map[string]Span, err error) {
	err = Ask(ctx, st, repo, func(l *Log) error {
		found = l.Spans(ids...)
		return nil
	})
	return found, err
}

// Ask calls a function with the log in a query of its own.
func Ask(ctx context.Context, st *store.Store, repo *gitops.Repo, ask func(*Log) error) (err error) {
	st.Query(ctx, func(q *store.Query) {
		var l *Log
		if l, err = Open(ctx, q, repo); err == nil {
			err = ask(l)
		}
	})
	return err
}

// Find returns the histories of specs, oldest entries first; a spec without commits is missing.
func (l *Log) Find(ctx context.Context, ids ...string) (map[string][]Entry, error) {
	commits, err := l.touchesOf(ctx, ids)
	if err != nil {
		return nil, err
	}
	changes, err := l.changes(ctx, commits)
	if err != nil {
		return nil, err
	}
	found := make(map[string][]Entry, len(ids))
	agents := message.NewAgents(l.repo)
	for id, touches := range commits {
		entries := make([]Entry, 0, len(touches))
		begun := false
		for _, t := range touches {
			e := Entry{Commit: t.Commit, At: t.time(), Actor: t.Actor, Events: t.Events, Changes: changes[id][t.Commit]}
			// Before an attempt, no agent can have made a commit; reading each would take a look into git.
			if begun && (len(t.Events) == 0 || slices.Contains(t.Events, message.Leftovers)) {
				c, err := l.repo.ReadCommit(ctx, t.Commit)
				if err == nil {
					e.Agent, err = agents.Find(ctx, c)
				}
				if err != nil {
					return nil, err
				}
			}
			begun = begun || slices.Contains(t.Events, string(spec.Start)) || slices.Contains(t.Events, string(spec.Replay))
			entries = append(entries, e)
		}
		found[id] = entries
	}
	return found, nil
}

// Maker names who made a commit: its author, or the agent that worked for the author.
func (e Entry) Maker() string { return message.Maker(e.Actor, e.Agent) }

// Spans returns when specs were created and modified in the commits of home. A spec without commits is missing.
func (l *Log) Spans(ids ...string) map[string]Span {
	found := make(map[string]Span, len(ids))
	for id, touches := range l.read(ids) {
		if len(touches) > 0 {
			found[id] = spanOf(touches)
		}
	}
	return found
}

func spanOf(touches []specCommit) Span {
	s := Span{Created: touches[0].time()}
	for _, t := range touches {
		// The first commit of the walk need not have the earliest time: clocks differ, and branches are merged.
		if t.time().Before(s.Created) {
			s.Created = t.time()
		}
		// Importing a task does not modify it: its dates stay.
		if t.time().After(s.Modified) && !slices.Contains(t.Events, Import) {
			s.Modified = t.time()
		}
	}
	return s
}

// nameOf returns the name of "Name <mail>".
func nameOf(author string) string {
	name, _, _ := strings.Cut(author, " <")
	return strings.TrimSpace(name)
}
