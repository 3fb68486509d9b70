package e2e

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"chant/engine/evidence/sandbox"
	"chant/engine/run/attempt"
	"chant/engine/store/config"
	"chant/providers"
	"chant/providers/cli"

	"github.com/alecthomas/assert/v2"
)

// The manual lists the variables that an agent gets from a run.
func TestGuide_environment(t *testing.T) {
	t.Parallel()
	want := []string{attempt.PortBase, providers.LineageKey, sandbox.NetworkKey}
	for _, kv := range providers.AgentEnv(providers.Invocation{RunID: "x"}, nil) {
		if name, _, _ := strings.Cut(kv, "="); strings.HasPrefix(name, "CHANT_") {
			want = append(want, name)
		}
	}
	var listed []string
	for _, m := range regexp.MustCompile("(?m)^- `(CHANT_[A-Z_]+)`: ").FindAllStringSubmatch(guidePage(t, "agents"), -1) {
		listed = append(listed, m[1])
	}
	slices.Sort(listed)
	if slices.Sort(want); !slices.Equal(listed, want) {
		t.Errorf("the manual has the variables %q, want %q", listed, want)
	}
}

// The manual's table of hosts has those that each CLI gets.
func TestGuide_hosts(t *testing.T) {
	t.Parallel()
	page := guidePage(t, "agents")
	for _, name := range cli.BuiltIns() {
		d, _ := cli.BuiltIn(name)
		row := "\n| " + name + " | `" + strings.Join(d.Hosts, "`, `") + "` |\n"
		assert.Contains(t, page, row, "the manual lacks the row")
	}
}

// The manual's tables of providers and of a provider's keys, and its lists of
// placeholders and forms, are what there is.
func TestGuide_agents(t *testing.T) {
	t.Parallel()
	page := guidePage(t, "agents")
	var providers, keys []string
	for line := range strings.Lines(page) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		switch {
		case len(cells) == 7 && cells[1] != " provider " && !strings.HasPrefix(cells[1], "-"):
			providers = append(providers, strings.Fields(cells[1])[0])
		case len(cells) >= 4 && strings.HasPrefix(cells[1], " `"):
			keys = append(keys, strings.Trim(cells[1], " `"))
		}
	}
	assert.Equal(t, cli.Names(), providers, "the manual has the providers")
	var want []string
	for fields, i := reflect.TypeFor[config.ProviderFields](), 0; i < fields.NumField(); i++ {
		want = append(want, fields.Field(i).Tag.Get("yaml"))
	}
	slices.Sort(want)
	if slices.Sort(keys); !slices.Equal(keys, want) {
		t.Errorf("the manual has the keys %q, want %q", keys, want)
	}
	for _, name := range cli.Placeholders() {
		assert.Contains(t, page, "{{"+name+"}}", "the manual does not mention {{%s}}", name)
	}
	for key, forms := range map[string][]string{"`mcp`": cli.Configs(), "`events`": cli.Forms()} {
		assert.Contains(t, page, "| "+key, "the manual has not %s of %q", key, forms)
		assert.Contains(t, page, ": "+strings.Join(forms, ", "), "the manual has not %s of %q", key, forms)
	}
}
