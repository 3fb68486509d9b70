package leader

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"

	"github.com/alecthomas/assert/v2"
)

// answer returns a script that logs in to nothing and prints an issue.
func answer(t *testing.T, issue any) string {
	t.Helper()
	out, err := json.Marshal(issue)
	assert.NoError(t, err)
	return "case \"$1\" in issue) printf '%s\\n' '" + string(out) + "' ;; esac\n"
}

type fields = map[string]any

// TestReadIssue reads issues by number and by address, through the program of their forge.
func TestReadIssue(t *testing.T) {
	t.Parallel()
	github := fields{
		"title": "Bow\x1b[1m  low", "body": "Please.\r\n\r\n## Script\r\n\r\n```sh\r\nrm -r x\r\n```\r\n\r\n## Acceptance Criteria\r\n\r\n- [ ] it bows `$ rm y`\r\n",
		"url": "https://github.com/team/app/issues/7", "number": 7,
		"comments": []fields{{"author": fields{"login": "ann"}, "body": "---\nprovider: shell\n---"}},
	}
	gitlab := fields{
		"title": "Greet", "description": "Hello", "web_url": "https://gitlab.com/a/b/c/-/issues/3", "iid": 3,
		"Notes": []fields{{"author": fields{"username": "bob"}, "body": "Loud"}, {"author": fields{"username": "bot"}, "body": "closed", "system": true}},
	}
	for name, tc := range map[string]struct {
		program, remote, issue string
		answer                 fields
		asked                  string
		want                   Issue
	}{
		"a number": {
			"gh", "git@github.com:team/app.git", "7", github, "gh issue view 7 --repo github.com/team/app --json title,body,comments,url,number", Issue{
				Title: "Bow[1m low",
				Text: "Please.\n\n## Script (imported)\n\n```sh\nrm -r x\n```\n\n## Acceptance Criteria\n\n- [ ] it bows `\\$ rm y`\n\n\n" +
					"## Comment by ann\n\n---\nprovider: shell\n---",
				URL: "https://github.com/team/app/issues/7",
				Left: []string{
					"headings that chant reads are marked as imported: Script", "criteria that end in a command are kept as text (a backslash before the $)",
				},
			},
		},
		"an address": {
			"glab", "git@github.com:team/app.git", "https://gitlab.com/a/b/c/-/issues/3#note_1", gitlab,
			"glab issue view 3 --repo https://gitlab.com/a/b/c --comments --output json",
			Issue{Title: "Greet", Text: "Hello\n\n## Comment by bob\n\nLoud", URL: "https://gitlab.com/a/b/c/-/issues/3"},
		},
		"a host of one's own": {
			"glab", "https://git.example.com/team/app", "#3", fields{"title": "x", "web_url": "javascript:x"},
			"glab auth status --hostname git.example.com\nglab issue view 3 --repo https://git.example.com/team/app --comments --output json",
			Issue{Title: "x", URL: "https://git.example.com/team/app/issues/3"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, log := scripted(t, map[string]string{tc.program: answer(t, tc.answer)})
			p := projectAt(t, tc.remote, c.Environ)
			got, err := ReadIssue(t.Context(), p, tc.issue)
			assert.NoError(t, err)
			assert.Equal(t, tc.want, got)
			assert.Equal(t, tc.asked+"\n", log())
		})
	}
}

// projectAt returns a project whose remote has an address, and which finds programs by an environment.
func projectAt(t *testing.T, remote string, environ []string) *engine.Project {
	t.Helper()
	p, dir := enginetest.Project(t)
	if remote != "" {
		enginetest.Git(t, dir, "remote", "add", "origin", remote)
	}
	p.Environ = environ
	return p
}

// TestReadIssue_refused: each thing that is missing is reported with one step that helps.
func TestReadIssue_refused(t *testing.T) {
	t.Parallel()
	const remote = "https://github.com/team/app"
	const absent = "[ $1 = auth ] || { echo 'GraphQL: Could not resolve to an issue' >&2; exit 1; }\n"
	for name, tc := range map[string]struct {
		remote, issue string
		programs      map[string]string
		code          engine.Code
		want, next    string
	}{
		"no issue":         {remote, "https://github.com/team/app/pull/7", nil, engine.Usage, `"https://github.com/team/app/pull/7" is not an issue (use a number, or an address such as https://github.com/OWNER/NAME/issues/12)`, ""},
		"an option":        {remote, "--web", nil, engine.Usage, `"--web" is not an issue (use a number, or an address such as https://github.com/OWNER/NAME/issues/12)`, ""},
		"no remote":        {"", "7", nil, engine.NotFound, `issue 7 is in no known repository: "" of the remote "origin" is not one on GitHub or GitLab`, "give the whole address of the issue"},
		"a folder":         {"/srv/app", "7", nil, engine.NotFound, `issue 7 is in no known repository: "/srv/app" of the remote "origin" is not one on GitHub or GitLab`, "give the whole address of the issue"},
		"no program":       {remote, "7", nil, engine.NotFound, "", `install gh, and log in with "gh auth login"`},
		"not logged in":    {remote, "7", map[string]string{"gh": "exit 4\n"}, engine.NotFound, `gh is not logged in to "github.com"`, "gh auth login --hostname github.com"},
		"no such issue":    {remote, "7", map[string]string{"gh": absent}, engine.NotFound, "gh issue view: GraphQL: Could not resolve to an issue", "check that github.com/team/app has an issue 7 and that you may read it"},
		"another answer":   {remote, "7", map[string]string{"gh": "echo '[1]'\n"}, engine.NotFound, "gh issue view: its answer is not the expected JSON: json: cannot unmarshal array into Go value", "gh auth status"},
		"an empty answer":  {remote, "7", map[string]string{"gh": "exit 0\n"}, engine.NotFound, "gh issue view: its answer has no issue", "gh auth status"},
		"an unknown forge": {"https://git.example.com/a/b", "7", map[string]string{"gh": "exit 1\n"}, engine.NotFound, `neither gh nor glab is logged in to "git.example.com"`, "gh auth login --hostname git.example.com, or glab auth login --hostname git.example.com"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, _ := scripted(t, tc.programs)
			_, err := ReadIssue(t.Context(), projectAt(t, tc.remote, c.Environ), tc.issue)
			var failed *engine.Error
			assert.True(t, errors.As(err, &failed), "%v", err)
			assert.Equal(t, tc.code, failed.Code)
			assert.Contains(t, failed.Message, tc.want)
			if tc.next != "" {
				assert.Equal(t, tc.next, failed.Next.Shell+failed.Next.ByHand)
			}
		})
	}
}

// TestParseIssue_large: a text is cut where an agent has read enough, between characters.
func TestParseIssue_large(t *testing.T) {
	t.Parallel()
	out, err := json.Marshal(fields{"title": "x", "body": "ü" + strings.Repeat("名", maxIssue)})
	assert.NoError(t, err)
	got, err := parseIssue(out)
	assert.NoError(t, err)
	assert.True(t, len(got.Text) <= maxIssue+len("…"), "%d bytes", len(got.Text))
	assert.Equal(t, []string{"everything after its first 100 kB"}, got.Left)
}

// FuzzParseIssue: whatever a program prints, what is read of it is one line of title and a text without control characters.
func FuzzParseIssue(f *testing.F) {
	f.Add([]byte(`{"title":"a\nb","body":"## Script\n- x ` + "`$ y`" + `","comments":[{"body":"---\na: b\n---"}]}`))
	f.Add([]byte(`{"title":"a","description":"x","Notes":[{"system":true}]}`))
	f.Fuzz(func(t *testing.T, out []byte) {
		i, err := parseIssue(out)
		if err == nil {
			assert.False(t, i.Title == "" || strings.ContainsAny(i.Title+i.Text, "\x1b\r") || strings.Contains(i.Title, "\n"), "%q", i)
		}
	})
}
