package gitops

import (
	"errors"
	"slices"
	"testing"
)

func TestPeople(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	ctx := t.Context()
	s.git("-c", "user.name=Boss", "-c", "user.email=boss@example.com", "commit", "-q", "--allow-empty", "-m", "second")
	s.git("checkout", "-q", "-b", "chant/x")
	s.git("-c", "user.name=Eve", "-c", "user.email=eve@example.com", "commit", "-q", "--allow-empty", "-m", "third")
	s.git("update-ref", "refs/remotes/origin/chant/x", "HEAD")
	s.git("checkout", "-q", "trunk")
	people, err := s.People(ctx, "chant/")
	if err != nil || !slices.Contains(people, "Boss <boss@example.com>") || slices.Contains(people, "Eve <eve@example.com>") {
		t.Errorf("got %q, %v", people, err)
	}
	if all, err := s.People(ctx, ""); err != nil || !slices.Contains(all, "Eve <eve@example.com>") || len(all) != len(people)+1 {
		t.Errorf("with all branches: %q, %v", all, err)
	}
}

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
