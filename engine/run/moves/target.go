package moves

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/engine/store/message"
	"chant/engine/store/touched"
	"chant/gitops"
)

// target finds what came to the target that neither chant nor a fetch brought.
func (w Watch) target(ctx context.Context, m gitops.RefMove, people byPeople, out *Found) error {
	if m.From == "" || m.To == "" || strings.HasPrefix(m.To, "ref:") || strings.HasPrefix(m.From, "ref:") {
		return nil // the landing finds that the target is gone, and other checks that it leads elsewhere
	}
	name := fmt.Sprintf("branch %q", w.Job.Target)
	logged, last, err := w.hasLog(ctx)
	if err != nil {
		return err
	}
	grown, err := w.Repo.IsAncestor(ctx, m.From, m.To)
	if errors.Is(err, gitops.ErrNotFound) {
		return nil // not a commit: nothing lands on it
	}
	if err != nil {
		return err
	}
	if !grown {
		if (logged || w.Strict) && last != m.To {
			out.Stops = append(out.Stops, fmt.Sprintf("%s was rewound or rewritten: it "+attempt.Rewound+" %s, and no command in its checkout did that", name, attempt.Short(m.From)))
		}
		return nil
	}
	strange, decided, err := w.strange(ctx, m, people)
	if err != nil {
		return err
	}
	out.Seen = append(out.Seen, decided...)
	for _, c := range strange {
		what := fmt.Sprintf("%s received commit %s (%s)", name, attempt.Short(c.Hash), firstLine(c.Message))
		if c.untraced && (logged || w.Strict) {
			out.Stops = append(out.Stops, what+", which was not made in the checkout of that branch")
			continue
		}
		rules, err := w.rules(ctx, c)
		if err != nil {
			return err
		}
		if len(rules) > 0 || c.untraced {
			out.Seen = append(out.Seen, strings.Join(append([]string{what}, attempt.Limited(rules)...), "; "))
		}
	}
	return nil
}

// stranger is a commit on the first-parent line of the target that chant has not made.
type stranger struct {
	gitops.Commit
	untraced bool // no reflog of a person's checkout explains it
}

// strange returns the commits on the first-parent line of the target that neither chant has made nor a fetch has
// brought, newest first, and the decisions about specs that chant has committed there.
func (w Watch) strange(ctx context.Context, m gitops.RefMove, people byPeople) (out []stranger, decided []string, err error) {
	local, err := w.Repo.NotOnRemotes(ctx, m.From, m.To)
	if err != nil {
		return nil, nil, err
	}
	// An entry explains the commits from where it came to where it led: a merge or a pull brings many at once.
	var explained []string
	for tip := m.To; slices.Contains(local, tip); {
		c, err := w.Repo.ReadCommit(ctx, tip)
		if err != nil {
			return nil, nil, err
		}
		ours, err := w.madeByChant(ctx, c)
		if err != nil {
			return nil, nil, err
		}
		if id, event := message.Says(c); ours && decides(event) {
			decided = append(decided, fmt.Sprintf("spec %q was decided about on branch %q: %s, in commit %s", id, w.Job.Target, event, attempt.Short(tip)))
		}
		explained = slices.DeleteFunc(append(explained, people[tip]...), func(from string) bool { return from == tip })
		if !ours {
			out = append(out, stranger{c, len(explained) == 0})
		}
		if len(c.Parents) == 0 {
			break
		}
		tip = c.Parents[0]
	}
	return out, decided, nil
}

// decides reports whether an event is a decision of a person about a spec, outside of its run.
func decides(event string) bool {
	return slices.Contains([]string{attempt.ApproveWord, attempt.RejectWord, attempt.ReviewWord, attempt.UndoWord, string(spec.Complete), string(spec.Cancel)}, event)
}

// madeByChant reports whether a commit is a landing that the journal of its spec has, or changes nothing but the
// files of specs and says so. What such a commit changes in a spec is checked like that of any other commit.
func (w Watch) madeByChant(ctx context.Context, c gitops.Commit) (bool, error) {
	id, event := message.Says(c)
	if event == "" || len(c.Parents) == 0 {
		return false, nil
	}
	if event == attempt.LandWord {
		h, err := journal.ReadHistory(w.Store, id)
		if err != nil {
			return false, nil // no spec has such an id
		}
		return slices.ContainsFunc(h.Attempts, func(a *journal.Attempt) bool { return a.Landing == c.Hash }), nil
	}
	diff, err := w.Repo.Diff(ctx, c.Parents[0], c.Hash)
	if err != nil {
		return false, err
	}
	for _, ch := range diff {
		_, active := store.SpecOf(ch.Path)
		_, archived := store.ArchivedOf(ch.Path)
		if !active && !archived && touched.KindOf(ch.Path, nil) != "" || !strings.HasPrefix(ch.Path, store.Dir+"/") {
			return false, nil
		}
	}
	rules, err := w.rules(ctx, stranger{Commit: c})
	return len(rules) == 0, err
}

// rules describes what a commit changes of what decides how work is made and judged.
func (w Watch) rules(ctx context.Context, c stranger) ([]string, error) {
	if len(c.Parents) == 0 {
		return nil, nil
	}
	protect := w.Settings.Verify.Protect
	if start, err := w.Trusted(ctx); err == nil {
		protect = slices.Concat(protect, start.Checks().Protect)
	}
	things, err := touched.Commits{Repo: w.Repo, Store: w.Store}.Between(ctx, c.Parents[0], c.Hash, touched.Rules{Protect: protect})
	var out []string
	for _, t := range things {
		if t.Kind != touched.Program { // which decides nothing about later work
			out = append(out, t.String())
		}
	}
	return out, err
}

// hasLog reports whether a checkout that chant has not created has the target checked out and keeps a reflog, and the
// newest commit in that: git adds to a reflog that is there, also if the settings
// turn them off.
func (w Watch) hasLog(ctx context.Context) (found bool, last string, err error) {
	err = w.eachPersonsTree(ctx, func(t gitops.Worktree) error {
		if t.Branch != w.Job.Target {
			return nil
		}
		if at, err := w.Repo.LastHead(t.Path); err == nil { // else it keeps none
			found, last = true, at
		}
		return nil
	})
	return found, last, err
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}
