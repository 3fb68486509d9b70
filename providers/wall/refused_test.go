package wall

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestRefused: the messages of programs that were refused a write name what the policy keeps from them.
func TestRefused(t *testing.T) {
	t.Parallel()
	p := Policy{Write: []string{"/work/tree", "/home/u/.cache/agents"}}
	for output, want := range map[string][]string{
		"touch: cannot touch '/home/u/my file': Permission denied":               {"/home/u/my file"},
		"touch: cannot touch ‘/home/u/x’: Permission denied":                     {"/home/u/x"},
		"/usr/bin/sh: 1: cannot create /home/u/a b/x: Permission denied":         {"/home/u/a b/x"},
		"sh: 1: cannot create /home/u/x: Permission denied":                      {"/home/u/x"},
		"bash: /home/u/x: Permission denied\nbash: /home/u/x: Permission denied": {"/home/u/x"},
		"Error: EACCES: permission denied, open '/home/u/.npm/_logs/1.log'":      {"/home/u/.npm/_logs/1.log"},
		`fatal: Unable to create '/p/.git/gc.pid.lock': Permission denied`:       {"/p/.git/gc.pid.lock"},
		`open "/home/u/go/pkg/mod/cache/lock": permission denied`:                {"/home/u/go/pkg/mod/cache/lock"},
		"PermissionError: [Errno 13] Permission denied: '/etc/x'":                {"/etc/x"},
		"rename /work/tree/a /home/u/b: permission denied":                       {"/home/u/b"},
		"cannot touch '/work/tree/locked/x': Permission denied":                  nil,
		"wrote /home/u/x":                      nil,
		"":                                     nil,
		"kill: (12) - Operation not permitted": nil,
		"/":                                    nil,
		`error: output of "/usr/bin/chant": open /p/watch.log: permission denied`:                        {"/p/watch.log"},
		"error: insufficient permission for adding an object to repository database /p/.git/objects":     {"/p/.git/objects"},
		"sh: 1: cannot create tools/judge: Permission denied":                                            nil,
		"error: could not lock .git/config: Permission denied":                                           nil,
		"fatal: cannot lock ref 'refs/notes/x': unable to create directory for /p/a b/.git/refs/notes/x": {"/p/a b/.git/refs/notes/x"},
	} {
		assert.Equal(t, want, p.Refused(output, ""), "%q", output)
	}
}

// TestRefused_relative: a relative path is named if a link leads it out of what may be written.
func TestRefused_relative(t *testing.T) {
	t.Parallel()
	top, err := filepath.EvalSymlinks(t.TempDir())
	assert.NoError(t, err)
	tree, tools := filepath.Join(top, "tree"), filepath.Join(top, "tools")
	if err := errors.Join(os.MkdirAll(filepath.Join(tree, "own"), 0o755), os.Mkdir(tools, 0o755), os.Symlink(tools, filepath.Join(tree, "tools"))); err != nil {
		t.Skip(err) // links need privileges on Windows
	}
	p := Policy{Write: []string{tree}, Hide: []string{filepath.Join(top, "hidden")}} // so that shared memory, if this lies in it, is closed
	for output, want := range map[string][]string{
		"sh: 1: cannot create tools/judge: Permission denied":    {filepath.Join(tools, "judge")},
		"rm: cannot remove 'tools/judge': Permission denied":     {filepath.Join(tools, "judge")},
		tree + "/tools/judge: Permission denied":                 {filepath.Join(tools, "judge")},
		"sh: 1: cannot create own/x: Permission denied":          nil,
		"sh: 1: cannot create nowhere/else/x: Permission denied": nil,
	} {
		assert.Equal(t, want, p.Refused(output, tree), "%q", output)
	}
}

func FuzzRefused(f *testing.F) {
	f.Add("touch: cannot touch '/home/u/x': Permission denied")
	p := Policy{Write: []string{"/w"}}
	f.Fuzz(func(t *testing.T, output string) {
		for _, path := range p.Refused(output, "") {
			assert.Equal(t, '/', path[0], "%q", output)
			assert.False(t, p.MayWrite(path), "%q in %q", path, output)
		}
	})
}
