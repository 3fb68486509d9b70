package run_test

import (
	"testing"

	"chant/engine/evidence/journal"
	"chant/engine/evidence/question"
	"chant/engine/run/runtest"
	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// ask asks as the agent of a run does.
func ask(t *testing.T, r *runtest.Run, prompt string) question.Box {
	t.Helper()
	box := question.OpenBox(r.P.Store.Files, r.P.Now)
	_, err := box.Ask(t.Context(), question.OfSpec(runtest.ID), question.Question{Spec: runtest.ID, Prompt: prompt})
	assert.NoError(t, err)
	return box
}

// TestWaitsForAnswer: unfinished work with an open question fails with that as the reason.
func TestWaitsForAnswer(t *testing.T) {
	t.Parallel()
	r := runtest.Start(t, runtest.Plain)
	ask(t, r, "Which port?\nOr none?")
	ask(t, r, "Which host?")
	r.Agent(map[string]string{"half.txt": "half"})
	err := r.To(journal.Verify)
	r.Fails(err, spec.ReasonQuestion, `its agent asks "Which port? Or none?" and 1 more; the criterion does not hold`)
	assert.Equal(t, spec.Failed, r.Status())
	h, err := journal.ReadHistory(r.P.Store, runtest.ID)
	assert.NoError(t, err)
	assert.Equal(t, "chant answer "+runtest.ID+" --question 1", h.Last().Next.String())
	assert.Equal(t, spec.ReasonQuestion, h.Last().Code)
}

// TestLand_withdrawsQuestions: work that meets its criteria lands, and what is still open is withdrawn.
func TestLand_withdrawsQuestions(t *testing.T) {
	t.Parallel()
	r := runtest.Start(t, runtest.Plain)
	box := ask(t, r, "Is this fine?")
	r.Agent(map[string]string{"done.txt": "done"})
	assert.NoError(t, r.Completed().Lands())
	all, err := box.List(question.OfSpec(runtest.ID))
	assert.NoError(t, err)
	assert.Equal(t, 1, len(all))
	assert.Equal(t, question.Withdrawn, all[0].State)
	assert.Equal(t, "the spec has landed", all[0].Why)
}
