package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// gh replaces GitHub's program: it records its arguments, and squashes a branch in the
// remote as the server would.
const gh = `#!/bin/sh
set -e
echo "$@" >> "$HOME/gh.log"
[ "$1 $2" = "pr merge" ] || exit 0
git clone -q "$HOME/origin.git" "$HOME/server"
cd "$HOME/server"
git merge -q --squash "origin/$3"
git commit -q -m "Squashed $3"
git push -q origin main
`

// prSpec is a spec of the page, which writes one file.
func prSpec(title, file string) string {
	return "---\nstatus: pending\n---\n# " + title + "\n\n## Script\n\n```sh\necho Hello > " + file + "\n```\n\n## Acceptance Criteria\n\n- [ ] it is there `$ test -s " + file + "`\n"
}

// TestGuide_pullRequests runs the commands of the page, word for word and in their order, against
// a remote of its own.
func TestGuide_pullRequests(t *testing.T) {
	t.Parallel()
	forRelease(t, "pull requests")
	if runtime.GOOS == "windows" {
		t.Skip("the agents are POSIX shell scripts")
	}
	p := newProject(t)
	p.tool("gh", gh)
	p.env = append(p.env, "PATH="+p.home("bin")+":"+filepath.Dir(p.program)+":"+os.Getenv("PATH"))
	p.addAll(map[string]string{
		"2026-01-02-001-login": prSpec("Log in", "login.txt"), "2026-01-02-002-logout": prSpec("Log out", "logout.txt"),
		"2026-01-02-003-name": prSpec("Name", "name.txt"), "2026-01-02-004-photo": prSpec("Photo", "photo.txt"),
	})
	p.git("init", "-q", "--bare", "-b", "main", p.home("origin.git"))
	p.git("remote", "add", "origin", p.home("origin.git"))
	p.git("push", "-q", "-u", "origin", "main")

	blocks := regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(guidePage(t, "pr"), -1)
	assert.Equal(t, 5, len(blocks))
	for _, block := range blocks {
		cmd := exec.CommandContext(t.Context(), "sh", "-ec", block[1])
		cmd.Dir, cmd.Env = p.dir, p.env
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s\n%v\n%s", block[1], err, out)
		} else if strings.Contains(block[1], "gh pr merge") {
			assert.Contains(t, string(out), "2026-01-02-001-login", "the squashed spec does not count as completed:\n%s", out)
			assert.Equal(t, "", p.git("branch", "--list", "chant/2026-01-02-001-login"))
		}
	}
	p.git("switch", "-q", "main")
	out, said, code := p.try(nil, "verify", "--all", "--no-write")
	assert.Equal(t, 0, code, "the completion of a squashed spec is not believed:\n%s%s", out, said)
	got := p.git("ls-tree", "--name-only", "main")
	assert.NotContains(t, got, "name.txt")
	assert.Contains(t, got, "login.txt")
	got = p.git("ls-tree", "--name-only", "origin/feature/profile")
	assert.Contains(t, got, "name.txt", "the feature branch has")
	assert.Contains(t, got, "photo.txt", "the feature branch has")
	want := "pr create --head chant/2026-01-02-001-login --base main --fill\npr merge chant/2026-01-02-001-login --squash\npr create --head feature/profile --base main --fill\n"
	assert.Equal(t, want, read(t, p.home("gh.log")), "gh was asked")
}
