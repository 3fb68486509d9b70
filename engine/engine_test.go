package engine

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// project makes a repository with a project in it and opens it at a fixed time.
func project(t *testing.T) (*Engine, string) {
	t.Helper()
	dir := t.TempDir()
	for _, args := range [][]string{
		{"init", "-q", "-b", "main"}, {"config", "user.name", "Ada"}, {"config", "user.email", "ada@example.com"},
		{"config", "commit.gpgsign", "false"}, {"commit", "-q", "--allow-empty", "-m", "begin"},
	} {
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	o := Options{Environ: os.Environ(), Now: func() time.Time { return time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC) }}
	if _, err := Init(t.Context(), dir, o, InitInput{Provider: "shell"}); err != nil {
		t.Fatal(err)
	}
	e, err := Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return e, dir
}

// write puts a file below a folder.
func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// codeOf is the code of an operation's error, "" when there is none.
func codeOf(t *testing.T, err error) Code {
	t.Helper()
	if err == nil {
		return ""
	}
	e, ok := err.(*Error) //nolint:errorlint // operations promise this very type
	if !ok {
		t.Fatalf("error %v is no *Error", err)
	}
	return e.Code
}

// TestOperations_onlyErrorReachesADoor asks operations for what cannot be, and
// expects a code, a message and a hint each time.
func TestOperations_onlyErrorReachesADoor(t *testing.T) {
	t.Parallel()
	e, dir := project(t)
	ctx := t.Context()
	write(t, dir, ".chant/specs/2026-01-02-001-abc.md", "---\nstatus: pending\n---\n# A\n")
	write(t, dir, ".chant/specs/2026-01-02-002-brk.md", "---\nstatus: [\n---\n# B\n")
	ended, cancel := context.WithCancel(ctx)
	cancel()
	for name, tc := range map[string]struct {
		err  func() error
		want Code
	}{
		"not found":  {func() error { _, err := e.Show(ctx, ShowInput{ID: "zzz"}); return err }, NotFound},
		"ambiguous":  {func() error { _, err := e.Show(ctx, ShowInput{ID: "2026-01-02"}); return err }, Usage},
		"traversal":  {func() error { _, err := e.Show(ctx, ShowInput{ID: "../x"}); return err }, Invalid},
		"broken":     {func() error { _, err := e.Show(ctx, ShowInput{ID: "brk"}); return err }, Invalid},
		"state":      {func() error { _, err := e.Reset(ctx, ResetInput{ID: "abc"}); return err }, State},
		"filter":     {func() error { _, err := e.List(ctx, ListInput{Status: new("doing")}); return err }, Usage},
		"no log":     {func() error { _, err := e.Log(ctx, LogInput{ID: "abc"}); return err }, NotFound},
		"no updates": {func() error { _, err := e.Update(ctx, UpdateInput{ID: "abc"}); return err }, Usage},
		"stopped":    {func() error { _, err := e.Work(ended, WorkInput{ID: "abc"}); return err }, Canceled},
		"outside":    {func() error { _, err := Open(t.TempDir(), Options{}); return err }, NotFound},
	} {
		err := tc.err()
		if got := codeOf(t, err); got != tc.want {
			t.Errorf("%s: code %q, want %q (%v)", name, got, tc.want, err)
			continue
		}
		if e := err.(*Error); e.Message == "" || e.Hint == "" { //nolint:errorlint // as above
			t.Errorf("%s: message %q, hint %q", name, e.Message, e.Hint)
		}
	}
}

func TestAdd_escapes(t *testing.T) {
	t.Parallel()
	e, _ := project(t)
	for _, text := range []string{`a: b # c`, `"quoted" 'twice'`, "- [ ] not a box", "--- no fence", "{{template}} & <tag>", "日本語の題"} {
		added, err := e.Add(t.Context(), AddInput{Description: text, Labels: []string{"a: b", "#x", "- y", "no"}, TargetFiles: []string{"a b.go", "*.md"}})
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		s, err := e.Show(t.Context(), ShowInput{ID: added.ID})
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if s.Title != text {
			t.Errorf("title %q, want %q", s.Title, text)
		}
		if got := len(s.Labels); got != 4 || s.Labels[0] != "a: b" || s.Labels[3] != "no" {
			t.Errorf("labels %q", s.Labels)
		}
	}
}

func TestAdd_splitsLongDescriptions(t *testing.T) {
	t.Parallel()
	long := "The first sentence says what. The second one says why, at a length that no title should ever have in a list."
	for in, want := range map[string][2]string{
		"short":              {"short", ""},
		"title\n\nbody":      {"title", "body"},
		long:                 {"The first sentence says what", "The second one says why, at a length that no title should ever have in a list."},
		"  spaced  \n text ": {"spaced", "text"},
	} {
		title, rest := splitDescription(in)
		if title != want[0] || rest != want[1] {
			t.Errorf("%q: %q, %q", in, title, rest)
		}
	}
}

func TestInit_isIdempotent(t *testing.T) {
	t.Parallel()
	e, dir := project(t)
	again, err := Init(t.Context(), dir, e.Options, InitInput{})
	if err != nil || len(again.Made) > 0 || len(again.Changed) > 0 || again.Commit != "" {
		t.Errorf("second init: %+v, %v", again, err)
	}
	changed, err := Init(t.Context(), dir, e.Options, InitInput{Model: "m1"})
	if err != nil || len(changed.Changed) != 1 || changed.Commit == "" {
		t.Errorf("init --model: %+v, %v", changed, err)
	}
	c, err := readConfig(dir)
	if err != nil || c.Defaults.Model != "m1" || c.Defaults.Provider != "shell" || c.Defaults.MainBranch != "main" {
		t.Errorf("config %+v, %v", c, err)
	}
}

func TestConfig_defaultsAndLines(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeSettings(t, dir, "---\nproject: {name: x}\nlimits:\n  time: 90s\n  silence: 0\nnonsense: 1\n---\n")
	c, err := readConfig(dir)
	if err != nil || time.Duration(c.Limits.Time) != 90*time.Second || time.Duration(c.Limits.Check) != 10*time.Minute || c.Defaults.Provider != "claude" {
		t.Errorf("%+v, %v", c, err)
	}
	if len(c.faults) != 1 || c.faults[0].Key != "nonsense" {
		t.Errorf("unknown keys %+v", c.faults)
	}
}
