package leader

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"chant/engine"
	"chant/engine/fleet"
	"chant/engine/fleet/forge"
	"chant/engine/run/tree"
	"chant/engine/spec"
	"chant/engine/store/config"
	"chant/gitops"
)

// settle lands what workers have completed, or opens pull requests for it, as the settings of the target say, and ends the
// claims of pull requests that are merged or closed. It returns how many claims have changed.
func (l *Leader) settle(ctx context.Context) (int, error) {
	settings, err := config.ReadConfig(engine.Home(l.P))
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
		d, err := l.done(ctx, claims[id])
		if err != nil {
			return ended, err
		}
		now, err := l.whereIs(ctx, d)
		switch {
		case err != nil:
			l.warnOnce(id, "its pull request is not followed now: "+err.Error())
			continue
		case now == elsewhere || now == missing:
			open = append(open, d)
			continue
		case now == landedHere:
			err = l.merged(ctx, d)
		default:
			err = l.end(ctx, d, fmt.Sprintf("%s was merged, and then taken back on %q", d.Proposal, l.Remote.Target))
		}
		if err != nil {
			return ended, err
		}
		ended++
	}
	more, err := l.askAbout(ctx, open)
	return ended + more, err
}

// done returns a claim with the tip of its branch.
func (l *Leader) done(ctx context.Context, c fleet.Held) (fleet.Done, error) {
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

// whereIs compares the work of a claim with the target.
func (l *Leader) whereIs(ctx context.Context, d fleet.Done) (whereabouts, error) {
	target, err := l.Remote.Tip(ctx)
	if err != nil {
		return elsewhere, err
	}
	s, err := l.P.Store.At(ctx, target, d.ID)
	there := !errors.Is(err, gitops.ErrNotFound)
	switch {
	case there && err != nil:
		return elsewhere, err
	case there && s.Status == spec.Completed:
		return landedHere, nil
	}
	in := false
	if known := d.Branch != "" || l.has(ctx, d.Tip); known && d.Tip != "" {
		if in, err = l.P.Repo.IsAncestor(ctx, d.Tip, target); err != nil {
			return elsewhere, err
		}
	}
	switch {
	case in && !there: // merged, and archived since
		return landedHere, nil
	case in:
		return takenBack, nil
	case !there:
		return missing, nil
	}
	return elsewhere, nil
}

// has reports whether a commit is in the clone: a new leader has never fetched a branch that is gone.
func (l *Leader) has(ctx context.Context, commit string) bool {
	_, err := l.P.Repo.ReadCommit(ctx, commit)
	return err == nil
}

// askAbout asks the forge about pull requests from time to time, and ends the claims of those that are closed.
func (l *Leader) askAbout(ctx context.Context, open []fleet.Done) (ended int, err error) {
	var due []fleet.Done
	for _, d := range open {
		if l.due(d.ID) {
			due = append(due, d)
		}
	}
	if len(due) == 0 {
		return 0, nil
	}
	f, err := l.forge(ctx)
	var pulls []forge.Pull
	if err == nil {
		pulls, err = f.Pulls(ctx, l.Remote.Target, "")
	}
	if err != nil {
		l.warnOnce("", "pull requests are not followed now: "+advise(err))
		return 0, ctx.Err()
	}
	for _, d := range due {
		if slices.ContainsFunc(pulls, func(p forge.Pull) bool { return p.URL == d.Proposal }) {
			continue
		}
		now, err := l.askOne(ctx, f, d)
		if err != nil {
			return ended, err
		}
		if now {
			ended++
		}
	}
	return ended, nil
}

// askOne ends the claim of a pull request that is not among the open ones, if it is over.
func (l *Leader) askOne(ctx context.Context, f *forge.Forge, d fleet.Done) (ended bool, err error) {
	pulls, err := f.Pulls(ctx, l.Remote.Target, l.Remote.Prefix+d.ID)
	if err != nil {
		l.warnOnce(d.ID, "its pull request is not followed now: "+advise(err))
		return false, ctx.Err()
	}
	at := slices.IndexFunc(pulls, func(p forge.Pull) bool { return p.URL == d.Proposal })
	switch {
	case at < 0:
		return true, l.end(ctx, d, fmt.Sprintf("%s is not a pull request for %q any more", d.Proposal, l.Remote.Target))
	case pulls[at].State == forge.Closed:
		return true, l.end(ctx, d, d.Proposal+" was closed without a merge")
	case pulls[at].State == forge.Open:
		return false, nil
	case !l.gone[d.ID]: // merged since the target was fetched: the next round sees it
		l.gone[d.ID] = true
		delete(l.asked, d.ID)
		return false, nil
	}
	delete(l.gone, d.ID)
	if now, err := l.whereIs(ctx, d); err != nil || now == missing { // squashed, and archived since
		return err == nil, errors.Join(err, l.merged(ctx, d))
	}
	return true, l.end(ctx, d, fmt.Sprintf("%s was merged, and %q does not have the spec as completed", d.Proposal, l.Remote.Target))
}

// due reports whether a spec may be asked for or about now, and remembers that it was.
func (l *Leader) due(id string) bool {
	every := l.Ask
	if every == 0 {
		every = time.Minute
	}
	now := l.P.Now()
	if last, known := l.asked[id]; known && now.Sub(last) < every {
		return false
	}
	l.asked[id] = now
	return true
}

// merged removes claim and branch of a spec that people have merged, and tells that it has landed. A branch with commits
// that the target lacks, as after a squash, is kept by a rescue ref.
func (l *Leader) merged(ctx context.Context, d fleet.Done) error {
	if d.Branch != "" {
		in, err := l.P.Repo.IsAncestor(ctx, d.Branch, "HEAD")
		if err == nil && !in {
			err = l.Remote.Keep(ctx, fmt.Sprintf("%s%s/%.12s", tree.RescueRefs, d.ID, d.Branch), d.Branch)
		}
		if err != nil {
			return err
		}
	}
	if err := l.Remote.Forget(ctx, d); err != nil {
		return err
	}
	l.forgetAsked(d.ID)
	l.trace(d.Claim, fleet.Land, l.P.Now(), fleet.WasMerged)
	l.announce(ctx, landed{Done: d})
	return nil
}

// end settles a claim whose pull request will not be merged; its branch waits for a person.
func (l *Leader) end(ctx context.Context, d fleet.Done, why string) error {
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
