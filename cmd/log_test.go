package cmd

import (
	"strings"
	"testing"
	"time"

	"chant/engine/view"
	"chant/text"

	"github.com/alecthomas/assert/v2"
)

// TestRenderLog: the times of a log are those of the person's clock, in a form that --since takes; other lines are as they
// are.
func TestRenderLog(t *testing.T) {
	t.Parallel()
	const stamp = "2026-11-29T01:38:41.704Z"
	at, err := time.Parse(time.RFC3339, stamp)
	assert.NoError(t, err)
	var out strings.Builder
	renderLog(&out, view.LogResult{Content: stamp + " a line\n" + stamp + "\nno time here\n" + stamp + " cut off"})
	local := text.LocalTime(at)
	assert.Equal(t, local+" a line\n"+stamp+"\nno time here\n"+local+" cut off", out.String())
}
