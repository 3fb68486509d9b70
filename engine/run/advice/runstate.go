package advice

import (
	"strings"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/run/launch"
	"chant/engine/spec"
	"chant/engine/store/local"
	"chant/text"
)

// Glance is what another process can find out about a run.
type Glance struct {
	State    string `json:"state"`                   // running, waiting or interrupted
	LastLine string `json:"last_line,omitempty"`     // of a waiting run: what its agent printed last
	Quiet    int64  `json:"quiet_seconds,omitempty"` // of a waiting run: seconds since its agent printed that
	Queue    *Place `json:"queue,omitempty"`         // of a running one that waits to land, null otherwise
}

// The states of a run.
const (
	Running     = "running"
	Waiting     = "waiting" // its agent prints nothing, or has asked something
	Interrupted = "interrupted"
)

// How much of a log is read.
const (
	GlanceBytes = 4 << 10
	glanceLines = 5   // a question in the last 5 lines counts as open
	LineRunes   = 200 // of the last line, at most
)

// GlanceAt reports whether a process works on the spec's run, whether its agent seems
// to wait for a person, or whether the process has died. The State is "" for a spec
// without a run, and for a run that has ended.
func GlanceAt(p *engine.Project, s *spec.Spec) Glance {
	if s.Branch == "" {
		return Glance{}
	}
	_, held := p.Store.Holder(s.ID)
	// The status comes from the branch, so this is known without reading the journal.
	if !held && s.Status == spec.InProgress {
		return Glance{State: Interrupted}
	}
	h, err := journal.ReadHistory(p.Store, s.ID)
	switch {
	case held && (err != nil || !h.AgentAtWork()):
		return Glance{State: Running, Queue: PlaceOf(p, s)}
	case held:
		return glanceAtLog(p, s.ID)
	case err == nil && h.Open() != nil:
		return Glance{State: Interrupted}
	}
	return Glance{}
}

// glanceAtLog decides by the end of its log whether a working agent waits for a person.
func glanceAtLog(p *engine.Project, id string) Glance {
	lines, err := p.Store.LogTail(id, GlanceBytes)
	if err != nil || len(lines) == 0 {
		return Glance{State: Running}
	}
	last := lines[len(lines)-1]
	quiet := p.Now().Sub(last.At)
	limit := p.Config.Limits.Waiting
	asked, asks := openQuestion(lines)
	switch {
	// The log is full, so its last line says nothing about the agent, which may print all the time.
	case strings.HasPrefix(last.Text, local.LogCut):
		return Glance{State: Running}
	case asks:
		return Glance{State: Waiting, LastLine: OneLine(asked), Quiet: int64(quiet.Seconds())}
	case limit > 0 && quiet >= limit:
		return Glance{State: Waiting, LastLine: OneLine(last.Text), Quiet: int64(quiet.Seconds())}
	}
	return Glance{State: Running}
}

// openQuestion returns the permission that an agent was denied in the last line, or a
// question in one of the last lines: choices may follow a question.
func openQuestion(lines []local.LogLine) (string, bool) {
	last := lines[len(lines)-1].Text
	if strings.HasPrefix(last, launch.DeniedPrefix) {
		return last, true
	}
	// Choices may follow a question.
	for i := len(lines) - 1; i >= max(0, len(lines)-glanceLines); i-- {
		if text, ok := strings.CutPrefix(lines[i].Text, launch.AsksPrefix); ok {
			return text, true
		}
	}
	return "", false
}

// OneLine makes a line fit for a list: without control characters, and with a limited length.
func OneLine(line string) string { return text.Clip(text.OneLine(text.Printable(line)), LineRunes) }

// RunState returns the State of a glance at a spec's run.
func RunState(p *engine.Project, s *spec.Spec) string { return GlanceAt(p, s).State }
