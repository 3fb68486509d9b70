package e2e

import (
	"encoding/json"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// ghForge replaces GitHub's program: it knows one pull request, the last one, whose state is in a file.
const ghForge = `#!/bin/sh
cd "$HOME"
case "$*" in
"pr list "*)
	state=$(cat pull 2>/dev/null || echo none)
	case "$state $*" in
	none*) echo '[]'; exit 0 ;;
	MERGED*"--state open"*) echo '[]'; exit 0 ;;
	*"--head "*) case "$*" in *"--head $(cat branch) "*) ;; *) echo '[]'; exit 0 ;; esac ;;
	esac
	echo "[{\"url\":\"https://github.com/team/app/pull/$(wc -l < created | tr -d ' ')\",\"state\":\"$state\",\"headRefName\":\"$(cat branch)\",\"isCrossRepository\":false}]" ;;
"pr create "*)
	echo "$4 $6 $8 ${10}" >> created
	while [ "$1" != --head ]; do shift; done
	echo "$2" > branch
	echo OPEN > pull
	echo "https://github.com/team/app/pull/$(wc -l < created | tr -d ' ')" ;;
esac
`

// TestFleet_pullRequests is the story of a fleet that opens pull requests: work returns with the address of one, the target
// does not move until a person merges it, and then nothing is left and what depends on it is worked.
func TestFleet_pullRequests(t *testing.T) {
	t.Parallel()
	forRelease(t, "engine/fleet and engine/run/advice")
	if runtime.GOOS == "windows" {
		t.Skip("a signal cannot be sent to one process")
	}
	p := newProject(t)
	p.program = fleetBinary(t)
	p.tool("gh", ghForge)
	p.env = append(p.env, "PATH="+p.home("bin")+":"+os.Getenv("PATH"), "GIT_CONFIG_GLOBAL="+p.home(".gitconfig"))
	const address = "https://github.com/team/app.git"
	bare := p.home("app.git")
	p.git("init", "-q", "--bare", "-b", "main", bare)
	p.git("config", "--file", p.home(".gitconfig"), "url."+bare+".insteadOf", address)
	p.git("remote", "add", "origin", address)
	p.write(".chant/config.md", "---\ndefaults: {provider: shell}\nfleet: {land: pr}\n---\n")
	p.git("commit", "-q", "-m", "settle", "--", ".chant/config.md")
	one, two := parallelID(0), parallelID(1)
	p.addAll(map[string]string{one: scriptedSpec(1, "", ""), two: scriptedSpec(2, "depends_on: ["+one+"]\n", "")})
	p.git("push", "-q", "origin", "main")
	before := p.git("rev-parse", "main")

	hub := p.start("fleet", "up", "--listen", "127.0.0.1:0", "--name", "hub", "--slots", "1")
	hub.await("on another machine:")
	const url = "https://github.com/team/app/pull/1"
	out := p.chant("work", one)
	assert.Contains(t, out, "proposed   "+one)
	assert.Contains(t, out, "once this is merged: "+url)
	lines := strings.Split(strings.TrimSpace(p.chant("work", one, "--json")), "\n")
	var result struct {
		Completed []struct {
			Landed      bool
			PullRequest string `json:"pull_request"`
		}
	}
	err := json.Unmarshal([]byte(lines[len(lines)-1]), &result)
	assert.NoError(t, err)
	assert.Equal(t, 1, len(result.Completed))
	assert.False(t, result.Completed[0].Landed, "work again: %+v, %v", result, err)
	assert.Equal(t, url, result.Completed[0].PullRequest)
	p.awaitStatus("proposed", func(s fleetStatus) bool { return s.state(1) == "proposed" })
	out = p.chant("fleet", "status")
	assert.Contains(t, out, "proposed")
	assert.Contains(t, out, url)
	assert.HasPrefix(t, p.git("ls-remote", "origin", "main"), before, "main has moved")

	p.git("fetch", "-q", "origin")
	p.git("merge", "-q", "--squash", "origin/chant/"+one)
	p.git("commit", "-q", "-m", "Squashed")
	assert.NoError(t, os.WriteFile(p.home("pull"), []byte("MERGED\n"), 0o644))
	p.git("push", "-q", "origin", "main")
	hub.landed(1)
	hub.await(two + "  proposed")
	refs := p.git("ls-remote", "origin")
	assert.NotContains(t, refs, "heads/chant/"+one)
	assert.NotContains(t, refs, "claims/"+one)
	want := "github.com/team/app main chant/" + one + " Spec 1\ngithub.com/team/app main chant/" + two + " Spec 2\n"
	assert.Equal(t, want, read(t, p.home("created")))
	hub.interrupt()
	assert.Equal(t, 0, hub.end())
}
