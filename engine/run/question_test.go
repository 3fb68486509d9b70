package run_test

import (
	"testing"

	"chant/engine/evidence/journal"
	"chant/engine/evidence/question"
	"chant/engine/run/runtest"
	"chant/engine/spec"
)

// ask asks as the agent of a run does.
func ask(t *testing.T, r *runtest.Run, prompt string) question.Box {
	t.Helper()
	box := question.OpenBox(r.P.Store.Files, r.P.Now)
	if _, err := box.Ask(t.Context(), question.OfSpec(runtest.ID), question.Question{Spec: runtest.ID, Prompt: prompt}); err != nil {
		t.Fatal(err)
	}
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
	if got := r.Status(); got != spec.Failed {
		t.Errorf("status %s", got)
	}
	h, err := journal.ReadHistory(r.P.Store, runtest.ID)
	if err != nil || h.Last().Next.String() != "chant answer "+runtest.ID+" --question 1" || h.Last().Code != spec.ReasonQuestion {
		t.Errorf("last attempt %+v, %v", h.Last(), err)
	}
}

// TestLand_withdrawsQuestions: work that meets its criteria lands, and what is still open is withdrawn.
func TestLand_withdrawsQuestions(t *testing.T) {
	t.Parallel()
	r := runtest.Start(t, runtest.Plain)
	box := ask(t, r, "Is this fine?")
	r.Agent(map[string]string{"done.txt": "done"})
	if err := r.Completed().Lands(); err != nil {
		t.Fatal(err)
	}
	all, err := box.List(question.OfSpec(runtest.ID))
	if err != nil || len(all) != 1 || all[0].State != question.Withdrawn || all[0].Why != "the spec has landed" {
		t.Errorf("%+v, %v", all, err)
	}
}
