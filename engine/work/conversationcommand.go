package work

import (
	"fmt"
	"strings"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/format/hooks"
	"chant/engine/run/usage"
	"chant/engine/spec"
	"chant/providers"
	"chant/providers/secret"
)

// conversationCommand returns the shell command with which a person resumes the last conversation of
// a run, "" if there is none.
func conversationCommand(project *engine.Project, h *journal.History, tree string) string {
	c := lastConversation(h)
	if c.Session == "" {
		return ""
	}
	p, err := usage.Provider(project, c.Provider)
	if err != nil {
		// The provider was removed, so its conversation cannot be resumed.
		return ""
	}
	can, ok := p.(providers.Continuer)
	if !ok {
		return ""
	}
	// The name comes from the agent's output, and a person would paste it into a shell.
	if !isName(c.Session) {
		engine.Warn(project, h.Last().Job.ID, fmt.Sprintf("%s calls its session %q, which is not a valid name to resume", c.Provider, c.Session))
		return ""
	}
	job := h.Last().Job
	in := providers.Invocation{
		SpecID: job.ID, Branch: job.Branch, Worktree: tree, Session: c.Session, Model: c.Model, Environ: project.Environ, Common: project.Repo.CommonDir(),
	}
	if in.GitDir, err = project.Repo.GitDir(tree); err != nil {
		// Arguments that contain it are left out.
		in.GitDir = ""
	}
	argv, env := can.ByHand(in)
	if len(argv) == 0 {
		return ""
	}
	words := append([]string{"cd", quoteForShell(tree), "&&"}, shellAssignments(project, job.ID, env)...)
	for _, w := range argv {
		words = append(words, quoteForShell(w))
	}
	return strings.Join(words, " ")
}

// shellAssignments returns variables as assignments before a shell command. A variable that holds a
// secret is left for the person to set, because commands are displayed, stored and passed on.
func shellAssignments(p *engine.Project, id string, env []string) []string {
	var words []string
	for _, entry := range env {
		name, value, _ := strings.Cut(entry, "=")
		// Commands are displayed, stored and passed on.
		masked := p.Secrets.Text(secret.From(entry).Text(value))
		switch {
		case value != "" && secret.Named(name) || masked != value:
			engine.Warn(p, id, fmt.Sprintf("the command leaves out %s, which holds a secret: set it as the provider file does", name))
		case !spec.VariableName(name):
			engine.Warn(p, id, fmt.Sprintf("the command leaves out %q, which a shell cannot set", name))
		default:
			words = append(words, name+"="+hooks.Quote(value))
		}
	}
	return words
}

// quoteForShell quotes a word that a shell would divide or expand.
func quoteForShell(word string) string {
	if word != "" && !strings.ContainsFunc(word, func(c rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=:@%+-", c)
	}) {
		return word
	}
	return hooks.Quote(word)
}
