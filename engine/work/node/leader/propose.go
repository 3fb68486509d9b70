package leader

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/fleet"
	"chant/engine/fleet/forge"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/gitops"
	"chant/providers"
)

// propose opens pull requests for what workers have completed, and returns how many claims have changed. What cannot be
// proposed now stays as it is, and is tried again later. Error: fleet.ErrLost if the remote has changed meanwhile.
func (l *Leader) propose(ctx context.Context) (changed int, err error) {
	claims, err := l.Remote.Claims(ctx)
	if err != nil {
		l.warnOnce("", err.Error())
	}
	var ready []fleet.Done
	for _, c := range inOrder(claims, l.order) {
		if len(ready) == batch {
			break
		}
		d, err := l.done(ctx, c)
		if err != nil {
			return changed, err
		}
		settled, err := l.settleUnproposed(ctx, d)
		switch {
		case err != nil:
			return changed, err
		case settled:
			changed++
		case l.due(c.ID):
			ready = append(ready, d)
		}
	}
	if len(ready) == 0 {
		return changed, nil
	}
	if err := l.shareEvidence(ctx, ready); err != nil {
		return changed, err
	}
	opened, err := l.proposeAll(ctx, ready)
	return changed + opened, err
}

// settleUnproposed settles what needs no pull request: work that people have merged themselves, and a branch that is not
// the one that was completed.
func (l *Leader) settleUnproposed(ctx context.Context, d fleet.Done) (bool, error) {
	now, err := l.whereIs(ctx, d)
	switch {
	case err != nil:
		l.warnOnce(d.ID, "no pull request is opened now: "+err.Error())
		return false, nil
	case now == landedHere:
		return true, l.merged(ctx, d)
	case d.Branch == "" || d.Branch != d.Tip:
		return true, l.refuse(ctx, d, d.Branch, fmt.Sprintf("branch %q of the remote is at %q, and its claim says %q", l.Remote.Prefix+d.ID, d.Branch, d.Tip), spec.ReasonForeign)
	}
	why, err := l.doubt(ctx, d.Held)
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
		l.warnOnce("", "no pull requests are opened now, and completed work waits: "+advise(err))
		return 0, ctx.Err()
	}
	for _, d := range ready {
		began := l.P.Now()
		url, err := l.pullFor(ctx, f, d)
		if ctx.Err() != nil {
			return opened, ctx.Err()
		}
		if err != nil {
			l.warnOnce(d.ID, "no pull request is opened now, and it waits: "+advise(err))
			continue
		}
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
func (l *Leader) pullFor(ctx context.Context, f *forge.Forge, d fleet.Done) (string, error) {
	branch := l.Remote.Prefix + d.ID
	pulls, err := f.Pulls(ctx, l.Remote.Target, branch)
	if err != nil {
		return "", err
	}
	if at := slices.IndexFunc(pulls, func(p forge.Pull) bool { return p.State == forge.Open }); at >= 0 {
		return pulls[at].URL, nil
	}
	s, err := l.P.Store.At(ctx, d.Tip, d.ID)
	if err != nil {
		return "", err
	}
	title, body := draft(s, d.Claim)
	return f.Create(ctx, forge.Draft{Branch: branch, Target: l.Remote.Target, Title: l.P.Secrets.Text(title), Body: l.P.Secrets.Text(body)})
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
func (l *Leader) forge(ctx context.Context) (*forge.Forge, error) {
	address, err := l.P.Repo.Config(ctx, "remote."+l.Remote.Name+".url")
	if err != nil {
		return nil, err
	}
	return forge.Find(ctx, forge.Caller{Dir: engine.Home(l.P), Environ: l.P.Environ, Secrets: l.P.Secrets}, address)
}

// advise returns what is wrong with a forge, and what can be done about it.
func advise(err error) string {
	var step next.Step
	var address *forge.AddressError
	var unknown *forge.NoForgeError
	var missing *providers.MissingError
	var failed *forge.FailedError
	switch {
	case errors.As(err, &address):
		step = next.ByHand(`set the remote to its address on GitHub or GitLab, or "fleet.land" to merge`)
	case errors.As(err, &unknown):
		step = next.Shell("gh auth login --hostname %s, or glab auth login --hostname %s", unknown.Host, unknown.Host)
	case errors.As(err, &missing):
		step = next.ByHand(fmt.Sprintf("install %s on the machine that leads, and log in with %q", missing.Binary, missing.Binary+" auth login"))
	case errors.As(err, &failed):
		step = next.Shell("%s auth status", failed.Program)
	default:
		return err.Error()
	}
	return fmt.Sprintf("%s (%s)", err, step)
}
