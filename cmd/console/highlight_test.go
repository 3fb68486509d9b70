package console

import (
	"bytes"
	"testing"
)

func TestHighlighter(t *testing.T) {
	t.Parallel()
	for environ, want := range map[string]bool{"": false, "TERM=": false, "TERM=dumb": false, "TERM=xterm": true, "NO_COLOR=1": false} {
		if got := wantsColours([]string{"A=b", environ}); got != want {
			t.Errorf("%q: %v", environ, got)
		}
	}
	if !wantsColours([]string{"TERM=xterm", "NO_COLOR="}) || wantsColours([]string{"NO_COLOR=x", "TERM=xterm"}) {
		t.Error("NO_COLOR counts unless it is empty")
	}
	var out bytes.Buffer
	a := newApp(Surroundings{Out: &out, Err: &out, Environ: []string{"TERM=xterm"}})
	if w, mark := a.Highlighter(); w != a.Out || mark("x") != "x" {
		t.Error("it highlights text that is not for a terminal")
	}
}
