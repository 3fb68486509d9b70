package criteria

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"chant/engine/spec"
	"chant/engine/store/disk"
	"chant/providers"
	"chant/providers/secret"
)

// checker judges the items of one spec.
type checker struct {
	Settings

	parallel bool

	first *spot // where commands run one after the other

	mu    sync.Mutex
	free  []*spot           // spots in which no command runs
	facts map[string]string // the output of commands that give variables their values
}

// run returns the evidence of one step, and why it does not hold, "" if it does.
// There is no evidence if the command could not be run.
func (c *checker) run(ctx context.Context, at *spot, step Step) (*Evidence, string, error) {
	if strings.TrimSpace(step.Line) == "" {
		return nil, "its command is empty", nil
	}
	// What an earlier command has left must not decide this one.
	if err := at.restore(ctx); err != nil {
		return nil, "", err
	}
	dir, why := folder(at.Tree, path.Join(at.Folder, step.Options.Dir))
	if why != "" {
		return nil, why, nil
	}
	env, err := c.environment(ctx, at, step)
	if err != nil {
		return nil, "", err
	}
	limit := c.limit(step)
	ev, err := c.runWithin(ctx, at, step, providers.Command{
		Line: step.Line, Dir: dir, Env: slices.Concat(env, at.Own), Timeout: limit, RunID: c.RunID,
		Secrets: secret.From(slices.Concat(c.Hide, env)...), Wall: at.Wall,
	})
	if err != nil {
		return nil, "", err
	}
	why = ev.failure(limit)
	if why != "" && at.Refused != nil {
		if ev.Refused = at.Refused(ev.Tail); ev.Refused != "" {
			why += ": " + ev.Refused
		}
	}
	return &ev, why, nil
}

// runOften runs a command until it has passed as often as it must, or has failed more often than it may. A command that has
// failed must pass twice in a row: once can be chance.
//
// unreached reports whether it tried to reach what its network does not have.
func (c *checker) runOften(ctx context.Context, at *spot, step Step, cmd providers.Command) (ev Evidence, unreached bool, err error) {
	mayFail, mustPass := 0, 1
	if step.Options.Retries != nil {
		mayFail = *step.Options.Retries
	}
	if step.Options.Repeat != nil {
		mustPass = *step.Options.Repeat
	}
	var runs []CommandRun
	for failed, passed := 0, 0; ; {
		// What one run leaves may make the next one pass.
		if err := at.restore(ctx); err != nil {
			return Evidence{}, false, err
		}
		c.announce(step.Line)
		at.used = true
		res, err := providers.RunCommand(ctx, cmd)
		if err != nil {
			return Evidence{}, false, err
		}
		unreached = unreached || res.Unreached
		ev := Evidence{
			Command: step.Line, Dir: step.Options.Dir, ExitCode: res.ExitCode, TimedOut: res.TimedOut,
			Seconds: res.Duration.Seconds(), Bytes: res.Bytes, Tail: res.Tail, SHA256: res.SHA256, busy: res.Busy,
		}
		runs = append(runs, CommandRun{res.ExitCode, res.TimedOut, ev.Seconds})
		if len(runs) > 1 {
			ev.Tries, ev.Runs = len(runs), runs
		}
		if ev.failure(cmd.Timeout) == "" {
			passed++
		} else if failed, passed, mustPass = failed+1, 0, max(mustPass, 2); failed > mayFail {
			return ev, unreached, nil
		}
		if passed >= mustPass {
			return ev, unreached, nil
		}
	}
}

// Result says how the command ended: "exit 1, 0.3 s, without a network".
func (e Evidence) Result() string {
	out := fmt.Sprintf("exit %d, %.1f s", e.ExitCode, e.Seconds)
	if e.TimedOut {
		out = fmt.Sprintf("timed out after %.1f s", e.Seconds)
	}
	switch e.Network {
	case spec.NetworkAll:
		out += ", with the network"
	case spec.NetworkOff:
		out += ", without any network"
	}
	if e.Tree != "" {
		out += fmt.Sprintf(", unchanged inputs since tree %.7s", e.Tree)
	}
	return out
}

// TimedOut reports whether one of its commands ran out of time.
func (v Verdict) TimedOut() bool {
	return slices.ContainsFunc(v.Evidence, func(e Evidence) bool { return e.TimedOut })
}

// Load returns how many seconds the commands of verdicts took, and how many processors they kept busy on average meanwhile:
// 1 where that is not known, such as for evidence of another process.
func Load(verdicts []Verdict) (seconds, processors float64) {
	var busy time.Duration
	for _, v := range verdicts {
		for _, e := range v.Evidence {
			seconds += e.Seconds * float64(max(1, e.Tries))
			busy += e.busy * time.Duration(max(1, e.Tries))
		}
	}
	if busy == 0 || seconds == 0 {
		return seconds, 1
	}
	return seconds, busy.Seconds() / seconds
}

// isFlaky reports whether the command has both passed and failed.
func (e Evidence) isFlaky() bool {
	passes := func(r CommandRun) bool { return r.ExitCode == 0 && !r.TimedOut }
	fails := func(r CommandRun) bool { return !passes(r) }
	return slices.ContainsFunc(e.Runs, passes) && slices.ContainsFunc(e.Runs, fails)
}

// failure says why the command failed, "" if it passed.
func (e Evidence) failure(limit time.Duration) string {
	why := ""
	switch {
	case e.TimedOut:
		why = fmt.Sprintf("`%s` did not end within %s", e.Command, limit)
	case e.ExitCode != 0:
		why = fmt.Sprintf("`%s` exited with %d", e.Command, e.ExitCode)
		// The shell's own words, which do not say what to look for.
		if e.ExitCode == notExecutable && strings.Contains(strings.ToLower(e.Tail), "exec format error") {
			why += ", exec format error: a program for another system, or a script without a first line such as #!/bin/sh"
		}
	}
	if why != "" && e.unreached {
		why += fmt.Sprintf("; it tried to reach what verify.network: %s does not allow", e.Network)
	}
	if why != "" && e.Tries > 1 {
		why += fmt.Sprintf(", tried %d times", e.Tries)
		if e.isFlaky() {
			why += " and passed in some: it is flaky"
		}
	}
	return why
}

func (c *checker) limit(step Step) time.Duration {
	if step.Options.Timeout != 0 {
		return time.Duration(step.Options.Timeout)
	}
	return c.Timeout
}

// announce reports the command that starts.
func (c *checker) announce(line string) {
	if c.Command != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.Command(line)
	}
}

// environment is that of a command: the scrubbed one, then the variables of the settings.
func (c *checker) environment(ctx context.Context, at *spot, step Step) ([]string, error) {
	env := slices.Clone(c.Env)
	// Evidence of the project's commands is shared by all specs.
	if step.Of != FromProject {
		env = append(env, c.Spec...)
	}
	said, err := c.resolve(ctx, at, step.Options.Env)
	for _, name := range slices.Sorted(maps.Keys(said)) {
		env = append(env, name+"="+said[name])
	}
	return env, err
}

// folder is the folder in which a step runs, or why it cannot run. A link that leads out of
// the tree is refused.
func folder(tree, dir string) (full, why string) {
	if _, err := os.Stat(tree); err != nil {
		return "", "the worktree is gone: a command before it has removed it"
	}
	if dir == "" {
		return tree, ""
	}
	full = filepath.Join(tree, filepath.FromSlash(dir))
	if info, err := os.Stat(full); err != nil || !info.IsDir() {
		return "", fmt.Sprintf("the tree has no folder %q to run it in", dir)
	}
	// A link that the agent has made could lead to a folder where the command passes.
	if _, err := disk.RealBelow(tree, dir); err != nil {
		return "", fmt.Sprintf("folder %q leads out of the tree", dir)
	}
	return full, ""
}
