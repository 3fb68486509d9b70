package config

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"chant/engine/spec"
	"chant/engine/spec/schedule"
	"chant/providers/cli"

	"github.com/alecthomas/assert/v2"
)

// settings reads the front matter of a config.md.
func settings(t *testing.T, front string) *Config {
	t.Helper()
	c := DefaultConfig("/home/x")
	assert.NoError(t, c.Read([]byte("---\n"+front+"---\n"), "/home/x"), "%s", front)
	return c
}

// TestRead_refuses: an invalid value is refused, with its line and the value.
func TestRead_refuses(t *testing.T) {
	t.Parallel()
	for front, want := range map[string]string{
		"limits:\n  time: 5x\n":                                                               `3: invalid duration "5x"`,
		"limits:\n  time: -5m\n":                                                              `3: invalid duration "-5m"`,
		"limits:\n  check: ten\n":                                                             `3: invalid duration "ten"`,
		"limits:\n  run: 5\n":                                                                 "3: ",
		"limits:\n  day:\n    time: 1\n":                                                      `4: invalid duration "1"`,
		"worktree:\n  ports: {start: 80}\n":                                                   "3: worktree.ports: 20 ports from 80",
		"worktree:\n  ports: {start: 65530}\n":                                                "3: worktree.ports: 20 ports from 65530",
		"worktree:\n  ports: {count: 0}\n":                                                    "3: worktree.ports: 0 ports from 20000",
		"watch:\n  poll_interval_ms: 0\n":                                                     `3: "0"`,
		"watch:\n  idle_timeout_minutes: 99999999\n":                                          `3: "99999999"`,
		"parallel:\n  stagger_delay_ms: 99999999999999\n":                                     `3: "99999999999999"`,
		"parallel:\n  rotation: dice\n":                                                       `3: `,
		"retry:\n  backoff_multiplier: 0.5\n":                                                 `3: invalid number "0.5"`,
		"retry:\n  backoff_multiplier: .inf\n":                                                `3: invalid number ".inf"`,
		"retry:\n  backoff_multiplier: NaN\n":                                                 `3: invalid number "NaN"`,
		"retry:\n  on_permanent_failure: panic\n":                                             "3: ",
		"retry:\n  retryable_patterns: [\"(\"]\n":                                             "3: ",
		"project:\n  prefix: a/b\n":                                                           `3: "a/b"`,
		"project:\n  prefix: [a]\n":                                                           "3: ",
		"approval:\n  rejection_action: burn\n":                                               `3: unknown rejection action "burn"`,
		"approval:\n  rules:\n    - approvers: [a@b.c]\n":                                     "4: approval.rules: a rule needs a label",
		"approval:\n  rules:\n    - label: x\n      approvers: [Ada]\n":                       `5: approval.rules: "Ada"`,
		"approval:\n  rules:\n    - label: x\n      approvers: [a@b.c]\n      count: 2\n":     "6: approval.rules: 2 approvals",
		"approval:\n  rules:\n    - label: x\n      count: 0\n":                               "5: \"0\" is not a whole number from 1",
		"prices:\n  gpt: 5\n":                                                                 "3: ",
		"prices:\n  gpt: {input: 5}\n":                                                        "3: a price needs input and output",
		"prices:\n  gpt:\n":                                                                   "3: a price needs input and output",
		"parallel:\n  rotation: [random]\n":                                                   "3: a list is not a single value",
		"providers:\n  mine: {key_env: {a: b}}\n":                                             "3: a mapping is not a single value",
		"providers:\n  mine: {api: telnet}\n":                                                 `3: unknown api "telnet"`,
		"providers:\n  mine: {api: openai, endpoint: \"ftp://x\"}\n":                          `3: invalid URL "ftp://x"`,
		"providers:\n  mine: {api: openai, key_env: \"sk-123\"}\n":                            "3: key_env",
		"tasks:\n  project: a b\n":                                                            `3: invalid project prefix "a b"`,
		"tasks:\n  statuses:\n    Review: reviewing\n":                                        `4: unknown status "reviewing" (one of pending`,
		"tasks:\n  statuses:\n    Review: \"\"\n":                                             `4: unknown status ""`,
		"tasks:\n  statuses: [Review]\n":                                                      "3: ",
		"fleet:\n  url: http://a\n":                                                           `3: invalid URL "http://a"`,
		"fleet:\n  url: nats://a,b\n":                                                         `3: invalid URL "b"`,
		"fleet:\n  url: \",\"\n":                                                              `3: invalid URL ","`,
		"fleet:\n  url: nats://a/x\n":                                                         `3: invalid URL "nats://a/x" (after the host`,
		"fleet:\n  url: nats://a:b@c\n":                                                       "3: an address must not contain a user",
		"fleet:\n  url: tls://token@c\n":                                                      "3: an address must not contain a user",
		"fleet:\n  credentials: \"-----BEGIN NATS USER JWT-----\"\n":                          "3: use the path of a file",
		"fleet:\n  credentials: SUAG4TPBEIJE3XVMGSTFBNBBWPLQWXL3QHP5SLGHXJFPMCAAIHFQWNQOYU\n": "3: use the path of a file",
		"fleet:\n  credentials: [a]\n":                                                        "3: a list is not",
		"fleet:\n  remote: https://a/b\n":                                                     `3: "https://a/b" is not the name of a remote`,
		"fleet:\n  remote: --all\n":                                                           `3: "--all" is not the name of a remote`,
		"fleet:\n  land: rebase\n":                                                            `3: unknown value "rebase" (one of merge, pr)`,
		"fleet:\n  accounts:\n    claude: {starts_per_minute: -1}\n":                          `4: "-1" is not a whole number from 0`,
		"fleet:\n  accounts: {claude: 5}\n":                                                   "3: ",
		"enterprise:\n  derived: [team]\n":                                                    "3: enterprise.derived",
		"enterprise:\n  derived:\n    status: {from: branch, pattern: (x)}\n":                 `4: enterprise.derived.status: "status"`,
		"enterprise:\n  derived:\n    team: {from: branch, pattern: (x)}\n    team: {from: branch, pattern: (y)}\n": "5: enterprise.derived.team appears twice",
		"enterprise:\n  derived:\n    team: {from: moon}\n":                                                         `4: enterprise.derived.team: unknown source "moon"`,
		"enterprise:\n  derived:\n    team: {from: branch, pattern: x}\n":                                           `4: enterprise.derived.team: pattern "x"`,
		"enterprise:\n  derived:\n    team: {from: path, pattern: \"(\"}\n":                                         "4: enterprise.derived.team: ",
		"enterprise:\n  derived:\n    team: {from: env, pattern: \"a b\"}\n":                                        `4: enterprise.derived.team: invalid environment variable name "a b"`,
		"enterprise:\n  derived:\n    team: {from: env, pattern: API_TOKEN}\n":                                      "looks like a secret",
		"enterprise:\n  derived:\n    team: {from: git_user, pattern: age}\n":                                       `4: enterprise.derived.team: pattern "age"`,
		"enterprise:\n  derived:\n    team: {from: env, pattern: T, validate: {type: set}}\n":                       "4: enterprise.derived.team: validate",
	} {
		err := DefaultConfig("/home/x").Read([]byte("---\n"+front+"---\n"), "/home/x")
		assert.Error(t, err, "%s", front)
		assert.Contains(t, err.Error(), ".chant/config.md:", "%s", front)
		assert.Contains(t, err.Error(), want, "%s", front)
	}
}

// TestRead_accepts: further spellings, and keys without a value.
func TestRead_accepts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		front string
		get   func(*Config) any
		want  any
	}{
		"a duration":                 {"limits: {time: 1h30m}\n", func(c *Config) any { return time.Duration(c.Limits.Time) }, 90 * time.Minute},
		"no limit":                   {"limits: {waiting: 0}\n", func(c *Config) any { return time.Duration(c.Limits.Waiting) }, time.Duration(0)},
		"a limit without a value":    {"limits:\n  time:\n", func(c *Config) any { return time.Duration(c.Limits.Time) }, time.Hour},
		"a provider without a value": {"defaults:\n  provider:\n", func(c *Config) any { return c.Defaults.Provider }, "claude"},
		"a prefix of branches":       {"defaults: {branch_prefix: work/}\n", func(c *Config) any { return c.Defaults.BranchPrefix }, "work/"},
		"an empty one":               {"defaults: {branch_prefix: \"\"}\n", func(c *Config) any { return c.Defaults.BranchPrefix }, "chant/"},
		"a folder of the project":    {"worktree: {dir: ../trees}\n", func(c *Config) any { return c.Worktree.Dir }, filepath.FromSlash("/home/trees")},
		"a folder of the machine":    {"worktree: {dir: /trees}\n", func(c *Config) any { return c.Worktree.Dir }, "/trees"},
		"one port range":             {"worktree: {ports: {start: 3000}}\n", func(c *Config) any { return c.Worktree.Ports }, portRange{3000, 20}},
		"a project's name":           {"project: {prefix: app-}\n", func(c *Config) any { return c.Project.Name }, "x"},
		"the older rotation":         {"defaults: {rotation_strategy: round-robin}\n", func(c *Config) any { return schedule.Rotation(c.Parallel.Rotation) }, schedule.Rotation("round_robin")},
		"minutes":                    {"watch: {idle_timeout_minutes: 0}\n", func(c *Config) any { return int(c.Watch.Idle) }, 0},
		"a rule for one person":      {"approval: {rules: [{label: x}]}\n", func(c *Config) any { return c.Approval.SpecRules()[0].Count }, 1},
		"an action of rejections":    {"approval: {rejection_action: group}\n", func(c *Config) any { return c.Approval.Rejection }, RejectGroup},
		"one command":                {"verify: {commands: make}\n", func(c *Config) any { return c.Verify.Commands[0].Run }, "make"},
		"one command with a key":     {"verify: {defaults: {run: make}}\n", func(c *Config) any { return c.Verify.Commands[0].Run }, "make"},
		"a severity without a value": {"lint: {severity: {title: }}\n", func(c *Config) any { return len(c.Lint.Severity) }, 0},
		"no pattern":                 {"retry: {retryable_patterns: [~]}\n", func(c *Config) any { return len(c.Retry.Policy().Patterns) }, 0},
		"a merged mapping":           {"prices: {a: &a {input: 1, output: 2}, b: {<<: *a, input: 3}}\n", func(c *Config) any { return c.Prices.Table()["b"].Output }, 2.0},
		"a word for a status":        {"tasks: {statuses: {Review: needs_attention}}\n", func(c *Config) any { return c.Tasks.Statuses["Review"] }, spec.NeedsAttention},
		"a prefix of tasks":          {"tasks: {project: AUTH}\n", func(c *Config) any { return c.Tasks.Project }, "AUTH"},
		"servers of a fleet":         {"fleet: {url: \"nats://a:4222, tls://[::1]:4222\"}\n", func(c *Config) any { return strings.Join(c.Fleet.Servers(), " ") }, "nats://a:4222 tls://[::1]:4222"},
		"no fleet":                   {"fleet:\n  url:\n", func(c *Config) any { return len(c.Fleet.Servers()) }, 0},
		"credentials of a user":      {"fleet: {credentials: ~/.config/chant/fleet.creds}\n", func(c *Config) any { return c.Fleet.Credentials }, "~/.config/chant/fleet.creds"},
		"certificates of a project":  {"fleet: {ca: .chant/ca.pem}\n", func(c *Config) any { return c.Fleet.CA }, filepath.FromSlash("/home/x/.chant/ca.pem")},
		"the usual remote":           {"fleet: {land: pr}\n", func(c *Config) any { return c.Fleet.Remote + " " + string(c.Fleet.Land) }, "origin pr"},
		"another remote":             {"fleet:\n  remote: team/fork.x\n  land:\n", func(c *Config) any { return c.Fleet.Remote + " " + string(c.Fleet.Land) }, "team/fork.x merge"},
		"a limit of an account":      {"fleet: {accounts: {claude: {starts_per_minute: 5}, codex: }}\n", func(c *Config) any { return c.Fleet.Accounts["claude"].Starts + c.Fleet.Accounts["codex"].Starts }, 5},
		"no front matter key at all": {"", func(c *Config) any { return c.Watch.Idle }, 5},
	} {
		got := c.get(settings(t, c.front))
		assert.True(t, got == c.want, "%s: %v, want %v", name, got, c.want)
	}
}

// TestReadWhatFits: the valid values of broken settings are read.
func TestReadWhatFits(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeSettings(t, dir, `---
limits: {time: 5x, check: 3m}
parallel:
  agents:
    - {name: a, provider: claude}
    - {name: b}
    - {name: a, provider: codex}
project: {name: mine}
---
`)
	c, err := ReadWhatFits(dir, nil)
	assert.NoError(t, err, "%+v", c.Faults)
	assert.NotEqual(t, 0, len(c.Faults), "%+v", c.Faults)
	assert.True(t, c.IsFaulty("limits.time"), "%v, faults %+v", err, c.Faults)
	assert.False(t, c.IsFaulty("limits.check"), "%v, faults %+v", err, c.Faults)
	assert.Equal(t, 3*time.Minute, time.Duration(c.Limits.Check))
	assert.Equal(t, "mine", c.Project.Name)
	assert.Equal(t, 1, len(c.Parallel.Agents))
	assert.Equal(t, "a", c.Parallel.Agents[0].Name)
	if _, err := ReadConfig(dir, nil); err == nil {
		t.Error("settings with a fault were read")
	}
	writeSettings(t, dir, "---\nlimits: [\n---\n")
	c, err = ReadWhatFits(dir, nil)
	assert.NoError(t, err, "settings that are no YAML")
	assert.Error(t, c.Broken, "settings that are no YAML")
	assert.Equal(t, "claude", c.Defaults.Provider, "settings that are no YAML")
	assert.Equal(t, 10*time.Minute, time.Duration(c.Limits.Check), "settings that are no YAML")
	c, err = ReadWhatFits(t.TempDir(), nil)
	assert.NoError(t, err)
	assert.NoError(t, c.Broken)
	assert.Zero(t, c.Faults)
	assert.NotEqual(t, "", c.Project.Name)
}

// TestFaulty: a key is faulty if it, a key above it or one below it could not be read.
func TestFaulty(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeSettings(t, dir, "---\nproviders:\n  mine: {api: [x], endpoint: http://x}\n  other: {api: openai}\nnonsense: 1\n---\n")
	c, err := ReadWhatFits(dir, nil)
	assert.NoError(t, err)
	for key, want := range map[string]bool{"providers.mine.api": true, "providers.mine.api.deeper": true, "providers.mine": true, "providers": true, "providers.other": false, "providers.mine2": false, "nonsense": false, "limits": false} {
		assert.Equal(t, want, c.IsFaulty(key), "%s: %+v", key, c.Faults)
	}
	for keys, want := range map[string]int{"providers": 2, "providers mine": 3, "providers other": 4, "providers gone": 2} {
		assert.Equal(t, want, c.Line(strings.Fields(keys)...), "%s: line", keys)
	}
}

// TestTighten: gates are added and none is removed.
func TestTighten(t *testing.T) {
	t.Parallel()
	const own = "approval: {rules: [{label: a}, {label: b, approvers: [x@y.z]}]}\nenterprise: {required: [team]}\n"
	for name, c := range map[string]struct {
		by                      string
		work, strict, necessary bool
		rules                   int
		required                []string
	}{
		"by nothing":                    {"", false, false, false, 2, []string{"team"}},
		"by the same":                   {own, false, false, false, 2, []string{"team"}},
		"approval of work":              {"approval: {require_approval_for_agent_work: true}\n", true, false, false, 2, []string{"team"}},
		"output":                        {"validation: {strict_output_validation: true}\n", false, true, false, 2, []string{"team"}},
		"something to verify":           {"verify: {require: true}\n", false, false, true, 2, []string{"team"}},
		"another rule":                  {"approval: {rules: [{label: c}]}\n", false, false, false, 3, []string{"team"}},
		"the same label, other people":  {"approval: {rules: [{label: b}]}\n", false, false, false, 3, []string{"team"}},
		"the same label, another count": {"approval: {rules: [{label: a, count: 2}]}\n", false, false, false, 3, []string{"team"}},
		"further keys":                  {"enterprise: {required: [team, ticket]}\n", false, false, false, 2, []string{"team", "ticket"}},
	} {
		have := settings(t, own)
		have.Tighten(settings(t, c.by))
		assert.Equal(t, c.work, have.Approval.AgentWork, "%s", name)
		assert.Equal(t, c.strict, have.Validation.Strict, "%s", name)
		assert.Equal(t, c.necessary, have.Verify.Require, "%s", name)
		assert.Equal(t, c.rules, len(have.Approval.Rules), "%s: %+v, %q", name, have.Approval.Rules, have.Enterprise.Required)
		assert.Equal(t, c.required, []string(have.Enterprise.Required), "%s: %+v, %q", name, have.Approval.Rules, have.Enterprise.Required)
	}
	strict := settings(t, "validation: {strict_output_validation: true}\nverify: {require: true}\napproval: {require_approval_for_agent_work: true}\n")
	strict.Tighten(settings(t, ""))
	assert.True(t, strict.Validation.Strict, "settings without gates have taken some away")
	assert.True(t, strict.Verify.Require, "settings without gates have taken some away")
	assert.True(t, strict.Approval.AgentWork, "settings without gates have taken some away")
}

// TestSumLimits: which limit is reported: that of time, then of cost, tokens and turns.
func TestSumLimits(t *testing.T) {
	t.Parallel()
	l := settings(t, "limits: {day: {cost: 2, tokens: 100, turns: 5, time: 1m}}\n").Limits.Day
	usd := func(n float64) *float64 { return &n }
	for name, c := range map[string]struct {
		use  spec.Use
		took time.Duration
		want string
	}{
		"nothing used":   {spec.Use{}, 0, ""},
		"less than all":  {spec.Use{Cost: usd(1.99), Tokens: 99, Turns: 4}, 59 * time.Second, ""},
		"time":           {spec.Use{}, time.Minute, "time limit of the day reached: 1m0s of 1m0s"},
		"time and cost":  {spec.Use{Cost: usd(3)}, 2 * time.Minute, "time limit of the day reached: 2m0s of 1m0s"},
		"cost":           {spec.Use{Cost: usd(2), Tokens: 100}, 0, "cost limit of the day reached: $2.00 of $2.00"},
		"unknown cost":   {spec.Use{Tokens: 100}, 0, "token limit of the day reached: 100 of 100"},
		"turns":          {spec.Use{Turns: 6}, 0, "turn limit of the day reached: 6 of 5"},
		"without limits": {spec.Use{Cost: usd(9), Tokens: 999, Turns: 99}, time.Hour, ""},
	} {
		limits := l
		if name == "without limits" {
			limits = SumLimits{}
		}
		assert.Equal(t, c.want, limits.LimitReached("day", c.use, c.took), "%s", name)
	}
}

// TestRetryConfig: settings replace the values of the default policy, and an empty list its patterns.
func TestRetryConfig(t *testing.T) {
	t.Parallel()
	usual := schedule.DefaultRetry()
	plain := settings(t, "").Retry.Policy()
	assert.Equal(t, usual.Max, plain.Max)
	assert.Equal(t, usual.Delay, plain.Delay)
	assert.Equal(t, usual.Factor, plain.Factor)
	assert.Equal(t, len(usual.Patterns), len(plain.Patterns))
	assert.Equal(t, usual.Finally, plain.Finally)
	own := settings(t, "retry: {max_retries: 0, retry_delay_ms: 250, backoff_multiplier: 1.5, retryable_patterns: [\"^503\"], on_permanent_failure: stop}\n").Retry.Policy()
	assert.Equal(t, 0, own.Max)
	assert.Equal(t, 250*time.Millisecond, own.Delay)
	assert.Equal(t, 1.5, own.Factor)
	assert.Equal(t, 1, len(own.Patterns))
	assert.True(t, own.Patterns[0].MatchString("503 x"), "%+v", own)
	assert.Equal(t, "stop", own.Finally)
	none := settings(t, "retry: {retryable_patterns: []}\n").Retry.Policy()
	assert.Zero(t, none.Patterns)
	assert.Equal(t, usual.Max, none.Max)
	older := settings(t, "watch: {failure: {max_retries: 7}}\n").Retry.Policy()
	assert.Equal(t, 7, older.Max, "where the older chant has it: %+v", older)
	both := settings(t, "retry: {max_retries: 1}\nwatch: {failure: {max_retries: 7}}\n").Retry.Policy()
	assert.Equal(t, 1, both.Max, "in both places: %+v", both)
}

// TestLoop: a provider is chant's own loop if it has the name of an api, or if its settings name one.
func TestLoop(t *testing.T) {
	t.Parallel()
	c := settings(t, "providers:\n  mine: {api: openai, endpoint: http://localhost:1, key_env: MY_KEY, max_turns: 3, retry_delay_ms: 20, max_retries: 0}\n  ollama: {context: 9000}\n  bare: {max_turns: 1}\n")
	for name, want := range map[string]struct {
		api string
		ok  bool
	}{"mine": {"openai", true}, "ollama": {"ollama", true}, "anthropic": {"anthropic", true}, "bare": {"", false}, "unknown": {"", false}} {
		l, ok := c.Providers.Loop(name)
		assert.Equal(t, want.ok, ok)
		assert.False(t, ok && l.API != want.api, "%s: %+v, %v", name, l, ok)
		assert.Equal(t, name, l.Name)
	}
	mine, _ := c.Providers.Loop("mine")
	assert.Equal(t, "http://localhost:1", mine.Endpoint)
	assert.Equal(t, "MY_KEY", mine.KeyEnv)
	assert.Equal(t, 3, mine.MaxTurns)
	assert.Equal(t, 20, mine.RetryDelay)
	assert.NotZero(t, mine.MaxRetries)
	assert.Equal(t, 0, *mine.MaxRetries)
	own, _ := c.Providers.Loop("ollama")
	assert.Equal(t, 9000, own.Context)
	assert.Zero(t, own.MaxRetries)
}

// TestProviderFields_over: what a file does not set stays as in the definition that it is like.
func TestProviderFields_over(t *testing.T) {
	t.Parallel()
	words := func(all []cli.Group) string {
		var out []string
		for _, g := range all {
			out = append(out, fmt.Sprintf("%s%v", strings.Join(g.Words, " "), g.Optional))
		}
		return strings.Join(out, ", ")
	}
	like := cli.Definition{
		Command: "claude", Events: "claude", Args: []cli.Group{{Words: []string{"-p"}}}, Resume: []cli.Group{{Words: []string{"--resume"}}}, Stdin: true,
		Env: map[string]string{"A": "1"}, Pass: []string{"X"},
	}
	for name, c := range map[string]struct {
		front string
		check func(d cli.Definition) bool
	}{
		"nothing":         {"like: claude\n", func(d cli.Definition) bool { return d.Command == "claude" && words(d.Args) == "-pfalse" && d.Stdin }},
		"another program": {"command: mine\n", func(d cli.Definition) bool { return d.Command == "mine" && d.Events == "claude" }},
		"other arguments": {"args: [run, [--model, \"{{model}}\"]]\n", func(d cli.Definition) bool { return words(d.Args) == "runfalse, --model {{model}}true" }},
		"no arguments":    {"args: []\n", func(d cli.Definition) bool { return len(d.Args) == 0 && words(d.Resume) == "--resumefalse" }},
		"further arguments": {"extra_args: [--fast]\n", func(d cli.Definition) bool {
			return words(d.Args) == "-pfalse, --fastfalse" && words(d.Resume) == "--resumefalse, --fastfalse" && len(d.ReadOnly) == 0
		}},
		"the prompt in a file": {"prompt: file\n", func(d cli.Definition) bool { return !d.Stdin }},
		"variables": {"env: {B: \"2\"}\npass: [Y]\n", func(d cli.Definition) bool {
			return d.Env["A"] == "1" && d.Env["B"] == "2" && d.OwnEnv["B"] == "2" && slices.Equal(d.Pass, []string{"X", "Y"})
		}},
	} {
		f, err := ReadProvider("mine.md", []byte("---\n"+c.front+"---\n"))
		d := like
		if err == nil {
			f.ApplyTo(&d)
		}
		assert.NoError(t, err, "%s", name)
		assert.True(t, c.check(d), "%s: %+v, %v", name, d, err)
	}
	assert.Equal(t, "", like.Env["B"], "what it is like has changed")
	assert.Equal(t, 1, len(like.Args), "what it is like has changed")
	for front, want := range map[string]string{
		"args: run\n":         "mine.md:2: ",
		"args: [{{model}}]\n": "mine.md:2: ",
		"prompt: mail\n":      `mine.md:2: prompt: "mail"`,
		"endpoint: \"x\"\n":   `mine.md:2: invalid URL "x"`,
		"args: [[[deep]]]\n":  "mine.md:2: ",
		"env: {CHANT_X: y}\n": "mine.md:2: env: ",
		"like: [\n":           "mine.md:",
	} {
		_, err := ReadProvider("mine.md", []byte("---\n"+front+"---\n"))
		assert.Error(t, err, "%s", front)
		assert.Contains(t, err.Error(), want, "%s", front)
	}
}
