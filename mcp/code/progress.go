package code

import (
	"fmt"

	"chant/engine"
)

// reports is about how many times indexing reports its progress.
const reports = 100

// reporter reports the progress of an operation to the client. Operations do not call it twice at a time.
type reporter struct {
	p     *engine.Project
	steps bool // hops follow: only these are counted, behind what was reported of files
	sent  int
}

// files returns what reports the files of an index, nil where nobody asks.
func (r *reporter) files() func(done, total int, file string) {
	if r.p.Progress == nil {
		return nil
	}
	return func(done, total int, file string) {
		if every := total/reports + 1; done%every != 0 && done != total {
			return
		}
		r.sent++
		ev := engine.Event{Kind: "step", Text: fmt.Sprintf("Indexed %d of %d files: %s", done, total, file)}
		if !r.steps {
			ev.Done, ev.Total = done, total
		}
		r.p.Progress(ev)
	}
}

// hop returns what reports the hops of research, nil where nobody asks.
func (r *reporter) hop() func(hop, depth, found int) {
	if r.p.Progress == nil {
		return nil
	}
	return func(hop, depth, found int) {
		r.p.Progress(engine.Event{
			Kind: "step", Text: fmt.Sprintf("Hop %d of %d, from %d definitions", hop, depth, found), Done: r.sent + hop, Total: r.sent + max(hop, depth),
		})
	}
}
