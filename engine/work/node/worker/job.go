package worker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync/atomic"
	"time"

	"chant/engine"
	"chant/engine/fleet"
	"chant/engine/fleet/jetstream"
	"chant/engine/fleet/pace"
	"chant/engine/run"
	"chant/engine/run/advice"

	"chant/engine/run/usage"
	"chant/engine/spec"
	"chant/engine/work"
	"chant/gitops"
	"chant/providers/cli"
)

// retryDelay is how long an entry waits that cannot be worked now.
const retryDelay = 5 * time.Second

// serve works the spec of a delivery to its end, and ends the delivery.
func (w *Worker) serve(ctx context.Context, d *jetstream.Delivery) {
	id := d.Entry().ID
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if !w.begin(id, cancel) {
		w.putBack(ctx, d, retryDelay, "it is being worked on here")
		return
	}
	defer w.finish(id)
	j := &job{w: w, id: id, delivery: d, cancel: cancel}
	j.send = func(ctx context.Context, part []byte) error { return w.Broker.Log(ctx, w.Node.Name, id, part) }
	beating, stop := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		j.sendHeartbeats(beating)
	}()
	// Heartbeats continue until the result is pushed, or the queue would deliver the spec to another worker.
	end := j.run(ctx)
	stop()
	<-ended
	j.traceEnd(end)
	switch {
	case errors.Is(end.err, fleet.ErrLost):
		engine.Warn(w.P, id, "another worker has taken it over")
		w.lookSoon()
	case end.later > 0:
		w.putBack(ctx, d, end.later, end.why)
	default:
		calm := context.WithoutCancel(ctx)
		if err := d.Finish(calm, end.outcome); err != nil {
			// It is delivered again, and its claim says how it ended.
			engine.Warn(w.P, id, "its end could not be reported: "+err.Error())
		}
		if w.count()%fleet.PackEvery == 0 {
			w.pack(ctx)
		}
	}
}

// pack has git collect garbage in the clone, after it has forgotten the branches that are gone from the remote.
func (w *Worker) pack(ctx context.Context) {
	err := w.Remote.FetchAll(ctx)
	if err == nil {
		err = w.Remote.Pack(ctx)
	}
	if err != nil && ctx.Err() == nil {
		engine.Warn(w.P, "", "git does not collect garbage here: "+err.Error())
	}
}

// count counts a spec that was worked to an end, and returns how many there were.
func (w *Worker) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended++
	return w.ended
}

func (w *Worker) putBack(ctx context.Context, d *jetstream.Delivery, after time.Duration, why string) {
	if err := d.PutBack(context.WithoutCancel(ctx), after, why); err != nil {
		// It is delivered again without that.
		engine.Warn(w.P, d.Entry().ID, "it could not be put back: "+err.Error())
	}
}

// ending says how the work on an entry ended here.
type ending struct {
	outcome fleet.Outcome
	later   time.Duration // > 0: put back for so long
	why     string
	err     error // fleet.ErrLost: nothing is to be reported
}

// job is the work on one spec.
type job struct {
	w        *Worker
	id       string
	delivery *jetstream.Delivery
	cancel   context.CancelCauseFunc
	lease    atomic.Pointer[fleet.Lease] // of the claim, once it is taken
	provider string                      // of its agent
	began    time.Time
	send     func(ctx context.Context, part []byte) error // a part of the log
	logged   int64                                        // bytes of the log that were sent or were there before
}

// trace reports that a part of the work, which began at a time, is over.
func (j *job) trace(name fleet.SpanName, begin time.Time, status string) {
	if lease := j.lease.Load(); lease != nil && j.w.Trace != nil {
		c := lease.Claim()
		j.w.Trace(fleet.Span{Spec: j.id, Lease: c.Lease, Node: j.w.Node.Name, Attempt: c.Attempt, Name: name, Begin: begin, End: j.w.P.Now(), Status: status})
	}
}

// traceEnd reports how the work ended, if there was any.
func (j *job) traceEnd(end ending) {
	status := end.outcome.Status
	switch {
	case end.err != nil:
		status = fleet.WasLost
	case end.later > 0:
		status = fleet.WasReturned
	}
	j.trace(fleet.Whole, j.began, status)
}

// sendHeartbeats reports that the work continues, and pushes the branch when it has moved, until the context ends.
func (j *job) sendHeartbeats(ctx context.Context) {
	for {
		j.w.waitFor(ctx, fleet.HeartRate)
		if ctx.Err() != nil {
			return
		}
		if err := j.delivery.Heartbeat(ctx); errors.Is(err, fleet.ErrLost) {
			// The queue has given the spec to another worker, which takes it over only if this one is gone: the claim
			// decides, with the next push.
			engine.Warn(j.w.P, j.id, "the queue has delivered it to another worker")
		}
		if err := j.pushProgress(ctx); errors.Is(err, fleet.ErrLost) {
			j.cancel(err)
			return
		}
	}
}

// pushProgress pushes the branch and the claim if the branch has moved or its agents have asked since the last push.
func (j *job) pushProgress(ctx context.Context) error {
	lease := j.lease.Load()
	if lease == nil {
		return nil
	}
	tip, err := j.w.tip(ctx, j.id)
	if err != nil {
		return err
	}
	if tip == "" {
		tip = lease.PushedTip()
	}
	asked, err := j.w.pendingQuestions(j.id)
	if err != nil {
		return err
	}
	news := haveChanged(lease.Claim(), asked)
	if tip == lease.PushedTip() && !news {
		return nil
	}
	if err := lease.Push(ctx, tip, func(c *fleet.Claim) { c.Questions = asked }); err != nil || !news {
		return err
	}
	// So that the leader reads the claim again.
	return j.delivery.AnnounceClaim(ctx)
}

// run takes the claim, works the spec and pushes the result.
func (j *job) run(ctx context.Context) ending {
	w := j.w
	if err := w.update(ctx); err != nil {
		return j.recordHindrance(err)
	}
	act, why, claim, err := j.decide(ctx)
	switch {
	case err != nil:
		return j.recordHindrance(err)
	case act == later:
		return ending{later: retryDelay, why: why}
	case act == skip:
		return ending{outcome: fleet.Outcome{Status: claim.Status, Reason: why}}
	}
	// Before the claim: a spec that has to wait for a limit stays free for other machines.
	wait, why, err := j.mayStart(ctx)
	switch {
	case err != nil:
		return j.recordHindrance(err)
	case wait > 0:
		return ending{later: wait, why: why}
	}
	if err := j.claim(ctx, claim); err != nil {
		// The permit for the start of an agent was not used.
		j.reportToAccount(context.WithoutCancel(ctx), work.WorkResult{}, err)
		if errors.Is(err, fleet.ErrLost) {
			return ending{later: retryDelay, why: "another worker was faster"}
		}
		return j.recordHindrance(err)
	}
	w.clearHindrance()
	// The log of an earlier attempt in this clone was sent by that attempt.
	j.logged = sizeOf(w.P.Store.LogPath(j.id))
	logged, stop := context.WithCancel(ctx)
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		j.sendLog(logged)
	}()
	result, err := j.work(ctx)
	stop()
	<-sent
	calm := context.WithoutCancel(ctx)
	// What is left is sent below.
	_ = j.sendRest(calm)
	j.reportToAccount(calm, result, err)
	// Another worker has the spec, and nothing may be pushed any more.
	if cause := context.Cause(ctx); errors.Is(cause, fleet.ErrLost) {
		return ending{err: cause}
	}
	end := j.conclude(calm, ctx, result, err)
	// The remote can be reached by now, so the server of the queue may be, too.
	if err := j.sendRest(calm); err != nil {
		engine.Warn(w.P, j.id, "the end of its log was not sent: "+err.Error())
	}
	return end
}

// decide says what to do with the entry.
func (j *job) decide(ctx context.Context) (action, string, fleet.Held, error) {
	w := j.w
	claim, err := w.Remote.Claim(ctx, j.id)
	if err != nil {
		return "", "", claim, err
	}
	ready, err := w.ready(ctx, j.id)
	if err != nil {
		return "", "", claim, err
	}
	s := situation{me: w.Node.Name, claim: claim, ready: ready, unsure: !w.isSteady()}
	if s.over, err = w.whyOver(ctx, j.id); err != nil {
		return "", "", claim, err
	}
	// Only then it matters who is alive.
	if claim.State == fleet.Working {
		if s.nodes, err = w.Broker.Nodes(ctx); err != nil {
			return "", "", claim, err
		}
	}
	act, why := s.decide()
	return act, why, claim, nil
}

// ready reports whether a spec can start on the target. A branch that an earlier attempt has left in this clone says
// that it could, but not that it has not landed meanwhile.
func (w *Worker) ready(ctx context.Context, id string) (bool, error) {
	_, g, err := engine.Graph(ctx, w.P)
	if err != nil || g.Spec(id) == nil {
		return false, err
	}
	if g.Ready(id) {
		return true, nil
	}
	// A run of another spec that was left here may hide that it has landed.
	w.lookSoon()
	if g.Spec(id).Branch == "" {
		return false, nil
	}
	there, err := w.Remote.Tip(ctx)
	if err != nil {
		return false, err
	}
	s, err := w.P.Store.ReadAt(ctx, there, id)
	return err == nil && s.Status != spec.Completed, err
}

// claim takes the claim in the remote, and makes the branch here what it is there.
func (j *job) claim(ctx context.Context, from fleet.Held) error {
	w := j.w
	j.began = w.P.Now()
	base, err := w.Remote.Tip(ctx)
	if err != nil {
		return err
	}
	// Before the claim, so that a failure leaves the spec to others.
	if err := w.takeBranch(ctx, j.id, base, from.Hash != ""); err != nil {
		return err
	}
	c := fleet.Claim{ID: j.id, Worker: w.Node.Name, Lease: newLease(), Attempt: from.Attempt + 1, Base: base, Questions: from.Questions}
	// The push of the claim is atomic: of two workers only one succeeds.
	lease, err := w.Remote.Take(ctx, c, from)
	if err != nil {
		return err
	}
	if err := w.takeQuestions(ctx, j.id, from.Questions); err != nil {
		engine.Warn(w.P, j.id, "questions of an earlier run: "+err.Error())
	}
	j.lease.Store(lease)
	j.trace(fleet.Take, j.began, "")
	// After the push, since the hub checks the claim in the remote.
	return j.delivery.AnnounceClaim(ctx)
}

// work works the spec until it is completed on its branch.
func (j *job) work(ctx context.Context) (work.WorkResult, error) {
	s, err := j.w.P.Store.Get(ctx, j.id)
	// A worker that died before it could report that has completed it.
	if err == nil && s.Branch != "" && s.Status == spec.Completed {
		return work.WorkResult{ID: j.id, Status: s.Status}, nil
	}
	return work.WorkOnce(ctx, j.w.P, work.WorkInput{ID: j.id, Options: work.Options{NoMerge: true}}, j.w.budget)
}

// conclude pushes what the work has led to, and hands the run over. calm is a context that ends only when pushing is
// hopeless.
func (j *job) conclude(calm, ctx context.Context, result work.WorkResult, workErr error) ending {
	w := j.w
	tip, err := w.tip(calm, j.id)
	if err != nil {
		return ending{later: retryDelay, why: err.Error()}
	}
	lease := j.lease.Load()
	final := j.final(calm, ctx, lease.Claim().Attempt, result, workErr)
	if tip == "" {
		// Nothing has begun.
		tip = lease.PushedTip()
	}
	asked, err := w.pendingQuestions(j.id)
	if err != nil {
		engine.Warn(w.P, j.id, "its questions: "+err.Error())
	}
	if final.state == fleet.Completed {
		asked = nil
	}
	pushing := w.P.Now()
	// A worker without a network keeps its claim and waits, since the work is done and paid.
	err = w.retryUntilReached(ctx, func() error {
		return lease.Push(calm, tip, func(c *fleet.Claim) {
			c.State, c.Status, c.Reason, c.Evidence = final.state, string(result.Status), final.reason, final.evidence
			c.Questions = asked
		})
	})
	if refused, ok := errors.AsType[*gitops.PushRefusedError](err); ok && !errors.Is(err, fleet.ErrLost) {
		// The server does not take the branch, but perhaps the claim, which says where the work is.
		final = endedFor("its branch stays in the clone of "+w.Node.Name+": "+refused.Error(), engine.Conflict)
		err = w.retryUntilReached(ctx, func() error {
			return lease.Push(calm, lease.PushedTip(), func(c *fleet.Claim) {
				c.State, c.Status, c.Reason = final.state, string(result.Status), final.reason
			})
		})
		if err == nil {
			j.reportPushed(final, string(result.Status))
			return ending{outcome: fleet.Outcome{Status: string(result.Status), Reason: final.reason, Code: final.code}}
		}
	}
	if errors.Is(err, fleet.ErrLost) {
		return ending{err: fleet.ErrLost}
	}
	if err != nil {
		w.lookSoon()
		return ending{later: retryDelay, why: err.Error()}
	}
	j.reportPushed(final, string(result.Status))
	// Only after the push, which has them in the claim.
	w.dropQuestions(calm, j.id)
	j.trace(fleet.Push, pushing, "")
	if err := w.handOver(calm, j.id, tip); err != nil {
		engine.Warn(w.P, j.id, "its branch stays in this clone: "+err.Error())
	}
	if final.state == fleet.Returned {
		return ending{later: max(final.after, time.Millisecond), why: final.reason}
	}
	return ending{outcome: fleet.Outcome{Status: string(result.Status), Reason: final.reason, Code: final.code}}
}

// The limits of retryUntilReached, in tries.
const (
	maxRefused = 5 // that the remote refuses
	maxFull    = int(fleet.Patience / fleet.HeartRate)
)

// retryUntilReached tries again while the remote cannot be reached. After the context has ended it tries once more. It gives
// up where waiting does not help: the remote refuses again and again, or this machine has no space left.
func (w *Worker) retryUntilReached(ctx context.Context, push func() error) error {
	for refused, full, said := 0, 0, false; ; said = true {
		err := push()
		if err == nil || errors.Is(err, fleet.ErrLost) || ctx.Err() != nil {
			return err
		}
		if _, ok := errors.AsType[*gitops.PushRefusedError](err); ok {
			refused++
		}
		if w.noSpace(err.Error()) {
			full++
		}
		if refused == maxRefused || full == maxFull {
			return err
		}
		if !said {
			engine.Warn(w.P, "", fmt.Sprintf("the remote cannot be brought up to date, trying again: %s", err))
		}
		w.waitFor(ctx, fleet.HeartRate)
	}
}

// handOver removes worktree and branch of a run that is in the remote.
func (w *Worker) handOver(ctx context.Context, id, tip string) error {
	_, err := advice.WithHold(ctx, w.P, id, "reset", func(h *engine.Held) (struct{}, error) {
		return struct{}{}, run.HandOver(ctx, w.P, h, tip)
	})
	return err
}

// action is what a worker does with an entry that it was given.
type action string

// The actions.
const (
	take  action = "take"  // claim the spec, and work it
	skip  action = "skip"  // nothing is left to do: remove the entry
	later action = "later" // somebody else is at work: look again later
)

// situation is what a worker knows about the spec of an entry.
type situation struct {
	me    string       // the name of this node
	mine  bool         // this process works on the spec
	claim fleet.Held   // Hash "" = there is none
	nodes []fleet.Node // that are alive
	// unsure says that the server was away a moment ago, so that nodes which are alive may be missing.
	unsure bool
	ready  bool   // on the target the spec could start
	over   string // why nothing is left to do on the target: it is gone, completed or cancelled there; "" otherwise
}

// decide says what to do. A claim is taken over only if its worker is not alive, or says itself that it does not work
// on the spec.
func (s situation) decide() (action, string) {
	switch {
	case s.mine:
		return later, "it is being worked on here"
	case s.over != "":
		return skip, s.over
	case s.claim.Hash == "" && s.ready:
		return take, ""
	case s.claim.Hash == "":
		return skip, "it is not ready any more"
	}
	switch s.claim.State {
	case fleet.Completed:
		return skip, "it waits for its landing"
	case fleet.Proposed:
		return skip, "it waits for the merge of " + s.claim.Proposal
	case fleet.Ended:
		return skip, "it has ended as " + s.claim.Status
	case fleet.Returned:
		return take, ""
	}
	switch {
	case s.claim.Worker == s.me:
		return take, "an earlier process of " + s.me + " has left it"
	case s.works(s.claim.Worker):
		return later, "it is being worked on by " + s.claim.Worker
	case s.unsure && !s.isAlive(s.claim.Worker):
		return later, "its worker " + s.claim.Worker + " may be about to come back to the queue"
	}
	return take, "its worker " + s.claim.Worker + " is gone"
}

// isAlive reports whether a node is alive.
func (s situation) isAlive(name string) bool {
	return slices.ContainsFunc(s.nodes, func(n fleet.Node) bool { return n.Name == name })
}

// works reports whether a node is alive and works on the spec.
func (s situation) works(name string) bool {
	return slices.ContainsFunc(s.nodes, func(n fleet.Node) bool { return n.Name == name && slices.Contains(n.Running, s.claim.ID) })
}

// exchangeTime limits each exchange of what machines have used.
const exchangeTime = 5 * time.Second

// limitWait is how long an entry waits while a limit of all machines is reached.
const limitWait = time.Minute

// sharedBudget returns a budget whose limits of the day and of the run are those of all machines together.
func (w *Worker) sharedBudget() *usage.Budget {
	b := usage.NewBudget(w.P)
	b.ShareWith(&fleet.Ledger{In: w.Broker, Node: w.Node.Name, Clone: w.cloneName(), Process: newLease(), Timeout: exchangeTime})
	return b
}

// cloneName names the clone: a clone that is made again has no journals, and so must not be taken for the old one.
func (w *Worker) cloneName() string {
	name := w.Node.Name
	if info, err := os.Stat(w.P.Repo.CommonDir()); err == nil {
		name += "-" + info.ModTime().UTC().Format("20060102T150405")
	}
	return name
}

// account returns the account that the agent of a spec uses: machines share one for each provider.
func (j *job) account(provider string) pace.Account {
	return pace.Account{In: j.w.Broker, Name: provider, Node: j.w.Node.Name, Most: j.w.P.Config.Fleet.Accounts[provider].Starts}
}

// mayStart asks whether an agent may start now: the limits of all machines together, and the pace of its account. wait is
// how long it has to wait, 0 if it may.
func (j *job) mayStart(ctx context.Context) (wait time.Duration, why string, err error) {
	met, err := j.w.budget.LimitReached()
	if err != nil {
		return 0, "", err
	}
	if met != "" {
		return limitWait, met, nil
	}
	s, err := j.w.P.Store.Get(ctx, j.id)
	if err != nil {
		return 0, "", err
	}
	j.provider = usage.ProviderOf(j.w.P, &s.Spec)
	// The shell has no account.
	if j.provider == cli.ShellName {
		return 0, "", nil
	}
	permit, err := j.account(j.provider).Ask(ctx, j.id)
	if err != nil || permit.Granted {
		return 0, "", err
	}
	return max(permit.Wait, time.Millisecond), permit.Why, nil
}

// reportToAccount reports what became of the start of an agent.
func (j *job) reportToAccount(ctx context.Context, result work.WorkResult, err error) {
	if j.provider == cli.ShellName {
		return
	}
	a := j.account(j.provider)
	var told error
	switch at, again := work.RetryTime(err); {
	case again:
		told = a.ReportRefusal(ctx, j.id, at.Sub(j.w.P.Now()))
	case result.Agent != nil || result.Status != "":
		told = a.ReportProven(ctx, j.id)
	default:
		told = a.ReportGone(ctx, j.id)
	}
	if told != nil {
		// It counts as proved after a while.
		engine.Warn(j.w.P, j.id, "the pace of "+j.provider+": "+told.Error())
	}
}
