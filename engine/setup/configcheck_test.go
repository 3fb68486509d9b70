package setup

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/spec/lint"
	"chant/engine/verify/linter"
	"chant/providers/wall"

	"github.com/alecthomas/assert/v2"
)

// The settings in the manual are valid, and chant config shows them as they are.
func TestCheckConfig_manual(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../cmd/guide/settings.md")
	assert.NoError(t, err)
	block := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindSubmatch(page)
	assert.True(t, block != nil, "the manual shows no settings")
	_, dir := initialized(t)
	enginetest.Write(t, dir, ".chant/config.md", "---\n"+string(block[1])+"---\n")
	p, err := engine.Open(dir, engine.Options{Environ: []string{"PATH=/nowhere", "OPENAI_API_KEY=x"}})
	assert.NoError(t, err)
	assert.Zero(t, p.Config.Faults)
	lenient, err := openLeniently(dir, engine.Options{})
	assert.NoError(t, err)
	for name, of := range map[string]*engine.Project{"read as a whole": p, "of what fits": lenient} {
		r, err := Config(t.Context(), of, ConfigInput{})
		assert.NoError(t, err)
		got := fmt.Sprint(r.Settings["worktree"])
		assert.Contains(t, got, "copy:[.env]", "%s", name)
		assert.Contains(t, got, "ports:map[count:20 start:20000]", "%s", name)
	}
}

// check runs CheckConfig in a new project with these settings.
func check(t *testing.T, settings string, environ ...string) CheckConfigResult {
	t.Helper()
	_, dir := initialized(t)
	enginetest.Write(t, dir, ".chant/config.md", settings)
	r, err := CheckConfig(t.Context(), dir, engine.Options{Environ: environ}, CheckConfigInput{})
	assert.NoError(t, err)
	return r
}

func TestCheckConfig_canceled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	}))
	defer silent.Close()
	_, dir := initialized(t)
	enginetest.Write(t, dir, ".chant/config.md", "---\nproviders: {ollama: {endpoint: '"+silent.URL+"'}}\n---\n")
	_, err := CheckConfig(ctx, dir, engine.Options{}, CheckConfigInput{})
	var known *engine.Error
	assert.True(t, errors.As(err, &known), "%v", err)
	assert.Equal(t, engine.Canceled, known.Code)
}

// The valid part of broken settings is checked.
func TestCheckConfig_broken(t *testing.T) {
	t.Parallel()
	for settings, want := range map[string]string{
		"---\ndefaults: {rotation_strategy: best, provider: gone}\n---\n":                        "2 bad_value, 2 provider",
		"---\ndefaults: text\n---\n":                                                             "2 bad_value",
		"---\ndefaults: {provider: shell}\nparallel: {agents: [{name: a}, {command: b}]}\n---\n": "2 missing_binary, 3 bad_value, 3 missing_binary",
		"---\ndefaults: {provider: shell}\ndefaults: {}\n---\n":                                  "3 parse",
		"---\n- a\n---\n":   "2 parse",
		"no front matter\n": "1 missing_binary",
		// A value that cannot be read is not replaced by a default that would be checked.
		"---\ndefaults: {provider: [a]}\n---\n":                                                                                                   "2 bad_value",
		"---\ndefaults: {provider: openai, model: m}\nproviders: text\n---\n":                                                                     "3 bad_value",
		"---\ndefaults: {provider: mine}\nproviders:\n  mine: {api: openai, endpoint: 'ftp://x'}\n---\n":                                          "4 bad_value",
		"---\ndefaults: {provider: mine, model: m}\nproviders:\n  mine: {api: openai, endpoint: not a url, key_env: 1}\n---\n":                    "4 bad_value, 4 bad_value",
		"---\ndefaults: {provider: shell}\nproviders:\n  mine: {api: openai, endpoint: 'ftp://x'}\nparallel: {agents: [{provider: mine}]}\n---\n": "2 missing_binary, 4 bad_value",
		"---\ndefaults: {provider: mine}\nproviders:\n  mine:\n    api: ollama\n    endpoint: 'ftp://x'\n    context: 100\n---\n":                 "6 bad_value, 7 bad_value",
		"---\ndefaults: {provider: mine}\nproviders:\n  mine:\n    endpoint: 'ftp://x'\n---\n":                                                    "4 bad_value, 5 bad_value",
		"---\ndefaults: {provider: mine}\nproviders:\n  mine: {api: opanai}\n---\n":                                                               "4 bad_value",
		"---\ndefaults: {provider: openai}\nproviders:\n  openai: {endpoint: ''}\n  openai: {}\n---\n":                                            "5 bad_value",
	} {
		var got []string
		for _, f := range check(t, settings, "PATH=/nowhere").Findings {
			got = append(got, fmt.Sprintf("%d %s", f.Line, f.Rule))
		}
		assert.Equal(t, want, strings.Join(got, ", "), "%q", settings)
	}
}

// A rule that is off for lint is checked here nevertheless.
func TestCheckConfig_severity(t *testing.T) {
	t.Parallel()
	_, dir := initialized(t)
	enginetest.Write(t, dir, ".chant/config.md", "---\ndefaults: {provider: shell}\nlint: {disable: [unknown_key, prompt]}\n---\n")
	enginetest.Write(t, dir, ".chant/specs/2026-01-01-001-aaa.md", "---\nstatus: pending\ncolour: red\nprompt: gone\n---\n# A\n")
	r, err := CheckConfig(t.Context(), dir, engine.Options{Environ: os.Environ()}, CheckConfigInput{})
	assert.NoError(t, err)
	assert.Equal(t, 2, len(r.Findings))
	assert.Equal(t, 3, r.Findings[0].Line)
	assert.Equal(t, lint.PromptRule, r.Findings[1].Rule)
	assert.Equal(t, "2026-01-01-001-aaa", r.Findings[1].ID)
}

// A prefix that cannot begin an id is refused, because no command would accept the specs created with it.
func TestReadConfig_prefix(t *testing.T) {
	t.Parallel()
	for prefix, said := range map[string]string{
		"a b":                      `"a b" cannot begin an id, which may not contain ' '`,
		"../x":                     `"../x" cannot begin an id, which may not contain ".."`,
		"x/y":                      `"x/y" cannot begin an id, which may not contain '/'`,
		"-x":                       `"-x" cannot begin an id, which may not begin with "-" or "."`,
		".x":                       `".x" cannot begin an id, which may not begin with "-" or "."`,
		"a\nb":                     `"a\nb" cannot begin an id, which may not contain '\n'`,
		strings.Repeat("x", 190):   `"` + strings.Repeat("x", 190) + `" cannot begin an id, which is longer than 200 bytes`,
		"":                         "",
		"web":                      "",
		"my-web_2.0":               "",
		"ä":                        "",
		"42":                       "",
		strings.Repeat("long", 30): "",
	} {
		_, dir := initialized(t)
		enginetest.Write(t, dir, ".chant/config.md", fmt.Sprintf("---\ndefaults: {provider: shell}\nproject: {prefix: %q}\n---\n", prefix))
		_, err := engine.Open(dir, engine.Options{})
		r, failed := CheckConfig(t.Context(), dir, engine.Options{Environ: os.Environ()}, CheckConfigInput{})
		assert.NoError(t, failed)
		if said == "" {
			assert.NoError(t, err, "%q: %+v", prefix, r.Findings)
			assert.Zero(t, r.Findings, "%q: %+v", prefix, r.Findings)
			continue
		}
		assert.Equal(t, engine.Invalid, enginetest.CodeOf(t, err), "%q: %s", prefix, said)
		assert.Contains(t, err.Error(), "config.md:3: "+said, "%q: %s", prefix, said)
		assert.Equal(t, 1, len(r.Findings), "%q", prefix)
		assert.Equal(t, 3, r.Findings[0].Line, "%q", prefix)
		assert.Equal(t, "project.prefix: "+said, r.Findings[0].Message, "%q", prefix)
	}
}

// All mistakes under verify are reported at once, each with its line.
func TestCheckConfig_verify(t *testing.T) {
	t.Parallel()
	for settings, want := range map[string][]string{
		"verify:\n  protect: [\"[\"]\n  retries: -1\n  pass: [\"A=B\"]\n": {"4 verify: protect: ", "5 verify: retries is a number from 0 to 10", `6 verify: pass: invalid environment variable name "A=B"`},
		"verify:\n  timeout: never\n  dir: ../x\n  env:\n    A: b\n    C=D: e\n  protect: /x\n  retries: 99\n  colour: red\n": {
			`4 verify.timeout: invalid duration "never"`, `5 verify: dir "../x" leaves`, `8 verify: invalid environment variable name "C=D"`, `9 verify: protect: "/x"`, "10 verify: retries is", `11 unknown key "verify.colour"`,
		},
		"verify:\n  defaults:\n  - {run: a, timeout: b, retries: 99}\n  - ''\n  - {run: [a]}\n  retries: 99\n": {
			`5 verify.defaults[0].timeout: invalid duration "b"`, "5 verify.defaults[0]: retries", "6 verify.defaults[1]: a command of verify is empty", "7 verify.defaults[2].run: a list is not a text", "8 verify: retries",
		},
		"verify:\n  env:\n    A: b\n    CHANT_SPEC_ID: y\n  pass:\n  - B\n  - CHANT_TIMEOUT\n  - CHANT_*\n": {
			"6 verify: env: chant itself sets CHANT_SPEC_ID", "9 verify: pass: chant itself sets CHANT_TIMEOUT", "10 verify: pass: chant itself sets CHANT_*",
		},
		"verify: &v {retries: 3}\nlimits: {time: soon}\n": {`4 limits.time: invalid duration "soon"`},
	} {
		var got []string
		for _, f := range check(t, "---\ndefaults: {provider: shell}\n"+settings+"---\n", os.Environ()...).Findings {
			got = append(got, fmt.Sprintf("%d %s", f.Line, f.Message))
		}
		same := len(got) == len(want)
		for i := range min(len(got), len(want)) {
			same = same && strings.HasPrefix(got[i], want[i])
		}
		assert.True(t, same, "%s: got\n%s\nwant\n%s", settings, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// All mistakes in a list or mapping that is read as a whole are reported at once, each with its line, and the valid
// part is checked.
func TestCheckConfig_wholes(t *testing.T) {
	t.Parallel()
	for settings, want := range map[string][]string{
		"enterprise:\n  derived:\n    a: {from: moon}\n    status: {from: env, pattern: '-', validate: {type: x}}\n    b: {from: env, pattern: B}\n": {
			`5 enterprise.derived.a: unknown source "moon"`, `6 enterprise.derived.status: "status" cannot be derived`, "6 enterprise.derived.status: validate must be", `6 enterprise.derived.status: invalid environment variable name "-"`,
		},
		"parallel:\n  agents:\n  - {name: a, command: no-a}\n  - {name: a, provider: shell}\n  - {name: b, command: no-b}\n  - {name: b, command: no-c}\n  - {name: c, weight: 500}\n": {
			`5 provider "a": program "no-a" not found`, `6 parallel.agents: a second agent is called "a"`, `7 provider "b": program "no-b" not found`, `8 parallel.agents: a second agent is called "b"`,
			`9 parallel.agents[4]: agent "c" names neither`, `9 parallel.agents[4]: agent "c" weighs more`,
		},
		"limits: {time: 1h}\nlimits_: 1\nwatch:\n  poll_interval_ms: 5\n  poll_interval_ms: 6\n": {
			`4 unknown key "limits_"`, "7 watch.poll_interval_ms: appears twice, first on line 6",
		},
		"approval:\n  rules:\n  - label: x\n    approvers:\n    - ann\n    - bob\n    count: 3\n  - {label: ''}\n": {
			`7 approval.rules[0]: approval.rules: "ann" is not a mail`, `8 approval.rules[0]: approval.rules: "bob" is not a mail`, "9 approval.rules[0]: approval.rules: 3 approvals cannot", "10 approval.rules[1]: approval.rules: a rule needs",
		},
	} {
		var got []string
		for _, f := range check(t, "---\ndefaults: {provider: shell}\n"+settings+"---\n", os.Environ()...).Findings {
			got = append(got, fmt.Sprintf("%d %s", f.Line, f.Message))
		}
		if !slices.EqualFunc(got, want, strings.HasPrefix) {
			t.Errorf("%s: got\n%s\nwant\n%s", settings, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// An invalid value of a spec does not hide other mistakes.
func TestCheckConfig_brokenSpec(t *testing.T) {
	t.Parallel()
	_, dir := initialized(t)
	enginetest.Write(t, dir, ".chant/config.md", "---\ndefaults: {provider: shell}\n---\n")
	enginetest.Write(t, dir, ".chant/specs/2026-01-01-001-aaa.md", "---\nlimits: {cost: x, tokens: y}\nprovider: nosuch\nprompt: nosuch\nverify: {retries: 99}\ncolour: red\n---\n# A\n")
	enginetest.Write(t, dir, ".chant/specs/2026-01-01-002-bbb.md", "---\nstatus: completed\nlimits: {cost: x}\nprovider: nosuch\n---\n# B\n")
	enginetest.Write(t, dir, ".chant/specs/2026-01-01-003-ccc.md", "---\nstatus: odd\nlimits: {cost: x}\n---\n# C\n")
	enginetest.Write(t, dir, ".chant/specs/2026-01-01-004-ddd.md", "---\nlimits: {cost: 1, trns: 3}\nprovider: nosuch\ncolour: red\n---\n# D\n")
	enginetest.Write(t, dir, ".chant/specs/2026-01-01-005-eee.md", "---\nverify: {commands: [{run: \"true\", tmeout: 1m}], bogus: 1}\nlimits:\n  cost: x\n---\n# E\n")
	enginetest.Write(t, dir, ".chant/specs/2026-01-01-006-fff.md", "---\nstatus: odd\ncolour: red\nprompt: nosuch\n---\n# F\n")
	enginetest.Write(t, dir, ".chant/specs/2026-01-01-007-ggg.md", "---\nstatus: completed\nlimits: {cost: 1, trns: 3}\n---\n# G\n")
	r, err := CheckConfig(t.Context(), dir, engine.Options{Environ: os.Environ()}, CheckConfigInput{})
	assert.NoError(t, err)
	var got []string
	for _, f := range r.Findings {
		got = append(got, fmt.Sprintf("%s %d %s", f.ID[11:14], f.Line, f.Rule))
	}
	want := "001 2 parse, 001 2 parse, 001 3 provider, 001 4 prompt, 001 5 parse, 001 6 unknown_key, 002 3 parse, 003 2 parse, 003 3 parse, " +
		"004 2 unknown_key, 004 3 provider, 004 4 unknown_key, 005 2 unknown_key, 005 2 unknown_key, 005 4 parse, 006 2 parse, 006 3 unknown_key, 006 4 prompt, 007 3 unknown_key"
	assert.Equal(t, want, strings.Join(got, ", "), "%+v", r.Findings)
}

// A value with which a command would fail, or do something unintended, is an error with its line. A value that may be
// wrong is a warning, and no command refuses it.
func TestCheckConfig_values(t *testing.T) {
	t.Parallel()
	for settings, test := range map[string]struct {
		want    string
		allowed bool // to every other command
	}{
		"watch:\n  idle_timeout_minutes: -1":                                                      {want: `4 watch.idle_timeout_minutes: "-1" is not a whole number from 0`},
		"watch:\n  idle_timeout_minutes: 99999999999":                                             {want: `4 watch.idle_timeout_minutes: "99999999999" is longer than a year`},
		"watch:\n  poll_interval_ms: 0":                                                           {want: `4 watch.poll_interval_ms: "0" is not a whole number from 1`},
		"watch:\n  poll_interval_ms: -1":                                                          {want: `4 watch.poll_interval_ms: "-1" is not a whole number from 0`},
		"worktree:\n  spares: -1":                                                                 {want: `4 key "worktree.spares" does nothing any more`, allowed: true},
		"worktree: {recycle: perhaps}":                                                            {want: `3 key "worktree.recycle" does nothing any more`, allowed: true},
		"retry:\n  retry_delay_ms: 9223372036854775807":                                           {want: `4 retry.retry_delay_ms: "9223372036854775807" is longer than a year`},
		"parallel:\n  stagger_delay_ms: 10000000000000":                                           {want: `4 parallel.stagger_delay_ms: "10000000000000" is longer than a year`},
		"retry:\n  backoff_multiplier: Inf":                                                       {want: `4 retry.backoff_multiplier: invalid number "Inf" (use one from 1)`},
		"retry:\n  backoff_multiplier: NaN":                                                       {want: `4 retry.backoff_multiplier: invalid number "NaN" (use one from 1)`},
		"worktree:\n  copy:\n  - .env\n  - '[bad'":                                                {want: `6 worktree.copy: "[bad" is not a glob`},
		"worktree:\n  copy: ['a', '']":                                                            {want: `4 worktree.copy: "" leaves the repository`},
		"worktree:\n  copy:\n  - .chant/config.md":                                                {want: `5 worktree.copy: ".chant/config.md" matches no file of your checkout that git ignores`, allowed: true},
		"worktree: {link: [.chant, gone/x]}":                                                      {want: `3 worktree.link: "gone/x" does not exist in your checkout`, allowed: true},
		"worktree:\n  link:\n  - a\n  - ../x":                                                     {want: `6 worktree.link: "../x" leaves the repository`},
		"worktree:\n  copy: ../x":                                                                 {want: `4 worktree.copy: "../x" leaves the repository`},
		"prices:\n  '': {input: 1, output: 2}":                                                    {want: `4 prices: "" is not the name of a model`, allowed: true},
		"verify:\n  dir: nowhere":                                                                 {want: `4 verify.dir: there is no folder "nowhere"`, allowed: true},
		"verify:\n  dir: .chant/config.md":                                                        {want: `4 verify.dir: there is no folder ".chant/config.md"`, allowed: true},
		"defaults:\n  provider: shell\n  model: two words":                                        {want: `5 defaults.model: model "two words" is not one word`, allowed: true},
		"defaults:\n  provider: shell\n  split_model: '-x'":                                       {want: `5 defaults.split_model: model "-x" is not one word`, allowed: true},
		"parallel:\n  agents:\n  - {provider: shell}\n  - {name: a, provider: shell, model: a b}": {want: `6 parallel.agents: "a": model "a b" is not one word`, allowed: true},
		"watch: {idle_timeout_minutes: 0, poll_interval_ms: 1}\nworktree: {link: [.chant]}\n" +
			"retry: {retry_delay_ms: 0, backoff_multiplier: 1}\nprices: {'*': {input: 1, output: 1}}\nverify: {dir: .chant, commands: 'true'}": {allowed: true},
	} {
		if !strings.Contains(settings, "defaults:") {
			settings = "defaults: {provider: shell}\n" + settings
		} else {
			settings = "# so that the lines agree\n" + settings
		}
		var got []string
		for _, f := range check(t, "---\n"+settings+"\n---\n", os.Environ()...).Findings {
			got = append(got, fmt.Sprintf("%d %s", f.Line, f.Message))
		}
		all := strings.Join(got, "\n")
		assert.True(t, len(got) <= 1, "%s: %s, want %s", settings, all, test.want)
		assert.HasPrefix(t, all, test.want, "%s", settings)
		assert.False(t, test.want == "" && all != "", "%s: %s, want %s", settings, all, test.want)
		_, dir := initialized(t)
		enginetest.Write(t, dir, ".chant/config.md", "---\n"+settings+"\n---\n")
		_, err := engine.Open(dir, engine.Options{})
		assert.Equal(t, test.allowed, err == nil, "%s", settings)
	}
}

// Lint and the check of the settings check prompt extensions as they check prompts; a broken one is reported for its
// file.
func TestCheckPrompts_extensions(t *testing.T) {
	t.Parallel()
	_, dir := initialized(t)
	enginetest.Write(t, dir, ".chant/config.md", "---\ndefaults:\n  provider: shell\n  prompt_extensions: [named, torn, gone]\n---\n")
	enginetest.Write(t, dir, ".chant/prompts/extensions/named.md", "Do {{spec.id}}.\n\nSee {{spec.bad}}.\n")
	enginetest.Write(t, dir, ".chant/prompts/extensions/torn.md", "---\npurpose: x\n")
	enginetest.Write(t, dir, ".chant/prompts/extensions/unnamed.md", "---\npurpose: x\n---\n{{spec.worse}}\n")
	enginetest.Write(t, dir, ".chant/prompts/extensions/more.md", "---\nextends: standard\n---\n{{> parent}}\n")
	enginetest.Write(t, dir, ".chant/prompts/command.md", "---\nc1: git\nc2: group-commit\nc3: unstaged-changes\ntitle: T\ndescription: D\n"+
		"usage: u\nc3l_version: \"0.5\"\noptions:\n  edition: [default]\n  file: false\nuv:\n  - name: a name\n---\n{uv-name} {uv-spec_titel}\n")
	checked, err := CheckConfig(t.Context(), dir, engine.Options{Environ: os.Environ()}, CheckConfigInput{})
	assert.NoError(t, err)
	p, err := engine.Open(dir, engine.Options{Environ: os.Environ()})
	assert.NoError(t, err)
	linted, err := linter.Lint(t.Context(), p, linter.LintInput{})
	assert.NoError(t, err)
	want := []string{
		`config.md:4 prompt extension "gone" does not exist`,
		"prompts/command.md:15 {uv-spec_titel} is not a variable",
		"prompts/extensions/more.md:1 .chant/prompts/extensions/more.md extends a prompt",
		"prompts/extensions/named.md:3 {{spec.bad}} is not a variable",
		`prompts/extensions/torn.md:1 front matter has no closing line "---"`,
		"prompts/extensions/unnamed.md:4 {{spec.worse}} is not a variable",
	}
	for door, found := range map[string][]lint.Finding{"config": checked.Findings, "lint": linted.Findings} {
		var got []string
		for _, f := range found {
			got = append(got, fmt.Sprintf("%s:%d %s", strings.TrimPrefix(f.Path, ".chant/"), f.Line, f.Message))
		}
		slices.Sort(got)
		if !slices.EqualFunc(got, want, strings.HasPrefix) {
			t.Errorf("%s: got\n%s\nwant\n%s", door, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// TestCheckConfig_sandbox: a sandbox that is required and cannot be had is an error, and so is a path that no rule can be
// made for, where there is a sandbox.
func TestCheckConfig_sandbox(t *testing.T) {
	t.Parallel()
	there := t.TempDir()
	paths := fmt.Sprintf("{write: [%q, %q], checks: [/no/such/folder]}", there, there+"/missing")
	for name, c := range map[string]struct {
		settings string
		environ  []string
		want     []string // rules, where there is a wall
		open     []string // rules, where there is none
	}{
		"the usual":           {"sandbox: auto", nil, nil, nil},
		"off":                 {"sandbox: off", nil, nil, nil},
		"on":                  {"sandbox: on", nil, nil, []string{ruleSandbox}},
		"on, no folder":       {"defaults: {branch_prefix: run-}\nsandbox: on", nil, []string{ruleSandbox}, []string{ruleSandbox}},
		"auto, no folder":     {"defaults: {branch_prefix: run-}", nil, nil, nil},
		"on, off by variable": {"sandbox: on", []string{"CHANT_SANDBOX=off"}, nil, nil},
		"a wrong variable":    {"sandbox: off", []string{"CHANT_SANDBOX=maybe"}, []string{ruleSandbox}, []string{ruleSandbox}},
		"missing paths":       {"sandbox: " + paths, nil, []string{"bad_value", "bad_value"}, nil},
		"missing, off":        {"sandbox: " + strings.Replace(paths, "{", "{mode: off, ", 1), nil, nil, nil},
		"a wrong mode":        {"sandbox: perhaps", nil, []string{"bad_value"}, []string{"bad_value"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			settings := "---\ndefaults: {provider: shell}\n" + c.settings + "\n---\n"
			if strings.HasPrefix(c.settings, "defaults") {
				settings = "---\n" + strings.Replace(c.settings, "{branch", "{provider: shell, branch", 1) + "\n---\n"
			}
			r := check(t, settings, append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}, c.environ...)...)
			want := c.open
			if wall.Supported().Available {
				want = c.want
			}
			var got []string
			for _, f := range r.Findings {
				if f.Severity == lint.Error {
					got = append(got, f.Rule)
				}
			}
			assert.Equal(t, want, got, "%+v", r.Findings)
			assert.False(t, r.Sandbox.InForce && len(c.environ) > 0, "%+v", r.Sandbox)
			assert.NotEqual(t, "", r.Sandbox.Mode)
		})
	}
}

// Any answer of a server counts as success.
func TestCheckConfig_endpoints(t *testing.T) {
	t.Parallel()
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" {
			t.Error("a key was shown")
		}
		w.WriteHeader(http.StatusTeapot)
	}))
	defer up.Close()
	down := httptest.NewServer(nil)
	down.Close()
	r := check(t, "---\ndefaults: {provider: up, model: m}\nproviders:\n  up: {api: openai, endpoint: "+up.URL+", key_env: KEY}\n  keyless: {api: anthropic, endpoint: "+up.URL+", key_env: NONE}\n  down: {api: ollama, endpoint: '"+down.URL+"'}\n  small: {api: ollama, context: 100}\nparallel: {agents: [{provider: keyless}]}\n---\n", "PATH=/nowhere", "KEY=x")
	var got []string
	for _, f := range r.Findings {
		got = append(got, fmt.Sprintf("%d %s", f.Line, f.Rule))
	}
	assert.Equal(t, "6 unreachable_endpoint, 7 bad_value, 8 missing_variable", strings.Join(got, ", "), "%+v", r.Findings)
	assert.Equal(t, 3, r.Errors, "%+v", r.Findings)
}

// A spec that names a provider with invalid settings is not reported for a missing provider.
func TestCheckConfig_faultyProvider(t *testing.T) {
	t.Parallel()
	_, dir := initialized(t)
	enginetest.Write(t, dir, ".chant/config.md", "---\ndefaults: {provider: shell}\nproviders: {mine: {api: opanai}}\n---\n")
	enginetest.Write(t, dir, ".chant/specs/2026-01-01-001-aaa.md", "---\nstatus: pending\nprovider: mine\n---\n# A\n")
	r, err := CheckConfig(t.Context(), dir, engine.Options{Environ: os.Environ()}, CheckConfigInput{})
	assert.NoError(t, err)
	assert.Equal(t, 1, len(r.Findings))
	assert.Contains(t, r.Findings[0].Message, `unknown api "opanai"`)
}

// An invalid name of a provider is reported once, with its line.
func TestCheckConfig_providerName(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a b", "../x", "A/B", "-x", ".hid"} {
		_, dir := initialized(t)
		enginetest.Write(t, dir, ".chant/config.md", fmt.Sprintf("---\ndefaults:\n  provider: %q\nparallel:\n  agents:\n  - provider: shell\n  - provider: %q\n---\n", name, name))
		enginetest.Write(t, dir, ".chant/specs/2026-01-01-001-aaa.md", fmt.Sprintf("---\nstatus: pending\nprovider: %q\n---\n# A\n", name))
		r, err := CheckConfig(t.Context(), dir, engine.Options{Environ: os.Environ()}, CheckConfigInput{})
		assert.NoError(t, err)
		var got []string
		for _, f := range r.Findings {
			got = append(got, fmt.Sprintf("%s:%d %s", f.ID, f.Line, f.Message))
		}
		said := fmt.Sprintf("provider %q has no valid name", name)
		assert.Equal(t, []string{":3 " + said, ":7 " + said, "2026-01-01-001-aaa:3 " + said}, got)
	}
}

// All mistakes in a provider's file are reported at once, each with its line.
func TestCheckConfig_providerFile(t *testing.T) {
	t.Parallel()
	for file, want := range map[string][]string{
		"command: sh\nevents: morse\nmcp: nope\nargs:\n- \"{{nope}} {{also}}\"\n- [\"{{also}}\"]\nprompt: here\nendpoint: ftp://x\nenv:\n  A=B: x\n  CHANT_X: \"{{third}}\"\npass:\n- C=D\n- E=F\n": {
			`3 events "morse" is none of`, `4 mcp "nope" is none of`, `6 unknown placeholder "{{nope}}"`, `6 unknown placeholder "{{also}}"`, `7 unknown placeholder "{{also}}"`,
			`8 prompt: "here" is neither stdin nor file`, `9 endpoint: invalid URL "ftp://x"`, `11 env: invalid environment variable name "A=B"`, "12 env: chant itself sets CHANT_X",
			`14 pass: invalid environment variable name "C=D"`, `15 pass: invalid environment variable name "E=F"`,
		},
		"command: [a]\nevents: morse\n":                     {"2 command: a list is not a text", `3 events "morse"`},
		"like: [a]\nmcp: nope\n":                            {"2 like: a list is not a text", `3 mcp "nope"`},
		"like: nobody\nmcp: nope\n":                         {`2 like: no provider "nobody"`, `3 mcp "nope"`},
		"events: nope\nmcp: nope\n":                         {"1 command is missing", `2 events "nope"`, `3 mcp "nope"`},
		"like: codex\ncommand: sh\nresume: [\"{{x|y}}\"]\n": {`4 unknown placeholder "{{x|y}}"`},
		"command: no-such-agent\nmcp: nope\n":               {`2 provider "mine": program "no-such-agent" not found`, `3 mcp "nope"`},
		"like: nobody\ncommand: no-agent\n":                 {`2 like: no provider "nobody"`, `3 provider "mine": program "no-agent" not found`},
	} {
		_, dir := initialized(t)
		enginetest.Write(t, dir, ".chant/config.md", "---\ndefaults: {provider: shell}\n---\n")
		enginetest.Write(t, dir, ".chant/providers/mine.md", "---\n"+file+"---\n")
		r, err := CheckConfig(t.Context(), dir, engine.Options{Environ: os.Environ()}, CheckConfigInput{})
		assert.NoError(t, err)
		for i, f := range r.Findings {
			got := fmt.Sprintf("%d %s", f.Line, f.Message)
			assert.True(t, i < len(want), "%s: finding %d is %s", file, i, got)
			assert.HasPrefix(t, got, want[i], "%s: finding", file)
			assert.Equal(t, ".chant/providers/mine.md", f.Path, "%s: finding", file)
		}
		assert.Equal(t, len(want), len(r.Findings), "%s", file)
	}
}
