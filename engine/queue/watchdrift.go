package queue

import (
	"context"
	"math"
	"strings"

	"chant/engine"
	"chant/engine/verify"
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
			engine.Warn(w.p, "", "drift cannot be determined now: "+engine.Wrap(err, "").Error())
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
		w.drift.told[d.ID] = d.Content
		if begun && known[d.ID] != d.Content {
			w.say(d.ID, "drifted", strings.Join(d.DescribeFiles(), ", "))
		}
	}
}

// driftSince is where the target stands, and what has drifted there if that is news.
func (w *watcher) driftSince(ctx context.Context) (tip string, drifted []verify.DriftedSpec, err error) {
	target, err := engine.Target(ctx, w.p)
	if err != nil {
		return "", nil, err
	}
	if tip, err = w.p.Repo.Resolve(ctx, "refs/heads/"+target); err != nil || tip == w.drift.tip {
		return tip, nil, err
	}
	r, err := verify.DriftOf(ctx, w.p, verify.DriftInput{At: tip, Limit: math.MaxInt})
	for _, d := range r.Specs {
		if d.State == verify.Drifted {
			drifted = append(drifted, d)
		}
	}
	return tip, drifted, err
}
