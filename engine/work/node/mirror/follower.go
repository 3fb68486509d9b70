package mirror

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"chant/engine"
	"chant/engine/fleet"
	"chant/engine/spec"
	"chant/engine/store/local"
	"chant/gitops/lockfile"
)

// calm is how long nothing must have come before a log counts as complete whose run is over.
const calm = 5 * time.Second

// follower mirrors the log of one spec.
type follower struct {
	p        *engine.Project
	broker   fleet.Broker
	id       string
	node     string // whose log it is
	stop     context.CancelFunc
	caughtUp func(id string) // may be nil
	ended    chan struct{}   // closed when it has ended
	over     atomic.Bool     // no machine works on the spec
}

func (f *follower) setOver(over bool) { f.over.Store(over) }

func (f *follower) hasEnded() bool {
	select {
	case <-f.ended:
		return true
	default:
		return false
	}
}

// hasLog reports whether a spec of this clone may have the id, and so a log.
func hasLog(p *engine.Project, id string) bool {
	return spec.ValidName(id) == nil && p.Store.Exists(id)
}

// run mirrors until the context ends, or the run of the spec is over and nothing more comes.
func (f *follower) run(ctx context.Context) {
	if err := f.copy(ctx); err != nil && ctx.Err() == nil {
		engine.Warn(f.p, f.id, "its log is not mirrored: "+err.Error())
	}
}

func (f *follower) copy(ctx context.Context) (err error) {
	path, err := f.p.Store.Local(local.Logs, f.id+".log")
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	pieces, err := f.broker.Follow(ctx, f.node, f.id)
	if err != nil {
		return err
	}
	c, err := openCopy(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.end()) }()
	look, came := f.p.After(calm), false
	for {
		select {
		case piece, open := <-pieces:
			if !open {
				return nil
			}
			if came = true; len(piece) == 0 {
				f.tellCaughtUp(c)
				continue
			}
			if f.isWorkedHere() {
				return nil // whose process writes the log
			}
			if err := c.add(piece); err != nil {
				return err
			}
		case <-look:
			if f.over.Load() && !came {
				return nil
			}
			look, came = f.p.After(calm), false
		}
	}
}

func (f *follower) tellCaughtUp(c *logCopy) {
	c.caughtUp()
	if f.caughtUp != nil {
		f.caughtUp(f.id)
	}
}

// isWorkedHere reports whether a process works on the spec in this clone.
func (f *follower) isWorkedHere() bool {
	_, held := f.p.Store.Holder(f.id)
	return held
}

// IsMirrored reports whether a process mirrors all logs of a clone.
func IsMirrored(p *engine.Project) bool {
	_, held := lockfile.HeldBy(p.Store.LockPath(LockName))
	return held
}
