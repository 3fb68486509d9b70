package history

import (
	"encoding/binary"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"chant/archive"
	"chant/engine/message"
	"chant/engine/packed"
	"chant/engine/store"
	"chant/gitops"
)

// touch is a commit that changed a spec, as the index keeps it.
type touch struct {
	commit   string
	at       time.Time
	actor    string
	events   []string
	old, now string // blobs of the spec, "" where it did not exist
}

// touchesOf returns what a commit did to each spec. Moving a spec to the archive is one change.
func touchesOf(c gitops.Touch) map[string]touch {
	found := map[string]touch{}
	for _, f := range c.Files {
		id, ok := specOf(f.Path)
		if !ok {
			continue
		}
		t, known := found[id]
		if !known {
			t = touch{commit: c.Hash, at: c.When, actor: nameOf(c.Author)}
		}
		if f.Old != "" {
			t.old = f.Old
		}
		if f.New != "" {
			t.now = f.New
		}
		found[id] = t
	}
	for _, r := range message.Records(c.Commit) {
		if t, ok := found[r.ID]; ok {
			t.events = append(t.events, r.Event)
			found[r.ID] = t
		}
	}
	return found
}

// specOf returns the id of the spec whose file, active or archived, has a path.
func specOf(file string) (id string, ok bool) {
	if dir, name := path.Split(file); dir == store.SpecsDir+"/" {
		id, ok = strings.CutSuffix(name, ".md")
		return id, ok && id != ""
	}
	return archive.Archived(strings.TrimPrefix(file, store.Dir+"/"))
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
func sortTouches(touches []touch) {
	slices.SortStableFunc(touches, func(a, b touch) int { return a.at.Compare(b.at) })
}

// encode writes the commits of a spec: each with its id, time, author, events and blobs.
func encode(touches []touch) []byte {
	var out []byte
	text := func(s string) {
		out = binary.AppendUvarint(out, uint64(len(s)))
		out = append(out, s...)
	}
	for _, t := range touches {
		text(t.commit)
		out = binary.AppendVarint(out, t.at.Unix())
		text(t.actor)
		out = binary.AppendUvarint(out, uint64(len(t.events)))
		for _, event := range t.events {
			text(event)
		}
		text(t.old)
		text(t.now)
	}
	return out
}

// decode reads what encode has written; ok is false for anything else.
func decode(data []byte) (touches []touch, ok bool) {
	r := packed.Read(string(data))
	for r.Len() > 0 {
		t := touch{commit: r.Text(), at: time.Unix(r.Varint(), 0).UTC(), actor: r.Text()}
		for range r.Uvarint() {
			if r.Failed() {
				break
			}
			t.events = append(t.events, r.Text())
		}
		t.old, t.now = r.Text(), r.Text()
		touches = append(touches, t)
	}
	return touches, !r.Failed()
}
