package elsewhere

import (
	"context"
	"errors"
	"sync"
	"time"

	"chant/engine"
	"chant/engine/fleet"
	"chant/engine/run/advice"
	"chant/engine/spec/next"
	"chant/engine/work/node/mirror"
)

// logTime is how long the log of a spec may take to come.
const logTime = 20 * time.Second

// BringLog brings the log of a spec that another machine works on, or has worked on, into this clone, where the operation
// Log reads it. With follow what is appended comes until stop is called. It does nothing for a spec whose log is here.
// Errors: those of the connection, if there is no log here; else the log is as it was.
func BringLog(ctx context.Context, p *engine.Project, text string, follow bool) (stop func(), err error) {
	nothing := func() {}
	if !fleet.TakesPart(p.Repo, p.Config.Fleet.URL) {
		return nothing, nil
	}
	s, err := engine.FindAny(ctx, p, text)
	if err != nil || s.Archived || s.Branch != "" || mirror.IsMirrored(p) {
		return nothing, nil //nolint:nilerr // Log reports a spec that is not found
	}
	if _, held := p.Store.Holder(s.ID); held {
		return nothing, nil
	}
	has := engine.Exists(p.Store.LogPath(s.ID))
	if c := advice.LookElsewhere(ctx, p, &s.Spec)[s.ID]; c.ID == "" && !follow && has {
		return nothing, nil
	}
	stop, err = bring(ctx, p, s.ID, follow)
	if err != nil && has && ctx.Err() == nil {
		engine.Warn(p, s.ID, "its log is as it was read last: "+err.Error())
		return nothing, nil
	}
	return stop, engine.Wrap(err, s.ID)
}

func bring(ctx context.Context, p *engine.Project, id string, follow bool) (stop func(), err error) {
	q, err := connect(ctx, p, id)
	if err != nil {
		return nil, err
	}
	end, err := q.mirrorLog(ctx)
	if err != nil {
		return nil, q.close(err)
	}
	stop = sync.OnceFunc(func() {
		end()
		_ = q.close(nil) // the log is here
	})
	if !follow {
		stop()
	}
	return stop, nil
}

// mirrorLog mirrors the log of the spec until the returned function is called. It returns once all is here that the
// fleet has of it.
func (q *party) mirrorLog(ctx context.Context) (end func(), err error) {
	claim, err := q.remote.Claim(ctx, q.id)
	if err != nil || claim.Worker == q.node {
		return func() {}, err // this machine has written it
	}
	limited, cancel := context.WithCancel(ctx)
	whole, ended := make(chan struct{}, 1), make(chan error, 1)
	m := &mirror.Mirror{P: q.p, Remote: q.remote, Broker: q.broker, Only: q.id, CaughtUp: func(string) {
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
			return func() {}, nil // another process does it
		}
		return nil, err
	case <-q.p.After(logTime):
		cancel()
		<-ended
		return nil, engine.Fail(engine.Conflict, next.FleetStatus.On(), "the log of spec %q has not come from the fleet within %s", q.id, logTime)
	}
}
