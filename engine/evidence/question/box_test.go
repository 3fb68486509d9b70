package question

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"chant/engine/store/local"

	"github.com/alecthomas/assert/v2"
)

func TestBox_asksAndAnswers(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	one, two := ask(t, b, "a", "which port?"), ask(t, b, "a", "which host?")
	assert.Equal(t, 1, one.Number)
	assert.Equal(t, 2, two.Number)
	assert.Equal(t, Open, one.State)
	assert.Equal(t, "a", one.Place())
	assert.Equal(t, "a", one.Subject())
	got, err := b.Answer(t.Context(), "a", "a", 2, "localhost", ByCommand)
	assert.NoError(t, err)
	assert.Equal(t, Answered, got.State)
	assert.Equal(t, "localhost", got.Answer)
	assert.Equal(t, ByCommand, got.How)
	assert.False(t, got.Closed.IsZero(), "answered %+v, %v", got, err)
	assert.True(t, got.Waits(), "answered %+v, %v", got, err)
	got, err = b.Answer(t.Context(), "a", "a", 0, "8080", OnBoard)
	assert.NoError(t, err, "the only open one")
	assert.Equal(t, 1, got.Number, "the only open one")
	first, err := b.Receive(t.Context(), "a")
	assert.NoError(t, err)
	assert.Equal(t, 2, len(first))
	assert.Equal(t, "8080", first[0].Answer)
	assert.Equal(t, "localhost", first[1].Answer)
	again, err := b.Receive(t.Context(), "a")
	assert.NoError(t, err, "received twice: %+v", again)
	assert.Zero(t, again, "received twice: %+v", again)
	all, err := b.List("a")
	assert.NoError(t, err)
	assert.Equal(t, 2, len(all))
	assert.True(t, all[0].Received, "listed %+v, %v", all, err)
	assert.Equal(t, "which port?", all[0].Prompt)
}

func TestBox_refuses(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	ask(t, b, "a", "one?")
	ask(t, b, "a", "two?")
	done := ask(t, b, "a", "three?")
	_, err := b.Withdraw(t.Context(), "a", done.Number, "cancelled")
	assert.NoError(t, err)
	answer := func(place Place, n int, text string) error {
		_, err := b.Answer(t.Context(), place, string(place), n, text, ByCommand)
		return err
	}
	_, empty := b.Ask(t.Context(), "a", Question{Prompt: " \n"})
	_, long := b.Ask(t.Context(), "a", Question{Prompt: strings.Repeat("x", MaxText+1)})
	_, gone := b.Withdraw(t.Context(), "a", done.Number, "again")
	for name, tt := range map[string]struct {
		err  error
		kind ErrorKind
		text string
	}{
		"several":       {answer("a", 0, "x"), Several, `"a" has 2 open questions: name one of 1, 2`},
		"over":          {answer("a", 3, "x"), Over, `question 3 of "a" is withdrawn already`},
		"withdrawn":     {gone, Over, `question 3 of "a" is withdrawn already`},
		"unknown":       {answer("a", 9, "x"), None, `"a" has no question 9; open: 1, 2`},
		"none open":     {answer("b", 0, "x"), None, `"b" has no open question`},
		"none":          {answer("b", 1, "x"), None, `"b" has no question 1`},
		"empty answer":  {answer("a", 1, "  "), Bad, "the answer is empty"},
		"empty":         {empty, Bad, "the question is empty"},
		"long question": {long, Bad, "the question has 16385 bytes (at most 16384)"},
	} {
		var e *Error
		assert.True(t, errors.As(tt.err, &e), "%s: %v", name, tt.err)
		assert.Equal(t, tt.kind, e.Kind, "%s", name)
		assert.Equal(t, tt.text, e.Error(), "%s", name)
	}
}

func TestBox_full(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	for i := range MaxOpen {
		ask(t, b, "a", fmt.Sprintf("question %d", i))
	}
	var e *Error
	_, err := b.Ask(t.Context(), "a", Question{Prompt: "one more"})
	assert.True(t, errors.As(err, &e), "one more: %v", err)
	assert.Equal(t, Full, e.Kind)
	ask(t, b, "b", "another place has room")
	open, err := b.Open()
	assert.NoError(t, err)
	assert.Equal(t, MaxOpen+1, len(open))
	assert.Equal(t, "b", open[MaxOpen].Place())
	n, err := b.WithdrawAll(t.Context(), "a", "reset")
	assert.Equal(t, MaxOpen, n)
	assert.NoError(t, err)
	n, err = b.WithdrawAll(t.Context(), "none", "reset")
	assert.Equal(t, 0, n)
	assert.NoError(t, err)
}

func TestBox_withdrawnAnswersWaitForNobody(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	q := ask(t, b, "a", "one?")
	_, err := b.Answer(t.Context(), "a", "a", q.Number, "yes", ByTool)
	assert.NoError(t, err)
	_, err = b.WithdrawAll(t.Context(), "a", "the run was dropped")
	assert.NoError(t, err)
	got, err := b.Receive(t.Context(), "a")
	assert.NoError(t, err, "received %+v", got)
	assert.Zero(t, got, "received %+v", got)
}

// A file is shortened, and nothing that is still needed goes.
func TestBox_shortens(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	open := ask(t, b, "a", "still open")
	waits := ask(t, b, "a", "answered")
	_, err := b.Answer(t.Context(), "a", "a", waits.Number, "yes", ByCommand)
	assert.NoError(t, err)
	for range maxKept + 10 {
		q := ask(t, b, "a", "over")
		_, err := b.Withdraw(t.Context(), "a", q.Number, "over")
		assert.NoError(t, err)
	}
	all, err := b.List("a")
	assert.NoError(t, err, "%+v", all[:2])
	assert.True(t, len(all) <= maxKept, "%d questions, %+v, %v", len(all), all[:2], err)
	assert.Equal(t, open.Number, all[0].Number, "%+v", all[:2])
	assert.Equal(t, Open, all[0].State, "%+v", all[:2])
	assert.True(t, all[1].Waits(), "%d questions, %+v, %v", len(all), all[:2], err)
	assert.Equal(t, maxKept+12, lastNumber(all), "%+v", all[:2])
	next := ask(t, b, "a", "next")
	assert.Equal(t, maxKept+13, next.Number, "the next is number")
}

func TestBox_manyAtOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const writers, each = 4, 8
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			b := OpenBox(local.FilesIn(dir, dir), clock()) // a process of its own has its own lock
			for i := range each {
				if _, err := b.Ask(t.Context(), "a", Question{Prompt: fmt.Sprintf("%d of %d?", i, w)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	got, err := OpenBox(local.FilesIn(dir, dir), clock()).List("a")
	assert.NoError(t, err)
	assert.Equal(t, writers*each, len(got))
	assert.Equal(t, writers*each, lastNumber(got))
}

// A process that is killed while it asks leaves a file that can be read and written.
func TestBox_killed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := OpenBox(local.FilesIn(dir, dir), clock())
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childVariable+"="+dir)
	assert.NoError(t, child.Start())
	if q, err := b.Await(t.Context(), "a", firstOf(t, b)); err != nil || q.State != Answered {
		t.Errorf("%+v, %v", q, err)
	}
	assert.NoError(t, child.Process.Kill())
	_ = child.Wait() // it was killed
	before, err := b.List("a")
	assert.NoError(t, err)
	assert.NotEqual(t, 0, len(before))
	cut(t, filepath.Join(dir, "chant", "questions", "a.jsonl"))
	q := ask(t, b, "a", "after the crash")
	after, err := b.List("a")
	assert.NoError(t, err)
	assert.Equal(t, "after the crash", after[len(after)-1].Prompt)
	assert.True(t, q.Number >= len(before), "%+v after %d, %v", after[len(after)-1], len(before), err)
}

// firstOf waits until there is a question, and returns its number.
func firstOf(t *testing.T, b Box) int {
	t.Helper()
	changed, _, err := b.Changes(t.Context())
	assert.NoError(t, err)
	for {
		all, err := b.List("a")
		assert.NoError(t, err)
		if len(all) > 0 {
			return all[0].Number
		}
		<-changed
	}
}

// cut removes the end of the last line of a file, as a crash of the system does.
func cut(t *testing.T, path string) {
	t.Helper()
	info, err := os.Stat(path)
	assert.NoError(t, err)
	assert.NoError(t, os.Truncate(path, info.Size()-3))
}

func TestBox_odd(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	all, err := b.All()
	assert.NoError(t, err, "without a folder")
	assert.True(t, all == nil, "without a folder: %+v, %v", all, err)
	path, err := b.files.Local(local.Questions, "a"+extension)
	assert.NoError(t, err)
	assert.NoError(t, os.Mkdir(path, 0o755))
	_, err = b.List("a")
	assert.Error(t, err)
	assert.Contains(t, err.Error(), "is not a file")
	all, err = b.All()
	assert.NoError(t, err, "a folder is listed: %+v", all)
	assert.Zero(t, all, "a folder is listed: %+v", all)
}
