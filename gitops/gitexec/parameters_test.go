package gitexec

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestUnfoldParameters(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`'user.name'='Ann O'\''Neil'`: "user.name=Ann O'Neil",
		`'a.b'='x'\!''  'c.d'=`:       "a.b=x! c.d=true",
		`'user.name=Bo' 'core.x'`:     "user.name=Bo core.x=true",
		`'branch.a=b.remote'='o'`:     "branch.a=b.remote=o",
		``:                            "",
	} {
		var got []string
		for _, pair := range settingsIn(UnfoldParameters([]string{"GIT_CONFIG_PARAMETERS=" + text})) {
			got = append(got, pair[0]+"="+pair[1])
		}
		assert.Equal(t, want, strings.Join(got, " "), "%s", text)
	}
	// They count more than the others.
	got := UnfoldParameters([]string{"A=1", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=a.b", "GIT_CONFIG_VALUE_0=1", "GIT_CONFIG_PARAMETERS='a.b'='2'"})
	assert.Equal(t, [][2]string{{"a.b", "1"}, {"a.b", "2"}}, settingsIn(got))
	assert.NotContains(t, strings.Join(got, "\n"), "PARAMETERS")
	assert.Equal(t, []string{"A=1"}, UnfoldParameters([]string{"A=1"}))
	// Git refuses such a count, so it numbers nothing.
	got = UnfoldParameters([]string{"GIT_CONFIG_COUNT=-1", "GIT_CONFIG_PARAMETERS='a.b'='2'"})
	assert.Equal(t, [][2]string{{"a.b", "2"}}, settingsIn(got))
}

// A list that cannot be parsed is left to git, which refuses it.
func TestUnfoldParameters_invalid(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`'a.b'='x' c.d=y`, `'a.b'='x`, `'a.b'x`} {
		environ := []string{"A=1", "GIT_CONFIG_PARAMETERS=" + text}
		assert.Equal(t, environ, UnfoldParameters(environ), "%s", text)
		assert.SliceContains(t, environment(environ, nil, Call{}), environ[1], "%s", text)
		cmd := exec.Command("git", "config", "--list")
		cmd.Env = append(os.Environ(), environ...)
		out, err := cmd.CombinedOutput()
		assert.Error(t, err, "%s: %s", text, out)
	}
}

// The form is that of the git which is installed.
func TestUnfoldParameters_git(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("git", "-c", "user.name=it's !", "-c", "a.b", "-c", "c.d=", "-c", "alias.shown=!printenv GIT_CONFIG_PARAMETERS", "shown")
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	out, err := cmd.Output()
	assert.NoError(t, err)
	got, ok := parseParameters(strings.TrimSpace(string(out)))
	assert.True(t, ok, "%s", out)
	assert.Equal(t, [][2]string{{"user.name", "it's !"}, {"a.b", "true"}, {"c.d", ""}, {"alias.shown", "!printenv GIT_CONFIG_PARAMETERS"}}, got)
}
