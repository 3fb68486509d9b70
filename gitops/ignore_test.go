package gitops

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestIgnoredFiles(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	s.write(".gitignore", ".chant/\n.env*\n*.local\n:odd\n")
	for _, path := range []string{".env", "sub/.env", "sub/deep/.env", "config/a.local", "config/x/b.local", ".env é", ":odd", "kept.txt"} {
		s.write(path, "x")
	}
	s.write("forced.local", "tracked, so not ignored\n")
	s.git("add", "-f", "forced.local")
	s.git("worktree", "add", "-q", "--detach", ".chant/trees/a")
	s.write(".chant/trees/a/.env", "another worktree's")
	for name, c := range map[string]struct {
		globs []string
		want  string
	}{
		"none":             {nil, ""},
		"at the top":       {[]string{".env"}, ".env"},
		"at any depth":     {[]string{"**/.env"}, ".env sub/.env sub/deep/.env"},
		"one folder":       {[]string{"config/*.local"}, "config/a.local"},
		"folder and below": {[]string{"config/**"}, "config/a.local config/x/b.local"},
		"one letter":       {[]string{".en?"}, ".env"},
		"several":          {[]string{"config/*.local", ".env", "none"}, ".env config/a.local"},
		"with a dot":       {[]string{"./.env", "sub/../.env"}, ".env"},
		"not ignored":      {[]string{"kept.txt", "forced.local", "base.txt"}, ""},
		"a colon":          {[]string{":odd", ":!.env"}, ":odd"},
		"like an option":   {[]string{"--cached"}, ""},
		"a space":          {[]string{".env *"}, ".env é"},
	} {
		assert.Equal(t, c.want, strings.Join(must[[]string](t)(s.IgnoredFiles(ctx, c.globs)), " "), "%s", name)
	}
	all := must[[]string](t)(s.IgnoredFiles(ctx, []string{"**"}))
	assert.Equal(t, 7, len(all))
	assert.False(t, slices.ContainsFunc(all, func(path string) bool { return strings.HasPrefix(path, ".chant/") }), "everything: %q", all)
	for _, glob := range []string{"../*", "..", "a/../../b", "/etc/*", filepath.Join(s.top, "*"), ""} {
		_, err := s.IgnoredFiles(ctx, []string{".env", glob})
		assert.Error(t, err)
		assert.Contains(t, err.Error(), "pattern")
		assert.Contains(t, err.Error(), glob)
	}
}

func TestExclude(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for name, c := range map[string]struct{ before, path, want string }{
		"first":          {"", "node_modules", "/node_modules\n"},
		"last line open": {"# comment\n*.log", "a b", "# comment\n*.log\n/a b\n"},
		"after others":   {"*.log\n", "a", "*.log\n/a\n"},
		"folder":         {"", ".chant/", "/.chant/\n"},
		"below":          {"", "web/é", "/web/é\n"},
		"ignored before": {"x\n", "sub/x", "x\n"},
		"tracked":        {"", "base.txt", "/base.txt\n"},
		"let in again":   {"", "in.keep", "/in.keep\n"},
		"wild":           {"", `web/[id]*?\x`, `/web/\[id]\*\?\\x` + "\n"},
		"marks":          {"", "#a", "/#a\n"},
		"no, marks":      {"", "!a", "/!a\n"},
		"colon":          {"", ":a", "/:a\n"},
		"option":         {"", "--a", "/--a\n"},
		"space behind":   {"", "a ", "/a\\ \n"},
	} {
		s := newSandbox(t)
		s.write(".gitignore", "!*.keep\n")
		s.write(".git/info/exclude", c.before)
		for range 2 {
			assert.NoError(t, s.Exclude(ctx, s.top, c.path), "%s", name)
		}
		assert.Equal(t, c.want, readFile(t, filepath.Join(s.top, ".git", "info", "exclude")), "%s", name)
		ignored := must[map[string]bool](t)(s.Ignored(ctx, c.path))
		assert.False(t, !ignored[c.path] && name != "tracked" && name != "let in again" && name != "folder", "%s: not ignored", name)
	}
}
