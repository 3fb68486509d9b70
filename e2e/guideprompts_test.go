package e2e

import (
	"fmt"
	"strings"
	"testing"

	"chant/engine/prompt"

	"github.com/alecthomas/assert/v2"
)

// The manual's tables of variables and of shipped prompts are what prompts have.
func TestGuide_prompts(t *testing.T) {
	t.Parallel()
	page := guidePage(t, "prompts")
	var want, listed []string
	for _, v := range prompt.Variables() {
		want = append(want, fmt.Sprintf("| `{{%s}}` | %s |", v.Name, v.Text))
	}
	shipped := map[string]bool{}
	for line := range strings.Lines(page) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "| `{{") {
			listed = append(listed, line)
		}
		if cells := strings.Split(line, "|"); len(cells) == 4 {
			shipped[strings.TrimSpace(cells[1])] = true
		}
	}
	assert.Equal(t, want, listed, "the manual has\n%s\nwant\n%s", strings.Join(listed, "\n"), strings.Join(want, "\n"))
	for _, n := range prompt.SpecNames() {
		row := fmt.Sprintf("| `{%s}` | `{{%s}}` |\n", n.Name, n.Variable)
		assert.Contains(t, page, row, "the manual lacks the row")
	}
	for _, name := range prompt.ShippedNames() {
		assert.True(t, shipped[name], "the manual does not mention the prompt %q", name)
	}
}
