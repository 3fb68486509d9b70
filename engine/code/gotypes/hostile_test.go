package gotypes_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"chant/engine/code/gotypes"

	"github.com/alecthomas/assert/v2"
)

const plain = "-- go.mod --\nmodule m\n\ngo 1.26\n-- a.go --\npackage m\n\nfunc run() { other() }\n\nfunc other() {}\n"

// TestLoad_hostile loads worktrees whose files and environment try to run, fetch or change something. OUTSIDE in them is a
// folder that has nothing afterwards but what it had.
func TestLoad_hostile(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the programs are shell scripts")
	}
	tests := map[string]struct {
		archive string
		environ []string
		links   []string
		notices []string
	}{
		"GOFLAGS that run a program": {archive: plain, environ: []string{"GOFLAGS=-toolexec=OUTSIDE/program"}, links: []string{"a.go run calls a.go other"}},
		"go env in the repository": {
			archive: plain + "-- go.env --\nGOFLAGS=-toolexec=OUTSIDE/program\nGOTOOLCHAIN=go1.99.0\n",
			environ: []string{"GOENV=ROOT/go.env"}, links: []string{"a.go run calls a.go other"},
		},
		"a newer toolchain": {
			archive: "-- go.mod --\nmodule m\n\ngo 1.99\n\ntoolchain go1.99.1\n-- a.go --\npackage m\n\nfunc run() { other() }\n\nfunc other() {}\n",
			links:   []string{"a.go run calls a.go other 1.00"}, notices: []string{"1.99"},
		},
		"a driver of packages": {archive: plain, environ: []string{"GOPACKAGESDRIVER=OUTSIDE/program"}, links: []string{"a.go run calls a.go other"}},
		"a module that is replaced by a folder outside": {
			archive: "-- go.mod --\nmodule m\n\ngo 1.26\n\nrequire example.com/dep v1.0.0\n\nreplace example.com/dep => OUTSIDE/dep\n" +
				"-- a.go --\npackage m\n\nimport \"example.com/dep\"\n\ntype T struct{}\n\nfunc (T) Close() {}\n\nfunc run() { dep.T{}.Close() }\n",
		},
		"a workspace elsewhere": {
			archive: plain, environ: []string{"GOWORK=OUTSIDE/go.work"}, links: []string{"a.go run calls a.go other"},
		},
		"a vendor folder that disagrees": {
			archive: "-- go.mod --\nmodule m\n\ngo 1.26\n\nrequire example.com/dep v1.0.0\n-- vendor/modules.txt --\n# example.com/dep v1.2.0\n## explicit; go 1.26\nexample.com/dep\n" +
				"-- vendor/example.com/dep/ignored.go --\npackage dep\n-- a.go --\npackage m\n\nimport _ \"example.com/dep\"\n\nfunc run() { other() }\n\nfunc other() {}\n",
			links: []string{"a.go run calls a.go other 1.00"}, notices: []string{"vendor"},
		},
		"a go.mod that is none": {
			archive: "-- go.mod --\nmodule m (\n-- a.go --\npackage m\n\nfunc run() { other() }\n\nfunc other() {}\n",
			links:   []string{"a.go run calls a.go other 1.00"}, notices: []string{"go.mod"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			outside := outsideOf(t)
			before := tree(t, outside)
			r := worktree(t, strings.ReplaceAll(test.archive, "OUTSIDE", outside))
			for _, one := range test.environ {
				r.Environ = append(slices.Clip(r.Environ), strings.NewReplacer("OUTSIDE", outside, "ROOT", r.Root).Replace(one))
			}
			inside := tree(t, r.Root)
			g, facts := graphOf(t, r)
			got := links(t, g)
			assert.True(t, slices.Equal(got, test.links), "got %q, want %q", got, test.links)
			assert.Equal(t, len(test.notices), len(facts.Notices), "notices %q, want %q", facts.Notices, test.notices)
			for i, want := range test.notices {
				assert.Contains(t, facts.Notices[i], want)
			}
			assert.Equal(t, before, tree(t, outside))
			assert.Equal(t, inside, tree(t, r.Root))
			for _, target := range facts.Targets {
				assert.False(t, strings.HasPrefix(target.Path, ".."), "target %+v is outside of the worktree", target)
				assert.False(t, filepath.IsAbs(target.Path), "target %+v is outside of the worktree", target)
			}
		})
	}
}

// outsideOf makes a folder with a program that leaves a mark, a module and a workspace.
func outsideOf(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	assert.NoError(t, err)
	for name, text := range map[string]string{
		"program":    "#!/bin/sh\necho ran > " + dir + "/mark\nexec \"$@\"\n",
		"go.work":    "go 1.26\n\nuse ./dep\n",
		"dep/go.mod": "module example.com/dep\n\ngo 1.26\n",
		"dep/dep.go": "package dep\n\ntype T struct{}\n\nfunc (T) Close() {}\n",
	} {
		assert.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		assert.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755))
	}
	return dir
}

// tree lists the files of a folder with their sizes.
func tree(t *testing.T, dir string) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(dir, func(name string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		list = append(list, fmt.Sprint(name, info.Size()))
		return err
	})
	assert.NoError(t, err)
	return list
}

func TestLoad_withoutGo(t *testing.T) {
	t.Parallel()
	r := worktree(t, plain+"-- bin/go --\n#!/bin/sh\n")
	assert.NoError(t, os.Chmod(filepath.Join(r.Root, "bin", "go"), 0o755))
	for _, path := range []string{"", t.TempDir(), "bin" + string(os.PathListSeparator) + "." + string(os.PathListSeparator) + "./bin"} {
		r.Environ = []string{"PATH=" + path}
		facts, err := gotypes.Load(t.Context(), r)
		assert.IsError(t, err, gotypes.ErrNoGo, "with the PATH %q, the error is %v", path, facts)
	}
}

func TestLoad_manyModules(t *testing.T) {
	t.Parallel()
	r := worktree(t, plain)
	r.Modules = slices.Repeat([]string{"missing"}, 51)
	facts, err := gotypes.Load(t.Context(), r)
	assert.NoError(t, err)
	assert.Equal(t, 51, len(facts.Notices))
	assert.Contains(t, facts.Notices[0], "1 of 51 modules")
}
