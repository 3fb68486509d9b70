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

	"github.com/alecthomas/assert/v2"
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
	assert.NoError(t, err)
	assert.Equal(t, id, got.ID)
	assert.Equal(t, "paused", got.Status)
	c, err := s.q.remote.Claim(t.Context(), id)
	assert.NoError(t, err)
	assert.Equal(t, fleet.Ended, c.State)
	assert.Equal(t, "paused", c.Status)
}

// TestPause_gone: a machine that is not there cannot be asked.
func TestPause_gone(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.claim("gone")
	_, err := s.q.pause(t.Context())
	assert.Equal(t, engine.State, codeOf(err))
	assert.Contains(t, err.Error(), `"gone"`)
}

// TestPause_silent: a machine that does not answer is an error, and so are credentials that allow no command.
func TestPause_silent(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.claim("silent")
	assert.NoError(t, s.broker.Register(t.Context(), fleet.Node{Name: "silent"}))
	s.q.patience = 50 * time.Millisecond
	_, err := s.q.pause(t.Context())
	assert.Equal(t, engine.Conflict, codeOf(err))
	s.q.broker = s.other
	_, err = s.q.pause(t.Context())
	assert.Equal(t, engine.State, codeOf(err))
	assert.Contains(t, err.Error(), "only the hub")
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
	c, err := claimElsewhere(t.Context(), s.home, id)
	assert.NoError(t, err, "in no fleet")
	assert.Equal(t, "", c.ID, "in no fleet")
	s.member()
	c, err = claimElsewhere(t.Context(), s.home, "001")
	assert.NoError(t, err)
	assert.Equal(t, "w", c.Worker)
	c, err = claimElsewhere(t.Context(), s.home, "009")
	assert.Equal(t, engine.NotFound, codeOf(engine.Wrap(err, "009")), "no such spec: %+v", c)
}

// TestMirrorLog: the log of a run on another machine comes here up to its end.
func TestMirrorLog(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.work()
	s.fetch()
	end, err := s.q.mirrorLog(t.Context())
	assert.NoError(t, err)
	log := func() string {
		text, err := os.ReadFile(s.home.Store.LogPath(id))
		assert.NoError(t, err)
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
			assert.NoError(t, s.home.Store.NoteInLog(id, "here", s.home.Now))
		}
		stop, err := BringLog(t.Context(), s.home, id, false)
		assert.NoError(t, err)
		stop()
	}
	s.claim("w")
	stop, err := BringLog(t.Context(), s.home, id, true) // no server: the log that is here is read
	assert.NoError(t, err)
	stop()
	assert.NoError(t, os.Remove(s.home.Store.LogPath(id)))
	_, err = BringLog(t.Context(), s.home, id, false)
	assert.Equal(t, engine.NotFound, codeOf(err), "without a server")
}

// TestTakeover: the run ends on its machine, and a person continues it here from what was pushed.
func TestTakeover(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.work()
	s.fetch()
	assert.NoError(t, s.q.takeOver(t.Context()))
	r, err := work.Takeover(t.Context(), s.home, work.TakeoverInput{ID: id})
	assert.NoError(t, err)
	assert.Equal(t, "paused", r.Status)
	assert.Equal(t, "chant/"+id, r.Branch)
	assert.Equal(t, 1, r.OpenAll)
	text, err := os.ReadFile(filepath.Join(r.Worktree, ".chant", "specs", id+".md"))
	assert.NoError(t, err, "%s", text)
	assert.Contains(t, string(text), "status: paused")
	s.fetch()
	c, err := s.q.remote.Claim(t.Context(), id)
	assert.NoError(t, err)
	assert.Equal(t, fleet.Ended, c.State)
	assert.Equal(t, "it was taken over on hub", c.Reason)
	// What the person completes here is completed here.
	s.open()
	done, err := work.Work(t.Context(), s.home, work.WorkInput{ID: id, Options: work.Options{NoMerge: true}})
	assert.NoError(t, err)
	assert.Equal(t, "completed", done.Status)
}

// TestTakeover_refused: what is completed, or has no branch, is not taken over.
func TestTakeover_refused(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	l := s.claim("w")
	assert.NoError(t, l.Push(t.Context(), l.PushedTip(), func(c *fleet.Claim) { c.State = fleet.Completed }))
	s.fetch()
	err := s.q.takeOver(t.Context())
	assert.Equal(t, "state", codeOf(err))
	assert.Contains(t, err.Error(), "completed")
	s.Git("update-ref", "-d", "refs/heads/chant/"+id)
	assert.NoError(t, l.Push(t.Context(), l.PushedTip(), func(c *fleet.Claim) { c.State = fleet.Ended }))
	s.fetch()
	err = s.q.takeOver(t.Context())
	assert.Equal(t, "state", codeOf(err), "without a branch")
	assert.Contains(t, err.Error(), "no branch", "without a branch")
}

// ask has an agent ask in a clone.
func ask(t *testing.T, p *engine.Project, prompt string) {
	t.Helper()
	q := question.Question{Spec: id, Prompt: prompt, By: "claude", Attempt: 1}
	_, err := question.OpenBox(p.Store.Files, p.Now).Ask(t.Context(), question.OfSpec(id), q)
	assert.NoError(t, err)
}

// asked returns the questions about the spec in a clone.
func asked(t *testing.T, p *engine.Project) []question.Question {
	t.Helper()
	all, err := question.OpenBox(p.Store.Files, p.Now).List(question.OfSpec(id))
	assert.NoError(t, err)
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
	assert.Equal(t, "w", open.Node)
	assert.Equal(t, "which port?", open.Prompt)
	assert.Equal(t, "claude", open.By)
	assert.Equal(t, "chant answer "+id, open.Next.String())
	running, err := s.q.answer(t.Context(), open, "8080")
	assert.NoError(t, err)
	assert.True(t, running, "%t, %v", running, err)
	got := asked(t, s.there)
	assert.Equal(t, 1, len(got))
	assert.Equal(t, "8080", got[0].Answer)
	assert.Equal(t, question.Answered, got[0].State)
	left := s.openThere()
	assert.Zero(t, left, "%+v are open", left)
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
	assert.NoError(t, err)
	for i, want := range []struct {
		answer string
		state  fleet.ClaimState
	}{{"8080", fleet.Ended}, {"localhost", fleet.Returned}} {
		open := s.openThere()
		assert.Equal(t, 2-i, len(open), "open: %+v", open)
		running, err := s.q.answer(t.Context(), open[0], want.answer)
		assert.NoError(t, err)
		assert.False(t, running, "%t, %v", running, err)
		s.fetch()
		c, err := s.q.remote.Claim(t.Context(), id)
		assert.NoError(t, err, "after %d answers", i+1)
		assert.Equal(t, want.state, c.State, "after %d answers", i+1)
	}
	s.work()
	got := asked(t, s.there)
	assert.Equal(t, 2, len(got))
	assert.Equal(t, "8080", got[0].Answer)
	assert.Equal(t, "localhost", got[1].Answer)
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
	assert.NoError(t, err)
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
		_, err := Answer(t.Context(), s.home, questions.AnswerInput{ID: id, Question: 1, Text: text})
		assert.Equal(t, engine.Invalid, codeOf(err), "the answer %q", text)
	}
	_, err = Answer(t.Context(), s.home, questions.AnswerInput{ID: id, Question: 1, Text: "yes"})
	assert.Equal(t, engine.NotFound, codeOf(err), "without a server")
}
