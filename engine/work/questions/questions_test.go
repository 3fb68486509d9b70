package questions

import (
	"path/filepath"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/evidence/question"
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
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestAsk_returnsTheAnswerOnce(t *testing.T) {
	t.Parallel()
	p, _ := project(t)
	in := AskInput{Prompt: " Which port? ", Spec: id}
	first, err := Ask(t.Context(), p, in)
	if err != nil || first.State != question.Open || first.Question != 1 || first.Of != id || first.Prompt != "Which port?" {
		t.Fatalf("%+v, %v", first, err)
	}
	if again, err := Ask(t.Context(), p, in); err != nil || again.Question != 1 || again.State != question.Open {
		t.Fatalf("asked again: %+v, %v", again, err)
	}
	done, err := Answer(t.Context(), p, AnswerInput{ID: "001", Text: "8080\n"})
	if err != nil || done.ID != id || done.Answer != "8080" || done.Running || done.Next.String() != "chant work "+id {
		t.Fatalf("answered: %+v, %v", done, err)
	}
	if got, err := Ask(t.Context(), p, in); err != nil || got.Answer != "8080" || got.How != question.ByCommand || got.Question != 1 {
		t.Fatalf("asked after the answer: %+v, %v", got, err)
	}
	if got, err := Receive(t.Context(), p); err != nil || len(got) != 0 {
		t.Errorf("received twice: %+v, %v", got, err)
	}
	if got, err := Ask(t.Context(), p, in); err != nil || got.Question != 2 || got.State != question.Open {
		t.Errorf("a new question: %+v, %v", got, err)
	}
}

func TestAsk_belongsToTheWorktree(t *testing.T) {
	t.Parallel()
	p, home := project(t)
	other := worktree(t, home, "060-other", p.Options)
	for _, each := range []*engine.Project{p, other} {
		if _, err := Ask(t.Context(), each, AskInput{Prompt: "Which?"}); err != nil {
			t.Fatal(err)
		}
	}
	list, err := List(t.Context(), p, ListInput{})
	if err != nil || len(list.Questions) != 2 || list.Questions[1].ID != "main" || list.Questions[0].ID != "060-other" || list.Questions[0].Next.String() != "chant answer 060-other" {
		t.Fatalf("%+v, %v", list, err)
	}
	if _, err := Answer(t.Context(), p, AnswerInput{Text: "x"}); enginetest.CodeOf(t, err) != engine.Usage {
		t.Errorf("several places: %v", err)
	}
	if _, err := Answer(t.Context(), p, AnswerInput{ID: "060-other", Text: "this one"}); err != nil {
		t.Fatal(err)
	}
	if got, err := Receive(t.Context(), p); err != nil || len(got) != 0 {
		t.Errorf("home receives the answer of another worktree: %+v, %v", got, err)
	}
	if got, err := Receive(t.Context(), other); err != nil || len(got) != 1 || got[0] != (Received{1, "Which?", "this one"}) {
		t.Errorf("received %+v, %v", got, err)
	}
	enginetest.Git(t, other.Repo.Dir(), "checkout", "-q", "--detach")
	if r, err := Ask(t.Context(), other, AskInput{Prompt: "Without a branch?"}); err != nil || r.Of != other.Repo.Dir() {
		t.Errorf("without a branch: %+v, %v", r, err)
	}
}

func TestAnswer_refusals(t *testing.T) {
	t.Parallel()
	p, _ := project(t)
	if _, err := Answer(t.Context(), p, AnswerInput{Text: "x"}); enginetest.CodeOf(t, err) != engine.NotFound {
		t.Errorf("nothing is open: %v", err)
	}
	for _, prompt := range []string{"one?", "two?"} {
		if _, err := Ask(t.Context(), p, AskInput{Prompt: prompt, Spec: id}); err != nil {
			t.Fatal(err)
		}
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
	if _, err := Answer(t.Context(), p, AnswerInput{Text: "x", Question: 2}); err != nil {
		t.Fatal(err)
	}
	if _, err := Answer(t.Context(), p, AnswerInput{Text: "x", Question: 2}); enginetest.CodeOf(t, err) != engine.State {
		t.Errorf("answered twice: %v", err)
	}
	if _, err := Ask(t.Context(), p, AskInput{Prompt: "\n"}); enginetest.CodeOf(t, err) != engine.Invalid {
		t.Errorf("an empty question: %v", err)
	}
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
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Answer(t.Context(), p, AnswerInput{Text: "by command"}); err != nil {
		t.Fatal(err)
	}
	if got, err := AnswerHere(t.Context(), p, r, "by form"); err != nil || got.Answer != "by command" {
		t.Errorf("%+v, %v", got, err)
	}
	if r, err = Ask(t.Context(), p, AskInput{Prompt: "And then?", Spec: id}); err != nil {
		t.Fatal(err)
	}
	if got, err := AnswerHere(t.Context(), p, r, "by form"); err != nil || got.Answer != "by form" || got.How != question.ByElicitation {
		t.Errorf("%+v, %v", got, err)
	}
	if err := Withdraw(t.Context(), p, r, "cancelled"); err != nil {
		t.Errorf("withdrawing an answered question: %v", err)
	}
	if got, err := Receive(t.Context(), p); err != nil || len(got) != 0 {
		t.Errorf("received again: %+v, %v", got, err)
	}
}

func TestAsk_withoutSecrets(t *testing.T) {
	t.Parallel()
	_, home := project(t)
	p, err := engine.Open(home, engine.Options{Environ: []string{"API_TOKEN=s3cr3t-0123456789"}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Ask(t.Context(), p, AskInput{Prompt: "May I use s3cr3t-0123456789?"})
	if err != nil || strings.Contains(r.Prompt, "s3cr3t") {
		t.Errorf("%+v, %v", r, err)
	}
}
