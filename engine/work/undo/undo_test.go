package undo

import (
	"strings"
	"testing"
	"time"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/store/message"
	"chant/gitops"

	"github.com/alecthomas/assert/v2"
)

// TestDecisions_words: every decision is an event that chant's commits can have, with a name.
func TestDecisions_words(t *testing.T) {
	t.Parallel()
	for event, noun := range nouns() {
		if !message.KnownWord(event) || noun == "" {
			t.Errorf("%q is called %q, known: %t", event, noun, message.KnownWord(event))
		}
	}
	for _, none := range []string{attempt.UndoWord, "start", "complete", "fail", "pause", "leftovers", "verify", "restore", "rescue"} {
		assert.Equal(t, "", nouns()[none], "%q is a decision", none)
	}
}

func TestIsDecision(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"chant(a): approve\n\nChant-Spec: a\nChant-Event: approve\n":                           true,
		"chant(a): land\n\nChant-Spec: a\nChant-Event: land\n":                                 true,
		"chant(a): flag\n\nChant-Spec: a\nChant-Event: flag\n":                                 false,
		"chant(a): flag\n\nChant-Spec: a\nChant-Event: flag\nChant-Review: send back\n":        true,
		"chant(a): undo\n\nChant-Spec: a\nChant-Event: undo\nChant-Undoes: 0123\n":             false,
		"chant: init\n\nChant-Event: add\n":                                                    false,
		"Say approve":                                                                          false,
		"chant: add specs\n\nChant-Spec: a\nChant-Event: add\nChant-Spec: b\nChant-Event: add": true,
	} {
		_, _, got := isDecision(gitops.Commit{Message: text, Trailers: gitops.Trailers(text)})
		assert.Equal(t, want, got, "%q", text)
	}
}

// TestUndoMessage can be read as the message of chant, and names what it takes back.
func TestUndoMessage(t *testing.T) {
	t.Parallel()
	for subject, d := range map[string]Decision{
		"chant(a): undo archive": {Event: "archive", ID: "a", IDs: []string{"a"}, Commit: "0123"},
		"chant: undo add":        {Event: "add", ID: "a", IDs: []string{"a", "b"}, Commit: "0123"},
	} {
		text := undoMessage(&d)
		c := gitops.Commit{Message: text, Trailers: gitops.Trailers(text)}
		head, _, _ := strings.Cut(text, "\n")
		assert.Equal(t, subject, head, "%q", text)
		assert.Equal(t, len(d.IDs), len(message.Records(c)), "%q", text)
		assert.Equal(t, "0123", strings.Join(message.Lines(c, message.UndoesTrailer), " "), "%q", text)
		assert.NoError(t, message.CheckMessage(text, c.Trailers, ""))
	}
}

func TestDecision_name(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
	d := Decision{Event: "reset", ID: "a", IDs: []string{"a", "b", "c"}, At: at}
	if d.Name() != "the reset of a and 2 more" || d.Key() != "reset a 20260102030405.000000006" {
		t.Errorf("%q, %q", d.Name(), d.Key())
	}
	if d.Commit = "0123"; d.Key() != "0123" {
		t.Errorf("%q", d.Key())
	}
}

// TestUndo undoes what files of two specs have become, once, and only the decision that a person has seen.
func TestUndo(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	const a, b = ".chant/specs/2026-01-02-001-abc.md", ".chant/specs/2026-01-02-002-def.md"
	_, err := Undo(t.Context(), p, UndoInput{})
	assert.Equal(t, engine.NotFound, enginetest.CodeOf(t, err))
	enginetest.Commit(t, dir, map[string]string{a: "---\nstatus: pending\n---\n# A\n", "mine.txt": "1"})
	enginetest.Write(t, dir, a, "---\nstatus: pending\n---\n# A, edited\n")
	enginetest.Write(t, dir, b, "---\nstatus: pending\n---\n# B\n")
	enginetest.Git(t, dir, "add", ".")
	enginetest.Git(t, dir, "commit", "-q", "-m", "chant: import\n\nChant-Spec: 2026-01-02-001-abc\nChant-Event: edit\nChant-Spec: 2026-01-02-002-def\nChant-Event: add")
	enginetest.Write(t, dir, "mine.txt", "2")
	_, err = Undo(t.Context(), p, UndoInput{Expected: "another"})
	assert.Equal(t, engine.Conflict, enginetest.CodeOf(t, err))
	list, err := List(t.Context(), p, ListInput{ID: "002"})
	assert.NoError(t, err)
	assert.Equal(t, 1, len(list.Decisions))
	assert.True(t, list.Decisions[0].Undoable, "%+v, %v", list, err)
	assert.Equal(t, 2, len(list.Decisions[0].Does))
	r, err := Undo(t.Context(), p, UndoInput{Expected: list.Decisions[0].Key()})
	assert.NoError(t, err)
	assert.NotEqual(t, "", r.Undo)
	assert.Equal(t, spec.Pending, r.Status)
	got := enginetest.Read(t, dir, a)
	assert.Equal(t, "---\nstatus: pending\n---\n# A\n", got)
	assert.Equal(t, "2", enginetest.Read(t, dir, "mine.txt"))
	assert.Equal(t, "M mine.txt", strings.TrimSpace(enginetest.Git(t, dir, "status", "--porcelain")))
	_, err = Undo(t.Context(), p, UndoInput{})
	assert.Equal(t, engine.NotFound, enginetest.CodeOf(t, err))
}

// TestUndo_refuses what others have built upon, with the reason.
func TestUndo_refuses(t *testing.T) {
	t.Parallel()
	const a, b = ".chant/specs/2026-01-02-001-abc.md", ".chant/specs/2026-01-02-002-def.md"
	said := "chant(2026-01-02-001-abc): add\n\nChant-Spec: 2026-01-02-001-abc\nChant-Event: add"
	for name, c := range map[string]struct {
		more func(t *testing.T, dir string)
		why  string
	}{
		"changed":     {func(t *testing.T, dir string) { enginetest.Commit(t, dir, map[string]string{a: "# Other\n"}) }, "was changed since, by"},
		"uncommitted": {func(t *testing.T, dir string) { enginetest.Write(t, dir, a, "# Mine\n") }, "has edits that are not committed"},
		"removed":     {func(t *testing.T, dir string) { enginetest.Git(t, dir, "rm", "-q", a) }, "has edits that are not committed"},
		"needed": {func(t *testing.T, dir string) {
			enginetest.Commit(t, dir, map[string]string{b: "---\ndepends_on: [2026-01-02-001-abc]\n---\n# B\n"})
		}, `spec "2026-01-02-002-def" needs "2026-01-02-001-abc"`},
		"worked":    {func(t *testing.T, dir string) { enginetest.Git(t, dir, "branch", "chant/2026-01-02-001-abc") }, "has been worked since"},
		"with more": {nil, "changes files outside of .chant too"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, dir := enginetest.Project(t)
			enginetest.Write(t, dir, a, "---\nstatus: pending\n---\n# A\n")
			if c.more == nil {
				enginetest.Write(t, dir, "code.txt", "x")
			}
			enginetest.Git(t, dir, "add", ".")
			enginetest.Git(t, dir, "commit", "-q", "-m", said)
			if c.more != nil {
				c.more(t, dir)
			}
			before := enginetest.Snapshot(t, dir)
			_, err := Undo(t.Context(), p, UndoInput{})
			assert.Equal(t, engine.State, enginetest.CodeOf(t, err))
			assert.Contains(t, err.Error(), c.why)
			after := enginetest.Snapshot(t, dir)
			assert.Equal(t, len(before), len(after), "files were changed")
			assert.Equal(t, before[a], after[a], "files were changed")
		})
	}
}
