package node_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/fleet"
	"chant/engine/work/node/leader"
	"chant/gitops"

	"github.com/alecthomas/assert/v2"
)

// gh replaces GitHub's program: pull requests are files that contain their state and their branch.
const gh = `#!/bin/sh
set -e
cd "${0%/*}"
echo "$1 $2" >> asked
all="$*"
head= state=open
while [ $# -gt 0 ]; do
	case "$1" in
	--head) head=$2 ;;
	--state) state=$2 ;;
	--title) title=$2 ;;
	--body) body=$2 ;;
	esac
	shift
done
case "$all" in
"pr list"*)
	sep=
	printf '['
	for f in pull-*; do
		test -f "$f" || continue
		read -r is branch < "$f"
		test -z "$head" || test "$head" = "$branch" || continue
		test "$state" = all || test "$is" = OPEN || continue
		printf '%s{"url":"https://github.com/team/app/pull/%s","state":"%s","headRefName":"%s","isCrossRepository":false}' "$sep" "${f#pull-}" "$is" "$branch"
		sep=,
	done
	echo ']' ;;
"pr create"*)
	n=1
	while test -e "pull-$n"; do n=$((n + 1)); done
	echo "OPEN $head" > "pull-$n"
	printf '%s\n' "$title" > title
	printf '%s\n' "$body" > body
	echo "https://github.com/team/app/pull/$n" ;;
esac
`

// proposals is a fleet that opens pull requests on a scripted forge.
type proposals struct {
	*machines
	dir string // of the program and its pull requests

	mu   sync.Mutex
	said string
}

// newProposals returns a fleet with one spec that a worker has completed.
func newProposals(t *testing.T) *proposals {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the program of the forge is a POSIX shell script")
	}
	files := chained(1)
	files[".chant/config.md"] = "---\ndefaults: {provider: shell, main_branch: main}\nsandbox: off\nfleet: {land: pr}\n---\n"
	p := &proposals{machines: newMachines(t, files), dir: t.TempDir()}
	p.install()
	sh, err := exec.LookPath("sh")
	p.must(err)
	p.must(os.Symlink(sh, filepath.Join(p.dir, "sh")))
	c, r := p.Clone()
	lease := p.abandon("w", id(1), c, r)
	tip := enginetest.Git(t, engine.Home(c), "rev-parse", "chant/"+id(1))
	note := enginetest.Git(t, engine.Home(c), "notes", "--ref=chant", "show", tip)
	assert.NoError(t, lease.Push(t.Context(), tip, func(c *fleet.Claim) { c.State, c.Evidence = fleet.Completed, note }))
	return p
}

func (p *proposals) install() {
	enginetest.Write(p.T, p.dir, "gh", gh)
	p.must(os.Chmod(filepath.Join(p.dir, "gh"), 0o755))
}

func (p *proposals) must(err error) {
	p.Helper()
	if err != nil {
		p.Fatal(err)
	}
}

// leader returns a leader in a new clone, whose remote has an address on GitHub.
func (p *proposals) leader() *leader.Leader {
	p.Helper()
	project, r := p.Clone()
	const address = "https://github.com/team/app.git"
	enginetest.Git(p.T, engine.Home(project), "config", "remote.origin.url", address)
	enginetest.Git(p.T, engine.Home(project), "config", "url."+p.Bare+".insteadOf", address)
	project.Environ = append(project.Environ, "PATH="+p.dir) // a gh of this machine must not be found
	project.Progress = func(ev engine.Event) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.said += ev.Kind + " " + ev.Text + "\n"
	}
	return &leader.Leader{P: project, Remote: r, Broker: p.broker, Name: "hub", Every: 20 * time.Millisecond, Ask: time.Nanosecond}
}

// lead starts a leader; the result stops it, and waits for that.
func (p *proposals) lead(l *leader.Leader) (stop func()) {
	ctx, cancel := context.WithCancel(p.ctx)
	done := make(chan struct{})
	p.ended.Go(func() { defer close(done); l.Run(ctx) })
	return func() { cancel(); <-done }
}

// pull returns the number of pull requests that were opened, and the first.
func (p *proposals) pulls() (n int, first string) {
	p.Helper()
	found, err := filepath.Glob(filepath.Join(p.dir, "pull-*"))
	p.must(err)
	if len(found) == 0 {
		return 0, ""
	}
	return len(found), enginetest.Read(p.T, p.dir, "pull-1")
}

// person returns a clone of the remote in which a person merges.
func (p *proposals) person() func(args ...string) string {
	p.Helper()
	dir := p.TempDir()
	git := func(args ...string) string {
		p.Helper()
		return enginetest.Git(p.T, dir, append([]string{"-c", "user.name=P", "-c", "user.email=p@example.com"}, args...)...)
	}
	git("clone", "-q", p.Bare, ".")
	return git
}

// TestLeader_proposes: completed work gets one pull request with the text of its spec and its evidence, and the target does
// not move. A leader that starts again opens no second one, and neither does one that died before it could record it.
func TestLeader_proposes(t *testing.T) {
	t.Parallel()
	p := newProposals(t)
	before := p.Git("rev-parse", "main")
	completed := p.Git("rev-parse", fleet.ClaimRef(id(1)))
	stop := p.lead(p.leader())
	p.await(fleet.Opened, id(1))
	stop()
	const url = "https://github.com/team/app/pull/1"
	c := p.claim(id(1))
	assert.Equal(t, fleet.Proposed, c.State)
	assert.Equal(t, url, c.Proposal)
	assert.Equal(t, before, p.Git("rev-parse", "main"))
	n, first := p.pulls()
	assert.Equal(t, 1, n)
	assert.Equal(t, "OPEN chant/"+id(1)+"\n", first)
	title, body := enginetest.Read(t, p.dir, "title"), enginetest.Read(t, p.dir, "body")
	assert.Equal(t, "Spec 1\n", title)
	assert.HasPrefix(t, body, "## Script")
	assert.Contains(t, body, "- [x] It is there")
	assert.Contains(t, body, "`"+id(1)+"`, completed by w in attempt 1")
	note := p.Git("notes", "--ref=chant", "show", "chant/"+id(1))
	assert.Contains(t, note, id(1), "the evidence is not in the remote:")

	p.Git("update-ref", fleet.ClaimRef(id(1)), completed)
	stop = p.lead(p.leader())
	p.await(fleet.Opened, id(1))
	stop()
	if n, _ := p.pulls(); n != 1 || p.claim(id(1)).Proposal != url {
		t.Errorf("%d pull requests, %+v", n, p.claim(id(1)))
	}
}

// TestLeader_pullMerged: a pull request counts as merged however people have merged it, and leaves no branch and no claim.
func TestLeader_pullMerged(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		merge func(git func(...string) string, branch string)
		kept  bool // the commits of the branch are not on the target
	}{
		"by a merge commit": {func(git func(...string) string, branch string) { git("merge", "-q", "--no-ff", branch) }, false},
		"by a squash": {func(git func(...string) string, branch string) {
			git("merge", "-q", "--squash", branch)
			git("commit", "-q", "-m", "squashed")
		}, true},
		"by a rebase": {func(git func(...string) string, branch string) {
			git("commit", "-q", "--allow-empty", "-m", "meanwhile")
			git("cherry-pick", "--allow-empty", "--keep-redundant-commits", "main.."+branch)
		}, true},
		"and its branch was removed": {func(git func(...string) string, branch string) {
			git("merge", "-q", "--no-ff", branch)
			git("push", "-q", "origin", "--delete", strings.TrimPrefix(branch, "origin/"))
		}, false},
		"and archived": {func(git func(...string) string, branch string) {
			git("merge", "-q", "--no-ff", branch)
			git("rm", "-q", ".chant/specs/"+id(1)+".md")
			git("commit", "-q", "-m", "archived")
		}, false},
		"by a squash, and archived": {func(git func(...string) string, branch string) {
			git("merge", "-q", "--squash", branch)
			git("rm", "-q", "-f", ".chant/specs/"+id(1)+".md")
			git("commit", "-q", "-m", "squashed and archived")
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			enginetest.OneOf(t, 3)
			p := newProposals(t)
			stop := p.lead(p.leader())
			defer stop()
			p.await(fleet.Opened, id(1))
			tip := p.Git("rev-parse", "chant/"+id(1))
			git := p.person()
			tc.merge(git, "origin/chant/"+id(1))
			git("push", "-q", "origin", "main")
			enginetest.Write(t, p.dir, "pull-1", "MERGED chant/"+id(1)+"\n")
			p.await(fleet.Landed, id(1))
			refs := p.Git("for-each-ref", "--format=%(refname)")
			assert.NotContains(t, refs, "claims")
			assert.NotContains(t, refs, "heads/chant")
			assert.Equal(t, p.Git("for-each-ref", "--format=%(objectname)", "refs/chant/rescue") == tip, tc.kept)
			n, _ := p.pulls()
			assert.Equal(t, 1, n)
		})
	}
}

// TestLeader_pullRefused: a pull request that people do not want ends the claim with the reason, and keeps the branch.
// Another attempt gets another pull request.
func TestLeader_pullRefused(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		refuse func(p *proposals)
		want   string
	}{
		"closed":           {func(p *proposals) { enginetest.Write(p.T, p.dir, "pull-1", "CLOSED chant/"+id(1)+"\n") }, "closed without a merge"},
		"merged elsewhere": {func(p *proposals) { enginetest.Write(p.T, p.dir, "pull-1", "MERGED chant/"+id(1)+"\n") }, "does not have the spec as completed"},
		"removed":          {func(p *proposals) { p.must(os.Remove(filepath.Join(p.dir, "pull-1"))) }, "is not a pull request"},
		"taken back": {func(p *proposals) {
			git := p.person()
			git("merge", "-q", "--no-ff", "origin/chant/"+id(1))
			git("revert", "--no-edit", "-m", "1", "HEAD")
			git("push", "-q", "origin", "main")
		}, "taken back"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProposals(t)
			l := p.leader()
			stop := p.lead(l)
			defer stop()
			p.await(fleet.Opened, id(1))
			tc.refuse(p)
			if c := p.await(fleet.Refused, id(1)); !strings.Contains(c.Outcome.Reason, tc.want) {
				t.Errorf("%+v", c)
			}
			c := p.claim(id(1))
			assert.Equal(t, fleet.Ended, c.State)
			assert.Contains(t, c.Reason, tc.want)
			assert.Equal(t, c.Tip, p.Git("rev-parse", "chant/"+id(1)))
			if name != "closed" {
				return
			}
			again(t, l.P.Repo, l.Remote, c)
			p.await(fleet.Opened, id(1))
			if n, _ := p.pulls(); n != 2 || p.claim(id(1)).Proposal != "https://github.com/team/app/pull/2" {
				t.Errorf("%d pull requests, %+v", n, p.claim(id(1)))
			}
		})
	}
}

// again has a worker complete the same branch in another attempt.
func again(t *testing.T, repo *gitops.Repo, r *fleet.Remote, c fleet.Claim) {
	t.Helper()
	own := &fleet.Remote{Repo: repo, Name: r.Name, Target: r.Target, Prefix: r.Prefix}
	assert.NoError(t, own.Fetch(t.Context()))
	from, err := own.Claim(t.Context(), c.ID)
	assert.NoError(t, err)
	lease, err := own.Take(t.Context(), fleet.Claim{ID: c.ID, Worker: "x", Lease: "x", Attempt: 2, Base: c.Base}, from)
	assert.NoError(t, err)
	assert.NoError(t, lease.Push(t.Context(), c.Tip, func(c *fleet.Claim) { c.State = fleet.Completed }))
}

// TestLeader_noForge: without the program completed work waits, with one warning that says what to do, until it is there.
func TestLeader_noForge(t *testing.T) {
	t.Parallel()
	p := newProposals(t)
	p.must(os.Remove(filepath.Join(p.dir, "gh")))
	l := p.leader()
	round := func() {
		t.Helper()
		_, err := l.Round(t.Context())
		assert.NoError(t, err)
	}
	round()
	round()
	p.mu.Lock()
	said := p.said
	p.mu.Unlock()
	assert.Equal(t, 1, strings.Count(said, "no pull requests are opened now"))
	assert.Contains(t, said, `install gh on the machine that leads`)
	c := p.claim(id(1))
	assert.Equal(t, fleet.Completed, c.State, "%+v", c)
	p.install()
	round()
	c = p.claim(id(1))
	assert.Equal(t, fleet.Proposed, c.State, "%+v", c)
}
