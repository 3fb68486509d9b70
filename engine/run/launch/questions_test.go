package launch_test

import (
	"strings"
	"sync"
	"testing"

	"chant/engine/evidence/journal"
	"chant/engine/evidence/question"
	"chant/engine/run/runtest"

	"github.com/alecthomas/assert/v2"
)

// TestRunAgent_announcesQuestions reports a question that is open already and one that the agent asks while it works,
// and what becomes of them. Earlier ones that are closed are not reported.
func TestRunAgent_announcesQuestions(t *testing.T) {
	t.Parallel()
	r := scripted(t, "until test -e go; do sleep 0.05; done; touch done.txt")
	box := question.OpenBox(r.P.Store.Files, r.P.Now)
	ask := func(prompt string) question.Question {
		q, err := box.Ask(t.Context(), question.OfSpec(runtest.ID), question.Question{Spec: runtest.ID, Prompt: prompt})
		if err != nil {
			t.Error(err)
		}
		return q
	}
	answer := func(n int) {
		if _, err := box.Answer(t.Context(), question.OfSpec(runtest.ID), runtest.ID, n, "yes", question.ByCommand); err != nil {
			t.Error(err)
		}
	}
	answer(ask("closed before?").Number)
	ask("open before?")
	var mu sync.Mutex
	var got []string
	r.Emit = func(ev journal.Event) {
		if ev.Question == 0 {
			return
		}
		mu.Lock()
		got = append(got, ev.Kind+" "+ev.Text)
		mu.Unlock()
		switch ev.Text { // answers and withdraws as questions are announced
		case "open before?":
			go ask("asked meanwhile?")
		case "asked meanwhile?":
			go answer(3)
		case "yes":
			go r.Leave(map[string]string{"go": "now"})
		}
	}
	assert.NoError(t, runs(t.Context(), r))
	want := []string{"question open before?", "question asked meanwhile?", "answered yes"}
	assert.Equal(t, want, got)
	lines, err := r.P.Store.LogTail(runtest.ID, 4096)
	assert.NoError(t, err)
	var log strings.Builder
	for _, l := range lines {
		log.WriteString(l.Text + "\n")
	}
	for _, line := range []string{"question 2: open before?", "question 3: asked meanwhile?", "answered 3: yes"} {
		assert.Contains(t, log.String(), line, "the log lacks")
	}
}
