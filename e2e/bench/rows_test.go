package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// row is one measurement: what chant does, and what git does that comes nearest.
type row struct {
	name      string
	prepare   func(run int) // before chant, not measured
	chant     func(run int) sample
	reference string // the name of what git does
	git       func(run int) sample
}

// queries lists the rows that are measured in a project with many specs.
func (p *project) queries() []row {
	one := p.ids[len(p.ids)/2]
	status := func(int) sample { return p.git("status", "--porcelain") }
	addAndCommit := func(run int) sample {
		id := fmt.Sprintf("2030-01-01-%03d-git", run+1)
		p.write("notes/"+id+".md", strings.Repeat("A line of a note about the run.\n", 50))
		return sum(p.git("add", "notes/"+id+".md"), p.git("commit", "-q", "-m", "add "+id))
	}
	show := func(int) sample { return p.git("show", "HEAD:"+specPath(one)) }
	chant := func(args ...string) func(int) sample {
		return func(int) sample { return p.run(p.chant, args...) }
	}
	return []row{
		{name: "--version", chant: chant("--version"), reference: "--version", git: func(int) sample { return p.git("--version") }},
		{name: "list --json", chant: chant("list", "--json"), reference: "status", git: status},
		{name: "ready", chant: chant("ready"), reference: "status", git: status},
		{name: "status", chant: chant("status"), reference: "status", git: status},
		{name: "show", chant: chant("show", one), reference: "show", git: show},
		{name: "edit, unchanged", chant: chant("edit", one), reference: "show", git: show},
		{name: "search, top 20", chant: chant("search", "retry", "session", "--limit", "20"), reference: "grep",
			git: func(int) sample {
				return p.git("grep", "-i", "-c", "--all-match", "-e", "retry", "--or", "-e", "session", "--", ".chant/specs")
			}},
		{name: "add", chant: func(run int) sample { return p.run(p.chant, "add", fmt.Sprintf("Measure run %d", run)) },
			reference: "add, commit", git: addAndCommit},
		{name: "update", chant: func(run int) sample { return p.run(p.chant, "update", one, "--label", "run"+strconv.Itoa(run)) },
			reference: "add, commit", git: func(run int) sample { return addAndCommit(1000 + run) }},
		{name: "list --json after all files changed", prepare: func(int) { p.writeSpecs(len(p.ids)) }, chant: chant("list", "--json"),
			reference: "status", git: func(int) sample {
				p.writeSpecs(len(p.ids))
				return p.git("status", "--porcelain")
			}},
	}
}

// runs lists the row for the run of a spec whose script writes one file, the least with which a run lands.
func (p *project) runs(name string, times int) []row {
	for run := range times {
		p.write(specPath(smallSpec(run)), fmt.Sprintf("---\nstatus: pending\n---\n\n# Write a file\n\n## Script\n\n```sh\necho %d > chant.txt\n```\n", run))
	}
	p.git("add", "-A")
	p.git("commit", "-q", "-m", "specs that write a file")
	return []row{{name: "work, " + name, chant: func(run int) sample { return p.run(p.chant, "work", smallSpec(run), "--quiet") },
		reference: "steps of a run", git: p.bareSteps}}
}

func smallSpec(run int) string { return fmt.Sprintf("2031-01-01-%03d-run", run+1) }

// bareSteps does with git alone what the run of a spec does: branch, worktree, a commit, and the merge into a branch
// that nothing has checked out.
func (p *project) bareSteps(run int) sample {
	p.b.Helper()
	const target = "refs/heads/bare/target"
	if run == 0 {
		p.git("update-ref", target, "HEAD")
	}
	branch, tree := fmt.Sprintf("bare/%d", run), filepath.Join(p.dir, ".git", fmt.Sprintf("bare%d", run))
	before := p.output("rev-parse", target)
	taken := sum(p.git("branch", branch, target), p.git("worktree", "add", "-q", tree, branch))
	if err := os.WriteFile(filepath.Join(tree, "git.txt"), []byte(strconv.Itoa(run)), 0o644); err != nil {
		p.b.Fatal(err)
	}
	taken = sum(taken, p.git("-C", tree, "add", "git.txt"), p.git("-C", tree, "commit", "-q", "-m", "complete"),
		p.git("merge-tree", "--write-tree", target, branch))
	merged := p.output("merge-tree", "--write-tree", target, branch)
	taken = sum(taken, p.git("commit-tree", "-p", before, "-p", branch, "-m", "land", merged))
	landed := p.output("commit-tree", "-p", before, "-p", branch, "-m", "land", merged)
	return sum(taken, p.git("update-ref", target, landed, before), p.git("worktree", "remove", tree))
}

// sum adds the times of several runs, one after the other.
func sum(parts ...sample) sample {
	var out sample
	for _, s := range parts {
		out.wall += s.wall
		out.memory = max(out.memory, s.memory)
	}
	return out
}

// figure is a row of the result.
type figure struct {
	Row       string  `json:"row"`
	Specs     int     `json:"specs,omitempty"` // 0 where their number does not matter
	Millis    float64 `json:"ms"`
	MiB       float64 `json:"mib,omitempty"`
	Reference string  `json:"git,omitempty"`
	GitMillis float64 `json:"git_ms,omitempty"`
}

// ratio is how many times as long as git chant took, 0 if there is nothing to compare with.
func (f figure) ratio() float64 {
	if f.GitMillis == 0 {
		return 0
	}
	return f.Millis / f.GitMillis
}

// A measurement ends early if it takes long, after a few runs: medians of slow things vary less.
const (
	fewRuns = 3
	longRow = 20 * time.Second
)

// measure runs each row several times and reports the medians.
func measure(rows []row, specs, times int, report func(figure)) {
	for _, r := range rows {
		var ours, theirs []sample
		start := time.Now()
		for run := range times {
			if run >= fewRuns && time.Since(start) > longRow {
				break
			}
			if r.prepare != nil {
				r.prepare(run)
			}
			ours = append(ours, r.chant(run))
			theirs = append(theirs, r.git(run))
		}
		f := figure{Row: r.name, Specs: specs, Reference: r.reference}
		f.Millis, f.MiB = medians(ours)
		f.GitMillis, _ = medians(theirs)
		report(f)
	}
}

// medians returns the middle time in milliseconds and the middle memory in MiB.
func medians(samples []sample) (ms, mib float64) {
	walls, memory := make([]time.Duration, len(samples)), make([]int64, len(samples))
	for i, s := range samples {
		walls[i], memory[i] = s.wall, s.memory
	}
	slices.Sort(walls)
	slices.Sort(memory)
	middle := len(samples) / 2
	return float64(walls[middle]) / float64(time.Millisecond), float64(memory[middle]) / (1 << 20)
}
