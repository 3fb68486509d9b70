package questions

import (
	"path/filepath"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/evidence/question"

	"github.com/alecthomas/assert/v2"
)

const (
	id   = "2026-01-02-001-abc"
	path = ".chant/specs/" + id + ".md"
	body = "---\nstatus: pending\n---\n# Parser\n\nDo it.\n\n## Acceptance Criteria\n\n- [ ] one\n"
)

// project returns a project with one spec.
func project(t *testing.T) (*engine.Project, string) {
	t.Helper()
	p, dir := enginetest.Project(t)
	enginetest.Commit(t, dir, map[string]string{path: body})
	return p, dir
}

// worktree opens the project from another worktree, on a branch.
func worktree(t *testing.T, home, branch string, o engine.Options) *engine.Project {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "tree")
	enginetest.Git(t, home, "worktree", "add", "-q", "-b", branch, dir)
	p, err := engine.Open(dir, o)
	assert.NoError(t, err)
	return p
}

func TestAsk_returnsTheAnswerOnce(t *testing.T) {
	t.Parallel()
	p, _ := project(t)
	in := AskInput{Prompt: " Which port? ", Spec: id}
	first, err := Ask(t.Context(), p, in)
	assert.NoError(t, err)
	assert.Equal(t, question.Open, first.State)
	assert.Equal(t, 1, first.Question)
	assert.Equal(t, id, first.Of)
	assert.Equal(t, "Which port?", first.Prompt)
	again, err := Ask(t.Context(), p, in)
	assert.NoError(t, err)
	assert.Equal(t, 1, again.Question)
	assert.Equal(t, question.Open, again.State)
	done, err := Answer(t.Context(), p, AnswerInput{ID: "001", Text: "8080\n"})
	assert.NoError(t, err)
	assert.Equal(t, id, done.ID)
	assert.Equal(t, "8080", done.Answer)
	assert.False(t, done.Running, "answered: %+v, %v", done, err)
	assert.Equal(t, "chant work "+id, done.Next.String())
	got, err := Ask(t.Context(), p, in)
	assert.NoError(t, err, "asked after the answer")
	assert.Equal(t, "8080", got.Answer, "asked after the answer")
	assert.Equal(t, question.ByCommand, got.How, "asked after the answer")
	assert.Equal(t, 1, got.Question, "asked after the answer")
	if got, err := Receive(t.Context(), p); err != nil || len(got) != 0 {
		t.Errorf("received twice: %+v, %v", got, err)
	}
	got, err = Ask(t.Context(), p, in)
	assert.NoError(t, err, "a new question")
	assert.Equal(t, 2, got.Question, "a new question")
	assert.Equal(t, question.Open, got.State, "a new question")
}

func TestAsk_belongsToTheWorktree(t *testing.T) {
	t.Parallel()
	p, home := project(t)
	other := worktree(t, home, "060-other", p.Options)
	for _, each := range []*engine.Project{p, other} {
		_, err := Ask(t.Context(), each, AskInput{Prompt: "Which?"})
		assert.NoError(t, err)
	}
	list, err := List(t.Context(), p, ListInput{})
	assert.NoError(t, err)
	assert.Equal(t, 2, len(list.Questions))
	assert.Equal(t, "main", list.Questions[1].ID)
	assert.Equal(t, "060-other", list.Questions[0].ID)
	assert.Equal(t, "chant answer 060-other", list.Questions[0].Next.String())
	_, err = Answer(t.Context(), p, AnswerInput{Text: "x"})
	assert.Equal(t, engine.Usage, enginetest.CodeOf(t, err))
	_, err = Answer(t.Context(), p, AnswerInput{ID: "060-other", Text: "this one"})
	assert.NoError(t, err)
	got, err := Receive(t.Context(), p)
	assert.NoError(t, err, "home receives the answer of another worktree: %+v", got)
	assert.Zero(t, got, "home receives the answer of another worktree: %+v", got)
	got, err = Receive(t.Context(), other)
	assert.NoError(t, err)
	assert.Equal(t, 1, len(got))
	assert.Equal(t, Received{1, "Which?", "this one"}, got[0])
	enginetest.Git(t, other.Repo.Dir(), "checkout", "-q", "--detach")
	r, err := Ask(t.Context(), other, AskInput{Prompt: "Without a branch?"})
	assert.NoError(t, err, "without a branch")
	assert.Equal(t, other.Repo.Dir(), r.Of, "without a branch")
}

func TestAnswer_refusals(t *testing.T) {
	t.Parallel()
	p, _ := project(t)
	_, err := Answer(t.Context(), p, AnswerInput{Text: "x"})
	assert.Equal(t, engine.NotFound, enginetest.CodeOf(t, err), "nothing is open")
	for _, prompt := range []string{"one?", "two?"} {
		_, err := Ask(t.Context(), p, AskInput{Prompt: prompt, Spec: id})
		assert.NoError(t, err)
	}
	for name, tt := range map[string]struct {
		in   AnswerInput
		code engine.Code
		next string
	}{
		"several":      {AnswerInput{Text: "x"}, engine.Usage, "chant answer " + id + " --question 1"},
		"unknown":      {AnswerInput{Text: "x", Question: 7}, engine.NotFound, "chant answer"},
		"unknown spec": {AnswerInput{ID: "nothing", Text: "x"}, engine.NotFound, "chant list"},
		"empty":        {AnswerInput{Question: 1}, engine.Invalid, "chant answer --help"},
		"too long":     {AnswerInput{Question: 1, Text: strings.Repeat("x", question.MaxText+1)}, engine.Invalid, "chant answer --help"},
	} {
		_, err := Answer(t.Context(), p, tt.in)
		if code := enginetest.CodeOf(t, err); code != tt.code || nextOf(err) != tt.next {
			t.Errorf("%s: %s, next %q: %v", name, code, nextOf(err), err)
		}
	}
	_, err = Answer(t.Context(), p, AnswerInput{Text: "x", Question: 2})
	assert.NoError(t, err)
	_, err = Answer(t.Context(), p, AnswerInput{Text: "x", Question: 2})
	assert.Equal(t, engine.State, enginetest.CodeOf(t, err))
	_, err = Ask(t.Context(), p, AskInput{Prompt: "\n"})
	assert.Equal(t, engine.Invalid, enginetest.CodeOf(t, err), "an empty question")
}

func nextOf(err error) string {
	if e, ok := err.(*engine.Error); ok {
		return e.Next.String()
	}
	return ""
}

// Whichever of two answers comes first is the answer.
func TestAnswerHere(t *testing.T) {
	t.Parallel()
	p, _ := project(t)
	r, err := Ask(t.Context(), p, AskInput{Prompt: "Which?", Spec: id})
	assert.NoError(t, err)
	if _, err := Answer(t.Context(), p, AnswerInput{Text: "by command"}); err != nil {
		t.Fatal(err)
	}
	if got, err := AnswerHere(t.Context(), p, r, "by form"); err != nil || got.Answer != "by command" {
		t.Errorf("%+v, %v", got, err)
	}
	r, err = Ask(t.Context(), p, AskInput{Prompt: "And then?", Spec: id})
	assert.NoError(t, err)
	got, err := AnswerHere(t.Context(), p, r, "by form")
	assert.NoError(t, err)
	assert.Equal(t, "by form", got.Answer)
	assert.Equal(t, question.ByElicitation, got.How)
	assert.NoError(t, Withdraw(t.Context(), p, r, "cancelled"), "withdrawing an answered question")
	if got, err := Receive(t.Context(), p); err != nil || len(got) != 0 {
		t.Errorf("received again: %+v, %v", got, err)
	}
}

func TestAsk_withoutSecrets(t *testing.T) {
	t.Parallel()
	_, home := project(t)
	p, err := engine.Open(home, engine.Options{Environ: []string{"API_TOKEN=s3cr3t-0123456789"}})
	assert.NoError(t, err)
	r, err := Ask(t.Context(), p, AskInput{Prompt: "May I use s3cr3t-0123456789?"})
	assert.NoError(t, err)
	assert.NotContains(t, r.Prompt, "s3cr3t")
}
