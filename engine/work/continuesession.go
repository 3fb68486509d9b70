package work

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"chant/engine"
	"chant/engine/agent"
	"chant/engine/hooks"
	"chant/engine/journal"
	"chant/engine/run"
	"chant/engine/spec"
	"chant/providers"
	"chant/providers/secret"
)

// conversation is what an interrupted agent can be gone on with: who it was, and the name
// that its CLI has for the session, "" when it never told one.
type conversation struct {
	Provider, Model, Session string
}

// continued is the conversation of the last attempt, for a run that goes on.
func (in WorkInput) continued(h *journal.History) conversation {
	if !in.Continue {
		return conversation{}
	}
	return lastConversation(h)
}

// lastConversation is that of the agent that was at work last.
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

// goOn has the agent of a run continue with a conversation where its CLI can, and tells
// when it cannot.
func goOn(project *engine.Project, r *run.Run, c conversation) {
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
		engine.Warn(project, r.Job.ID, fmt.Sprintf("%s cannot go on with a session: a new one begins", c.Provider))
	case !isName(c.Session):
		engine.Warn(project, r.Job.ID, fmt.Sprintf("%s calls its session %q, which is not a valid name to resume; a new one begins", c.Provider, c.Session))
	default:
		r.Job.Session = c.Session
	}
}

// isName reports whether a session's name can be handed to a CLI, which would read one
// that begins with a dash as an option. One with a secret taken out of it is none any more.
func isName(session string) bool {
	return !strings.HasPrefix(session, "-") && !strings.ContainsFunc(session, func(c rune) bool { return unicode.IsControl(c) || unicode.IsSpace(c) })
}

// byHand is the command with which a person continues with the last conversation of a run,
// for a shell; "" when there is none.
func byHand(project *engine.Project, h *journal.History, tree string) string {
	c := lastConversation(h)
	if c.Session == "" {
		return ""
	}
	p, err := agent.Provider(project, c.Provider)
	if err != nil {
		return "" // the provider is gone; so is the way on
	}
	can, ok := p.(providers.Continuer)
	if !ok {
		return ""
	}
	if !isName(c.Session) {
		engine.Warn(project, h.Last().Job.ID, fmt.Sprintf("%s calls its session %q, which is not a valid name to resume", c.Provider, c.Session))
		return ""
	}
	job := h.Last().Job
	in := providers.Invocation{
		SpecID: job.ID, Branch: job.Branch, Worktree: tree, Session: c.Session, Model: c.Model, Environ: project.Environ, Common: project.Repo.CommonDir(),
	}
	if in.GitDir, err = project.Repo.GitDir(tree); err != nil {
		in.GitDir = "" // what names it is left out
	}
	argv, env := can.ByHand(in)
	if len(argv) == 0 {
		return ""
	}
	words := append([]string{"cd", inShell(tree), "&&"}, setByHand(project, job.ID, env)...)
	for _, w := range argv {
		words = append(words, inShell(w))
	}
	return strings.Join(words, " ")
}

// setByHand spells variables for a shell, in front of a command. One that holds a secret
// is left to the person: a command is seen, kept and passed on.
func setByHand(p *engine.Project, id string, env []string) []string {
	var words []string
	for _, entry := range env {
		name, value, _ := strings.Cut(entry, "=")
		told := p.Secrets.Text(secret.From(entry).Text(value))
		switch {
		case value != "" && secret.Named(name) || told != value:
			engine.Warn(p, id, fmt.Sprintf("the command leaves out %s, which holds a secret: set it as the provider file does", name))
		case !spec.VariableName(name):
			engine.Warn(p, id, fmt.Sprintf("the command leaves out %q, which a shell cannot set", name))
		default:
			words = append(words, name+"="+hooks.Quote(value))
		}
	}
	return words
}

// inShell quotes a word where a shell would read something else into it.
func inShell(word string) string {
	if word != "" && !strings.ContainsFunc(word, func(c rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=:@%+-", c)
	}) {
		return word
	}
	return hooks.Quote(word)
}
