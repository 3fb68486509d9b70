package node

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"chant/engine"
	"chant/engine/evidence/question"
	"chant/engine/fleet"
	"chant/engine/fleet/jetstream"
	"chant/engine/run"
	"chant/engine/run/advice"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/work"
	"chant/engine/work/questions"
)

// claimElsewhere returns the claim on a spec that another machine works on or has worked on; its ID is "" if there is none. A
// clone whose claims no process fetches all the time fetches them first.
func claimElsewhere(ctx context.Context, p *engine.Project, text string) (fleet.Claim, error) {
	var none fleet.Claim
	if !fleet.TakesPart(p.Repo, p.Config.Fleet.URL) {
		return none, nil
	}
	id, err := engine.Find(ctx, p, text)
	if err != nil {
		return none, err
	}
	s, err := p.Store.Get(ctx, id)
	// A run in this clone is worked with the operations for runs here.
	if err != nil || s.Branch != "" {
		return none, err
	}
	if _, held := p.Store.Holder(id); held {
		return none, nil
	}
	// A mirror fetches all the time, and a second fetch would only wait for it.
	if !isMirrored(p) {
		m, err := membership(ctx, p)
		if err == nil {
			_, err = fetchRemote(ctx, p, *m)
		}
		if err != nil {
			engine.Warn(p, id, "what the fleet does with it is as it was fetched last: "+err.Error())
		}
	}
	return advice.ReadElsewhere(ctx, p, &s.Spec)[id], nil
}

// request is a connection to the fleet, for one request about one spec.
type request struct {
	p      *engine.Project
	broker *jetstream.Broker
	remote *fleet.Remote
	node   string // of this clone
	id     string

	again, patience time.Duration // between two looks, and altogether
}

// The times of a request.
const (
	askAgain   = 2 * time.Second
	maxAskTime = time.Minute
)

// openRequest connects to the fleet for a request.
func openRequest(ctx context.Context, p *engine.Project, id string) (*request, error) {
	b, m, err := Connect(ctx, p)
	if err != nil {
		return nil, err
	}
	r, err := fetchRemote(ctx, p, *m)
	if err != nil {
		b.Close()
		return nil, err
	}
	return &request{p: p, broker: b, remote: r, node: m.Node, id: id, again: askAgain, patience: maxAskTime}, nil
}

// ask sends a command to the machine that works on the spec, again and again, until its claim shows that it has done
// what it was asked to. Errors: State for a machine that is gone, and where commands may not be sent; Conflict for one
// that does not do it in time.
func (q *request) ask(ctx context.Context, c fleet.Command, done func(fleet.Held) bool) (fleet.Held, error) {
	c.Spec, c.By = q.id, q.node
	// One limit for all repetitions, since a machine that is away can come back in between.
	late := q.p.After(q.patience)
	for {
		// The claim is read before each command: the machine may have done it, or lost the spec to another one.
		now, err := q.remote.Claim(ctx, q.id)
		if err != nil || done(now) {
			return now, err
		}
		if err := q.send(ctx, c, now.Worker); err != nil {
			return now, err
		}
		select {
		case <-ctx.Done():
			return now, ctx.Err()
		case <-late:
			return now, engine.Fail(engine.Conflict, next.FleetStatus.On(), "machine %q has not done within %s what it was asked to", now.Worker, q.patience)
		case <-q.p.After(q.again):
		}
		if err := q.remote.Fetch(ctx); err != nil {
			return now, err
		}
	}
}

// send sends a command to a machine that is there.
func (q *request) send(ctx context.Context, c fleet.Command, worker string) error {
	nodes, err := q.broker.Nodes(ctx)
	if err != nil {
		return err
	}
	// A command to a machine that is gone would be stored and obeyed when it comes back.
	if !slices.ContainsFunc(nodes, func(n fleet.Node) bool { return n.Name == worker }) {
		return engine.Fail(engine.State, next.FleetStatus.On(), "machine %q, which works on spec %q, is not there now; another one will take it over", worker, q.id)
	}
	c.Node = worker
	err = q.broker.Command(ctx, c)
	if fleet.IsForbidden(err) {
		return engine.Fail(engine.State, next.FleetStatus.On(), "spec %q is worked on by machine %q, and only the hub of the fleet may ask it to %s: this clone has the credentials of a worker", q.id, worker, c.Order)
	}
	return err
}

// statusOf returns the status of a spec after its run elsewhere.
func (q *request) statusOf(ctx context.Context, c fleet.Held) (spec.Status, error) {
	s, err := q.p.Store.Get(ctx, q.id)
	if err != nil {
		return "", err
	}
	// Without a claim it has landed.
	if c.Hash == "" {
		return spec.Completed, nil
	}
	return advice.Elsewhere{q.id: c.Claim}.As(&s.Spec).Status, nil
}

// Pause pauses the run of a spec, wherever it is, and returns when it has ended. Its work stays on its branch. Errors: as
// work.Pause; State for a machine that is gone, and where commands may not be sent; Conflict for one that does not answer.
func Pause(ctx context.Context, p *engine.Project, in work.PauseInput) (engine.StateResult, error) {
	c, err := claimElsewhere(ctx, p, in.ID)
	if err != nil || c.State != fleet.Working {
		return work.Pause(ctx, p, in)
	}
	if err := engine.MayInside(p, "pause", c.ID); err != nil {
		return engine.StateResult{}, err
	}
	result, err := pause(ctx, p, c.ID)
	return engine.Done(result, err, c.ID)
}

func pause(ctx context.Context, p *engine.Project, id string) (engine.StateResult, error) {
	q, err := openRequest(ctx, p, id)
	if err != nil {
		return engine.StateResult{}, err
	}
	defer q.broker.Close()
	return q.pause(ctx)
}

// pause has the machine that works on the spec pause it.
func (q *request) pause(ctx context.Context) (engine.StateResult, error) {
	now, err := q.ask(ctx, fleet.Command{Order: fleet.Stop}, func(c fleet.Held) bool { return c.State != fleet.Working })
	if err != nil {
		return engine.StateResult{}, err
	}
	status, err := q.statusOf(ctx, now)
	return engine.StateResult{ID: q.id, Status: status, Commit: now.Tip}, err
}

// Takeover stops the run of a spec, wherever it is, and hands it to a person in this clone: its branch as it was pushed,
// in a worktree. No machine of the fleet continues it. Errors: as work.Takeover and Pause; State for a spec that is
// completed, or of which nothing was pushed.
func Takeover(ctx context.Context, p *engine.Project, in work.TakeoverInput) (work.TakeoverResult, error) {
	c, err := claimElsewhere(ctx, p, in.ID)
	if err != nil || c.ID == "" {
		return work.Takeover(ctx, p, in)
	}
	if err := engine.MayInside(p, "takeover", c.ID); err != nil {
		return work.TakeoverResult{}, err
	}
	if err := takeOver(ctx, p, c.ID); err != nil {
		return work.TakeoverResult{}, engine.Wrap(err, c.ID)
	}
	return work.Takeover(ctx, p, work.TakeoverInput{ID: c.ID})
}

func takeOver(ctx context.Context, p *engine.Project, id string) error {
	q, err := openRequest(ctx, p, id)
	if err != nil {
		return err
	}
	defer q.broker.Close()
	return q.takeOver(ctx)
}

// takeOver brings the run here, once no machine works on it.
func (q *request) takeOver(ctx context.Context) error {
	c, err := q.ask(ctx, fleet.Command{Order: fleet.Stop}, func(c fleet.Held) bool { return c.State != fleet.Working })
	if err != nil {
		return err
	}
	if c.Hash == "" || c.State == fleet.Completed {
		return engine.Fail(engine.State, next.FleetStatus.On(), "spec %q is completed, and the fleet lands it", q.id)
	}
	tip, err := q.remote.Branch(ctx, q.id)
	if err != nil {
		return err
	}
	if tip == "" {
		return engine.Fail(engine.State, next.FleetRetry.On(q.id), "the remote has no branch of spec %q to take over", q.id)
	}
	// The claim comes first: a machine that loses it pushes nothing more.
	err = q.remote.Settle(ctx, fleet.Done{Held: c, Branch: tip}, tip, func(c *fleet.Claim) {
		c.State, c.Status, c.Reason, c.Questions = fleet.Ended, string(spec.Paused), "it was taken over on "+q.node, nil
	})
	if err != nil {
		return err
	}
	_, err = advice.WithHold(ctx, q.p, q.id, "takeover", func(h *engine.Held) (struct{}, error) {
		if err := run.Receive(ctx, q.p, h, run.Received{ID: q.id, Tip: tip, Attempt: c.Attempt}); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, run.OpenTree(ctx, q.p, h)
	})
	return err
}

// Answer answers an open question, wherever its agent is. An agent at work on another machine gets the answer with the
// next tool that it calls. Where its run has ended, the answer is written into the claim, and once no question is open the
// fleet works the spec again, unless a person has paused it. Errors: as questions.Answer; State and Conflict as Pause.
func Answer(ctx context.Context, p *engine.Project, in questions.AnswerInput) (questions.AnswerResult, error) {
	if !fleet.TakesPart(p.Repo, p.Config.Fleet.URL) {
		return questions.Answer(ctx, p, in)
	}
	q, err := chooseQuestion(ctx, p, in)
	if err != nil || q == nil {
		if err == nil {
			return questions.Answer(ctx, p, in)
		}
		return questions.AnswerResult{}, engine.Wrap(err, in.ID)
	}
	// Agents ask; only people answer.
	if err := engine.MayInside(p, "answer", ""); err != nil {
		return questions.AnswerResult{}, engine.Wrap(err, q.ID)
	}
	result := questions.AnswerResult{ID: q.ID, Question: q.Question, Prompt: q.Prompt, Answer: p.Secrets.Text(strings.TrimSpace(in.Text))}
	if result.Answer == "" || len(result.Answer) > question.MaxText {
		return result, engine.Fail(engine.Invalid, next.Answer.Help(), "an answer has 1 to %d bytes, and this one has %d", question.MaxText, len(result.Answer))
	}
	result.Running, err = answer(ctx, p, *q, result.Answer)
	return engine.Done(result, err, q.ID)
}

// AnswerOnBoard answers a question of a run that the board shows. Errors are those of Answer.
func AnswerOnBoard(ctx context.Context, p *engine.Project, id string, n int, text string) error {
	_, err := Answer(ctx, p, questions.AnswerInput{ID: id, Question: n, Text: text, How: question.OnBoard})
	return err
}

// chooseQuestion returns the question on another machine that an input means, nil if it means one in this clone or none.
func chooseQuestion(ctx context.Context, p *engine.Project, in questions.AnswerInput) (*questions.OpenQuestion, error) {
	list, err := questions.List(ctx, p, questions.ListInput{ID: in.ID})
	if err != nil || !slices.ContainsFunc(list.Questions, func(q questions.OpenQuestion) bool { return q.Node != "" }) {
		// The answer in this clone reports it.
		return nil, nil //nolint:nilerr
	}
	var meant []questions.OpenQuestion
	for _, q := range list.Questions {
		if in.Question == 0 || q.Question == in.Question {
			meant = append(meant, q)
		}
	}
	switch {
	case len(meant) == 0:
		return nil, engine.Fail(engine.NotFound, next.Answer.On(), "no open question has the number %d", in.Question)
	case len(meant) > 1 && meant[0].ID != meant[len(meant)-1].ID:
		return nil, engine.Fail(engine.Usage, next.Answer.On(), "%d questions are open: name the spec of one", len(meant))
	case len(meant) > 1:
		return nil, engine.Fail(engine.Usage, meant[0].Next.Command, "%d questions about spec %q are open: name one", len(meant), meant[0].ID)
	case meant[0].Node == "":
		return nil, nil
	}
	return &meant[0], nil
}

// answer gives the answer to the agent. running reports that it is at work.
func answer(ctx context.Context, p *engine.Project, of questions.OpenQuestion, text string) (running bool, err error) {
	q, err := openRequest(ctx, p, of.ID)
	if err != nil {
		return false, err
	}
	defer q.broker.Close()
	return q.answer(ctx, of, text)
}

func (q *request) answer(ctx context.Context, of questions.OpenQuestion, text string) (running bool, err error) {
	isOpen := func(c fleet.Held) bool {
		// The prompt as well: the number alone may be that of a question in a later run.
		return slices.ContainsFunc(c.OpenQuestions(), func(o fleet.Question) bool { return o.Number == of.Question && o.Prompt == of.Prompt })
	}
	for {
		c, err := q.ask(ctx, fleet.Command{Order: fleet.Answer, Question: strconv.Itoa(of.Question), Text: text}, func(c fleet.Held) bool {
			return c.State != fleet.Working || !isOpen(c)
		})
		if err != nil {
			return false, err
		}
		if !isOpen(c) {
			return c.State == fleet.Working, nil
		}
		// No machine works on it, so the answer goes to where the next one looks.
		err = q.answerEnded(ctx, c, of.Question, text)
		if !errors.Is(err, fleet.ErrLost) {
			return false, err
		}
		// Its claim has changed, so the question may be answered by now, or a machine may have begun.
		if err := q.remote.Fetch(ctx); err != nil {
			return false, err
		}
	}
}

// answerEnded writes the answer into the claim of a run that has ended. Once no question is open, another machine may
// continue.
func (q *request) answerEnded(ctx context.Context, c fleet.Held, n int, text string) error {
	tip, err := q.remote.Branch(ctx, q.id)
	if err != nil {
		return err
	}
	err = q.remote.Settle(ctx, fleet.Done{Held: c, Branch: tip}, tip, func(c *fleet.Claim) {
		// The claim that was read shares the slice.
		c.Questions = slices.Clone(c.Questions)
		for i := range c.Questions {
			if c.Questions[i].Number == n {
				c.Questions[i].Answer = text
			}
		}
		if c.State == fleet.Ended && c.Status != string(spec.Paused) && len(c.OpenQuestions()) == 0 {
			c.State, c.Reason = fleet.Returned, "its question was answered"
		}
	})
	if err != nil {
		return err
	}
	// The claim is what counts; the message only saves the leader from waiting for its next look.
	if err := q.broker.Tell(ctx, fleet.Change{Kind: fleet.PutBack, ID: q.id, Node: q.node}); err != nil && !fleet.IsForbidden(err) {
		engine.Warn(q.p, q.id, "the answer is not announced, and is found later: "+advice.OneLine(err.Error()))
	}
	return nil
}

// maxLogWait is how long the log of a spec may take to come.
const maxLogWait = 20 * time.Second

// BringLog brings the log of a spec that another machine works on, or has worked on, into this clone, where the operation
// Log reads it. With follow what is appended comes until stop is called. It does nothing for a spec whose log is here.
// Errors: those of the connection, if there is no log here; else the log is as it was.
func BringLog(ctx context.Context, p *engine.Project, text string, follow bool) (stop func(), err error) {
	nothing := func() {}
	if !fleet.TakesPart(p.Repo, p.Config.Fleet.URL) {
		return nothing, nil
	}
	s, err := engine.FindAny(ctx, p, text)
	if err != nil || s.Archived || s.Branch != "" || isMirrored(p) {
		// Log reports a spec that is not found.
		return nothing, nil //nolint:nilerr
	}
	if _, held := p.Store.Holder(s.ID); held {
		return nothing, nil
	}
	has := engine.Exists(p.Store.LogPath(s.ID))
	if c := advice.ReadElsewhere(ctx, p, &s.Spec)[s.ID]; c.ID == "" && !follow && has {
		return nothing, nil
	}
	stop, err = startMirror(ctx, p, s.ID, follow)
	if err != nil && has && ctx.Err() == nil {
		engine.Warn(p, s.ID, "its log is as it was read last: "+err.Error())
		return nothing, nil
	}
	return stop, engine.Wrap(err, s.ID)
}

func startMirror(ctx context.Context, p *engine.Project, id string, follow bool) (stop func(), err error) {
	q, err := openRequest(ctx, p, id)
	if err != nil {
		return nil, err
	}
	end, err := q.mirrorLog(ctx)
	if err != nil {
		q.broker.Close()
		return nil, err
	}
	stop = sync.OnceFunc(func() {
		end()
		q.broker.Close()
	})
	if !follow {
		stop()
	}
	return stop, nil
}

// mirrorLog mirrors the log of the spec until the returned function is called. It returns once all is here that the
// fleet has of it.
func (q *request) mirrorLog(ctx context.Context) (end func(), err error) {
	claim, err := q.remote.Claim(ctx, q.id)
	if err != nil || claim.Worker == q.node {
		// This machine has written the log itself.
		return func() {}, err
	}
	limited, cancel := context.WithCancel(ctx)
	whole, ended := make(chan struct{}, 1), make(chan error, 1)
	m := &mirror{P: q.p, Remote: q.remote, Broker: q.broker, Only: q.id, CaughtUp: func(string) {
		// Only the first time matters, and the mirror must not wait for a reader.
		select {
		case whole <- struct{}{}:
		default:
		}
	}}
	go func() { ended <- m.Run(limited) }()
	select {
	case <-whole:
		return func() { cancel(); <-ended }, nil
	case err := <-ended:
		cancel()
		if known, ok := errors.AsType[*engine.Error](err); ok && known.Code == engine.Conflict {
			// Another process mirrors it already.
			return func() {}, nil
		}
		return nil, err
	case <-q.p.After(maxLogWait):
		cancel()
		<-ended
		return nil, engine.Fail(engine.Conflict, next.FleetStatus.On(), "the log of spec %q has not come from the fleet within %s", q.id, maxLogWait)
	}
}
