package undo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/run/tree"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store/message"
	"chant/gitops"
	"chant/text"
)

// Decision is something that a person has done to specs, and whether it can be undone.
type Decision struct {
	Event    string      `json:"event"` // as chant's commits name it
	ID       string      `json:"id"`    // of the first spec
	IDs      []string    `json:"ids"`   // of all of them
	Commit   string      `json:"commit,omitempty"`
	Branch   string      `json:"branch,omitempty"` // that has the commit
	By       string      `json:"by,omitempty"`
	At       time.Time   `json:"at"`
	Undoable bool        `json:"undoable"`
	Does     []string    `json:"does,omitempty"` // what undoing it does
	Why      string      `json:"why,omitempty"`  // it cannot be undone
	Next     next.Advice `json:"next,omitzero"`  // what a person can do instead

	place  place
	parent string        // of Commit
	run    *journal.Lost // the run that it has dropped
}

// place is where a decision is kept.
type place int

const (
	atHome   place = iota // a commit of files below .chant, on the branch that is checked out in home
	onBranch              // a commit on the branch of a run
	landed                // a merge commit on the target
	dropped               // a run that was dropped without a commit
)

// Name describes the decision in words that follow "undo".
func (d Decision) Name() string {
	what := nouns()[d.Event]
	of := d.ID
	if n := len(d.IDs); n > 1 {
		of = fmt.Sprintf("%s and %d more", d.ID, n-1)
	}
	return "the " + what + " of " + of
}

// nouns lists the events that are decisions of people, with what they are called. A flag is one if it came from a
// review.
func nouns() map[string]string {
	return map[string]string{
		"add": "addition", "edit": "edit", "update": "update", "check": "check", "uncheck": "uncheck", "archive": "archiving", "approve": "approval",
		"reject": "rejection", attempt.ReviewWord: "review", string(spec.Flag): "review", "derive": "derived values", "split": "split",
		"comment": "comment", "reference": "reference", "delete": "deletion", "import": "import", "sprint": "sprint",
		attempt.LandWord: "merge", string(spec.Cancel): "cancellation", string(spec.Reset): "reset",
	}
}

// isDecision reports whether a commit records a decision, by its first event.
func isDecision(c gitops.Commit) (id, event string, ok bool) {
	id, event = message.SpecAndEvent(c)
	if event == string(spec.Flag) {
		return id, event, id != "" && len(message.Lines(c, message.ReviewTrailer)) > 0
	}
	return id, event, id != "" && nouns()[event] != ""
}

// Bounds of the search.
const (
	maxWalk  = 2000 // commits of a branch
	maxShown = 200  // decisions
)

// finder collects decisions.
type finder struct {
	p      *engine.Project
	only   string          // the id of a spec, "" for all
	limit  int             // decisions of each branch
	undone map[string]bool // commits
	seen   map[string]bool
	depth  map[string]int // of the commits of home's branch, 0 for its tip
	found  []Decision
}

// findDecisions lists the last decisions that were not undone, newest first. Those that Undoable says nothing of are to be
// judged.
func findDecisions(ctx context.Context, p *engine.Project, only string, most int) ([]Decision, error) {
	f := &finder{p: p, only: only, limit: most, undone: map[string]bool{}, seen: map[string]bool{}, depth: map[string]int{}}
	head, err := p.Repo.Head(ctx, engine.Home(p))
	if err != nil && !errors.Is(err, gitops.ErrUnborn) {
		return nil, err
	}
	if err := f.walk(ctx, head.Hash, head.Branch, atHome); err != nil {
		return nil, err
	}
	if err := f.targets(ctx, head.Branch); err != nil {
		return nil, err
	}
	if err := f.branches(ctx); err != nil {
		return nil, err
	}
	if err := f.drops(ctx); err != nil {
		return nil, err
	}
	// By seconds only, since commits know no less; the sort is stable.
	slices.SortStableFunc(f.found, func(a, b Decision) int {
		return b.At.Truncate(time.Second).Compare(a.At.Truncate(time.Second))
	})
	return f.found[:min(len(f.found), most)], nil
}

// targets adds the landings on the branches that are not checked out in home: the project's target, and those that specs
// name.
func (f *finder) targets(ctx context.Context, head string) error {
	set, err := f.p.Store.Load(ctx)
	if err != nil {
		return err
	}
	var names []string
	// Without a target there are no landings on it, and work reports that.
	if target, err := engine.Target(ctx, f.p); err == nil {
		names = append(names, target)
	}
	for _, s := range set.Specs {
		names = append(names, s.Fields.Onto, s.Target)
	}
	seen := map[string]bool{"": true, head: true}
	for _, name := range names {
		if seen[name] || f.p.Repo.ValidBranch(name) != nil {
			continue
		}
		seen[name] = true
		tip, err := resolveOrNone(ctx, f.p, "refs/heads/"+name)
		if err == nil {
			err = f.walk(ctx, tip, name, landed)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// walk adds the decisions of a branch along first parents. Of a branch that is not checked out, only landings count.
func (f *finder) walk(ctx context.Context, tip, branch string, at place) error {
	// First parents only: what a merge brought in was decided elsewhere, and is found there.
	for n, found := 0, 0; tip != "" && n < maxWalk && found < f.limit; n++ {
		c, err := f.p.Repo.ReadCommit(ctx, tip)
		if err != nil {
			return err
		}
		if at == atHome {
			f.depth[c.Hash] = n
		}
		tip = ""
		if len(c.Parents) > 0 {
			tip = c.Parents[0]
		}
		// Undoing commits come before what they undo, so one pass from the tip is enough.
		if f.noteUndo(c) || tip == "" {
			continue
		}
		_, event, is := isDecision(c)
		where := at
		switch {
		case !is || event == attempt.LandWord && len(c.Parents) != 2:
			continue
		case event == attempt.LandWord && branch != "":
			where = landed
		case at == landed || len(c.Parents) != 1:
			continue
		}
		if f.add(c, branch, where) {
			found++
		}
	}
	return nil
}

// noteUndo remembers what a commit undoes, and reports whether it is no decision that counts: an undo, or one that was
// undone.
func (f *finder) noteUndo(c gitops.Commit) bool {
	for _, commit := range message.Lines(c, message.UndoesTrailer) {
		f.undone[commit] = true
	}
	_, event := message.SpecAndEvent(c)
	return event == attempt.UndoWord || f.undone[c.Hash] || f.seen[c.Hash]
}

// add adds the decision of a commit, unless it is about other specs.
func (f *finder) add(c gitops.Commit, branch string, at place) bool {
	_, event := message.SpecAndEvent(c)
	var ids []string
	for _, r := range message.Records(c) {
		if !slices.Contains(ids, r.ID) {
			ids = append(ids, r.ID)
		}
	}
	f.seen[c.Hash] = true
	if f.only != "" && !slices.Contains(ids, f.only) || len(ids) == 0 {
		return false
	}
	f.found = append(f.found, Decision{Event: event, ID: ids[0], IDs: ids, Commit: c.Hash, Branch: branch, By: text.Printable(c.Author), At: c.When, place: at, parent: c.Parents[0]})
	return true
}

// branches adds the decisions at the tips of the branches of runs.
func (f *finder) branches(ctx context.Context) error {
	branches, err := f.p.Repo.Branches(ctx, f.p.Store.Branch(""))
	if err != nil {
		return err
	}
	for _, ref := range branches {
		name := strings.TrimPrefix(ref.Name, "refs/heads/")
		id := strings.TrimPrefix(name, f.p.Store.Branch(""))
		for tip, n := ref.Hash, 0; n < maxShown; n++ {
			c, err := f.p.Repo.ReadCommit(ctx, tip)
			if err != nil {
				return err
			}
			of, event, is := isDecision(c)
			// Below the first commit of work, decisions belong to what that work was based on.
			if of != id || len(c.Parents) != 1 || !is && event != attempt.UndoWord || event == attempt.LandWord {
				break
			}
			if !f.noteUndo(c) {
				f.add(c, name, onBranch)
			}
			tip = c.Parents[0]
		}
	}
	return nil
}

// drops adds the runs that a person has dropped, to the decision that the commit of the drop records if it has one.
func (f *finder) drops(ctx context.Context) error {
	refs, err := f.p.Repo.Refs(ctx, tree.RescueRefs)
	if err != nil {
		return err
	}
	var ids []string
	for _, ref := range refs {
		if id, _, ok := strings.Cut(strings.TrimPrefix(ref.Name, tree.RescueRefs), "/"); ok && !slices.Contains(ids, id) && (f.only == "" || f.only == id) {
			ids = append(ids, id)
		}
	}
	for _, id := range ids {
		lost, err := f.lostRun(ctx, id)
		if err != nil {
			return err
		}
		if lost != nil {
			f.addDrop(id, lost)
		}
	}
	return nil
}

// lostRun returns what the last drop of a spec's run took away, nil if a person has not dropped it or has undone that.
func (f *finder) lostRun(ctx context.Context, id string) (*journal.Lost, error) {
	h, err := journal.ReadSealed(f.p.Store, id)
	if err != nil {
		return nil, err
	}
	lost := h.Lost
	// An undo that was killed has recorded this; it is finished if the branch is missing.
	if r := h.Restored; r != nil && r.Undoes == "" {
		has, err := f.p.Store.HasBranch(ctx, id)
		if err != nil {
			return nil, err
		}
		if lost = r.Lost; has && lost.Why == string(spec.Reset) {
			return nil, nil
		}
	}
	if lost == nil || lost.Tip == "" || lost.Why != string(spec.Reset) && lost.Why != string(spec.Cancel) {
		return nil, nil
	}
	return lost, nil
}

// addDrop adds a dropped run to the decision that the commit of the drop records, or as a decision of its own.
func (f *finder) addDrop(id string, lost *journal.Lost) {
	at := slices.IndexFunc(f.found, func(d Decision) bool {
		return d.place == atHome && d.ID == id && d.Event == lost.Why && !d.At.Before(lost.At.Truncate(time.Second))
	})
	// The commit of the decision and the drop of the run are undone together.
	if at >= 0 {
		f.found[at].run = lost
	} else if lost.Why == string(spec.Reset) {
		f.insert(Decision{Event: lost.Why, ID: id, IDs: []string{id}, At: lost.At.Local(), place: dropped, run: lost})
	}
}

// insert puts a drop before the decisions of home's branch that home had checked out then.
func (f *finder) insert(d Decision) {
	at := len(f.found)
	if head, known := f.depth[d.run.Head]; known {
		older := slices.IndexFunc(f.found, func(o Decision) bool {
			depth, known := f.depth[o.Commit]
			return known && depth >= head
		})
		if older >= 0 {
			at = older
		}
	}
	f.found = slices.Insert(f.found, at, d)
}
