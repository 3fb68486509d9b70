package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

const ciSpec = `---
status: pending
tracks: [docs]
---
# Write

## Script

` + "```sh\necho fine > out.txt\n```" + `

## Acceptance Criteria

- [ ] It is fine ` + "`$ grep fine out.txt`" + `
`

const ciID = "2026-01-02-001-abc"

// ciJob is a clone in which a job runs, of a remote to which a person pushes.
type ciJob struct {
	*project // the person's
	env      []string
	dir      string
	files    map[string]string // of the runner: summary, event
}

func newCIJob(t *testing.T) *ciJob {
	t.Helper()
	p := newProject(t)
	p.addFile(ciID, ciSpec)
	remote := filepath.Join(filepath.Dir(p.dir), "remote.git")
	p.git("init", "-q", "--bare", "-b", "main", remote)
	p.git("remote", "add", "origin", remote)
	p.git("push", "-q", "origin", "main")
	return &ciJob{project: p}
}

// push commits a file on the topic branch and pushes it.
func (j *ciJob) push(name, text string) {
	j.t.Helper()
	if err := os.WriteFile(filepath.Join(j.project.dir, name), []byte(text), 0o644); err != nil {
		j.t.Fatal(err)
	}
	j.git("add", name)
	j.git("commit", "-q", "-m", "set "+name)
	j.git("push", "-q", "origin", "HEAD:topic")
}

// checkOut clones the topic branch as a runner does for a pull request onto main.
func (j *ciJob) checkOut(args ...string) {
	j.t.Helper()
	top := j.t.TempDir()
	j.dir = filepath.Join(top, "job")
	remote := "file://" + filepath.ToSlash(filepath.Join(filepath.Dir(j.project.dir), "remote.git"))
	j.git(append(append([]string{"clone", "-q", "--branch", "topic"}, args...), remote, j.dir)...)
	runIn(j.t, j.dir, j.project.env, "git", "checkout", "-q", "--detach")
	runIn(j.t, j.dir, j.project.env, "git", "branch", "-q", "-D", "topic")
	j.files = map[string]string{"summary": filepath.Join(top, "summary.md"), "event": filepath.Join(top, "event.json")}
	base := j.git("rev-parse", "refs/remotes/origin/main")
	event := fmt.Sprintf(`{"pull_request":{"base":{"sha":%q,"ref":"main"}},"repository":{"default_branch":"main"}}`, strings.TrimSpace(base))
	if err := os.WriteFile(j.files["event"], []byte(event), 0o644); err != nil {
		j.t.Fatal(err)
	}
	j.env = append(append([]string(nil), j.project.env...), "GITHUB_ACTIONS=true", "GITHUB_BASE_REF=main",
		"GITHUB_EVENT_PATH="+j.files["event"], "GITHUB_STEP_SUMMARY="+j.files["summary"])
}

// run carries out a command line as a runner does, and returns what it printed and its
// exit code.
func (j *ciJob) run(line string) (string, int) {
	j.t.Helper()
	out, err := tryIn(j.t, j.dir, j.env, "bash", "-e", "-c", line)
	if exit, ok := err.(*exec.ExitError); ok { //nolint:errorlint // tryIn wraps nothing
		return out, exit.ExitCode()
	}
	if err != nil {
		j.t.Fatal(err)
	}
	return out, 0
}

func (j *ciJob) file(name string) string {
	j.t.Helper()
	if !filepath.IsAbs(name) {
		name = filepath.Join(j.dir, name)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		j.t.Fatal(err)
	}
	return string(text)
}

// workflow is the steps of the workflow in the manual that run a command.
func workflow(t *testing.T) []string {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(root, "cmd", "guide", "hooks.md"))
	assert.NoError(t, err)
	_, rest, _ := strings.Cut(string(src), "```yaml\n# .github/workflows/chant.yml\n")
	text, _, found := strings.Cut(rest, "```\n")
	var out []string
	for _, m := range regexp.MustCompile(`(?m)^      - run: (.+)$`).FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	assert.True(t, found, "the manual shows no workflow")
	assert.NotEqual(t, 0, len(out), "the manual shows no workflow")
	return out
}

// TestCI_guide runs the workflow that the manual shows: it fails on a broken criterion, says
// so in every way, and passes when it is mended.
func TestCI_guide(t *testing.T) {
	t.Parallel()
	forRelease(t, "chant ci and its workflow in the manual")
	if runtime.GOOS == "windows" {
		t.Skip("a runner's shell is bash")
	}
	j := newCIJob(t)
	j.chant("work", ciID, "--quiet")
	j.push("out.txt", "broken\n")
	j.git("push", "-q", "origin", "refs/notes/chant")
	bin := t.TempDir()
	source, err := filepath.Abs(root)
	assert.NoError(t, err)
	// As the program of the other tests is built, so that what was compiled for it serves here too.
	flags := os.Getenv("GOFLAGS") + " -race=false -mod=mod"
	steps := func(want int) string {
		t.Helper()
		j.checkOut()
		j.env = append(j.env, "GOBIN="+bin, "GOFLAGS="+flags, "HOME="+os.Getenv("HOME"), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
		assert.NoError(t, os.Symlink(source, filepath.Join(j.dir, "chant-source")))
		said, code := "", 0
		for _, line := range workflow(t) {
			assert.Equal(t, 0, code, "exit %q %s", line, said)
			said, code = j.run(line)
		}
		assert.Equal(t, want, code, "the workflow ends with %s", said)
		return said
	}
	said := steps(9)
	before, _, _ := strings.Cut(j.file(".chant/specs/"+ciID+".md"), "- [x] It is fine")
	line := strings.Count(before, "\n") + 1
	for text, want := range map[string]string{
		said:                             fmt.Sprintf("::error file=.chant/specs/%s.md,line=%d,title=%s criterion::criterion 1 failed", ciID, line, ciID),
		j.file(j.files["summary"]):       "It is fine",
		j.file("chant.xml"):              "<failure",
		j.file("chant.sarif"):            `"criterion"`,
		j.file(j.files["summary"]) + " ": "# chant: spec ",
	} {
		assert.Contains(t, text, want)
	}
	assert.Equal(t, "", runIn(t, j.dir, j.env, "git", "status", "--porcelain", "--untracked-files=no"), "the job has changed")
	j.push("out.txt", "fine again\n")
	said = steps(0)
	assert.NotContains(t, said, "::error")
	assert.Contains(t, j.file(j.files["summary"]), "# chant: all is well")
	assert.NotContains(t, j.file("chant.xml"), "<failure")
}

// TestCI_findings: what else a job can end with.
func TestCI_findings(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("a runner's shell is bash")
	}
	j := newCIJob(t)
	chant := fmt.Sprintf("%q", chantBinary(t))
	j.chant("work", ciID, "--quiet")
	j.push("readme.txt", "x\n")
	j.checkOut()
	said, code := j.run(chant + " ci")
	assert.Equal(t, 9, code)
	assert.Contains(t, said, "forged-completion")
	assert.Contains(t, said, "hint: git push origin refs/notes/chant")
	j.git("push", "-q", "origin", "refs/notes/chant")
	said, code = j.run(chant + " ci --verbose")
	assert.Equal(t, 0, code)
	assert.Contains(t, said, "evidence: here and on origin")
	assert.Equal(t, "refs/notes/chant-origin\n", runIn(t, j.dir, j.env, "git", "for-each-ref", "--format=%(refname)", "refs/notes"))
	assert.NoError(t, os.Mkdir(filepath.Join(j.project.dir, "docs"), 0o755))
	j.push("docs/a.md", "what the spec tracks\n")
	j.checkOut()
	said, code = j.run(chant + " ci")
	assert.Equal(t, 0, code)
	assert.Contains(t, said, "::warning file=.chant/specs/"+ciID+".md,line=1,title="+ciID+" drift::completed, and since then docs/a.md was added")
	said, code = j.run(chant + " ci --json 2>notes | grep -c '::'")
	assert.NotEqual(t, 0, code)
	assert.Equal(t, "0", strings.TrimSpace(said))
	assert.Contains(t, j.file("notes"), "::warning")
	j.push("docs/b\n::error::forged", "a name that gives the runner a command\n")
	j.checkOut()
	said, code = j.run(chant + " ci --verbose")
	_, text, _ := strings.Cut(said, "::stop-commands::")
	token, text, _ := strings.Cut(text, "\n")
	text, after, ended := strings.Cut(text, "\n::"+token+"::\n")
	assert.Equal(t, 0, code, "a command in a name: exit %s", said)
	assert.True(t, len(token) >= 20, "a command in a name: exit %d\n%s", code, said)
	assert.True(t, ended, "a command in a name: exit %d\n%s", code, said)
	assert.Contains(t, text, "\n::error::forged", "a command in a name: exit %s", said)
	assert.NotContains(t, after, "::", "a command in a name: exit %s", said)
	j.push(".chant/specs/2026-01-02-002-bad.md", "---\nstatus: odd\n---\n# Bad\n")
	j.checkOut()
	said, code = j.run(chant + " ci --codequality q.json")
	assert.Equal(t, 4, code)
	assert.Contains(t, said, "::error file=.chant/specs/2026-01-02-002-bad.md")
	assert.Contains(t, j.file("q.json"), `"major"`)
	said, code = j.run(chant + " ci --junit no/such/folder.xml")
	assert.Equal(t, 2, code, "a file that cannot be written: exit %s", said)
}

// TestCI_range: a job that lacks the history says how to get it; other systems and none.
func TestCI_range(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("a runner's shell is bash")
	}
	j := newCIJob(t)
	chant := fmt.Sprintf("%q", chantBinary(t))
	j.push("readme.txt", "x\n")
	base := strings.TrimSpace(j.git("rev-parse", "main~1"))
	j.checkOut("--depth=1")
	said, code := j.run(chant + " ci")
	assert.Equal(t, 3, code, "a shallow clone")
	assert.Contains(t, said, "fetch-depth: 0", "a shallow clone")
	assert.Contains(t, said, "hint: git fetch --unshallow", "a shallow clone")
	j.checkOut()
	for name, c := range map[string]struct{ env, want string }{
		"pull request": {"", "range: " + base + "...HEAD"},
		"GitLab":       {"env -u GITHUB_ACTIONS GITLAB_CI=true CI_MERGE_REQUEST_DIFF_BASE_SHA=" + base + " ", "range: " + base + "...HEAD"},
		"a shell":      {"env -u GITHUB_ACTIONS ", "range: origin/main...HEAD"},
		"by force":     {"env -u GITHUB_ACTIONS GITLAB_CI=true CI_DEFAULT_BRANCH=main CI_COMMIT_BEFORE_SHA=" + strings.Repeat("1", 40) + " ", "range: origin/main...HEAD"},
		"by the clock": {"env -u GITHUB_ACTIONS GITLAB_CI=true ", "range: every completed spec"},
		"named":        {"", "range: HEAD~1..HEAD"},
		"on main":      {"git checkout -q origin/main; env -u GITHUB_ACTIONS ", "range: every completed spec, since origin/main...HEAD brings nothing"},
		"GitLab's tag": {"git checkout -q origin/main; env -u GITHUB_ACTIONS GITLAB_CI=true CI_DEFAULT_BRANCH=main CI_COMMIT_TAG=v1 CI_COMMIT_BEFORE_SHA=" + strings.Repeat("0", 40) + " ", "range: every completed spec, since origin/main...HEAD brings nothing"},
	} {
		line := "git checkout -q origin/topic; " + c.env + chant + " ci --verbose"
		if name == "named" {
			line += " HEAD~1..HEAD"
		}
		said, code := j.run(line)
		assert.Equal(t, 0, code, "%s", name)
		assert.Contains(t, said, c.want, "%s", name)
	}
	runIn(t, j.dir, j.env, "git", "remote", "set-url", "origin", filepath.Join(j.dir, "nowhere"))
	said, code = j.run(chant + " ci HEAD~1 --verbose")
	assert.Equal(t, 0, code)
	assert.Contains(t, said, "evidence: only here: origin does not answer")
	assert.Contains(t, said, "could not be fetched")
}
