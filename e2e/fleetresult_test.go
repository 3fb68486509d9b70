package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// fleetProblems compares a repository to which a fleet has pushed with the specs that it worked, and lists what is wrong:
// each spec has landed by exactly one merge commit, after what it needs, with its file and its status; the repository is
// sound, and nothing is left but main and the notes.
func fleetProblems(t *testing.T, dir string, specs []fleetSpec) (problems []string) {
	t.Helper()
	r := remote{t, dir}
	say := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	landed, others := r.landings()
	for _, subject := range others {
		say("main has a merge of no spec: %s", subject)
	}
	files, statuses := r.files(specs)
	for i, s := range specs {
		if n := len(landed[s.id]); n != 1 {
			say("%s has %d merge commits, want 1", s.id, n)
			continue
		}
		for _, need := range s.needs {
			if before := landed[specs[need].id]; len(before) > 0 && before[0] > landed[s.id][0] {
				say("%s landed before %s, which it needs", s.id, specs[need].id)
			}
		}
		if files[i] != s.id {
			say("%s has %q in %s", s.id, files[i], s.file())
		}
		if statuses[i] != "completed" {
			say("%s is %q on main", s.id, statuses[i])
		}
	}
	for id := range landed {
		if !isAmong(specs, id) {
			say("%s has landed, which was not asked for", id)
		}
	}
	for ref := range strings.FieldsSeq(r.git("for-each-ref", "--format=%(refname)")) {
		if ref != "refs/heads/main" && !strings.HasPrefix(ref, "refs/notes/") {
			say("%s is left", ref)
		}
	}
	if out, err := exec.CommandContext(t.Context(), "git", "--git-dir", dir, "fsck", "--no-dangling", "--no-progress").CombinedOutput(); err != nil || len(out) > 0 {
		say("fsck: %v %s", err, out)
	}
	return problems
}

func isAmong(specs []fleetSpec, id string) bool {
	for _, s := range specs {
		if s.id == id {
			return true
		}
	}
	return false
}

// remote is a bare repository.
type remote struct {
	t   *testing.T
	dir string
}

func (r remote) git(args ...string) string {
	r.t.Helper()
	cmd := exec.CommandContext(r.t.Context(), "git", append([]string{"--git-dir", r.dir}, args...)...)
	out, err := cmd.Output()
	if err != nil {
		r.t.Fatalf("git %q: %v\n%s", args, err, errText(err))
	}
	return strings.TrimSpace(string(out))
}

// landings finds the merge commits of each spec on the first-parent line of main, by their places on it from the
// beginning, and the subjects of merge commits that say of no spec that it has landed.
func (r remote) landings() (of map[string][]int, others []string) {
	r.t.Helper()
	of = map[string][]int{}
	const form = "%H%x09%(trailers:key=Chant-Event,valueonly,separator=%x2c)%x09%(trailers:key=Chant-Spec,valueonly,separator=%x2c)%x09%s"
	for i, line := range strings.Split(r.git("log", "--reverse", "--first-parent", "--merges", "--format="+form, "main"), "\n") {
		fields := strings.Split(line, "\t")
		switch {
		case len(fields) < 4: // there are none
		case fields[1] == "land" && fields[2] != "":
			of[fields[2]] = append(of[fields[2]], i)
		default:
			others = append(others, fields[3])
		}
	}
	return of, others
}

// files reads what main has of each spec: the file that its agent made, and its status; "" for what is not there.
func (r remote) files(specs []fleetSpec) (contents, statuses []string) {
	r.t.Helper()
	var asked strings.Builder
	for _, s := range specs {
		fmt.Fprintf(&asked, "main:%s\nmain:.chant/specs/%s.md\n", s.file(), s.id)
	}
	cmd := exec.CommandContext(r.t.Context(), "git", "--git-dir", r.dir, "cat-file", "--batch")
	cmd.Stdin = strings.NewReader(asked.String())
	out, err := cmd.Output()
	if err != nil {
		r.t.Fatalf("git cat-file: %v\n%s", err, errText(err))
	}
	rest := string(out)
	next := func() (text string) {
		head, after, _ := strings.Cut(rest, "\n")
		var hash, kind string
		var size int
		if n, _ := fmt.Sscanf(head, "%s %s %d", &hash, &kind, &size); n != 3 { // "main:out/x.txt missing"
			rest = after
			return ""
		}
		text, rest = after[:size], after[size+1:]
		return text
	}
	for range specs {
		contents = append(contents, strings.TrimSpace(next()))
		_, status, _ := strings.Cut(next(), "\nstatus: ")
		status, _, _ = strings.Cut(status, "\n")
		statuses = append(statuses, status)
	}
	return contents, statuses
}

// TestFleetProblems works the specs of a plan on one machine, pushes the result, and finds no problem; each fault that is
// then put into it is found.
func TestFleetProblems(t *testing.T) {
	t.Parallel()
	forRelease(t, "engine/fleet and engine/work/node")
	if runtime.GOOS == "windows" {
		t.Skip("the agents are POSIX shell scripts")
	}
	p := newWalledProject(t)
	plan := fleetPlan{specs: 6, depth: 3, hosts: 1, slots: 3, seed: 1}
	specs, texts := plan.list(), map[string]string{}
	for _, s := range specs {
		texts[s.id] = s.text(specs, plan.seconds)
	}
	p.addAll(texts)
	p.chant("work", "--all", "--parallel", "3")
	origin := p.home("origin.git")
	p.git("init", "-q", "--bare", "-b", "main", origin)
	p.git("push", "-q", origin, "main", "refs/notes/chant")
	assert.Zero(t, fleetProblems(t, origin, specs))
	last := p.git("log", "-1", "--format=%(trailers:key=Chant-Spec,valueonly)", "main")
	for want, line := range map[string]string{
		"refs/heads/chant/x is left":         "git update-ref refs/heads/chant/x main",
		"refs/chant/claims/x is left":        "git update-ref refs/chant/claims/x main",
		last + " has 2 merge commits":        "again main^2 \"again\n\nChant-Spec: " + last + "\nChant-Event: land\"",
		"main has a merge of no spec: again": "again main^2 again",
		last + " has 0 merge commits":        "git update-ref refs/heads/main main^",
		last + ` has "" in out/`:             `tree=$(git ls-tree main | grep -v out | git mktree); again "" lost`,
		last + ` is "" on main`:              `tree=$(git ls-tree main | grep -v .chant | git mktree); again "" lost`,
		"fsck: exit status":                  `mkdir t; mv objects/pack/* t; cat t/*.pack | git unpack-objects -q; b=$(git rev-parse main^:.chant/specs/` + last + `.md); rm -f "objects/$(echo "$b" | cut -c1-2)/$(echo "$b" | cut -c3-)"`,
	} {
		broken := remote{t, filepath.Join(t.TempDir(), "broken.git")}
		assert.NoError(t, os.CopyFS(broken.dir, os.DirFS(origin)))
		broken.shell(p.env, line)
		if found := fleetProblems(t, broken.dir, specs); !slices.ContainsFunc(found, func(one string) bool { return strings.HasPrefix(one, want) }) {
			t.Errorf("%s: want %q in %q", line, want, found)
		}
	}
	found := fleetProblems(t, origin, specs[:5])
	assert.Equal(t, 1, len(found), "one more than was asked for")
	assert.Contains(t, found[0], "not asked for", "one more than was asked for")
	backwards := slices.Clone(specs)
	backwards[0].needs = []int{5}
	found = fleetProblems(t, origin, backwards)
	assert.Equal(t, 1, len(found), "in another order")
	assert.Contains(t, found[0], "landed before", "in another order")
}

// shell runs a line of shell in the repository; "again PARENT MESSAGE" makes another commit on main, with the tree $tree.
func (r remote) shell(env []string, line string) {
	r.t.Helper()
	const again = `tree=main^{tree}; again() { git update-ref refs/heads/main "$(printf "$2" | git commit-tree -p main ${1:+-p $1} "$(git rev-parse "$tree")")"; }` + "\n"
	cmd := exec.CommandContext(r.t.Context(), "sh", "-ec", again+line)
	cmd.Dir, cmd.Env = r.dir, env
	if out, err := cmd.CombinedOutput(); err != nil {
		r.t.Fatalf("%s: %v\n%s", line, err, out)
	}
}
