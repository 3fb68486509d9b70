package elsewhere

import (
	"testing"

	"chant/engine"
	"chant/engine/evidence/question"
	"chant/engine/fleet"
	"chant/engine/work/questions"
)

// ask has an agent ask in a clone.
func ask(t *testing.T, p *engine.Project, prompt string) {
	t.Helper()
	q := question.Question{Spec: id, Prompt: prompt, By: "claude", Attempt: 1}
	if _, err := question.In(p.Store.Files, p.Now).Ask(t.Context(), question.OfSpec(id), q); err != nil {
		t.Fatal(err)
	}
}

// asked returns the questions about the spec in a clone.
func asked(t *testing.T, p *engine.Project) []question.Question {
	t.Helper()
	all, err := question.In(p.Store.Files, p.Now).List(question.OfSpec(id))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// openThere returns the questions that wait for the person.
func (s *scene) openThere() []questions.OpenQuestion {
	s.Helper()
	s.fetch()
	list, err := questions.List(s.Context(), s.home, questions.ListInput{ID: id})
	if err != nil {
		s.Fatal(err)
	}
	return list.Questions
}

// TestAnswer: a question of an agent on another machine is listed here, and the answer comes to that agent.
func TestAnswer(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.member()
	s.work()
	ask(t, s.there, "which port?")
	s.await("the question is here", func() bool { return len(s.openThere()) == 1 })
	open := s.openThere()[0]
	if open.Node != "w" || open.Prompt != "which port?" || open.By != "claude" || open.Next.String() != "chant answer "+id {
		t.Errorf("%+v", open)
	}
	running, err := s.q.answer(t.Context(), open, "8080")
	if err != nil || !running {
		t.Errorf("%t, %v", running, err)
	}
	if got := asked(t, s.there); len(got) != 1 || got[0].Answer != "8080" || got[0].State != question.Answered {
		t.Errorf("%+v", got)
	}
	if left := s.openThere(); len(left) != 0 {
		t.Errorf("%+v are open", left)
	}
}

// TestAnswer_ended: the answer to an agent that has ended comes to the next one, on whatever machine that is.
func TestAnswer_ended(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.member()
	l := s.claim("gone")
	err := l.Push(t.Context(), l.Pushed(), func(c *fleet.Claim) {
		c.State, c.Status, c.Reason = fleet.Ended, "failed", "its agent asks"
		c.Questions = []fleet.Question{{Number: 3, Prompt: "which port?"}, {Number: 5, Prompt: "which host?"}}
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		answer string
		state  fleet.ClaimState
	}{{"8080", fleet.Ended}, {"localhost", fleet.Returned}} {
		open := s.openThere()
		if len(open) != 2-i {
			t.Fatalf("open: %+v", open)
		}
		if running, err := s.q.answer(t.Context(), open[0], want.answer); err != nil || running {
			t.Errorf("%t, %v", running, err)
		}
		s.fetch()
		if c, err := s.q.remote.Claim(t.Context(), id); err != nil || c.State != want.state {
			t.Errorf("after %d answers: %+v, %v", i+1, c, err)
		}
	}
	s.work()
	got := asked(t, s.there)
	if len(got) != 2 || got[0].Answer != "8080" || got[1].Answer != "localhost" {
		t.Errorf("%+v", got)
	}
}

// TestChoose: without a name the only open question is meant, and several have to be named.
func TestChoose(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.member()
	l := s.claim("w")
	err := l.Push(t.Context(), l.Pushed(), func(c *fleet.Claim) {
		c.Questions = []fleet.Question{{Number: 1, Prompt: "one?"}, {Number: 2, Prompt: "two?"}, {Number: 3, Prompt: "three?", Answer: "yes"}}
	})
	if err != nil {
		t.Fatal(err)
	}
	s.fetch()
	for name, c := range map[string]struct {
		in   questions.AnswerInput
		want int // 0 = an error
	}{
		"by number":            {questions.AnswerInput{ID: "001", Question: 2}, 2},
		"by number alone":      {questions.AnswerInput{Question: 1}, 1},
		"several":              {questions.AnswerInput{ID: id}, 0},
		"several, no ID":       {questions.AnswerInput{}, 0},
		"it has been answered": {questions.AnswerInput{ID: id, Question: 3}, 0},
	} {
		got, err := choose(t.Context(), s.home, c.in)
		switch {
		case c.want == 0 && codeOf(err) == "":
			t.Errorf("%s: %+v, %v, want an error", name, got, err)
		case c.want > 0 && (err != nil || got == nil || got.Question != c.want):
			t.Errorf("%s: %+v, %v, want %d", name, got, err, c.want)
		}
	}
	for _, text := range []string{"", " \n"} {
		if _, err := Answer(t.Context(), s.home, questions.AnswerInput{ID: id, Question: 1, Text: text}); codeOf(err) != engine.Invalid {
			t.Errorf("the answer %q: %v", text, err)
		}
	}
	if _, err := Answer(t.Context(), s.home, questions.AnswerInput{ID: id, Question: 1, Text: "yes"}); codeOf(err) != engine.NotFound {
		t.Errorf("without a server: %v", err)
	}
}
