package gitops

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestCommitTree_asGit: a commit written in process is byte for byte the one that git writes at the same time.
func TestCommitTree_asGit(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	tree, parent := s.git("rev-parse", "HEAD^{tree}"), s.git("rev-parse", "HEAD")
	for name, c := range map[string]struct {
		parents []string
		message string
	}{
		"one parent":       {[]string{parent}, "subject\n\nbody, ümläut\n\nKey: value"},
		"no parent":        {nil, "subject\n\n\n"},
		"two parents":      {[]string{parent, must[string](t)(s.CommitTree(ctx, tree, nil, "other"))}, "# no comment"},
		"an empty message": {[]string{parent}, ""},
		"not UTF-8":        {[]string{parent}, "caf\xe9"},
	} {
		made := must[string](t)(s.CommitTree(ctx, tree, c.parents, c.message))
		when, zone, _ := strings.Cut(s.git("show", "-s", "--format=%ad", "--date=raw", made), " ")
		args := []string{"commit-tree", tree}
		for _, p := range c.parents {
			args = append(args, "-p", p)
		}
		cmd := exec.Command("git", append(args, "-F", "-")...)
		cmd.Dir, cmd.Stdin = s.top, strings.NewReader(strings.TrimRight(c.message, "\n")+"\n")
		cmd.Env = append(os.Environ(), "GIT_AUTHOR_DATE="+when+" "+zone, "GIT_COMMITTER_DATE="+when+" "+zone)
		out, err := cmd.Output()
		if want := strings.TrimSpace(string(out)); err != nil || made != want {
			t.Errorf("%s: %s, git makes %s, %v:\n%s", name, made, want, err, s.git("cat-file", "commit", made))
		}
	}
	if got := s.git("fsck", "--strict"); strings.Contains(got, "error") {
		t.Error(got)
	}
	if hash, err := s.CommitTree(ctx, parent, nil, "not a tree"); err == nil {
		t.Errorf("a commit as a tree gave %s", hash)
	}
}

// TestCommitFiles_changedSettings: people change settings and attributes while a repository is open.
func TestCommitFiles_changedSettings(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.commit("a.up", "one")
	s.git("config", "user.name", "Bob Example")
	s.git("config", "filter.up.clean", "tr a-z A-Z")
	s.write(".gitattributes", "*.up filter=up\n")
	s.commit("a.up", "two")
	if got := s.git("show", "-s", "--format=%an %cn", "HEAD") + " " + s.git("show", "HEAD:a.up"); got != "Bob Example Bob Example TWO" {
		t.Errorf("%q", got)
	}
	s.write("sub/.gitattributes", "*.up -filter\n")
	s.commit("sub/a.up", "three")
	if got := s.git("show", "HEAD:sub/a.up"); got != "three" {
		t.Errorf("%q", got)
	}
}
