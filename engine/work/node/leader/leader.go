// Package leader does what only one node of a fleet does at a time: it offers the specs that are ready, and lands the
// branches that workers have completed. It also reads the issue that a plan begins with, since the programs of the forges are
// asked here.
//
// # Rules
//
//   - The lease of the broker only saves work. Two leaders at once do no harm: the target moves without force, and what
//     has landed loses its branch and its claim in the same push.
//   - A leader works in a clone of its own (Clone), which nothing else uses. Before each round the clone is as the remote
//     is; what a round has landed and could not push is dropped and landed again.
//   - Nothing that a worker says is believed. What it has completed passes the gate of every landing, with the criteria
//     of the target, and they run again on the merged tree.
//   - Work lands for a machine that has signed the claim and to which the queue has given the spec. Other claims are reported,
//     and wait for a person.
//   - With "fleet.land: pr" the leader never moves the target. It opens a pull request for each branch, and removes branch
//     and claim once the target has the spec as completed.
//   - The remote is the record: what is offered and landed follows from the target, the branches and the claims alone.
//   - Only the programs know how to log in; this package never sees a token, and removes what looks like one from their
//     output.
//   - A program gets the repository by its address, so that its answer does not depend on the folder it is started in.
//   - A pull request from another repository is not one of the project, even if its branch has the same name.
//
// # Decisions
//
// 2026-11-30: whether a program is logged in is asked of it when an issue cannot be read, and decides about the advice.
// Rejected: reading its messages, which differ between versions and languages.
//
// 2026-11-26: the programs of the forges instead of their HTTP interfaces, because people are logged in to them already
// and they know about proxies, single sign-on and hosts of one's own. Rejected: a token in the settings or in the
// environment, which would be one more secret to keep from agents.
//
// 2026-11-26: a host with "github" or "gitlab" in its name is what it says; any other host belongs to the program that is
// logged in to it. Rejected: a setting for the kind of forge, which each login already answers.
//
// 2026-11-28: a claim on a spec that the queue knows nothing of is accepted with its signature. Rejected: refusing it, since a
// queue that has lost its store knows nothing of any spec that is being worked on.
//
// 2026-11-26: "fleet.land" is read from the target in every round, because the clone of the leader is older than the
// remote when it is opened, and merging what was to be proposed cannot be undone. Rejected: the settings as they were
// when the process began.
//
// 2026-11-26: a pull request is opened without judging the work here first: its reviewers and "chant ci" do that on the
// forge, with the evidence, which is pushed before. Rejected: the gate of a landing, which judges a merge with a target
// that will have moved before a person merges.
//
// 2026-11-26: work counts as merged once the target has the spec as completed, whatever the forge says, so that merge
// commits, squashes and rebases are alike. A branch whose commits the target lacks then is kept by a rescue ref, as on a
// single machine. Rejected: believing the forge, whose pull request may have gone to another branch.
package leader

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"chant/engine"
	"chant/engine/fleet"
	"chant/engine/fleet/jetstream"
	"chant/engine/run"
	"chant/engine/run/advice"
	"chant/engine/run/attempt"
	"chant/gitops"
)

// Leader offers and lands. Its fields are set before Run.
type Leader struct {
	P      *engine.Project // of the leader's own clone
	Remote *fleet.Remote   // of that clone
	Broker *jetstream.Broker
	Name   string        // of the node
	Every  time.Duration // between two rounds without news; 0 = five seconds
	Ask    time.Duration // between two questions about a pull request; 0 = one minute

	// Led receives whether this node is the leader, and why its last round failed, "" if it did not; may be nil.
	Led func(leads bool, trouble string)
	// Trace is called with each part of the work that is over; may be nil.
	Trace func(fleet.Span)

	order  map[string]int // completed claims, by the order in which they were seen first
	said   map[string]bool
	landed int                  // since garbage was collected last
	lost   int                  // rounds one after the other whose landings could not be pushed because the remote had changed
	asked  map[string]time.Time // when a pull request was asked for or about, by spec
	gone   map[string]bool      // specs whose pull request was merged, and whose work is not on the target
}

// maxLostRounds is how many such rounds follow each other without a pause.
const maxLostRounds = 5

// Run leads whenever no other node does, until the context ends. It returns the context's error.
func (l *Leader) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		held, err := l.Broker.Lease(ctx, fleet.LeaderRole, l.Name)
		switch {
		case err != nil:
			l.warn(ctx, "the lease of the leader: "+err.Error())
		case held:
			l.lead(ctx)
		}
		l.wait(ctx, fleet.HeartRate)
	}
	return ctx.Err()
}

// lead works in rounds while the lease is held.
func (l *Leader) lead(ctx context.Context) {
	held, cancel := context.WithCancel(ctx)
	defer cancel()
	renewed := make(chan struct{})
	go func() {
		defer close(renewed)
		defer cancel()
		l.renew(held)
	}()
	l.reportLeading(true, "")
	l.rounds(held)
	// The lease is given back only when nothing renews it any more.
	cancel()
	<-renewed
	l.reportLeading(false, "")
	// Otherwise another node would wait until it expires.
	if err := l.Broker.Release(context.WithoutCancel(ctx), fleet.LeaderRole, l.Name); err != nil {
		l.warn(ctx, "the lease of the leader was not given back: "+err.Error())
	}
}

func (l *Leader) reportLeading(now bool, trouble string) {
	if l.Led != nil {
		l.Led(now, trouble)
	}
}

// renew renews the lease until the context ends or another node has it. While the broker cannot be reached, the lease is
// kept as long as it would last.
func (l *Leader) renew(ctx context.Context) {
	missed := 0
	// While the broker is away, no other node gets the lease either, until it expires.
	for most := int(fleet.Patience / fleet.HeartRate); missed < most; {
		l.wait(ctx, fleet.HeartRate)
		if ctx.Err() != nil {
			return
		}
		held, err := l.Broker.Lease(ctx, fleet.LeaderRole, l.Name)
		switch {
		case err != nil:
			missed++
		case !held:
			return
		default:
			missed = 0
		}
	}
}

// rounds lands and offers after each change, and from time to time without one.
func (l *Leader) rounds(ctx context.Context) {
	every := cmp.Or(l.Every, 5*time.Second)
	news, err := l.Broker.Watch(ctx)
	if err != nil {
		l.warn(ctx, "changes of the queue cannot be followed: "+err.Error())
	}
	for ctx.Err() == nil {
		again, err := l.Round(ctx)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			l.reportLeading(true, err.Error())
			l.warn(ctx, err.Error())
			l.wait(ctx, every)
			continue
		}
		l.reportLeading(true, "")
		// A ref may be locked in the remote, where other leaders can do nothing either.
		if l.lost == maxLostRounds {
			l.lost = 0
			l.wait(ctx, every)
		}
		if !again {
			l.awaitNews(ctx, news, every)
		}
	}
}

// awaitNews waits until a worker has ended something, or the time is over. Further news that are there already are
// taken with it.
func (l *Leader) awaitNews(ctx context.Context, news <-chan fleet.Change, most time.Duration) {
	over := l.P.After(most)
	for {
		select {
		case <-ctx.Done():
			return
		case <-over:
			return
		case c, open := <-news:
			if !open {
				// The watch has ended, so from now on only time decides.
				news = nil
				continue
			}
			if c.Kind == fleet.Finished || c.Kind == fleet.PutBack {
				return
			}
		}
	}
}

func (l *Leader) wait(ctx context.Context, most time.Duration) {
	select {
	case <-ctx.Done():
	case <-l.P.After(most):
	}
}

// Round brings the clone up to date, lands or proposes what is complete and offers what is ready. again reports that there may be
// more to do at once.
func (l *Leader) Round(ctx context.Context) (again bool, err error) {
	if l.order == nil {
		l.order, l.said = map[string]int{}, map[string]bool{}
		l.asked, l.gone = map[string]time.Time{}, map[string]bool{}
	}
	if err := l.sync(ctx); err != nil {
		return false, fmt.Errorf("the remote cannot be read: %w", err)
	}
	// Before landing, so that what is over on the target is not landed again.
	removed, err := l.tidy(ctx)
	if err == nil && removed {
		err = l.sync(ctx)
	}
	if err != nil {
		return false, err
	}
	landed, err := l.settle(ctx)
	if errors.Is(err, fleet.ErrLost) {
		l.lost++
		// Another push was faster, so the round begins again from a fresh fetch.
		return true, nil
	}
	if err != nil {
		return false, err
	}
	l.lost = 0
	if l.landed += landed; l.landed >= fleet.PackEvery {
		l.landed = 0
		if err := l.Remote.Pack(ctx); err != nil {
			l.warn(ctx, "git does not collect garbage here: "+err.Error())
		}
	}
	// After landing, since what has landed may have made others ready.
	return landed > 0, l.offer(ctx)
}

// trace reports that a part of the work on a claim, which began at a time, is over.
func (l *Leader) trace(c fleet.Claim, name fleet.SpanName, begin time.Time, status string) {
	if l.Trace != nil {
		l.Trace(fleet.Span{Spec: c.ID, Lease: c.Lease, Node: l.Name, Attempt: c.Attempt, Name: name, Begin: begin, End: l.P.Now(), Status: status})
	}
}

func (l *Leader) warn(ctx context.Context, text string) {
	if ctx.Err() == nil {
		engine.Warn(l.P, "", text)
	}
}

// warnOnce warns of something that stays as it is until a person changes it.
func (l *Leader) warnOnce(id, text string) {
	if !l.said[id+text] {
		l.said[id+text] = true
		engine.Warn(l.P, id, text)
	}
}

// whyForged says why a completed claim is not that of the machine that it names, "" if it may be: the machine has
// not signed it, or the queue has given the spec to others only. Whoever can push to the remote can write a claim.
func (l *Leader) whyForged(ctx context.Context, c fleet.Held) (string, error) {
	text, err := c.SignedText()
	if err == nil {
		err = l.Broker.Verify(ctx, c.Worker, text, c.Signature)
	}
	if errors.Is(err, fleet.ErrNotSigned) {
		return fmt.Sprintf("its claim names machine %q, which has not signed it", c.Worker), nil
	}
	if err != nil {
		return "", err
	}
	takers, err := l.Broker.Takers(ctx, c.ID)
	// A queue that has lost its store knows no takers, and then the signature alone counts.
	if err == nil && len(takers) > 0 && !slices.Contains(takers, c.Worker) {
		return fmt.Sprintf("its claim is that of machine %q, to which the queue has not given it", c.Worker), nil
	}
	return "", err
}

// Holds reports whether a machine has the claim on a spec, as fetched last.
func (l *Leader) Holds(ctx context.Context, node, id string) bool {
	c, err := l.Remote.Claim(ctx, id)
	return err == nil && c.Worker == node
}

// sync makes the clone what the remote is: the target, the evidence, and no branch of a run. A lock that a killed
// process has left is removed.
func (l *Leader) sync(ctx context.Context) error {
	return l.Remote.RetryLocked(ctx, func(message string) { l.warn(ctx, message) }, l.syncOnce)
}

func (l *Leader) syncOnce(ctx context.Context) error {
	if err := l.Remote.Fetch(ctx); err != nil {
		return err
	}
	tip, err := l.Remote.Tip(ctx)
	if err != nil {
		return err
	}
	// Before the checkout moves: a landing that could not be pushed is on the target here.
	if err := l.dropBranches(ctx); err != nil {
		return err
	}
	repo := l.P.Repo
	head, err := repo.Head(ctx, repo.Home())
	if err != nil {
		return err
	}
	// Reset and not merged: what a round could not push is dropped and landed again.
	if head.Hash != tip {
		if err := repo.ResetTo(ctx, tip); err != nil {
			return err
		}
	}
	return l.takeNotes(ctx)
}

// takeNotes makes the evidence here that of the remote.
func (l *Leader) takeNotes(ctx context.Context) error {
	there, err := l.Remote.Notes(ctx)
	if err != nil || there == "" {
		return err
	}
	here, err := l.P.Repo.Resolve(ctx, attempt.NotesRef)
	if errors.Is(err, gitops.ErrNotFound) {
		here, err = "", nil
	}
	if err != nil || here == there {
		return err
	}
	return l.P.Repo.UpdateRef(ctx, attempt.NotesRef, there, here, "chant: fetch evidence")
}

// dropBranches removes what an earlier round has left: the remote has the branches of runs.
func (l *Leader) dropBranches(ctx context.Context) error {
	prefix := l.P.Store.Branch("")
	left, err := l.P.Repo.Branches(ctx, prefix)
	if err != nil {
		return err
	}
	for _, b := range left {
		id := strings.TrimPrefix(b.Name, prefix)
		if err := l.dropBranch(ctx, id, b.Hash); err != nil {
			return err
		}
	}
	return nil
}

// dropBranch removes the branch of a run from the clone; what the remote does not have is kept by a rescue ref.
func (l *Leader) dropBranch(ctx context.Context, id, tip string) error {
	there, err := l.Remote.Branch(ctx, id)
	if err != nil {
		return err
	}
	_, err = advice.WithHold(ctx, l.P, id, "reset", func(h *engine.Held) (struct{}, error) {
		// What only this clone has is kept, since it may be a landing's reason.
		if there != tip {
			return struct{}{}, run.SetAside(ctx, l.P, h)
		}
		return struct{}{}, run.HandOver(ctx, l.P, h, tip)
	})
	return err
}
