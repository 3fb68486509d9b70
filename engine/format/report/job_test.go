package report

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestRead(t *testing.T) {
	t.Parallel()
	const zero = "0000000000000000000000000000000000000000"
	github := []string{"GITHUB_ACTIONS=true", "GITHUB_STEP_SUMMARY=/s", "GITHUB_EVENT_PATH=/e", "GITHUB_REF_NAME=main"}
	for name, c := range map[string]struct {
		environ []string
		event   string
		system  string
		from    string
	}{
		"pull request":           {github, `{"pull_request":{"base":{"sha":"b1","ref":"main"},"head":{"sha":"h1"}}}`, GitHub, "b1"},
		"merge queue":            {github, `{"merge_group":{"base_sha":"b2","head_sha":"h2"}}`, GitHub, "b2"},
		"push":                   {github, `{"before":"b3","after":"a3","repository":{"default_branch":"main"}}`, GitHub, "b3"},
		"push of a new branch":   {append(github, "GITHUB_REF_NAME=topic"), `{"before":"` + zero + `","after":"a3","repository":{"default_branch":"main"}}`, GitHub, "origin/main"},
		"first push":             {github, `{"before":"` + zero + `","after":"a3","repository":{"default_branch":"main"}}`, GitHub, ""},
		"by the clock":           {github, `{"schedule":"0 3 * * *","repository":{"default_branch":"main"}}`, GitHub, ""},
		"without the event":      {append(github, "GITHUB_BASE_REF=main"), ``, GitHub, "origin/main"},
		"a broken event":         {append(github, "GITHUB_BASE_REF=main"), `{"before": 1}`, GitHub, "origin/main"},
		"neither":                {github, ``, GitHub, ""},
		"merge request":          {[]string{"GITLAB_CI=true", "CI_MERGE_REQUEST_DIFF_BASE_SHA=m1", "CI_COMMIT_BEFORE_SHA=" + zero}, "", GitLab, "m1"},
		"branch of GitLab":       {[]string{"GITLAB_CI=true", "CI_COMMIT_BEFORE_SHA=m2"}, "", GitLab, "m2"},
		"new branch of GitLab":   {[]string{"GITLAB_CI=true", "CI_COMMIT_BEFORE_SHA=" + zero, "CI_COMMIT_BRANCH=topic", "CI_DEFAULT_BRANCH=trunk"}, "", GitLab, "origin/trunk"},
		"first branch of GitLab": {[]string{"GITLAB_CI=true", "CI_COMMIT_BEFORE_SHA=" + zero, "CI_COMMIT_BRANCH=trunk", "CI_DEFAULT_BRANCH=trunk"}, "", GitLab, ""},
		"a shell":                {[]string{"GITHUB_ACTIONS=false", "CI=true"}, "", Shell, ""},
	} {
		j := Read(c.environ, []byte(c.event))
		assert.Equal(t, c.system, j.System, "%s", name)
		assert.Equal(t, c.from, j.From, "%s", name)
		assert.Equal(t, "HEAD", j.To, "%s", name)
		assert.NotEqual(t, "", j.Depth, "%s", name)
		assert.False(t, j.System == GitHub && (j.Summary != "/s" || j.Event != "/e"), "%s: %+v", name, j)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`{"pull_request":{"base":{"sha":"b1"}}}`)
	f.Add(`{"pull_request":null,"before":"x"}`)
	f.Fuzz(func(t *testing.T, event string) {
		j := Read([]string{"GITHUB_ACTIONS=true"}, []byte(event))
		assert.Equal(t, GitHub, j.System)
		assert.Equal(t, "HEAD", j.To)
	})
}
