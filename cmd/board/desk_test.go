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

	"github.com/alecthomas/assert/v2"
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
		assert.Equal(t, c.code, enginetest.CodeOf(t, err), "%+v", c.order)
		assert.False(t, err == nil && !strings.HasPrefix(text, c.text), "%+v: %q, %v, want %q, %q", c.order, text, err, c.text, c.code)
	}
	id, err := d.Add(t.Context(), "Three", []string{"it holds `$ true`"})
	assert.NoError(t, err)
	assert.Contains(t, id, "-001-")
	r, err := d.Board(t.Context())
	cards := r.Cards
	assert.NoError(t, err, "%+v", cards)
	assert.Equal(t, 2, len(cards), "%+v", cards)
	_, err = d.Do(t.Context(), board.Order{Act: board.Shell})
	assert.Error(t, err, "an order for the terminal is carried out without one")
}

// TestDesk_reads what the tabs show.
func TestDesk_reads(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	var out bytes.Buffer
	assert.NoError(t, board.PlainSpec(t.Context(), &out, d, "2026-01-02-001-abc"))
	for _, want := range []string{"# One", "it has no criteria", "no agent has worked on it here", "has no work yet", "== history ==", "2026-01-02-001-abc  ready  One"} {
		assert.Contains(t, out.String(), want)
	}
	err := board.PlainSpec(t.Context(), &out, d, "nothing")
	assert.Equal(t, engine.NotFound, enginetest.CodeOf(t, err))
}

// TestProgram runs a shell in the worktree, and reports the failure of an editor in the words that it printed.
func TestProgram(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the programs are scripts of sh")
	}
	d := newDesk(t)
	script := filepath.Join(t.TempDir(), "chant")
	assert.NoError(t, os.WriteFile(script, []byte("#!/bin/sh\necho \"error: no $1 of $2\" >&2\necho 'hint: chant show 001' >&2\nexit 4\n"), 0o755))
	d.app.Executable = script
	d.app.Environ = append(d.app.Environ, "SHELL=/bin/sh")
	run := func(o board.Order, in string) (string, error) {
		program, err := d.Program(t.Context(), o)
		assert.NoError(t, err)
		var out, errs bytes.Buffer
		program.SetStdin(strings.NewReader(in))
		program.SetStdout(&out)
		program.SetStderr(&errs)
		err = program.Run()
		return out.String(), err
	}
	out, err := run(board.Order{Act: board.Shell, ID: "2026-01-02-001-abc"}, "pwd\nexit 3\n")
	assert.NoError(t, err)
	assert.Equal(t, 2, strings.Count(out, "/"+filepath.Base(d.app.Dir)+"\n"))
	if _, err := run(board.Order{Act: board.Edit, ID: "001"}, ""); enginetest.Refusal(err) != "usage | chant show 001 | no edit of 001" {
		t.Errorf("%q", enginetest.Refusal(err))
	}
	_, err = d.Program(t.Context(), board.Order{Act: board.Takeover, ID: "001"})
	assert.Equal(t, engine.State, enginetest.CodeOf(t, err))
}

// TestFits: no board without a terminal.
func TestFits(t *testing.T) {
	t.Parallel()
	assert.False(t, isUsableTerminal(strings.NewReader(""), &bytes.Buffer{}, nil), "a pipe is no terminal")
	assert.False(t, Opens(console.Env{In: strings.NewReader(""), Out: &bytes.Buffer{}}), "a pipe is no terminal")
}
