package node

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"chant/engine"
	"chant/engine/evidence/question"
	"chant/engine/fleet"
	"chant/engine/fleet/jetstream"
	"chant/engine/work"
	"chant/engine/work/node/fleetstest"
	"chant/engine/work/node/worker"
	"chant/engine/work/questions"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const id = "2026-01-02-001-abc"

// scene is a fleet with a spec whose script waits for a file, a worker, and the clone of a person.
type scene struct {
	*testing.T
	*fleetstest.Fleet
	broker *jetstream.Broker // of a hub
	other  *jetstream.Broker // of a worker
	home   *engine.Project
	q      *request        // of home
	there  *engine.Project // of the worker
	gate   string          // the file for which the script waits
}

func newScene(t *testing.T) *scene {
	t.Helper()
	s := &scene{T: t, gate: filepath.Join(t.TempDir(), "go")}
	s.broker, s.other = fleetstest.NewWithWorker(t)
	body := fmt.Sprintf("---\nstatus: pending\n---\n# One\n\n## Script\n\n```sh\necho begun\nwhile ! test -e %s; do sleep 0.05; done\necho 1 > f.txt\n```\n\n## Acceptance Criteria\n\n- [ ] It is there `$ test -s f.txt`\n", s.gate)
	s.Fleet = fleetstest.NewFleet(t, map[string]string{
		".chant/config.md":           "---\ndefaults: {provider: shell, main_branch: main}\nsandbox: off\n---\n",
		".chant/specs/" + id + ".md": body,
	})
	home, r := s.Clone()
	s.home = home
	s.q = &request{p: home, broker: s.broker, remote: r, node: "hub", id: id, again: 10 * time.Millisecond, patience: time.Minute}
	return s
}

// work has a machine work the spec until the test ends.
func (s *scene) work() {
	s.Helper()
	p, r := s.Clone()
	s.there = p
	ctx, cancel := context.WithCancel(s.Context())
	var ended sync.WaitGroup
	s.Cleanup(func() { cancel(); ended.Wait() })
	w := &worker.Worker{P: p, Remote: r, Broker: s.broker, Node: fleet.Node{Name: "w", Slots: 1, Providers: []string{"shell"}}}
	ended.Go(func() { _ = w.Run(ctx, nil) }) // its error is that of the context
	if err := s.broker.Offer(ctx, fleet.Entry{ID: id, Needs: fleet.Needs{Provider: "shell"}}); err != nil {
		s.Fatal(err)
	}
	s.await("its script has begun", func() bool { return strings.Contains(fleetstest.Logged(s.T, s.broker, "w", id), "begun") })
}

// open lets the script end.
func (s *scene) open() {
	s.Helper()
	if err := os.WriteFile(s.gate, nil, 0o600); err != nil {
		s.Fatal(err)
	}
}

func (s *scene) await(what string, holds func() bool) {
	s.Helper()
	late := time.After(time.Minute)
	for !holds() {
		select {
		case <-late:
			s.Fatalf("it never happens that %s", what)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// fetch fetches the claims into the clone of the person.
func (s *scene) fetch() {
	s.Helper()
	if err := s.q.remote.Fetch(s.Context()); err != nil {
		s.Fatal(err)
	}
}

// member makes the clone of the person take part in the fleet.
func (s *scene) member() {
	s.Helper()
	path := filepath.Join(s.home.Repo.CommonDir(), "chant", "fleet.json")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.Fatal(err)
	}
	text := `{"url":"nats://127.0.0.1:1","project":"p","remote":"origin","node":"hub"}`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		s.Fatal(err)
	}
}

// codeOf returns the code of an error.
func codeOf(err error) engine.Code {
	if known, ok := errors.AsType[*engine.Error](err); ok {
		return known.Code
	}
	return ""
}

// TestPause: the machine that works on a spec ends its run, and its claim says so.
func TestPause(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.work()
	s.fetch()
	got, err := s.q.pause(t.Context())
	if err != nil || got.ID != id || got.Status != "paused" {
		t.Errorf("%+v, %v", got, err)
	}
	c, err := s.q.remote.Claim(t.Context(), id)
	if err != nil || c.State != fleet.Ended || c.Status != "paused" {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestPause_gone: a machine that is not there cannot be asked.
func TestPause_gone(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.claim("gone")
	if _, err := s.q.pause(t.Context()); codeOf(err) != engine.State || !strings.Contains(err.Error(), `"gone"`) {
		t.Errorf("%v", err)
	}
}

// TestPause_silent: a machine that does not answer is an error, and so are credentials that allow no command.
func TestPause_silent(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.claim("silent")
	if err := s.broker.Register(t.Context(), fleet.Node{Name: "silent"}); err != nil {
		t.Fatal(err)
	}
	s.q.patience = 50 * time.Millisecond
	if _, err := s.q.pause(t.Context()); codeOf(err) != engine.Conflict {
		t.Errorf("%v", err)
	}
	s.q.broker = s.other
	if _, err := s.q.pause(t.Context()); codeOf(err) != engine.State || !strings.Contains(err.Error(), "only the hub") {
		t.Errorf("%v", err)
	}
}

// claim has a machine that does nothing claim the spec.
func (s *scene) claim(name string) *fleet.Lease {
	s.Helper()
	_, r := s.Clone()
	if err := r.Fetch(s.Context()); err != nil {
		s.Fatal(err)
	}
	base, err := r.Tip(s.Context())
	if err != nil {
		s.Fatal(err)
	}
	held, err := r.Claim(s.Context(), id)
	if err != nil {
		s.Fatal(err)
	}
	l, err := r.Take(s.Context(), fleet.Claim{ID: id, Worker: name, Lease: name, Attempt: 1, Base: base}, held)
	if err != nil {
		s.Fatal(err)
	}
	s.fetch()
	return l
}

// TestClaimed: only a spec that another machine has claimElsewhere, and that has no run here, is worked on elsewhere.
func TestClaimed(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.claim("w")
	if c, err := claimElsewhere(t.Context(), s.home, id); err != nil || c.ID != "" {
		t.Errorf("in no fleet: %+v, %v", c, err)
	}
	s.member()
	if c, err := claimElsewhere(t.Context(), s.home, "001"); err != nil || c.Worker != "w" {
		t.Errorf("claimed: %+v, %v", c, err)
	}
	if c, err := claimElsewhere(t.Context(), s.home, "009"); codeOf(engine.Wrap(err, "009")) != engine.NotFound {
		t.Errorf("no such spec: %+v, %v", c, err)
	}
}

// TestMirrorLog: the log of a run on another machine comes here up to its end.
func TestMirrorLog(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.work()
	s.fetch()
	end, err := s.q.mirrorLog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	log := func() string {
		text, err := os.ReadFile(s.home.Store.LogPath(id))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if !strings.Contains(log(), "begun") {
		t.Errorf("the log is %q", log())
	}
	s.open()
	s.await("the run has ended", func() bool {
		s.fetch()
		c, err := s.q.remote.Claim(t.Context(), id)
		return err == nil && c.State == fleet.Completed
	})
	want := fleetstest.Logged(s.T, s.broker, "w", id)
	s.await("the log is complete", func() bool { return log() == want })
	end()
	if _, err := (&request{p: s.home, broker: s.broker, remote: s.q.remote, node: "hub", id: id}).mirrorLog(t.Context()); err != nil || log() != want {
		t.Errorf("read again: %v, %q", err, log())
	}
}

// TestBringLog: a spec whose log is here needs no connection; without a log here the error of the connection is returned.
func TestBringLog(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for _, in := range []bool{false, true} {
		if in {
			s.member()
			if err := s.home.Store.NoteInLog(id, "here", s.home.Now); err != nil {
				t.Fatal(err)
			}
		}
		stop, err := BringLog(t.Context(), s.home, id, false)
		if err != nil {
			t.Fatal(err)
		}
		stop()
	}
	s.claim("w")
	stop, err := BringLog(t.Context(), s.home, id, true) // no server: the log that is here is read
	if err != nil {
		t.Fatal(err)
	}
	stop()
	if err := os.Remove(s.home.Store.LogPath(id)); err != nil {
		t.Fatal(err)
	}
	if _, err := BringLog(t.Context(), s.home, id, false); codeOf(err) != engine.NotFound {
		t.Errorf("without a server: %v", err)
	}
}

// TestTakeover: the run ends on its machine, and a person continues it here from what was pushed.
func TestTakeover(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.work()
	s.fetch()
	if err := s.q.takeOver(t.Context()); err != nil {
		t.Fatal(err)
	}
	r, err := work.Takeover(t.Context(), s.home, work.TakeoverInput{ID: id})
	if err != nil || r.Status != "paused" || r.Branch != "chant/"+id || r.OpenAll != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	text, err := os.ReadFile(filepath.Join(r.Worktree, ".chant", "specs", id+".md"))
	if err != nil || !strings.Contains(string(text), "status: paused") {
		t.Errorf("%s, %v", text, err)
	}
	s.fetch()
	if c, err := s.q.remote.Claim(t.Context(), id); err != nil || c.State != fleet.Ended || c.Reason != "it was taken over on hub" {
		t.Errorf("%+v, %v", c, err)
	}
	// What the person completes here is completed here.
	s.open()
	done, err := work.Work(t.Context(), s.home, work.WorkInput{ID: id, Options: work.Options{NoMerge: true}})
	if err != nil || done.Status != "completed" {
		t.Errorf("%+v, %v", done, err)
	}
}

// TestTakeover_refused: what is completed, or has no branch, is not taken over.
func TestTakeover_refused(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	l := s.claim("w")
	if err := l.Push(t.Context(), l.PushedTip(), func(c *fleet.Claim) { c.State = fleet.Completed }); err != nil {
		t.Fatal(err)
	}
	s.fetch()
	if err := s.q.takeOver(t.Context()); codeOf(err) != "state" || !strings.Contains(err.Error(), "completed") {
		t.Errorf("completed: %v", err)
	}
	s.Git("update-ref", "-d", "refs/heads/chant/"+id)
	if err := l.Push(t.Context(), l.PushedTip(), func(c *fleet.Claim) { c.State = fleet.Ended }); err != nil {
		t.Fatal(err)
	}
	s.fetch()
	if err := s.q.takeOver(t.Context()); codeOf(err) != "state" || !strings.Contains(err.Error(), "no branch") {
		t.Errorf("without a branch: %v", err)
	}
}

// ask has an agent ask in a clone.
func ask(t *testing.T, p *engine.Project, prompt string) {
	t.Helper()
	q := question.Question{Spec: id, Prompt: prompt, By: "claude", Attempt: 1}
	if _, err := question.OpenBox(p.Store.Files, p.Now).Ask(t.Context(), question.OfSpec(id), q); err != nil {
		t.Fatal(err)
	}
}

// asked returns the questions about the spec in a clone.
func asked(t *testing.T, p *engine.Project) []question.Question {
	t.Helper()
	all, err := question.OpenBox(p.Store.Files, p.Now).List(question.OfSpec(id))
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
	err := l.Push(t.Context(), l.PushedTip(), func(c *fleet.Claim) {
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
	err := l.Push(t.Context(), l.PushedTip(), func(c *fleet.Claim) {
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
		got, err := chooseQuestion(t.Context(), s.home, c.in)
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
