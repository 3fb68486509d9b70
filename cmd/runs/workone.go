package runs

import (
	"fmt"
	"strings"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/spec/next"
	"chant/engine/work"
	"chant/engine/work/node"
	"chant/engine/work/queue"

	"github.com/spf13/cobra"
)

// addContinue adds the flag --continue to `chant work`: resume, and never start a new run.
func addContinue(c *cobra.Command, in *work.WorkInput) {
	c.Flags().BoolVar(&in.Continue, "continue", false, "only resume a run that was paused or interrupted")
}

// onlyForOne is the refusal of flags that mean one spec where several are to be worked; it names the flags
// that were given and what makes it several.
func onlyForOne(a *console.App, c *cobra.Command, p *engine.Project, in work.WorkInput, many queue.WorkAllInput) error {
	var given []string
	for _, f := range []struct {
		name string
		set  bool
	}{
		{"--dry-run", in.DryRun}, {"--skip-deps", in.SkipDeps}, {"--skip-approval", in.SkipApproval}, {"--continue", in.Continue}, {"--replay", in.Replay},
	} {
		if f.set {
			given = append(given, f.name)
		}
	}
	names := strings.Join(given, " and ")
	// The machines of a fleet work by the spec and the settings, and do not get these flags.
	if fleet, err := node.TakesPart(p); err != nil || fleet {
		if err == nil {
			err = engine.Fail(engine.Usage, next.FleetStatus.On(), "%s: this clone takes part in a fleet, whose machines work by what the spec and the settings say", names)
		}
		return err
	}
	if len(many.IDs) != 1 || many.All || many.Chain || many.Parallel > 0 || len(many.Labels) > 0 {
		return console.UsageError(c, fmt.Sprintf("%s: only for one spec, but several are selected", names))
	}
	driver, member, err := work.DriverAndMember(c.Context(), p, many.IDs[0])
	if err != nil {
		return err
	}
	if member == "" {
		return console.UsageError(c, fmt.Sprintf("%s: only for one spec; %q is a driver without open members", names, driver))
	}
	step := next.Work.On(member)
	for _, flag := range given {
		step = step.Flag(strings.TrimPrefix(flag, "--"))
	}
	return &engine.Error{
		Code: engine.Usage, Next: step,
		Message: fmt.Sprintf("%s: only for one spec; %q is a driver and stands for its members", names, driver),
	}
}

// WorkWith works a spec with a command as its prompt. The options are those of the command, as JSON.
func WorkWith(a *console.App, c *cobra.Command, id, prompt, options string) error {
	one := false
	with := work.Options{Prompt: prompt, PromptOptions: options}
	return workSpecs(a, c, work.WorkInput{Options: with}, queue.WorkAllInput{IDs: []string{id}, Options: with}, workMode{widthOfSettings: &one})
}
