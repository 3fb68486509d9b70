package gitops

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
)

// TestIgnoresNew_likeGit compares the answers for rules, some of which git need not be asked about.
func TestIgnoresNew_likeGit(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	const name = ".chant/specs/probe.md"
	for rule, asks := range map[string]bool{
		"": false, "# .chant": false, "!.chant": false, "node_modules/": false, "*.log": false, ".env*": false, "/dist": false, "a/*.o": false, "chant": false,
		"specs/old": false, "[Bb]in/": false, "*.m": false, "specs?": true, "/.chant/specs/*.txt": false, `\#x`: false, "trailing\t": false,
		".chant": true, ".chant/": true, "/.chant": true, "/.CHANT": true, ".chant  ": true, `\.chant`: true, ".*": true, "*": true, "**": true, "/": true, "*.md": true,
		".chant/specs/*.md": true, "probe.md": true, "[.]chant": true, "x[/]specs": true, ".chan?": true, ".ch*nt": true, "specs/**": true, "docs/specs": true, "\ufeff.chant": true, ".chant\r": true,
	} {
		s.write(".gitignore", rule+"\n")
		_, possible := ignoreRules(s.site, name)
		got := must[bool](t)(s.IgnoresNew(ctx, name))
		if want := must[map[string]bool](t)(s.Ignored(ctx, name))[name]; got != want || possible != asks {
			t.Errorf("%q: ignored %t, git %t; possible %t", rule, got, want, possible)
		}
	}
	s.write(".gitignore", "")
	s.git("config", "core.excludesFile", filepath.Join(s.top, "rules"))
	s.write("rules", ".chant\n")
	if got := must[bool](t)(s.IgnoresNew(ctx, name)); !got {
		t.Error("a file of rules that settings name does not count")
	}
	s.git("config", "--unset", "core.excludesFile")
	s.write(".chant/.gitignore", "*\n")
	if got := must[bool](t)(s.IgnoresNew(ctx, name)); !got {
		t.Error("rules beside the path do not count")
	}
}

// FuzzMayIgnore: a rule that is a name of the path, or ends like one behind a wildcard, could concern it.
func FuzzMayIgnore(f *testing.F) {
	f.Add("*.log", "a/b.log")
	f.Add("[a/", "x[/b")
	f.Fuzz(func(t *testing.T, line, name string) {
		mayIgnore(line, name)
		part := name[strings.LastIndexByte(name, '/')+1:]
		if strings.Trim(part, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz._-") == "" && part != "" && !(mayIgnore(part, name) && mayIgnore("a/*"+part[1:], name)) {
			t.Errorf("%q", name)
		}
	})
}
