// Package ci reads what a CI system tells of its job in the environment and, on GitHub,
// in the file of the event: which system it is, and between which commits the change
// lies. It reads no file and asks no one.
//
// # Rules
//
//   - What a system does not say is left empty; nothing is guessed here.
//   - The commits of a job are names that may be unknown to the clone: whoever resolves
//     them says so.
//
// # Decisions
//
// 2026-11-20: of a pull request the tip of its base is taken, and where the two parted is
// found in the clone. Rejected: the merge base that some events carry, which is that of
// the moment the event was sent.
package ci

import (
	"encoding/json"
	"strings"
)

// The systems that are known by name.
const (
	GitHub = "github"
	GitLab = "gitlab"
	Shell  = "shell" // any other, or a person
)

// Job is what is told of a job.
type Job struct {
	System  string
	From    string // the commit or branch before the change, "" when the job is about none
	To      string // the commit after it
	Default string // the branch that changes lead to, where it is told
	Summary string // file to which Markdown for the job's page is added
	Event   string // file that tells more, to be handed to Read
	Depth   string // how to have the whole history in a job of this system
}

// Read reads a job from the environment and what lies in the file of its event, nil
// without one. An event that cannot be read tells nothing.
func Read(environ []string, event []byte) Job {
	env := map[string]string{}
	for _, pair := range environ {
		name, value, _ := strings.Cut(pair, "=")
		env[name] = value
	}
	switch {
	case env["GITHUB_ACTIONS"] == "true":
		return gitHub(env, event)
	case env["GITLAB_CI"] == "true":
		return gitLab(env)
	}
	return Job{System: Shell, To: "HEAD", Depth: "git fetch --unshallow"}
}

// happened is the part of GitHub's events that tells of commits.
type happened struct {
	Before, After string
	PullRequest   struct {
		Base struct{ Sha string }
	} `json:"pull_request"`
	MergeGroup struct {
		Base string `json:"base_sha"`
	} `json:"merge_group"`
	Repository struct {
		Default string `json:"default_branch"`
	}
}

func gitHub(env map[string]string, event []byte) Job {
	j := Job{System: GitHub, To: "HEAD", Summary: env["GITHUB_STEP_SUMMARY"], Event: env["GITHUB_EVENT_PATH"],
		Depth: "fetch-depth: 0 of actions/checkout"}
	var e happened
	if json.Unmarshal(event, &e) != nil {
		e = happened{}
	}
	j.Default = e.Repository.Default
	switch {
	case e.PullRequest.Base.Sha != "":
		j.From = e.PullRequest.Base.Sha
	case e.MergeGroup.Base != "":
		j.From = e.MergeGroup.Base
	case env["GITHUB_BASE_REF"] != "":
		j.From = "origin/" + env["GITHUB_BASE_REF"]
	case none(e.Before) && e.After != "" && j.Default != env["GITHUB_REF_NAME"]:
		j.From = branch(j.Default)
	case !none(e.Before):
		j.From = e.Before
	}
	return j
}

func gitLab(env map[string]string) Job {
	j := Job{System: GitLab, To: "HEAD", Default: env["CI_DEFAULT_BRANCH"], Depth: "GIT_DEPTH: 0 in the variables of the job"}
	switch {
	case env["CI_MERGE_REQUEST_DIFF_BASE_SHA"] != "":
		j.From = env["CI_MERGE_REQUEST_DIFF_BASE_SHA"]
	case !none(env["CI_COMMIT_BEFORE_SHA"]):
		j.From = env["CI_COMMIT_BEFORE_SHA"]
	case env["CI_COMMIT_BRANCH"] != j.Default:
		j.From = branch(j.Default)
	}
	return j
}

// branch is a branch of the remote that a clone in CI comes from.
func branch(name string) string {
	if name == "" {
		return ""
	}
	return "origin/" + name
}

// none reports whether a system names no commit: a push of a new branch has nothing
// before it.
func none(hash string) bool { return strings.Trim(hash, "0") == "" }
