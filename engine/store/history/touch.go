package history

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"chant/engine/store"
	"chant/engine/store/message"
	"chant/engine/store/record"
	"chant/gitops"
)

// specCommit is a commit that changed a spec, as the index keeps it.
type specCommit struct {
	Commit   string
	Unix     int64 // when, in seconds
	Actor    string
	Events   []string
	Old, Now string // blobs of the spec, "" where it did not exist
}

func (t specCommit) time() time.Time { return time.Unix(t.Unix, 0).UTC() }

// touchesOf returns what a commit did to each spec. Moving a spec to the archive is one change.
func touchesOf(c gitops.Touch) map[string]specCommit {
	found := map[string]specCommit{}
	for _, f := range c.Files {
		id, ok := specOf(f.Path)
		if !ok {
			continue
		}
		t, known := found[id]
		if !known {
			t = specCommit{Commit: c.Hash, Unix: c.When.Unix(), Actor: nameOf(c.Author)}
		}
		// Moving to the archive is a removal and an addition, which together are one change of the spec.
		if f.Old != "" {
			t.Old = f.Old
		}
		if f.New != "" {
			t.Now = f.New
		}
		found[id] = t
	}
	for _, r := range message.Records(c.Commit) {
		if t, ok := found[r.ID]; ok {
			t.Events = append(t.Events, r.Event)
			found[r.ID] = t
		}
	}
	return found
}

// specOf returns the id of the spec whose file, active or archived, has a path.
func specOf(file string) (id string, ok bool) {
	if id, ok = store.SpecOf(file); ok {
		return id, ok
	}
	return store.ArchivedOf(file)
}

// sprintOf returns the number of the sprint whose file has a path, 0 for any other file.
func sprintOf(file string) int {
	name, ok := strings.CutPrefix(file, store.Dir+"/sprints/")
	if name, isFile := strings.CutSuffix(name, ".md"); ok && isFile {
		if n, err := strconv.Atoi(name); err == nil && n > 0 {
			return n
		}
	}
	return 0
}

// sortTouches orders commits by their times, and leaves those of the same second in the order of the walk.
func sortTouches(touches []specCommit) {
	// Within a second the walk of git knows the order, and times do not.
	slices.SortStableFunc(touches, func(a, b specCommit) int { return cmp.Compare(a.Unix, b.Unix) })
}

// decode reads the commits of a spec; ok is false for anything else.
func decode(data []byte) (touches []specCommit, ok bool) {
	return touches, record.Decode(string(data), &touches) == nil
}
