package graph_test

import (
	"strings"
	"testing"

	"chant/engine/code/graph"

	"github.com/alecthomas/assert/v2"
)

// FuzzReadIntent reads any question: names are defined, are in the question, and are listed once.
func FuzzReadIntent(f *testing.F) {
	for _, question := range []string{
		"what calls Open", "how does main reach os.Exit?", "who implements `io.Writer`", "what does Server::run() call", "call", "'x' \"y\" `z`", "",
	} {
		f.Add(question, "O")
	}
	f.Fuzz(func(t *testing.T, question, first string) {
		isDefined := func(name string) bool { return strings.HasPrefix(name, first) }
		seen := map[string]bool{}
		for _, name := range graph.ReadIntent(question, isDefined).Names {
			assert.True(t, isDefined(name), "%q names %q", question, name)
			assert.Contains(t, question, name)
			assert.False(t, seen[name], "%q names %q", question, name)
			assert.NotEqual(t, "", name)
			seen[name] = true
		}
	})
}
