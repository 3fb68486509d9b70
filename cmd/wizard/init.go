package wizard

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"chant/engine/setup"
	"chant/engine/spec/next"

	"charm.land/huh/v2"
)

// Init asks how a new project is set up: its agent, what every spec must pass, and what else is made in the repository.
// Errors: Canceled.
func Init(ctx context.Context, s Screen, found setup.SurveyResult) (setup.InitInput, error) {
	in := setup.InitInput{Provider: firstUsable(found.Providers), CI: found.CI}
	if isInstalled(in.Provider, found.Providers) && slices.Contains(setup.AgentNames(), in.Provider) {
		in.Agents = []string{in.Provider}
	}
	var model, more string
	var extras []string
	answered := false
	k := Known{Dir: found.Home}
	checks := func(text string) error { return k.runnableLines(splitLines(text, "\n")) }
	pages := []page{
		{group: huh.NewGroup(
			huh.NewSelect[string]().Title("Agent that works the specs").Description("Esc leaves, and nothing is changed").
				Options(agents(found.Providers)...).Height(min(len(found.Providers), maxAgents)+2).Value(&in.Provider),
			huh.NewInput().Title("Model (empty: the default of the agent)").Value(&model),
		)},
		{group: huh.NewGroup(commandFields(found.Commands, &in, &more, checks)...).Title("What every spec must pass, beside its own criteria")},
		{group: huh.NewGroup(
			huh.NewMultiSelect[string]().Title("Agents that also use chant in your own sessions (may be none)").
				Description("space selects; adds chant mcp to their settings in this repository").
				Options(huh.NewOptions(setup.AgentNames()...)...).Height(len(setup.AgentNames()) + 3).Value(&in.Agents),
		)},
		{group: huh.NewGroup(
			huh.NewSelect[bool]().Title("Specs").Options(
				huh.NewOption("are committed, with the code", false), huh.NewOption("stay on this machine: git ignores .chant", true)).Value(&in.Silent),
			huh.NewMultiSelect[string]().Title("Also set up (may be nothing)").Description("space selects").Options(offers(found)...).Height(len(offers(found))+3).Value(&extras),
		)},
		{skip: func() bool { return in.Silent }, group: huh.NewGroup(
			huh.NewSelect[string]().Title("CI job that checks specs").Options(
				huh.NewOption("none", ""), huh.NewOption("GitHub Actions", "github"), huh.NewOption("GitLab CI", "gitlab")).Value(&in.CI),
		)},
		{group: huh.NewGroup(huh.NewConfirm().Title("Set up chant in " + found.Home + "?").Affirmative("Yes").Negative("No").Value(&answered))},
	}
	// Enter on the last page is yes; in plain lines an input that has ended is not.
	answered = !s.Plain
	if err := s.askPages(ctx, pages...); err != nil {
		return setup.InitInput{}, err
	}
	if !answered {
		return setup.InitInput{}, errLeft()
	}
	in.Model = strings.TrimSpace(model)
	in.Verify = append(in.Verify, splitLines(more, "\n")...)
	in.GitIgnore, in.Hooks, in.Rules = slices.Contains(extras, extraIgnore), slices.Contains(extras, extraHooks), slices.Contains(extras, extraRules)
	// The page was shown before the answer that hides it.
	if in.Silent {
		in.CI = ""
	}
	return in, nil
}

// maxAgents is how many agents are shown at once, on a screen of 24 rows.
const maxAgents = 12

// The other parts that can be set up.
const (
	extraIgnore = "gitignore"
	extraHooks  = "hooks"
	extraRules  = "rules"
)

// offers are the other parts that can be set up here.
func offers(found setup.SurveyResult) []huh.Option[string] {
	out := []huh.Option[string]{huh.NewOption(".gitignore: rules for programs that read only that of the top", extraIgnore)}
	if found.NoHooks == "" {
		out = append(out, huh.NewOption("git hooks: check specs before commits, and verify them before pushes", extraHooks))
	}
	return append(out, huh.NewOption(".chant/rules.md: rules that all work follows, from what is found here", extraRules))
}

// commandFields are the fields for commands that every spec must pass: those that are proposed, and others.
func commandFields(proposed []string, in *setup.InitInput, more *string, check func(string) error) []huh.Field {
	var fields []huh.Field
	if len(proposed) > 0 {
		in.Verify = slices.Clone(proposed[:1])
		fields = append(fields, huh.NewMultiSelect[string]().Title("Proposed commands").Description("found in this repository; space selects").
			Options(huh.NewOptions(proposed...)...).Height(len(proposed)+3).Value(&in.Verify))
	}
	return append(fields, huh.NewText().Title("Other commands (may be empty)").Description("one on each line, such as make check").
		Lines(4).Value(more).Validate(check))
}

// agents are the providers to choose from, each with what is known of it; those that can be used come first.
func agents(all []setup.Provider) []huh.Option[string] {
	width := 0
	for _, p := range all {
		width = max(width, len(p.Name))
	}
	var usable, rest []huh.Option[string]
	for _, p := range all {
		option := huh.NewOption(fmt.Sprintf("%-*s  %s", width, p.Name, aboutAgent(p)), p.Name)
		if p.Program != "" && p.Installed {
			usable = append(usable, option)
		} else {
			rest = append(rest, option)
		}
	}
	return append(usable, rest...)
}

// aboutAgent says whether an agent is installed and logged in, and how that is known.
func aboutAgent(p setup.Provider) string {
	login := string(p.Login)
	if p.Sign != "" {
		login += " (" + p.Sign + ")"
	}
	switch {
	case p.Name == "shell":
		return "runs the script in a spec, without a model"
	case p.Program == "":
		return "chant asks this model itself; " + login
	case !p.Installed:
		return "not installed: no " + p.Program + " on PATH"
	}
	return "installed, " + login
}

// firstUsable is the agent that is proposed: the first that is installed and seems to be logged in, else the first that
// is installed, else the usual one.
func firstUsable(all []setup.Provider) string {
	external := slices.DeleteFunc(slices.Clone(all), func(p setup.Provider) bool { return p.Program == "" || !p.Installed })
	if at := slices.IndexFunc(external, setup.Provider.Usable); at >= 0 {
		return external[at].Name
	}
	if len(external) > 0 {
		return external[0].Name
	}
	return setup.UsualProvider
}

func isInstalled(name string, all []setup.Provider) bool {
	return slices.ContainsFunc(all, func(p setup.Provider) bool { return p.Name == name && p.Installed })
}

// InitStep is the command that sets up the same.
func InitStep(in setup.InitInput) next.Step {
	step := next.Init.On().Set("provider", in.Provider)
	if in.Model != "" {
		step = step.Set("model", in.Model)
	}
	for _, command := range in.Verify {
		step = step.Set("verify", command)
	}
	for _, agent := range in.Agents {
		step = step.Set("agent", agent)
	}
	for _, part := range []struct {
		name string
		on   bool
	}{{"silent", in.Silent}, {"gitignore", in.GitIgnore}, {"hooks", in.Hooks}, {"rules", in.Rules}} {
		if part.on {
			step = step.Flag(part.name)
		}
	}
	if in.CI != "" {
		step = step.Set("ci", in.CI)
	}
	return step
}
