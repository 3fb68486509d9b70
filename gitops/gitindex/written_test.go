package gitindex

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestConvert(t *testing.T) {
	t.Parallel()
	for attributes, want := range map[string]bool{
		"":                                   false,
		"*.md merge=ours -diff\n":            false,
		"* text=auto eol=lf\n":               false,
		"*.png binary\n*.x -filter":          false,
		"* eol=crlf":                         true,
		"a\n*.bin filter=lfs -text\n":        true,
		"*.c ident\n":                        true,
		"*.c working-tree-encoding=UTF-16LE": true,
		"[attr]ours filter=x\n*.c ours":      true,
	} {
		assert.Equal(t, want, mayConvert(attributes, "linux"), "%q", attributes)
	}
	assert.True(t, mayConvert("* text=auto", "windows"), "line ends of Windows")
}
