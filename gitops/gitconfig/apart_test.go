package gitconfig

import (
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestUnpack: a command arrives with what git has replaced in it as words of a shell, whatever is in them, and the rest as
// arguments.
func TestUnpack(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		key, command string
		replaced     []string // by git, as the shell passes them on
		further      []string
		want         Program
	}{
		{"filter.x.clean", "tr a b", nil, nil, Program{Command: "tr a b"}},
		{"filter.x.clean", "x %f --to=%f 5%%", []string{"a'; rm %f"}, nil, Program{Command: `x 'a'\''; rm %f' --to='a'\''; rm %f' 5%`}},
		{"filter.x.process", "x %f %%", nil, nil, Program{Command: "x %f %%"}},
		{"merge.x.driver", "x %O %A %B", []string{"o", ".merge_file_a", "b"}, nil, Program{Command: "x 'o' '.merge_file_a' 'b'", Result: ".merge_file_a"}},
		{"hook.x.command", "x", nil, []string{"committed", "-f"}, Program{Command: "x", Args: []string{"committed", "-f"}}},
	} {
		line := wrapCommand([]string{"/a b/chant", "apart"}, c.command, placesIn(c.key, c.command))
		rest, ok := strings.CutPrefix(line, "'/a b/chant' 'apart' ")
		words := strings.Fields(rest)
		assert.True(t, ok, "%q: %s", c.command, line)
		assert.True(t, len(words) >= 2, "%q: %s", c.command, line)
		got, ok := Unpack(slices.Concat(words[:2], c.replaced, c.further))
		assert.True(t, ok, "%q: %+v, want %+v", c.command, got, c.want)
		assert.Equal(t, c.want.Command, got.Command, "%q", c.command)
		assert.Equal(t, c.want.Result, got.Result, "%q", c.command)
		assert.True(t, slices.Equal(got.Args, c.want.Args), "%q: got %q, want %q", c.command, got.Args, c.want.Args)
	}
	for _, words := range [][]string{nil, {"-"}, {"x", "eA"}, {"-", "%"}, {"-f", "eA"}} {
		got, ok := Unpack(words)
		assert.False(t, ok, "%q: %+v", words, got)
	}
}

// TestIsKnown: only plain commands of the extensions that keep files in git's folder.
func TestIsKnown(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]bool{
		"git-lfs smudge -- %f": true, "git lfs filter-process": true, "/usr/bin/git-crypt smudge": true, "cat": true, "": false,
		"git-lfs smudge; x": false, "./git-lfs smudge": false, "git x": false, "cat $(x)": false, "git -c alias.lfs=!x lfs": false, "tools/cat": false,
	} {
		assert.Equal(t, want, isHarmless(command), "%q", command)
	}
}
