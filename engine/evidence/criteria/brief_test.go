package criteria

import (
	"strings"
	"testing"
)

// TestVerdict_Brief: one line of bounded length, with the command once.
func TestVerdict_Brief(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a long command ", 40)
	for name, c := range map[string]struct {
		text, command, brief, beside string
	}{
		"a command":      {"It holds `$ go test ./...`", "go test ./...", "It holds (`go test ./...` exited with 1)", "exited with 1"},
		"only a command": {"`$ go vet`", "go vet", "`go vet` exited with 1", "exited with 1"},
		"of the project": {"go vet of the project", "make vet", "go vet of the project (`make vet` exited with 1)", "`make vet` exited with 1"},
		"long":           {"It holds `$ " + long + "`", long, "It holds (`" + long[:80] + "…` exited with 1)", "exited with 1"},
	} {
		v := Verdict{Text: c.text, Why: "`" + c.command + "` exited with 1", Evidence: []Evidence{{Command: c.command, ExitCode: 1}}}
		if got := v.Brief(); got != c.brief {
			t.Errorf("%s: %q, want %q", name, got, c.brief)
		}
		if got := v.WhyBeside(); got != c.beside {
			t.Errorf("%s: %q, want %q", name, got, c.beside)
		}
	}
	if got := (Verdict{Text: strings.Repeat("word ", 50), Why: "the box is not ticked"}).Brief(); len(got) > 120 || !strings.HasSuffix(got, "… (the box is not ticked)") {
		t.Errorf("%q", got)
	}
}
