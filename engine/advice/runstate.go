package advice

import (
	"strings"
	"time"

	"chant/engine"
	"chant/engine/journal"
	"chant/engine/run/launch"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/providers/text"
)

// Glance is what a reader can find out about a run without asking its process.
type Glance struct {
	State    string `json:"state"`                   // running, waiting or interrupted
	LastLine string `json:"last_line,omitempty"`     // of a waiting run: what its agent printed last
	Quiet    int64  `json:"quiet_seconds,omitempty"` // for how long it has printed nothing
}

// The states of a run, as a reader finds them.
const (
	Running     = "running"
	Waiting     = "waiting" // its agent prints nothing, or has asked something
	Interrupted = "interrupted"
)

// How a log is looked at.
const (
	GlanceBytes = 4 << 10
	glanceLines = 5   // among which a question still counts as open
	LineRunes   = 200 // of the last line
)

// GlanceAt reports whether a process is at work on the spec's run, whether its agent
// seems to wait for someone, or whether the process has died over it. The State is
// "" for a spec without a run; only those that have one are looked at.
func GlanceAt(p *engine.Project, s *spec.Spec) Glance {
	if s.Branch == "" || p.Store.RunOf() == s.ID {
		return Glance{}
	}
	_, held := p.Store.Holder(s.ID)
	if !held && s.Status == spec.InProgress {
		return Glance{State: Interrupted}
	}
	h, err := journal.ReadHistory(p.Store, s.ID)
	switch {
	case held && (err != nil || !h.AgentAtWork()):
		return Glance{State: Running}
	case held:
		return listen(p, s.ID)
	case err == nil && h.Open() != nil:
		return Glance{State: Interrupted}
	}
	return Glance{}
}

// listen looks at the end of the log of an agent at work.
func listen(p *engine.Project, id string) Glance {
	lines, err := p.Store.LogTail(id, GlanceBytes)
	if err != nil || len(lines) == 0 {
		return Glance{State: Running}
	}
	last := lines[len(lines)-1]
	quiet := p.Now().Sub(last.At)
	limit := time.Duration(p.Config.Limits.Waiting)
	asked, asks := openQuestion(lines)
	switch {
	case strings.HasPrefix(last.Text, store.LogCut): // it may print all the time
		return Glance{State: Running}
	case asks:
		return Glance{State: Waiting, LastLine: OneLine(asked), Quiet: int64(quiet.Seconds())}
	case limit > 0 && quiet >= limit:
		return Glance{State: Waiting, LastLine: OneLine(last.Text), Quiet: int64(quiet.Seconds())}
	}
	return Glance{State: Running}
}

// openQuestion finds what an agent was refused last of all, or what it asked a few
// lines ago: choices may stand below a question.
func openQuestion(lines []store.LogLine) (string, bool) {
	last := lines[len(lines)-1].Text
	if strings.HasPrefix(last, launch.DeniedPrefix) {
		return last, true
	}
	for i := len(lines) - 1; i >= max(0, len(lines)-glanceLines); i-- {
		if text, ok := strings.CutPrefix(lines[i].Text, launch.AsksPrefix); ok {
			return text, true
		}
	}
	return "", false
}

// OneLine makes a line fit for a list: nothing that moves a cursor, and a bounded length.
func OneLine(line string) string { return text.Clip(text.OneLine(text.Printable(line)), LineRunes) }

// RunState is the State of a glance.
func RunState(p *engine.Project, s *spec.Spec) string { return GlanceAt(p, s).State }
