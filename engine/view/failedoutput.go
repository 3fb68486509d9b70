package view

import (
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/run/advice"
	"chant/engine/spec"
	"chant/engine/store/local"
)

// shownLines is how many of the last lines of failed output are returned.
const shownLines = 12

// FailedOutput is the end of what failed in the last attempt at a spec.
type FailedOutput struct {
	Of    string   `json:"of"` // a command, "the agent" or "the set-up"
	Lines []string `json:"lines"`
}

// failedOutput returns what the failed last attempt of a spec has printed: the end of the
// output of each command that failed, else of the output of its agent.
func failedOutput(p *engine.Project, s *spec.Spec, h *journal.History) []FailedOutput {
	last := h.Last()
	// What a command printed before the agent began is part of the reason.
	if _, printed, found := strings.Cut(advice.EarlyEnd(p, s, h), "\n"); found {
		return []FailedOutput{{Of: "the set-up", Lines: lastLines(strings.Split(printed, "\n"))}}
	}
	if last == nil || last.Gone || s.Status != spec.Failed && s.Status != spec.NeedsAttention {
		return nil
	}
	var all []FailedOutput
	for _, v := range last.Report.Criteria {
		if n := len(v.Evidence); !v.Holds && n > 0 {
			if lines := lastLines(strings.Split(v.Evidence[n-1].Tail, "\n")); len(lines) > 0 {
				all = append(all, FailedOutput{Of: v.Evidence[n-1].Command, Lines: lines})
			}
		}
	}
	if len(all) > 0 || last.Agent == nil || last.Agent.OK {
		return all
	}
	logged, err := p.Store.LogTail(s.ID, advice.GlanceBytes)
	if err != nil {
		// This output is optional, and Log reports the error.
		return nil
	}
	var texts []string
	for _, l := range logged {
		texts = append(texts, strings.TrimPrefix(l.Text, "stderr: "))
	}
	// Only what is between the marks comes from the agent; chant writes the rest.
	at := slices.IndexFunc(texts, func(t string) bool { return strings.HasPrefix(t, "agent ended: ") })
	if at >= 0 {
		texts = texts[:at]
	}
	if i := slices.Index(texts, "agent started"); i >= 0 {
		texts = texts[i+1:]
	}
	if lines := lastLines(slices.DeleteFunc(texts, func(t string) bool { return strings.HasPrefix(t, local.LogHeader) })); len(lines) > 0 {
		return []FailedOutput{{Of: "the agent", Lines: lines}}
	}
	return nil
}

// lastLines returns the end of a text, without empty lines before and after it.
func lastLines(lines []string) []string {
	text := strings.Trim(strings.Join(lines, "\n"), "\r\n")
	if strings.TrimSpace(text) == "" {
		return nil
	}
	lines = strings.Split(text, "\n")
	return lines[max(0, len(lines)-shownLines):]
}
