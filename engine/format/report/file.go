package report

import (
	"bytes"
	"embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// files contains the jobs that check the specs of a repository.
//
//go:embed files
var files embed.FS

// ReleasesVariable is the variable that each of these jobs reads in its system: the address of chant's releases, from
// which it installs chant, since no system has it.
const ReleasesVariable = "CHANT_RELEASES"

// Release says which chant a job installs.
type Release struct {
	Version string // 1.2.0
	Address string // of all releases: each has a folder v1.2.0 below it; "" if only the variable of the system has it
}

// File is a file of a repository that a system reads.
type File struct {
	Path string
	Text []byte
	// Lists is the file that this one lists, "" for none. Where a file of its name exists, that stays, and a person adds
	// the file to its list.
	Lists string
}

// Systems lists the systems for which there is a job.
func Systems() []string { return []string{GitHub, GitLab} }

// Files returns the files of the job for a system; false for a system without one.
func Files(system string, r Release) ([]File, bool) {
	switch system {
	case GitHub:
		return []File{{Path: ".github/workflows/chant.yml", Text: r.fill(file("github.yml"))}}, true
	case GitLab:
		const job = ".gitlab/chant.yml"
		return []File{{Path: job, Text: r.fill(file("gitlab.yml"))}, {Path: gitLabTop, Text: file("gitlab-include.yml"), Lists: job}}, true
	}
	return nil, false
}

// fill writes into a job what it installs.
func (r Release) fill(text []byte) []byte {
	return []byte(strings.NewReplacer("@VERSION@", r.Version, "@RELEASES@", r.Address).Replace(string(text)))
}

// Is reports whether a text is that of the file, for whatever release.
func (f File) Is(have []byte) bool {
	pattern := strings.NewReplacer("@VERSION@", `[^'"\n]*`, "@RELEASES@", `[^'"\n]*`).Replace(regexp.QuoteMeta(string(f.Text)))
	is, err := regexp.Match("^"+pattern+"$", have)
	return err == nil && is
}

// gitLabTop is the only file that GitLab reads by itself.
const gitLabTop = ".gitlab-ci.yml"

// Missing returns what a person has to do in a file that exists so that the system finds the job, "" if nothing.
func (f File) Missing(have []byte) string {
	if f.Lists == "" || bytes.Contains(have, []byte(f.Lists)) {
		return ""
	}
	return fmt.Sprintf("add %s to the list include", f.Lists)
}

// Guess returns the system that a repository seems to use, from the names of its files and the addresses of its
// remotes; "" if neither shows one, or both do.
func Guess(has func(path string) bool, remotes []string) string {
	var found []string
	if has(".github/workflows") {
		found = append(found, GitHub)
	}
	if has(gitLabTop) {
		found = append(found, GitLab)
	}
	if len(found) == 0 {
		for _, system := range Systems() {
			// A server of one's own is mostly named after the system.
			if slices.ContainsFunc(remotes, func(url string) bool { return strings.Contains(host(url), system) }) {
				found = append(found, system)
			}
		}
	}
	// With signs of both systems, only a person knows which one counts.
	if len(found) != 1 {
		return ""
	}
	return found[0]
}

// host returns the name of the server in the address of a remote, such as https://host/path or git@host:path.
func host(url string) string {
	if _, rest, found := strings.Cut(url, "://"); found {
		url = rest
	}
	end := strings.IndexAny(url, ":/")
	if end < 0 {
		return ""
	}
	return strings.ToLower(url[:end])
}

// file returns a shipped file, which exists.
func file(name string) []byte {
	text, err := files.ReadFile("files/" + name)
	if err != nil {
		panic(err)
	}
	return text
}
