package setup

import (
	"slices"

	"chant/engine/config"
	"chant/engine/next"
	"chant/engine/store"
	"chant/providers"
	"chant/providers/cli"
)

// firstMessage is the message of the commit that a repository without one gets.
const firstMessage = "Begin\n\nChant-Event: init\n"

// setNextStep adds to the result which agents are installed, where work will land, and the next step.
func (i *initializer) setNextStep() {
	i.result.Installed = []string{}
	for _, name := range cli.BuiltIns() {
		if d, ok := cli.BuiltIn(name); ok && i.installed(d.Command) {
			i.result.Installed = append(i.result.Installed, name)
		}
	}
	config, err := config.ReadConfig(i.repo.Home())
	if err != nil {
		return // the next command reports what is wrong with the settings
	}
	if pinned := config.Defaults.MainBranch; slices.Contains(i.result.Made, store.ConfigPath) {
		i.result.LandsOn, i.result.Linked = pinned, i.link
	}
	if len(config.Worktree.Setup) == 0 {
		i.result.Setup = i.setup
	}
	i.result.Provider, i.result.Next = config.Defaults.Provider, next.Add.On("What must be true")
	d, known := cli.BuiltIn(config.Defaults.Provider)
	switch {
	case !known || i.installed(d.Command):
	case len(i.result.Installed) > 0:
		i.result.Missing, i.result.Next = d.Command, next.Init.On().Set("provider", i.result.Installed[0])
	default:
		i.result.Missing, i.result.Next = d.Command, next.Guide.On("agents")
	}
}

func (i *initializer) installed(command string) bool {
	_, err := providers.Find(command, i.repo.Home(), i.Environ)
	return err == nil
}
