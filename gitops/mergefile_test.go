package gitops

import (
	"context"
	"os"
	"strings"
	"testing"
)

func TestMergeFile(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	lines := func(text string) string { return strings.ReplaceAll(text, " ", "\n") + "\n" }
	many := strings.Repeat("same same same same x ", 200)
	for name, c := range map[string]struct {
		base, ours, theirs, want string
		conflict                 bool
	}{
		"both sides":   {lines("1 2 3 4 5"), lines("a 2 3 4 5"), lines("1 2 3 4 b"), lines("a 2 3 4 b"), false},
		"same change":  {lines("1 2 3"), lines("1 x 3"), lines("1 x 3"), lines("1 x 3"), false},
		"one side":     {"a\n", "a\n", "b\n", "b\n", false},
		"empty":        {"", "", "", "", false},
		"all removed":  {"a\n", "", "a\n", "", false},
		"no last line": {"a\nb\nc\nd", "a\nb\nc\nd", "x\nb\nc\nd", "x\nb\nc\nd", false},
		"line endings": {"a\r\nb\r\nc\r\nd\r\n", "a\r\nb\r\nc\r\nd\r\n", "x\r\nb\r\nc\r\nd\r\n", "x\r\nb\r\nc\r\nd\r\n", false},
		"conflict":     {"a\n", "b\n", "c\n", "<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n", true},
		"both added":   {"", "b\n", "c\n", "<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n", true},
		"many":         {lines(many), lines(strings.ReplaceAll(many, "x", "o")), lines(strings.ReplaceAll(many, "x", "t")), "", true},
	} {
		merged, conflict, err := s.MergeFile(ctx, []byte(c.base), []byte(c.ours), []byte(c.theirs))
		if err != nil || conflict != c.conflict {
			t.Errorf("%s: conflict %v, %v", name, conflict, err)
		}
		if name == "many" {
			if n := strings.Count(string(merged), "<<<<<<< ours\n"); n != 200 {
				t.Errorf("%d conflicts", n)
			}
		} else if string(merged) != c.want {
			t.Errorf("%s: %q, want %q", name, merged, c.want)
		}
	}
	if got := s.git("status", "--porcelain"); got != "" {
		t.Errorf("%q", got)
	}
}

func TestMergeFile_refused(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	s := newSandbox(t)
	merged, conflict, err := s.MergeFile(context.Background(), []byte("a\x00\n"), []byte("b\x00\n"), []byte("c\x00\n"))
	if err == nil || conflict || len(merged) != 0 || !strings.Contains(err.Error(), "binary") {
		t.Errorf("%q, %v, %v", merged, conflict, err)
	}
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := s.MergeFile(canceled, nil, nil, nil); err == nil {
		t.Error("no error")
	}
	for _, entry := range must[[]os.DirEntry](t)(os.ReadDir(dir)) {
		if strings.HasPrefix(entry.Name(), "chant-") {
			t.Errorf("%q was left behind", entry.Name())
		}
	}
}
