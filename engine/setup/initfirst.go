package setup

import (
	"context"
	"errors"
	"slices"

	"chant/engine/config"
	"chant/engine/next"
	"chant/engine/store"
	"chant/gitops"
	"chant/providers"
	"chant/providers/cli"
)

// firstMessage is the message of the commit that a repository without one gets.
const firstMessage = "Begin\n\nChant-Event: init\n"

// begin gives a branch without a commit its first one, which has no files: a run needs a commit to
// start from.
func (i *initializer) begin(ctx context.Context) (err error) {
	i.result.First, err = i.repo.FirstCommit(ctx, i.branch, firstMessage)
	return err
}

// unbegin takes the first commit back.
func (i *initializer) unbegin(ctx context.Context) error {
	if i.result.First == "" {
		return nil
	}
	first := i.result.First
	i.result.First = ""
	return i.repo.DeleteRef(context.WithoutCancel(ctx), "refs/heads/"+i.branch, first)
}

// lookAhead finds out which agents are installed, where work will land and what to do next.
func (i *initializer) lookAhead() {
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
		i.result.LandsOn = pinned
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

// headOf is what the repository has checked out, also before its first commit.
func headOf(ctx context.Context, repo *gitops.Repo) (head gitops.Head, unborn bool, err error) {
	head, err = repo.Head(ctx, repo.Home())
	if errors.Is(err, gitops.ErrUnborn) && head.Branch != "" {
		return head, true, nil
	}
	return head, false, err
}
