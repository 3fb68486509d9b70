package queue

import (
	"context"
	"math"
	"strings"

	"chant/engine"
	"chant/engine/verify"
)

// seenDrift is the drift that a watch has seen: the tip of the target at which it looked
// last, and the content of the files of each drifted spec. Drift from before the watch
// began is not reported; the drift operation lists it.
type seenDrift struct {
	tip     string
	content map[string]string
}

// reportDrift reports the specs that have drifted since the target moved, once for each
// change of their files. It changes no status.
func (w *watcher) reportDrift(ctx context.Context) {
	tip, drifted, err := w.newDrift(ctx)
	if err != nil {
		if ctx.Err() == nil {
			engine.Warn(w.p, "", "drift cannot be determined now: "+engine.Wrap(err, "").Error())
		}
		return
	}
	if tip == w.drift.tip {
		return
	}
	known := w.drift.content
	begun := w.drift.tip != ""
	w.drift = seenDrift{tip: tip, content: map[string]string{}}
	for _, d := range drifted {
		w.drift.content[d.ID] = d.Content
		if begun && known[d.ID] != d.Content {
			w.report(d.ID, "drifted", strings.Join(d.DescribeFiles(), ", "))
		}
	}
}

// newDrift returns the tip of the target and, if that has moved, the specs that have drifted there.
func (w *watcher) newDrift(ctx context.Context) (tip string, drifted []verify.DriftedSpec, err error) {
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
