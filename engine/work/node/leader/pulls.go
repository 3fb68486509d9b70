package leader

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"chant/engine"
	"chant/engine/fleet"
	"chant/engine/run/attempt"
	"chant/engine/run/tree"
	"chant/engine/spec"
	"chant/engine/store/config"
	"chant/gitops"
)

// settle lands what workers have completed, or opens pull requests for it, as the settings of the target say, and ends the
// claims of pull requests that are merged or closed. It returns how many claims have changed.
func (l *Leader) settle(ctx context.Context) (int, error) {
	// Read from the target in every round: merging what was to be proposed cannot be undone.
	settings, err := config.ReadConfig(engine.Home(l.P), l.P.Environ)
	if err != nil {
		return 0, fmt.Errorf("nothing lands: the settings on %q cannot be read: %w", l.Remote.Target, err)
	}
	ended, err := l.followPulls(ctx)
	if err != nil {
		return ended, err
	}
	finish := l.land
	if settings.Fleet.Land == config.LandByPR {
		finish = l.propose
	}
	n, err := finish(ctx)
	return ended + n, err
}

// followPulls ends the claims whose pull requests are merged or closed, and returns how many.
func (l *Leader) followPulls(ctx context.Context) (ended int, err error) {
	claims, err := l.Remote.Claims(ctx)
	if err != nil {
		l.warnOnce("", err.Error())
	}
	var open []fleet.Done // whose work is not on the target
	for _, id := range slices.Sorted(maps.Keys(claims)) {
		if claims[id].State != fleet.Proposed {
			continue
		}
		d, err := l.readTip(ctx, claims[id])
		if err != nil {
			return ended, err
		}
		now, err := l.locateWork(ctx, d)
		switch {
		case err != nil:
			l.warnOnce(id, "its pull request is not followed now: "+err.Error())
			continue
		// Only for these the forge is asked, which has limits.
		case now == elsewhere || now == missing:
			open = append(open, d)
			continue
		case now == landedHere:
			err = l.settleMerged(ctx, d)
		default:
			err = l.settleEnded(ctx, d, fmt.Sprintf("%s was merged, and then taken back on %q", d.Proposal, l.Remote.Target))
		}
		if err != nil {
			return ended, err
		}
		ended++
	}
	more, err := l.askAbout(ctx, open)
	return ended + more, err
}

// readTip returns a claim with the tip of its branch.
func (l *Leader) readTip(ctx context.Context, c fleet.Held) (fleet.Done, error) {
	tip, err := l.Remote.Branch(ctx, c.ID)
	return fleet.Done{Held: c, Branch: tip}, err
}

// whereabouts is where the work of a claim is, as far as the target shows.
type whereabouts int

const (
	elsewhere  whereabouts = iota // not on the target
	missing                       // not on the target, which has no such spec
	landedHere                    // on the target, which has the spec as completed
	takenBack                     // on the target, which has the spec, and not as completed
)

// locateWork compares the work of a claim with the target.
func (l *Leader) locateWork(ctx context.Context, d fleet.Done) (whereabouts, error) {
	target, err := l.Remote.Tip(ctx)
	if err != nil {
		return elsewhere, err
	}
	s, err := l.P.Store.ReadAt(ctx, target, d.ID)
	there := !errors.Is(err, gitops.ErrNotFound)
	switch {
	case there && err != nil:
		return elsewhere, err
	case there && s.Status == spec.Completed:
		return landedHere, nil
	}
	in := false
	// A new leader has never fetched a branch that is gone by now.
	if known := d.Branch != "" || l.hasCommit(ctx, d.Tip); known && d.Tip != "" {
		if in, err = l.P.Repo.IsAncestor(ctx, d.Tip, target); err != nil {
			return elsewhere, err
		}
	}
	switch {
	// It was merged, and archived since.
	case in && !there:
		return landedHere, nil
	case in:
		return takenBack, nil
	case !there:
		return missing, nil
	}
	return elsewhere, nil
}

// hasCommit reports whether a commit is in the clone: a new leader has never fetched a branch that is gone.
func (l *Leader) hasCommit(ctx context.Context, commit string) bool {
	_, err := l.P.Repo.ReadCommit(ctx, commit)
	return err == nil
}

// askAbout asks the forge about pull requests from time to time, and ends the claims of those that are closed.
func (l *Leader) askAbout(ctx context.Context, open []fleet.Done) (ended int, err error) {
	var due []fleet.Done
	for _, d := range open {
		if l.mayAsk(d.ID) {
			due = append(due, d)
		}
	}
	if len(due) == 0 {
		return 0, nil
	}
	f, err := l.forge(ctx)
	var pulls []pull
	if err == nil {
		pulls, err = f.Pulls(ctx, l.Remote.Target, "")
	}
	if err != nil {
		l.warnOnce("", "pull requests are not followed now: "+describeForgeError(err))
		return 0, ctx.Err()
	}
	for _, d := range due {
		// One request lists all open ones; only the others are asked about singly.
		if slices.ContainsFunc(pulls, func(p pull) bool { return p.URL == d.Proposal }) {
			continue
		}
		now, err := l.askAboutOne(ctx, f, d)
		if err != nil {
			return ended, err
		}
		if now {
			ended++
		}
	}
	return ended, nil
}

// askAboutOne ends the claim of a pull request that is not among the open ones, if it is over.
func (l *Leader) askAboutOne(ctx context.Context, f *forge, d fleet.Done) (ended bool, err error) {
	pulls, err := f.Pulls(ctx, l.Remote.Target, l.Remote.Prefix+d.ID)
	if err != nil {
		l.warnOnce(d.ID, "its pull request is not followed now: "+describeForgeError(err))
		return false, ctx.Err()
	}
	at := slices.IndexFunc(pulls, func(p pull) bool { return p.URL == d.Proposal })
	switch {
	case at < 0:
		return true, l.settleEnded(ctx, d, fmt.Sprintf("%s is not a pull request for %q any more", d.Proposal, l.Remote.Target))
	case pulls[at].State == pullClosed:
		return true, l.settleEnded(ctx, d, d.Proposal+" was closed without a merge")
	case pulls[at].State == pullOpen:
		return false, nil
	// It was merged since the target was fetched, so the next round sees it.
	case !l.gone[d.ID]:
		l.gone[d.ID] = true
		delete(l.asked, d.ID)
		return false, nil
	}
	delete(l.gone, d.ID)
	// It was squashed, and archived since.
	if now, err := l.locateWork(ctx, d); err != nil || now == missing {
		return err == nil, errors.Join(err, l.settleMerged(ctx, d))
	}
	return true, l.settleEnded(ctx, d, fmt.Sprintf("%s was merged, and %q does not have the spec as completed", d.Proposal, l.Remote.Target))
}

// mayAsk reports whether a spec may be asked for or about now, and remembers that it was.
func (l *Leader) mayAsk(id string) bool {
	now := l.P.Now()
	if last, known := l.asked[id]; known && now.Sub(last) < cmp.Or(l.Ask, time.Minute) {
		return false
	}
	l.asked[id] = now
	return true
}

// settleMerged removes claim and branch of a spec that people have merged, and announces that it has landed. A branch with commits
// that the target lacks, as after a squash, is kept by a rescue ref.
func (l *Leader) settleMerged(ctx context.Context, d fleet.Done) error {
	if _, err := l.Remote.Forget(ctx, d, tree.RescueRefs); err != nil {
		return err
	}
	l.forgetAsked(d.ID)
	l.trace(d.Claim, fleet.Land, l.P.Now(), fleet.WasMerged)
	l.announce(ctx, landed{Done: d})
	return nil
}

// settleEnded settles a claim whose pull request will not be merged; its branch waits for a person.
func (l *Leader) settleEnded(ctx context.Context, d fleet.Done, why string) error {
	engine.Warn(l.P, d.ID, why)
	err := l.Remote.Settle(ctx, d, d.Branch, func(c *fleet.Claim) {
		c.State, c.Status, c.Reason = fleet.Ended, string(spec.NeedsAttention), why
	})
	if err != nil {
		return err
	}
	l.forgetAsked(d.ID)
	l.trace(d.Claim, fleet.Land, l.P.Now(), fleet.WasRefused)
	return l.Broker.Tell(ctx, fleet.Change{Kind: fleet.Refused, ID: d.ID, Node: l.Name, Outcome: fleet.Outcome{Status: string(spec.NeedsAttention), Reason: why, Code: string(spec.ReasonWithdrawn)}})
}

// forgetAsked forgets what was asked about a spec, so that its next pull request is opened at once.
func (l *Leader) forgetAsked(id string) {
	delete(l.asked, id)
	delete(l.gone, id)
	l.forgetSaid(id)
}

// forgetSaid has the warnings about a spec given again.
func (l *Leader) forgetSaid(id string) {
	maps.DeleteFunc(l.said, func(text string, _ bool) bool { return strings.HasPrefix(text, id) })
}

// propose opens pull requests for what workers have completed, and returns how many claims have changed. What cannot be
// proposed now stays as it is, and is tried again later. Error: fleet.ErrLost if the remote has changed meanwhile.
func (l *Leader) propose(ctx context.Context) (changed int, err error) {
	claims, err := l.Remote.Claims(ctx)
	if err != nil {
		l.warnOnce("", err.Error())
	}
	var ready []fleet.Done
	for _, c := range sortCompleted(claims, l.order) {
		if len(ready) == maxBatch {
			break
		}
		d, err := l.readTip(ctx, c)
		if err != nil {
			return changed, err
		}
		settled, err := l.settleUnproposed(ctx, d)
		switch {
		case err != nil:
			return changed, err
		case settled:
			changed++
		case l.mayAsk(c.ID):
			ready = append(ready, d)
		}
	}
	if len(ready) == 0 {
		return changed, nil
	}
	// Before the pull requests, since "chant ci" judges them by the evidence as soon as they are open.
	if err := l.shareEvidence(ctx, ready); err != nil {
		return changed, err
	}
	opened, err := l.proposeAll(ctx, ready)
	return changed + opened, err
}

// settleUnproposed settles what needs no pull request: work that people have merged themselves, and a branch that is not
// the one that was completed.
func (l *Leader) settleUnproposed(ctx context.Context, d fleet.Done) (bool, error) {
	now, err := l.locateWork(ctx, d)
	switch {
	case err != nil:
		l.warnOnce(d.ID, "no pull request is opened now: "+err.Error())
		return false, nil
	case now == landedHere:
		return true, l.settleMerged(ctx, d)
	case d.Branch == "" || d.Branch != d.Tip:
		return true, l.refuse(ctx, d, d.Branch, fmt.Sprintf("branch %q of the remote is at %q, and its claim says %q", l.Remote.Prefix+d.ID, d.Branch, d.Tip), spec.ReasonForeign)
	}
	// Even a proposal is not made for a claim that its machine has not signed.
	why, err := l.whyForged(ctx, d.Held)
	if err != nil || why == "" {
		return false, err
	}
	return true, l.refuse(ctx, d, d.Branch, why, spec.ReasonForeign)
}

// shareEvidence pushes the evidence of these claims, by which "chant ci" judges their pull requests.
func (l *Leader) shareEvidence(ctx context.Context, ready []fleet.Done) error {
	for _, d := range ready {
		if d.Evidence == "" {
			continue
		}
		has, err := l.P.Repo.ReadNote(ctx, attempt.NotesRef, d.Tip)
		if err != nil && !errors.Is(err, gitops.ErrNotFound) {
			return err
		}
		if string(has) == d.Evidence {
			continue
		}
		if err := l.P.Repo.AddNote(ctx, attempt.NotesRef, d.Tip, []byte(d.Evidence)); err != nil {
			return err
		}
	}
	notes, err := l.notesUpdate(ctx)
	if err != nil || notes == nil {
		return err
	}
	return l.Remote.PushNotes(ctx, *notes)
}

// proposeAll opens the pull requests, and returns how many.
func (l *Leader) proposeAll(ctx context.Context, ready []fleet.Done) (opened int, err error) {
	f, err := l.forge(ctx)
	if err != nil {
		l.warnOnce("", "no pull requests are opened now, and completed work waits: "+describeForgeError(err))
		return 0, ctx.Err()
	}
	for _, d := range ready {
		began := l.P.Now()
		url, err := l.pullFor(ctx, f, d)
		if ctx.Err() != nil {
			return opened, ctx.Err()
		}
		if err != nil {
			l.warnOnce(d.ID, "no pull request is opened now, and it waits: "+describeForgeError(err))
			continue
		}
		// If this fails, the next round finds the open pull request by its branch.
		err = l.Remote.Settle(ctx, d, d.Branch, func(c *fleet.Claim) { c.State, c.Proposal, c.Evidence = fleet.Proposed, url, "" })
		if err != nil {
			return opened, err
		}
		l.trace(d.Claim, fleet.Propose, began, "")
		l.forgetSaid(d.ID)
		opened++
		if l.P.Progress != nil {
			l.P.Progress(engine.Event{Time: l.P.Now(), ID: d.ID, Kind: "proposed", Text: url})
		}
		if err := l.Broker.Tell(ctx, fleet.Change{Kind: fleet.Opened, ID: d.ID, Node: l.Name}); err != nil {
			l.warn(ctx, "a pull request is not announced: "+err.Error())
		}
	}
	return opened, nil
}

// pullFor returns the address of the open pull request for a branch, and opens it if there is none: an earlier leader may
// have died before it could record it.
func (l *Leader) pullFor(ctx context.Context, f *forge, d fleet.Done) (string, error) {
	branch := l.Remote.Prefix + d.ID
	pulls, err := f.Pulls(ctx, l.Remote.Target, branch)
	if err != nil {
		return "", err
	}
	// An earlier leader may have died before it could record it.
	if at := slices.IndexFunc(pulls, func(p pull) bool { return p.State == pullOpen }); at >= 0 {
		return pulls[at].URL, nil
	}
	s, err := l.P.Store.ReadAt(ctx, d.Tip, d.ID)
	if err != nil {
		return "", err
	}
	title, body := draft(s, d.Claim)
	// The text comes from an agent's branch, and the forge may be public.
	return f.Create(ctx, pullDraft{Branch: branch, Target: l.Remote.Target, Title: l.P.Secrets.Text(title), Body: l.P.Secrets.Text(body)})
}

// draft returns title and text of the pull request for a completed spec: what was to be done, with the boxes of the
// criteria as they are now, and who has done it.
func draft(s *spec.File, c fleet.Claim) (title, body string) {
	title = strings.Join(strings.Fields(s.Title), " ")
	if title == "" {
		title = s.ID
	}
	text := strings.TrimSpace(string(s.WithoutRunSections().Body()))
	if first, rest, _ := strings.Cut(text, "\n"); strings.HasPrefix(first, "# ") {
		text = strings.TrimSpace(rest)
	}
	return title, fmt.Sprintf("%s\n\n---\nSpec `%s`, completed by %s in attempt %d. Merging this lands it.\n", text, s.ID, c.Worker, c.Attempt)
}

// forge returns the forge of the remote.
func (l *Leader) forge(ctx context.Context) (*forge, error) {
	address, err := l.P.Repo.Config(ctx, "remote."+l.Remote.Name+".url")
	if err != nil {
		return nil, err
	}
	return findForge(ctx, forgeCaller{Dir: engine.Home(l.P), Environ: l.P.Environ, Machine: " on the machine that leads", Secrets: l.P.Secrets}, address)
}

// describeForgeError returns what is wrong with a forge, and what can be done about it.
func describeForgeError(err error) string {
	if known, ok := errors.AsType[*forgeError](err); ok {
		return fmt.Sprintf("%s (%s)", err, known.Next)
	}
	return err.Error()
}
