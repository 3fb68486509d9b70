package engine

import (
	"strings"
	"time"

	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/providers/text"
)

// Glance is what a reader can tell of a run without asking its process.
type Glance struct {
	State    string `json:"state"`                   // running, waiting or interrupted
	LastLine string `json:"last_line,omitempty"`     // of a waiting run: what its agent printed last
	Quiet    int64  `json:"quiet_seconds,omitempty"` // for how long it has printed nothing
}

// The states of a run that a reader can tell.
const (
	running     = "running"
	waiting     = "waiting" // its agent prints nothing, or has asked something
	interrupted = "interrupted"
)

// How a log is looked at.
const (
	glanceBytes = 4 << 10
	glanceLines = 5   // among which a question still counts as open
	lineRunes   = 200 // of the last line
)

// glance tells whether a process is at work on the spec's run, whether its agent
// seems to wait for somebody, or whether the process has died over it. The State is
// "" for a spec without a run; only those that have one are looked at.
func (e *Engine) glance(s *spec.Spec) Glance {
	if s.Branch == "" || e.store.RunOf() == s.ID {
		return Glance{}
	}
	_, held := e.store.Holder(s.ID)
	if !held && s.Status == spec.InProgress {
		return Glance{State: interrupted}
	}
	h, err := run.ReadHistory(e.store, s.ID)
	switch {
	case held && (err != nil || !h.AgentAtWork()):
		return Glance{State: running}
	case held:
		return e.listen(s.ID)
	case err == nil && h.Open() != nil:
		return Glance{State: interrupted}
	}
	return Glance{}
}

// listen looks at the end of the log of an agent at work.
func (e *Engine) listen(id string) Glance {
	lines, err := e.store.LogTail(id, glanceBytes)
	if err != nil || len(lines) == 0 {
		return Glance{State: running}
	}
	last := lines[len(lines)-1]
	quiet := e.Now().Sub(last.At)
	limit := time.Duration(e.config.Limits.Waiting)
	asked, asks := openQuestion(lines)
	switch {
	case strings.HasPrefix(last.Text, store.LogCut): // it may print all the time
		return Glance{State: running}
	case asks:
		return Glance{State: waiting, LastLine: oneLine(asked), Quiet: int64(quiet.Seconds())}
	case limit > 0 && quiet >= limit:
		return Glance{State: waiting, LastLine: oneLine(last.Text), Quiet: int64(quiet.Seconds())}
	}
	return Glance{State: running}
}

// openQuestion finds what an agent was refused last of all, or what it asked a few
// lines ago: choices may stand below a question.
func openQuestion(lines []store.LogLine) (string, bool) {
	last := lines[len(lines)-1].Text
	if strings.HasPrefix(last, run.DeniedPrefix) {
		return last, true
	}
	for i := len(lines) - 1; i >= max(0, len(lines)-glanceLines); i-- {
		if text, ok := strings.CutPrefix(lines[i].Text, run.AsksPrefix); ok {
			return text, true
		}
	}
	return "", false
}

// oneLine makes a line fit for a list: nothing that moves a cursor, and a bounded length.
func oneLine(line string) string { return text.Clip(text.OneLine(text.Printable(line)), lineRunes) }

// runState is the State of a glance.
func (e *Engine) runState(s *spec.Spec) string { return e.glance(s).State }
