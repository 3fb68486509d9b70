package console

import (
	"bytes"
	"strings"
	"testing"

	"chant/engine/evidence/criteria"

	"github.com/alecthomas/assert/v2"
)

// TestRenderVerdicts: of a failure, the last lines of its command are shown, and the command once.
func TestRenderVerdicts(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	RenderVerdicts(&out, []criteria.Verdict{{
		Text: "It holds `$ go test`", Why: "`go test` exited with 1",
		Evidence: []criteria.Evidence{{Command: "go test", ExitCode: 1, Tail: strings.Repeat("line\n", 40) + "the end\n"}},
	}})
	want := "FAIL  It holds `$ go test`\n      exited with 1\n      …\n" + strings.Repeat("      line\n", lastLines-1) + "      the end\n"
	assert.Equal(t, want, out.String())
}
