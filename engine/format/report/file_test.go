package report

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestFiles: each system has a job that runs the checks, fetches the whole history and installs a release of chant.
func TestFiles(t *testing.T) {
	t.Parallel()
	for _, system := range Systems() {
		list, ok := Files(system, Release{"1.2.0", "https://example.com/chant"})
		assert.True(t, ok, "%s has no job", system)
		assert.NotEqual(t, 0, len(list), "%s has no job", system)
		var all strings.Builder
		for _, f := range list {
			assert.Equal(t, path.Clean(f.Path), f.Path, "%s: %q", system, f.Text)
			assert.False(t, path.IsAbs(f.Path), "%s: %q, %q", system, f.Path, f.Text)
			assert.HasSuffix(t, string(f.Text), "\n", "%s: %q", system, f.Text)
			assert.False(t, f.Lists != "" && !slices.ContainsFunc(list, func(o File) bool { return o.Path == f.Lists }), "%s lists %q", f.Path, f.Lists)
			assert.Equal(t, "", f.Missing(f.Text), "%s lists", f.Path)
			all.Write(f.Text)
		}
		for _, want := range []string{ReleasesVariable, "chant ci ", "/v$CHANT_VERSION/install.sh", `"1.2.0"`, "https://example.com/chant"} {
			assert.Contains(t, all.String(), want, "%s: the job has no", system)
		}
	}
	list, ok := Files("jenkins", Release{})
	assert.False(t, ok, "an unknown system has %v", list)
	assert.True(t, list == nil, "an unknown system has %v", list)
}

// TestFile_is: a file of another release is still ours, and one that a person has changed is not.
func TestFile_is(t *testing.T) {
	t.Parallel()
	for _, system := range Systems() {
		template, _ := Files(system, Release{"@VERSION@", "@RELEASES@"})
		made, _ := Files(system, Release{"1.2.0", "https://example.com/a?b=1"})
		for i, f := range template {
			assert.True(t, f.Is(made[i].Text), "%s", f.Path)
			assert.False(t, f.Is(append(made[i].Text, "more\n"...)), "%s", f.Path)
		}
	}
}

func TestMissing(t *testing.T) {
	t.Parallel()
	list, _ := Files(GitLab, Release{})
	top := list[1]
	assert.Equal(t, "add .gitlab/chant.yml to the list include", top.Missing([]byte("stages: [test]\n")))
	assert.Equal(t, "", top.Missing([]byte("include: .gitlab/chant.yml\n")))
	assert.Equal(t, "", list[0].Missing(nil), "the job itself")
}

func TestGuess(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files   []string
		remotes []string
		want    string
	}{
		"nothing":                {},
		"workflows":              {files: []string{".github/workflows"}, want: GitHub},
		"a file of GitLab":       {files: []string{".gitlab-ci.yml"}, want: GitLab},
		"both":                   {files: []string{".gitlab-ci.yml", ".github/workflows"}},
		"files before remotes":   {files: []string{".gitlab-ci.yml"}, remotes: []string{"git@github.com:a/b"}, want: GitLab},
		"https":                  {remotes: []string{"https://github.com/a/b.git"}, want: GitHub},
		"ssh, a server of ours":  {remotes: []string{"ssh://git@gitlab.example.com/a/b"}, want: GitLab},
		"scp":                    {remotes: []string{"git@GitLab.com:a/b.git"}, want: GitLab},
		"only the path names it": {remotes: []string{"https://example.com/github/b"}},
		"a folder":               {remotes: []string{"/srv/github"}},
		"two systems":            {remotes: []string{"git@github.com:a/b", "git@gitlab.com:a/b"}},
	} {
		assert.Equal(t, c.want, Guess(func(p string) bool { return slices.Contains(c.files, p) }, c.remotes), "%s", name)
	}
}
