package history

import (
	"context"
	"errors"
	"maps"
	"slices"

	"chant/engine/spec/task"
	"chant/engine/store"
	"chant/engine/store/message"
	"chant/engine/store/record"
	"chant/gitops"
	"chant/markdown"
)

// Kinds of values in the index. Their numbers change with their formats.
const (
	stateKind   = "history state 1"
	commitsKind = "history commits 1"
	changesKind = "history changes 2"
	branchKind  = "history branch 1"
)

// Log is the history of all specs, up to the commit that home has checked out.
type Log struct {
	q     *store.Query
	repo  *gitops.Repo
	head  string // "" before the first commit
	state state
	fresh map[string][]specCommit // specs that this query has read anew
	whole bool                    // fresh has all specs
}

// state is the part of the index that concerns all specs.
type state struct {
	Tip     string         // the commit up to which histories are known
	Sprint  int            // the highest number of a sprint
	Tasks   map[string]int // the highest number of a task that commits show, by prefix
	Removed []string       // blobs of removed specs whose numbers were not read yet
}

// Open returns the log as of the commit that home has checked out. It reads the commits that the index does not know.
func Open(ctx context.Context, q *store.Query, repo *gitops.Repo) (*Log, error) {
	l := &Log{q: q, repo: repo, fresh: map[string][]specCommit{}}
	// A project that exists only for reading, such as the tasks of a .tasks directory, has no commits.
	if q.Home() != repo.Home() {
		return l, nil
	}
	head, err := repo.Head(ctx, q.Home())
	if errors.Is(err, gitops.ErrUnborn) {
		return l, nil
	}
	if err != nil {
		return nil, err
	}
	l.head = head.Hash
	// A state of another format is read as none, and all commits are walked.
	if data, ok := q.View.Value(stateKind, ""); ok && record.Decode(string(data), &l.state) != nil {
		l.state = state{}
	}
	if l.state.Tip == l.head {
		return l, nil
	}
	q.MayStore(worthStoring)
	// An advance that fails has changed nothing, and walking all commits always works.
	if l.state.Tip != "" && l.advance(ctx) == nil {
		l.store()
		return l, nil
	}
	// A canceled query must not begin the long walk.
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	return l, l.walk(ctx)
}

// worthStoring is the number of files with which the index is made if there is none: walking the commits takes a
// process of git, which takes longer than the index does.
const worthStoring = 100

// walk reads all commits.
func (l *Log) walk(ctx context.Context) error {
	touches, err := l.repo.Touches(ctx, "", l.head, store.Dir)
	if err != nil {
		return err
	}
	l.state, l.whole = state{}, true
	// All kinds go together: changes and branches of commits that are gone would never be asked for again.
	l.q.Batch.Cleared = append(l.q.Batch.Cleared, stateKind, commitsKind, changesKind, branchKind)
	l.add(touches)
	l.store()
	return nil
}

// advance reads the commits between the one that the index knows and the present one. On an error, nothing has changed.
func (l *Log) advance(ctx context.Context) error {
	ahead, err := l.repo.IsAncestor(ctx, l.state.Tip, l.head)
	if err != nil {
		return err
	}
	var gone []gitops.Touch
	// Another branch is checked out, or commits were rewritten, so entries that this branch lacks are removed.
	if !ahead {
		if gone, err = l.repo.Touches(ctx, l.head, l.state.Tip, store.Dir); err != nil {
			return err
		}
	}
	added, err := l.repo.Touches(ctx, l.state.Tip, l.head, store.Dir)
	if err != nil {
		return err
	}
	// Everything is read before anything changes, so that an error leaves the log as it was.
	if !l.load(gone, added) {
		return errUnreadable
	}
	l.remove(gone)
	l.add(added)
	return nil
}

// errUnreadable means that the index has lost something; it is met by walking all commits.
var errUnreadable = errors.New("the index cannot be read")

// load reads the stored commits of all specs that commits changed.
func (l *Log) load(lists ...[]gitops.Touch) bool {
	var ids []string
	for _, list := range lists {
		for _, c := range list {
			for id := range touchesOf(c) {
				ids = append(ids, id)
			}
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	values, ok := l.q.View.Values(commitsKind, ids...)
	if !ok {
		return false
	}
	found := map[string][]specCommit{}
	for id, data := range values {
		if found[id], ok = decode(data); !ok {
			return false
		}
	}
	l.fresh = found
	return true
}

func (l *Log) remove(gone []gitops.Touch) {
	for _, c := range gone {
		for id := range touchesOf(c) {
			l.fresh[id] = slices.DeleteFunc(l.fresh[id], func(t specCommit) bool { return t.Commit == c.Hash })
		}
	}
}

// add adds commits, the oldest first, to the specs that they changed.
func (l *Log) add(touches []gitops.Touch) {
	for _, c := range touches {
		removed := map[string]bool{} // blobs of files that the commit removed, also to the archive
		for _, f := range c.Files {
			if f.Old != "" && f.New == "" {
				removed[f.Old] = true
			}
		}
		for id, t := range touchesOf(c) {
			l.fresh[id] = append(l.fresh[id], t)
			// Only the last version of a removed spec can have a number that no other file shows.
			if removed[t.Old] {
				l.state.Removed = append(l.state.Removed, t.Old)
			}
		}
		for _, key := range message.Tasks(c.Commit) {
			l.state.noteTask(key)
		}
		// A sprint that was removed again has used its number too.
		for _, f := range c.Files {
			l.state.Sprint = max(l.state.Sprint, sprintOf(f.Path))
		}
	}
	l.state.Tip = l.head
}

// noteTask remembers the number of a task; anything else is ignored.
func (s *state) noteTask(key string) {
	if prefix, n, ok := task.ParseKey(key); ok {
		if s.Tasks == nil {
			s.Tasks = map[string]int{}
		}
		s.Tasks[prefix] = max(s.Tasks[prefix], n)
	}
}

// store puts what was read anew into the batch of the query.
func (l *Log) store() {
	for id, touches := range l.fresh {
		// Commits that were added later may be older: branches are merged.
		sortTouches(touches)
		var data []byte
		// Without commits the value is removed.
		if len(touches) > 0 {
			data = record.Encode(touches)
		}
		l.q.Batch.Put(commitsKind, id, data)
	}
	l.storeState()
}

func (l *Log) storeState() { l.q.Batch.Put(stateKind, "", record.Encode(l.state)) }

// read returns the commits of specs, oldest first.
func (l *Log) read(ids []string) map[string][]specCommit {
	found := make(map[string][]specCommit, len(ids))
	// All others are asked for in one statement.
	var stored []string
	for _, id := range ids {
		if touches, ok := l.fresh[id]; ok {
			found[id] = touches
		} else if !l.whole {
			stored = append(stored, id)
		}
	}
	if len(stored) == 0 || l.head == "" {
		return found
	}
	values, _ := l.q.View.Values(commitsKind, stored...)
	for id, data := range values {
		if touches, ok := decode(data); ok {
			found[id] = touches
		}
	}
	return found
}

// Numbers are the highest numbers that were ever used.
type Numbers struct {
	Tasks  map[string]int // of tasks, by prefix: of those that commits name, and of specs that were removed or archived
	Sprint int            // of sprints
}

// Numbers returns the highest numbers that commits show. Numbers that a person wrote into specs that still exist are not
// among them. It reads each removed spec once.
func (l *Log) Numbers(ctx context.Context) (Numbers, error) {
	if len(l.state.Removed) > 0 {
		for _, blob := range l.state.Removed {
			src, err := l.repo.ReadBlob(ctx, blob)
			if err != nil {
				return Numbers{}, err
			}
			l.state.noteTask(keyOf(src))
		}
		// The numbers are in the state now, so no later call reads these blobs again.
		l.state.Removed = nil
		l.storeState()
	}
	return Numbers{Tasks: maps.Clone(l.state.Tasks), Sprint: l.state.Sprint}, nil
}

// keyOf returns the number of a task in the text of a spec, "" if it has none.
func keyOf(src []byte) string {
	doc, err := markdown.Parse("spec", src)
	if err != nil {
		return ""
	}
	var key string
	if _, err := doc.Get("task", &key); err != nil {
		return ""
	}
	return key
}
