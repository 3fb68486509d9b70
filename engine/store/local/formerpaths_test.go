package local

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chant/gitops/lockfile"
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
	if all, err := p.Journals(time.Time{}); err != nil || len(all) != 1 || all[idA] == 0 {
		t.Fatalf("%v, %v", all, err)
	}
	if _, err := p.Append(idA, map[string]int{"attempt": 2}); err != nil {
		t.Fatal(err)
	}
	src, err := p.Journal(idA)
	if err != nil || !strings.HasPrefix(string(src), "{\"attempt\":1}\n{") || get(t, former) != "(none)" {
		t.Errorf("%q, %v; in the former place %q", src, err, get(t, former))
	}
	if path := p.JournalPath(idA); path != filepath.Join(p.home, ".git", "chant", "runs", idA+".jsonl") {
		t.Errorf("it lies in %q", path)
	}
	put(t, former, "forged\n") // an agent can write there
	if again, err := p.Journal(idA); err != nil || string(again) != string(src) {
		t.Errorf("%q, %v", again, err)
	}
}

// TestHolder_ofAnEarlierVersion finds a run that a process of an earlier version holds.
func TestHolder_ofAnEarlierVersion(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	put(t, p.formerPath(Locks, ".gitignore"), "*\n")
	lock, err := lockfile.Acquire(p.formerPath(Locks, idA+".lock"), "work")
	if err != nil {
		t.Fatal(err)
	}
	if _, held := p.Holder(idA); !held {
		t.Error("the lock in the former place is not seen")
	}
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	if _, held := p.Holder(idA); held {
		t.Error("it is held after its release")
	}
}
