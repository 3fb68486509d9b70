package question

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"chant/engine/store/local"

	"github.com/alecthomas/assert/v2"
	"go.uber.org/goleak"
)

// childVariable makes the test binary a process that asks questions in a folder until it is killed.
const childVariable = "CHANT_TEST_ASKS_IN"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childVariable); dir != "" {
		askForever(dir)
	}
	goleak.VerifyTestMain(m)
}

func askForever(dir string) {
	b := OpenBox(local.FilesIn(dir, dir), time.Now)
	for i := 1; ; i++ {
		q, err := b.Ask(context.Background(), "a", Question{Prompt: fmt.Sprintf("question %d", i)})
		if err == nil {
			_, err = b.Answer(context.Background(), "a", "a", q.Number, "yes", ByCommand)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// newBox returns questions in an empty folder, with a clock that advances a second at each look.
func newBox(t testing.TB) Box {
	t.Helper()
	dir := t.TempDir()
	return OpenBox(local.FilesIn(dir, dir), clock())
}

func clock() func() time.Time {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	return func() time.Time { at = at.Add(time.Second); return at }
}

func ask(t testing.TB, b Box, place Place, prompt string) Question {
	t.Helper()
	q, err := b.Ask(t.Context(), place, Question{Spec: string(place), Prompt: prompt, By: "claude", Attempt: 1})
	assert.NoError(t, err)
	return q
}
