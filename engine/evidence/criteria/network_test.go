package criteria

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"chant/engine/spec"
	"chant/providers/wall"

	"github.com/alecthomas/assert/v2"
)

// TestCheck_network has commands that end differently in their first, second, third and fourth run: without the network, with it, and
// both again.
func TestCheck_network(t *testing.T) {
	t.Parallel()
	if !wall.Supported().Available || wall.OwnNetwork() != nil {
		t.Skip("no network of its own here")
	}
	if os.Geteuid() != 0 {
		t.Skip("needs root: another user enters the network by chant")
	}
	tree := t.TempDir()
	count := filepath.Join(tree, "count")
	nth := func(passing string) string {
		return "echo x >> count; case $(wc -l < count | tr -d ' ') in " + passing + ") ;; *) false; esac"
	}
	for name, c := range map[string]struct {
		line    string
		use     spec.Network
		known   bool
		runs    int
		holds   bool
		network spec.Network
		learns  bool
	}{
		"passes without":               {nth("1"), "", false, 1, true, spec.NetworkLoopback, false},
		"passes with the network only": {nth("2|4"), "", false, 4, true, spec.NetworkAll, true},
		"passes with it by chance":     {nth("2"), "", false, 4, false, spec.NetworkAll, false},
		"fails in both":                {nth("9"), "", false, 2, false, "", false},
		"is flaky":                     {nth("2|3"), "", false, 3, false, spec.NetworkLoopback, false},
		"needed it before":             {nth("1"), "", true, 1, true, spec.NetworkAll, false},
		"expects a failure":            {"! { " + nth("9") + "; }", "", false, 1, true, spec.NetworkAll, false},
		"never has it":                 {nth("2"), spec.NetworkLoopback, false, 1, false, spec.NetworkLoopback, false},
		"always has it":                {nth("1"), spec.NetworkAll, false, 1, true, spec.NetworkAll, false},
	} {
		os.Remove(count)
		policy := &wall.Policy{Write: []string{tree}}
		learnt := false
		item := Item{Number: 1, Text: name, Steps: []Step{{c.line, spec.CommandOptions{Network: c.use}, FromCriteria}}}
		set := Settings{
			Spot: Spot{Tree: tree, Wall: policy}, Env: os.Environ(), NeedsNetwork: func(string, string) bool { return c.known }, LearnNeed: func(string, string) { learnt = true },
			Offline: func(around *wall.Policy, _ string, _ bool) (*wall.Policy, error) {
				if around == nil {
					return nil, errors.New("no wall")
				}
				return &wall.Policy{Write: around.Write, Network: &wall.Network{Empty: true}}, nil
			},
		}
		got, _, err := Check(t.Context(), Plan{Items: []Item{item}}, set)
		assert.NoError(t, err, name)
		lines, err := os.ReadFile(count)
		assert.NoError(t, err, name)
		assert.Equal(t, c.runs, len(lines)/2, "%s: runs", name)
		assert.Equal(t, c.holds, got[0].Holds, "%s: %s", name, got[0].Why)
		assert.Equal(t, c.network, got[0].Evidence[0].Network, name)
		assert.Equal(t, c.learns, learnt, name)
		assert.Equal(t, c.runs > 2 && !c.holds, got[0].Flaky, name)
	}
}
