package gitindex

import "testing"

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
		if got := mayConvert(attributes, "linux"); got != want {
			t.Errorf("%q: %v", attributes, got)
		}
	}
	if !mayConvert("* text=auto", "windows") {
		t.Error("line ends of Windows")
	}
}
