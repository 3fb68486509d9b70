package leader

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"chant/text"
)

// maxBody limits the text of a pull request, in bytes: GitHub takes 65,536 characters, and an argument of a program on
// Linux has at most 128 KiB.
const maxBody = 60_000

// dialect is how the program of a forge is asked.
type dialect struct {
	host    string // is in the names of hosts that are certainly of this kind
	program string
	list    func(at place, target, branch string) []string // without a branch: the open ones
	create  func(at place, d pullDraft) []string
	issue   func(at place, number string) []string
	parse   func([]byte) ([]pull, error)
}

func dialects() []dialect {
	return []dialect{
		{"github", "gh", listGitHub, createGitHub, issueGitHub, parseGitHub},
		{"gitlab", "glab", listGitLab, createGitLab, issueGitLab, parseGitLab},
	}
}

func listGitHub(at place, target, branch string) []string {
	args := []string{"pr", "list", "--repo", at.Host + "/" + at.Path, "--base", target}
	if branch == "" {
		args = append(args, "--state", "open", "--limit", "1000")
	} else {
		args = append(args, "--head", branch, "--state", "all", "--limit", "100")
	}
	return append(args, "--json", "url,state,headRefName,isCrossRepository")
}

func createGitHub(at place, d pullDraft) []string {
	return []string{
		"pr", "create", "--repo", at.Host + "/" + at.Path, "--base", d.Target, "--head", d.Branch,
		"--title", d.Title, "--body", text.Ends(d.Body, maxBody),
	}
}

func parseGitHub(out []byte) ([]pull, error) {
	var list []struct {
		URL, State, HeadRefName string
		IsCrossRepository       bool
	}
	if err := decode(out, &list); err != nil {
		return nil, err
	}
	var pulls []pull
	for _, one := range list {
		// A fork can have a branch of the same name.
		if one.IsCrossRepository {
			continue
		}
		p, err := parsePull(one.URL, one.HeadRefName, one.State)
		if err != nil {
			return nil, err
		}
		pulls = append(pulls, p)
	}
	return pulls, nil
}

func listGitLab(at place, target, branch string) []string {
	args := []string{"mr", "list", "--repo", "https://" + at.Host + "/" + at.Path, "--target-branch", target}
	if branch != "" {
		args = append(args, "--source-branch", branch, "--all")
	}
	return append(args, "--per-page", "100", "--output", "json")
}

func createGitLab(at place, d pullDraft) []string {
	return []string{
		"mr", "create", "--repo", "https://" + at.Host + "/" + at.Path, "--target-branch", d.Target, "--source-branch", d.Branch,
		"--title", d.Title, "--description", text.Ends(d.Body, maxBody), "--yes",
	}
}

func parseGitLab(out []byte) ([]pull, error) {
	var list []struct {
		URL    string `json:"web_url"`
		State  string `json:"state"`
		Branch string `json:"source_branch"`
		From   int    `json:"source_project_id"`
		To     int    `json:"target_project_id"`
	}
	if err := decode(out, &list); err != nil {
		return nil, err
	}
	var pulls []pull
	for _, one := range list {
		// A fork can have a branch of the same name.
		if one.From != one.To {
			continue
		}
		p, err := parsePull(one.URL, one.Branch, one.State)
		if err != nil {
			return nil, err
		}
		pulls = append(pulls, p)
	}
	return pulls, nil
}

// decode reads a list; nothing at all is an empty one.
func decode(out []byte, list any) error {
	if strings.TrimSpace(string(out)) == "" {
		return nil
	}
	if err := json.Unmarshal(out, list); err != nil {
		return fmt.Errorf("its answer is not the expected JSON: %w", err)
	}
	return nil
}

// parsePull checks what a program has printed of a pull request. GitLab has the state "locked" while it merges.
func parsePull(url, branch, state string) (pull, error) {
	p := pull{URL: url, Branch: branch}
	switch strings.ToLower(state) {
	case "open", "opened", "locked":
		p.State = pullOpen
	case "closed":
		p.State = pullClosed
	case "merged":
		p.State = pullMerged
	default:
		return p, fmt.Errorf("unknown state %q of a pull request", state)
	}
	if !isURL(url) {
		return p, fmt.Errorf("%q is not the address of a pull request", url)
	}
	return p, nil
}

// isURL reports whether a text is an address of HTTP that can be printed as it is.
func isURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && u.User == nil && text.Printable(s) == s && !strings.ContainsAny(s, " <>\"")
}
