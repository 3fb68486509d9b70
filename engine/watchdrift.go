package engine

import (
	"context"
	"math"
	"strings"
)

// driftTold is what a watch has seen of drift: the tip of the target it looked at last,
// and for each drifted spec what its files then were. What had drifted before the watch
// began is no news; `chant drift` tells of it.
type driftTold struct {
	tip  string
	told map[string]string
}

// tellDrift tells of the specs that have drifted since the target moved, once for
// each change of their files. No status changes.
func (w *watcher) tellDrift(ctx context.Context) {
	tip, drifted, err := w.driftSince(ctx)
	if err != nil {
		if ctx.Err() == nil {
			w.engine.warn("", "drift cannot be told now: "+wrap(err, "").Error())
		}
		return
	}
	if tip == w.drift.tip {
		return
	}
	known := w.drift.told
	begun := w.drift.tip != ""
	w.drift = driftTold{tip: tip, told: map[string]string{}}
	for _, d := range drifted {
		w.drift.told[d.ID] = d.content
		if begun && known[d.ID] != d.content {
			w.say(d.ID, "drifted", strings.Join(d.paths(), ", "))
		}
	}
}

// driftSince is where the target stands, and what has drifted there if that is news.
func (w *watcher) driftSince(ctx context.Context) (tip string, drifted []DriftedSpec, err error) {
	target, err := w.engine.target(ctx)
	if err != nil {
		return "", nil, err
	}
	if tip, err = w.engine.repo.Resolve(ctx, "refs/heads/"+target); err != nil || tip == w.drift.tip {
		return tip, nil, err
	}
	r, err := w.engine.drift(ctx, DriftInput{At: tip, Limit: math.MaxInt})
	for _, d := range r.Specs {
		if d.State == Drifted {
			drifted = append(drifted, d)
		}
	}
	return tip, drifted, err
}
