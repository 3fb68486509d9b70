package work

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"chant/engine"
	"chant/engine/journal"
	"chant/engine/next"
	"chant/engine/run"
	"chant/engine/spec"
	"chant/providers"
)

// checkContinue refuses --continue for a spec whose run is neither paused nor interrupted:
// a new attempt would begin there.
func checkContinue(s *spec.Spec, h *journal.History) error {
	paused := s.Status == spec.Paused && s.Branch != ""
	lost := s.Branch != "" && (s.Status == spec.InProgress || h.Open() != nil)
	switch {
	case paused || lost:
		return nil
	case s.Status == spec.Completed && s.Branch != "" && !s.Landed:
		return engine.Fail(engine.State, next.Merge.On(s.ID), "spec %q has no run to continue: it is completed and waits to land", s.ID)
	case s.Status == spec.Completed || s.Status == spec.Cancelled:
		return engine.Fail(engine.State, next.Show.On(s.ID), "spec %q has no run to continue: it is %s", s.ID, s.Status)
	case s.Status == spec.NeedsAttention:
		return engine.Fail(engine.State, next.Diagnose.On(s.ID), "spec %q has no run to continue: it needs attention", s.ID)
	}
	return engine.Fail(engine.State, next.Work.On(s.ID), "spec %q has no run to continue: it is %s; work without --continue starts an attempt", s.ID, s.Status)
}

// conversation identifies the conversation of an interrupted agent: its provider and model, and
// the name that its CLI gave the session, "" if the CLI reported none.
type conversation struct {
	Provider, Model, Session string
}

// conversationToResume returns the last conversation of a run if --continue asks for it.
func (in WorkInput) conversationToResume(h *journal.History) conversation {
	if !in.Continue {
		return conversation{}
	}
	return lastConversation(h)
}

// lastConversation returns the conversation of the agent that worked last.
func lastConversation(h *journal.History) conversation {
	last := h.Last()
	if last == nil || last.Gone {
		return conversation{}
	}
	c := conversation{Provider: last.Job.Provider, Model: last.Job.Model}
	for _, s := range slices.Backward(last.Sessions) {
		if s.ID != "" {
			c.Provider, c.Session = s.Provider, s.ID
			break
		}
	}
	return c
}

// resumeConversation makes the agent of a run resume a conversation if its CLI can; otherwise a new
// conversation begins, with a warning.
func resumeConversation(project *engine.Project, r *run.Run, c conversation) {
	if c.Provider == "" {
		return
	}
	p, can := r.Launcher.Provider.(providers.Continuer)
	switch {
	case c.Provider != r.Job.Provider:
		engine.Warn(project, r.Job.ID, fmt.Sprintf("the conversation was with %s: with %s a new one begins", c.Provider, r.Job.Provider))
	case c.Session == "":
		engine.Warn(project, r.Job.ID, fmt.Sprintf("the agent of %s has left no name of its session: a new one begins", c.Provider))
	case !can || !p.CanResume():
		engine.Warn(project, r.Job.ID, fmt.Sprintf("%s cannot resume a session: a new one begins", c.Provider))
	case !isName(c.Session):
		engine.Warn(project, r.Job.ID, fmt.Sprintf("%s calls its session %q, which is not a valid name to resume; a new one begins", c.Provider, c.Session))
	default:
		r.Job.Session = c.Session
	}
}

// isName reports whether a session's name can be passed to a CLI. The CLI would read a name
// that begins with a dash as an option, and a name from which a secret was removed contains a space.
func isName(session string) bool {
	return !strings.HasPrefix(session, "-") && !strings.ContainsFunc(session, func(c rune) bool { return unicode.IsControl(c) || unicode.IsSpace(c) })
}
