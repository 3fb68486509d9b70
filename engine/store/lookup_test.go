package store_test

import (
	"errors"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/spec"
	"chant/engine/store"

	"github.com/alecthomas/assert/v2"
)

const (
	idA = "2026-01-02-001-abc"
	idB = "2026-01-02-002-abc"
)

// TestTask finds a spec by the number of its task, with and without the index, and notices what changed since.
func TestTask(t *testing.T) {
	t.Parallel()
	for _, use := range []store.IndexUse{store.IndexOff, store.IndexAlways} {
		p, dir := enginetest.Project(t)
		p.Store.Index = use
		write := func(id, matter string) {
			enginetest.Write(t, dir, store.SpecPath(id), "---\nstatus: pending\n"+matter+"\n---\n# A\n")
		}
		find := func(key, want string) {
			t.Helper()
			if _, _, err := engine.Graph(t.Context(), p); err != nil { // which stores the rows
				t.Fatal(err)
			}
			for range 2 {
				if got, err := store.TaskSpec(t.Context(), p.Store, key); got != want || (err == nil) != (want != "") {
					t.Errorf("index %q: %s is %q, %v, want %q", use, key, got, err, want)
				}
			}
		}
		write(idA, "task: AUTH-1")
		write(idB, "depends_on: ["+idA+"]")
		find("AUTH-1", idA)
		find("auth-1", idA)
		find("AUTH-2", "")
		p.Store.Query(t.Context(), func(q *store.Query) {
			if got := store.Dependents(q, idA, []string{idB}); len(got) != 1 || got[0] != idB {
				t.Errorf("index %q: %q", use, got)
			}
		})
		write(idA, "task: AUTH-2")
		got, err := store.TaskSpec(t.Context(), p.Store, "AUTH-1")
		assert.Error(t, err, "index %q: found %q by its former number", use, got)
		find("AUTH-2", idA)
		write(idB, "task: AUTH-2")
		var ambiguous *spec.AmbiguousError
		// The index gets to know a second spec with the number only when the stamp of its file has settled.
		if _, err := store.TaskSpec(t.Context(), p.Store, "AUTH-2"); use == store.IndexOff && (!errors.As(err, &ambiguous) || len(ambiguous.Candidates) != 2) {
			t.Errorf("two specs with one number: %v", err)
		}
	}
}
