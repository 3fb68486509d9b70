package gitconfig

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"chant/gitops/gitexec"
	"chant/gitops/layout"

	"github.com/alecthomas/assert/v2"
)

// TestPersonal: git reads from the one file what it reads from the files of the person, includes among them.
func TestPersonal(t *testing.T) {
	home, repo := t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	t.Setenv("GIT_CONFIG_GLOBAL", "")
	assert.NoError(t, os.Unsetenv("GIT_CONFIG_GLOBAL"))
	write := func(name, text string) {
		t.Helper()
		assert.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(home, name)), 0o755))
		assert.NoError(t, os.WriteFile(filepath.Join(home, name), []byte(text), 0o600))
	}
	git := func(env ...string) string {
		t.Helper()
		c := exec.Command("git", "-C", repo, "config", "--includes", "--show-scope", "-z", "--list")
		c.Env = append(os.Environ(), env...)
		out, err := c.CombinedOutput()
		assert.NoError(t, err, "%s", out)
		var kept []string
		for each := range strings.SplitSeq(string(out), "\x00global\x00") {
			if !strings.Contains(each, "include") {
				kept = append(kept, each)
			}
		}
		return strings.Join(kept, "\n")
	}
	assert.NoError(t, exec.Command("git", "init", "-q", repo).Run())
	write(".config/git/config", "[core]\n\tpager = less -F \"# no comment\"\n")
	write(".gitconfig", "[user]\n\tname = \"Ann \\\"A\\\" Ä\"\n[include]\n\tpath = more/inc\n[alias]\n\tx = \"!f() {\\n\\techo \\\\\\\\; }; f\"\n[core]\n\tbare\n[url \"a\\\"b\\\\c.d:\"]\n\tinsteadOf = x=y\n\tinsteadOf = \" z \"\n")
	write("more/inc", "[user]\n\temail = ann@example.com\n[secret]\n\ttoken = t\n")
	s := &Settings{Git: &gitexec.Runner{}, Site: &layout.Site{Home: repo, Common: filepath.Join(repo, ".git")}}
	text, err := s.Personal(t.Context(), func(string) bool { return true })
	assert.NoError(t, err)
	write("one", string(text))
	assert.Equal(t, git(), git("GIT_CONFIG_GLOBAL="+filepath.Join(home, "one")))
	text, err = s.Personal(t.Context(), func(file string) bool { return !strings.HasSuffix(file, "inc") })
	assert.NoError(t, err)
	assert.NotContains(t, string(text), "token")
	assert.Contains(t, string(text), "Ann")
}
