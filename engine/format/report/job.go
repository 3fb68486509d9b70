package report

import (
	"encoding/json"
	"strings"
)

// This file reads from the environment of a CI job, and on GitHub from the content of its event file, which system it is
// and between which commits the change is. It also has the job that a repository adds to check its specs. It reads no
// file and sends no request.
//
// Rules:
//
//   - What a system does not say stays empty; nothing is guessed here.
//   - The clone may lack the commits of a job: the caller resolves them and reports it.
//
// Decisions:
//
// 2026-11-20: for a pull request the tip of its base is returned, and the caller finds the merge base in the clone.
// Rejected: the merge base in some events, which is that of the time when the event was sent.
//
// 2026-12-01: a job installs the release of the chant that wrote it, by that release's install.sh, from the address in the
// job or in a variable of its system, and fails with the name of the variable without either. It built chant from a clone
// before, which took minutes and whatever was newest. Rejected: "uses:" with an action, whose name cannot be a variable.

// The known systems.
const (
	GitHub = "github"
	GitLab = "gitlab"
	Shell  = "shell" // any other system, or a person
)

// Job is what a system says about its job.
type Job struct {
	System  string
	From    string // the commit or branch before the change, "" if the job has none
	To      string // the commit after it
	Default string // the default branch, "" if unknown
	Summary string // file to which Markdown for the job's page is appended
	Event   string // file whose content Read needs
	Depth   string // how to get the whole history in a job of this system
}

// Read reads a job from the environment and the content of its event file, nil
// without one. An event that cannot be read is ignored.
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

// gitHubEvent is the part of GitHub's events that names commits.
type gitHubEvent struct {
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
	var e gitHubEvent
	// An event that cannot be read says nothing, and the variables may still be enough.
	if json.Unmarshal(event, &e) != nil {
		e = gitHubEvent{}
	}
	j.Default = e.Repository.Default
	switch {
	case e.PullRequest.Base.Sha != "":
		// The tip of the base is taken: the merge base of some events is that of the time when they were sent.
		j.From = e.PullRequest.Base.Sha
	case e.MergeGroup.Base != "":
		j.From = e.MergeGroup.Base
	case env["GITHUB_BASE_REF"] != "":
		j.From = "origin/" + env["GITHUB_BASE_REF"]
	// A new branch has no commit before its first push, so it is compared with the default one.
	case isNone(e.Before) && e.After != "" && j.Default != env["GITHUB_REF_NAME"]:
		j.From = remoteBranch(j.Default)
	case !isNone(e.Before):
		j.From = e.Before
	}
	return j
}

func gitLab(env map[string]string) Job {
	j := Job{System: GitLab, To: "HEAD", Default: env["CI_DEFAULT_BRANCH"], Depth: "GIT_DEPTH: 0 in the variables of the job"}
	switch {
	case env["CI_MERGE_REQUEST_DIFF_BASE_SHA"] != "":
		j.From = env["CI_MERGE_REQUEST_DIFF_BASE_SHA"]
	case !isNone(env["CI_COMMIT_BEFORE_SHA"]):
		j.From = env["CI_COMMIT_BEFORE_SHA"]
	case env["CI_COMMIT_BRANCH"] != j.Default:
		j.From = remoteBranch(j.Default)
	}
	return j
}

// remoteBranch names a branch of the remote from which CI clones.
func remoteBranch(name string) string {
	if name == "" {
		return ""
	}
	return "origin/" + name
}

// isNone reports whether a hash names no commit: a new branch has no commit before its first push.
func isNone(hash string) bool { return strings.Trim(hash, "0") == "" }
