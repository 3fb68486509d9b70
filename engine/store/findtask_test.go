package store

import (
	"context"
	"errors"
	"testing"

	"chant/engine/spec"
)

// TestFindTask finds a spec by the number of its task, with and without the index, and notices what changed since.
func TestFindTask(t *testing.T) {
	t.Parallel()
	for _, use := range []IndexUse{IndexOff, IndexAlways} {
		p := newProject(t)
		p.Index = use
		ctx := context.Background()
		matter := func(key string) string { return "---\nstatus: pending\ntask: " + key + "\n---\n# A\n" }
		p.put(SpecPath(idA), matter("AUTH-1"))
		p.put(SpecPath(idB), "---\nstatus: pending\ndepends_on: ["+idA+"]\n---\n# B\n")
		find := func(key, want string) {
			t.Helper()
			p.load() // which stores the rows
			for range 2 {
				if got, err := FindTask(ctx, p.Store, key); got != want || (err == nil) != (want != "") {
					t.Errorf("index %q: %s is %q, %v, want %q", use, key, got, err, want)
				}
			}
		}
		find("AUTH-1", idA)
		find("auth-1", idA)
		find("AUTH-2", "")
		if got := Dependents(ctx, p.Store, idA, []string{idB}); len(got) != 1 || got[0] != idB {
			t.Errorf("index %q: %q", use, got)
		}
		p.put(SpecPath(idA), matter("AUTH-2"))
		if got, err := FindTask(ctx, p.Store, "AUTH-1"); err == nil {
			t.Errorf("index %q: found %q by its former number", use, got)
		}
		find("AUTH-2", idA)
		p.put(SpecPath(idB), matter("AUTH-2"))
		p.load()
		var ambiguous *spec.AmbiguousError
		if _, err := FindTask(ctx, p.Store, "AUTH-2"); !errors.As(err, &ambiguous) || len(ambiguous.Candidates) != 2 {
			t.Errorf("index %q: two specs with one number: %v", use, err)
		}
	}
}
