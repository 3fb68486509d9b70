package leader

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"chant/providers"

	"github.com/alecthomas/assert/v2"
)

// TestParseAddress reads the addresses that git accepts.
func TestParseAddress(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]place{
		"https://github.com/team/app.git":            {"github.com", "team/app"},
		"https://user:key@GitHub.com/team/app/":      {"github.com", "team/app"},
		"https://git.example.com:8443/a/b/c.git":     {"git.example.com:8443", "a/b/c"},
		"ssh://git@gitlab.example.com:2222/team/app": {"gitlab.example.com", "team/app"},
		"git@gitlab.com:group/sub/app.git":           {"gitlab.com", "group/sub/app"},
		"github.com:team/app":                        {"github.com", "team/app"},
		"/srv/git/app.git":                           {},
		"../app.git":                                 {},
		`C:\git\team\app`:                            {},
		"C:/git/team/app":                            {},
		"file:///srv/team/app.git":                   {},
		"https://github.com/app":                     {},
		"https://github.com/team/../app":             {},
		"https://github.com/team/app?x=1":            {},
		"https://github.com/team/a b":                {},
		"https://github.com/--repo/app":              {},
		"git@-oProxyCommand=x:team/app":              {},
		"https://user:secret@github.com":             {},
		"":                                           {},
	} {
		got, err := parseAddress(address)
		assert.Equal(t, want, got, "%q", address)
		assert.Equal(t, want.Host != "", err == nil, "%q", address)
		assert.False(t, err != nil && strings.Contains(err.Error(), "secret"), "%q: %v", address, err)
	}
}

// FuzzParseAddress: what is accepted can be an argument of a program, and is what its own form is read as.
func FuzzParseAddress(f *testing.F) {
	for _, seed := range []string{"https://github.com/team/app.git", "git@gitlab.com:group/sub/app.git", "ssh://git@host:22/a/b", "C:/a/b", "a:b/c"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, address string) {
		p, err := parseAddress(address)
		if err != nil {
			return
		}
		assert.False(t, strings.HasPrefix(p.Host, "-"), "%q: %+v", address, p)
		assert.False(t, strings.HasPrefix(p.Path, "/"), "%q: %+v", address, p)
		assert.False(t, strings.ContainsAny(p.Host+p.Path, " \n\t'\"\\@"), "%q: %+v", address, p)
		again, err := parseAddress("https://" + p.Host + "/" + p.Path + ".git")
		assert.False(t, err == nil && again != p, "%q: %+v, and again %+v", address, p, again)
	})
}

// TestParse reads the lists that the programs print.
func TestParse(t *testing.T) {
	t.Parallel()
	const at = "https://github.com/team/app/pull/1"
	gh := func(state, more string) string {
		return `[{"url":"` + at + `","state":"` + state + `","headRefName":"chant/a","isCrossRepository":` + more + `}]`
	}
	lab := func(state, from string) string {
		return `[{"web_url":"` + at + `","state":"` + state + `","source_branch":"chant/a","source_project_id":` + from + `,"target_project_id":7}]`
	}
	for name, tc := range map[string]struct {
		parse func([]byte) ([]pull, error)
		text  string
		want  pullState // "" = none
		bad   bool
	}{
		"gh, nothing":        {parseGitHub, "", "", false},
		"gh, none":           {parseGitHub, "[]", "", false},
		"gh, open":           {parseGitHub, gh("OPEN", "false"), pullOpen, false},
		"gh, closed":         {parseGitHub, gh("CLOSED", "false"), pullClosed, false},
		"gh, merged":         {parseGitHub, gh("MERGED", "false"), pullMerged, false},
		"gh, of a fork":      {parseGitHub, gh("OPEN", "true"), "", false},
		"gh, another state":  {parseGitHub, gh("DRAFT", "false"), "", true},
		"gh, words":          {parseGitHub, "no pull requests", "", true},
		"gh, a strange URL":  {parseGitHub, strings.Replace(gh("OPEN", "false"), "https:", "javascript:", 1), "", true},
		"glab, open":         {parseGitLab, lab("opened", "7"), pullOpen, false},
		"glab, closed":       {parseGitLab, lab("closed", "7"), pullClosed, false},
		"glab, merged":       {parseGitLab, lab("merged", "7"), pullMerged, false},
		"glab, being merged": {parseGitLab, lab("locked", "7"), pullOpen, false},
		"glab, of a fork":    {parseGitLab, lab("opened", "8"), "", false},
		"glab, cut off":      {parseGitLab, `[{"web_url":`, "", true},
	} {
		pulls, err := tc.parse([]byte(tc.text))
		if (err != nil) != tc.bad {
			t.Errorf("%s: %v", name, err)
			continue
		}
		assert.False(t, tc.want == "" && len(pulls) > 0, "%s: %+v", name, pulls)
		assert.False(t, tc.want != "" && (len(pulls) != 1 || pulls[0] != pull{URL: at, Branch: "chant/a", State: tc.want}), "%s: %+v", name, pulls)
	}
}

// FuzzParse: whatever a program prints, an address that is accepted can be printed.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`[{"url":"https://github.com/t/a/pull/1","state":"OPEN","headRefName":"x"}]`))
	f.Add([]byte(`[{"web_url":"https://gitlab.com/t/a/-/merge_requests/1","state":"merged","source_branch":"x"}]`))
	f.Fuzz(func(t *testing.T, out []byte) {
		for _, d := range dialects() {
			pulls, err := d.parse(out)
			for _, p := range pulls {
				assert.False(t, err == nil && (!isURL(p.URL) || strings.ContainsAny(p.URL, "\x1b\n ") || p.State == ""), "%+v", p)
			}
		}
	})
}

// scripted returns a caller whose PATH has these programs, and what they were asked so far.
func scripted(t *testing.T, programs map[string]string) (forgeCaller, func() string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the programs are POSIX shell scripts")
	}
	dir := t.TempDir()
	for name, text := range programs {
		script := "#!/bin/sh\necho \"" + name + " $*\" >> '" + dir + "/log'\n" + text
		assert.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(script), 0o755))
	}
	sh, err := providers.Find("sh", "", os.Environ())
	assert.NoError(t, err)
	assert.NoError(t, os.Symlink(sh, filepath.Join(dir, "sh")))
	return forgeCaller{Dir: dir, Environ: []string{"PATH=" + dir}}, func() string {
		text, err := os.ReadFile(filepath.Join(dir, "log"))
		assert.False(t, err != nil && !errors.Is(err, os.ErrNotExist), "%v", err)
		return string(text)
	}
}

// TestFind chooses the program by the name of the host, and by who is logged in where that says nothing.
func TestFind(t *testing.T) {
	t.Parallel()
	const loggedIn, loggedOut = "exit 0\n", "echo 'You are not logged in' >&2\nexit 1\n"
	for name, tc := range map[string]struct {
		programs map[string]string
		address  string
		want     string
	}{
		"GitHub":            {map[string]string{"gh": loggedOut, "glab": loggedIn}, "git@github.com:team/app", "gh"},
		"GitLab":            {map[string]string{"gh": loggedIn, "glab": loggedOut}, "https://gitlab.example.com/team/app", "glab"},
		"a host of GitHub":  {map[string]string{"gh": loggedIn, "glab": loggedIn}, "https://git.example.com/team/app", "gh"},
		"a host of GitLab":  {map[string]string{"gh": loggedOut, "glab": loggedIn}, "https://git.example.com/team/app", "glab"},
		"only glab":         {map[string]string{"glab": loggedIn}, "https://git.example.com/team/app", "glab"},
		"another host":      {map[string]string{"gh": loggedOut, "glab": loggedOut}, "https://git.example.com/team/app", ""},
		"nothing installed": {nil, "https://git.example.com/team/app", ""},
		"gh is missing":     {map[string]string{"glab": loggedIn}, "https://github.com/team/app", ""},
		"a folder":          {map[string]string{"gh": loggedIn}, "/srv/team/app", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, _ := scripted(t, tc.programs)
			f, err := findForge(t.Context(), c, tc.address)
			assert.Equal(t, tc.want != "", err == nil)
			assert.False(t, err == nil && f.Program != tc.want, "%+v, %v", f, err)
		})
	}
}

// TestForge_asks: the programs get the repository by its address, and their answers and failures are understood.
func TestForge_asks(t *testing.T) {
	t.Parallel()
	const url = "https://github.com/team/app/pull/1"
	for name, tc := range map[string]struct {
		address, program, script string
		list, all, create        string // what is asked
	}{
		"gh": {
			"https://github.com/team/app.git", "gh", "case \"$2\" in list) echo '[]' ;; create) echo; echo " + url + " ;; esac\n",
			"gh pr list --repo github.com/team/app --base main --state open --limit 1000 --json url,state,headRefName,isCrossRepository",
			"gh pr list --repo github.com/team/app --base main --head chant/a --state all --limit 100 --json url,state,headRefName,isCrossRepository",
			"gh pr create --repo github.com/team/app --base main --head chant/a --title -x --body text",
		},
		"glab": {
			"git@gitlab.com:a/b/c.git", "glab", "case \"$2\" in list) echo '[]' ;; create) echo 'Creating merge request'; echo " + url + " ;; esac\n",
			"glab mr list --repo https://gitlab.com/a/b/c --target-branch main --per-page 100 --output json",
			"glab mr list --repo https://gitlab.com/a/b/c --target-branch main --source-branch chant/a --all --per-page 100 --output json",
			"glab mr create --repo https://gitlab.com/a/b/c --target-branch main --source-branch chant/a --title -x --description text --yes",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, log := scripted(t, map[string]string{tc.program: tc.script})
			f, err := findForge(t.Context(), c, tc.address)
			assert.NoError(t, err)
			for _, branch := range []string{"", "chant/a"} {
				pulls, err := f.Pulls(t.Context(), "main", branch)
				assert.NoError(t, err, "%+v", pulls)
				assert.Zero(t, pulls)
			}
			got, err := f.Create(t.Context(), pullDraft{Branch: "chant/a", Target: "main", Title: "-x", Body: "text"})
			assert.NoError(t, err)
			assert.Equal(t, url, got)
			if want := strings.Join([]string{tc.list, tc.all, tc.create, ""}, "\n"); log() != want {
				t.Errorf("asked\n%swant\n%s", log(), want)
			}
		})
	}
}

// TestForge_fails: the last line of a program that fails is its reason, and an answer without an address is none.
func TestForge_fails(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]string{
		"echo one >&2; printf 'GraphQL: \\033[31mnot allowed' >&2; exit 4\n": "gh pr create: GraphQL: [31mnot allowed",
		"exit 1\n":       "gh pr create: it has failed and printed nothing",
		"echo created\n": "gh pr create: it has not printed the address of a pull request",
		"kill -9 $$\n":   "gh pr create: it has failed and printed nothing",
	} {
		c, _ := scripted(t, map[string]string{"gh": script})
		f, err := findForge(t.Context(), c, "https://github.com/team/app")
		assert.NoError(t, err)
		_, err = f.Create(t.Context(), pullDraft{Branch: "b", Target: "main", Title: "t"})
		var failed *forgeError
		assert.True(t, errors.As(err, &failed), "%q: %v, want %s", script, err, want)
		assert.Equal(t, want, err.Error(), "%q", script)
	}
}
