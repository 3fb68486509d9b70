package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine/store/config"

	"github.com/alecthomas/assert/v2"
)

// TestPush: git does not push to a remote in any of these ways, says how to allow it, and pushes elsewhere.
func TestPush(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		line    string
		allowed bool // by the settings
		want    bool // something is pushed
	}{
		"by name":                    {`git push -q origin HEAD:main`, false, false},
		"by its address":             {`git push -q "$(git config remote.origin.url)" HEAD:main`, false, false},
		"by force":                   {`git push -q --force origin HEAD:other`, false, false},
		"with a longer rule":         {`git -c "url.$REMOTE.pushInsteadOf=file://" push -q origin HEAD:main`, false, false},
		"all branches":               {`git push -q --all origin`, false, false},
		"a mirror":                   {`git push -q --mirror origin`, false, false},
		"where it is pushed to":      {`git push -q apart HEAD:main`, false, false},
		"a new name for the same":    {`git -c remote.new.url="file://$REMOTE" push -q new HEAD:main`, false, false},
		"a tag":                      {`git tag x; git push -q origin x`, false, false},
		"from another folder":        {`cd .. && git -C project push -q origin HEAD:main`, false, false},
		"deleting":                   {`git push -q origin :kept`, false, false},
		"allowed":                    {`git push -q origin HEAD:main`, true, true},
		"a repository of a test":     {`git init -q --bare ../other.git; git push -q ../other.git HEAD:main && git -C ../other.git push -q "$PWD/../third.git" main`, false, true},
		"fetching from where it was": {`git fetch -q origin && git ls-remote -q origin > /dev/null`, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t, config.SandboxConfig{Push: c.allowed}, "chant/")
			top := t.TempDir()
			remote := filepath.Join(top, "remote.git")
			environ := append(f.Environ, "PATH="+os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "REMOTE="+remote)
			run := func(dir, line string, env []string) (string, error) {
				cmd := exec.CommandContext(t.Context(), "sh", "-c", line)
				cmd.Dir, cmd.Env = dir, append(environ, env...)
				out, err := cmd.CombinedOutput()
				return string(out), err
			}
			if out, err := run(f.home, `git init -q --bare "$REMOTE" && git init -q --bare "$REMOTE/../third.git" && git -c user.name=a -c user.email=a@example.com commit -q --allow-empty -m begin &&
git remote add origin "file://$REMOTE" && git push -q origin HEAD:kept && git remote add apart "file://$REMOTE/../third.git" && git remote set-url --push apart "$REMOTE"`, nil); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			before, _ := run(remote, "git for-each-ref", nil)
			push, err := f.pushSettings()
			assert.NoError(t, err)
			assert.NoError(t, os.Rename(f.home, filepath.Join(top, "project")))
			out, err := run(filepath.Join(top, "project"), c.line, gitEnv(f.Environ, push))
			after, _ := run(remote, "git for-each-ref", nil)
			assert.Equal(t, c.want, err == nil)
			assert.False(t, !c.want && (before != after || !strings.Contains(out, "sandbox.push allows it")), "%v, want success %t\n%s\nbefore:\n%safter:\n%s", err, c.want, out, before, after)
		})
	}
}

// TestSpellings: an address of a host is known in the ways in which it can be written.
func TestSpellings(t *testing.T) {
	t.Parallel()
	for address, want := range map[string][]string{
		"/srv/app.git":                           nil,
		"../app.git":                             nil,
		"https://example.com/me/app.git":         {"https://example.com/", "ssh://git@example.com/", "git@example.com:", "git://example.com/", "example.com:"},
		"git@example.com:me/app.git":             {"https://example.com/", "ssh://git@example.com/", "git@example.com:", "ssh://example.com/"},
		"git://127.0.0.1:2000/app.git":           {"git://127.0.0.1:2000/", "git://127.0.0.1/", "http://127.0.0.1:2000/"},
		"https://user:token@example.com/app.git": {"https://user:token@example.com/", "https://example.com/", "git@example.com:"},
		"ssh://me@example.com:2222/app.git":      {"ssh://me@example.com:2222/", "me@example.com:", "https://example.com/"},
		"me@host:app":                            {"me@host:", "host:", "ssh://me@host/"},
	} {
		got := spellings([]string{address})
		assert.Equal(t, address, got[0])
		assert.False(t, want == nil && len(got) != 1, "%s: %q", address, got)
		for _, prefix := range want {
			assert.Contains(t, "\n"+strings.Join(got, "\n")+"\n", "\n"+prefix+"\n", "%s: %q lacks %q", address, got, prefix)
		}
	}
}
