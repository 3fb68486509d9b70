package e2e

import (
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// elsewhere is shell that has git's folder of the worktree say that the worktree is in the agent's temporary files.
const elsewhere = `x="$TMPDIR/x"; mkdir -p "$x"; echo "gitdir: $admin" > "$x/.git"; echo "$x/.git" > "$admin/gitdir"; `

// TestCheats_bareHome has the agent of a run in a bare repository say that its worktree is elsewhere and has the branch of the
// worktree in which its person works: it does not become that worktree, with the agent's settings.
func TestCheats_bareHome(t *testing.T) {
	t.Parallel()
	needsWall(t)
	for name, head := range map[string]string{"main": "ref: refs/heads/main", "master": "ref: refs/heads/master", "no branch": "$(git rev-parse main)"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			oneOf(t, 3)
			p := newCheated(t, true)
			p.does("mkdir ../begun; git clone -q --bare . ../bare.git; git -C ../bare.git worktree add -q ../main main; git -C ../bare.git symbolic-ref HEAD refs/heads/trunk")
			p.dir = p.home("main")
			p.write(".chant/config.md", "---\ndefaults: {provider: shell, main_branch: main}\nsandbox: {write: [~/begun]}\n---\n")
			p.does("git commit -q -a -m settings; git branch master")
			// The folder of caches sorts before that of the person.
			p.addFile(ownID, boxSpec("echo x > x.txt\n"+ticks+`admin=$(git rev-parse --absolute-git-dir)`+"\n"+strings.Replace(elsewhere, "TMPDIR", "XDG_CACHE_HOME", 1)+`git read-tree main; echo "`+head+`" > "$admin/HEAD"
(cd "$x"; git checkout-index -a -f; printf -- '---\nsandbox: off\n---\n' > .chant/config.md)
: > "$HOME/begun/x"; while [ ! -e "$HOME/go" ]; do sleep 0.02; done`))
			b := p.begin("work", ownID)
			p.awaitFile("begun/x")
			for _, line := range []string{"chant status", "cd .chant && chant status"} {
				code, out := p.shell(line)
				assert.Equal(t, 0, code, "%s", line)
				assert.Contains(t, out, "sandbox   on", "%s", line)
				assert.NotContains(t, out, "specs are read from", "%s", line)
			}
			p.leave("go")
			b.end()
		})
	}
}
