package report

import (
	"path"
	"slices"
	"strings"
	"testing"
)

// TestFiles: each system has a job that runs the checks, fetches the whole history and builds chant.
func TestFiles(t *testing.T) {
	t.Parallel()
	for _, system := range Systems() {
		list, ok := Files(system)
		if !ok || len(list) == 0 {
			t.Fatalf("%s has no job", system)
		}
		var all strings.Builder
		for _, f := range list {
			if f.Path != path.Clean(f.Path) || path.IsAbs(f.Path) || !strings.HasSuffix(string(f.Text), "\n") {
				t.Errorf("%s: %q, %q", system, f.Path, f.Text)
			}
			if f.Lists != "" && !slices.ContainsFunc(list, func(o File) bool { return o.Path == f.Lists }) || f.Missing(f.Text) != "" {
				t.Errorf("%s lists %q", f.Path, f.Lists)
			}
			all.Write(f.Text)
		}
		for _, want := range []string{SourceVariable, "chant ci ", "install ./cmd/chant"} {
			if !strings.Contains(all.String(), want) {
				t.Errorf("%s: the job has no %q", system, want)
			}
		}
	}
	if list, ok := Files("jenkins"); ok || list != nil {
		t.Errorf("an unknown system has %v", list)
	}
}

func TestMissing(t *testing.T) {
	t.Parallel()
	list, _ := Files(GitLab)
	top := list[1]
	if got := top.Missing([]byte("stages: [test]\n")); got != "add .gitlab/chant.yml to the list include" {
		t.Errorf("%q", got)
	}
	if got := top.Missing([]byte("include: .gitlab/chant.yml\n")); got != "" {
		t.Errorf("%q", got)
	}
	if got := list[0].Missing(nil); got != "" {
		t.Errorf("the job itself: %q", got)
	}
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
		if got := Guess(func(p string) bool { return slices.Contains(c.files, p) }, c.remotes); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
