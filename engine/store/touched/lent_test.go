package touched

import (
	"runtime"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestGuarded_lent finds what a branch has in the places of ignored files of the checkout, of which worktrees get copies or links.
func TestGuarded_lent(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("names of files that Windows does not have")
	}
	const none, mods = "", "web/mods"
	for name, tt := range map[string]struct {
		was, now side
		want     string // the beginning of the only thing, none if nothing is found
	}{
		"nothing there":                    {side{"web/a": "a"}, side{"web/a": "b", "web/mods.js": "b", "mods/x": "b"}, none},
		"the file itself":                  {nil, side{".env": "a"}, ".env is protected, since worktree.copy leads to it, and was added"},
		"below the folder":                 {side{"web/a": "a"}, side{"web/mods/deep/x.js": "x"}, "web/mods/deep/x.js decides about web/mods, which is protected, since worktree.link leads to it, and was added"},
		"another spelling":                 {nil, side{"web/MODS/x.js": "x"}, "web/MODS/x.js decides about web/mods"},
		"a link in its place":              {side{"web/a": "a"}, side{mods: "-> a"}, "web/mods is protected, since worktree.link"},
		"a submodule in its place":         {nil, side{mods: submodule}, "web/mods is protected, since worktree.link"},
		"a link in the place above":        {side{"web/a": "a", "mine/mods/x": "x"}, side{"web/a": "", "web": "-> mine"}, "web decides about web/mods"},
		"a file in the place above":        {nil, side{"web": "a"}, "web decides about web/mods"},
		"a submodule above is moved on":    {side{"web": submodule}, side{"a": "b"}, none},
		"where a link leads":               {side{"web": "-> pkg", "pkg/a": "a"}, side{"pkg/mods/x": "x"}, "pkg/mods/x decides about web/mods"},
		"a link in the way is led away":    {side{"web": "-> pkg", "pkg/a": "a", "mine/mods/x": "x"}, side{"pkg/a": "", "pkg": "-> mine"}, "pkg decides about web/mods"},
		"a folder that was there grows":    {side{"web/mods/x": "x"}, side{"web/mods/y": "y", "web/mods/x": "z"}, none},
		"a file that was there":            {side{".env": "a"}, side{".env": "b"}, none},
		"what was there is removed":        {side{".env": "a"}, side{".env": ""}, none},
		"a folder above gets another file": {side{"web/a": "a"}, side{"web/b": "b"}, none},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, rules := commits(t, tt.was, tt.now)
			rules.Lent = map[string]string{mods: "worktree.link", ".env": "worktree.copy"}
			found, err := c.Guarded(t.Context(), "HEAD~1", "HEAD", rules)
			assert.NoError(t, err)
			var got []string
			for _, thing := range found {
				got = append(got, thing.String())
			}
			if tt.want == none {
				assert.Zero(t, got)
				return
			}
			assert.Equal(t, 1, len(got), "found %q", got)
			assert.True(t, strings.HasPrefix(got[0], tt.want), "found %q, want %q", got, tt.want)
		})
	}
}
