package board

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"chant/cmd/tui/board"

	"github.com/alecthomas/assert/v2"
)

// TestGuide_keys compares the table of keys in the manual with the keys of the board.
func TestGuide_keys(t *testing.T) {
	t.Parallel()
	const file = "../guide/board.md"
	page, err := os.ReadFile(file)
	assert.NoError(t, err)
	text := strings.ReplaceAll(string(page), "\r\n", "\n")
	before, rest, found := strings.Cut(text, "| key | does |\n|---|---|\n")
	have, after, ends := strings.Cut(rest, "\n\n")
	assert.True(t, found, "no table of keys:\n%s", text)
	assert.True(t, ends, "no table of keys:\n%s", text)
	var want []string
	for _, k := range board.Keys() {
		names := "`" + strings.Join(k.Names, "`, `") + "`"
		want = append(want, fmt.Sprintf("| %s | %s |", names, k.Help))
	}
	table := strings.Join(want, "\n")
	if have == table {
		return
	}
	assert.Equal(t, "1", os.Getenv("UPDATE"), "the manual has\n%s\nand the board\n%s", have, table)
	assert.NoError(t, os.WriteFile(file, []byte(before+"| key | does |\n|---|---|\n"+table+"\n\n"+after), 0o644))
}
