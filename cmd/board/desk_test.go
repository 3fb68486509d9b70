package board

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"chant/cmd/console"
	"chant/cmd/tui/board"
	"chant/engine"
	"chant/engine/enginetest"
)

// newDesk returns the desk of a project with a pending spec and one that waits for approval.
func newDesk(t *testing.T) *desk {
	t.Helper()
	p, dir := enginetest.Project(t)
	enginetest.Commit(t, dir, map[string]string{
		".chant/specs/2026-01-02-001-abc.md": "---\nstatus: pending\n---\n# One\n",
		".chant/specs/2026-01-02-002-abc.md": "---\nstatus: pending\napproval: {required: true}\n---\n# Two\n",
	})
	return &desk{p: p, app: &console.App{Env: console.Env{Dir: dir, Environ: append(os.Environ(), "GIT_AUTHOR_NAME=Ada")}}}
}

// TestDesk_Do carries out orders that need no agent, and reports what it cannot.
func TestDesk_Do(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	for _, c := range []struct {
		order board.Order
		text  string
		code  engine.Code
	}{
		{board.Order{Act: board.Approve, ID: "002"}, "Approved 2026-01-02-002-abc", ""},
		{board.Order{Act: board.Reject, ID: "002", Text: "no"}, "Rejected 2026-01-02-002-abc", ""},
		{board.Order{Act: board.Cancel, ID: "002"}, "Cancelled 2026-01-02-002-abc: cancelled", ""},
		{board.Order{Act: board.Reset, ID: "002"}, "Reset 2026-01-02-002-abc: pending", ""},
		{board.Order{Act: board.Cancel, ID: "002"}, "Cancelled ", ""},
		{board.Order{Act: board.Archive, ID: "002"}, "Archived 1 spec", ""},
		{board.Order{Act: board.Undo}, "Undid the archiving of 2026-01-02-002-abc", ""},
		{board.Order{Act: board.Undo, Text: "x"}, "", engine.Conflict},
		{board.Order{Act: board.Archive, ID: "002"}, "Archived 1 spec", ""},
		{board.Order{Act: board.Pause, ID: "2026-01-02-001"}, "Nothing to pause: 2026-01-02-001-abc is pending", ""},
		{board.Order{Act: board.Merge, ID: "2026-01-02-001"}, "", engine.State},
		{board.Order{Act: board.Stop}, "", engine.State},
		{board.Order{Act: board.Answer, ID: "2026-01-02-001", Question: 1, Text: "x"}, "", engine.NotFound},
		{board.Order{Act: board.Reject, ID: "2026-01-02-001"}, "", engine.Usage},
	} {
		text, err := d.Do(t.Context(), c.order)
		if enginetest.CodeOf(t, err) != c.code || err == nil && !strings.HasPrefix(text, c.text) {
			t.Errorf("%+v: %q, %v, want %q, %q", c.order, text, err, c.text, c.code)
		}
	}
	id, err := d.Add(t.Context(), "Three", []string{"it holds `$ true`"})
	if err != nil || !strings.Contains(id, "-001-") {
		t.Errorf("added %q, %v", id, err)
	}
	r, err := d.Board(t.Context())
	cards := r.Cards
	if err != nil || len(cards) != 2 {
		t.Errorf("%+v, %v", cards, err)
	}
	if _, err := d.Do(t.Context(), board.Order{Act: board.Shell}); err == nil {
		t.Error("an order for the terminal is carried out without one")
	}
}

// TestDesk_reads what the tabs show.
func TestDesk_reads(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	var out bytes.Buffer
	if err := board.PlainSpec(t.Context(), &out, d, "2026-01-02-001-abc"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"# One", "it has no criteria", "no agent has worked on it here", "has no work yet", "== history ==", "2026-01-02-001-abc  ready  One"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing:\n%s", want, out.String())
		}
	}
	if err := board.PlainSpec(t.Context(), &out, d, "nothing"); enginetest.CodeOf(t, err) != engine.NotFound {
		t.Errorf("%v", err)
	}
}

// TestProgram runs a shell in the worktree, and reports the failure of an editor in the words that it printed.
func TestProgram(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the programs are scripts of sh")
	}
	d := newDesk(t)
	script := filepath.Join(t.TempDir(), "chant")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho \"error: no $1 of $2\" >&2\necho 'hint: chant show 001' >&2\nexit 4\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	d.app.Executable = script
	d.app.Environ = append(d.app.Environ, "SHELL=/bin/sh")
	run := func(o board.Order, in string) (string, error) {
		program, err := d.Program(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		program.SetStdin(strings.NewReader(in))
		program.SetStdout(&out)
		program.SetStderr(&errs)
		err = program.Run()
		return out.String(), err
	}
	if out, err := run(board.Order{Act: board.Shell, ID: "2026-01-02-001-abc"}, "pwd\nexit 3\n"); err != nil || strings.Count(out, "/"+filepath.Base(d.app.Dir)+"\n") != 2 {
		t.Errorf("%q, %v", out, err)
	}
	if _, err := run(board.Order{Act: board.Edit, ID: "001"}, ""); enginetest.Refusal(err) != "usage | chant show 001 | no edit of 001" {
		t.Errorf("%q", enginetest.Refusal(err))
	}
	if _, err := d.Program(t.Context(), board.Order{Act: board.Takeover, ID: "001"}); enginetest.CodeOf(t, err) != engine.State {
		t.Errorf("%v", err)
	}
}

// TestFits: no board without a terminal.
func TestFits(t *testing.T) {
	t.Parallel()
	if isUsableTerminal(strings.NewReader(""), &bytes.Buffer{}, nil) || Opens(console.Env{In: strings.NewReader(""), Out: &bytes.Buffer{}}) {
		t.Error("a pipe is no terminal")
	}
}
