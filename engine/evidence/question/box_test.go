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
)

func TestBox_asksAndAnswers(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	one, two := ask(t, b, "a", "which port?"), ask(t, b, "a", "which host?")
	if one.Number != 1 || two.Number != 2 || one.State != Open || one.Place() != "a" || one.Subject() != "a" {
		t.Fatalf("asked %+v, %+v", one, two)
	}
	got, err := b.Answer(t.Context(), "a", "a", 2, "localhost", ByCommand)
	if err != nil || got.State != Answered || got.Answer != "localhost" || got.How != ByCommand || got.Closed.IsZero() || !got.Waits() {
		t.Fatalf("answered %+v, %v", got, err)
	}
	if got, err = b.Answer(t.Context(), "a", "a", 0, "8080", OnBoard); err != nil || got.Number != 1 {
		t.Fatalf("the only open one: %+v, %v", got, err)
	}
	first, err := b.Receive(t.Context(), "a")
	if err != nil || len(first) != 2 || first[0].Answer != "8080" || first[1].Answer != "localhost" {
		t.Fatalf("received %+v, %v", first, err)
	}
	again, err := b.Receive(t.Context(), "a")
	if err != nil || len(again) != 0 {
		t.Errorf("received twice: %+v, %v", again, err)
	}
	if all, err := b.List("a"); err != nil || len(all) != 2 || !all[0].Received || all[0].Prompt != "which port?" {
		t.Errorf("listed %+v, %v", all, err)
	}
}

func TestBox_refuses(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	ask(t, b, "a", "one?")
	ask(t, b, "a", "two?")
	done := ask(t, b, "a", "three?")
	if _, err := b.Withdraw(t.Context(), "a", done.Number, "cancelled"); err != nil {
		t.Fatal(err)
	}
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
		if !errors.As(tt.err, &e) || e.Kind != tt.kind || e.Error() != tt.text {
			t.Errorf("%s: %v", name, tt.err)
		}
	}
}

func TestBox_full(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	for i := range MaxOpen {
		ask(t, b, "a", fmt.Sprintf("question %d", i))
	}
	var e *Error
	if _, err := b.Ask(t.Context(), "a", Question{Prompt: "one more"}); !errors.As(err, &e) || e.Kind != Full {
		t.Errorf("one more: %v", err)
	}
	ask(t, b, "b", "another place has room")
	open, err := b.Open()
	if err != nil || len(open) != MaxOpen+1 || open[MaxOpen].Place() != "b" {
		t.Errorf("%d open, %v", len(open), err)
	}
	if n, err := b.WithdrawAll(t.Context(), "a", "reset"); n != MaxOpen || err != nil {
		t.Errorf("%d withdrawn, %v", n, err)
	}
	if n, err := b.WithdrawAll(t.Context(), "none", "reset"); n != 0 || err != nil {
		t.Errorf("%d withdrawn of none, %v", n, err)
	}
}

func TestBox_withdrawnAnswersWaitForNobody(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	q := ask(t, b, "a", "one?")
	if _, err := b.Answer(t.Context(), "a", "a", q.Number, "yes", ByTool); err != nil {
		t.Fatal(err)
	}
	if _, err := b.WithdrawAll(t.Context(), "a", "the run was dropped"); err != nil {
		t.Fatal(err)
	}
	if got, err := b.Receive(t.Context(), "a"); err != nil || len(got) != 0 {
		t.Errorf("received %+v, %v", got, err)
	}
}

// A file is shortened, and nothing that is still needed goes.
func TestBox_shortens(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	open := ask(t, b, "a", "still open")
	waits := ask(t, b, "a", "answered")
	if _, err := b.Answer(t.Context(), "a", "a", waits.Number, "yes", ByCommand); err != nil {
		t.Fatal(err)
	}
	for range maxKept + 10 {
		q := ask(t, b, "a", "over")
		if _, err := b.Withdraw(t.Context(), "a", q.Number, "over"); err != nil {
			t.Fatal(err)
		}
	}
	all, err := b.List("a")
	if err != nil || len(all) > maxKept || all[0].Number != open.Number || all[0].State != Open || !all[1].Waits() || lastNumber(all) != maxKept+12 {
		t.Fatalf("%d questions, %+v, %v", len(all), all[:2], err)
	}
	if next := ask(t, b, "a", "next"); next.Number != maxKept+13 {
		t.Errorf("the next is number %d", next.Number)
	}
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
	if err != nil || len(got) != writers*each || lastNumber(got) != writers*each {
		t.Errorf("%d questions, the last is %d, %v", len(got), lastNumber(got), err)
	}
}

// A process that is killed while it asks leaves a file that can be read and written.
func TestBox_killed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := OpenBox(local.FilesIn(dir, dir), clock())
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childVariable+"="+dir)
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	if q, err := b.Await(t.Context(), "a", firstOf(t, b)); err != nil || q.State != Answered {
		t.Errorf("%+v, %v", q, err)
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait() // it was killed
	before, err := b.List("a")
	if err != nil || len(before) == 0 {
		t.Fatalf("%d questions, %v", len(before), err)
	}
	cut(t, filepath.Join(dir, "chant", "questions", "a.jsonl"))
	q := ask(t, b, "a", "after the crash")
	after, err := b.List("a")
	if err != nil || after[len(after)-1].Prompt != "after the crash" || q.Number < len(before) {
		t.Errorf("%+v after %d, %v", after[len(after)-1], len(before), err)
	}
}

// firstOf waits until there is a question, and returns its number.
func firstOf(t *testing.T, b Box) int {
	t.Helper()
	changed, _, err := b.Changes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for {
		all, err := b.List("a")
		if err != nil {
			t.Fatal(err)
		}
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
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, info.Size()-3); err != nil {
		t.Fatal(err)
	}
}

func TestBox_odd(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	if all, err := b.All(); err != nil || all != nil {
		t.Errorf("without a folder: %+v, %v", all, err)
	}
	path, err := b.files.Local(local.Questions, "a"+extension)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := b.List("a"); err == nil || !strings.Contains(err.Error(), "is not a file") {
		t.Errorf("a folder: %v", err)
	}
	if all, err := b.All(); err != nil || len(all) != 0 {
		t.Errorf("a folder is listed: %+v, %v", all, err)
	}
}
