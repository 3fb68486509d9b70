package worker

import (
	"context"
	"os"
	"time"

	"chant/engine"
	"chant/engine/fleet"
	"chant/engine/fleet/pace"
	"chant/engine/run/agent"
	"chant/engine/run/usage"
	"chant/engine/work"
	"chant/providers/cli"
)

// exchangeTime limits each exchange of what machines have used.
const exchangeTime = 5 * time.Second

// limitWait is how long an entry waits while a limit of all machines is reached.
const limitWait = time.Minute

// sharedBudget returns a budget whose limits of the day and of the run are those of all machines together.
func (w *Worker) sharedBudget() *usage.Budget {
	b := usage.NewBudget(w.P)
	b.ShareWith(&fleet.Ledger{In: w.Broker, Node: w.Node.Name, Clone: w.cloneName(), Process: newLease(), RunID: "fleet", Timeout: exchangeTime})
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
	j.provider = agent.ProviderOf(j.w.P, &s.Spec)
	if j.provider == cli.ShellName { // which has no account
		return 0, "", nil
	}
	permit, err := j.account(j.provider).Ask(ctx, j.id)
	if err != nil || permit.Granted {
		return 0, "", err
	}
	return max(permit.Wait, time.Millisecond), permit.Why, nil
}

// tellAccount reports what became of the start of an agent.
func (j *job) tellAccount(ctx context.Context, result work.WorkResult, err error) {
	if j.provider == cli.ShellName {
		return
	}
	a := j.account(j.provider)
	var told error
	switch at, again := work.RetryTime(err); {
	case again:
		told = a.Refused(ctx, j.id, at.Sub(j.w.P.Now()))
	case result.Agent != nil || result.Status != "":
		told = a.Proved(ctx, j.id)
	default:
		told = a.Gone(ctx, j.id)
	}
	if told != nil {
		engine.Warn(j.w.P, j.id, "the pace of "+j.provider+": "+told.Error()) // it counts as proved after a while
	}
}
