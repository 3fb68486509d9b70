package work

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/spec"
	"chant/engine/spec/next"
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
	// The newest one with a name: an agent that was killed early reports none.
	for _, s := range slices.Backward(last.Sessions) {
		if s.ID != "" {
			c.Provider, c.Session = s.Provider, s.ID
			break
		}
	}
	return c
}

// resumedBy returns the session with which a provider resumes the conversation, or "" and the reason why a new one
// begins. There is no reason if there is no conversation to resume.
func (c conversation) resumedBy(name string, by providers.Provider) (session, why string) {
	if c.Provider == "" {
		return "", ""
	}
	p, can := by.(providers.Continuer)
	switch {
	case c.Provider != name:
		return "", fmt.Sprintf("the conversation was with %s: with %s a new one begins", c.Provider, name)
	case c.Session == "":
		return "", fmt.Sprintf("the agent of %s has left no name of its session: a new one begins", c.Provider)
	case !can || !p.CanResume():
		return "", fmt.Sprintf("%s cannot resume a session: a new one begins", c.Provider)
	// A name from the agent's output becomes an argument of a program.
	case !isName(c.Session):
		return "", fmt.Sprintf("%s calls its session %q, which is not a valid name to resume; a new one begins", c.Provider, c.Session)
	}
	return c.Session, ""
}

// isName reports whether a session's name can be passed to a CLI. The CLI would read a name
// that begins with a dash as an option, and a name from which a secret was removed contains a space.
func isName(session string) bool {
	return !strings.HasPrefix(session, "-") && !strings.ContainsFunc(session, func(c rune) bool { return unicode.IsControl(c) || unicode.IsSpace(c) })
}
