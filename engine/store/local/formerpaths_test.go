package local

import (
	"path/filepath"
	"testing"
	"time"

	"chant/gitops/lockfile"

	"github.com/alecthomas/assert/v2"
)

// TestJournal_carriedOver finds the journal of an earlier version, and moves it with the next record.
func TestJournal_carriedOver(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	former := p.formerPath(Runs, idA+".jsonl")
	put(t, former, "{\"attempt\":1}\n")
	if src, err := p.Journal(idA); err != nil || string(src) != "{\"attempt\":1}\n" {
		t.Fatalf("%q, %v", src, err)
	}
	all, err := p.Journals(time.Time{})
	assert.NoError(t, err)
	assert.Equal(t, 1, len(all))
	assert.NotEqual(t, 0, all[idA])
	_, err = p.Append(idA, map[string]int{"attempt": 2})
	assert.NoError(t, err)
	src, err := p.Journal(idA)
	assert.NoError(t, err, "%v", src)
	assert.HasPrefix(t, string(src), "{\"attempt\":1}\n{")
	assert.Equal(t, "(none)", get(t, former), "%v", src)
	assert.Equal(t, filepath.Join(p.home, ".git", "chant", "runs", idA+".jsonl"), p.JournalPath(idA))
	put(t, former, "forged\n") // an agent can write there
	again, err := p.Journal(idA)
	assert.NoError(t, err)
	assert.Equal(t, string(src), string(again))
}

// TestHolder_ofAnEarlierVersion finds a run that a process of an earlier version holds.
func TestHolder_ofAnEarlierVersion(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	put(t, p.formerPath(Locks, ".gitignore"), "*\n")
	lock, err := lockfile.Acquire(p.formerPath(Locks, idA+".lock"), "work")
	assert.NoError(t, err)
	_, held := p.Holder(idA)
	assert.True(t, held, "the lock in the former place is not seen")
	assert.NoError(t, lock.Release())
	_, held = p.Holder(idA)
	assert.False(t, held, "it is held after its release")
}
