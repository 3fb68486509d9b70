package mcp

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestCall_idsStayInTheProject asks every tool that takes ids for files that are
// not specs, among them such as a path put together would lead to.
func TestCall_idsStayInTheProject(t *testing.T) {
	t.Parallel()
	const id, secret = "2026-01-01-001-aaa", "nobody is to see this"
	dir := project(t, map[string]string{id: "---\nstatus: failed\n---\n# One\n"})
	outside := filepath.Join(dir, ".chant", "cache", "outside")
	assert.NoError(t, os.MkdirAll(filepath.Dir(outside), 0o755))
	assert.NoError(t, os.WriteFile(outside+".md", []byte("---\nstatus: failed\n---\n# "+secret+"\n"), 0o644))
	bad := []string{
		"../../etc/passwd", "../../../../../../etc/passwd", "../cache/outside", "a/../" + id, "./" + id, "../specs/" + id,
		"/etc/passwd", outside, outside + ".md", `..\cache\outside`, `C:\x`, id + "\x00", "\x00", "../cache/outside\x00" + id,
		"..", ".", "/", id + "/", id + "/../" + id, "%2e%2e/cache/outside", id + "\n", "chant/" + id, "refs/heads/main", "-rf", "HEAD", "*",
		strings.Repeat("../", 500) + "etc/passwd", strings.Repeat("a", 5000),
	}
	good := map[string]any{"id": id, "criterion": "1", "description": "New", "output": "x"}
	before, params := tree(t, dir), 0
	for _, row := range table() {
		for _, p := range row.Params {
			if p.Name != "id" && p.Name != "depends_on" {
				continue
			}
			params++
			for _, each := range bad {
				args := map[string]any{}
				for _, other := range row.Params {
					if v, ok := good[other.Name]; ok {
						args[other.Name] = v
					}
				}
				if args[p.Name] = each; p.Name == "depends_on" {
					args[p.Name] = []string{each}
				}
				got := ask(t, opener(dir), row.Name, args)
				assert.True(t, got.Error == nil, "%v %v %v %v", row.Name, p.Name, each, got.Error)
				assert.True(t, got.Result.IsError, "%v %v %v %v", row.Name, p.Name, each, got.Error)
				assert.NotContains(t, got.text(), secret, "%v %v %v", row.Name, p.Name, each)
			}
		}
	}
	assert.True(t, params >= 19, "only %d parameters take ids", params)
	after := tree(t, dir)
	for _, path := range slices.Sorted(maps.Keys(after)) {
		assert.Equal(t, after[path], before[path], "%s", path)
	}
	assert.Equal(t, len(before), len(after))
}

// tree reads all files below a folder but git's objects and the locks that any
// call may make.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil || strings.HasPrefix(filepath.ToSlash(name), ".git/objects/") || strings.HasPrefix(filepath.ToSlash(name), ".git/chant/locks/") {
			return err
		}
		src, err := os.ReadFile(path)
		out[filepath.ToSlash(name)] = string(src)
		return err
	})
	assert.NoError(t, err)
	return out
}
