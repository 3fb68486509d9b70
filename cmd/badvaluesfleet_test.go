package cmd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestFleet_badValues: what cannot work is refused before a port is opened, something is cloned, or a file is written in
// the repository or the current folder.
func TestFleet_badValues(t *testing.T) {
	t.Parallel()
	dir := emptyProject(t)
	before := everyFile(t, dir)
	for name, text := range map[string]string{
		"text.fleet": "x", "empty.fleet": "{}", "old.fleet": `{"url": "http://x", "project": "app", "remote": "/x", "node": "a", "seed": "S"}`,
		"above.fleet": `{"url": "nats://x:1", "project": "app", "remote": "/x", "node": "../a", "seed": "S"}`, "ca.pem": "x", "a.seed": "x", "a.creds": "x",
	} {
		assert.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
		before[name] = true
	}
	const server, remote = "nats://127.0.0.1:1", "--remote=/none/app.git"
	guide, help := "chant guide fleet", "chant fleet join --help"
	for _, c := range []struct {
		args       []string
		code       int
		says, hint string
	}{
		{[]string{"up"}, 5, `this repository has no remote "origin"`, "git remote add origin URL"},
		{[]string{"up", "--listen", "127.0.0.1"}, 2, `invalid address "127.0.0.1" (use host:port`, "chant fleet up --help"},
		{[]string{"up", "--listen", ":4222"}, 2, `invalid address ":4222"`, "chant fleet up --help"},
		{[]string{"up", "--listen", "127.0.0.1:70000"}, 2, `invalid address "127.0.0.1:70000"`, "chant fleet up --help"},
		{[]string{"up", "--host", "hub:4222"}, 2, `invalid host "hub:4222"`, "chant fleet up --help"},
		{[]string{"up", "--name", "a b"}, 2, `invalid name of a node "a b"`, guide},
		{[]string{"up", "--project", "a/b"}, 2, `invalid project "a/b"`, "chant fleet up --help"},
		{[]string{"up", "--label", "a b"}, 2, `invalid label "a b"`, "chant fleet up --help"},
		{[]string{"up", "--slots", "1001"}, 2, `invalid number of slots 1001 (use 0 to 1000)`, "chant fleet up --help"},
		{[]string{"join"}, 2, `chant fleet join takes one invitation, or the address of a server`, help},
		{[]string{"drain", "a", "b"}, 2, `chant fleet drain takes the name of one machine`, "chant fleet drain --help"},
		{[]string{"retry"}, 2, `chant fleet retry takes one spec ID`, "chant fleet retry --help"},
		{[]string{"join", "none.fleet"}, 3, `there is no invitation`, guide},
		{[]string{"join", "."}, 4, `the invitation cannot be read`, guide},
		{[]string{"join", "text.fleet"}, 4, `is not an invitation to a fleet: it is not JSON`, guide},
		{[]string{"join", "empty.fleet"}, 4, `is not an invitation to a fleet: it lacks an address or a key`, guide},
		{[]string{"join", "old.fleet"}, 4, `is not an invitation to a fleet: invalid URL "http://x"`, guide},
		{[]string{"join", "above.fleet"}, 4, `invalid name of a node "../a"`, guide},
		{[]string{"join", "http://x", remote}, 2, `invalid URL "http://x"`, help},
		{[]string{"join", "nats://a:b@x", remote}, 2, `must not contain a user, password or token`, help},
		{[]string{"join", server}, 2, `nothing says which git remote to clone`, "chant fleet join nats://127.0.0.1:1 --remote URL"},
		{[]string{"join", server, "--remote=--upload-pack=x"}, 2, `invalid remote "--upload-pack=x"`, help},
		{[]string{"join", server, remote, "--name", "a b"}, 2, `invalid name of a node "a b"`, guide},
		{[]string{"join", server, remote, "--label", "a,b c"}, 2, `invalid label "b c"`, help},
		{[]string{"join", server, remote, "--ca", "none.pem"}, 2, `the CA file cannot be read`, guide},
		{[]string{"join", server, remote, "--ca", "ca.pem"}, 2, `has no certificate`, guide},
		{[]string{"join", server, remote, "--credentials", "none.seed"}, 2, `invalid seed file`, guide},
		{[]string{"join", server, remote, "--credentials", "a.seed"}, 2, `it has no seed of a user`, guide},
		{[]string{"join", server, remote, "--credentials", "a.creds"}, 2, `has no user with a seed`, guide},
		{[]string{"join", server, remote}, 3, `the remote "/none/app.git" cannot be cloned`, `git ls-remote "/none/app.git"`},
		{[]string{"invite", "a b"}, 2, `invalid name of a node "a b"`, guide},
		{[]string{"invite", "a"}, 5, `no hub with its own server was started here`, "chant fleet up"},
		{[]string{"status"}, 5, `this clone takes part in no fleet`, guide},
		{[]string{"drain", "a"}, 5, `this clone takes part in no fleet`, guide},
		{[]string{"retry", "001"}, 5, `this clone takes part in no fleet`, guide},
		{[]string{"retry", "none"}, 3, `no spec matches "none"`, "chant list"},
		{[]string{"down"}, 5, `this clone takes part in no fleet`, "chant guide fleet"},
		{[]string{"unit"}, 2, `give the command to run after "--"`, "chant fleet unit --help"},
		{[]string{"unit", "--", "down"}, 2, `give the command to run after "--"`, "chant fleet unit --help"},
		{[]string{"unit", "--", "join", "a", "--slots", "-1"}, 2, `--slots`, "chant fleet unit --help"},
		{[]string{"unit", "--user", "root", "--", "up"}, 2, `agents must not run as root`, "chant fleet unit --help"},
		{[]string{"containerfile", "--", "up"}, 2, `give the command to run after "--": join`, "chant fleet containerfile --help"},
		{[]string{"containerfile", "--", "join"}, 2, `takes one invitation`, "chant fleet containerfile --help"},
		{[]string{"containerfile", "--folder", "/a b", "--", "join", "a"}, 2, `invalid path "/a b"`, "chant fleet containerfile --help"},
	} {
		out, errs, code := runIn(t, dir, append([]string{"fleet"}, c.args...)...)
		assert.Equal(t, c.code, code, "chant fleet %q: exit %q", c.args, c.hint)
		assert.Equal(t, "", out, "chant fleet %q: exit %q", c.args, c.hint)
		assert.Contains(t, errs, c.says, "chant fleet %q: exit %q", c.args, c.hint)
		assert.Contains(t, errs, "hint: "+c.hint+"\n", "chant fleet %q: exit %q", c.args, c.hint)
	}
	for file := range everyFile(t, dir) {
		assert.False(t, !before[file] && !strings.HasPrefix(file, ".git/chant/locks"), "%s was written", file)
	}
}

// everyFile lists what is below a folder.
func everyFile(t *testing.T, dir string) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		out[filepath.ToSlash(rel)] = true
		return err
	})
	assert.NoError(t, err)
	return out
}
