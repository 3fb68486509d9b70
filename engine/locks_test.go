package engine

import (
	"os"
	"os/exec"
	"runtime"
	"testing"

	"chant/engine/evidence/journal"
	"chant/providers"

	"github.com/alecthomas/assert/v2"
)

// TestStopSurvivors_marked: an agent whose chant was killed before it recorded the agent's process is found by its
// mark.
func TestStopSurvivors_marked(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux shows the environment of other processes")
	}
	agent := exec.Command("sleep", "600")
	agent.Env = append(os.Environ(), providers.RunIDKey+"=mark-of-"+t.Name())
	assert.NoError(t, agent.Start())
	h := &journal.History{Attempts: []*journal.Attempt{{Taken: journal.Job{RunID: "mark-of-" + t.Name()}, Steps: map[journal.Step]journal.State{journal.Agent: journal.Begin}}}}
	assert.NoError(t, stopSurvivors(t.Context(), h))
	if err := agent.Wait(); err == nil { // it would not end by itself
		t.Error("the agent was not stopped")
	}
}
