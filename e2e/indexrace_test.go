package e2e

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"chant/engine"
	"chant/engine/view"

	"github.com/alecthomas/assert/v2"
)

// The roles of a process of the race test, in this variable.
const (
	raceRole = "CHANT_E2E_ROLE"
	writes   = "writes"
	reads    = "reads"
	switches = "switches"
)

// specsPerWriter is how many specs each writer changes.
const specsPerWriter = 8

// raceEvent is one write of a value, or one answer.
type raceEvent struct {
	From, To int64             // when it began and ended, ns since 1970
	ID       string            `json:",omitempty"` // of the spec that was written
	Value    string            `json:",omitempty"`
	ByGit    bool              `json:",omitempty"`
	Answer   map[string]string `json:",omitempty"` // the values that were read, by id
	All      bool              `json:",omitempty"` // the answer is about all specs: what it lacks does not exist
	Waits    string            `json:",omitempty"` // of the only spec in the answer: why one that depends on it waits
}

// TestIndex_neverStale races writers that replace, overwrite, remove and restore specs, and a person who switches and
// rebases branches, against readers that use the index, all in processes of their own. Each value that a reader gets
// must be one that the file had while the reader read. CHANT_E2E_RACE is for how long, such as 10m (8 writers and 8
// readers then); default: 2s and fewer processes.
func TestIndex_neverStale(t *testing.T) {
	t.Parallel()
	long, width := 2*time.Second, 2
	if text := os.Getenv("CHANT_E2E_RACE"); text != "" {
		var err error
		long, err = time.ParseDuration(text)
		assert.NoError(t, err)
		width = 8
	}
	p := newProject(t)
	p.commitRaceBranches()
	for n := range width {
		for i := range specsPerWriter {
			id := raceSpec(n, i)
			p.write(".chant/specs/"+dependent(id)+".md", "---\nstatus: pending\ndepends_on: ["+id+"]\n---\n# It waits\n")
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), long+time.Minute)
	defer cancel()
	logs := t.TempDir()
	var running []*exec.Cmd
	start := func(role string, n int) {
		self, err := os.Executable()
		assert.NoError(t, err)
		c := exec.CommandContext(ctx, self)
		c.Dir, c.Stderr = p.dir, os.Stderr
		c.Env = append(slices.Clone(p.env), raceRole+"="+role, "RACE_NUMBER="+strconv.Itoa(n), "RACE_FOR="+long.String(),
			"RACE_LOG="+filepath.Join(logs, fmt.Sprintf("%s-%d.jsonl", role, n)), "CHANT_INDEX=always")
		assert.NoError(t, c.Start())
		running = append(running, c)
	}
	start(switches, 0)
	for n := range width {
		start(writes, n)
		start(reads, n)
	}
	for _, c := range running {
		assert.NoError(t, c.Wait(), "%q", c.Env[len(c.Env)-4:])
	}
	answers, wrong := judgeRace(t, logs)
	t.Logf("%d answers of %d readers beside %d writers in %s", answers, width, width, long)
	assert.NotEqual(t, 0, answers, "no answer was checked")
	for _, text := range wrong[:min(len(wrong), 10)] {
		t.Error(text)
	}
}

// commitRaceBranches makes two branches that differ in some specs.
func (p *project) commitRaceBranches() {
	for _, branch := range []string{"main", "other"} {
		if branch != "main" {
			p.git("switch", "-q", "-c", branch)
		}
		for i := range specsPerWriter {
			p.write(".chant/specs/"+gitSpec(i)+".md", raceText(branch))
		}
		p.git("add", "-A")
		p.git("commit", "-q", "-m", branch)
	}
	p.git("switch", "-q", "main")
}

// dependent is the id of the spec that depends on one.
func dependent(id string) string { return strings.Replace(id, "-rac", "-dep", 1) }

func gitSpec(i int) string { return fmt.Sprintf("2026-02-01-%03d-git", i) }

func raceSpec(writer, i int) string { return fmt.Sprintf("2026-01-%02d-%03d-rac", writer+1, i) }

// whyFor returns why a spec waits for one with this value.
func whyFor(value string) string {
	switch {
	case value == "":
		return "missing"
	case strings.Contains("13579", value[len(value)-1:]):
		return "failed"
	}
	return "pending"
}

// raceText is the text of a spec with a value as its title. It has the same length for all values of one length.
func raceText(value string) string {
	return fmt.Sprintf("---\nstatus: %-8s\n---\n\n# ", whyFor(value)) + value + "\n\n" + strings.Repeat("Text. ", 40) + "\n"
}

// judgeRace checks all answers in the logs, and returns their number and what is wrong with them.
func judgeRace(t *testing.T, logs string) (answers int, wrong []string) {
	names, err := filepath.Glob(filepath.Join(logs, "*.jsonl"))
	assert.NoError(t, err)
	written := map[string][]raceEvent{}
	var read []raceEvent
	for _, name := range names {
		for _, ev := range raceEvents(t, name) {
			if ev.Answer != nil {
				read = append(read, ev)
			} else {
				written[ev.ID] = append(written[ev.ID], ev)
			}
		}
	}
	for id := range written {
		if written[id] = slices.Insert(written[id], 0, raceEvent{}); strings.HasSuffix(id, "-git") {
			written[id] = written[id][1:] // it existed at first, a writer's spec did not
		}
		slices.SortStableFunc(written[id], func(a, b raceEvent) int { return cmp.Compare(a.From, b.From) })
	}
	for _, ev := range read {
		if ev.All {
			for id := range written {
				if _, listed := ev.Answer[id]; !listed {
					ev.Answer[id] = "" // it does not exist
				}
			}
		}
		for id, value := range ev.Answer {
			if possible := valuesBetween(written[id], ev.From, ev.To); !slices.Contains(possible, value) {
				wrong = append(wrong, fmt.Sprintf("%s was %q, but the answer between %d and %d has %q", id, possible, ev.From, ev.To, value))
			} else if ev.Waits != "" && !slices.ContainsFunc(possible, func(value string) bool { return whyFor(value) == ev.Waits }) {
				wrong = append(wrong, fmt.Sprintf("%s was %q, but what depends on it waits because it is %q", id, possible, ev.Waits))
			}
		}
	}
	return len(read), wrong
}

// valuesBetween lists the values that a file had at some moment between two times.
func valuesBetween(written []raceEvent, from, to int64) []string {
	first, _ := slices.BinarySearchFunc(written, from, func(w raceEvent, from int64) int { return cmp.Compare(w.To, from) })
	var possible []string
	if first > 0 {
		possible = append(possible, written[first-1].Value)
	}
	for _, w := range written[first:] { // in order; the writes of one spec do not overlap
		if w.From > to {
			break
		}
		if possible = append(possible, w.Value); w.ByGit {
			possible = append(possible, "") // git removes a file before it writes the other version
		}
	}
	return possible
}

func raceEvents(t *testing.T, name string) []raceEvent {
	file, err := os.Open(name)
	assert.NoError(t, err)
	defer file.Close()
	var out []raceEvent
	in := bufio.NewScanner(file)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var ev raceEvent
		assert.NoError(t, json.Unmarshal(in.Bytes(), &ev))
		out = append(out, ev)
	}
	return out
}

// raceMain is the main function of the processes of the race test.
func raceMain(role string) {
	number, err := strconv.Atoi(os.Getenv("RACE_NUMBER"))
	check(err)
	long, err := time.ParseDuration(os.Getenv("RACE_FOR"))
	check(err)
	file, err := os.Create(os.Getenv("RACE_LOG"))
	check(err)
	r := &racer{number: number, end: time.Now().Add(long), out: json.NewEncoder(file)}
	switch role {
	case writes:
		r.write()
	case switches:
		r.switchBranches()
	case reads:
		r.read()
	case stores:
		r.store()
	}
	check(file.Close())
	os.Exit(0)
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type racer struct {
	number int
	end    time.Time
	out    *json.Encoder
}

// record logs a write that act makes.
func (r *racer) record(id, value string, act func() error) {
	ev := raceEvent{From: time.Now().UnixNano(), ID: id, Value: value}
	check(act())
	ev.To = time.Now().UnixNano()
	check(r.out.Encode(ev))
}

// write changes its specs in all the ways in which programs write files, until the end. Some pauses are longer than it
// takes a stamp to settle, others are not.
func (r *racer) write() {
	for round := 0; time.Now().Before(r.end); round++ {
		i := round % specsPerWriter
		id, value := raceSpec(r.number, i), fmt.Sprintf("v%07d", round)
		path := filepath.Join(".chant", "specs", id+".md")
		text := []byte(raceText(value))
		switch way := (round / specsPerWriter) % 5; way {
		case 0: // replace the file
			r.record(id, value, func() error {
				if err := os.WriteFile(path+"~", text, 0o644); err != nil {
					return err
				}
				return os.Rename(path+"~", path)
			})
		case 1, 2: // overwrite the value in place; size and, in the second case, time of modification stay the same
			before, err := os.Stat(path)
			check(err)
			r.record(id, value, func() error {
				if err := overwrite(path, text); err != nil || way == 1 {
					return err
				}
				return os.Chtimes(path, before.ModTime(), before.ModTime())
			})
		case 3: // remove it
			r.record(id, "", func() error { return os.Remove(path) })
		case 4: // put it back
			r.record(id, value, func() error {
				if err := os.WriteFile(path+"~", text, 0o644); err != nil {
					return err
				}
				return os.Rename(path+"~", path)
			})
		}
		if round%3 == 0 {
			time.Sleep(time.Duration(round%11) * 10 * time.Millisecond) // lets stamps settle, or not
		}
	}
}

func overwrite(path string, text []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	if _, err := file.WriteAt(text, 0); err != nil {
		return err
	}
	return file.Close()
}

// switchBranches switches between two branches and rebases one, until the end.
func (r *racer) switchBranches() {
	git := func(args ...string) error {
		c := exec.Command("git", args...)
		out, err := c.CombinedOutput()
		if err != nil {
			return fmt.Errorf("git %q: %w\n%s", args, err, out)
		}
		return nil
	}
	all := func(value string, args ...string) {
		ev := raceEvent{From: time.Now().UnixNano(), ByGit: true}
		check(git(args...))
		ev.To = time.Now().UnixNano()
		for i := range specsPerWriter {
			ev.ID, ev.Value = gitSpec(i), value
			check(r.out.Encode(ev))
		}
	}
	for i := range specsPerWriter {
		check(r.out.Encode(raceEvent{ID: gitSpec(i), Value: "main"})) // as the test has left them
	}
	for round := 0; time.Now().Before(r.end); round++ {
		all("other", "switch", "-q", "other")
		if round%4 == 3 {
			r.rebase(git)
		}
		all("main", "switch", "-q", "main")
		time.Sleep(time.Duration(round%7) * 20 * time.Millisecond) // lets stamps settle, or not
	}
}

// rebase rebases other onto main, which writes the files of main, then those of other.
func (r *racer) rebase(git func(...string) error) {
	from := time.Now().UnixNano()
	check(git("rebase", "-q", "--force-rebase", "main"))
	to := time.Now().UnixNano()
	for i := range specsPerWriter {
		check(r.out.Encode(raceEvent{From: from, To: to, ID: gitSpec(i), Value: "main", ByGit: true}))
		check(r.out.Encode(raceEvent{From: from + 1, To: to, ID: gitSpec(i), Value: "other", ByGit: true}))
	}
}

// read asks for all specs, and for single ones, until the end.
func (r *racer) read() {
	ctx := context.Background()
	for round := 0; time.Now().Before(r.end); round++ {
		p, err := engine.Open(".", engine.Options{Environ: os.Environ()})
		check(err)
		ev := raceEvent{From: time.Now().UnixNano(), Answer: map[string]string{}}
		if round%4 != 0 {
			ev.All = true
			list, err := view.List(ctx, p, view.ListInput{})
			check(err)
			for _, row := range list.Specs {
				ev.Answer[row.ID] = row.Title
			}
		} else {
			id := raceSpec(r.number, round/4%specsPerWriter)
			shown, err := view.Show(ctx, p, view.ShowInput{ID: dependent(id)})
			check(err)
			for _, blocker := range shown.Waits {
				ev.Waits = blocker.Why
			}
			s, err := p.Store.LoadAround(ctx, id)
			check(err)
			ev.Answer[id] = ""
			for _, one := range s.Specs {
				if one.ID == id {
					ev.Answer[id] = one.Title
				}
			}
		}
		ev.To = time.Now().UnixNano()
		maps.DeleteFunc(ev.Answer, func(id, _ string) bool { return !strings.HasSuffix(id, "-rac") && !strings.HasSuffix(id, "-git") })
		check(r.out.Encode(ev))
	}
}
