package gitops

import (
	"errors"
	"testing"
)

func TestIdentity_isNeverMadeUp(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.git("config", "--unset", "user.email")
	if who, err := s.Identity(t.Context()); !errors.Is(err, ErrNoIdentity) {
		t.Errorf("got %q, %v", who, err)
	}
}

func TestWorkID(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	ctx := t.Context()
	id := func(from, to string, except ...string) string {
		t.Helper()
		got, err := s.WorkID(ctx, from, to, except...)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	s.git("checkout", "-q", "-b", "work")
	s.commit("a", "a")
	s.commit("spec", "text")
	first := id("trunk", "work", "spec")
	s.commit("spec", "approved")
	if id("trunk", "work", "spec") != first || id("trunk", "work") == first {
		t.Error("what is left out counts, or what is not does not")
	}
	s.git("checkout", "-q", "trunk")
	s.commit("other", "o")
	s.git("checkout", "-q", "work")
	s.git("rebase", "-q", "trunk")
	if id("trunk", "work", "spec") != first {
		t.Error("a clean rebase changes the work")
	}
	s.commit("a", "b")
	if id("trunk", "work", "spec") == first {
		t.Error("another content is the same work")
	}
	s.git("rm", "-q", "base.txt")
	s.git("commit", "-q", "-m", "gone")
	if id("trunk", "work", "spec") == id("trunk", "work~1", "spec") {
		t.Error("a removal is no work")
	}
}
