package wall

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/alecthomas/assert/v2"
)

// listed lists the folders of a tree whose names have no slash in front.
func listed(tree fstest.MapFS) lister {
	return func(dir string) []fs.DirEntry {
		entries, err := fs.ReadDir(tree, strings.TrimPrefix(dir, "/"))
		if dir == "/" {
			entries, err = fs.ReadDir(tree, ".")
		}
		if err != nil {
			return nil
		}
		return entries
	}
}

// TestRules: everything can be read but what is hidden; what is around it is allowed piece by piece, without links.
func TestRules(t *testing.T) {
	t.Parallel()
	tree := fstest.MapFS{
		"etc/passwd": {}, "home/u/.config/chant/keys/key": {}, "home/u/.config/git/config": {}, "home/u/file": {},
		"home/u/link":                   {Mode: fs.ModeSymlink, Data: []byte("/home/u/.config/chant")},
		"home/u/p/.chant/worktrees/a/f": {}, "home/u/p/.chant/worktrees/b/f": {}, "home/u/p/main.go": {},
		"dev/sda": {}, "dev/pts/0": {}, "dev/null": {}, "dev/shm/f": {},
	}
	for name, c := range map[string]struct {
		policy Policy
		want   []string
	}{
		"everything": {Policy{}, []string{"/etc", "/home", "/dev/shm"}},
		"keys": {
			Policy{Hide: []string{"/home/u/.config/chant/keys"}},
			[]string{"/etc", "/home/u/.config/git", "/home/u/file", "/home/u/p", "/dev/shm"},
		},
		"a file": {Policy{Hide: []string{"/home/u/.config/chant/keys/key"}}, []string{"/etc", "/home/u/.config/git", "/home/u/file", "/home/u/p", "/dev/shm"}},
		"what does not exist": {
			Policy{Hide: []string{"/home/v/keys"}}, []string{"/etc", "/home/u", "/dev/shm"},
		},
		"other worktrees": {
			Policy{Hide: []string{"/home/u/p/.chant/worktrees"}, Write: []string{"/home/u/p/.chant/worktrees/a"}},
			[]string{"/home/u/p/.chant/worktrees/a", "/etc", "/home/u/.config", "/home/u/file", "/home/u/p/main.go", "/dev/shm"},
		},
		"an exception": {
			Policy{Hide: []string{"/home"}, Show: []string{"/home/u/p/main.go"}}, []string{"/home/u/p/main.go", "/etc", "/dev/shm"},
		},
		"only some":               {Policy{Read: []string{"/etc", "/home/u/p"}, Hide: []string{"/home/u/p/.chant"}}, []string{"/etc", "/home/u/p/main.go"}},
		"nothing":                 {Policy{Read: []string{}}, nil},
		"memory and no terminals": {Policy{Read: []string{}, Private: true}, []string{"/dev/shm"}},
		"all terminals":           {Policy{Read: []string{}, Private: true, Terminals: true}, []string{"/dev/pts", "/dev/ptmx", "/dev/tty", "/dev/shm"}},
		"a project in memory":     {Policy{Read: []string{}, Private: true, Hide: []string{"/dev/shm/p/.git/chant"}}, nil},
	} {
		var got []string
		for _, r := range c.policy.rules(listed(tree)) {
			if !slices.Contains(devices(), r.path) {
				got = append(got, r.path)
			}
		}
		assert.Equal(t, c.want, got, "%s", name)
	}
}

// TestMayWrite and reading agree with the rules.
func TestMayWrite(t *testing.T) {
	t.Parallel()
	p := Policy{Write: []string{"/w/a"}, Hide: []string{"/w", "/k"}, Show: []string{"/k/public"}}
	for path, want := range map[string][2]bool{
		"/w/a": {true, true}, "/w/a/b": {true, true}, "/w/ab": {false, false}, "/w/b": {false, false}, "/w": {false, false},
		"/k/x": {false, false}, "/k/public": {false, true}, "/k/public/x": {false, true}, "/etc": {false, true}, "/dev/null": {true, true},
		"/dev/pts/0": {false, false}, "/dev/sda": {false, false}, "/dev/shm/x": {false, true},
	} {
		assert.Equal(t, want, [2]bool{p.MayWrite(path), p.MayRead(path)}, "%s: write and read", path)
	}
	inMemory := Policy{Private: true, Hide: []string{"/dev/shm/project/.git/chant"}}
	assert.False(t, inMemory.MayWrite("/dev/shm/project/main.go"), "shared memory can be written although a project lies in it")
	assert.True(t, (Policy{Private: true}).MayWrite("/dev/shm/sem.x"), "shared memory cannot be written")
	only := Policy{Read: []string{"/usr"}}
	assert.False(t, only.MayRead("/etc/passwd"), "a policy with Read allows only that")
	assert.True(t, only.MayRead("/usr/bin/git"), "a policy with Read allows only that")
}

// TestProfile: the profile of macOS names each path, and quotes it.
func TestProfile(t *testing.T) {
	t.Parallel()
	got := Policy{Write: []string{`/a "b"`}, Hide: []string{"/k"}, Show: []string{"/k/p"}, Network: &Network{Ports: []uint16{443}}}.profile()
	for _, want := range []string{
		"(deny file-write*)", `(allow file-write* (literal "/a \"b\"") (subpath "/a \"b\""))`, `(deny file-read-data (literal "/k") (subpath "/k"))`,
		`(allow file-read* (literal "/k/p") (subpath "/k/p"))`, `(remote tcp "*:443")`, "(deny signal)\n(allow signal (target same-sandbox))",
	} {
		assert.Contains(t, got, want)
	}
	if strings.Index(got, `(deny file-read-data (literal "/k")`) > strings.Index(got, `(allow file-read* (literal "/k/p")`) {
		t.Error("an exception counts only after what it is an exception from")
	}
}
