package prompt

import (
	"context"
	"os"
	"slices"

	"chant/engine"
	"chant/engine/spec"
)

// Rules reads the rules in home, as settings and prompts are read. It returns all that can be read, and an error for each
// file that cannot.
func Rules(p *engine.Project) (spec.Rules, []error) {
	// A root follows no link out of the project, whose target would be sent to a model.
	root, err := os.OpenRoot(engine.Home(p))
	if err != nil {
		return nil, []error{err}
	}
	defer root.Close()
	return ReadRules(root.FS())
}

// RulesFor returns the part of a prompt with the rules for work on some files, "" without rules; no files = all rules.
// Error: Invalid for a file of rules that cannot be read.
func RulesFor(p *engine.Project, files []string) (string, error) {
	rules, broken := Rules(p)
	return QuoteRules(rules.For(files)), firstBroken(broken)
}

// Checks returns what the settings and the rules in home require of all work. Error: Invalid for a file of rules that cannot
// be read, in which case its commands are missing.
func Checks(p *engine.Project) (spec.Checks, error) {
	checks := p.Config.Verify
	var broken []error
	checks.Rules, broken = Rules(p)
	return checks, firstBroken(broken)
}

// ChecksAt adds the rules of a commit to what its settings require. Errors as of Checks.
func ChecksAt(ctx context.Context, p *engine.Project, commit string, settings spec.Checks) (spec.Checks, error) {
	files, err := p.Repo.FS(ctx, commit)
	if err != nil {
		return settings, engine.Wrap(err, "")
	}
	var broken []error
	settings.Rules, broken = ReadRules(files)
	return settings, firstBroken(broken)
}

// ProjectCommands lists the commands of settings and rules that must pass for work on some files. A file of rules that cannot
// be read is left out: what starts or judges work refuses it.
func ProjectCommands(p *engine.Project, files []string) []spec.Command {
	rules, _ := Rules(p)
	return slices.Concat(p.Config.Verify.Commands, rules.For(files).Commands())
}

// firstBroken is the first error about a file of rules; lint reports all of them.
func firstBroken(broken []error) error {
	if len(broken) == 0 {
		return nil
	}
	return engine.Wrap(broken[0], "")
}
