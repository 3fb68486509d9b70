package engine

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// A value with which a command would end, or do what nobody has meant, is refused with its
// line. What only may be wrong is told and refused by no command.
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
		"worktree:\n  spares: -1":                                                                 {want: `4 worktree.spares: "-1" is not a whole number from 0`},
		"retry:\n  retry_delay_ms: 9223372036854775807":                                           {want: `4 retry.retry_delay_ms: "9223372036854775807" is longer than a year`},
		"parallel:\n  stagger_delay_ms: 10000000000000":                                           {want: `4 parallel.stagger_delay_ms: "10000000000000" is longer than a year`},
		"retry:\n  backoff_multiplier: Inf":                                                       {want: `4 retry.backoff_multiplier: "Inf" is no number from 1`},
		"retry:\n  backoff_multiplier: NaN":                                                       {want: `4 retry.backoff_multiplier: "NaN" is no number from 1`},
		"worktree:\n  copy:\n  - .env\n  - '[bad'":                                                {want: `6 worktree.copy: "[bad" is no glob`, allowed: true},
		"worktree:\n  copy: ['a', '']":                                                            {want: `4 worktree.copy: "" leaves the repository`, allowed: true},
		"worktree:\n  link:\n  - a\n  - ../x":                                                     {want: `6 worktree.link: "../x" leaves the repository`, allowed: true},
		"worktree:\n  copy: ../x":                                                                 {want: `4 worktree.copy: "../x" leaves the repository`, allowed: true},
		"prices:\n  '': {input: 1, output: 2}":                                                    {want: `4 prices: "" is not the name of a model`, allowed: true},
		"verify:\n  dir: nowhere":                                                                 {want: `4 verify.dir: there is no folder "nowhere"`, allowed: true},
		"verify:\n  dir: .chant/config.md":                                                        {want: `4 verify.dir: there is no folder ".chant/config.md"`, allowed: true},
		"defaults:\n  provider: shell\n  model: two words":                                        {want: `5 defaults.model: model "two words" is not one word`, allowed: true},
		"defaults:\n  provider: shell\n  split_model: '-x'":                                       {want: `5 defaults.split_model: model "-x" is not one word`, allowed: true},
		"parallel:\n  agents:\n  - {provider: shell}\n  - {name: a, provider: shell, model: a b}": {want: `6 parallel.agents: "a": model "a b" is not one word`, allowed: true},
		"watch: {idle_timeout_minutes: 0, poll_interval_ms: 1}\nworktree: {spares: 0, copy: ['**/.env', '.env.{a,b}'], link: ['[x']}\n" +
			"retry: {retry_delay_ms: 0, backoff_multiplier: 1}\nprices: {'*': {input: 1, output: 1}}\nverify: {dir: .chant}": {allowed: true},
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
		if all := strings.Join(got, "\n"); len(got) > 1 || !strings.HasPrefix(all, test.want) || test.want == "" && all != "" {
			t.Errorf("%s: %s, want %s", settings, all, test.want)
		}
		_, dir := project(t)
		write(t, dir, ".chant/config.md", "---\n"+settings+"\n---\n")
		if _, err := Open(dir, Options{}); (err == nil) != test.allowed {
			t.Errorf("%s: %v", settings, err)
		}
	}
}
