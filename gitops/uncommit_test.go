package gitops

import "testing"

// TestUncommit takes back what CommitAll has made of files new, edited and removed.
func TestUncommit(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.commit("gone.txt", "gone\n")
	tip := s.git("rev-parse", "HEAD")
	s.write("base.txt", "mine\n")
	s.write("new é.txt", "new\n")
	s.remove("gone.txt")
	before := s.git("status", "--porcelain")
	commit := must[string](t)(s.CommitAll(t.Context(), s.top, "all"))
	if err := s.Uncommit(t.Context(), s.top, tip, tip); err != nil || s.git("rev-parse", "HEAD") != commit {
		t.Errorf("a commit that is not the newest: %v", err)
	}
	if err := s.Uncommit(t.Context(), s.top, commit, tip); err != nil {
		t.Fatal(err)
	}
	if now := s.git("status", "--porcelain"); now != before || s.git("rev-parse", "HEAD") != tip || s.git("symbolic-ref", "--short", "HEAD") != "trunk" {
		t.Errorf("status was\n%s\nis\n%s", before, now)
	}
}
