package gitexec

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
)

func TestEnvironment(t *testing.T) {
	t.Parallel()
	env := environment([]string{
		"HOME=/h", "GIT_DIR=/x", "GIT_INDEX_FILE=/x", "GIT_CONFIG_COUNT=3", "GIT_CONFIG_KEY_0=Core.WorkTree", "GIT_CONFIG_VALUE_0=/x", "GIT_CONFIG_KEY_1=user.name", "GIT_CONFIG_VALUE_1=Bo", "GIT_CONFIG_KEY_2=a.b", "GIT_CONFIG_PARAMETERS='a'",
		"GIT_AUTHOR_NAME=Ann", "GIT_SSH_COMMAND=ssh", "GIT_CONFIG_GLOBAL=/g", "GIT_TRACE=1", "GIT_CEILING_DIRECTORIES=/y", "LC_ALL=de_DE",
	}, nil, Call{Dir: "/repo/top", Env: []string{"GIT_INDEX_FILE=/mine"}, Config: [][2]string{{"branch.a=b.x", ""}}})
	for _, want := range []string{"HOME=/h", "GIT_AUTHOR_NAME=Ann", "GIT_SSH_COMMAND=ssh", "GIT_CONFIG_GLOBAL=/g", "GIT_OPTIONAL_LOCKS=0", "GIT_CEILING_DIRECTORIES=/repo", "GIT_INDEX_FILE=/mine",
		"GIT_CONFIG_COUNT=2", "GIT_CONFIG_KEY_0=user.name", "GIT_CONFIG_VALUE_0=Bo", "GIT_CONFIG_KEY_1=branch.a=b.x", "GIT_CONFIG_VALUE_1="} {
		assert.SliceContains(t, env, filepath.FromSlash(want), "%q is missing", want)
	}
	for _, pair := range env {
		assert.False(t, strings.HasPrefix(pair, "GIT_DIR="), "%q was let through", pair)
		assert.False(t, strings.HasPrefix(pair, "GIT_CONFIG_P"), "%q was let through", pair)
		assert.False(t, strings.HasSuffix(pair, "=Core.WorkTree"), "%q was let through", pair)
		assert.NotEqual(t, "GIT_INDEX_FILE=/x", pair)
	}
	assert.True(t, slices.Index(env, "LC_ALL=C") >= slices.Index(env, "LC_ALL=de_DE"), "the language is not git's own")
}

func TestGitError(t *testing.T) {
	t.Parallel()
	for stderr, want := range map[string]string{
		"warning: x\nfatal: detected dubious ownership in repository at '/r'\nTo add\n": "git status: detected dubious ownership in repository at '/r'",
		"something\nlast line.\nhint: do\n":                                             "git status: last line",
		"":                                                                              "git status ended with exit status 3 and said nothing",
		"lfs filter-process: 1: lfs: not found\nfatal: the remote end hung up unexpectedly\n":                                                                "git status: the remote end hung up unexpectedly (lfs filter-process: 1: lfs: not found)",
		"policy: not today\nfatal: ref updates aborted by hook\n":                                                                                            `git status: the hook "reference-transaction" refused it: policy: not today`,
		"fatal: in 'prepared' phase, update aborted by the reference-transaction hook\n":                                                                     `git status: the hook "reference-transaction" refused it`,
		"lock: no key for x\nerror: external filter 'lock %f' failed 1\nerror: external filter 'lock %f' failed\nfatal: x.bin: clean filter 'lock' failed\n": `git status: clean filter "lock" failed for "x.bin": lock: no key for x`,
		"x: no key\nfatal: a: smudge filter x failed\nUpdating files: 100% (2/2), done.\n":                                                                   `git status: smudge filter "x" failed for "a": x: no key`,
		"fatal: a: smudge filter x failed\nUpdating files: 100% (2/2), done.\n":                                                                              `git status: smudge filter "x" failed for "a"`,
		"fatal: a b: smudge filter lock failed\n":                                                                                                            `git status: smudge filter "lock" failed for "a b"`,
		"error: what is missing:\n": "git status: what is missing:",
		"hint: only\n":              "git status ended with exit status 3 and said nothing",
		"fatal: unable to connect to 10.0.0.1:\n10.0.0.1[0: 10.0.0.1]: errno=Network is unreachable\n\n": "git status: unable to connect to 10.0.0.1: 10.0.0.1[0: 10.0.0.1]: errno=Network is unreachable",
		"Writing objects:  50% (1/2)\rfatal: the remote end hung up\n":                                   "git status: the remote end hung up",
	} {
		assert.Equal(t, want, (&Error{Args: []string{"status"}, ExitCode: 3, Stderr: stderr}).Error())
	}
}

func TestGitError_settings(t *testing.T) {
	t.Parallel()
	for stderr, want := range map[string]string{
		"fatal: bad config line 1 in file /h/.gitconfig\n":                                        "/h/.gitconfig",
		"warning: x\nfatal: bad config variable 'branch.a.merge' in file '.git/config' at line 9": ".git/config",
		"fatal: bad numeric config value 'x' for 'gc.auto' in file /a b: invalid unit\n":          "/a b",
		"fatal: bad boolean config value 'x' for 'core.bare'\n":                                   "",
		"error: pathspec 'config line 1 in file x' did not match\n":                               "",
	} {
		assert.Equal(t, want, (&Error{Stderr: stderr}).SettingsFile(), "%s", stderr)
	}
	// The file of a repository is named from where git ran.
	dir := t.TempDir()
	for written, want := range map[string]string{".git/config": filepath.Join(dir, ".git", "config"), filepath.Join(dir, "x"): filepath.Join(dir, "x")} {
		assert.Equal(t, want, (&Error{Dir: dir, Stderr: "fatal: bad config line 1 in file " + written}).SettingsFile(), "%s", written)
	}
}

// TestGitError_locked: an error after waiting names the lock file and how long it was waited for.
func TestGitError_locked(t *testing.T) {
	t.Parallel()
	failed := &Error{Args: []string{"update-index"}, ExitCode: 128, Waited: 10_040 * time.Millisecond, Stderr: "fatal: Unable to create '/r x/.git/index.lock': File exists.\n\nAnother git process seems to be running"}
	if want := `git update-index: locked by "/r x/.git/index.lock", which still exists after 10s; remove it if no git process is running`; failed.Error() != want || failed.LockFile() != "/r x/.git/index.lock" {
		t.Errorf("%q, %q", failed.Error(), failed.LockFile())
	}
	for _, other := range []*Error{
		{Stderr: failed.Stderr},
		{Stderr: "error: could not lock config file .git/config: File exists", Waited: time.Second},
		{Stderr: "fatal: Unable to create '/r/.git/index.lock': Permission denied", Waited: time.Second},
		{Stderr: "fatal: Unable to create 'x'\nnamed .lock': File exists", Waited: time.Second},
	} {
		assert.Equal(t, "", other.LockFile(), "%q", other.Stderr)
	}
}

func TestNewEnough(t *testing.T) {
	t.Parallel()
	for have, want := range map[string]bool{"2.38.0": true, "2.39.5 (Apple Git-154)": true, "2.37.9": false, "3.0": true, "1.99": false, "x": false, "2.45.windows.1": true} {
		assert.Equal(t, want, newEnough(have))
	}
	text := (&VersionError{Have: "2.20.1", Want: minGit}).Error()
	assert.Contains(t, text, "2.20.1")
	assert.Contains(t, text, minGit)
}

// TestRunner_keepsProgram: the git that was found first is run, also if another one comes before it on PATH.
func TestRunner_keepsProgram(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the other git is a POSIX shell script")
	}
	first := new(Runner)
	_, err := first.Run(t.Context(), Call{Args: []string{"version"}})
	assert.NoError(t, err)
	dir := t.TempDir()
	shim := filepath.Join(dir, "git")
	assert.NoError(t, os.WriteFile(shim, []byte("#!/bin/sh\nexit 7\n"), 0o700))
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	_, err = first.Run(t.Context(), Call{Args: []string{"version"}})
	assert.NoError(t, err)
	_, err = new(Runner).Run(t.Context(), Call{Args: []string{"version"}})
	assert.Error(t, err, "the other git is not on PATH at all")
}

// TestUnreachable has what git says by the protocols that it has.
func TestUnreachable(t *testing.T) {
	t.Parallel()
	for stderr, want := range map[string]bool{
		"fatal: unable to connect to 10.0.0.1:\n10.0.0.1[0: 10.0.0.1]: errno=No route to host\n":                                         true,
		"fatal: unable to look up nowhere.example (port 9418) (Name or service not known)\n":                                             true,
		"fatal: unable to access 'https://nowhere.example/x/': Could not resolve host: nowhere.example\n":                                true,
		"fatal: unable to access 'https://10.0.0.1/x/': Failed to connect to 10.0.0.1 port 443 after 3 ms: Couldn't connect to server\n": true,
		"ssh: connect to host 10.0.0.1 port 22: Connection refused\nfatal: Could not read from remote repository.\n":                     true,
		"ssh: Could not resolve hostname nowhere.example: Temporary failure in name resolution\n":                                        true,
		"git@github.com: Permission denied (publickey).\nfatal: Could not read from remote repository.\n":                                false,
		"fatal: '/x/app.git' does not appear to be a git repository\n":                                                                   false,
		"fatal: Authentication failed for 'https://example.com/x/'\n":                                                                    false,
	} {
		assert.Equal(t, want, (&Error{Stderr: stderr}).Unreachable(), "%q", stderr)
	}
}
