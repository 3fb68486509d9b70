package mcp_test

import (
	"fmt"
	"testing"

	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// TestStatus_countsEachSpec checks that the text of chant_status counts specs of every status.
func TestStatus_countsEachSpec(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	for i, word := range spec.StatusWords() {
		p.write(fmt.Sprintf(".chant/specs/2026-01-02-%03d-abc.md", i), "---\nstatus: "+word+"\n---\n# A\n")
	}
	_, text, _ := p.call("chant_status", nil)
	sum, total := 0.0, 0.0
	for key, value := range parse(t, text).(map[string]any) {
		n, isCount := value.(float64)
		switch {
		case key == "total":
			total = n
		case isCount:
			sum += n
		}
	}
	assert.Equal(t, total, sum, "%s", text)
	assert.False(t, total < float64(len(spec.StatusWords())), "%v of %v specs are counted: %s", sum, total, text)
}
