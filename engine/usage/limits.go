package usage

import (
	"time"

	"chant/engine"
	"chant/engine/journal"
	"chant/engine/spec"
)

// LimitsFor are the limits of a spec's own runs.
func LimitsFor(p *engine.Project, s *spec.Spec) spec.Limits {
	c := p.Config.Limits
	usual := spec.Limits{Cost: c.Cost, Tokens: c.Tokens, Turns: c.Turns, Time: spec.Span(c.Time), Silence: spec.Span(c.Silence)}
	if s.Fields.Limits == nil {
		return usual
	}
	return s.Fields.Limits.Over(usual)
}

// LimitMet says which limit of a spec its agents have used up, "" when none.
func LimitMet(p *engine.Project, s *spec.Spec, h *journal.History) string {
	return LimitsFor(p, s).LimitReached("spec", UsageOf(h, time.Time{}).Use())
}
